// Oracle: the rules that Undo and Redo follow, worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { begin, moved, stepped } = await load("src/state/history.ts");
const [a, b, c] = [{ eta: 0 }, { eta: 1 }, { edges: [["x", "y"]] }];

test("Undo and Redo go back and forth on one line", () => {
  const line = stepped(stepped(begin(a), b), c);
  const back = moved(line, "undo");
  assert.deepEqual(back.now, b);
  assert.deepEqual(moved(back, "undo").now, a);
  assert.deepEqual(moved(back, "redo"), { past: [a, b], now: c, future: [] });
});

test("a step after Undo forgets what was undone", () => {
  const line = stepped(moved(stepped(begin(a), b), "undo"), c);
  assert.deepEqual(line.future, []);
  assert.equal(moved(line, "redo"), line);
});

test("steps of one group in a row are undone as one, and no step is none", () => {
  const line = stepped(stepped(begin(a), b, "text"), c, "text");
  assert.deepEqual(moved(line, "undo").now, a);
  assert.equal(stepped(line, { edges: [["x", "y"]] }), line);
});
