// Runs and results, by hand: what a person does, and what the page then holds.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { everything as root, start, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

const small = "v=1&domain=figure1&episodes=6&runs=2";

/** A playground with a finished run. */
async function finished() {
  const it = await page.open(new Tab(small));
  await until(() => it.app.phase.value === "finished", "it has run by itself");
  return it;
}

test("an agent keeps its look on the chart when another one is hidden, and the legend shows it", async () => {
  const it = await finished();
  const { comparison, app, runner } = it;
  const { picture } = page.parts_experiment_showing.showing({ ...it, root });
  const { withAgent, withPrior } = page.state_form;
  const label = "c-psrl:prior=expert";
  app.edit(withAgent(withPrior(app.form.value, "expert", { edges: [] }), label, true, [label]));
  await runner.begin(true);
  const own = page.agents.styleOf("c-psrl").dash;
  for (const hidden of [undefined, ["psrl", "f-psrl", "c-psrl"]]) {
    app.look({ hidden });
    const svg = await page.engine_engine.draw(page.parts_experiment_chart.figureOf(picture.value, { width: 700, height: 400, type: 12, theme: "page", inline: true }));
    assert.match(svg, /stroke-dasharray="12 3"/, "the chart");
    assert.equal(svg.includes(`stroke-dasharray="${own}"`), !hidden, "another agent's");
    const facts = JSON.parse((/data-facts="([^"]*)"/.exec(svg)?.[1] ?? "").replaceAll("&#34;", '"').replaceAll("&quot;", '"'));
    assert.deepEqual(facts.dashes[label], [12, 3], "what the legend shows");
    assert.deepEqual(facts.dashes["c-psrl"]?.join(" "), own, "also of an agent that is hidden");
  }
  const drawn = picture.value;
  app.look({ watched: { run: 0, episode: 2 } });
  assert.equal(picture.value, drawn, "a stage that moves on draws no figure");
  // The settings of the page may have changed since, and with them what the engine says about agents.
  app.edit(withAgent(app.form.value, "c-psrl", false, [label]));
  await until(() => app.checked.value?.header.spec.agents.length === 3, "the edit is accepted");
  assert.deepEqual(picture.value.agents, comparison.main.value.spec.agents);
});

test("a run that failed is over when another preset is shown", async () => {
  const { app, links, runner, preview } = await page.open();
  preview.end(); // it asks the same, and a known run would be asked for again
  app.edit(page.state_form.withValue(app.form.value, "/episodes", "5"));
  traffic.fail("/v1/summary", "out of memory");
  await runner.begin(true);
  assert.equal(app.phase.value, "failed");
  assert.match(app.failure.value, /out of memory/);
  assert.match(app.status.value, /^Failed/);
  app.edit(page.state_form.withValue(app.form.value, "/episodes", "6"));
  await until(() => app.checked.value?.header.spec.episodes === 6, "an edit is accepted");
  assert.match(app.failure.value, /out of memory/, "which does not make up for the run");
  links.choose(page.preset("eta"));
  await until(() => app.checked.value?.link === page.preset("eta").link, "the preset is accepted");
  assert.equal(app.phase.value, "ready");
  assert.equal(app.status.value, "Ready.");
  assert.equal(app.failure.value, "");
});

test("a page that could not be set up is ready once the engine accepts an edit", async () => {
  const { app } = await page.open(new Tab(), "fig2c", Promise.reject(new Error("a part is missing")));
  assert.deepEqual([app.phase.value, app.status.value, app.failure.value], ["failed", "Not ready.", "a part is missing"]);
  app.edit(page.state_form.withValue(app.form.value, "/seed", "5"));
  await until(() => app.checked.value, "the edit is accepted");
  assert.deepEqual([app.phase.value, app.status.value, app.failure.value], ["ready", "Ready.", ""]);
});

test("a run that ends early says why until the next one", async () => {
  const { app, runner, comparison, preview } = await page.open();
  preview.end(); // it asks the same, and a known run would be asked for again
  app.edit(page.state_form.withValue(app.form.value, "/episodes", "5"));
  traffic.fail("/v1/runs", "out of memory");
  await runner.begin(true);
  assert.equal(app.failure.value, "The experiment ended early: out of memory.");
  assert.equal(app.status.value, "Failed: no run was complete.");
  await runner.begin(true);
  assert.equal(app.phase.value, "finished");
  assert.equal(app.failure.value, "");
  assert.equal(comparison.main.value.runs, 20);
});

