// Oracle: by hand, with workers that compute when the test says so. A record is a line "job episode".

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** The workers that live, in the order of their start. @type {Fake[]} */
let alive = [];

class Fake {
  constructor() {
    /** @type {(event: {data: any}) => void} */
    this.onmessage = () => {};
    this.path = "";
    /** The label of the job. */
    this.job = "";
    this.episode = 0;
    this.input = "";
    alive.push(this);
  }
  /** @param {any} message */
  postMessage(message) {
    if (message.kind === "request") this.path = message.path;
    if (message.kind === "input") {
      const text = new TextDecoder().decode(message.bytes);
      this.input += text;
      if (this.path === "/v1/runs") Object.assign(this, { job: `${JSON.parse(text).firstRun}`, episode: 0 });
    }
    if (message.kind === "end" && this.path === "/v1/summary") this.say({ kind: "line", value: { final: true, runs: 3 } });
  }
  terminate() {
    alive = alive.filter((other) => other !== this);
  }
  /** @param {any} data */
  say(data) {
    this.onmessage({ data });
  }
  /** Computes so many episodes of a job of three. @param {number} episodes */
  work(episodes) {
    const lines = Array.from({ length: episodes }, () => `${this.job} ${++this.episode}\n`);
    this.say({ kind: "records", bytes: new TextEncoder().encode(lines.join("")), lines: episodes });
    if (this.episode === 3) this.say({ kind: "next" });
  }
}
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2, vendor: "" }, configurable: true });
globalThis.Worker = /** @type {any} */ (Fake);
globalThis.fetch = async () => new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), { headers: { "content-type": "application/wasm" } });

/** @type {typeof import("./experiment.ts")} */
const { Experiment } = await load("src/engine/experiment.ts");

const spec = { format: "cpsrl/spec", version: 2, domain: { name: "grid" }, agents: ["psrl"], episodes: 3, runs: 3, seed: 1 };
const pool = () => alive.filter(({ path }) => path === "/v1/runs");
/** Waits until so many workers have a job. @param {number} size */
async function working(size) {
  for (let k = 0; pool().filter(({ job }) => job !== "").length !== size; k++) {
    assert.ok(k < 1000, `${size} workers work`);
    await new Promise((later) => setTimeout(later));
  }
}

test("a paused experiment gives its workers up, and others go on where these were, with the same records", async () => {
  /** @type {number[]} */
  const told = [];
  const experiment = new Experiment(/** @type {any} */ ({ spec }), new Map(), { progress: (done) => void told.push(done), snapshot() {} });
  await working(2);
  const [aggregator] = alive;
  const [first, second] = pool();
  first?.work(2);
  second?.work(1);
  experiment.rest();
  assert.equal(pool().length, 2, "it is not paused");
  experiment.pause(true);
  experiment.rest();
  assert.deepEqual(alive, [aggregator], "only what sums up is left");
  second?.work(1); // a message that was on its way
  assert.deepEqual(told, [2, 3]);

  experiment.pause(false);
  await working(2);
  const [third, fourth] = pool();
  assert.deepEqual([third?.job, fourth?.job], ["0", "1"]);
  third?.work(1);
  fourth?.work(2);
  assert.deepEqual(told, [2, 3, 4], "records that have come count once");
  experiment.pause(true); // before the first job has caught up
  experiment.rest();
  experiment.pause(false);
  await working(2);
  const [fifth, sixth] = pool();
  fifth?.work(3);
  sixth?.work(1);
  await working(2);
  assert.equal(fifth?.job, "2");
  fifth?.work(3);
  sixth?.work(2);
  const { records, known, stopped, failure } = await experiment.outcome;
  const lines = ["0 1", "0 2", "0 3", "1 1", "1 2", "1 3", "2 1", "2 2", "2 3"];
  assert.deepEqual([aggregator?.input.split("\n").slice(1, -1), stopped, failure, told.at(-1)], [lines, false, undefined, 9]);
  assert.deepEqual((await records?.text())?.split("\n").slice(1, -1), lines);
  assert.deepEqual(await Promise.all([...known.values()].map((part) => part.text())), ["0 1\n0 2\n0 3\n", "1 1\n1 2\n1 3\n", "2 1\n2 2\n2 3\n"]);
  assert.deepEqual(alive, []);
});

test("each whole job is given away at once; a later one that has ended when the experiment stops is known, too", async () => {
  /** @type {[number, string][]} */
  const given = [];
  const whole = (/** @type {any} */ { firstRun }, /** @type {any} */ parts) => void given.push([firstRun, Buffer.concat(parts).toString()]);
  const listener = { progress() {}, snapshot() {}, whole };
  const experiment = new Experiment(/** @type {any} */ ({ spec }), new Map(), listener);
  await working(2);
  const [first, second] = pool();
  first?.work(2);
  second?.work(1);
  second?.work(2);
  await working(2);
  assert.deepEqual(given, [[1, "1 1\n1 2\n1 3\n"]]);
  second?.work(1);
  experiment.stop();
  const { known, stopped } = await experiment.outcome;
  assert.ok(stopped);
  assert.deepEqual(await Promise.all([...known.values()].map((part) => part.text())), ["1 1\n1 2\n1 3\n"]);

  // What is known is given away, too: whoever keeps it may not have it.
  const rest = new Experiment(/** @type {any} */ ({ spec }), known, listener);
  await working(2);
  for (const worker of pool()) worker.work(3);
  const { records } = await rest.outcome;
  assert.deepEqual(given.slice(1).sort(), [
    [0, "0 1\n0 2\n0 3\n"],
    [1, "1 1\n1 2\n1 3\n"],
    [2, "2 1\n2 2\n2 3\n"],
  ]);
  assert.deepEqual((await records?.text())?.split("\n").length, 11);
});

test("the time that is left counts from the first record, and is told from 5% on", async (t) => {
  const { now } = performance;
  let at = 0;
  performance.now = () => at;
  t.after(() => (performance.now = now));
  const experiment = new Experiment(/** @type {any} */ ({ spec: { ...spec, episodes: 100, runs: 2 } }), new Map(), { progress() {}, snapshot() {} });
  /** Looks each second. @param {number} seconds */
  const pass = (seconds) => {
    for (let k = 0; k < seconds; k++) {
      at += 1000;
      void experiment.elapsed;
    }
  };
  await working(2);
  const [first] = pool();
  pass(60); // the workers start
  assert.deepEqual([experiment.worked, experiment.left], [0, undefined]);
  first?.work(2);
  pass(10);
  first?.work(7);
  assert.deepEqual([experiment.worked, experiment.left], [10_000, undefined], "4.5%");
  pass(1);
  first?.work(1);
  assert.deepEqual([experiment.worked, Math.round(experiment.left ?? 0)], [11_000, Math.round((190 / 8) * 11_000)]);
  assert.equal(experiment.elapsed, 71_000);
  experiment.stop();
  await experiment.outcome;
});
