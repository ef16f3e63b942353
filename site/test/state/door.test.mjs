// Files: the engine says what they are, and the page asks for what a model of another program lacks, one thing at a time.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

const rough = "states: left right\nactions: stay go\nstart: 1 0\nT: stay : left\n0.3 0.3\nT: stay : right : right 1\nT: go : left : right 1\nT: go : right : left 1\nR: go : left : * : * 1\n";

test("a file that lacks the steps of an episode and rows that sum to 1 is read when both are given", async () => {
  const it = await page.open(undefined, "fig1-quick");
  const { app } = it;
  const lacked = () => app.files.lacking.value?.lacked;
  const give = (/** @type {string} */ text) => page.door.readAgain(it, { ...app.files.lacking.value, given: { ...app.files.lacking.value.given, [lacked().option]: text } });
  await page.door.openFiles(it, [new File([rough], "a walk.mdp")]);
  assert.deepEqual([lacked().option, lacked().value, lacked().button], ["horizon", "100", undefined]);
  await give("0");
  assert.match(app.files.untaken.value, /^“a walk\.mdp” could not be read: .*from 1 to 16384/);
  assert.equal(lacked().option, "horizon", "the answer can be another one");
  await give("7");
  assert.match(app.files.untaken.value, /sums to 0\.6/);
  assert.deepEqual([lacked().option, lacked().value, lacked().button], ["normalise", "1", true]);
  await give("1");
  await until(() => app.checked.value?.problem.name === "a walk", "the model is the problem");
  assert.equal(app.checked.value.problem.horizon, 7);
  assert.deepEqual([app.files.lacking.value, app.files.untaken.value], [undefined, ""]);
  assert.match(app.notices.value.find((/** @type {{name: string}} */ { name }) => name === "converted").text, /^“a walk\.mdp” is read as a model\. Rows whose sums differ from 1 by up to 0\.4 are scaled to sum to 1\./);
});

test("whatever a file is, it is opened as that, in the words of the engine if it cannot be", async () => {
  const it = await page.open(undefined, "fig1-quick");
  const { app, comparison } = it;
  const open = (/** @type {string} */ name, /** @type {any} */ text) => page.door.openFiles(it, [new File([text], name)]);
  const notice = () => app.notices.value.find((/** @type {{name: string}} */ { name }) => name === "converted")?.text;
  const edges = () => app.checked.value?.header.spec.prior?.edges;
  await open("known.dot", "digraph { X1 -> X2_next; X9 -> X1_next }");
  await until(() => edges()?.length === 1, "a graph is a prior");
  assert.deepEqual([edges(), /^A part of the graph is left out\. Line 1: /.test(notice())], [[["X1", "X2"]], true]);
  await open("known.csv", "from,to,p\nX1,X1,1\nX3,X2,0.8\n");
  await until(() => edges()?.length === 2, "a table of edges is a prior");
  assert.equal(notice(), undefined, "what was said of the file before is gone");
  await open("other.dot", "digraph { soil -> rain_next }");
  await until(() => app.files.untaken.value !== "", "a graph of other variables is refused");
  assert.match(app.files.untaken.value, /^The prior does not fit: it states no edge of this problem\. Line 1: /);
  assert.equal(edges().length, 2, "and changes nothing");
  const spec = { ...page.preset("fig1-quick").spec, episodes: 7, runs: 2 };
  await open("spec.json", JSON.stringify(spec));
  await until(() => app.checked.value?.header.spec.episodes === 7, "a spec is the experiment");
  const records = await page.engine_engine.bytes("/v1/run", JSON.stringify({ ...spec, runs: 1 }));
  await page.door.openFiles(it, [new File([records], "r.jsonl"), new File(["label,run,episode,regret\nmine,0,1,2\n"], "mine.csv")]);
  await until(() => comparison.main.value?.source === "file" && comparison.foreign.value.length === 1, "records, and results of another program");
  const coin = { format: "cpsrl/model", version: 1, name: "coin", horizon: 3, state: [{ name: "x", size: 2 }], action: [{ name: "a", size: 1 }], initial: "uniform", transition: [{ of: "x", given: [], p: [[0.5, 0.5]] }], reward: [] };
  await page.door.openFiles(it, [new File([JSON.stringify(coin)], "coin.json"), new File(["dag { x -> x }"], "second.txt")]);
  await until(() => app.checked.value?.problem.name === "coin", "a model is the problem");
  assert.equal(app.notices.value.find((/** @type {{name: string}} */ { name }) => name === "several").text, "Not opened: “second.txt”. One problem or prior can be opened at a time, and one log.");
  for (const [name, text, says] of /** @type {const} */ ([
    ["bad.json", "{", /^“bad\.json” could not be read: malformed JSON at byte 1/],
    ["cut.json", '{"format":"cpsrl/model",', /malformed JSON|unexpected end/],
    ["wide.json", Buffer.from("\ufeff{}", "utf16le"), /this file is UTF-16; save it as UTF-8/],
    ["figure.json", '{"format":"cpsrl/figure","version":1}', /it is a figure; records, results, a model, a prior, a spec, a graph or transitions can be opened/],
    ["table.csv", "run,regret\n0,1\n", /none of the formats of models/],
    ["odd.json", '{"format":"cpsrl/constructor"}', /it is in no format of this page/],
    ["list.json", "[1]", /it is in no format of this page; records, results, a model/],
  ])) {
    await open(name, text);
    assert.match(app.files.untaken.value, says, name);
    assert.equal(app.checked.value.problem.name, "coin");
  }
});