test("a run is stopped before it begins, and once it runs; a run that is refused leaves what was said", async () => {
  const { app, runner, comparison } = await finished();
  const ran = comparison.main.value;
  const begun = runner.begin(true);
  await runner.stop();
  await begun;
  assert.equal(app.status.value, "Stopped: no run was complete.");
  assert.equal(comparison.main.value, ran, "the result before it comes back");
  app.edit(page.state_form.withValue(app.form.value, "/runs", "0"));
  assert.equal(await runner.begin(true), false, "refused");
  assert.equal(app.phase.value, "stopped");
  assert.equal(app.status.value, "Not started.");
  app.edit(page.state_form.withValue(app.form.value, "/runs", "3"));
  assert.equal(await runner.begin(true), true);
  assert.match(app.status.value, /^Finished in .* 66% had been computed before\.$/);
});

test("a receipt is met by the run of its link", async () => {
  const { links, app } = await finished();
  const { receipt, spec } = links.auto.last.value;
  const link = await links.of(spec, receipt);
  const again = await page.open(new Tab(link));
  await until(() => again.app.notices.value.some((/** @type {any} */ { text }) => /^Reproduced bit for bit/.test(text)), "the receipt is met");
  assert.equal(again.tab.link, link, "the address keeps it");
  assert.equal(app.phase.value, "finished");
});

test("what a worker failed to say is asked again when it is wanted again, and a refusal is final", async () => {
  const { comparison } = await finished();
  const { main } = comparison;
  const asked = new page.state_asked.Asked();
  const question = (/** @type {string} */ of) => () => ({ path: `/v1/spread?of=${of}`, body: new Blob([main.value.records]), made: (/** @type {unknown} */ line) => line });
  /** Wants an answer until there is one or a failure. @param {string} of */
  const want = async (of) => {
    /** @type {any} */
    let now = {};
    const stop = page.signals.effect(() => void (now = asked.of(main.value, of, question(of))));
    await until(() => now.answer ?? now.failure, "an answer or a failure");
    stop();
    return now;
  };
  const count = () => traffic.asked.filter((path) => path.startsWith("/v1/spread")).length;
  const before = count();
  traffic.fail("/v1/spread", "out of memory");
  assert.match((await want("regret")).failure, /out of memory/);
  assert.equal((await want("regret")).answer.measure, "regret");
  await want("regret");
  assert.equal(count(), before + 2, "an answer stays");
  await want("beauty");
  assert.match((await want("beauty")).failure, /beauty/);
  assert.equal(count(), before + 3, "a refusal stays, too");
});

test("the letter of a result that is no longer kept says nothing about the next one with it", async () => {
  const { app, comparison, runner } = await finished();
  comparison.keep();
  app.edit(page.state_form.withValue(app.form.value, "/seed", "7"));
  await runner.begin(true);
  app.look({ paired: true, pair: ["A c-psrl", "c-psrl"] });
  comparison.remove("A");
  assert.deepEqual(app.view.value, { paired: true });
  comparison.keep();
  assert.equal(comparison.kept.value[0].mark, "A");
  app.look({ pair: ["c-psrl", "psrl"] });
  comparison.remove("A");
  assert.deepEqual(app.view.value.pair, ["c-psrl", "psrl"], "a pair without the letter stays");
});

test("an agent with a prior that was removed can neither be added nor chosen", async () => {
  const { app } = await page.open();
  const { offered, withPrior, withAgent } = page.state_form;
  const kind = page.catalogue.kinds.find((/** @type {any} */ { key }) => key === "c-psrl");
  const { labelOf } = page.parts_agents_arm;
  const label = "c-psrl:prior=expert";
  assert.equal(labelOf(kind, { prior: "expert", eta: "1" }, ["expert"]), "c-psrl:eta=1,prior=expert");
  assert.equal(labelOf(kind, { prior: "expert", eta: "1" }, []), "c-psrl:eta=1");
  const form = withAgent(withPrior(app.form.value, "expert", { edges: [] }), label, true, [label]);
  const list = ["psrl", label, "c-psrl", label];
  assert.deepEqual(offered(form, list), ["psrl", label, "c-psrl"]);
  assert.deepEqual(offered(withPrior(form, "expert", undefined), list), ["psrl", "c-psrl"]);
});

