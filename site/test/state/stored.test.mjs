// Runs that last: what a browser keeps when the page is loaded anew. Oracle: the same runs in one page, and by hand.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Database } from "./database.mjs";
import { start, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
/** @type {Database} */
let database;
before(async () => (page = await start()));
afterEach(() => page.leave());
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
const loaded = (of, limits = undefined) =>
  page.open(visited(of), undefined, undefined, (/** @type {any} */ it) => {
    it.runner.store = () => page.state_stored.open(limits);
    it.held.value = true; // no run is played beside the results
  });
/** How often kept runs were read. */
const summaries = () => traffic.asked.filter((path) => path === "/v1/summary?strict=true").length;
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

/** Makes new pages that keep their runs, without what they would recall. @param {string} of */
async function unrecalled(of) {
  const it = await page.open(visited(of), undefined, undefined, (/** @type {any} */ it) => void (it.held.value = true));
  it.runner.store = () => page.state_stored.open();
  return it;
}
/** Runs a link and waits until its runs are stored. @param {string} of */
async function kept(of) {
  const it = await loaded(of);
  await it.runner.begin(true);
  await it.runner.stored.value.settled();
  return it;
}
const jobs = () => /** @type {Map<string, Uint8Array>} */ (database.stores.get("jobs") ?? new Map());
const sha256 = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");
/** Changes what is stored, of each job or of some, with or without its digest. @param {(text: string, k: number) => string} change */
function tamper(change, { digests = false } = {}) {
  for (const [k, key] of [...jobs().keys()].sort().entries()) {
    const text = new TextDecoder().decode(jobs().get(key));
    const bytes = new TextEncoder().encode(change(text, k));
    jobs().set(key, bytes);
    const [name = ""] = key.split(" ");
    const entry = database.stores.get("experiments")?.get(name);
    if (!digests) continue;
    entry.jobs.set(key.slice(name.length + 1), bytes.length);
    entry.digests.set(key.slice(name.length + 1), sha256(bytes));
  }
}
const notice = (/** @type {any} */ { app }, /** @type {string} */ name) => app.notices.value.find((/** @type {any} */ of) => of.name === name)?.text;

test("each job has the SHA-256 of its records; one changed digit, and it is computed again and replaced", async () => {
  const { comparison } = await kept(link);
  const { fingerprint } = comparison.main.value;
  const [{ digests }] = [...(database.stores.get("experiments")?.values() ?? [])];
  for (const [key, bytes] of jobs()) assert.equal(digests.get(key.slice(key.indexOf(" ") + 1)), sha256(bytes), key);
  const before = new Map(jobs());

  tamper((text, k) => (k === 4 ? text.replace(/"return":\d/, (of) => `${of.slice(0, -1)}${(Number(of.at(-1)) + 1) % 10}`) : text));
  assert.notDeepEqual(jobs(), before);
  const again = await loaded(link);
  await until(() => again.comparison.result.value, "the run that is right");
  assert.equal(again.app.status.value, "Kept in this browser: 1 of 3 runs.");
  await until(() => jobs().size === 8, "the wrong one is deleted");
  await again.runner.begin(true);
  assert.match(again.app.status.value, / 88% had been computed before\.$/);
  assert.equal(again.comparison.main.value.fingerprint, fingerprint);
  await again.runner.stored.value.settled();
  assert.deepEqual(jobs(), before);
  const last = await loaded(link);
  await until(() => last.comparison.result.value?.runs === 3, "all is kept again");
  assert.equal(last.comparison.main.value.fingerprint, fingerprint);
});

for (const [what, change] of /** @type {const} */ ([
  ["no JSON", (/** @type {string} */ text) => text.replace("{", "|")],
  ["of another agent", (/** @type {string} */ text) => text.replaceAll(/"agent":"[^"]*"/g, '"agent":"psrl"')],
  ["not all of a job", (/** @type {string} */ text) => text.slice(0, text.indexOf("\n") + 1)],
  ["nothing but a line end", () => "\n"],
])) {
  test(`stored records that are ${what}, with a digest that says they are right, are forgotten and computed`, async () => {
    const { comparison } = await kept(link);
    const { fingerprint } = comparison.main.value;
    /** @param {any} it */
    const right = async (it) => {
      await it.runner.begin(true);
      assert.deepEqual([it.app.phase.value, it.app.failure.value, it.comparison.main.value.runs, it.comparison.main.value.fingerprint], ["finished", "", 3, fingerprint]);
      await it.runner.stored.value.settled();
    };
    const stored = new Map(jobs());
    tamper(change, { digests: true });
    await right(await unrecalled(link));
    assert.deepEqual(jobs(), stored, "replaced");
    tamper((text, k) => (k === 8 ? change(text) : text), { digests: true });
    await right(await unrecalled(link));
    tamper(change, { digests: true });
    const again = await loaded(link);
    await until(() => jobs().size === 0, "what the engine does not read is deleted");
    assert.equal(again.comparison.result.value, undefined);
    await right(again);

    tamper(change, { digests: true });
    const { held, ...rest } = await unrecalled(link);
    const sweep = new page.state_sweep.Sweeping({ held, ...rest });
    held.value = false; // or the sweep pauses
    sweep.choose(0, { key: "seed", text: "1" });
    await until(() => sweep.plan.value, "the plan");
    await sweep.run();
    assert.deepEqual([[...sweep.failed.value], [...sweep.found.value.values()].map((/** @type {any} */ found) => found.fingerprint)], [[], [fingerprint]]);
  });
}

test("entries without digests, as earlier versions of the page wrote them, and strange ones are not believed", async () => {
  await kept(link);
  const experiments = () => /** @type {Map<string, any>} */ (database.stores.get("experiments"));
  const [[name, entry] = []] = [...experiments()];
  const strange = [7, null, { jobs: 5, used: 1 }, { jobs: new Map([[3, "x"]]), digests: new Map(), used: 1 }, { ...entry, used: "now" }, { jobs: entry.jobs, used: 4 }];
  for (const value of strange) {
    experiments().set(name ?? "", structuredClone(value));
    const it = await loaded(link);
    await it.runner.begin(true);
    assert.equal(it.app.phase.value, "finished");
    assert.equal(it.comparison.main.value.runs, 3);
    await it.runner.stored.value.settled();
    const again = await loaded(link);
    await until(() => again.comparison.result.value?.runs === 3, "they are kept");
    assert.equal(again.runner.stored.value.held.value.experiments, 1);
  }
  experiments().set("old", { jobs: entry.jobs, used: 4 });
  for (const job of entry.jobs.keys()) jobs().set(`old ${job}`, new Uint8Array(9));
  await page.state_stored.open();
  await until(() => !experiments().has("old") && jobs().size === 9, "they are deleted");
});

test("what one version of the engine has computed is nothing that another knows", async () => {
  const it = await kept(link);
  const { stored, app } = { stored: it.runner.stored.value, app: it.app };
  const { header } = app.checked.value;
  assert.equal((await stored.of(header)).size, 9);
  assert.equal((await stored.of({ ...header, engine: header.engine + 1 })).size, 0);
});

test("a job counts once, however often it is added", async () => {
  const whole = await kept(link.replace("runs=3", "runs=4"));
  const { bytes } = whole.runner.stored.value.held.value;
  database.stores.clear();
  const limits = /** @type {any} */ ({ bytes, experiments: 9 });
  const three = await loaded(link, limits);
  await three.runner.begin(true);
  await three.runner.stored.value.settled();
  const { held } = three.runner.stored.value;
  const before = held.value;
  await three.runner.begin(true); // anew
  await three.runner.stored.value.settled();
  assert.deepEqual(held.value, before);
  const four = await loaded(link.replace("runs=3", "runs=4"), limits);
  await four.runner.begin(true);
  await four.runner.stored.value.settled();
  assert.deepEqual(four.runner.stored.value.held.value, { experiments: 1, bytes }, "there is room for all of it");

  // Other records of a job take the place of those that are there, and their room.
  const { header } = four.app.checked.value;
  const [job] = page.engine_jobs.jobsOf(header.spec);
  const key = [...jobs().keys()].find((name) => name.endsWith(` 0 ${job.agents[0]}`)) ?? "";
  const other = Uint8Array.from(jobs().get(key) ?? [], () => 32);
  four.runner.stored.value.add(header, job, [other]);
  await four.runner.stored.value.settled();
  assert.deepEqual([four.runner.stored.value.held.value, jobs().get(key)], [{ experiments: 1, bytes }, other]);
});

test("runs are recalled as far as all agents have them", async () => {
  await kept(link);
  const second = [...jobs().keys()].filter((key) => / 1 /.test(key)).sort();
  assert.equal(second.length, 3);
  jobs().delete(second[1] ?? "");
  const again = await loaded(link);
  await until(() => again.comparison.result.value, "what is whole");
  assert.deepEqual([again.comparison.main.value.runs, again.app.status.value], [1, "Kept in this browser: 1 of 3 runs."]);
});

test("Forget also forgets what waits to be stored", async () => {
  const it = await kept(link);
  const stored = it.runner.stored.value;
  const { header } = it.app.checked.value;
  const [job] = page.engine_jobs.jobsOf(header.spec);
  stored.add(header, job, [new Uint8Array([10])]);
  stored.add({ ...header }, job, [new Uint8Array([10])]);
  await stored.forget();
  await stored.settled();
  assert.deepEqual([[...database.stores.values()].map(({ size }) => size), stored.held.value.experiments], [[0, 0], 0]);
});

test("tabs hear of each other’s runs, and of Forget", async () => {
  const [first, second] = [await loaded(link), await loaded(`${link}&seed=5`)];
  await second.runner.storing();
  await first.runner.begin(true);
  await first.runner.stored.value.settled();
  await until(() => second.runner.stored.value.held.value.experiments === 1, "the other tab counts them");
  await first.runner.begin(true);
  assert.ok(first.runner.known.size > 0);
  await second.runner.forget();
  await until(() => first.runner.stored.value.held.value.experiments === 0, "the first tab counts none");
  assert.equal(first.runner.known.size, 0);
  first.runner.stored.value.listen(false);
  await second.runner.begin(true);
  await second.runner.stored.value.settled();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(first.runner.stored.value.held.value.experiments, 0, "it rests");
});

for (const [mood, words] of /** @type {const} */ ([
  ["mute", /does not answer/],
  ["mute when open", /does not answer/],
  ["blocked", /does not answer/],
  ["failing", /the profile is damaged/],
  ["closed", /the connection is closing/],
  ["no put", /storage is full/],
])) {
  test(`a store that is ${mood} holds no run and no sweep; the page says once that runs are not kept, and keeps them when it answers`, async () => {
    database.mood = mood;
    const it = await loaded(link);
    await it.runner.begin(true);
    assert.deepEqual([it.app.phase.value, it.app.failure.value, it.comparison.main.value.runs], ["finished", "", 3]);
    await until(() => notice(it, "unkept"), "the page says so");
    assert.match(notice(it, "unkept"), words);
    it.app.dismiss("unkept");
    it.app.know({ edges: [] });
    await until(() => it.app.checked.value?.link.includes("prior=none"), "another prior");
    await it.runner.begin(true);
    assert.equal(it.app.phase.value, "finished");
    const sweep = new page.state_sweep.Sweeping(it);
    it.held.value = false; // or the sweep pauses
    sweep.choose(0, { key: "seed", text: "5,6" });
    await until(() => sweep.plan.value, "the plan");
    await sweep.run();
    assert.equal(sweep.count.value.finished, 2);
    assert.equal(notice(it, "unkept"), undefined, "once");
    await it.runner.forget();
    if (mood !== "no put") assert.match(it.app.failure.value, /^The runs kept in this browser could not be deleted: /);

    database.wake();
    it.app.know({ edges: [["X1", "X1"]] });
    await until(() => it.app.checked.value?.link.includes("prior=X1"), "another prior");
    await it.runner.begin(true);
    await until(() => (it.runner.stored.value?.held.value.experiments ?? 0) > 0, "it is kept");
    assert.equal(it.runner.stored.value.fault.value, "");
    await it.runner.stored.value.settled();
    it.leave();
  });
}

test("a store that answers late keeps what waited, shows the runs that it has, and takes the word back", async () => {
  const first = await kept(link);
  const { fingerprint } = first.comparison.main.value;
  database.mood = "mute";
  const late = await loaded(link);
  const it = await loaded(`${link}&seed=5`);
  await it.runner.begin(true);
  await until(() => notice(it, "unkept"), "the page says so");
  assert.equal(late.comparison.result.value, undefined);
  database.wake();
  await until(() => late.comparison.result.value, "the kept runs");
  assert.equal(late.comparison.main.value.fingerprint, fingerprint);
  await it.runner.stored.value.settled();
  assert.deepEqual([jobs().size, notice(it, "unkept"), it.runner.stored.value.held.value.experiments], [18, undefined, 2]);
});

test("of two links that were opened before the store has answered, the last one has its kept runs", async () => {
  const { fingerprint } = (await kept(link)).comparison.main.value;
  await kept(`${link}&seed=5`);
  database.mood = "mute";
  const it = await loaded(`${link}&seed=5`);
  await it.links.open(link, false);
  database.wake();
  await until(() => it.comparison.result.value, "the kept runs");
  assert.deepEqual([it.comparison.result.value.fingerprint, it.comparison.result.value.spec.seed, it.app.status.value], [fingerprint, it.app.spec.value.seed, "Kept in this browser: 3 runs."]);
  await it.links.open(`${link}&seed=5`, false);
  await until(() => it.comparison.result.value?.spec.seed === 5, "and back");
});

test("kept runs are shown although a run was begun and stopped, or a file that is none was opened, before the store has answered", async () => {
  const { fingerprint } = (await kept(link)).comparison.main.value;
  /** @param {(it: any) => Promise<unknown>} act */
  const after = async (act) => {
    database.mood = "mute";
    const it = await loaded(link);
    await act(it);
    assert.equal(it.comparison.result.value, undefined);
    database.wake();
    await until(() => it.comparison.result.value, "the kept runs");
    assert.deepEqual([it.comparison.result.value.fingerprint, it.app.status.value], [fingerprint, "Kept in this browser: 3 runs."]);
    assert.deepEqual([it.app.run.value === "running", it.comparison.running.value], [false, false]);
    it.leave();
  };
  await after(async ({ runner }) => {
    const run = runner.begin(true);
    await runner.stop(); // before it has begun
    await run;
  });
  await after(async ({ runner }) => {
    runner.pause(true);
    const run = runner.begin(true);
    await until(() => runner.experiment, "the run");
    await runner.stop();
    await run;
  });
  await after(({ comparison }) => comparison.read([new File(['{"format":"cpsrl/records"}\n'], "records.jsonl")]));

  // A run that ends is what was asked for last.
  database.mood = "mute";
  const it = await loaded(link);
  await it.runner.begin(true);
  database.wake();
  await it.runner.stored.value.settled();
  assert.match(it.app.status.value, /^Finished in/);
});

test("a playground that is left before the store has answered reads no kept runs", async () => {
  await kept(link);
  database.mood = "mute";
  const [left, other] = [await loaded(link), await loaded(link)];
  left.leave();
  const asked = summaries();
  database.wake();
  await until(() => other.comparison.result.value, "the kept runs");
  assert.deepEqual([left.comparison.result.value, summaries()], [undefined, asked + 1]);
});

test("what is forgotten before the store has answered is not shown", async () => {
  await kept(link);
  database.mood = "mute";
  const [it, other] = [await loaded(link), await loaded(link)];
  await until(() => it.runner.stored.value && other.runner.stored.value, "the stores");
  const forgotten = it.runner.forget();
  database.wake();
  await forgotten;
  await it.runner.forget();
  await until(() => jobs().size === 0, "nothing is kept");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual([it.comparison.result.value, other.comparison.result.value, it.runner.known.size, other.runner.known.size], [undefined, undefined, 0, 0]);
});

test("a store that fails for a while, as one does that the page before has left in haste, still shows what it keeps", async () => {
  const { fingerprint } = (await kept(link)).comparison.main.value;
  for (const mood of /** @type {const} */ (["failing", "closed"])) {
    database.mood = mood;
    const it = await loaded(link);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(it.comparison.result.value, undefined);
    database.wake();
    await until(() => it.comparison.result.value, "the kept runs");
    assert.deepEqual([it.comparison.result.value.fingerprint, it.app.failure.value], [fingerprint, ""]);
  }
});

test("a page that is loaded anew after an edit has its preset’s figure beside the kept runs", async () => {
  const tab = new Tab("");
  const first = await opened(tab);
  first.app.edit(page.state_form.withValue(first.app.form.value, "/episodes", "6"));
  first.app.edit(page.state_form.withValue(first.app.form.value, "/runs", "2"));
  await until(() => tab.link.includes("episodes=6") && tab.link.includes("runs=2"), "the edits");
  await first.runner.begin(true);
  await first.runner.stored.value.settled();
  first.leave();
  const it = await page.open(tab, undefined, undefined, (/** @type {any} */ it) => void (it.runner.store = () => page.state_stored.open()));
  await until(() => it.comparison.result.value && it.comparison.figure.value, "both");
  assert.deepEqual([it.app.status.value, it.app.opened.value, it.app.form.value.base.episodes], ["Kept in this browser: 2 runs.", 1, 400]);
  it.leave();
});

test("while a store is mute, nobody waits twice", async () => {
  const { Database: Base, Silent } = page.state_database;
  database.mood = "mute";
  const base = new Base("cpsrl", ["experiments", "jobs"]);
  const look = () => base.change("readonly", async () => 1);
  await assert.rejects(look(), Silent);
  const began = performance.now();
  for (let k = 0; k < 100; k++) await assert.rejects(look(), Silent);
  assert.ok(performance.now() - began < 1000, "less than one more patience");
  database.wake();
  await base.answers();
  assert.equal(await look(), 1);

  // Where another tab blocks it, nobody waits at all.
  database.mood = "blocked";
  const blocked = new Base("cpsrl", ["experiments", "jobs"]);
  await assert.rejects(blocked.change("readonly", async () => 1, 600_000), Silent);
  database.wake();
  await blocked.answers();
});

test("a change that cannot be made is not made in part", async () => {
  const base = new page.state_database.Database("cpsrl", ["experiments", "jobs"]);
  const change = base.change("readwrite", async (/** @type {any} */ [experiments, records]) => {
    experiments.put(1, "a");
    throw new Error(`${records ? "no" : ""} more`);
  });
  await assert.rejects(change, /^Error: no more$/);
  assert.equal(await base.change("readonly", async (/** @type {any} */ [experiments], /** @type {any} */ ask) => ask(experiments.get("a"))), undefined);
});

test("the problem that the browser has kept is offered, judged by the engine, and never holds the page", async () => {
  const spec = page.preset("fig1").spec;
  database.mood = "mute";
  const it = await page.open();
  page.large.large(it); // which resolves to nothing, so nothing can wait for it
  database.wake();
  const problems = () => /** @type {Map<string, any>} */ (database.stores.get("problems"));
  await until(problems, "the database");
  const offer = () => it.app.notices.value.find((/** @type {any} */ { name }) => name === "kept");
  for (const kept of [7, "text", null]) {
    problems().set("last", kept);
    page.large.large(it);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(offer(), undefined);
  }
  for (const kept of [{}, [], { domain: null }, { domain: { model: null } }, { domain: { model: { name: 7 } } }, { ...spec, agents: 7 }, { ...spec, domain: { name: "model", model: { name: "Tea", state: [] } } }]) {
    problems().set("last", kept);
    page.large.large(it);
    await until(offer, "the offer");
    const before = it.app.spec.value;
    offer().actions[0].act();
    await until(() => /cannot be opened/.test(offer()?.text), "the engine’s reason");
    assert.equal(it.app.spec.value, before);
    it.app.dismiss("kept");
  }
  problems().set("last", { ...spec, episodes: 7 });
  page.large.large(it);
  await until(offer, "the offer");
  offer().actions[0].act();
  await until(() => it.app.spec.value.episodes === 7 && it.app.checked.value?.header.spec === it.app.spec.value, "it is shown");
  it.app.dismiss("kept");
  page.large.large(it);
  await until(offer, "the offer");
  offer().actions[1].act();
  await until(() => database.stores.get("problems")?.size === 0, "it is forgotten");
});
