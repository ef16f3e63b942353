// Agents for simulators of a page: the example of the documents learns, and the command gives the same answers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { listen, start, subPath } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

const example = "example/gridworld.html";

/** A page, and what its console complains of. */
async function opened() {
  const page = await (await site.browser.newContext()).newPage();
  return { page, complaints: listen(page) };
}

test("C-PSRL learns the gridworld of the example on the page", async () => {
  for (const at of [example, `${subPath}${example}`]) {
    const { page, complaints } = await opened();
    const loaded = /** @type {string[]} */ ([]);
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
    await page.goto(site.origin + at);
    await page.getByText("Nothing has been loaded yet.").waitFor();
    assert.deepEqual(loaded.filter((name) => name.endsWith(".wasm")), [], "nothing is loaded before a click");
    await page.getByRole("button", { name: "Learn" }).click();
    const said = page.getByText(/The last 20 episodes took/);
    await said.waitFor();
    const [, mean = "NaN"] = /took ([\d.]+) steps/.exec((await said.textContent()) ?? "") ?? [];
    assert.ok(Number(mean) >= 6 && Number(mean) <= 8, `the last episodes take ${mean} steps; the shortest way has 6`);
    assert.match((await said.textContent()) ?? "", /sure of (?=.*row → row)(?=.*col → row)(?=.*move → col)/);
    assert.ok(loaded.some((name) => /^agent-\w+\.wasm$/.test(name)) && !loaded.some((name) => /^engine-/.test(name)), "only the agents' program is loaded");
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

test("the command gives the answers of the page, and a saved agent goes on in either", async () => {
  const { page } = await opened();
  await page.goto(site.origin + example);
  const { sent, heard, refused, closed } = await page.evaluate(async () => {
    const { agent } = await import(new URL("../playground.mjs", location.href).href);
    const { play, problem } = await import(new URL("gridworld.js", location.href).href);
    /** @type {string[]} */
    const sent = [];
    const { stringify } = JSON;
    JSON.stringify = (/** @type {any[]} */ ...of) => {
      const text = stringify(.../** @type {[any]} */ (of));
      sent.push(text);
      return text;
    };
    /** @type {unknown[]} */
    const heard = [];
    /** @type {string[]} */
    const refused = [];
    const a = agent({ ...problem, agent: "c-psrl:update=printed" });
    heard.push(await a.ready);
    for (let k = 0; k < 12; k++) {
      const policy = await a.policy();
      heard.push(policy, await a.act(3, [1, 3]));
      heard.push((await play({ policy: async () => policy, observe: a.observe })).belief);
    }
    for (const wrong of [() => a.act(13, [0, 0]), () => a.observe([{ x: [0, 0, 9], y: [0, 0], paid: [0, 0] }])]) {
      await wrong().catch((/** @type {Error} */ { message }) => refused.push(message));
    }
    const saved = await a.save();
    a.close();
    const closed = await a.belief().catch((/** @type {Error} */ { message }) => message);
    JSON.stringify = stringify;
    const [one, two] = [agent({ saved }), agent({ saved })];
    if (stringify(await one.policy()) !== stringify(await two.policy())) throw new Error("two loaded agents differ");
    heard.push(await one.ready, await one.belief());
    two.close();
    one.close();
    const unknown = agent({ ...problem, agent: "dqn" });
    await unknown.policy().catch((/** @type {Error} */ { message }) => refused.push(message));
    sent.push(stringify({ load: saved }), stringify({ belief: {} }));
    return { sent, heard, refused, closed };
  });
  assert.equal(refused.length, 3);
  assert.match(refused[0] ?? "", /^\/act\/h: the step is 13; steps are 1 to 12$/);
  assert.match(refused[1] ?? "", /^\/transitions\/0\/x\/2: "move" has no value 9/);
  assert.match(refused[2] ?? "", /^\/hello\/agent: .*dqn/);
  assert.equal(closed, "the agent is closed");
  const answers = execFileSync("go", ["run", "./core/cmd/cpsrl", "agent"], { cwd: root, input: `${sent.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n").map((line) => JSON.parse(line));
  const native = answers.filter(({ error, saved }) => error === undefined && saved === undefined);
  assert.deepEqual(heard, native.map(({ ready, episode, action, belief }) => ready ?? episode?.policy ?? action ?? belief));
});

test("an agent of the page is told legal actions and a law", async () => {
  const { page } = await opened();
  await page.goto(site.origin + example);
  const { actions, policy, edge, refused } = await page.evaluate(async () => {
    const { agent } = await import(new URL("../playground.mjs", location.href).href);
    const told = agent({
      horizon: 3,
      state: [{ name: "row", size: 2 }],
      action: [{ name: "move", size: 3 }],
      legal: { formula: "move < 2" },
      transition: [{ of: "row", formula: "next = move = 1" }],
      reward: [{ given: ["row'"] }],
      prior: { sparseness: 1, edges: [] },
    });
    const { actions } = await told.ready;
    const policy = await told.policy();
    const { edges } = await told.belief();
    const refused = await told.observe([{ x: [0, 2], y: [0], paid: [0] }]).catch((/** @type {Error} */ error) => error.message);
    told.close();
    return { actions, policy, edge: edges.find((/** @type {{ from: string }} */ e) => e.from === "move")?.p, refused };
  });
  assert.equal(actions, 2);
  assert.ok(policy.flat().every((/** @type {number} */ action) => action < 2), `the policy ${policy}`);
  assert.equal(edge, 1);
  assert.equal(refused, "/transitions/0/x: this joint action is not legal in the problem");
  await page.context().close();
});

test("a world of the page gives the answers of the command", async () => {
  const { page, complaints } = await opened();
  await page.goto(site.origin + example);
  const { heard, refused, closed } = await page.evaluate(async () => {
    const { world } = await import(new URL("../playground.mjs", location.href).href);
    const w = world({ preset: "fig1-quick", label: "mine" });
    /** @type {unknown[]} */
    const heard = [await w.ready, await w.task(true)];
    const refused = await w.step([0, 0]).catch((/** @type {Error} */ { message }) => message);
    for (let run = 0; run < 2; run++) {
      let episode = await w.reset(run);
      heard.push(episode);
      while (!episode.over) heard.push((episode = await w.step([0, 0])));
      heard.push(await w.score(run ? [[0, 0, 0, 0]] : undefined, run ? {} : { reference: false }));
    }
    heard.push(await w.reset(), await w.reset(undefined, { leave: true }));
    w.close();
    return { heard, refused, closed: await w.reset().catch((/** @type {Error} */ { message }) => message) };
  });
  assert.equal(refused, "/step: no episode has begun; a reset begins one");
  assert.equal(closed, "the world is closed");
  const { horizon } = /** @type {{ horizon: number }} */ (heard[0]);
  const step = { step: { action: [0, 0] } };
  const sent = [{ hello: { format: "cpsrl/world", version: 1, preset: "fig1-quick", label: "mine" } }, { task: { graph: true } },
    { reset: { run: 0 } }, ...Array(horizon).fill(step), { policy: { played: true, reference: false } }, { reset: { run: 1 } }, ...Array(horizon).fill(step), { policy: { table: [[0, 0, 0, 0]] } }, { reset: {} }, { reset: { leave: true } }];
  const input = `${sent.map((message) => JSON.stringify(message)).join("\n")}\n`;
  const answers = execFileSync("go", ["run", "./core/cmd/cpsrl", "world"], { cwd: root, input, encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(heard, answers.map((answer) => Object.values(answer)[0]));
  assert.deepEqual(complaints, []);
  await page.context().close();
});