test("a named prior that is edited follows the page's prior; Undo gives both back", async () => {
  const { app } = await page.open();
  const { editing, priorsOf, withAgent, withPrior } = page.state_form;
  const label = "c-psrl:prior=expert";
  const edges = { edges: [["row", "row"]] };
  app.edit(withAgent(withPrior(app.form.value, "expert", edges), label, true, [label]));
  const said = async () => (await app.check()).header.spec.priors.expert;
  assert.deepEqual(await said(), edges);
  app.edit(editing(app.form.value, "expert"));
  assert.deepEqual(await said(), edges);
  assert.deepEqual(app.form.value.line.now, edges, "it is the page's prior now");
  const more = { edges: [["row", "row"], ["col", "col"]] };
  app.know(more);
  assert.deepEqual(await said(), more, "a run uses what was edited");
  const undo = () => app.edit({ ...app.form.value, line: page.state_history.moved(app.form.value.line, "undo") });
  undo();
  assert.deepEqual(await said(), edges);
  undo();
  assert.equal(app.form.value.line.now, undefined, "the page has its own prior again");
  assert.deepEqual(await said(), edges, "and so has the name");
  app.edit({ ...app.form.value, line: page.state_history.moved(app.form.value.line, "redo") });
  app.know({ edges: [] });
  assert.deepEqual(await said(), { edges: [] }, "after Redo it is edited again");
  app.edit(editing(app.form.value));
  app.know(more);
  assert.deepEqual(await said(), { edges: [] }, "no longer");
  app.edit(editing(app.form.value, "expert"));
  undo();
  app.know({ edges: [["col", "col"]] });
  assert.deepEqual(await said(), { edges: [] }, "nor after Undo has led to before that");
  app.edit(editing(app.form.value, "expert"));
  app.edit(withPrior(app.form.value, "expert", undefined));
  assert.deepEqual(priorsOf(app.form.value), {});
});

test("what a visitor had comes back after the tour", async () => {
  const it = await finished();
  const { app, comparison, links, runner, watching } = it;
  const { keep, giveBack } = page.state_memento;
  comparison.keep();
  app.edit(page.state_form.withValue(app.form.value, "/seed", "7"));
  const edges = [["X2", "X2"], ["X1", "X1"]]; // a link has them in another order
  app.know({ edges });
  await runner.begin(true);
  await until(() => it.tab.link.includes("seed=7"), "the address has the edit");
  app.look({ paired: true, pair: ["A c-psrl", "c-psrl"], hidden: ["psrl"], watched: undefined });
  app.revealed.value = true;
  watching.speed.value = 4;
  comparison.remove("precomputed");
  const result = comparison.result.value;
  const before = await keep(it);
  assert.ok(before.own);
  for (const link of ["v=1&domain=taxi&grid=3x3&watch=0,1", "v=1&domain=taxi&grid=5x5"]) assert.equal(await links.open(link, false), undefined);
  watching.speed.value = 1;
  assert.equal(app.revealed.value, false);
  await giveBack(it, before);
  assert.equal(app.checked.value.header.spec.seed, 7);
  assert.deepEqual(app.spec.value.prior, { edges }, "in the order in which its results were computed");
  assert.ok(page.state_differences.alike(app.spec.value, { ...app.spec.value, prior: { edges: edges.toReversed() } }), "which is no difference");
  assert.equal(comparison.result.value, result);
  assert.equal(comparison.figure.value, null, "the precomputed lines are still hidden");
  assert.equal(app.revealed.value, true);
  assert.equal(watching.speed.value, 4);
  assert.deepEqual(app.view.value, { paired: true, pair: ["A c-psrl", "c-psrl"], hidden: ["psrl"] });
  await app.reset();
  assert.equal(app.form.value.values["/seed"], "7", "Reset keeps the seed");

  // Another result may have the letter by now.
  comparison.remove("A");
  await links.open(small, false);
  await giveBack(it, before);
  assert.equal(app.view.value.pair, undefined);
});

