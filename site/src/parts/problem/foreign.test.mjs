// Oracle: the first characters of the formats, written by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { isForeign, nameOf, wordsOf } = await load("src/parts/problem/foreign.ts");

test("the engine reads models of other programs, and JSON is the page's", () => {
  for (const text of ["(variables (x yes no))", "discount: 0.9\n", "network unknown {\n}", "Dear all,"]) assert.equal(isForeign(text, undefined), true, text);
  assert.equal(isForeign('{"format":"cpsrl/model",}', undefined), false, "JSON with a fault");
  assert.equal(isForeign(" [1, 2", undefined), false);
  assert.equal(isForeign("{}", { format: "cpsrl/model" }), false);
  assert.equal(isForeign("{}", { format: "gymnasium/P" }), true);
  assert.equal(isForeign("null", null), false);
});

test("a model has the name of its file, and the page says what is left out", () => {
  assert.deepEqual(["coffee.spudd", "a.b.bif", ".mdp", "walk"].map(nameOf), ["coffee", "a.b", ".mdp", "walk"]);
  assert.equal(wordsOf("walk.mdp", { notes: ["the discount 0.9 is left out"] }), "“walk.mdp” is read as a model. The discount 0.9 is left out.");
});
