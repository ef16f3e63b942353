// The link, the history of the tab, Reset and Undo, by hand: what a person does, and what the page then holds.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start, still, Tab, traffic, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

const home = "v=1&domain=taxi&grid=3x3";

/** Types into a field, a key after the other, as the form does. @param {any} app @param {string} pointer @param {string} text */
async function type(app, pointer, text, pause = 0) {
  for (let end = 1; end <= text.length; end++) {
    if (end > 1) await new Promise((resolve) => setTimeout(resolve, pause));
    app.edit(page.state_form.withValue(app.form.value, pointer, text.slice(0, end)), 300, pointer);
  }
}

/** @param {any} app @param {string} pointer */
const holds = (app, pointer) => page.state_form.fieldText(app.form.value, app.form.value.fields.find((/** @type {any} */ field) => field.pointer === pointer));

test("after a reload, Reset returns to what it returned to before, and Undo has its versions", async () => {
  const { app, tab } = await page.open();
  await type(app, "/episodes", "9");
  await until(() => tab.link.includes("episodes=9"), "the address has the edit");
  app.know({ edges: [] });
  await until(() => tab.link.includes("prior=none"), "the address has the prior");
  const again = await page.open(tab);
  assert.equal(again.app.form.value.line.past.length, 1, "the prior can be undone");
  await again.app.reset();
  assert.equal(holds(again.app, "/episodes"), "400");
  await until(() => tab.link === home, "the address follows Reset");

  // A preset's own link is not read by the engine, but has been left in some state, too.
  const last = await page.open(tab);
  assert.equal(last.app.form.value.line.past.length, 2, "Reset is one more version of the prior");
  assert.equal(last.app.preset.value.name, "fig2c");
});

test("what was left in another tab, or by another page, has no effect", async () => {
  const { spec } = page.preset("fig2c");
  const line = { past: [], now: undefined, future: [] };
  const left = { preset: "fig2c", base: spec, line };
  const strange = [
    ...[7, null, [], {}, { ...spec, domain: null }, { ...spec, domain: { name: 7 } }, { ...spec, agents: "psrl" }, { ...spec, agents: [7] }, { ...spec, episodes: "many" }, { ...spec, prior: 7 }, { ...spec, priors: { a: 7 } }, { ...spec, domain: { name: "model", model: { reward: 7 } } }].map((base) => ({ ...left, base })),
    ...[7, {}, { ...line, past: 7 }, { ...line, future: undefined }, { ...line, past: [7] }, { ...line, now: null }, { ...line, now: { edges: 7 } }, { ...line, now: { edges: [7] } }, { ...line, now: { edges: [["a", {}]] } }].map((line) => ({ ...left, line })),
  ];
  const tab = new Tab("v=1&domain=taxi&grid=3x3&episodes=9");
  for (const state of [{ cpsrl: 1, key: "1 1" }, { left: { preset: "gone", base: {}, line: {} } }, { left: 7 }, "text", ...strange]) {
    tab.entries[0] = { link: tab.link, state };
    const { app } = await page.open(tab);
    assert.equal(holds(app, "/episodes"), "9");
    assert.equal(app.failure.value, "");
    assert.equal(app.form.value.base.episodes, 9, JSON.stringify(state));
    assert.equal(app.form.value.line.past.length, 0);
  }
});

test("a link that other programs have changed opens the same experiment, and the address gets it as it was", async () => {
  const whole = "v=2&prior=row:move~.9,row&domain=taxi&grid=3x3&episodes=9&seed=11";
  for (const changed of [
    `?${whole}`,
    `?embed=1&theme=dark&${whole}&ui=prior,stage`,
    `?${whole}#top`,
    `?${whole.replaceAll("&", "&amp;")}`,
    `?${whole.split("&").sort().join("&")}`,
    `${whole}#?secret=Qw3rTyUiOp`,
    whole.replaceAll("&", "\\&"),
    whole.replaceAll("&", "\\u0026").replaceAll("=", "\\u003d"),
    whole.replaceAll("=", "=3D"),
    `!/${whole}`,
  ]) {
    const { app, tab } = await page.open(new Tab(changed));
    await until(() => tab.link === whole, `${changed} is ${whole}, not ${tab.link}`);
    assert.deepEqual([holds(app, "/seed"), holds(app, "/episodes"), app.form.value.line.now.edges], ["11", "9", [["move", "row", 0.9], ["row", "row"]]]);
    assert.deepEqual(app.notices.value.map((/** @type {any} */ { name }) => name), ["repaired"], changed);
  }
});