test("a result that is kept has its letter at once; beside the next one its lines keep their colours, equal lines are drawn once, and the line says which pays more", async () => {
  const it = await finished();
  const { comparison, app, runner, preview } = it;
  const { picture, settled, said, columns } = page.parts_experiment_showing.showing({ ...it, root });
  const names = () => picture.value.lines.map((/** @type {any} */ { curve, mark }) => `${curve.name ?? curve.agent}${mark && ` ${mark}`}`);
  comparison.keep();
  assert.deepEqual(names().slice(0, 4), ["psrl", "f-psrl", "c-psrl", "c-psrl A"]);
  assert.deepEqual(names().slice(4), ["psrl old", "f-psrl old", "c-psrl old"], "the precomputed figure, of other sizes, stays until another result is there");
  app.know({ edges: [] });
  await until(() => app.checked.value?.link.includes("prior=none"), "the prior");
  await until(() => preview.beside.value?.runs === 1, "the run is played anew");
  await until(() => names().length === 4, "its line");
  assert.deepEqual(names(), ["psrl", "f-psrl", "c-psrl A", "C-PSRL, now"], "what was kept is the ghost");
  assert.ok(settled.value.lines.every((/** @type {any} */ { curve }) => curve.name !== "C-PSRL, now"), "Export writes the results, and no run that is played anew");
  await until(() => said.value, "the line");
  assert.equal(said.value.head, "Without any edge");
  assert.match(said.value.body, /^run 0 pays [\d.]+\. The mean was [\d.]+\.$/);
  await runner.begin(true);
  assert.deepEqual(names(), ["psrl", "f-psrl", "c-psrl", "c-psrl A"]);
  assert.deepEqual(columns.value.map((/** @type {any} */ { tag, title }) => `${tag ?? ""} ${title}`.trim()), ["no edges, 2 runs", "A suggested edges"]);
  const svg = await page.engine_engine.draw(page.parts_experiment_chart.figureOf(picture.value, { width: 567, height: 332, type: 13, theme: "page", inline: true }));
  assert.equal(new Set(svg.match(/class="(?:curve|ghost)"[^>]* stroke="#[0-9A-F]{6}"/gi)?.map((/** @type {string} */ line) => line.slice(-8))).size, 3, "one colour for each agent");
  await until(() => / – /.test(said.value?.body ?? ""), "the verdict");
  const [kept] = comparison.kept.value;
  const end = (/** @type {any} */ { curves }) => curves.find((/** @type {any} */ { agent, measure }) => agent === "c-psrl" && measure === "cumulative-regret").mean.at(-1);
  const [, mine, theirs, verdict] = /^([\d.]+) instead of ([\d.]+) – (.*)\.$/.exec(said.value.body) ?? [];
  for (const [words, value] of /** @type {const} */ ([[mine, end(comparison.main.value)], [theirs, end(kept.result)]])) assert.ok(Math.abs(Number(words) - value) <= 0.006 * value, `${said.value.body} ${value}`);
  assert.match(verdict ?? "", /^(no difference that 2 runs can see \(.*\)|[\d.]+ ± [\d.]+ (more|less), run by run|the same in every run)$/);
  assert.equal(said.value.head, "Without any edge");
  comparison.remove("A");
  await until(() => !/run by run|can see/.test(said.value?.body ?? ""), "the kept result is compared no more");
  assert.equal(new Set(names()).size, names().length, "no two lines have one name");
});

test("back at a preset's own settings, its figure is shown again with its question, and the run comes back with its settings", async () => {
  const it = await page.open(new Tab(), "fig1");
  const { app, comparison } = it;
  await until(() => comparison.figure.value && app.checked.value, "the figure");
  const { rests, said } = page.parts_experiment_showing.showing({ ...it, root });
  assert.deepEqual([rests.value, comparison.main.value === comparison.figure.value], [true, true]);
  app.know({ edges: [["X1", "X1"]] });
  await until(() => app.checked.value?.link.includes("prior="), "the prior");
  const own = page.state_results.nothing(app.checked.value.header, { source: "run", title: "own" });
  comparison.result.value = own;
  assert.deepEqual([rests.value, comparison.main.value === own], [false, true]);
  app.know(undefined);
  await until(() => app.unchanged.value && app.spec.value === app.checked.value.header.spec, "the preset");
  assert.deepEqual([rests.value, said.value, comparison.main.value === comparison.figure.value], [true, undefined, true]);
  app.know({ edges: [["X1", "X1"]] });
  await until(() => app.checked.value?.link.includes("prior="), "the prior again");
  assert.equal(comparison.main.value, own);
  // A result of a file stays, whatever the settings are.
  comparison.result.value = { ...own, source: "file" };
  app.know(undefined);
  await until(() => app.unchanged.value, "the preset");
  assert.equal(comparison.main.value.source, "file");
});

