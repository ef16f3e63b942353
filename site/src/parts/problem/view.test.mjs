// Oracle: what a person reads of a problem's variables, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { variables } = await load("src/parts/problem/variables.ts");
/** @param {number} count @param {number} size */
const alike = (count, size) => Array.from({ length: count }, (_, k) => ({ name: `X${k}`, size }));

test("variables are listed, or counted where they are alike or many", () => {
  assert.equal(
    variables([
      { name: "row", size: 5 },
      { name: "col", size: 4 },
    ]),
    "row 5\ncol 4",
  );
  assert.equal(variables(alike(6, 2)), "6 binary variables");
  assert.equal(variables(alike(3, 1)), "3 variables of 1 value");
  assert.equal(variables([...alike(12, 3), { name: "odd", size: 2 }]), "13 variables");
});
