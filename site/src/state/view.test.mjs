// Oracle: the rules of core/spec/view.go on what suits a spec, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, load } from "../../test/modules.mjs";

const { changed, fitted, isPlain, linkable } = await load("src/state/view.ts");
const spec = catalogue.presets[0].spec;

test("what is watched is a moment of the spec", () => {
  const view = { measure: "recall", watched: { run: 30, episode: 500, moment: "plan", agent: "f-psrl" } };
  assert.deepEqual(fitted(view, spec, spec), { measure: "recall", watched: { run: 0, episode: 400, moment: "plan" } });
  const inside = { watched: { run: 19, episode: 400, agent: "psrl" } };
  assert.equal(fitted(inside, spec, spec), inside);
});

test("of other trajectories the first episode is watched; more runs or agents are no others", () => {
  const view = { watched: { run: 3, episode: 40, moment: "act" } };
  assert.deepEqual(fitted(view, { ...spec, seed: 2 }, spec), { watched: { run: 3, episode: 1 } });
  assert.equal(fitted(view, { ...spec, runs: 30, agents: ["psrl"] }, spec), view);
  assert.equal(fitted(view, { ...spec, seed: 2 }, undefined), view, "that of a link is as it says");
});

test("a link holds the agents of its spec, in their order", () => {
  assert.deepEqual(linkable({ hidden: ["kept", "c-psrl", "psrl"], logX: true }, spec), { logX: true, hidden: ["psrl", "c-psrl"] });
  assert.equal(isPlain(linkable({ hidden: ["kept"] }, spec)), true);
  const pair = ["c-psrl", "psrl"];
  assert.deepEqual(linkable({ paired: true, pair }, spec), { paired: true, pair });
  assert.deepEqual(linkable({ paired: true, pair: ["c-psrl", "A psrl"] }, spec), { paired: true }, "a kept result is not in a link");
  assert.deepEqual(linkable({ pair }, spec), {}, "no difference is shown");
});

test("a default is left out", () => {
  assert.deepEqual(changed({ logX: true, measure: "recall" }, { logX: false, measure: undefined, paired: true }), { paired: true });
});

test("the link of a run that was stopped does not watch a run that it does not have", () => {
  const at = (/** @type {number} */ run, more = {}) => ({ logY: true, watched: { run, episode: 3, ...more } });
  const kept = { ...spec, runs: 2 };
  assert.deepEqual(linkable(at(1), kept), at(1));
  assert.deepEqual(linkable(at(2), kept), { logY: true });
  assert.deepEqual(linkable(at(1), { ...kept, episodes: 2 }), { logY: true });
  assert.deepEqual(linkable(at(1), { ...kept, firstRun: 2 }), { logY: true });
  assert.deepEqual(linkable(at(1, { agent: "elsewhere" }), kept), { logY: true });
});
