// Oracle: the entries that a browser's history has after what a person does, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { step, waits } = await load("src/state/entries.ts");

/** Goes through events. Returns what is written, a new entry with + before its link, and the last state. @param {object} state @param {...object} events @returns {{ written: string[], said: string | undefined, state: any }} */
function through(state, ...events) {
  /** @type {string[]} */
  const written = [];
  /** @type {string | undefined} */
  let said;
  for (const event of events) {
    const { state: next, write, notice } = step(state, event);
    state = next;
    if (write) written.push(`${write.push ? "+" : ""}${write.link}`);
    if (notice !== undefined) said = notice;
  }
  return { written, said, state };
}

const start = { link: "a", plain: "a", edit: 0 };
/** @param {string} plain @param {number} edit */
const accepted = (plain, edit, link = plain) => ({ type: "accepted", plain, link, edit });
/** @param {string} plain @param {string} link @param {number} edit */
const looked = (plain, link, edit) => ({ type: "looked", plain, link, edit });
/** @param {object} more */
const refused = (more) => ({ type: "refused", why: "no", answered: true, there: true, beside: "a", form: {}, ...more });

test("an edit adds an entry, another change of the same edit and a view write over it", () => {
  assert.deepEqual(through(start, accepted("b", 1), accepted("c", 1), looked("c", "c&log=y", 1), accepted("d", 2)).written, ["+b", "c", "c&log=y", "+d"]);
  assert.deepEqual(through(start, looked("a", "a&log=y", 1), accepted("b", 1)).written, ["a&log=y", "+b"], "a view takes no edit's entry");
  assert.deepEqual(through(start, accepted("a", 1), accepted("b", 1)).written, ["a", "+b"], "nor does an edit that changes nothing");
  assert.deepEqual(through({ ...start, plain: undefined }, accepted("b", 1)).written, ["b"], "the first link that the page learns is that of its first entry");
});

test("what was not edited by a person adds no entry", () => {
  const read = { plain: "b", link: "b&receipt=1" };
  const opened = [{ type: "reading" }, { type: "opened", read, edit: 3 }];
  assert.deepEqual(through(start, ...opened, accepted("b", 3, read.link)).written, ["b&receipt=1"]);
  assert.deepEqual(through(start, { type: "moved", link: "b", edit: 3 }, ...opened, accepted("b", 3, "b"), accepted("c", 4)).written, ["b", "+c"]);
});

test("the address waits while a link is read, and keeps a refused one while the same is shown beside it", () => {
  const { state, written } = through(start, { type: "reading" }, accepted("b", 1));
  assert.deepEqual(written, []);
  assert.ok(waits(state, "b"));
  const kept = through({ ...start, link: "bad" }, { type: "reading" }, refused({}), looked("a", "a&log=y", 0));
  assert.deepEqual(kept.written, []);
  assert.equal(kept.said, "This link cannot be opened. No. What you see below is not from the link.");
  assert.deepEqual(through(kept.state, accepted("b", 1)).written, ["+b"]);
  const dropped = through(kept.state, { type: "dropped" }, looked("a", "a&log=y", 0));
  assert.deepEqual([dropped.written, waits(dropped.state, "a")], [[], true], "also when another link is not opened after all");
  assert.equal(through(kept.state, accepted("b", 1)).said, "", "then nothing is said about it any more");
  assert.deepEqual(
    through({ link: "bad", edit: 0 }, { type: "reading" }, refused({}), accepted("a", 0), accepted("b", 1)).written,
    ["b"],
    "also before anything was accepted",
  );
  assert.deepEqual(
    through(start, { type: "reading" }, refused({ there: false }), looked("a", "a&log=y", 0)).written,
    ["a&log=y"],
    "a host's link is not in the address",
  );
});

test("a link that the engine did not answer about has still to be opened, until something else is shown", () => {
  const form = {};
  const { state, said } = through(start, { type: "reading" }, refused({ answered: false, form }));
  assert.deepEqual(state.waits, { for: "due", form });
  assert.match(said ?? "", /^This link was not opened/);
  assert.equal(through(state, { type: "dropped" }).state.waits, undefined);
  assert.deepEqual(through(state, accepted("b", 1)).written, ["+b"], "an edit is shown instead");
});

test("an emptied address has no link any more", () => {
  const { state } = through({ ...start, opened: { plain: "a" }, waits: { for: "refused", beside: "a" } }, { type: "moved", link: "", edit: 2 });
  assert.deepEqual([state.opened, state.waits], [undefined, undefined]);
  assert.deepEqual(through(state, accepted("a", 2)).written, ["a"]);
});
