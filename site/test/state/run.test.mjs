// A run of the page: what is said while it goes on, and what may be done meanwhile.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start, Tab, traffic, until } from "./engine.mjs";
import { slowly, stand } from "./slow.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

/** Opens a link that does not run by itself. @param {string} link */
async function opened(link) {
  const tab = new Tab(link);
  tab.write(link, false, {});
  const it = await page.open(tab);
  it.held.value = true; // no run is played beside it
  return it;
}

test("no time is named before 5% are done, and the start of the workers does not count", async (t) => {
  const { app, runner } = await opened("v=1&domain=figure1&agents=psrl&episodes=100&runs=1");
  const clock = stand();
  t.after(() => clock.end());
  const engine = slowly(t);
  const run = runner.begin(true);
  await until(() => engine.waiting === 100, "the engine");
  clock.pass(40); // the workers start
  engine.more(1);
  assert.equal(app.status.value, "1%");
  clock.pass(20);
  engine.more(2);
  clock.pass(1);
  engine.more(1);
  assert.equal(app.status.value, "4%", "and not that it takes another ten minutes");
  engine.more(5);
  clock.pass(2);
  engine.more(1);
  assert.equal(app.status.value, "10% · about 4 min left"); // 9% in 23 s
  engine.more(90);
  await run;
  assert.match(app.status.value, /^Finished in/);
});

test("Stop gives a sign at once, and then says what is kept; a run and a sweep that end need no second press", async () => {
  const it = await opened("v=1&domain=figure1&agents=psrl&episodes=50&runs=400");
  const { app, runner, held } = it;
  const run = runner.begin(true);
  await until(() => runner.experiment?.share > 0, "the run");
  const stopped = runner.stop();
  assert.deepEqual([app.said.value, app.stopping.value, app.run.value], ["Stopping…", true, "running"]);
  runner.pause(true); // somebody leaves the page
  assert.equal(app.said.value, "Stopping…");
  runner.pause(false);
  await stopped;
  await run;
  assert.match(app.said.value, /^Stopped: (\d+ of 400 runs kept|no run was complete)\.$/);
  assert.equal(app.stopping.value, false);

  held.value = false;
  const sweep = new page.state_sweep.Sweeping(it);
  sweep.stop();
  assert.equal(sweep.stopping.value, false, "nothing runs");
  sweep.choose(0, { key: "seed", text: "5,6" });
  await until(() => sweep.plan.value, "the plan");
  const all = sweep.run();
  await until(() => sweep.at.value?.runs > 0, "the first setting");
  sweep.stop();
  assert.equal(sweep.stopping.value, true);
  await all;
  assert.deepEqual([sweep.stopping.value, sweep.running.value], [false, false]);
});

test("a receipt's run that is stopped before it begins is no longer said to be running", async (t) => {
  const tab = new Tab(`v=1&receipt=2-${"0".repeat(64)}&domain=figure1&agents=psrl&episodes=50&runs=2`);
  const again = () => it?.app.notices.value.some((/** @type {any} */ { text }) => /It is being run again to compare/.test(text));
  /** @type {(() => void)[]} */
  const held = [];
  t.after(() => (traffic.late = undefined));
  traffic.late = async () => void (again() && (await new Promise((resolve) => held.push(() => resolve(undefined))))); // the run waits for the parts that it needs
  /** @type {any} */
  let it;
  it = await page.open(tab);
  await until(again, "the notice");
  assert.equal(it.runner.experiment, undefined);
  const stopped = it.runner.stop();
  assert.deepEqual([it.app.run.value, again()], ["stopped", false]);
  for (const go of held) go();
  await stopped;
  assert.deepEqual([it.app.run.value, again()], ["stopped", false]);
});

test("a file that is opened during a run is refused in words, and changes nothing", async () => {
  const { app, runner, comparison } = await opened("v=1&domain=figure1&agents=psrl&episodes=50&runs=400");
  const run = runner.begin(true);
  await until(() => runner.experiment?.share > 0, "the run");
  const before = traffic.asked.length;
  const busy = () => app.notices.value.find((/** @type {any} */ { name }) => name === "busy")?.text;
  for (const file of [new File(['{"label":"ucrl","run":0,"episode":1,"return":1}\n'], "ucrl.jsonl"), new File(['{"format":"cpsrl/records"}\n'], "records.jsonl")]) {
    app.dismiss("busy");
    await comparison.read([file]);
    assert.equal(busy(), "Results cannot be opened while a run goes on. Open them once it has ended, or stop it.");
  }
  assert.deepEqual([comparison.foreign.value, comparison.result.value.source, comparison.running.value, app.run.value], [[], "run", true, "running"]);
  assert.ok(!traffic.asked.slice(before).some((path) => /foreign|strict/.test(path)));
  await runner.stop();
  await run;
  assert.equal(busy(), undefined);
});

test("Run that is pressed while what is cheap is starting by itself counts as pressed", async () => {
  const { app, runner } = await opened("v=1&domain=figure1&agents=psrl&episodes=99999&runs=1");
  const go = traffic.hold("/v1/check");
  traffic.meet = ((hold) => (message, send, answer) => message.path === "/v1/check" && (hold?.(message, send, answer) ?? false))(traffic.meet);
  app.edit(page.state_form.withValue(app.form.value, "/runs", "9999"));
  const itself = runner.begin(false);
  let begun = false;
  const pressed = runner.begin(true, () => void (begun = true));
  go();
  await until(() => begun, "the run, which is not cheap");
  assert.equal(app.checked.value.cost.autorun, false);
  await runner.stop();
  assert.deepEqual(await Promise.all([itself, pressed]), [true, true]);
});

test("Stop, and then Run, while what is kept and wrong is forgotten: the second run has its own curves and end", async () => {
  const { app, runner, comparison } = await opened("v=1&domain=figure1&agents=psrl&episodes=4&runs=3");
  const { keysOf } = page.engine_jobs;
  const distrust = runner.distrust.bind(runner);
  /** @type {() => void} */
  let forgotten = () => {};
  let asked = false;
  runner.distrust = async (/** @type {unknown[]} */ ...of) => {
    asked = true;
    await new Promise((resolve) => (forgotten = () => resolve(undefined)));
    return distrust(...of);
  };
  runner.keep(new Map(keysOf(app.checked.value.header.spec).map((/** @type {string} */ key) => [key, new Blob(["wrong"])])));
  const first = runner.begin(true);
  await until(() => asked, "what is kept is wrong");
  void runner.stop();
  assert.deepEqual([app.run.value, comparison.running.value, comparison.result.value], ["stopped", false, undefined]);
  runner.known = new Map();
  runner.pause(true);
  const second = runner.begin(true);
  await until(() => runner.experiment, "the second run");
  forgotten();
  await first;
  assert.deepEqual([app.run.value, comparison.running.value], ["running", true]);
  runner.pause(false);
  await second;
  assert.deepEqual([app.run.value, comparison.running.value, comparison.result.value.runs], ["finished", false, 3]);
});
