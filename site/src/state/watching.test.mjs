// Oracle: by hand. What is watched is as a link holds it: the first moment is left out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, load } from "../../test/modules.mjs";

const { Watching } = await load("src/state/watching.ts");
const { linkable } = await load("src/state/view.ts");
const spec = catalogue.presets[0].spec;

/** @param {object} [watched] */
function watching(watched) {
  const app = {
    view: { value: /** @type {any} */ (watched ? { watched } : {}) },
    spec: { value: spec },
    look: (/** @type {object} */ change) => (app.view.value = { ...app.view.value, ...change }),
    check: () => {},
  };
  return { app, watching: new Watching(app) };
}

test("the episode that passes by is watched once it rests, at the moment that is named", () => {
  for (const [before, moment, after] of [
    ["act", undefined, "act"],
    ["act", "update", "update"],
    ["act", "sample", undefined],
    [undefined, undefined, undefined],
  ]) {
    const { app, watching: it } = watching({ run: 2, episode: 5, agent: "c-psrl", ...(before && { moment: before }) });
    it.pass(7);
    it.rest(moment);
    assert.deepEqual(app.view.value, { watched: { run: 2, episode: 7, agent: "c-psrl", ...(after && { moment: after }) } });
    assert.deepEqual(linkable(app.view.value, spec), app.view.value);
    it.rest("plan");
    assert.equal(app.view.value.watched.moment, after, "nothing passes by");
  }
});

test("an episode is watched within the experiment, from the first run on where nothing was", () => {
  const { app, watching: it } = watching();
  it.watch(9999, "c-psrl", undefined, "sample");
  assert.deepEqual(app.view.value.watched, { run: 0, episode: spec.episodes, agent: "c-psrl" });
  it.watch(-3, "nobody", 4, "plan");
  assert.deepEqual(app.view.value.watched, { run: 4, episode: 1, agent: "c-psrl", moment: "plan" });
});
