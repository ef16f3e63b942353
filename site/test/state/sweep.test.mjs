// Sweeps in the page. Oracle: the command `cpsrl sweep` with the link that the page gives, and its table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { start, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
const folder = mkdtempSync(join(tmpdir(), "cpsrl-sweep-"));
before(async () => (page = await start()));
afterEach(() => page.leave());
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

/** Runs a sweep until its first setting is finished. @param {any} sweep */
async function first(sweep) {
  const end = page.signals.effect(() => void (sweep.count.value.finished > 0 && sweep.stop()));
  await sweep.run();
  end();
  assert.deepEqual([sweep.count.value.finished, sweep.fault.value], [1, ""]);
}

/** Chooses values in the first row, and waits for the plan. @param {any} sweep @param {string} key @param {string} text */
async function chosen(sweep, key, text) {
  sweep.choose(0, { key, text });
  await until(() => sweep.plan.value, `${key}=${text}`);
}

/** Changes a field of the page. @param {any} app @param {string} pointer @param {string} text */
const set = async (app, pointer, text) => {
  app.edit(page.state_form.withValue(app.form.value, pointer, text), 0, pointer);
  assert.ok(await app.check(), `${pointer} is accepted`);
};

/** The requests for records. */
const runs = () => traffic.asked.filter((path) => path === "/v1/runs").length;

test("two fields are crossed; the table, the receipt and the refusals are those of the command with the sweep's link", async () => {
  const { sweep } = await opened(base);
  sweep.choose(0, { key: "z", text: "2, 3" });
  sweep.choose(1, { key: "false", text: " 0,1,2" });
  await until(() => sweep.plan.value, "the plan");
  const plan = sweep.plan.value;
  assert.deepEqual([plan.vary, plan.settings.length, plan.columns.length], ["z=2,3;false=0,1,2", 6, 2]);
  assert.ok(plan.seconds > 0);
  assert.match(plan.link, /&vary=z=2,3;false=0,1,2&/);
  assert.equal(plan.command, `cpsrl sweep -link '${plan.link}' -o sweep`);
  await sweep.run();
  assert.deepEqual([sweep.fault.value, sweep.running.value, sweep.share.value], ["", false, undefined]);

  cpsrl("sweep", "-link", plan.link, "-o", "sweep");
  const manifest = JSON.parse(readFileSync(join(folder, "sweep/shard-0.json"), "utf8"));
  const refused = plan.settings.filter((/** @type {any} */ { reason }) => reason !== undefined);
  assert.deepEqual(
    refused.map((/** @type {any} */ { values, reason }) => [values, reason]),
    manifest.impossible.map((/** @type {any} */ { setting, reason }) => [setting, reason.replace(/^\/\S+: /, "")]),
  );
  assert.ok(refused.length > 0 && manifest.settings.length > 0);
  assert.equal(sweep.count.value.finished, manifest.settings.length);
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
  await again.sweep.open(again.links.swept.value);
  assert.deepEqual(again.sweep.rows.value, [{ key: "z", text: "2,3" }, { key: "false", text: "0,1,2" }]);
  await again.sweep.run();
  assert.deepEqual([again.sweep.receipt.value.receipt, again.sweep.expected.value], [receipt, receipt]);

  // The sweep belongs to its link: an edit leaves it behind, and its receipt says nothing about another sweep.
  assert.equal(again.tab.link, link);
  await set(again.app, "/seed", "77");
  await again.links.following;
  assert.doesNotMatch(again.tab.link, /vary|swept/);
  assert.equal(again.sweep.apart.value, true);
  await again.sweep.prepare();
  assert.deepEqual([again.sweep.expected.value, again.sweep.receipt.value, again.sweep.apart.value], [undefined, undefined, false]);
  again.tab.go(-1);
  await until(() => again.app.notices.value.some((/** @type {any} */ { name }) => name === "sweep"), "Back offers the sweep");
  const before = again.links.swept.value;
  again.app.notices.value.find((/** @type {any} */ { name }) => name === "sweep").actions[0].act();
  assert.notEqual(again.links.swept.value, before);
  await again.sweep.open(again.links.swept.value);
  await until(() => again.sweep.receipt.value, "what was found is still known, and is signed again");
  assert.deepEqual([again.sweep.expected.value, again.sweep.count.value.finished], [receipt, sweep.count.value.finished]);
});

test("a sweep that is stopped goes on; what was finished is not run again, also with another list", async () => {
  const { sweep } = await opened(base);
  await chosen(sweep, "seed", "1,2,3,");
  assert.equal(sweep.plan.value.vary, "seed=1,2,3");
  await first(sweep);
  assert.equal(sweep.receipt.value, undefined, "no receipt of a part");
  const [{ id }] = sweep.plan.value.settings;
  const before = sweep.found.value.get(id);
  await sweep.run();
  assert.deepEqual([sweep.count.value, sweep.found.value.get(id) === before], [{ possible: 3, finished: 3 }, true]);
  assert.notEqual(sweep.receipt.value, undefined);
  await chosen(sweep, "seed", "3,1");
  assert.deepEqual(sweep.count.value, { possible: 2, finished: 2 });
  await until(() => sweep.receipt.value, "all of it was found before");
  await chosen(sweep, "seed", "3,4");
  assert.deepEqual([sweep.count.value, sweep.receipt.value], [{ possible: 2, finished: 1 }, undefined]);
});

