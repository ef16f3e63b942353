// A problem of one's own: edits in a row, refusals, one Undo for all of it, and what comes from elsewhere.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { everything as root, start, still, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());
/** The playground of the test. @type {any} */
let last;
const opened = async (template = "inventory") => {
  last = await page.open(undefined, "fig1-quick");
  const own = new page.state_own.Own(last.app);
  assert.ok(await own.begin({ template }));
  await until(() => last.app.checked.value?.problem.name === own.form.value?.name, "the engine has accepted the template");
  return { ...last, own };
};
/** Makes an edit, and waits until the engine is asked for it. @param {() => Promise<boolean>} change */
async function asked(change) {
  const count = () => traffic.asked.filter((path) => path === "/v1/edit").length;
  const before = count();
  const done = change();
  await until(() => count() > before, "the edit is asked for");
  return { done };
}
/** @param {any} app */
const accepted = (app) => until(() => app.checked.value?.header.spec === app.spec.value && app.refusal.value === undefined, "the engine has accepted the edit");
/** @param {any} form */
const names = (form) => [...form.state, ...form.action].map(({ name }) => name).join();

test("edits in a row follow each other, and the prior follows the names", async () => {
  const { app, own } = await opened();
  assert.equal(names(own.form.value), "stock,season,order");
  await accepted(app);
  app.know({ edges: [["stock", "stock"], ["order", "stock", 0.9]] });
  const all = [
    own.change("a", { edit: "rename", of: "stock", to: "held" }),
    own.change("b", { edit: "add-action", to: "price" }),
    own.change("c", { edit: "law", of: "held", to: "next = max(0, min(3, held + order) - 1 - price)" }),
  ];
  assert.deepEqual(await Promise.all(all), [true, true, true]);
  assert.equal(names(own.form.value), "held,season,order,price");
  assert.deepEqual(app.form.value.line.now.edges, [["held", "held"], ["order", "held", 0.9]]);
  await until(() => app.about.value?.truth.some((/** @type {string[]} */ [from, to]) => from === "price" && to === "held"), "the true graph has the new edge");
  await accepted(app);
  assert.equal(app.checked.value.header.spec.domain.model.transition[0].formula, "next = max(0, min(3, held + order) - 1 - price)");
});

test("a refused text stays in its cell with the reason, and the last valid problem stays", async () => {
  const { app, own } = await opened();
  const before = app.form.value;
  assert.equal(await own.change("law stock", { edit: "law", of: "stock", to: "next = stock + 9" }, "next = stock + 9"), false);
  const { edit: _edit, ...fault } = own.faults.value["law stock"];
  assert.deepEqual(fault, { text: "next = stock + 9", why: "The law of stock: column 14: the next value is 9; \"stock\" has the whole values 0 to 3 (for stock = 0)." });
  assert.equal(app.form.value, before);
  assert.equal(await own.change("variable stock values", { edit: "values", of: "stock", to: "5" }, "5"), true); // the formulas hold for it
  assert.equal(await own.change("law stock", { edit: "law", of: "stock", to: "next = stock" }, "next = stock"), true);
  assert.deepEqual(own.faults.value, {});
});

test("what the page is told about a new problem leaves a text that was refused meanwhile", async () => {
  last = await page.open(undefined, "fig1-quick");
  const own = new page.state_own.Own(last.app);
  assert.ok(await own.begin({ template: "gridworld" }));
  assert.notEqual(last.app.checked.value.problem.name, own.form.value.name); // the engine is asked about it
  assert.equal(await own.change("law row", { edit: "law", of: "row", to: "next = rows" }, "next = rows"), false);
  await accepted(last.app);
  await still(last.tab);
  assert.equal(own.faults.value["law row"]?.text, "next = rows");
});

test("Undo goes back over edits of the problem, of the prior and of the settings, and Redo forth", async () => {
  const { app, own } = await opened();
  await accepted(app);
  const seen = () => `${names(own.form.value)} ${JSON.stringify(app.form.value.line.now ?? null)} ${app.form.value.values["/runs"]}`;
  const states = [seen()];
  const steps = [
    () => own.change("a", { edit: "rename", of: "stock", to: "held" }),
    () => app.know({ edges: [["held", "held"]] }),
    () => app.edit(page.state_form.withValue(app.form.value, "/runs", "7"), 0, "/runs"),
    () => own.change("b", { edit: "remove", of: "order" }).then((/** @type {boolean} */ done) => assert.equal(done, false)),
    () => own.change("c", { edit: "add-state", to: "late" }),
  ];
  for (const step of steps) {
    await step();
    await accepted(app);
    if (seen() !== states.at(-1)) states.push(seen());
  }
  assert.equal(states.length, 5);
  for (const want of states.slice(0, -1).reverse()) {
    own.undo();
    await until(() => seen() === want, `back at ${want}, not ${seen()}`);
  }
  assert.equal(own.past.value.length, 0);
  for (const want of states.slice(1)) {
    own.redo();
    await until(() => seen() === want, `forth at ${want}`);
  }
  assert.equal(own.future.value.length, 0);
});

