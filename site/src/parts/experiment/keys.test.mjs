// By hand: of 30 places, from the fifth, and at the ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { ledTo } = await load("src/parts/experiment/keys.ts");

test("a key leads one place on or back, a tenth of them, or to an end, and never beyond", () => {
  /** @param {string} key @param {number} from */
  const led = (key, from) => ledTo(/** @type {KeyboardEvent} */ ({ key }), from, 30);
  for (const [key, to] of /** @type {const} */ ([
    ["ArrowRight", 5],
    ["ArrowUp", 5],
    ["ArrowLeft", 3],
    ["ArrowDown", 3],
    ["PageUp", 7],
    ["PageDown", 1],
    ["Home", 0],
    ["End", 29],
    ["a", undefined],
  ])) {
    assert.equal(led(key, 4), to, key);
  }
  assert.deepEqual([led("ArrowLeft", 0), led("PageDown", 1), led("ArrowRight", 29), led("PageUp", 28), led("ArrowLeft", 30)], [0, 0, 29, 29, 29]);
});
