// Sweeps in the page. Oracle: the command `cpsrl sweep` with the link that the page gives, and its table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
const folder = mkdtempSync(join(tmpdir(), "cpsrl-sweep-"));
before(async () => (page = await start()));
after(async () => {
  await page.stop();
  rmSync(folder, { recursive: true });
});

const base = "v=1&domain=figure1&episodes=6&runs=3";
const cpsrl = (/** @type {string[]} */ ...args) => execFileSync(page.program, args, { encoding: "utf8", cwd: folder, stdio: ["ignore", "pipe", "ignore"] });

/** A playground with a sweep. @param {string} link */
async function opened(link) {
  const it = await page.open(new Tab(link));
  return { ...it, sweep: new page.state_sweep.Sweeping(it) };
}

/** Runs a sweep until its first setting is whole. @param {any} sweep */
async function first(sweep) {
  const end = page.signals.effect(() => void (sweep.count.value.whole > 0 && sweep.stop()));
  await sweep.run();
  end();
  assert.deepEqual([sweep.count.value.whole, sweep.fault.value], [1, ""]);
}

/** What is known, as [whole, all]. @param {any} sweep */
const whole = (sweep) => [sweep.count.value.whole, sweep.found.value.size];

test("two fields are crossed; the table, the receipt and the refusals are those of the command with the sweep's link", async () => {
  const { sweep, app } = await opened(base);
  sweep.choose(0, { key: "z", text: "2, 3" });
  sweep.choose(1, { key: "false", text: " 0,1,2" });
  await until(() => sweep.plan.value, "the plan");
  const plan = sweep.plan.value;
  assert.deepEqual([plan.vary, plan.settings.length, plan.columns.length], ["z=2,3;false=0,1,2", 6, 2]);
  assert.ok(plan.seconds > 0);
  assert.match(plan.link, /&vary=z=2,3;false=0,1,2&/);
  assert.equal(plan.command, `cpsrl sweep -link '${plan.link}' -o sweep`);
  await sweep.run();
  assert.deepEqual([sweep.fault.value, sweep.running.value, app.sweeping.value], ["", false, undefined]);

  cpsrl("sweep", "-link", plan.link, "-o", "sweep");
  const manifest = JSON.parse(readFileSync(join(folder, "sweep/shard-0.json"), "utf8"));
  const refused = plan.settings.filter((/** @type {any} */ { reason }) => reason !== undefined);
  assert.deepEqual(
    refused.map((/** @type {any} */ { values, reason }) => [values, reason]),
    manifest.impossible.map((/** @type {any} */ { setting, reason }) => [setting, reason.replace(/^\/\S+: /, "")]),
  );
  assert.ok(refused.length > 0 && manifest.settings.length > 0);
  assert.equal(sweep.count.value.whole, manifest.settings.length);
  for (const measure of ["cumulative-regret", "regret", "recall"]) assert.equal(await sweep.table(measure), cpsrl("table", "sweep", "-of", measure), measure);
  const { receipt, link } = sweep.receipt.value;
  assert.match(await sweep.table("regret"), new RegExp(`^# receipt ${receipt.engine}-${receipt.fingerprint}$`, "m"));

  // The document that is saved is the same sweep.
  writeFileSync(join(folder, "sweep.json"), plan.document);
  assert.equal(cpsrl("sweep", "sweep.json", "-list"), cpsrl("sweep", "-link", plan.link, "-list"));

  // Whoever opens the link with the receipt gets the same sweep, which meets it. Nothing runs by itself, and nothing is unknown.
  const again = await opened(link);
  await until(() => again.links.swept.value, "what the link says of a sweep");
  const { vary, receipt: expected } = again.links.swept.value;
  assert.deepEqual([vary, expected], [plan.vary, receipt]);
  assert.deepEqual([again.app.notices.value, again.app.run.value], [[], undefined]);
  await again.sweep.open(vary, expected);
  assert.deepEqual(again.sweep.rows.value, [{ key: "z", text: "2,3" }, { key: "false", text: "0,1,2" }]);
  await again.sweep.run();
  assert.deepEqual(again.sweep.receipt.value.receipt, again.sweep.expected.value);
});

