// Play that quickens by itself, on a clock that stands still. How long an episode plays step by step is in wasm/stage/stage.go:
// three moments of 1.3 s, and at most 9 s for its steps. Which pictures pass by, and for how long, is compared with a film in
// test/state/watching.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

let now = 0;
/** @type {(() => void)[]} */
let frames = [];
performance.now = () => now;
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false }),
  requestAnimationFrame: (/** @type {() => void} */ frame) => frames.push(frame),
  cancelAnimationFrame: () => (frames = []),
});

/** @type {typeof import("./tempo.ts")} */
const { passing, speedOf } = await load("src/parts/stage/tempo.ts");
/** @type {typeof import("./fast-forward.ts")} */
const { FastForward } = await load("src/parts/stage/fast-forward.ts");

/** A passing episode, as watching.ts keeps it. */
const watched = () => {
  const watching = {
    passing: { value: /** @type {number | undefined} */ (undefined), peek: () => watching.passing.value },
    pass: (/** @type {number} */ episode) => void (watching.passing.value = episode),
  };
  return watching;
};

/** Plays a run from an episode on. Returns when each episode was first shown, and the end, in seconds. @param {number} episodes @param {number} whole the seconds of an episode at speed 1 */
function play(episodes, whole, from = 1) {
  now = 0;
  frames = [];
  /** @type {Map<number, number>} */
  const shown = new Map();
  let episode = from;
  for (let speed; (speed = speedOf("auto", episode - from, episode === episodes)) !== Infinity; episode++) {
    shown.set(episode, now / 1000);
    now += (1000 * whole) / speed;
    if (episode === episodes) return { shown, end: now / 1000 };
  }
  const watching = watched();
  let over = false;
  const rush = new FastForward(
    /** @type {any} */ (watching),
    /** @type {any} */ ({ at: (/** @type {number} */ k) => ({ k }), count: { peek: () => episodes } }),
    (/** @type {any} */ { k }) => {
      shown.set(k, now / 1000);
      rush.painted(k);
    },
    () => (over = true),
  );
  rush.start(
    episode - 1,
    episodes,
    passing(episodes).filter((of) => of.episode >= episode),
  );
  while (!over) {
    now += 10;
    for (const frame of frames.splice(0)) frame();
  }
  shown.set(episodes, now / 1000);
  return { shown, end: now / 1000 + whole };
}

// The episode after which C-PSRL has learned in run 0 (cpsrl summary -endings), and the steps of an episode at speed 1.
for (const [preset, episodes, learned, steps] of /** @type {const} */ ([
  ["fig1", 100, 34, 10],
  ["fig2a", 500, 57, 20],
  ["fig2c", 400, 90, 10],
  ["fig2d", 400, 156, 20],
])) {
  test(`${preset}: a minute of Play shows an agent that has learned`, () => {
    const { shown, end } = play(episodes, 3 * 1.3 + Math.min(9, 0.55 * steps));
    const times = [...shown.entries()];
    const first = times.findIndex(([episode]) => episode > learned);
    assert.ok((times[first]?.[1] ?? Infinity) < 45, `episode ${learned} has passed after ${times[first]?.[1]} s`);
    assert.ok(end <= 60, `the last episode has been driven after ${end} s`);
    // The first episodes are played step by step, each twice as fast as the one before; the first picture stays for a second, the last one long enough to be seen.
    const stays = times.slice(1).map(([, time], k) => time - (times[k]?.[1] ?? 0));
    assert.deepEqual(
      times.slice(0, 4).map(([episode]) => episode),
      [1, 2, 3, 4],
    );
    assert.ok((stays[0] ?? 0) >= 9 && (stays[1] ?? 0) >= 4.5 && (stays[2] ?? 0) >= 2.25 && (stays[3] ?? 0) >= 1, `${stays}`);
    assert.ok(
      stays.slice(3).every((time, k, all) => time >= 0.19 && time <= (all[k - 1] ?? Infinity) + 0.011),
      `${stays}`,
    );
  });
}

test("Play begins slowly wherever it begins, and short runs have no pictures", () => {
  const { shown } = play(400, 10, 100);
  assert.deepEqual([...shown].slice(0, 3), [
    [100, 0],
    [101, 10],
    [102, 15],
  ]);
  assert.deepEqual([...play(1, 10).shown.keys()], [1]);
  assert.deepEqual([...play(3, 10).shown.keys()], [1, 2, 3]);
  assert.deepEqual([...play(5, 10).shown.keys()], [1, 2, 3, 4, 5]);
});

test("a chosen speed stays", () => {
  for (const speed of [0.5, 1, 16, Infinity]) for (const after of [0, 1, 2, 3, 300]) assert.equal(speedOf(speed, after, after === 300), speed);
});

test("fast forward passes by for the page once it is painted, and ends when someone seeks another episode", () => {
  now = 0;
  frames = [];
  const watching = watched();
  /** @type {number[]} */
  const painting = [];
  /** @type {boolean[]} */
  const overs = [];
  const rush = new FastForward(
    /** @type {any} */ (watching),
    /** @type {any} */ ({ at: (/** @type {number} */ k) => ({ k }), count: { peek: () => 400 } }),
    (/** @type {any} */ { k }) => painting.push(k),
    (last) => overs.push(last),
  );
  const pass = (/** @type {number} */ time) => {
    now += time;
    for (const frame of frames.splice(0)) frame();
  };
  rush.start(1, 400);
  pass(1000);
  pass(1000);
  assert.deepEqual([painting, watching.passing.value], [[1], undefined], "the stage is still painting");
  rush.painted(1); // late
  assert.deepEqual([painting, watching.passing.value], [[1, 81], 1], "the episodes in between are passed over");
  rush.painted(81);
  assert.equal(watching.passing.value, 81);
  watching.pass(7);
  rush.painted(90);
  assert.equal(watching.passing.value, 7, "someone has gone to another episode since");
  pass(20);
  assert.deepEqual([overs, rush.running], [[false], false]);
});

test("a picture stays for its time from when it is painted, however late that is", () => {
  now = 0;
  frames = [];
  /** @type {number[]} */
  const painting = [];
  const rush = new FastForward(
    /** @type {any} */ (watched()),
    /** @type {any} */ ({ at: (/** @type {number} */ k) => ({ k }), count: { peek: () => 400 } }),
    (/** @type {any} */ { k }) => painting.push(k),
    () => {},
  );
  const pass = (/** @type {number} */ time) => {
    now += time;
    for (const frame of frames.splice(0)) frame();
  };
  rush.start(3, 400, [
    { episode: 4, time: 1000 },
    { episode: 5, time: 900 },
  ]);
  pass(700);
  rush.painted(4);
  pass(990);
  assert.deepEqual(painting, [4]);
  pass(20);
  assert.deepEqual(painting, [4, 5]);
});