test("lines that were hidden, and the pair of a difference, do not travel to another experiment; how the chart is drawn does", async () => {
  const { app, links, tab } = await page.open();
  app.look({ hidden: ["f-psrl"], paired: true, pair: ["c-psrl", "psrl"], logY: true });
  await until(() => tab.link.includes("hide=f-psrl"), "the link has the hidden line");
  links.choose(page.preset("eta"));
  await until(() => app.checked.value?.link === page.preset("eta").link, "the preset is accepted");
  await still(tab);
  assert.deepEqual(app.view.value, { paired: true, logY: true });
  assert.ok(!/hide=|pair=/.test(tab.link), tab.link);
  tab.go(-1);
  await until(() => app.checked.value?.link === home, "Back shows the experiment before");
  assert.deepEqual(app.view.value.hidden, ["f-psrl"], "with its hidden line");
});

test("a link's heading and note are read, stay with an edit, and do not travel to another preset", async () => {
  const words = "heading=Which%20edge%3F&note=One%20of%20three:%20%3Cb%3E.";
  const { app, links, tab } = await page.open(new Tab(`v=1&${words}&domain=taxi&grid=3x3`));
  await until(() => app.checked.value, "the link is opened");
  assert.deepEqual(app.view.value, { heading: "Which edge?", note: "One of three: <b>." });
  await still(tab);
  app.know({ edges: [] });
  await until(() => tab.link === `v=1&prior=none&${words}&domain=taxi&grid=3x3`, "the edit keeps them");
  links.choose(page.preset("eta"));
  await until(() => app.checked.value?.link === page.preset("eta").link, "the preset is accepted");
  await still(tab);
  assert.deepEqual(app.view.value, {});
  assert.equal(tab.link, page.preset("eta").link);
  tab.go(-1);
  await until(() => app.view.value.heading === "Which edge?", "Back brings them back");

  // What cannot be shown is named, stays in the link, and leaves the experiment as it is.
  const long = `heading=${"a".repeat(81)}`;
  const other = await page.open(new Tab(`v=1&${long}&domain=taxi&grid=3x3`));
  await until(() => other.app.notices.value.some((/** @type {any} */ { name, text }) => name === "unknown" && text.includes("heading=aaa")), "the notice names it");
  assert.deepEqual(other.app.view.value, {});
});

test("while the stage moves on, what is typed is an entry of its own, and Back undoes it", async () => {
  const { app, tab } = await page.open();
  await still(tab);
  app.look({ watched: { run: 0, episode: 1 } });
  await until(() => tab.link.includes("watch="), "the address has the stage");
  const before = tab.entries.length;
  const typing = type(app, "/episodes", "250", 200);
  await new Promise((resolve) => setTimeout(resolve, 20));
  app.look({ watched: { run: 0, episode: 1, moment: "plan" } });
  await typing;
  await until(() => tab.link.includes("episodes=250"), "the address follows");
  assert.equal(tab.entries.length, before + 1);
  tab.go(-1);
  await until(() => holds(app, "/episodes") === "400", "Back undoes what was typed");
});

