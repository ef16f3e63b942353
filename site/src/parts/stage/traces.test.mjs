// Oracle: by hand, on a clock that stands still and with an engine that answers when the test says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, stand } from "../../../test/clock.mjs";
import { catalogue, load } from "../../../test/modules.mjs";

/** @type {typeof import("./traces.ts")} */
const { Traces } = await load("src/parts/stage/traces.ts");
const clock = stand();
const { spec } = /** @type {any} */ (catalogue.presets[0]);
const place = { agent: "c-psrl", run: 0, episode: 7 };

/** Traces of an engine that notes what it computes. */
function make() {
  /** @type {{path: string, signal: AbortSignal, answer: (episode: number) => void}[]} */
  const asked = [];
  const traces = new Traces(
    (path, _spec, signal) =>
      new Promise((resolve, reject) => {
        const answer = (/** @type {number} */ episode) => resolve(new TextEncoder().encode(JSON.stringify({ episode })).buffer);
        asked.push({ path, signal, answer });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  traces.open(spec);
  const running = () => asked.filter(({ signal }) => !signal.aborted);
  return { traces, asked, running };
}

/** How a promise ended. @param {Promise<any>} promise */
const outcome = (promise) =>
  promise.then(
    ({ trace }) => trace.episode,
    (error) => error.message,
  );

test("a trace that takes longer than it may is ended and says so; one that was asked for is not", async () => {
  const { traces, asked, running } = make();
  const end = outcome(traces.take(place, 120));
  await clock.work(119);
  clock.sleep(3600); // sleep does not count
  await settled();
  assert.equal(running().length, 1);
  await clock.work(8);
  assert.match(await end, /^it has taken 2 min, longer than what starts by itself may take/);
  assert.equal(running().length, 0);

  const pressed = outcome(traces.take(place));
  await clock.work(1000);
  asked.at(-1)?.answer(7);
  assert.equal(await pressed, 7);
  assert.equal(asked.length, 2);
  assert.equal((await traces.take(place, 1)).trace.episode, 7, "it is kept");
});

test("pressing for a trace that is being computed lifts its limit", async () => {
  const { traces, asked } = make();
  traces.prepare(place, 120);
  await clock.work(60);
  const pressed = outcome(traces.take(place));
  await clock.work(500);
  asked[0]?.answer(7);
  assert.equal(await pressed, 7);
  assert.equal(asked.length, 1);
});

test("while nobody sees the page no trace is computed, and afterwards the one that is wanted is", async () => {
  const { traces, asked, running } = make();
  const first = outcome(traces.take(place, 120));
  traces.hold(true);
  assert.equal(running().length, 0, "it stops at once");
  const second = outcome(traces.take({ ...place, episode: 8 }, 120));
  assert.equal(await first, "another episode is wanted");
  await clock.work(1000);
  assert.equal(asked.length, 1, "nothing begins");
  traces.hold(false);
  assert.match(running()[0]?.path ?? "", /episode=8$/);
  asked.at(-1)?.answer(8);
  assert.equal(await second, 8);
  assert.equal(asked.length, 2);
  traces.hold(true);
  traces.hold(false);
  assert.equal(asked.length, 2, "it need not be computed again");
});

test("a host that has paused the playground may ask for another episode where someone sees it", async () => {
  const { traces, asked, running } = make();
  const first = outcome(traces.take(place, 120));
  traces.hold(true, false);
  assert.equal(running().length, 0);
  const second = outcome(traces.take({ ...place, episode: 8 }, 120));
  assert.equal(running().length, 1);
  asked.at(-1)?.answer(8);
  assert.deepEqual([await first, await second], ["another episode is wanted", 8]);
});