test("what was edited is said in a few words", async () => {
  const { app } = await page.open(new Tab(), "fig2c");
  await until(() => app.about.value, "the problem");
  const { edit } = page.parts_experiment_line;
  const base = app.preset.value.spec;
  const [first, second, third, ...rest] = app.about.value.suggested;
  const words = (/** @type {any} */ change) => edit({ ...base, ...change }, base, app.about.value);
  const named = (/** @type {any} */ [from, to]) => `${from} → ${to}′`;
  assert.equal(words({ prior: { edges: [second, third, ...rest] } }), `Without ${named(first)}`);
  assert.equal(words({ prior: { edges: [third, ...rest] } }), `Without ${named(first)} and ${named(second)}`);
  assert.equal(words({ prior: { edges: rest } }), `With ${rest.length} edges instead of ${rest.length + 3}`);
  assert.equal(words({ prior: { edges: [] } }), "Without any edge");
  assert.equal(words({ prior: { edges: [first, second, third, ...rest, ["row", "destination"]] } }), "With row → destination′");
  assert.equal(words({ prior: { edges: [[...first, 0.9], second, third, ...rest] } }), `With ${named(first)} at .9`);
  assert.equal(words({ prior: { edges: [[...first, 0], third, ...rest] } }), `With ${named(first)} forbidden and without ${named(second)}`);
  assert.equal(words({ prior: { eta: 1, trust: 0.9 } }), "With η = 1, trust 0.9");
  assert.equal(words({ episodes: 60, prior: { edges: [] } }), "Without any edge, with K = 60");
  assert.equal(words({ agents: ["psrl"] }), "With other agents");
  assert.equal(words({ domain: { name: "figure1" } }), "With another problem");
});

test("with a kept result, the precomputed figure is beside it while the settings are the figure's", async () => {
  const { app, comparison } = await page.open(new Tab(), "fig2c");
  await until(() => comparison.figure.value, "the figure");
  const marks = () => comparison.beside.value.map((/** @type {any} */ { mark }) => mark);
  app.know({ edges: [] });
  await until(() => app.checked.value?.link.includes("prior=none"), "the prior");
  comparison.result.value = page.state_results.nothing(app.checked.value.header, { source: "run", title: "own" });
  assert.deepEqual(marks(), ["precomputed"]);
  comparison.keep();
  assert.deepEqual(marks(), ["precomputed"], "what is kept is also what is shown");
  comparison.result.value = { ...comparison.result.value };
  assert.deepEqual(marks(), ["A"], "beside another result, the kept one takes its place");
  await app.reset();
  assert.deepEqual([comparison.main.value === comparison.figure.value, marks()], [true, ["A"]], "the figure's settings are back");
});

test("the records of one experiment in several files are read as one; files of other programs come after them", async () => {
  const { app, comparison } = await page.open(undefined, "fig1-quick");
  const spec = { ...page.preset("fig1-quick").spec, episodes: 5, runs: 3 };
  /** @param {object} part @param {string} name */
  const file = async (part, name) => new File([await page.engine_engine.bytes("/v1/run", JSON.stringify({ ...spec, ...part }))], name);
  const [whole, first, rest] = await Promise.all([file({}, "whole.jsonl"), file({ runs: 1 }, "first.jsonl"), file({ firstRun: 1, runs: 2 }, "rest.jsonl")]);
  await comparison.read([whole]);
  const { fingerprint } = comparison.result.value;
  await comparison.read([new File(["label,run,episode,regret\nmine,1,1,2\n"], "mine.csv"), rest, first]);
  assert.equal(app.failure.value, "");
  assert.equal(comparison.result.value.title, "Results in rest.jsonl and first.jsonl");
  assert.deepEqual([comparison.result.value.runs, comparison.result.value.fingerprint], [3, fingerprint]);
  assert.deepEqual(comparison.foreign.value.map((/** @type {any} */ { name }) => name), ["mine.csv"]);
  await comparison.read([first, whole]);
  assert.equal(app.failure.value, "first.jsonl and whole.jsonl cannot be shown: whole.jsonl: run 0 of psrl is in first.jsonl, too.");
  assert.equal(comparison.result.value.runs, 3, "what was shown stays");
});