test("a sweep that is stopped goes on; what was whole is not run again", async () => {
  const { sweep } = await opened(base);
  await sweep.open("seed=1,2,3");
  assert.deepEqual(sweep.rows.value[0], { key: "seed", text: "1,2,3" });
  await first(sweep);
  assert.equal(sweep.receipt.value, undefined, "no receipt of a part");
  const before = sweep.found.value.get(0);
  await sweep.run();
  assert.deepEqual(whole(sweep), [3, 3]);
  assert.equal(sweep.found.value.get(0), before);
  assert.notEqual(sweep.receipt.value, undefined);
});

test("the figure is drawn from what is there; measures that an agent lacks are absent", async () => {
  const { sweep } = await opened(base);
  await sweep.open("z=2,3");
  assert.equal(sweep.figure("cumulative-regret", { x: 0 }), undefined, "there is nothing to draw");
  await assert.rejects(sweep.table("cumulative-regret"), /^Error: There are no results of this measure\.$/);
  await first(sweep);
  /** @param {string} measure */
  const drawn = (measure) => page.engine_engine.drawSweep(sweep.figure(measure, { x: 0, inline: true }));
  const svg = await drawn("cumulative-regret");
  assert.match(svg, /Incomplete: 1 of 2 settings are not there/);
  assert.doesNotMatch(await drawn("recall"), />PSRL</); // which samples no graph
});

test("what a link varies beyond two rows stays as it is", async () => {
  const { links, sweep } = await opened(`${base}&vary=z=2,3;false=0~trust=.9`);
  await until(() => links.swept.value, "what the link varies");
  await sweep.open(links.swept.value.vary);
  assert.equal(sweep.beyond.value, "z=2,3;false=0~trust=.9");
  assert.deepEqual(
    sweep.plan.value.columns.map((/** @type {any} */ { name, entry }) => [name, entry]),
    [["sparseness", 0], ["prior.false", 1], ["prior.trust", 1]],
  );
  const { plan } = sweep;
  const before = plan.value;
  await sweep.open("z=2,3;false=0~trust=.9");
  assert.equal(plan.value, before, "someone who goes back finds it as it was");
  sweep.choose(0, { key: "z", text: "2" });
  assert.equal(sweep.beyond.value, undefined);
});

test("the last answer counts; nothing changes while a sweep runs", async () => {
  const { sweep } = await opened(base);
  const release = traffic.hold("/v1/sweep");
  sweep.choose(0, { key: "z", text: "2" });
  await until(() => sweep.planning.value, "the first question");
  await new Promise((asked) => setTimeout(asked, 50));
  sweep.choose(0, { key: "z", text: "3" });
  release();
  await until(() => sweep.plan.value, "the plan");
  assert.equal(sweep.plan.value.vary, "z=3");
  const run = sweep.run();
  sweep.choose(0, { key: "seed", text: "1" });
  await sweep.prepare();
  assert.equal(sweep.plan.value.vary, "z=3");
  await run;
  assert.deepEqual(whole(sweep), [1, 1]);
});

test("what cannot vary gets a sentence", async () => {
  const { sweep } = await opened(base);
  /** @param {string} key @param {string} text @param {RegExp} words */
  const refused = async (key, text, words) => {
    sweep.choose(0, { key, text });
    await until(() => sweep.fault.value, text);
    assert.match(sweep.fault.value, words);
    assert.equal(sweep.plan.value, undefined);
  };
  await refused("z", "2,,3", /^Z=: .+\.$/);
  await refused("z", "2,<b>", /^Z=<b>: .+\.$/);
  await refused("seed", Array.from({ length: 501 }, (_, k) => k).join(), /^The sweep has 501 settings; at most 500 are computed here, and the command cpsrl sweep computes more\.$/);
  await sweep.open("beauty=1");
  assert.match(sweep.fault.value, /^"beauty" is no field that can vary; /);
  await sweep.open("z=2;z=3");
  assert.match(sweep.fault.value, /^Sparseness varies twice\.$/);
  sweep.choose(1, { key: "", text: "" });
  sweep.choose(0, { key: "z", text: "1,2" });
  await until(() => sweep.plan.value, "the plan");
  const reasons = sweep.plan.value.settings.map((/** @type {any} */ { reason }) => reason);
  assert.match(reasons[0], /admits at most 1/);
  assert.equal(reasons[1], undefined);
});
