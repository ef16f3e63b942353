// Oracle: specs worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { problemOf, sameProblem } = await load("src/state/differences.ts");
/** @param {string} name @param {object} parameters */
const of = (name, parameters = {}) => ({ domain: { name, ...parameters }, agents: [] });
const bakery = of("model", { model: { name: "Bakery", horizon: 3 } });

test("two problems of one's own are told by their names, and a problem of the gallery by its kind", () => {
  assert.equal(problemOf(bakery), "Bakery");
  assert.equal(sameProblem(bakery, of("model", { model: { name: "Bakery", horizon: 9 } })), true);
  assert.equal(sameProblem(bakery, of("model", { model: { name: "Garden", horizon: 3 } })), false);
  assert.equal(sameProblem(bakery, of("taxi")), false);
  assert.equal(sameProblem(of("taxi", { grid: "3x3" }), of("taxi", { grid: "5x5" })), true);
  assert.equal(sameProblem(of("taxi"), of("figure1")), false);
});
