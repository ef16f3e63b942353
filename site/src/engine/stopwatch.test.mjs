// Oracle: by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** @type {typeof import("./stopwatch.ts")} */
const { Stopwatch } = await load("src/engine/stopwatch.ts");

test("a machine that sleeps does not work, and a watch that is stopped counts nothing", () => {
  let now = 500;
  const watch = new Stopwatch(() => now);
  const pass = (/** @type {number} */ milliseconds) => {
    now += milliseconds;
    return watch.elapsed;
  };
  assert.equal(watch.elapsed, 0);
  assert.equal(pass(1000), 1000);
  assert.equal(pass(4000), 5000);
  assert.equal(pass(15 * 60_000), 10_000, "the lid was closed for a quarter of an hour");
  now += 300;
  watch.stop(true);
  assert.equal(watch.elapsed, 10_300);
  assert.equal(pass(60_000), 10_300);
  watch.stop(true);
  watch.stop(false);
  assert.equal(pass(700), 11_000);
});
