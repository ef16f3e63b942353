// Oracle: by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** @type {typeof import("./merge.ts")} */
const { Merge } = await load("src/engine/merge.ts");

test("parts are passed on in the order of the jobs, and only jobs that have ended count as whole", () => {
  /** @type {[string, number][]} */
  const passed = [];
  const merge = new Merge(3, (/** @type {string} */ part, job) => void passed.push([part, job]));
  assert.equal(merge.whole, 0);
  merge.add(1, "b1");
  merge.add(0, "a1");
  assert.deepEqual([passed, merge.whole], [[["a1", 0]], 0], "the first job has not ended");
  merge.end(1);
  assert.deepEqual([merge.whole, merge.waiting], [0, [[1, ["b1"]]]], "a later job that has ended waits for the first");
  merge.add(2, "c1");
  merge.add(0, "a2");
  merge.end(0);
  assert.deepEqual(passed, [
    ["a1", 0],
    ["a2", 0],
    ["b1", 1],
    ["c1", 2],
  ]);
  assert.deepEqual([merge.whole, merge.waiting], [2, []], "the last job has begun but not ended");
  merge.add(2, "c2");
  merge.end(2);
  assert.deepEqual([passed.at(-1), merge.whole], [["c2", 2], 3]);
});
