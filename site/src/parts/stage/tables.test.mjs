// Oracle: indices of states counted by hand, the last variable changing fastest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { pointOf, probability } = await load("src/parts/stage/tables.ts");

test("the values at an index change fastest in the last variable", () => {
  const variables = [2, 3, 2].map((size) => ({ size }));
  assert.deepEqual(
    [0, 1, 2, 5, 6, 11].map((index) => pointOf(variables, index)),
    [
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [0, 2, 1],
      [1, 0, 0],
      [1, 2, 1],
    ],
  );
});

test("a probability that is not 0 or 1 does not look like it", () => {
  assert.deepEqual([0, 1e-9, 0.004, 0.5, 0.996, 1].map(probability), ["0.00", "<0.01", "<0.01", "0.50", ">0.99", "1.00"]);
});
