import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** @type {typeof import("./jobs.ts")} */
const { jobsOf, keysOf } = await load("src/engine/jobs.ts");

const spec = {
  format: "cpsrl/spec",
  version: 2,
  domain: { name: "taxi" },
  priors: { a: { eta: 1 }, ab: { eta: 2 } },
  agents: ["psrl", "c-psrl:eta=1,prior=a", "c-psrl:prior=ab"],
  episodes: 5,
  firstRun: 3,
  runs: 2,
  seed: 1,
  update: "exact",
};
/** @param {Partial<import("../formats.ts").Spec>} change @returns {string[]} */
const keys = (change) => keysOf({ ...spec, ...change });

test("a job is known by what its records depend on, and by nothing else", () => {
  assert.deepEqual(
    jobsOf(spec).map(({ firstRun, runs, agents }) => [firstRun, runs, ...agents]),
    [
      [3, 1, "psrl"],
      [3, 1, "c-psrl:eta=1,prior=a"],
      [3, 1, "c-psrl:prior=ab"],
      [4, 1, "psrl"],
      [4, 1, "c-psrl:eta=1,prior=a"],
      [4, 1, "c-psrl:prior=ab"],
    ],
  );
  const all = keys({});
  assert.equal(new Set(all).size, 6);
  // Other runs and agents, and the priors of others.
  assert.deepEqual(keys({ runs: 1 }), all.slice(0, 3));
  assert.deepEqual(keys({ firstRun: 4, runs: 1 }), all.slice(3));
  assert.deepEqual(
    keys({ agents: ["f-psrl", "psrl"] }).filter((key) => all.includes(key)),
    [all[0], all[3]],
  );
  assert.deepEqual(
    keys({ priors: { a: { eta: 1 }, ab: { eta: 3 } } }).map((key) => all.includes(key)),
    [true, true, false, true, true, false],
  );
  assert.deepEqual(keys({ agents: ["psrl"], priors: {} }), [all[0], all[3]]);
  // Whatever else the spec says.
  for (const change of [
    { episodes: 6 },
    { seed: 2 },
    { update: "printed" },
    { domain: { name: "taxi", grid: "3x3" } },
    { prior: { eta: 1 } },
    { version: 3 },
  ]) {
    assert.ok(
      keys(change).every((key) => !all.includes(key)),
      JSON.stringify(change),
    );
  }
});

test("another prior leaves the jobs of the agents that are not told it, unless it draws another problem", () => {
  const agents = ["psrl", "f-psrl", "c-psrl", "c-psrl:eta=1"]; // the last is not in the catalogue, so it may be told anything
  const kept = (/** @type {object} */ a, /** @type {object} */ b) => {
    const before = keys({ agents, runs: 1, prior: /** @type {any} */ (a) });
    return keys({ agents, runs: 1, prior: /** @type {any} */ (b) }).map((key) => before.includes(key));
  };
  assert.deepEqual(kept({ edges: [["row", "row"]] }, { edges: [] }), [true, true, false, false]);
  assert.deepEqual(kept({ eta: 1 }, { eta: 1, trust: 0.9 }), [true, true, false, false]);
  assert.deepEqual(kept({ eta: 1 }, { eta: 2 }), [false, false, false, false]);
});

test("every agent's jobs depend on the data that it starts from", () => {
  const [name, other] = ["0a".repeat(32), "1b".repeat(32)];
  const all = [{}, { prior: { data: name } }, { prior: { data: other } }].map((change) => keys(change));
  for (let job = 0; job < 6; job++) assert.equal(new Set(all.map((list) => list[job])).size, 3);
});
