// The watched run after an edit: when it is played anew, and what is shown of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
after(() => page.stop());
/** The playground of the test, which leaves when the next one is opened. @type {any} */
let last;
const opened = async () => {
  last?.leave();
  last = await page.open(undefined, "fig1-quick");
  return last;
};

const films = () => traffic.asked.filter((path) => path.startsWith("/v1/film"));
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
  app.know({ edges: [] });
  await until(() => preview.film.value?.frames.at(-1)?.episode === app.spec.value.episodes, "the whole film");
  await until(() => preview.beside.value?.runs === 1, "the whole run");
  const { spec, curves } = preview.beside.value;
  assert.deepEqual([spec.runs, spec.agents, spec.episodes, films().length], [1, ["c-psrl"], app.spec.value.episodes, 1]);
  assert.equal(curves.find((/** @type {any} */ curve) => curve.measure === "recall").mean.length, spec.episodes);
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

test("a run that takes long is played as far as two seconds reach, and whole when someone presses", async () => {
  const { app, preview } = await opened();
  const asked = films().length;
  await set(app, "/episodes", "100000");
  await until(() => preview.asks.value, "it says so");
  const { episodes, seconds } = preview.asks.value;
  assert.ok(episodes >= 1 && episodes < 100000 && seconds > 2, JSON.stringify(preview.asks.value));
  assert.match(films()[asked] ?? "", new RegExp(`&last=${episodes}$`));
  await set(app, "/episodes", "30");
  await until(() => preview.beside.value?.spec.episodes === 30 && preview.beside.value.runs === 1, "a short one is played whole");
  assert.equal(preview.asks.value, undefined);
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
