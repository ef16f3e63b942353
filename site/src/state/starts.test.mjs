// What starts by itself. Oracle: by hand; the page's other guards (links.ts, embed.ts) are not in the way here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, load } from "../../test/modules.mjs";

globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false }));
/** @type {typeof import("./run.ts")} */
const { Runner } = await load("src/state/run.ts");
/** @type {typeof import("./verdict.ts")} */
const { verdict } = await load("src/state/verdict.ts");
const { spec, link } = /** @type {any} */ (catalogue.presets[0]);

/** A runner of an experiment whose engine has no workers, so that a run that starts fails at once. @param {boolean} autorun */
function make(autorun) {
  const app = {
    run: { value: undefined },
    said: { value: "" },
    stopping: { value: false },
    progress: { value: 0 },
    fail() {},
    check: async () => ({ link, header: { spec, engine: 2 }, cost: { autorun, budget: 120, seconds: 1 } }),
    announce() {},
    dismiss() {},
  };
  const comparison = { result: { value: undefined }, begin() {}, end() {} };
  const links = { auto: { expects: () => false } };
  return { app, runner: new Runner(/** @type {any} */ (app), /** @type {any} */ (comparison), /** @type {any} */ (links), []) };
}

test("a run over the budget starts only if someone presses Run", async () => {
  for (const [autorun, pressed, starts] of [
    [false, false, false],
    [false, true, true],
    [true, false, true],
  ]) {
    const { app, runner } = make(/** @type {boolean} */ (autorun));
    let begun = false;
    await runner.begin(/** @type {boolean} */ (pressed), () => (begun = true));
    assert.equal(begun, starts);
    assert.deepEqual([app.run.value, app.said.value], starts ? ["failed", "Failed."] : [undefined, "Not started."]);
  }
});

test("receipts agree only if every digit does, and the verdict shows where they differ", () => {
  const ours = "0123456789abcdef".repeat(4);
  const run = /** @type {any} */ ({ spec: { runs: 4 }, receipt: { engine: 2, fingerprint: ours } });
  const of = (/** @type {string} */ fingerprint, engine = 2) => verdict({ engine, fingerprint }, run, 4);
  assert.deepEqual(of(ours).slice(1), ["good"]);
  for (const at of [0, 7, 8, 11, 12, 40, 63]) {
    const theirs = `${ours.slice(0, at)}${ours[at] === "0" ? "1" : "0"}${ours.slice(at + 1)}`;
    const [words, tone] = of(theirs);
    assert.equal(tone, "bad", `digit ${at + 1}`);
    const [, here, there] = /The fingerprint is (\S+) here and (\S+) in the receipt\./.exec(words) ?? [];
    assert.notEqual(here, there, `digit ${at + 1}: ${words}`);
  }
  assert.match(of(`${ours.slice(0, 63)}0`)[0], /The fingerprint is …456789abcdef here and …456789abcde0 in the receipt\./);
  assert.match(of(`1${ours.slice(1)}`)[0], /The fingerprint is 0123456789ab… here and 1123456789ab… in the receipt\./);
});
