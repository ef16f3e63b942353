// What the page says that an agent believes. Oracle: the records of the command `cpsrl run`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { start, Tab } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
after(() => page.stop());

/** A variable of one value, and a payoff whose variables the agent has to find. */
const model = {
  format: "cpsrl/model", version: 3, horizon: 3,
  state: [{ name: "at", size: 2 }, { name: "one", size: 1 }], action: [{ name: "go", size: 2 }], initial: [{ state: [0, 0], p: 1 }],
  transition: [{ of: "at", given: ["go"], p: [[1, 0], [0, 1]] }, { of: "one", given: [], p: [[1]] }],
  reward: [{ name: "pay", scope: "hidden", given: ["at"], mean: [0, 1], kind: "bernoulli" }],
};

test("the belief after an episode is that of its record, by name, without what no data can tell", async () => {
  const cpsrl = (/** @type {string[]} */ ...args) => execFileSync(page.program, args, { encoding: "utf8", input: JSON.stringify(model), stdio: ["pipe", "pipe", "ignore"] }).trim();
  const link = cpsrl("link", "-model", "-", "-rewards", "learned", "-agents", "psrl,c-psrl", "-first", "1", "-runs", "2", "-episodes", "3");
  const [, ...records] = cpsrl("run", "-link", link).split("\n").map((line) => JSON.parse(line));
  const tab = new Tab(link);
  tab.write(link, false, {});
  const it = await page.open(tab);
  it.held.value = true; // no run is played beside it
  const believed = (/** @type {object} */ of = {}) => page.state_belief.beliefOf(it, of);
  const told = (/** @type {number} */ run, /** @type {number} */ episode) => {
    const { belief } = records.find((record) => record.agent === "c-psrl" && record.run === run && record.episode === episode);
    const [{ parents, edges }] = belief.payoffs;
    const ends = [["at", 0], ["go", 2]].flatMap(([from, i]) => [
      { from, to: "at", sampled: belief.graph[0].includes(i), p: belief.edges[0][Number(i)] },
      { from, to: "pay", sampled: parents.includes(i), p: edges[Number(i)] },
    ]).sort((a, b) => a.to.localeCompare(b.to));
    const graph = ends.filter(({ sampled }) => sampled).map(({ from, to }) => [from, to]);
    return { agent: "c-psrl", run, episode, graph, edges: ends.map(({ from, to, p }) => ({ from, to, p })) };
  };

  assert.equal(await believed(), "the page has no records of c-psrl in run 1: they come with the end of a run");
  await it.runner.begin(true);
  for (const [of, expected] of /** @type {[object, unknown][]} */ ([
    [{}, told(1, 3)],
    [{ episode: 1 }, told(1, 1)],
    [{ run: 2, agent: "c-psrl" }, told(2, 3)],
    [{ agent: "psrl" }, undefined],
    [{ episode: 4 }, "there is no episode 4: the run has 3"],
    [{ run: 0 }, "there is no run 0: the runs are 1 to 2"],
    [{ agent: "greedy" }, 'there is no agent "greedy": the agents are psrl, c-psrl'],
  ])) assert.deepEqual(await believed(of), expected, JSON.stringify(of));
  it.watching.watch(2, "c-psrl", 2);
  assert.deepEqual([await believed(), await believed({ episode: 1 })], [told(2, 2), told(2, 1)], "what the stage shows is the default");
  it.app.edit(page.state_form.withValue(it.app.form.value, "/seed", "9"));
  await it.app.check();
  assert.equal(await believed(), "the page has no records of c-psrl in run 2: they come with the end of a run", "another experiment");
});
