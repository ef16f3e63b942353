// The watched run after an edit: when it is played anew, and what is shown of it.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start, traffic, until } from "./engine.mjs";
import { slowly, stand } from "./slow.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

const opened = (preset = "fig1-quick") => page.open(undefined, preset);

/** What was asked for that plays a run. */
const films = () => traffic.asked.filter((path) => /^\/v1\/(play|film)\b/.test(path));
/** @param {any} app @param {string} pointer @param {string} text */
const set = async (app, pointer, text) => {
  app.edit(page.state_form.withValue(app.form.value, pointer, text), 0, pointer);
  await until(() => app.checked.value?.header.spec === app.spec.value, `${pointer} is accepted`);
};
/** The last value of a measure in a result. @param {any} result @param {string} measure */
const end = (result, measure) => result?.curves.find((/** @type {any} */ curve) => curve.measure === measure)?.mean.at(-1);

test("a preset needs no run; an edit of the prior plays the watched run, once", async () => {
  const { app, preview } = await opened();
  assert.deepEqual([preview.subject.value, preview.film.value, preview.beside.value, films().length], [undefined, undefined, undefined, 0]);
  const asked = traffic.asked.length;
  app.know({ edges: [] });
  await until(() => preview.film.value?.frames.at(-1)?.episode === app.spec.value.episodes, "the whole film");
  await until(() => preview.beside.value?.runs === 1, "the whole run");
  const { spec, curves } = preview.beside.value;
  assert.deepEqual([spec.runs, spec.agents, spec.episodes, films().length], [1, ["c-psrl"], app.spec.value.episodes, 1]);
  assert.equal(curves.find((/** @type {any} */ curve) => curve.measure === "recall").mean.length, spec.episodes);
  assert.deepEqual(traffic.asked.slice(asked).filter((path) => path !== "/v1/check"), ["/v1/play?run=0&agent=c-psrl"], "an edit starts one instance");
  // What cannot change this run leaves it as it is.
  const [film, result] = [preview.film.value, preview.result.value];
  await set(app, "/runs", "7");
  assert.deepEqual([preview.film.value === film, preview.result.value === result, films().length], [true, true, 1]);
});

test("the curve is that of the run that Run would play, which then need not be computed again", async () => {
  const { app, preview, runner, comparison } = await opened();
  app.know({ edges: [["X1", "X1"]] });
  await until(() => preview.beside.value?.runs === 1, "the run");
  const regret = end(preview.result.value, "cumulative-regret");
  await set(app, "/runs", "1");
  const { length } = traffic.asked;
  await runner.begin(true);
  const curve = comparison.main.value.curves.find((/** @type {any} */ of) => of.agent === "c-psrl" && of.measure === "cumulative-regret");
  assert.equal(curve.mean.at(-1), regret);
  assert.equal(preview.beside.value, undefined, "the results are of the present settings");
  assert.match(app.status.value, /33% had been computed before\.$/);
  assert.ok(traffic.asked.length > length);
});

test("an agent that is not told the prior is not played anew when the prior changes", async () => {
  const { app, preview, watching } = await opened();
  const before = films().length;
  watching.watch(1, "psrl");
  await until(() => app.view.value.watched, "PSRL is watched");
  app.know({ edges: [] });
  await until(() => app.checked.value?.link.includes("prior=none"), "the prior");
  assert.deepEqual([preview.subject.value, films().length], [undefined, before]);
  watching.watch(1, "c-psrl");
  await until(() => preview.subject.value?.agent === "c-psrl", "C-PSRL is told it");
  await until(() => preview.beside.value?.runs === 1, "the run");
  assert.equal(films().length, before + 1);
});

test("a run is played however long the estimate says it takes, unless one episode may take as much as a run that starts by itself", async (t) => {
  const { app, preview } = await opened("fig2d-quick");
  const engine = slowly(t);
  const asked = films().length;
  await set(app, "/episodes", "100000");
  await until(() => engine.waiting > 0, "the engine");
  const { cost, header } = app.checked.value;
  const each = cost.episodes[header.spec.agents.indexOf("c-psrl")];
  assert.ok(each * 100000 > 20, `${each} s`);
  assert.deepEqual([preview.asks.value, preview.bare.value], [undefined, false]);
  assert.match(films()[asked] ?? "", /^\/v1\/play\?/);
  traffic.overhear = undefined;
  await set(app, "/episodes", "30");
  await until(() => preview.beside.value?.spec.episodes === 30 && preview.beside.value.runs === 1, "a short one is played whole");
  // The page asks first, and names no time.
  const { episodes } = cost;
  const { replay } = page.state_replay;
  const before = films().length;
  const end = new AbortController();
  const checked = { ...app.checked.value, cost: { ...cost, episodes: episodes.map(() => cost.budget + 1) } };
  replay({ ...preview, app: { checked: { peek: () => checked } } }, preview.subject.value, "unasked", end);
  assert.deepEqual([preview.asks.value, preview.none.value, films().length], [0, preview.subject.value.key, before]);
});