test("a model of six digits is taken, and a notice says which rows were scaled", async () => {
  const { app } = await page.open(undefined, "fig1-quick");
  const model = { format: "cpsrl/model", version: 1, name: "dice", horizon: 3, state: [{ name: "x", size: 3 }], action: [{ name: "a", size: 1 }], initial: "uniform",
    transition: [{ of: "x", given: [], p: [[0.333333, 0.333333, 0.333333]] }], reward: [] };
  app.turn({ name: "model", model }, JSON.stringify(model));
  await until(() => app.checked.value?.problem.name === "dice", "the model is the problem");
  assert.equal(app.notices.value.find((/** @type {{name: string}} */ { name }) => name === "scaled").text, "Scaled 1 row whose sum differs from 1 by 1e-06 (/domain/model/transition/0/p/0).");
});

test("a problem in RDDL is read from two files, and what is wrong has its file and line", async () => {
  const it = await page.open(undefined, "fig1-quick");
  const { app } = it;
  const domain = "domain lamp { pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n cpfs { on' = if (press) then ~on else Bernoulli(0.5); };\n reward = on; }";
  const instance = "// caf\u00e9\ninstance evening { domain = lamp; max-nondef-actions = 1; horizon = 9; discount = 1; }";
  const latin = new Uint8Array([...instance].map((c) => c.charCodeAt(0)));
  await page.door.openFiles(it, [new File([latin], "i.rddl"), new File([domain.replace("~on", "~off")], "d.rddl")]);
  await until(() => app.files.untaken.value !== "", "an unknown name is refused");
  assert.equal(app.files.untaken.value, "“i.rddl”, “d.rddl” could not be read: d.rddl, line 2, column 32: there is neither a fluent nor an object \"off\".");
  await page.door.openFiles(it, [new File([latin], "i.rddl"), new File([domain], "d.rddl")]);
  await until(() => app.checked.value?.problem.name === "evening", "the two files are one problem");
  assert.equal(app.checked.value.problem.horizon, 9);
});

test("a problem that is too large for some agents is played by the others, and one that no list holds by a search", async () => {
  const domain = "domain lamps { types { lamp : object; }; pvariables { on(lamp) : { state-fluent, bool, default = false }; press(lamp) : { action-fluent, bool, default = false }; };\n cpfs { on'(?l) = if (press(?l)) then ~on(?l) else Bernoulli(0.5); };\n reward = [sum_{?l : lamp} on(?l)]; }";
  const it = await page.open(undefined, "fig1-quick");
  const { app } = it;
  const open = (/** @type {number} */ n) => {
    const lamps = Array.from({ length: n }, (_, k) => `l${k}`).join(", ");
    const instance = `non-fluents evening { domain = lamps; objects { lamp : {${lamps}}; }; }\ninstance lamps${n} { domain = lamps; non-fluents = evening; max-nondef-actions = 1; horizon = 3; discount = 1; }`;
    return page.door.openFiles(it, [new File([domain], "d.rddl"), new File([instance], "i.rddl")]);
  };
  const said = () => app.notices.value.find((/** @type {{name: string}} */ { name }) => name === "fitted")?.text;
  await open(12);
  assert.deepEqual([app.checked.value.problem.name, app.form.value.agents], ["lamps12", ["f-psrl", "c-psrl"]]);
  assert.match(said(), /^Left out: PSRL would hold tables of 218103808 entries/);
  await open(24);
  assert.deepEqual([app.checked.value.problem.name, app.form.value.agents, app.checked.value.header.spec.planner], ["lamps24", ["f-psrl", "c-psrl"], "uct:300:10"]);
  assert.equal(said(), "Its agents search, since no list holds its states.");
  await open(2);
  assert.deepEqual([app.checked.value.problem.name, said()], ["lamps2", undefined]);
});