test("a problem of the gallery is shown as it is, and becomes one's own with the first edit", async () => {
  last = await page.open(undefined, "river-swim");
  const { app } = last;
  const own = new page.state_own.Own(app);
  const before = app.form.value;
  assert.ok(await own.open());
  assert.equal(app.form.value, before);
  assert.ok(await own.change("horizon", { edit: "horizon", to: "7" }));
  assert.equal(app.form.value.domain.name, "model");
  assert.ok(app.form.value.line.now.edges.length > 0, "its own prior is a list of edges");
  await until(() => app.about.value?.horizon === 7, "the engine describes it");
  own.undo();
  await until(() => app.form.value.domain.name === "river-swim" && own.form.value.horizon !== 7, "the gallery's problem again");
});

test("what comes from elsewhere is shown, and a closed editor asks nothing", async () => {
  const { app, own, links } = await opened();
  await accepted(app);
  await until(() => links.link.value.includes("model="), "the link has the problem");
  await own.change("name", { edit: "name", to: "Other" });
  await until(() => app.checked.value?.problem.name === "Other", "renamed");
  await links.following;
  last.tab?.go(-1);
  const asked = traffic.asked.length;
  own.close();
  app.know({ edges: [] });
  await accepted(app);
  assert.ok(!traffic.asked.slice(asked).some((path) => path.startsWith("/v1/edit")));
});

test("an edge of the true graph is drawn, and one that a formula decides is refused in words", async () => {
  const { app, own } = await opened("blank");
  await own.change("a", { edit: "add-state", to: "y" });
  own.draw("x1", "y");
  await until(() => own.form.value.laws[1].given.join() === "y,x1", "the edge");
  own.draw("x1", "x1");
  await until(() => app.notices.value.some((/** @type {any} */ { name, text }) => name === "truth" && /^The law of x1: the parents of "x1" are those that its formula names; change the formula\.$/.test(text)), "the reason");
  own.draw("x1", "y");
  await until(() => own.form.value.laws[1].given.join() === "y" && app.notices.value.length === 0, "the edge is gone, and so is the notice");
});

test("a problem of the menu that is younger than the preset's spec is taken", async () => {
  last = await page.open(undefined, "fig1-quick");
  const { app } = last;
  assert.ok(app.form.value.base.version < page.catalogue.spec, "the preset is of an earlier version");
  app.turn({ name: "frozen-lake" });
  await until(() => app.checked.value?.header.spec.domain.name === "frozen-lake", "the lake is accepted");
  assert.equal(app.refusal.value, undefined);
});

test("an answer that comes after Undo, Close or another problem changes nothing", async () => {
  const { app, own, links } = await opened();
  await accepted(app);
  await own.change("a", { edit: "rename", of: "stock", to: "held" });
  await accepted(app);
  let go = traffic.hold("/v1/edit");
  let late = await asked(() => own.change("b", { edit: "rename", of: "held", to: "late" }));
  own.undo();
  go();
  assert.equal(await late.done, false);
  await until(() => names(own.form.value) === "stock,season,order", "Undo holds");
  assert.equal(own.future.value.length, 1);
  // A prior that is changed meanwhile stays, and so does the edit.
  await accepted(app);
  go = traffic.hold("/v1/edit");
  late = await asked(() => own.change("b", { edit: "rename", of: "stock", to: "late" }));
  app.know({ edges: [["stock", "stock"]] });
  go();
  assert.equal(await late.done, true);
  assert.deepEqual(app.form.value.line.now.edges, [["late", "late"]]);
  // Another preset stays.
  await accepted(app);
  go = traffic.hold("/v1/edit");
  late = await asked(() => own.change("b", { edit: "rename", of: "late", to: "later" }));
  links.choose(page.preset("river-swim"));
  go();
  assert.equal(await late.done, false);
  await until(() => app.form.value.domain.name === "river-swim" && own.form.value?.name !== "My inventory", "the preset is shown");
  go = traffic.hold("/v1/edit");
  late = await asked(() => own.change("b", { edit: "horizon", to: "3" }));
  own.close();
  go();
  assert.equal(await late.done, false);
  assert.deepEqual([own.form.value, app.form.value.domain.name], [undefined, "river-swim"]);
});

