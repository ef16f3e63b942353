// Oracle: the first characters of the formats, written by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { isForeign, isLog, nameOf, wordsOf } = await load("src/parts/problem/foreign.ts");

test("the engine reads models of other programs, and JSON is the page's", () => {
  for (const text of ["(variables (x yes no))", "discount: 0.9\n", "network unknown {\n}", "Dear all,"]) assert.equal(isForeign(text, undefined), true, text);
  assert.equal(isForeign('{"format":"cpsrl/model",}', undefined), false, "JSON with a fault");
  assert.equal(isForeign(" [1, 2", undefined), false);
  assert.equal(isForeign("{}", { format: "cpsrl/model" }), false);
  assert.equal(isForeign("{}", { format: "gymnasium/P" }), true);
  assert.equal(isForeign("null", null), false);
});

test("a log is a table with next values or steps of episodes, or JSON Lines of x and y", () => {
  for (const text of ["episode,t,a\n1,0,2\n", "Episode;T;a\n1;0;2\n", "a,b,a'\n0,1,1\n", "a\ta_next\n0\t1\n", '"a","a′"\n0,1\n'])
    assert.equal(isLog(text, undefined), true, text);
  for (const text of ["from,to,p\na,b,1\n", ",a,b\na,1,0\n", "(variables (x yes no))\n", "discount: 0.9\n", "episode,t", "PNG\n"])
    assert.equal(isLog(text, undefined), false, text);
  assert.equal(isLog('{"x":[0],"y":[0]}', { x: [0], y: [0] }), true);
  assert.equal(isLog("{}", { format: "cpsrl/model" }), false);
});

test("a model has the name of its file, and the page says what is left out", () => {
  assert.deepEqual(["coffee.spudd", "a.b.bif", ".mdp", "walk"].map(nameOf), ["coffee", "a.b", ".mdp", "walk"]);
  assert.equal(wordsOf("walk.mdp", { notes: ["the discount 0.9 is left out"] }), "“walk.mdp” is read as a model. The discount 0.9 is left out.");
});