test("a run that someone has pressed for has the machine to itself; then the film is drawn to its end", async () => {
  const { app, preview, runner } = await opened();
  app.know({ edges: [["X2", "X1"]] });
  await until(() => preview.subject.value, "the edit");
  await runner.begin(true);
  assert.equal(preview.beside.value, undefined);
  assert.equal(app.phase.value, "finished");
  await until(() => preview.film.value?.frames.at(-1)?.episode === app.spec.value.episodes, "the whole film");
  const { length } = films();
  await runner.begin(true);
  await until(() => preview.result.value?.runs === 1, "the run is known");
  assert.equal(films().length, length, "the film is not drawn again");
});

test("nothing is played while nobody sees the page", async () => {
  const { app, preview, held } = await opened();
  held.value = true;
  const asked = films().length;
  app.know({ edges: [["X3", "X1"]] });
  await until(() => preview.subject.value, "the edit");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(films().length, asked);
  held.value = false;
  await until(() => preview.beside.value?.runs === 1, "it is seen");
});

test("a playground that is left during a run plays nothing afterwards", async () => {
  const { app, runner, leave } = await opened();
  app.know({ edges: [["X1", "X1"], ["X2", "X2"]] });
  await set(app, "/runs", "400");
  const run = runner.begin(true);
  await until(() => app.run.value === "running" && runner.experiment, "the run");
  leave();
  await run;
  const before = films().length;
  await new Promise((resolve) => setTimeout(resolve, 300)); // longer than an edit waits
  assert.equal(films().length, before);
});

test("on a slow machine the run waits for its first record, says no time, and goes on until it is whole", async (t) => {
  const { app, preview } = await opened();
  const clock = stand();
  t.after(() => clock.end());
  const engine = slowly(t);
  const { episodes } = app.spec.value;
  app.know({ edges: [["X2", "X2"]] });
  await until(() => engine.waiting >= episodes, "the engine");
  clock.pass(600); // the workers are still starting
  assert.deepEqual([preview.asks.value, preview.failure.value, preview.result.value], [undefined, "", undefined]);
  engine.more(2);
  clock.pass(30);
  assert.equal(preview.asks.value, undefined, "2 of 60 episodes in half a minute tell nothing");
  clock.pass(30);
  engine.more(Infinity);
  await until(() => preview.beside.value?.runs === 1, "the whole run");
  await until(() => preview.film.value?.frames.at(-1)?.episode === episodes, "and its film");
  assert.equal(preview.asks.value, undefined);
});

test("a run that has taken as much as one may that starts by itself ends, and says no time", async (t) => {
  const { app, preview } = await opened();
  const clock = stand();
  t.after(() => clock.end());
  for (const [done, edges] of /** @type {const} */ ([[2, [["X3", "X2"]]], [30, [["X1", "X2"]]]])) {
    const engine = slowly(t);
    app.know({ edges });
    await until(() => engine.waiting >= 60, "the engine");
    engine.more(1);
    clock.pass(app.checked.value.cost.budget - 1);
    engine.more(done - 1);
    assert.equal(preview.asks.value, undefined);
    clock.pass(2);
    assert.equal(preview.asks.value, done);
    traffic.overhear = undefined;
    preview.press();
    await until(() => preview.beside.value?.runs === 1, "pressed, it is played whole");
    assert.equal(preview.asks.value, undefined);
  }
});

test("during a run no film of another problem is shown: its own first episode, or none", async () => {
  const { app, preview, runner, links } = await opened();
  app.know({ edges: [["X3", "X1"], ["X1", "X2"]] });
  await until(() => preview.film.value?.frames.at(-1)?.episode === 60, "a film");
  const old = preview.film.value.key;
  await set(app, "/runs", "4000");
  const run = runner.begin(true);
  await until(() => app.run.value === "running" && runner.experiment, "the run");
  assert.equal(preview.film.value.key, old, "the film of this run stays");
  assert.equal(await links.open("v=1&domain=taxi&grid=3x3&prior=none&runs=6", false), undefined);
  await until(() => preview.subject.value && preview.film.value?.key === preview.subject.value.key, "the first episode of the new problem");
  assert.equal(app.run.value, "running");
  assert.deepEqual([preview.film.value.frames.at(-1).episode, preview.bare.value, preview.beside.value], [1, false, undefined]);
  // A film that cannot be drawn is no reason to go on with another.
  traffic.meet = (message, _send, answer) => {
    if (!message.path?.startsWith("/v1/film")) return false;
    answer({ kind: "failed", reason: "no memory" });
    return true;
  };
  assert.equal(await links.open("v=1&domain=taxi&grid=3x3&prior=none&runs=6&seed=5", false), undefined);
  await until(() => preview.bare.value, "there is none");
  traffic.meet = undefined;
  await runner.stop();
  await run;
  await until(() => preview.film.value?.key === preview.subject.value?.key && !preview.bare.value, "after the run it is drawn");
});