/** What waits, by cell. @param {any} own */
const waiting = (own) => Object.fromEntries(Object.entries(own.faults.value).map(([cell, { text }]) => [cell, text]));
/** Changes a cell as a field does. @param {any} own @param {string} cell @param {any} edit */
const write = (own, cell, edit) => own.change(cell, edit, edit.to);

test("a blank problem has a third value at once, and what is refused waits until the law allows it", async () => {
  const { app, own } = await opened("blank");
  assert.equal(await write(own, "variable x1 values", { edit: "values", of: "x1", to: "3" }), true);
  assert.equal(own.form.value.laws[0].columns.length, 3);
  assert.equal(await write(own, "law x1", { edit: "law", of: "x1", to: "next = if(a1 = 1, 2 - x1, x1)" }), true);
  assert.equal(await write(own, "variable x1 values", { edit: "values", of: "x1", to: "5" }), false);
  assert.match(own.faults.value["variable x1 values"].why, /the next value is -1/);
  // Another cell is renamed, and the prior and the settings change: the text stays, with its reason.
  assert.equal(await write(own, "variable a1 name", { edit: "rename", of: "a1", to: "flip" }), true);
  await accepted(app);
  app.know({ edges: [["x1", "x1"]] });
  await accepted(app);
  await still(last.tab);
  assert.deepEqual(waiting(own), { "variable x1 values": "5" });
  // The law is mended: both are accepted.
  assert.equal(await write(own, "law x1", { edit: "law", of: "x1", to: "next = if(flip = 1, max(0, 2 - x1), x1)" }), true);
  assert.deepEqual([own.faults.value, own.form.value.state[0].values], [{}, "5"]);
  assert.match(own.notes.value, /accepted now in 1 cell\./);
});

test("texts that are valid only together are accepted together, and a text is tried again", async () => {
  const { own } = await opened("blank");
  await own.change("add", { edit: "add-state", to: "y" });
  assert.equal(await write(own, "law y", { edit: "law", of: "y", to: "next = x1" }), true);
  assert.equal(await write(own, "law x1", { edit: "law", of: "x1", to: "next = y" }), true);
  assert.equal(await write(own, "variable y name", { edit: "rename", of: "y", to: "x1" }), false); // waits for nothing
  assert.equal(await write(own, "variable x1 values", { edit: "values", of: "x1", to: "3" }), false);
  assert.equal(await write(own, "variable x1 values", { edit: "values", of: "x1", to: "3" }), false); // the same again
  assert.equal(await write(own, "variable y values", { edit: "values", of: "y", to: "3" }), true);
  assert.deepEqual(own.form.value.state.map((/** @type {any} */ { values }) => values), ["3", "3"]);
  assert.deepEqual(waiting(own), { "variable y name": "x1" });
  assert.equal(await own.change("a", { edit: "rename", of: "x1", to: "x" }), true);
  assert.equal(names(own.form.value), "x,x1,a1");
  assert.deepEqual(own.faults.value, {});
});

test("what waits follows names and numbers, and is gone with what it was about", async () => {
  const { own } = await opened();
  await write(own, "payoff 1", { edit: "payoff", at: 1, to: "demand - stock" });
  await write(own, "row season 0", { edit: "row", of: "season", row: 0, to: "0.5 0.3" });
  assert.match(own.faults.value["row season 0"].why, /sums to 0\.8; it must sum to 1\.$/);
  await write(own, "row season 1", { edit: "row", of: "season", row: 1, to: "0.5 much" });
  assert.equal(own.faults.value["row season 1"].why, 'The law of season: "much" is no number.');
  await own.change("b", { edit: "rename", of: "season", to: "time" });
  await own.change("c", { edit: "rename", of: "stock", to: "held" });
  assert.deepEqual(waiting(own), { "payoff 1": "demand - held", "row time 0": "0.5 0.3", "row time 1": "0.5 much" });
  await write(own, "row time 1", { edit: "row", of: "time", row: 1, to: "0.5 0.5" });
  assert.deepEqual(Object.keys(own.faults.value), ["payoff 1", "row time 0"]);
  await own.change("fill time", { edit: "fill", of: "time", to: "uniform" });
  assert.deepEqual(Object.keys(own.faults.value), ["payoff 1"]);
  await own.change("payoff 0 gone", { edit: "remove-payoff", at: 0 });
  assert.deepEqual(waiting(own), { "payoff 0": "demand - held" });
  // A refused press is no text: the next edit that is accepted forgets it.
  assert.equal(await own.change("variable order", { edit: "remove", of: "order" }), false);
  assert.ok(own.faults.value["variable order"]);
  await own.change("add", { edit: "add-state", to: "demand" });
  assert.deepEqual([own.faults.value, own.form.value.payoffs[0].formula], [{}, "demand - held"]);
});