test("digits typed together are one entry, until the field is left; edits of two places are two", async () => {
  const { app, tab } = await page.open();
  await still(tab);
  await type(app, "/seed", "42", 450);
  await until(() => tab.link.includes("seed=42"), "the seed");
  assert.equal(tab.entries.length, 2);
  app.typed();
  await type(app, "/seed", "43", 450);
  await until(() => tab.link.includes("seed=43"), "another seed");
  assert.equal(tab.entries.length, 3, "the field was left in between");
  await type(app, "/runs", "7");
  await until(() => tab.link.includes("runs=7"), "the runs");
  assert.equal(tab.entries.length, 4);
  app.edit(page.state_form.withAgent(app.form.value, "psrl", false, []));
  await until(() => tab.link.includes("agents="), "the agents");
  assert.equal(tab.entries.length, 5);
  for (const at of [3, 2, 1, 0]) {
    const { link } = /** @type {{ link: string }} */ (tab.entries[at]);
    tab.go(-1);
    await until(() => app.checked.value?.link === link, `Back to ${link}`);
  }
  await still(tab);
  assert.equal(tab.entries.length, 5, "Back adds nothing");
  tab.go(4);
  await until(() => app.checked.value?.link.includes("agents="), "Forward to the end");
});

test("only an edit of a person adds an entry: a host, the tour and a link in the address do not", async () => {
  const { app, links, tab } = await page.open();
  await still(tab);
  await links.open("v=1&domain=figure1", false);
  await still(tab);
  assert.deepEqual(tab.links, ["v=1&domain=figure1"], "a host's link takes the place of the one before");
  await type(app, "/runs", "7");
  await until(() => tab.link.includes("runs=7"), "the edit");
  assert.equal(tab.entries.length, 2);
  tab.type("v=1&domain=taxi&grid=3x3&seed=5");
  await until(() => app.checked.value?.link.includes("seed=5"), "the link that was typed");
  await still(tab);
  assert.equal(tab.entries.length, 3, "the tab's own entry");
});

test("an edit that is made while a link is being opened is an entry after the link's", async () => {
  const { app, tab } = await page.open();
  await still(tab);
  const go = traffic.hold("/v1/open");
  traffic.meet = ((hold) => (message, send, answer) => message.kind === "question" && message.path === "/v1/open" ? hold?.(message, send, answer) ?? false : false)(traffic.meet);
  tab.type("v=1&domain=figure1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  app.edit(page.state_form.withValue(app.form.value, "/seed", "3"));
  go();
  await until(() => app.checked.value?.link === "v=1&domain=figure1", "the link is newer than the form it replaces");
  await still(tab);
  assert.deepEqual(tab.links, [home, "v=1&domain=figure1"]);
});

test("a refused link stays in the address until something else is shown", async () => {
  const tab = new Tab("v=1&domain=taxi&runs=1000000000");
  const { app, links } = await page.open(tab);
  await still(tab);
  assert.equal(tab.link, "v=1&domain=taxi&runs=1000000000");
  assert.equal(links.link.value, "", "nobody is told of another link");
  assert.match(app.notices.value[0].text, /^This link cannot be opened\. Runs: 1000000000 is out of range/);
  app.look({ logY: true });
  await still(tab);
  assert.equal(tab.link, "v=1&domain=taxi&runs=1000000000", "another view leaves it there");
  await type(app, "/runs", "7");
  await until(() => tab.link.includes("runs=7"), "an edit takes its place");
  assert.deepEqual(app.notices.value, []);
});

test("the engine is asked once about a link, and not again to run it", async () => {
  const { length } = traffic.asked;
  const { app } = await page.open(new Tab("v=1&domain=figure1&episodes=5&runs=1"));
  await until(() => app.phase.value === "finished", "it has run by itself");
  const asked = traffic.asked.slice(length).filter((path) => path === "/v1/open" || path === "/v1/check");
  assert.deepEqual(asked, ["/v1/open"]);
});

test("a sentence that is announced again is announced", async () => {
  const { app } = await page.open();
  /** @type {string[]} */
  const heard = [];
  app.live.subscribe((/** @type {string} */ words) => void heard.push(words));
  app.announce("Undone.");
  app.announce("Undone.");
  assert.equal(new Set(heard.slice(1)).size, 2, "the live region changes");
  assert.deepEqual(heard.slice(1).map((words) => words.trim()), ["Undone.", "Undone."]);
});
