// Runs that last: what a browser keeps when the page is loaded anew. Oracle: the same runs in one page, and by hand.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Database } from "./database.mjs";
import { start, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
/** @type {Database} */
let database;
before(async () => (page = await start()));
after(() => page.stop());
beforeEach(() => void Object.assign(globalThis, { indexedDB: (database = new Database()) }));

const link = "v=1&domain=figure1&episodes=6&runs=3";

/** Opens a page that keeps its runs. @param {Tab} tab @param {any} limits */
async function opened(tab, limits = undefined) {
  const it = await page.open(tab);
  it.runner.store = () => page.state_stored.open(limits);
  return it;
}
/** A tab in which a link was opened before, which therefore does not run by itself. @param {string} link */
function visited(link) {
  const tab = new Tab(link);
  tab.write(link, false, {});
  return tab;
}
/** Loads a page anew. @param {string} of */
async function loaded(of, limits = undefined) {
  const tab = visited(of);
  const { heartOf } = page.state_playground;
  const it = heartOf(page.preset("fig2c"), tab, () => true);
  it.runner.store = () => page.state_stored.open(limits);
  it.held.value = true; // no run is played beside the results
  await it.begin(Promise.resolve());
  return it;
}
/** How many jobs have been computed. */
const computed = () => traffic.asked.filter((path) => path === "/v1/runs").length;
const ends = (/** @type {any} */ { curves }) => curves.map((/** @type {any} */ { agent, measure, mean }) => [agent, measure, mean.at(-1)]);

test("after a reload the runs of an experiment are there, with the same fingerprint and nothing computed", async () => {
  const first = await loaded(link);
  await first.runner.begin(true);
  const before = first.comparison.main.value;
  await first.runner.stored.value.settled();
  assert.ok(before.fingerprint);
  const asked = computed();

  const again = await loaded(link);
  await until(() => again.comparison.result.value, "the kept runs");
  const { fingerprint, runs, source } = again.comparison.main.value;
  assert.deepEqual([fingerprint, runs, source, computed()], [before.fingerprint, 3, "run", asked]);
  assert.deepEqual(ends(again.comparison.main.value), ends(before));
  assert.equal(await again.comparison.main.value.records.text(), await before.records.text(), "byte for byte");
  assert.equal(again.app.status.value, "Kept in this browser: 3 runs.");
  assert.deepEqual(again.links.auto.last.value.receipt, first.links.auto.last.value.receipt, "Share has their receipt");

  // Running the same again computes all of it anew, as before the reload.
  await again.runner.begin(true);
  assert.match(again.app.status.value, /^Finished in [^.]*\.$/);
  assert.ok(computed() > asked);
});

test("more runs and other agents extend what is kept; another seed is another experiment", async () => {
  const first = await loaded(link);
  await first.runner.begin(true);
  await first.runner.stored.value.settled();
  const more = await loaded(link.replace("runs=3", "runs=4"));
  await until(() => more.comparison.result.value, "three of four");
  assert.equal(more.app.status.value, "Kept in this browser: 3 of 4 runs.");
  await more.runner.begin(true);
  assert.match(more.app.status.value, /75% had been computed before\.$/);
  assert.equal(more.comparison.main.value.runs, 4);
  await more.runner.stored.value.settled();
  assert.deepEqual(more.runner.stored.value.held.value.experiments, 1);

  const whole = await page.open(visited(link.replace("runs=3", "runs=4")));
  await whole.runner.begin(true);
  assert.equal(more.comparison.main.value.fingerprint, whole.comparison.main.value.fingerprint, "as of one undisturbed run");

  const fewer = await loaded(`${link}&agents=psrl`.replace("runs=3", "runs=2"));
  await until(() => fewer.comparison.result.value, "a part of it");
  assert.deepEqual([fewer.comparison.main.value.runs, fewer.comparison.main.value.spec.agents], [2, ["psrl"]]);
  const other = await loaded(`${link}&seed=5`);
  await other.runner.begin(true);
  assert.doesNotMatch(other.app.status.value, /before/);
});

test("a run that is stopped, or whose page ends, goes on with what was not whole", async () => {
  const long = "v=1&domain=figure1&episodes=6&runs=4&agents=psrl";
  // The worker of run 2 does not answer.
  traffic.meet = ({ kind, ...message }) => kind === "input" && new TextDecoder().decode(/** @type {any} */ (message).bytes).includes('"firstRun":2}');
  const first = await loaded(long);
  const run = first.runner.begin(true);
  await until(() => database.stores.get("jobs")?.size === 3, "the other three are stored while the run goes on");
  assert.equal(first.app.run.value, "running");
  // The page is gone: nothing more is heard of it.
  traffic.meet = undefined;
  const again = await loaded(long);
  await until(() => again.comparison.result.value, "what was whole");
  assert.equal(again.app.status.value, "Kept in this browser: 2 of 4 runs.");
  await again.runner.begin(true);
  assert.match(again.app.status.value, / 75% had been computed before\.$/, "run 3, which had ended before run 2, is not lost");
  const undisturbed = await page.open(visited(long));
  await undisturbed.runner.begin(true);
  assert.equal(again.comparison.main.value.fingerprint, undisturbed.comparison.main.value.fingerprint);

  // In the page that was not gone, Stop loses nothing either.
  await first.runner.stop();
  await run;
  assert.equal(first.app.status.value, "Stopped: 2 of 4 runs kept.");
  first.runner.store = undefined;
  await first.runner.begin(true);
  assert.match(first.app.status.value, / 75% had been computed before\.$/);
});

test("records that an earlier experiment of the page computed are kept with the next one, too", async () => {
  const it = await loaded(link);
  await it.runner.begin(true);
  it.app.know({ edges: [] });
  await until(() => it.app.checked.value?.link.includes("prior=none"), "another prior");
  await it.runner.begin(true);
  assert.match(it.app.status.value, /66% had been computed before/, "the agents that are not told it");
  await it.runner.stored.value.settled();
  const again = await loaded(`${link}&prior=none`);
  await until(() => again.comparison.result.value, "all of it");
  assert.equal(again.comparison.main.value.fingerprint, it.comparison.main.value.fingerprint);
});

test("the experiment that was used longest ago goes first; Forget leaves nothing", async () => {
  const limits = { bytes: 1 << 20, experiments: 2 };
  /** @param {number} seed */
  const ran = async (seed) => {
    const it = await loaded(`${link}&seed=${seed}`, /** @type {any} */ (limits));
    await it.runner.begin(true);
    await it.runner.stored.value.settled();
    return it;
  };
  await ran(5);
  await ran(6);
  const used = await loaded(`${link}&seed=5`, /** @type {any} */ (limits));
  await until(() => used.comparison.result.value, "the first one, which is used again");
  const last = await ran(7);
  assert.equal(last.runner.stored.value.held.value.experiments, 2);
  const sizes = [...(database.stores.get("jobs")?.values() ?? [])].map(({ length }) => length);
  assert.equal(sizes.length, 2 * 9);
  assert.equal(last.runner.stored.value.held.value.bytes, sizes.reduce((a, b) => a + b));
  const gone = await loaded(`${link}&seed=6`, /** @type {any} */ (limits));
  const kept = await loaded(`${link}&seed=5`, /** @type {any} */ (limits));
  await until(() => kept.comparison.result.value, "it is still there");
  assert.equal(gone.comparison.result.value, undefined);

  await last.runner.forget();
  assert.deepEqual(last.runner.stored.value.held.value, { experiments: 0, bytes: 0 });
  assert.deepEqual([...database.stores.values()].map(({ size }) => size), [0, 0]);
  await last.runner.begin(true);
  assert.doesNotMatch(last.app.status.value, /before/);
});

test("an experiment that is too large is kept as far as there is room, and where the browser has no room, what is oldest goes", async () => {
  const it = await loaded(link, /** @type {any} */ ({ bytes: 3000, experiments: 9 }));
  await it.runner.begin(true);
  await it.runner.stored.value.settled();
  const { bytes } = it.runner.stored.value.held.value;
  assert.ok(bytes > 0 && bytes <= 3000, `${bytes} bytes`);
  assert.equal(it.comparison.main.value.runs, 3, "the run is whole");

  let refused = 0;
  database.full = (more) => more > 0 && refused++ === 0;
  const other = await loaded(`${link}&seed=5`);
  await other.runner.begin(true);
  await other.runner.stored.value.settled();
  assert.ok(refused > 1, "it has tried again");
  assert.equal(other.app.phase.value, "finished");
  database.full = (more) => more > 0;
  const none = await loaded(`${link}&seed=6`);
  await none.runner.begin(true);
  await none.runner.stored.value.settled();
  assert.deepEqual([none.app.phase.value, none.app.failure.value], ["finished", ""]);
});

test("what was stored and is no longer whole is computed again", async () => {
  const first = await loaded(link);
  await first.runner.begin(true);
  await first.runner.stored.value.settled();
  const jobs = database.stores.get("jobs") ?? new Map();
  const [torn, strange] = [...jobs.keys()].sort().slice(1);
  jobs.set(torn, jobs.get(torn).slice(1));
  jobs.set(strange, "records");
  const again = await loaded(link);
  await again.runner.begin(true);
  assert.match(again.app.status.value, /77% had been computed before\.$/);
  assert.equal(again.comparison.main.value.fingerprint, first.comparison.main.value.fingerprint);
});

test("a link with a receipt is met by a run, not by what is kept; a page without storage keeps nothing and says nothing", async () => {
  const first = await loaded(link);
  await first.runner.begin(true);
  await first.runner.stored.value.settled();
  const { receipt, spec } = first.links.auto.last.value;
  const again = await loaded(await first.links.of(spec, receipt));
  await again.runner.begin(true);
  assert.match(again.app.status.value, /^Finished in [^.]*\.$/, "all of it computed");

  Object.assign(globalThis, { indexedDB: { open: () => { throw new Error("the operation is insecure"); } } });
  const bare = await opened(visited(link));
  await bare.runner.begin(true);
  assert.deepEqual([bare.app.phase.value, bare.app.failure.value, bare.app.notices.value.length, bare.runner.stored.value], ["finished", "", 0, undefined]);
});