test("a sweep that has not begun has the settings of the page; one that has begun keeps its own", async () => {
  const { sweep, app } = await opened(base);
  await chosen(sweep, "z", "2,3");
  await set(app, "/episodes", "7");
  assert.equal(sweep.apart.value, true);
  await sweep.show();
  assert.deepEqual([sweep.plan.value.spec.episodes, sweep.apart.value], [7, false]);
  await first(sweep);
  await set(app, "/episodes", "8");
  await sweep.show();
  assert.deepEqual([sweep.plan.value.spec.episodes, sweep.apart.value], [7, true]);
  await sweep.run();
  assert.equal(sweep.count.value.finished, 2);
  await set(app, "/episodes", "7");
  assert.equal(sweep.apart.value, false, "equal settings are the same");
});

test("a setting that fails does not keep the others from running, and is tried again", async () => {
  const { sweep } = await opened(base);
  await chosen(sweep, "seed", "1,2,3");
  traffic.fail("/v1/runs", "out of memory");
  await sweep.run();
  assert.deepEqual([[...sweep.failed.value.values()], sweep.count.value.finished, sweep.fault.value], [["Out of memory."], 2, ""]);
  await sweep.run();
  assert.deepEqual([sweep.failed.value.size, sweep.count.value.finished], [0, 3]);
});

test("a sweep starts from the data of its experiment, and η replaces listed edges", async () => {
  const { sweep, app } = await opened(base);
  app.know({ edges: [["X1", "X1"]] });
  await until(() => app.checked.value?.header.spec.prior?.edges, "the edges");
  await chosen(sweep, "eta", "0,1");
  assert.deepEqual(sweep.count.value.possible, 2);
});

test("a run of the page goes first, and nothing runs on in a playground that is left", async () => {
  const { sweep, runner, app, leave } = await opened(base);
  await chosen(sweep, "runs", "300,301");
  assert.deepEqual(sweep.plan.value.settings.map((/** @type {any} */ setting) => setting.runs), [300, 301]);
  const run = sweep.run();
  await until(() => sweep.at.value, "the first setting");
  await runner.begin(true);
  await until(() => app.run.value === "finished", "the run of the page");
  leave();
  await run;
  assert.ok(sweep.count.value.finished < 2);
  const before = runs();
  await sweep.run();
  await sweep.prepare();
  await sweep.open({ vary: "z=2" });
  assert.deepEqual([runs(), sweep.running.value], [before, false]);
});

test("the figure is drawn from what is there; measures that an agent lacks are absent", async () => {
  const { sweep } = await opened(base);
  await sweep.open({ vary: "z=2,3" });
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
  await sweep.open(links.swept.value);
  assert.equal(sweep.beyond.value, "z=2,3;false=0~trust=.9");
  assert.deepEqual(
    sweep.plan.value.columns.map((/** @type {any} */ { name, entry }) => [name, entry]),
    [["sparseness", 0], ["prior.false", 1], ["prior.trust", 1]],
  );
  sweep.choose(0, { key: "z", text: "2" });
  assert.equal(sweep.beyond.value, undefined);
});

test("where sweeps are not shown, their link opens the experiment, which runs by itself", async () => {
  const it = page.state_playground.heartOf(page.preset("fig2c"), new Tab(`${base}&vary=junk`), () => true);
  await it.begin(Promise.resolve());
  await until(() => it.app.run.value === "finished", "the run");
  assert.equal(it.links.swept.value, undefined);
  assert.match(it.app.notices.value[0].text, /^This link is of a sweep, which the C-PSRL playground runs\./);
  it.leave();
});

test("the last answer counts; nothing changes while a sweep runs", async () => {
  const { sweep } = await opened(base);
  const release = traffic.hold("/v1/sweep");
  const asked = () => traffic.asked.filter((path) => path === "/v1/sweep").length;
  const before = asked();
  sweep.choose(0, { key: "z", text: "2" });
  await until(() => asked() > before, "the first question");
  sweep.choose(0, { key: "z", text: "3" });
  release();
  await until(() => sweep.plan.value, "the plan");
  assert.equal(sweep.plan.value.vary, "z=3");
  const run = sweep.run();
  sweep.choose(0, { key: "seed", text: "1" });
  await sweep.prepare();
  await sweep.open({ vary: "seed=1" });
  assert.equal(sweep.fault.value, "A sweep is running. Stop it, and open the link again.");
  assert.equal(sweep.plan.value.vary, "z=3");
  await run;
  assert.deepEqual(sweep.count.value, { possible: 1, finished: 1 });
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
  await sweep.open({ vary: "beauty=1" });
  assert.match(sweep.fault.value, /^"beauty" is no field that can vary; /);
  await sweep.open({ vary: "z=2;z=3" });
  assert.match(sweep.fault.value, /^Sparseness varies twice\.$/);
  sweep.choose(1, { key: "", text: "" });
  sweep.choose(0, { key: "z", text: "1,2" });
  await until(() => sweep.plan.value, "the plan");
  const reasons = sweep.plan.value.settings.map((/** @type {any} */ { reason }) => reason);
  assert.match(reasons[0], /admits at most 1/);
  assert.equal(reasons[1], undefined);
});

test("a sweep rests while nobody sees the playground, or its host has paused it, and goes on afterwards", async () => {
  const { sweep, held } = await opened(base.replace("runs=3", "runs=400"));
  await chosen(sweep, "seed", "1,2");
  const run = sweep.run();
  await until(() => sweep.at.value?.runs > 0, "the first setting");
  held.value = true;
  let rested = -1;
  while (sweep.at.value.runs !== rested) { // what was on its way arrives
    rested = sweep.at.value.runs;
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  assert.deepEqual([sweep.at.value.runs, sweep.count.value.finished, sweep.running.value], [rested, 0, true]);
  held.value = false;
  await until(() => sweep.count.value.finished > 0 || sweep.at.value?.runs > rested, "it goes on");
  sweep.stop();
  await run;
});
