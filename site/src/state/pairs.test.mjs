// Oracle: which two lines a difference can be of, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { nameOfPair, pairOf, refsOf } = await load("src/state/pairs.ts");
const records = new Blob(["{}"]);

/** @param {string[]} agents @param {object} more */
const result = (agents, more = { records }) => ({ spec: { agents }, differences: [], ...more });
const three = result(["psrl", "f-psrl", "c-psrl"]);

test("any two lines of a result and of the kept ones have a difference, where there are records", () => {
  const kept = [
    { mark: "A", result: result(["c-psrl"]) },
    { mark: "B", result: three },
    { mark: "C", result: result(["psrl"], {}) },
  ];
  assert.deepEqual(refsOf(three, kept), ["psrl", "f-psrl", "c-psrl", "A c-psrl"]);
  assert.deepEqual(refsOf(result(["psrl", "c-psrl"], {}), kept), []);
  assert.deepEqual(pairOf(three, kept, ["A c-psrl", "f-psrl"]), ["A c-psrl", "f-psrl"]);
  assert.equal(nameOfPair(["c-psrl", "A c-psrl"]), "C-PSRL − C-PSRL, A");
});

test("without a wish, or with one that cannot be met, it is the first of the result, or the last line less the first", () => {
  const own = { ...three, differences: [{ agent: "c-psrl", base: "psrl" }] };
  for (const asked of [undefined, ["psrl"], ["psrl", "psrl"], ["psrl", "chess"], ["psrl", "A psrl"]]) {
    assert.deepEqual(pairOf(own, [], asked), ["c-psrl", "psrl"]);
    assert.deepEqual(pairOf(three, [], asked), ["c-psrl", "psrl"]);
  }
  assert.equal(pairOf(result(["psrl"]), [], undefined), undefined);
});

test("a figure has the differences that it came with", () => {
  const figure = result(["psrl", "f-psrl", "c-psrl"], { differences: [{ agent: "c-psrl", base: "psrl" }] });
  assert.deepEqual(pairOf(figure, [], ["c-psrl", "psrl"]), ["c-psrl", "psrl"]);
  assert.deepEqual(pairOf(figure, [], ["c-psrl", "f-psrl"]), ["c-psrl", "psrl"]);
});
