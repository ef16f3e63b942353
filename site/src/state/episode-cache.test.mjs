// Oracle: by hand, on a clock that stands still. An episode of C-PSRL takes 0.5 s by the estimate, and the budget is 120 s.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, stand } from "../../test/clock.mjs";
import { catalogue, load } from "../../test/modules.mjs";

/** @type {typeof import("./episode-cache.ts")} */
const { EpisodeCache } = await load("src/state/episode-cache.ts");
/** @type {typeof import("./budget.ts")} */
const { secondsTo } = await load("src/state/budget.ts");
const clock = stand();

/** @param {number} episodes */
function make(episodes) {
  const spec = /** @type {any} */ ({ ...catalogue.presets[0].spec, episodes });
  const checked = /** @type {any} */ ({ header: { spec }, cost: { budget: 120, episodes: [0.01, 0.5] } });
  /** @type {{take: (episode: any) => void, signal: AbortSignal}[]} */
  const asked = [];
  const send = (/** @type {string} */ _path, /** @type {any} */ _body, /** @type {string} */ _answer, /** @type {any} */ take, /** @type {any} */ signal) =>
    new Promise((_, reject) => {
      asked.push({ take, signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const reel = new EpisodeCache(/** @type {any} */ ({ checked: { peek: () => checked } }), /** @type {any} */ (send));
  return { reel, spec, checked, asked, running: () => asked.filter(({ signal }) => !signal.aborted).length };
}

test("the estimate is that of the agent, from the first episode on", () => {
  const { checked } = make(240);
  assert.deepEqual([secondsTo(checked, "psrl", 100), secondsTo(checked, "c-psrl", 100), secondsTo(checked, "another", 100)], [1, 50, 0]);
});

test("episodes within the budget are played; more have to be pressed for", async () => {
  const { reel, spec, running } = make(240);
  reel.open(spec, "c-psrl", 0);
  assert.deepEqual([running(), reel.asking], [1, ""]);

  const large = make(10_000);
  large.reel.open(large.spec, "c-psrl", 0);
  await settled();
  assert.deepEqual([large.running(), large.reel.asking], [0, "These episodes take about 83 min of computing in this tab"]);
  large.reel.open(large.spec, "psrl", 0);
  assert.deepEqual([large.running(), large.reel.asking], [1, ""], "another agent is cheap");
  large.reel.open(large.spec, "c-psrl", 0);
  large.reel.open(large.spec, "c-psrl", 0, true);
  assert.equal(large.running(), 1);
  await clock.work(1000);
  assert.deepEqual([large.running(), large.reel.asking], [1, ""], "it was pressed for");
  large.reel.hold(true);
  assert.equal(large.running(), 0);
  large.reel.hold(false);
  assert.equal(large.running(), 1, "and still is after a pause");
});

test("episodes that turn out to take longer end and ask", async () => {
  const { reel, spec, asked, running } = make(240);
  reel.open(spec, "c-psrl", 0);
  const take = (/** @type {number} */ episodes) => {
    for (let k = 0; k < episodes; k++) asked[0]?.take({});
  };
  take(11);
  await clock.work(20);
  assert.equal(running(), 1, "less than 5% tell nothing");
  take(1); // 12 of 240 in 20 s: 400 s in all
  await clock.work(1);
  assert.deepEqual([running(), reel.asking, reel.count.value, reel.failure.value], [0, "These episodes take about 7 min of computing in this tab", 12, ""]);
  reel.open(spec, "c-psrl", 0);
  assert.equal(running(), 0);
  reel.open(spec, "c-psrl", 0, true);
  assert.equal(running(), 1);
});

test("episodes of which less than 5% have come within the budget end, and no time of the whole is named", async () => {
  const { reel, spec, asked, running } = make(240);
  reel.open(spec, "c-psrl", 0);
  asked[0]?.take({});
  await clock.work(120);
  assert.equal(running(), 1);
  await clock.work(1);
  assert.deepEqual([running(), reel.asking], [0, "These episodes take more than 2 min of computing in this tab"]);
});