test("Undo and Redo bring back what waited", async () => {
  const { app, own } = await opened();
  await accepted(app);
  const seen = () => JSON.stringify([names(own.form.value), own.form.value.state[0].values, waiting(own)]);
  const arrives = (/** @type {string} */ want) => until(() => seen() === want, `${want}, not ${seen()}`);
  await write(own, "law stock", { edit: "law", of: "stock", to: "next = stock + late" });
  const waits = seen();
  await own.change("a", { edit: "rename", of: "stock", to: "held" });
  const renamed = seen();
  await own.change("add", { edit: "add-state", to: "late" });
  await accepted(app);
  await write(own, "horizon", { edit: "horizon", to: "soon" });
  const both = seen();
  assert.notEqual(both, renamed);
  for (const undone of [renamed, waits]) {
    own.undo();
    await arrives(undone);
    await accepted(app);
    await still(last.tab);
    assert.equal(seen(), undone);
  }
  for (const redone of [renamed, both]) {
    own.redo();
    await arrives(redone);
    await accepted(app);
    await still(last.tab);
    assert.equal(seen(), redone);
  }
  // Undo of an edit brings back no text of its own cell.
  await write(own, "horizon", { edit: "horizon", to: "soon" });
  await write(own, "horizon", { edit: "horizon", to: "8" });
  await accepted(app);
  assert.equal(seen(), both.replace(',"horizon":"soon"', ""));
  own.undo();
  await until(() => own.form.value.horizon !== 8, "the horizon is the one before");
  assert.equal(own.faults.value["horizon"], undefined);
  own.redo();
  await until(() => own.form.value.horizon === 8, "the horizon is 8 again");
  own.undo();
  // What came back waits on: it is tried with the next edit.
  own.undo();
  own.undo();
  await arrives(waits);
  await own.change("add", { edit: "add-action", to: "late" });
  assert.match(own.faults.value["law stock"].why, /the next value is/);
  // A new edit ends Redo.
  assert.equal(own.future.value.length, 0);
  const now = seen();
  own.redo();
  await still(last.tab);
  assert.equal(seen(), now);
});

test("an edit of the problem before is not made in another one, also not if it waits its turn", async () => {
  const { app, own, links } = await opened();
  await accepted(app);
  const go = traffic.hold("/v1/edit");
  const first = await asked(() => own.change("horizon", { edit: "horizon", to: "3" }, "3"));
  const queued = own.change("name", { edit: "name", to: "Mine" }, "Mine");
  own.refuse("fill stock", undefined, "A number was expected.");
  links.choose(page.preset("river-swim"));
  go();
  assert.deepEqual(await Promise.all([first.done, queued]), [false, false]);
  await until(() => own.form.value?.name === "RiverSwim" || app.about.value?.name === own.form.value?.name, "the preset is shown");
  await still(last.tab);
  assert.equal(app.form.value.domain.name, "river-swim");
  assert.notEqual(own.form.value.horizon, 3);
  assert.deepEqual(own.faults.value, {});
});

test("the run that is played anew is drawn over all its episodes, also where there are no results yet", async () => {
  const { app, preview, ...it } = await opened();
  const { picture } = page.parts_experiment_showing.showing({ ...it, app, preview, root });
  await until(() => preview.beside.value?.curves.some((/** @type {any} */ { mean }) => mean.length === app.spec.value.episodes), "the whole run");
  assert.ok(app.spec.value.episodes > 1);
  assert.equal(picture.value.episodes, app.spec.value.episodes);
  const svg = await page.engine_engine.draw(page.parts_experiment_chart.figureOf(picture.value, { width: 700, height: 400, type: 12, theme: "page", inline: true }));
  assert.match(svg, new RegExp(`&(#34|quot);last&(#34|quot);:${app.spec.value.episodes}\\b`));
});
