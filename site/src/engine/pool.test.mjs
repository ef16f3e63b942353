// Oracle: what the three browser engines say about a machine with two cores, and about larger ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { cores, mostInstances } = await load("src/engine/pool.ts");

test("an engine that hides how many cores there are is believed half", () => {
  const said = (/** @type {string} */ vendor, /** @type {(number | undefined)[]} */ ...numbers) =>
    numbers.map((hardwareConcurrency) => cores({ vendor, hardwareConcurrency }));
  assert.deepEqual(said("Google Inc.", 1, 2, 4, 8, 64), [1, 2, 4, 8, 64]);
  assert.deepEqual(said("", 1, 2, 4, 8), [1, 2, 4, 8]);
  assert.deepEqual(said("Apple Computer, Inc.", 1, 2, 4, 8), [1, 2, 2, 8]);
  assert.deepEqual(said("", undefined), [2], "a browser that does not say");
});

test("WebKit bears four instances on a machine with few cores", () => {
  const most = (/** @type {string} */ vendor, /** @type {(number | undefined)[]} */ ...numbers) =>
    numbers.map((hardwareConcurrency) => mostInstances({ vendor, hardwareConcurrency }));
  assert.deepEqual(most("Apple Computer, Inc.", undefined, 2, 4, 8), [4, 4, 4, Infinity]);
  assert.deepEqual(most("Google Inc.", 2, 8), [Infinity, Infinity]);
});
