// Oracle: the sentences around a chart, written by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, load } from "../../../test/modules.mjs";

const { comparison, origin } = await load("src/parts/experiment/origin.ts");
const { captionOf, columnTitle, costs, emptyWords, question, short, sourceWords } = await load("src/parts/experiment/words.ts");
const { figureOf } = await load("src/parts/experiment/chart.ts");
const spec = catalogue.presets[0].spec;
const result = {
  source: "run",
  name: "one",
  title: "Preset one",
  spec,
  engine: 1,
  runs: 4,
  fingerprint: "0123456789abcdef",
  curves: [],
  differences: [],
  conclusions: {},
  discovery: [],
};

test("a result is said to be from where it is", () => {
  assert.equal(origin(result), "Preset one: 4 runs, engine 1, fingerprint 01234567");
  assert.equal(origin({ ...result, source: "figure", runs: 1 }), "our own 1 run, engine 1, fingerprint 01234567");
  assert.deepEqual(
    ["figure", "file", "run"].map((source) => columnTitle({ ...result, source }, false)),
    ["Our 4 runs", "File, 4 runs", "4 runs"],
  );
  assert.equal(columnTitle({ ...result, runs: 0 }, true), "First run");
});

test("what differs from the settings is named, and what is the precomputed figure once more", () => {
  const other = { ...spec, episodes: 50 };
  assert.equal(comparison(result, spec), "The same settings.");
  assert.equal(comparison(result, other), "Computed with K = 400 instead of 50.");
  assert.equal(sourceWords(result, other, false), "The settings have changed since: K = 50 instead of 400.");
  assert.equal(sourceWords(result, other, true), "This run goes on as it began, with K = 400 instead of 50.");
  assert.equal(sourceWords(result, spec, true), "");
  assert.equal(sourceWords({ ...result, source: "figure" }, spec, false), "Precomputed: our own 4 runs, engine 1, fingerprint 01234567.");
  assert.equal(sourceWords({ ...result, source: "figure" }, other, false), "Precomputed with K = 400 instead of 50.");
  assert.equal(sourceWords({ ...result, source: "file" }, other, false), "From a file. The settings have K = 50 instead of 400.");
  const figure = { ...result, source: "figure", runs: 20 };
  assert.equal(sourceWords(result, spec, false, figure), "The same as the precomputed 20 runs, bit for bit.");
  assert.equal(sourceWords(result, spec, false, { ...figure, fingerprint: "fedcba9876543210" }), "");
});

test("what a result costs is a list of means with three digits", () => {
  const curve = (/** @type {string} */ agent, /** @type {number} */ last) => ({
    agent,
    measure: "cumulative-regret",
    episodes: Float64Array.of(1, 2),
    mean: Float64Array.of(1, last),
    lo: Float64Array.of(0, 0),
    hi: Float64Array.of(9, 9),
  });
  const some = { ...result, spec: { ...spec, agents: ["psrl", "c-psrl", "random"] }, curves: [curve("psrl", 190.04), curve("c-psrl", 4061.2)] };
  assert.equal(costs(some), "PSRL pays 190, C-PSRL 4060 (4 runs).");
  assert.equal(costs(result), "");
  assert.deepEqual([40.6429, 0, -3.456789, 0.061234].map(short), ["40.6", "0", "−3.46", "0.0612"]);
});

test("what surprises in the regret is asked: knowing a part of the graph may cost less than knowing all of it", () => {
  const curve = (/** @type {string} */ agent, /** @type {number} */ last) => ({ agent, mean: Float64Array.of(1, last) });
  assert.equal(question([curve("psrl", 9), curve("f-psrl", 5), curve("c-psrl", 4)]), "Why can C-PSRL pay less than F-PSRL, which knows the whole graph?");
  assert.equal(question([curve("psrl", 9), curve("f-psrl", 4), curve("c-psrl", 5)]), "");
  assert.equal(question([curve("psrl", 9), curve("c-psrl", 5)]), "");
  assert.equal(question([curve("f-psrl", 9)]), "");
  assert.equal(question([]), "");
});

test("a caption says the mean, the interval and who is missing", () => {
  assert.equal(
    captionOf(result, "recall", 1, false),
    "Recall: what is found. Mean over n\u00a0=\u00a04 runs; bands are 95% confidence intervals, Student’s t across runs. PSRL has no graph.",
  );
  assert.match(captionOf({ ...result, runs: 1 }, "recall", 2, true), /^Difference of two agents in each run.*One run: no interval yet\.$/);
  assert.equal(emptyWords(undefined, "recall", false, true), "Press Run: the curves grow here as they are computed.");
  assert.equal(emptyWords(result, "recall", true, true), "The first episodes are on their way.");
});

test("a caption says whether rewards tell of the graph", () => {
  const model = (/** @type {object} */ reward) => ({ name: "model", model: { reward: [{ given: ["a"], mean: [0, 1], kind: "fixed" }, reward] } });
  for (const [domain, rewards, says] of /** @type {const} */ ([
    [{ name: "random-fmdp", rewardScopes: "tied" }, "known", true],
    [{ name: "random-fmdp", rewardScopes: "tied" }, "learned", false],
    [{ name: "random-fmdp", rewardScopes: "own" }, "known", false],
    [{ name: "figure1" }, "known", true],
    [{ name: "taxi" }, "known", false],
    [model({ of: "a", given: ["a"], mean: [0, 1], kind: "bernoulli" }), "known", true],
    [model({ given: ["b"], mean: [0, 1], kind: "fixed" }), "known", false],
  ])) {
    const caption = captionOf({ ...result, spec: { ...spec, domain, rewards } }, "recall", 2, false);
    assert.equal(/ Known rewards depend on the true parents, so they tell about the graph\.$/.test(caption), says, `${domain.name}, ${rewards}`);
  }
});

test("of more points than a screen shows, each stretch keeps its least and its greatest", () => {
  const n = 5000;
  const mean = Float64Array.from({ length: n }, (_, k) => (k === 1234 ? -7 : k === 4321 ? 9 : Math.sin(k)));
  const nothing = new Float64Array(n).fill(NaN);
  const curve = { agent: "psrl", measure: "recall", episodes: Float64Array.from(mean, (_, k) => k + 1), mean, lo: nothing, hi: nothing };
  /** @type {[number, number][]} */
  const points = JSON.parse(
    figureOf({ measure: "recall", lines: [{ curve, mark: "" }], episodes: n, logX: false, logY: false }, { width: 100, height: 50, type: 13, theme: "light" }),
  ).lines[0].points;
  assert.ok(points.length <= 2 * 100 + 2 && points.length > 100, `${points.length} points`);
  assert.deepEqual(
    [points[0], points.at(-1)],
    [
      [1, 0],
      [n, mean[n - 1]],
    ],
  );
  assert.ok(points.some(([k, y]) => k === 1235 && y === -7) && points.some(([k, y]) => k === 4322 && y === 9));
  assert.deepEqual(
    points.map(([k]) => k),
    points.map(([k]) => k).toSorted((a, b) => a - b),
  );
});
