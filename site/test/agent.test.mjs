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
    await said.waitFor({ timeout: 120_000 });
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
