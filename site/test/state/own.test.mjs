// A problem of one's own: edits in a row, refusals, one Undo for all of it, and what comes from elsewhere.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { everything as root, start, still, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
after(() => page.stop());
/** The playground of the test, which leaves when the next one is opened. @type {any} */
let last;
const opened = async (template = "inventory") => {
  last?.leave();
  last = await page.open(undefined, "fig1-quick");
  const own = new page.state_own.Own(last.app);
  assert.ok(await own.begin({ template }));
  await until(() => last.app.checked.value?.problem.name === own.form.value?.name, "the engine has accepted the template");
  return { ...last, own };
};
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
  assert.deepEqual(own.faults.value["law stock"], { text: "next = stock + 9", why: "The law of stock: column 14: the next value is 9; \"stock\" has the whole values 0 to 3 (for stock = 0)." });
  assert.equal(app.form.value, before);
  assert.equal(await own.change("variable stock values", { edit: "values", of: "stock", to: "5" }, "5"), true); // the formulas hold for it
  assert.equal(await own.change("law stock", { edit: "law", of: "stock", to: "next = stock" }, "next = stock"), true);
  assert.deepEqual(own.faults.value, {});
});

test("what the page is told about a new problem leaves a text that was refused meanwhile", async () => {
  last?.leave();
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
  last?.leave();
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
  assert.equal(app.truth.value, undefined);
  app.know({ edges: [] });
  await accepted(app);
  assert.ok(!traffic.asked.slice(asked).some((path) => path.startsWith("/v1/edit")));
});

test("an edge of the true graph is drawn, and one that a formula decides is refused in words", async () => {
  const { app, own } = await opened("blank");
  await own.change("a", { edit: "add-state", to: "y" });
  app.truth.value("x1", "y");
  await until(() => own.form.value.laws[1].given.join() === "y,x1", "the edge");
  app.truth.value("x1", "x1");
  await until(() => app.notices.value.some((/** @type {any} */ { name, text }) => name === "truth" && /^The law of x1: the parents of "x1" are those that its formula names; change the formula\.$/.test(text)), "the reason");
  app.truth.value("x1", "y");
  await until(() => own.form.value.laws[1].given.join() === "y" && app.notices.value.length === 0, "the edge is gone, and so is the notice");
});

test("a problem of the menu that is younger than the preset's spec is taken", async () => {
  last?.leave();
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
  let late = own.change("b", { edit: "rename", of: "held", to: "late" });
  await until(() => traffic.asked.at(-1) === "/v1/edit" || traffic.asked.slice(-3).includes("/v1/edit"), "the edit is asked for");
  own.undo();
  go();
  assert.equal(await late, false);
  await until(() => names(own.form.value) === "stock,season,order", "Undo holds");
  assert.equal(own.future.value.length, 1);
  // A prior that is changed meanwhile stays, and so does the edit.
  await accepted(app);
  go = traffic.hold("/v1/edit");
  late = own.change("b", { edit: "rename", of: "stock", to: "late" });
  await until(() => traffic.asked.slice(-3).includes("/v1/edit"), "the edit is asked for");
  app.know({ edges: [["stock", "stock"]] });
  go();
  assert.equal(await late, true);
  assert.deepEqual(app.form.value.line.now.edges, [["late", "late"]]);
  // Another preset stays.
  await accepted(app);
  go = traffic.hold("/v1/edit");
  late = own.change("b", { edit: "rename", of: "late", to: "later" });
  await until(() => traffic.asked.slice(-3).includes("/v1/edit"), "the edit is asked for");
  links.choose(page.preset("river-swim"));
  go();
  assert.equal(await late, false);
  await until(() => app.form.value.domain.name === "river-swim" && own.form.value?.name !== "My inventory", "the preset is shown");
  go = traffic.hold("/v1/edit");
  late = own.change("b", { edit: "horizon", to: "3" });
  await until(() => traffic.asked.slice(-3).includes("/v1/edit"), "the edit is asked for");
  own.close();
  go();
  assert.equal(await late, false);
  assert.deepEqual([own.form.value, app.truth.value, app.form.value.domain.name], [undefined, undefined, "river-swim"]);
});

test("texts that were refused are forgotten when their cells are others", async () => {
  const { own } = await opened();
  await own.change("payoff 1", { edit: "payoff", at: 1, to: "demand" }, "demand");
  own.refuse("row season 0", "0.5 0.3", "The row sums to 0.8; it must sum to 1.");
  assert.deepEqual(Object.keys(own.faults.value), ["payoff 1", "row season 0"]);
  await own.change("fill season", { edit: "fill", of: "season", to: "uniform" });
  assert.deepEqual(Object.keys(own.faults.value), ["payoff 1"]);
  await own.change("payoff 0", { edit: "remove-payoff", at: 0 });
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
