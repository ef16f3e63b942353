// The figure in Chromium: the chart, its read-out, kept results, exports and results from files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { count, drawn, golden, holdFiles, largeModel, launch, open, reach, resize, runByHand, runsDrawn, start, stopEarly } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases, onlyLong } from "./long.mjs";
import { seemly, seemlyEverywhere } from "./looks.mjs";

/** @typedef {import("playwright-core").Page} Page */

const root = fileURLToPath(new URL("../..", import.meta.url));
const figures = new URL("../figures/", import.meta.url);

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
const work = mkdtempSync(join(tmpdir(), "cpsrl-experiment-"));
const command = join(work, "cpsrl");

before(async () => {
  site = await start();
  execFileSync("go", ["build", "-o", command, "./core/cmd/cpsrl"], { cwd: root });
});
after(async () => {
  await site.stop();
  rmSync(work, { recursive: true, force: true });
});

/** @param {string[]} args */
const cpsrl = (...args) => execFileSync(command, args, { maxBuffer: 1 << 28 });

/**
 * @param {Page} page
 * @param {string} preset
 */
async function runPreset(page, preset) {
  await find.choose(page, preset);
  await find.run(page).click();
  await reach(page, "finished");
}

/** @param {import("playwright-core").Locator} of */
const textOf = async (of) => ((await of.textContent()) ?? "").replaceAll("‑", "-").replaceAll("\u00a0", " ");

/** Waits until the conclusion has these words. @param {Page} page @param {string} words */
const concluded = (page, words) => find.conclusion(page).filter({ hasText: new RegExp(words.replaceAll("-", "[-‑]")) }).waitFor();

/** @param {import("./finds.mjs").Place} place */
const exportDialog = (place) => find.dialog(place, "Export");

/**
 * The labels of the chart that overlap, or leave the picture.
 * @param {Page} page
 */
const crowded = async (page) => (await drawn(page)) && page.evaluate(() => {
  const frame = /** @type {Element} */ (document.querySelector("#chart svg")).getBoundingClientRect();
  const names = [...document.querySelectorAll("#chart svg text")].filter(({ textContent }) => /[A-Za-zη]/.test(textContent ?? ""));
  const boxes = names.map((node) => ({ name: node.textContent, box: node.getBoundingClientRect() }));
  const bad = [];
  for (const [i, { name, box }] of boxes.entries()) {
    if (box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) bad.push(`${name} is outside`);
    for (const other of boxes.slice(0, i)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 1 && down > 3) bad.push(`${name} overlaps ${other.name}`);
    }
  }
  return bad;
});

test("each preset opens on its precomputed figure, which stays as thin lines behind a different live run", async (t) => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  assert.ok((await page.locator("#chart path.curve").count()) > 0);
  await drawn(page);
  const [paint, chart] = await page.evaluate(() => ["first-contentful-paint", "chart"].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN));
  t.diagnostic(`first paint at ${Math.round(paint ?? NaN)} ms, the figure at ${Math.round(chart ?? NaN)} ms`);
  const names = readdirSync(figures).filter((name) => name.endsWith(".json"));
  assert.ok(names.length > 0);
  for (const name of names) {
    const figure = JSON.parse(readFileSync(new URL(name, figures), "utf8"));
    await find.choose(page, name.replace(".json", ""));
    const said = `Precomputed: our own ${figure.runs} runs, engine ${figure.engine}, fingerprint ${figure.fingerprint.slice(0, 8)}.`;
    await find.until(async () => (await find.source(page).textContent())?.startsWith(said) ?? false, said);
    const measure = figure.regret === undefined ? "cumulative-regret" : "return"; // it says why there is no regret
    const curves = figure.series.filter((/** @type {any} */ s) => s.measure === measure && s.base === undefined);
    assert.equal(await count(page, "curve"), curves.length, name);
    assert.equal(await count(page, "ghost"), 0);
    assert.equal(await textOf(find.conclusion(page)), figure.conclusions[measure]);
    assert.deepEqual(await crowded(page), []);
  }
  await find.choose(page, "fig1");
  await find.run(page).click();
  await reach(page, "finished");
  assert.match(await textOf(find.source(page)), /^The same as the precomputed \d+ runs, bit for bit\.$/);
  assert.equal(await count(page, "ghost"), 0, "the same lines are not drawn twice");
  const preset = names.includes("fig2c.json") ? "fig2c" : (names[0] ?? "").replace(".json", "");
  await find.choose(page, preset);
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await page.waitForFunction(() => document.querySelectorAll("#chart path.curve").length === 3 && document.querySelectorAll("#chart path.ghost").length === 3);
  assert.match(await textOf(find.kept(page)), /Our own 20 runs, engine 2, fingerprint [0-9a-f]{8}\. Computed with 20 runs instead of 10000\.×$/);
  await stopEarly(page);
  assert.equal(await count(page, "ghost"), 3);
  await find.kept(page).getByRole("button").click();
  assert.equal(await count(page, "ghost"), 0);
  assert.equal(await count(page, "curve"), 3);
  assert.deepEqual(complaints, []);
  await close();
});

test("the chart can show medians with quantiles, or a line for each run, which leads to the run", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=60&runs=4&band=runs`);
  await find.shownInstead(page).filter({ hasText: "must be computed here first" }).waitFor();
  assert.equal(await textOf(find.shownInstead(page)), "The precomputed figure holds means only. Its runs must be computed here first. The chart shows means with 95% intervals. Run them here");
  assert.equal(await find.shows(page).inputValue(), "runs");
  assert.deepEqual([await count(page), await count(page, "run")], [3, 0]);
  assert.match(await textOf(find.caption(page)), /bands are 95% confidence intervals/);
  await page.getByRole("button", { name: "Run them here", exact: true }).click();
  await reach(page, "finished");
  await page.waitForSelector("#chart path.run", { state: "attached" });
  assert.deepEqual([await count(page), await count(page, "run")], [3, 12]);
  assert.match(await textOf(find.caption(page)), /Each thin line is one of n = 4 runs; heavy lines are their means\./);
  assert.equal(await find.shownInstead(page).isVisible(), false);
  await seemly(page, "each run");

  // By keyboard: ArrowDown goes through the lines at an episode, and a button opens the stage at the run.
  const said = () => find.reading(page).getAttribute("aria-valuetext");
  await find.reading(page).focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  const first = (await said()) ?? "";
  assert.match(first, /^3 of \d+\. (F-|C-)?PSRL, run \d: [\d.]+\. /);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await said(), first);
  const [, name = "", run = ""] = /\. (.*), run (\d)/.exec((await said()) ?? "") ?? [];
  const label = name.toLowerCase();
  await page.keyboard.press("Tab");
  assert.ok(await find.watchChosen(page).evaluate((button) => button === document.activeElement), "the button is the next stop");
  assert.match(await textOf(find.watchChosen(page)), new RegExp(`^Watch episode 3 of ([FC-]*PSRL, )?run ${run}$`));
  await page.keyboard.press("Enter");
  await page.waitForFunction((end) => location.hash.endsWith(end), `&band=runs&watch=${run},3,sample,${label}`);

  // Medians and quantiles of the same records; the link has the choice, too.
  await find.shows(page).selectOption("quantiles");
  await find.caption(page).filter({ hasText: /^Cumulative regret.*Median over n/ }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#chart path[fill-opacity]").length === 6);
  assert.equal(await count(page, "run"), 0);
  await page.waitForFunction(() => location.hash.includes("&band=quantiles&"));
  const csv = cpsrl("run", "-preset", "fig1-quick", "-o", join(work, "spread.jsonl")) && cpsrl("summary", join(work, "spread.jsonl"), "-band", "quantiles").toString();
  assert.match((await find.readout(page).locator("thead").textContent()) ?? "", /runs, medians.*, means$/);
  const episode = await find.readout(page).locator("thead span").first().textContent();
  const row = (csv.split("\n").find((line) => line.startsWith(`c-psrl,${episode},`)) ?? "").split(",");
  const shown = await find.rows(find.readout(page)).last().getByRole("cell").first().locator("span, small").allTextContents();
  const numbers = shown.join(" to ").split(/ to |–/).map(Number);
  assert.equal(numbers.length, 3);
  for (const [k, value] of numbers.entries()) assert.ok(Math.abs(value - Number(row[2 + k])) < 0.001, `${shown} differs from ${row}`);
  await seemly(page, "quantiles");

  // A difference is always shown as its mean, and lines of runs only for the settings that were run. The page says why.
  await find.difference(page).click();
  await find.shownInstead(page).filter({ hasText: /^A difference is shown as its mean/ }).waitFor();
  await find.difference(page).click();
  await find.shows(page).selectOption("runs");
  await page.waitForSelector("#chart path.run", { state: "attached" });
  await find.seed(page).fill("5");
  await find.shownInstead(page).filter({ hasText: /^The settings have changed since/ }).waitFor();
  await find.shows(page).selectOption("interval");
  await page.waitForFunction(() => !location.hash.includes("band="));
  assert.equal(await find.shownInstead(page).isVisible(), false);
  assert.deepEqual(complaints, []);
  await close();
});

test("the chart can show a dot for each run, at its last value or at the episodes until learned, which leads to the run", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3&episodes=100&runs=6&band=final`, { until: ["finished"] });
  await page.waitForSelector("#chart path.dot", { state: "attached" });
  assert.deepEqual([await count(page), await count(page, "dot")], [0, 18]);
  assert.match(await textOf(find.caption(page)), /Each dot is one of n = 6 runs after its last episode; bars are medians\./);
  await seemly(page, "last values");

  // The command gives the same numbers.
  const file = join(work, "dots.jsonl");
  cpsrl("run", "-preset", "fig2c", "-episodes", "100", "-runs", "6", "-o", file);
  const rows = cpsrl("summary", file, "-endings").toString().trim().split("\n").filter((line) => /^(f-|c-)?psrl,/.test(line)).map((line) => line.split(","));
  assert.equal(rows.length, 18);
  await find.unfold(page, "Data behind the chart");
  await find.data(page).last().waitFor();
  const ends = cpsrl("summary", file, "-band", "final").toString();
  const learnedIn = /^# Learned: PSRL in (.*?\)), F-PSRL in (.*?\)), C-PSRL in (.*?\))\.$/m.exec(ends)?.slice(1) ?? [];
  const told = await find.rows(find.data(page).first()).getByRole("cell").allTextContents();
  for (const [k, line] of ends.trim().split("\n").slice(-3).entries()) {
    const numbers = line.split(",").slice(1, 10).map(Number);
    const seen = told.slice(4 * k, 4 * k + 3).flatMap((cell) => cell.split(/ \(| to |\)/).filter(Boolean).map(Number));
    assert.ok(seen.length === 9 && seen.every((value, i) => Math.abs(value - (numbers[i] ?? NaN)) < 0.01), `${told}: ${line}`);
    assert.equal(told[4 * k + 3], learnedIn[k]);
  }
  const cells = await find.rows(find.data(page)).getByRole("cell").allTextContents();
  for (const [agent, run, , final, learned] of rows) {
    const at = 6 * Number(run) + 2 * ["psrl", "f-psrl", "c-psrl"].indexOf(agent ?? "");
    assert.ok(Math.abs(Number(cells[at]) - Number(final)) < 0.01, `${agent}, run ${run}: ${cells[at]}, ${final}`);
    assert.equal(cells[at + 1], learned || "not yet");
  }

  // The keyboard goes from dot to dot and begins with PSRL's least.
  const said = () => find.reading(page).getAttribute("aria-valuetext");
  const least = rows.filter(([agent]) => agent === "psrl").toSorted((a, b) => Number(a[3]) - Number(b[3]))[0];
  await find.reading(page).focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await said())?.includes(`. PSRL, run ${least?.[1]}: ${Number(least?.[3]).toFixed(2)}. `), (await said()) ?? "");
  await page.keyboard.press("Escape");

  // A click on the first dot of C-PSRL leads to the episode in which that run has learned.
  await find.shows(page).selectOption("learned");
  await find.caption(page).filter({ hasText: /^Episodes until an agent has learned: each dot is one of n\s=\s6 runs, bars are medians\. An agent has learned after k episodes if/ }).waitFor();
  await page.waitForFunction(() => location.hash.includes("band=learned"));
  await drawn(page);
  const soonest = rows.filter(([agent, , , , learned]) => agent === "c-psrl" && learned).toSorted((a, b) => Number(a[4]) - Number(b[4]) || Number(a[1]) - Number(b[1]))[0] ?? [];
  const box = await page.locator("#chart path.dot").nth(12).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const spoken = `. C-PSRL, run ${soonest[1]}: after ${soonest[4]} episodes. `;
  await find.until(async () => (await said())?.includes(spoken) ?? false, spoken);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await find.watchChosen(page).click();
  await page.waitForFunction((watch) => location.hash.includes(watch), `&watch=${soonest[1]},${soonest[4]}`);
  await seemly(page, "episodes until learned");
  assert.deepEqual(complaints, []);
  await close();
});

test("the figure is shown before any script, and nothing moves when the page draws its own, whatever the letters' width", async () => {
  for (const [width, height, spacing] of /** @type {const} */ ([[1280, 900, "0"], [1280, 800, "0.1em"], [1366, 768, "-0.05em"], [1024, 768, "0"], [1024, 768, "0.1em"], [700, 900, "0"], [390, 844, "0"], [390, 844, "0.1em"]])) {
    const context = await site.browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await page.addInitScript((spacing) => {
      const style = new CSSStyleSheet(); // the policy allows no other
      style.replaceSync(`* { letter-spacing: ${spacing} !important; }`);
      document.adoptedStyleSheets = [style];
    }, spacing);
    const release = await holdFiles(page, "**/assets/page-*.js");
    await page.goto(`${site.origin}fig2c/`, { waitUntil: "commit" });
    await page.waitForFunction(() => {
      const styles = [...document.querySelectorAll("head > link[rel=stylesheet]")]; // there are none until the head has arrived
      return styles.length > 0 && styles.every((link) => /** @type {HTMLLinkElement} */ (link).sheet);
    });
    await page.waitForSelector("#chart path.curve >> visible=true");
    const place = () => page.evaluate(() => {
      const chart = /** @type {HTMLElement} */ (document.getElementById("chart"));
      const { x, y, width, height } = chart.getBoundingClientRect();
      return { shown: [...chart.querySelectorAll("svg")].filter((svg) => svg.clientWidth > 0).length, x, y, width, height };
    });
    const before = await place();
    assert.equal(before.shown, 1, `${width} px`);
    release();
    await drawn(page);
    await page.locator('html[data-state="ready"]').waitFor();
    assert.deepEqual(await place(), before, `${width} × ${height}, ${spacing}`);
    await context.close();
  }
});

test("keys and pointer read out the numbers of the table", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "fig2c-quick");
  await find.unfold(page, "Data behind the chart");
  await find.data(page).waitFor();
  for (const measure of cases(["model-error"], ["cumulative-regret", "parents"])) {
    await find.measure(page).selectOption(measure);
    await find.reading(page).focus();
    const rows = await find.rows(find.data(page)).evaluateAll((list) => list.map((tr) => [...tr.children].map((cell) => cell.textContent ?? "")));
    const names = await find.data(page).locator("thead th[scope=colgroup]").allTextContents();
    await page.keyboard.press("Home");
    for (const [episode = "", ...values] of rows) {
      for (let presses = 0; (await find.reading(page).inputValue()) !== episode; presses++) {
        assert.ok(presses < 1000, `the keys reach episode ${episode}`);
        await page.keyboard.press("ArrowRight");
      }
      const mine = names.map((name, i) => `${name} ${values[3 * i]}, 95% interval ${values[3 * i + 1]} to ${values[3 * i + 2]}`);
      const spoken = (await find.reading(page).getAttribute("aria-valuetext")) ?? "";
      const parts = spoken.replace(/\.$/, "").replace(/^\d+ of \d+\. /, "").split("; ");
      assert.deepEqual(parts.slice(0, names.length), mine, `${measure}, episode ${episode}`);
      const shown = await find.rows(find.readout(page)).locator("td:nth-child(2)").evaluateAll((list) => list.map((td) => [...td.children].map((part) => part.textContent)));
      assert.deepEqual(shown, names.map((_, i) => [values[3 * i], `${values[3 * i + 1]}${values[3 * i + 1]?.startsWith("−") ? " to " : "–"}${values[3 * i + 2]}`]));
    }
    assert.equal(await page.locator("#chart .cursor line").count(), 1);
  }
  await page.keyboard.press("Home");
  assert.equal(await find.reading(page).inputValue(), "1");
  await page.keyboard.press("PageUp");
  assert.equal(await find.reading(page).inputValue(), "11");
  await page.keyboard.press("End");
  assert.equal(await find.reading(page).inputValue(), "100");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#chart .cursor line").count(), 0);

  // The pointer reads out an episode, too.
  const box = /** @type {NonNullable<Awaited<ReturnType<import("playwright-core").Locator["boundingBox"]>>>} */ (await page.locator("#chart path.curve").first().boundingBox());
  await page.mouse.move(box.x + (box.width * 50) / 99, box.y + box.height / 2); // the curve spans the episodes 1 to 100
  await find.holds(find.reading(page), "51");
  assert.deepEqual(complaints, []);
  await close();
});

test("agents can be hidden, and logarithmic axes say which points they leave out", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "fig2c-quick");
  await find.readout(page).getByRole("checkbox", { name: "PSRL", exact: true }).click();
  assert.equal(await count(page, "curve"), 2);
  assert.ok(!(await find.reading(page).getAttribute("aria-valuetext"))?.includes(" PSRL"));
  await page.keyboard.press("Space");
  assert.equal(await count(page, "curve"), 3);
  await find.logScale(page).click();
  await find.logEpisodes(page).click();
  assert.equal(await find.logScale(page).getAttribute("aria-pressed"), "true");
  assert.deepEqual(await crowded(page), []);
  await drawn(page);
  assert.match(await textOf(page.locator("#chart svg")), /episode k \(log\)/);
  await find.measure(page).selectOption("regret");
  const zeros = await find.rows(find.readout(page)).count();
  assert.ok(zeros > 0);
  await drawn(page);
  // What the chart leaves out stands beside it, whether or not the words about the numbers are unfolded.
  const caption = await textOf(page.locator("#cut"));
  const [, n] = /Left out, for a logarithmic axis has no zero: .*?(\d+) of 100 points of F-PSRL/.exec(caption) ?? [];
  // The command's means say which points are zero.
  writeFileSync(join(work, "quick.jsonl"), cpsrl("run", "-preset", "fig2c-quick"));
  const csv = cpsrl("summary", "-of", "regret", join(work, "quick.jsonl")).toString();
  const none = csv.split("\n").filter((line) => line.startsWith("f-psrl,") && Number(line.split(",")[2]) <= 0);
  assert.equal(Number(n ?? 0), none.length, caption);
  assert.match(caption, /Bands are cut off at [\d.]+\./);
  assert.deepEqual(complaints, []);
  await close();
});

test("the paired difference has its own curve, band and sentence", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "fig2c-quick");
  assert.equal(await textOf(find.difference(page)), "C-PSRL − PSRL");
  await find.difference(page).click();
  assert.ok((await count(page, "curve")) === 1);
  assert.match(await textOf(find.conclusion(page)), /C-PSRL minus PSRL by run/);
  assert.match(await textOf(find.caption(page)), /same true model/);
  assert.equal(await find.logScale(page).isDisabled(), true);
  await find.unfold(page, "Data behind the chart");
  await find.data(page).waitFor();
  writeFileSync(join(work, "quick.jsonl"), cpsrl("run", "-preset", "fig2c-quick"));
  const last = cpsrl("summary", "-paired", "c-psrl,psrl", join(work, "quick.jsonl")).toString().trim().split("\n").at(-1)?.split(",") ?? [];
  const shown = (await find.rows(find.data(page)).last().getByRole("cell").allTextContents()).map((text) => Number(text.replace("−", "-")));
  for (const [i, value] of shown.entries()) assert.ok(Math.abs(value - Number(last[2 + i])) < 0.006, `${value} and ${last[2 + i]}`);
  await find.unfold(page, "Weak causal discovery");
  const discovery = page.getByRole("table", { name: /^Sampled graphs against the true one/ });
  await discovery.waitFor();
  assert.match(await textOf(find.fold(page, "Weak causal discovery").getByRole("paragraph")), /^A graph that C-PSRL sampled, drawn at random from the 4 runs, contains the true graph with probability \d+%; /);
  assert.equal(await find.rows(discovery).count(), 2);
  await seemly(page, "difference");
  assert.deepEqual(complaints, []);
  await close();
});

test("any two lines have a paired difference, also with a kept run that met the same true models", async () => {
  const problem = "v=1&domain=random-fmdp&states=3&actions=1&parents=2&horizon=5&z=3&episodes=8&runs=3";
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${problem}`, { until: ["finished"] });
  await find.difference(page).click();
  const pair = page.getByRole("group", { name: "Difference of two lines", exact: true });
  const [agent, base] = [pair.getByRole("combobox", { name: "Difference:", exact: true }), pair.getByRole("combobox", { name: "minus", exact: true })];
  await agent.waitFor();
  assert.deepEqual(await agent.getByRole("option").allTextContents().then((list) => list.map((text) => text.replaceAll("‑", "-"))), ["PSRL", "F-PSRL", "C-PSRL"]);
  await base.selectOption("f-psrl");
  await concluded(page, "C-PSRL minus F-PSRL by run");
  assert.equal(await textOf(find.difference(page)), "C-PSRL − F-PSRL");
  await drawn(page);
  assert.equal(await count(page, "curve"), 1);
  await page.waitForFunction(() => location.hash.includes("paired=c-psrl,f-psrl"));
  writeFileSync(join(work, "three.jsonl"), cpsrl("run", "-link", problem));
  const [last = ""] = cpsrl("summary", "-paired", "c-psrl,f-psrl", join(work, "three.jsonl")).toString().trim().split("\n").slice(-1);
  const shown = Number((await textOf(find.rows(find.readout(page)).first().getByRole("cell").first().locator("span").first())).replace("−", "-"));
  assert.ok(Math.abs(shown - Number(last.split(",")[2])) < 0.006, `${shown} and ${last}`);
  const link = page.url();

  // By keyboard: Swap exchanges the two lines.
  await page.getByRole("button", { name: "Swap", exact: true }).focus();
  await page.keyboard.press("Enter");
  await concluded(page, "F-PSRL minus C-PSRL by run");
  const swapped = Number((await textOf(find.rows(find.readout(page)).first().getByRole("cell").first().locator("span").first())).replace("−", "-"));
  assert.equal(swapped, -shown);

  // A kept run with another prior met the same models, but one with another seed did not.
  await find.keep(page).click();
  await find.priorFrom(page).selectOption("0");
  await find.run(page).click();
  await reach(page, "finished");
  await agent.selectOption("c-psrl");
  await base.selectOption("A c-psrl");
  await concluded(page, "C-PSRL minus C-PSRL, A by run");
  await drawn(page);
  assert.equal(await textOf(find.readout(page).getByRole("rowheader").first()), "C-PSRL − C-PSRL, A");
  await page.waitForFunction(() => /paired=1(&|$)/.test(location.hash)); // a link cannot name a kept run
  assert.deepEqual(await crowded(page), []);
  await seemly(page, "difference with a kept run");

  await find.seed(page).fill("9");
  await find.run(page).click();
  await reach(page, "finished");
  await find.unplotted(page).filter({ hasText: /^Run 0 has another true model in each experiment/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();

  const fresh = await open(site.browser, link, { until: ["finished"] });
  await concluded(fresh.page, "C-PSRL minus F-PSRL by run");
  assert.deepEqual(fresh.complaints, []);
  await fresh.close();
});

test("kept runs stay as thin lines and say how their settings differ", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig1-quick");
  await page.waitForFunction(() => document.getElementById("chart")?.textContent !== "");
  await find.run(page).click();
  await reach(page, "finished");
  const drop = find.kept(page).getByRole("button");
  while (await drop.count()) await drop.first().click();
  for (const seed of ["2", "3", "4", "5"]) {
    for (const name of [/^Drop [A-D]$/, /^Keep as [A-D]$/, /^Drop [A-D]$/]) {
      await find.keep(page).click();
      assert.match(await textOf(find.keep(page)), name);
    }
    await find.seed(page).fill(seed);
    await find.run(page).click();
    await reach(page, "finished");
  }
  assert.equal(await count(page, "ghost"), 12);
  assert.equal(await find.keep(page).isDisabled(), true);
  const words = await find.kept(page).getByRole("listitem").locator("span.hidden").allTextContents();
  assert.deepEqual(words.map((text) => /Computed with .*\.$/.exec(text.replaceAll("\u00a0", " "))?.[0]), ["1", "2", "3", "4"].map((seed) => `Computed with seed ${seed} instead of 5.`));
  assert.deepEqual(await find.readout(page).getByRole("columnheader").locator("b").allTextContents(), ["A", "B", "C", "D"]);
  assert.deepEqual(await crowded(page), []);
  await seemly(page, "four kept");
  for (const width of [390, 320]) {
    await resize(page, { width, height: 844 });
    await fitted(page);
    await seemly(page, `four kept, ${width} px`);
    assert.deepEqual(await crowded(page), [], `${width} px`);
  }
  await page.getByRole("button", { name: "Drop B", exact: true }).click();
  assert.equal(await count(page, "ghost"), 9);
  assert.ok(await find.focused(find.keep(page)));
  await find.keep(page).click();
  assert.deepEqual(await find.kept(page).getByRole("listitem").locator("b").allTextContents(), ["A", "B", "C", "D"], "the shown run is B");
  await find.choose(page, "fig2c");
  assert.deepEqual(complaints, []);
  await close();
});

test("a kept run names the prior, Z and the switches in which the shown run differs", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "fig2c-quick");
  await find.keep(page).click();
  await find.clear(page).click();
  await find.sparseness(page).fill("4");
  await find.fold(page, "Switches").getByRole("combobox", { name: "Hyper-posterior", exact: true }).selectOption("printed");
  await find.run(page).click();
  await reach(page, "finished");
  const words = (await find.kept(page).getByRole("listitem").locator("span.hidden").allTextContents()).map((text) => text.replaceAll("\u00a0", " "));
  assert.deepEqual(words.map((text) => /Computed with .*\.$/.exec(text)?.[0]), [
    "Computed with Z = 5 instead of 4, update exact instead of as printed and prior: suggested edges instead of no edges.",
  ]);
  assert.deepEqual(complaints, []);
  await close();
});

/** Waits until the chart fills the width of its box. @param {import("playwright-core").Page} page */
const fitted = (page) => page.waitForFunction(() => {
  const chart = document.getElementById("chart");
  return chart?.querySelector("svg")?.getAttribute("width") === String(chart?.clientWidth);
});

test("the five curves of eta have different looks, and their labels do not overlap", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "eta-quick");
  assert.equal(await count(page, "curve"), 5);
  const looks = await page.$$eval("#chart path.curve", (list) => list.map((g) => `${g.getAttribute("stroke")} ${g.getAttribute("stroke-dasharray")}`));
  assert.equal(new Set(looks).size, 5);
  assert.equal(new Set(looks.map((l) => l.split(" ")[0])).size, 5);
  for (const width of [1280, 390]) {
    await resize(page, { width, height: 844 });
    await fitted(page);
    assert.deepEqual(await crowded(page), [], `${width} px`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

/**
 * Chooses a format in the export dialog and downloads the file.
 * @param {Page} page
 * @param {string} format
 * @param {Record<string, string>} options
 */
async function take(page, format, options = {}) {
  await find.exportFormat(page).selectOption(format);
  for (const [name, value] of Object.entries(options)) await exportDialog(page).getByRole("combobox", { name, exact: true }).selectOption(value);
  const [download] = await Promise.all([page.waitForEvent("download"), exportDialog(page).getByRole("button", { name: "Download", exact: true }).click()]);
  const path = join(work, download.suggestedFilename());
  await download.saveAs(path);
  return { path, name: download.suggestedFilename(), bytes: readFileSync(path) };
}

/**
 * Asserts that two tables are the same except for the last bits of their statistics,
 * which are outside the promise of one arithmetic.
 * @param {string} a
 * @param {string} b
 */
function alike(a, b) {
  const [mine, theirs] = [a.split("\n"), b.split("\n")];
  assert.equal(mine.length, theirs.length);
  for (const [i, line] of mine.entries()) {
    if (line === theirs[i]) continue;
    const other = (theirs[i] ?? "").split(",");
    for (const [k, cell] of line.split(",").entries()) {
      if (cell !== other[k]) assert.ok(k >= 2 && k <= 4 && Math.abs(Number(cell) - Number(other[k])) < 1e-12, `${line}\n${theirs[i]}`);
    }
  }
}

test("an exported picture depends neither on the machine's fonts nor on how often the page has drawn", onlyLong, async () => {
  const config = join(work, "fonts.conf");
  writeFileSync(config, `<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>
    <selectfont><rejectfont>${["Sans", "Inter", "Roboto", "Helvetica", "Arial"].map((name) => `<glob>*${name}*</glob>`).join("")}</rejectfont></selectfont><cachedir>${work}/fonts</cachedir></fontconfig>`);
  const other = await launch({ env: { FONTCONFIG_FILE: config } });
  const made = [];
  for (const browser of [site.browser, other]) {
    const { page, complaints, close } = await open(browser, `${site.origin}fig2c/`);
    const width = await page.evaluate(() => {
      const pencil = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
      pencil.font = getComputedStyle(document.body).font;
      return pencil.measureText("Which fonts are there?").width;
    });
    if (browser === other) {
      await find.logScale(page).click();
      await find.logScale(page).click();
    }
    await find.exporting(page).click();
    made.push({ width, svg: (await take(page, "svg")).bytes, png: (await take(page, "png")).bytes });
    assert.deepEqual(complaints, []);
    await close();
  }
  await other.close();
  const [here, there] = made;
  assert.notEqual(there?.width, here?.width, "the two browsers have different fonts");
  assert.equal(there?.svg.toString(), here?.svg.toString());
  assert.deepEqual(there?.png, here?.png);
});

test("every export can be read by the program it is for", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await runPreset(page, "fig2c-quick");
  const fingerprint = golden.presets["fig2c-quick"] ?? "";
  const print = fingerprint.slice(0, 8);
  await find.measure(page).selectOption("model-error");
  await find.exporting(page).click();
  await find.dialog(page, "Export").waitFor();
  await seemly(page, "export");

  const records = await take(page, "jsonl");
  assert.equal(records.name, `fig2c-quick-records-${print}.jsonl`);
  assert.deepEqual(records.bytes, cpsrl("run", "-preset", "fig2c-quick"));
  const base = ["-base", `${site.origin.replace(/\/?$/, "/")}v2/`]; // a receipt names its version
  const summary = await take(page, "csv");
  assert.equal(summary.name, `fig2c-quick-model-error-${print}.csv`);
  alike(summary.bytes.toString(), cpsrl("summary", "-of", "model-error", ...base, records.path).toString());
  const table = summary.bytes.toString().trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
  assert.deepEqual(table[0], ["agent", "episode", "mean", "lo", "hi", "n"]);
  assert.equal(table.length, 1 + 3 * 100);
  assert.ok(table.slice(1).every(([, episode, mean, lo, hi, n]) => Number(episode) > 0 && Number(lo) <= Number(mean) && Number(mean) <= Number(hi) && n === "4"));
  const paired = await take(page, "paired");
  alike(paired.bytes.toString(), cpsrl("summary", "-of", "model-error", "-paired", "c-psrl,psrl", ...base, records.path).toString());
  const long = await take(page, "long");
  assert.equal(long.name, `fig2c-quick-long-${print}.csv`);
  assert.equal(long.bytes.toString(), cpsrl("summary", "-long", ...base, records.path).toString());
  const final = await take(page, "final");
  assert.equal(final.name, `fig2c-quick-model-error-final-${print}.csv`);
  alike(final.bytes.toString(), cpsrl("summary", "-band", "final", "-of", "model-error", ...base, records.path).toString());
  const endings = await take(page, "endings");
  assert.equal(endings.name, `fig2c-quick-model-error-endings-${print}.csv`);
  alike(endings.bytes.toString(), cpsrl("summary", "-endings", "-of", "model-error", ...base, records.path).toString());
  const figure = await take(page, "figure");
  assert.equal(JSON.parse(figure.bytes.toString()).fingerprint, fingerprint);

  const svg = await take(page, "svg");
  assert.equal(svg.name, `fig2c-quick-model-error-${print}.svg`);
  const text = svg.bytes.toString();
  assert.doesNotMatch(text, /<style|class=|var\(|currentColor|inherit/);
  assert.match(text, /<title>Figure 2 \(c\): taxi 3×3, quick<\/title>\n<desc>model error by episode k\./);
  assert.match(text, new RegExp(`fingerprint ${fingerprint}`));
  assert.match(text, /Mean over n\s=\s4 runs/);
  const png = await take(page, "png", { Background: "dark" });
  const blank = await page.context().newPage(); // the page itself parses nothing that is not its own
  const sizes = await blank.evaluate(async ([svg, png]) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png ?? ""), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const brush = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    brush.drawImage(bitmap, 0, 0);
    const colors = new Set();
    const { data } = brush.getImageData(0, 0, bitmap.width, bitmap.height);
    for (let i = 0; i < data.length; i += 4) colors.add(`${data[i]},${data[i + 1]},${data[i + 2]},${data[i + 3]}`);
    const parsed = new DOMParser().parseFromString(svg ?? "", "image/svg+xml");
    return {
      wrong: parsed.querySelector("parsererror")?.textContent ?? "",
      curves: [...parsed.querySelectorAll("path[stroke-width='2']")].filter((path) => (path.getAttribute("d")?.length ?? 0) > 200).length,
      svg: [Number(parsed.documentElement.getAttribute("width")), Number(parsed.documentElement.getAttribute("height"))],
      png: [bitmap.width, bitmap.height],
      corner: [...data.slice(0, 4)],
      colors: ["213,94,0,255", "0,114,178,255", "0,158,115,255"].map((color) => colors.has(color)),
    };
  }, [text, png.bytes.toString("base64")]);
  assert.equal(sizes.wrong, "");
  assert.equal(sizes.curves, 3);
  for (const [k, n] of sizes.svg.entries()) assert.ok(Math.abs((sizes.png[k] ?? 0) - (300 / 96) * n) < 3, `${sizes.png} of ${sizes.svg}`);
  assert.ok(Math.abs((sizes.svg[0] ?? 0) / 96 * 2.54 - 16) < 0.01, "16 cm");
  assert.deepEqual(sizes.corner, [18, 18, 18, 255]);
  assert.deepEqual(sizes.colors, [true, true, true]);

  // A figure for a paper: its width, its letters and its parts.
  await find.exportFormat(page).selectOption("svg");
  await exportDialog(page).getByRole("combobox", { name: "Background", exact: true }).selectOption("light");
  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).fill("8");
  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).press("Tab");
  for (const part of ["Title", "Caption", "Names of curves"]) await exportDialog(page).getByRole("checkbox", { name: part, exact: true }).uncheck();
  const small = (await take(page, "svg")).bytes.toString();
  assert.match(small, / width="302\.36" /);
  assert.doesNotMatch(small, />(F-PSRL|Figure 2.*|Mean over.*)</);
  const latex = await take(page, "tex");
  assert.equal(latex.name, `fig2c-quick-model-error-${print}.tex`);
  const plotted = join(work, "plotted.tex");
  cpsrl("plot", records.path, "-of", "model-error", "-width", "8", "-without", "title,caption,names", "-o", plotted);
  const [, ...curves] = readFileSync(plotted, "utf8").split(/(?=\\addplot|\\end\{axis\})/); // the page's file also has the thin lines of the precomputed figure
  assert.equal(curves.length, 7);
  for (const curve of curves) assert.ok(latex.bytes.toString().includes(curve), curve);
  const pdf = await take(page, "pdf");
  assert.equal(pdf.name, `fig2c-quick-model-error-${print}.pdf`);
  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).fill("1");
  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).press("Tab");
  assert.equal(await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).evaluate((/** @type {HTMLInputElement} */ input) => input.validity.rangeUnderflow), true);
  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).fill("8");
  await exportDialog(page).getByRole("combobox", { name: "Format", exact: true }).selectOption("tex");
  await exportDialog(page).getByRole("combobox", { name: "Background", exact: true }).waitFor({ state: "hidden" }); // a TeX figure has the background of its page
  const bundle = await take(page, "bundle");
  assert.ok(await exportDialog(page).getByRole("combobox", { name: "Background", exact: true }).isVisible(), "the bundle's pictures have a background");
  assert.equal(bundle.name, `fig2c-quick-model-error-bundle-${print}.zip`);
  const files = unzipSync(bundle.bytes);
  assert.deepEqual(Object.keys(files), ["figure.svg", "figure.pdf", "figure.tex", "figure.json", "summary.csv", "runs.csv", "final.csv", "endings.csv", "spec.json", "command.sh", "citation.bib", "methods.txt", "link.txt"]);
  const unzipped = (/** @type {string} */ name) => new TextDecoder().decode(files[name]);
  assert.equal(unzipped("figure.svg"), small);
  assert.equal(unzipped("figure.tex"), latex.bytes.toString());
  assert.deepEqual(Buffer.from(files["figure.pdf"] ?? []), pdf.bytes);
  assert.equal(unzipped("summary.csv"), summary.bytes.toString());
  assert.match(unzipped("link.txt"), new RegExp(`#v=1&.*receipt=2-${fingerprint}`));

  for (const graph of ["prior", "sampled", "best", "true"]) {
    const dot = await take(page, "dot", { Graph: graph });
    const laid = execFileSync("dot", ["-Tplain", dot.path]).toString();
    assert.match(laid, /^graph /);
    assert.match(laid, /\nedge /, `${graph} has an edge`);
    assert.match((await take(page, "tikz", { Graph: graph })).bytes.toString(), /\\begin\{tikzpicture\}[\s\S]*\\end\{tikzpicture\}/);
    const edges = (await take(page, "text", { Graph: graph })).bytes.toString().match(/^[^#\n]+ -> .+$/gm) ?? [];
    if (graph !== "sampled") assert.ok(edges.length > 0);
    else assert.equal(edges.length, JSON.parse(cpsrl("trace", "-preset", "fig2c-quick", "-agent", "c-psrl", "-episode", "100").toString()).sampled.graph.flat().length);
  }
  const line = (await take(page, "cli")).bytes.toString();
  const [, link = ""] = /^cpsrl run -link '([^']*)'\n$/.exec(line) ?? [];
  assert.deepEqual(cpsrl("run", "-link", link), records.bytes);
  const bibtex = (await take(page, "bibtex")).bytes.toString();
  assert.equal(bibtex.match(/^@(?!preamble)/gm)?.length, 2);
  assert.ok(bibtex.includes(fingerprint));

  // The command reads the documents that the page writes.
  const spec = await take(page, "spec");
  assert.equal(spec.name, `fig2c-quick-spec-${print}.json`);
  assert.deepEqual(cpsrl("run", "-spec", spec.path), records.bytes);
  const model = await take(page, "model");
  assert.equal(model.name, `fig2c-quick-model-${print}.json`);
  const { optimal } = JSON.parse(records.bytes.toString().split("\n")[1] ?? "");
  assert.ok(Math.abs(JSON.parse(cpsrl("plan", "-model", model.path).toString()).value - optimal) < 1e-9);
  const prior = await take(page, "prior");
  const { sparseness, edges } = JSON.parse(prior.bytes.toString());
  assert.equal(sparseness, 5);
  const known = (await take(page, "text", { Graph: "prior" })).bytes.toString().trim().split("\n");
  assert.deepEqual(edges.map((/** @type {string[]} */ [x, y]) => `${x} -> ${y}`).sort(), known.sort());
  assert.match(cpsrl("factorizations", "-prior", prior.path).toString(), /\S/);

  // Escape closes the dialog and returns the focus.
  await page.keyboard.press("Escape");
  assert.ok(await find.focused(find.exporting(page)));
  assert.deepEqual(complaints, []);
  await close();
});

test("a figure as PDF has the bytes of the command's, and other programs can read it", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&prior=row:row&domain=taxi&grid=3x3&episodes=30&runs=3&seed=8&measure=model-error`, { until: ["finished"] });
  await page.getByRole("button", { name: "Hide the precomputed lines", exact: true }).click(); // the command does not draw a preset's figure
  await find.exporting(page).click();
  const records = await take(page, "jsonl");
  const plotted = join(work, "plotted.pdf");
  const plot = (/** @type {string[]} */ ...options) => {
    cpsrl("plot", records.path, "-of", "model-error", ...options, "-o", plotted);
    return readFileSync(plotted);
  };
  await find.exportFormat(page).selectOption("pdf");
  for (const part of ["Title", "Caption"]) await exportDialog(page).getByRole("checkbox", { name: part, exact: true }).uncheck(); // the page's title and caption say more
  const whole = await take(page, "pdf");
  assert.match(whole.name, /-model-error-[0-9a-f]{8}\.pdf$/);
  assert.deepEqual(whole.bytes, plot("-without", "title,caption", "-width", "16"));
  const preview = exportDialog(page).getByRole("img", { name: "The exported PDF", exact: true });
  await find.until(() => preview.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth === 605), "the preview is 605 px wide");

  await exportDialog(page).getByRole("spinbutton", { name: "Width, cm", exact: true }).fill("8");
  await exportDialog(page).getByRole("spinbutton", { name: "Letters, pt", exact: true }).fill("7");
  await exportDialog(page).getByRole("checkbox", { name: "Names of curves", exact: true }).uncheck();
  const small = await take(page, "pdf");
  assert.deepEqual(small.bytes, plot("-without", "title,caption,names", "-width", "8", "-letters", "7"));
  assert.match(execFileSync("pdfinfo", [small.path]).toString(), /Pages: +1\n[\s\S]*Page size: +226\.77 x /, "8 cm in points");

  for (const part of ["Title", "Caption", "Names of curves"]) await exportDialog(page).getByRole("checkbox", { name: part, exact: true }).check();
  const dark = await take(page, "pdf", { Background: "dark" });
  const said = execFileSync("pdftotext", ["-layout", dark.path, "-"]).toString();
  for (const word of [/C-PSRL/, /model error/, /\|\|p\*\(·\|x\) − /, /episode k/]) assert.match(said, word);
  const fonts = execFileSync("pdffonts", [dark.path]).toString().split("\n").slice(2).filter(Boolean);
  assert.equal(fonts.length, 2);
  for (const font of fonts) assert.match(font, / yes +\S+ +yes /, "the font is embedded and knows the letters of its glyphs");
  const [, , width = "", height = "", ...pixels] = execFileSync("pdftoppm", ["-r", "36", dark.path]).toString("latin1").split(/\s/);
  assert.ok(Number(width) > 0 && Number(height) > 0 && pixels.length > 0);

  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await close();
});

test("Export says that the PDF program could not be loaded, and loads it when a PDF is requested again", async () => {
  const { page, close } = await open(site.browser, site.origin);
  await page.route("**/print-*.wasm", (route) => route.abort());
  await find.exporting(page).click();
  await find.exportFormat(page).selectOption("pdf");
  await exportDialog(page).getByText("The program that writes PDF could not be loaded: the site cannot be reached.", { exact: true }).waitFor();
  assert.ok(await exportDialog(page).getByRole("button", { name: "Download", exact: true }).isDisabled());
  await page.unroute("**/print-*.wasm");
  await exportDialog(page).getByRole("checkbox", { name: "Title", exact: true }).uncheck();
  const { bytes } = await take(page, "pdf");
  assert.equal(bytes.subarray(0, 5).toString(), "%PDF-");
  await close();
});

test("Open a file… opens an exported spec, and a figure is refused and changes nothing", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&prior=row:row&domain=taxi&grid=3x3&episodes=20&runs=2&seed=8&update=printed`, { until: ["finished"] });
  const form = () => find.settings(page).locator("input, select").evaluateAll((all) => all.map((e) => {
    const { id, value, checked } = /** @type {HTMLInputElement} */ (e);
    return [id, value, checked];
  }));
  const wanted = [await page.evaluate(() => location.hash), await form()];
  await find.exporting(page).click();
  const spec = await take(page, "spec");
  await page.keyboard.press("Escape");
  await find.choose(page, "fig1-quick");
  await page.waitForFunction(() => location.hash.includes("figure1"));
  await find.openFile(page, "Open a file…", spec.path);
  await page.waitForFunction((hash) => location.hash === hash, wanted[0]);
  assert.deepEqual(await form(), wanted[1]);
  assert.notEqual(await page.getAttribute("html", "data-state"), "running", "an opened spec does not run by itself");
  await find.openFile(page, "Open a file…", fileURLToPath(new URL("fig2c.json", figures)));
  assert.equal(await textOf(find.failure(page)), "“fig2c.json” could not be read: it is a figure; records, results, a model, a prior, a spec, a graph or transitions can be opened.");
  assert.deepEqual([await page.evaluate(() => location.hash), await form()], wanted);
  assert.deepEqual(complaints, []);
  await close();
});

test("Open a file… reads a model of another program, asks for what it lacks, and says what is left out or where a fault is", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`, { until: ["ready"] });
  const text = "discount: 0.9\nvalues: reward\nstates: left right\nactions: stay go\nstart: 1 0\nT: stay identity\nT: go : left : right 1\nT: go : right : left 1\nR: go : left : * : * 1\n";
  const file = (/** @type {string} */ name, /** @type {string} */ words) => ({ name, mimeType: "text/plain", buffer: Buffer.from(words) });
  const choose = (/** @type {object} */ chosen) => page.getByLabel("A file to open", { exact: true }).setInputFiles(/** @type {any} */ (chosen));
  await choose(file("walk.mdp", text));
  const steps = page.getByLabel("Steps of an episode", { exact: true });
  await steps.waitFor();
  assert.deepEqual([await steps.inputValue(), await find.failure(page).count()], ["100", 0]);
  await steps.fill("0");
  await steps.press("Enter");
  assert.match(await textOf(find.failure(page)), /the horizon is 0; it must be from 1 to 16384\.$/);
  await steps.fill("7");
  await page.getByRole("button", { name: "Read the file", exact: true }).click();
  assert.match(await find.noticed(page, /walk\.mdp/), /^“walk\.mdp” is read as a model\. The discount 0\.9 is left out: .*\.$/);
  await page.waitForFunction(() => location.hash.includes("domain=model"));
  await find.holds(find.horizon(page), "7");
  await steps.waitFor({ state: "detached" });
  // Rows that do not sum to 1 are normalised on request.
  await choose(file("rough.mdp", text.replace("T: stay identity", "T: stay : left\n0.3 0.3\nT: stay : right : right 1")));
  await steps.press("Enter");
  await find.failure(page).filter({ hasText: /sums to 0\.6/ }).waitFor();
  await page.getByText("“rough.mdp”: Rows whose sums differ from 1 by up to 0.4 are scaled to sum to 1.").waitFor();
  await page.getByRole("button", { name: "Normalise the rows", exact: true }).click();
  assert.match(await find.noticed(page, /rough\.mdp/), /^“rough\.mdp” is read as a model\. Rows whose sums differ from 1 by up to 0\.4 are scaled to sum to 1\./);
  assert.equal(await find.failure(page).count(), 0);
  await choose(file("walk.mdp", text.replace("left : right 1", "left : up 1")));
  assert.match(await textOf(find.failure(page)), /^“walk\.mdp” could not be read: line 7, column \d+: .*\.$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("after Stop an export holds the completed runs and says how many they are", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=100&runs=300`, { until: ["ready", "running", "finished"] });
  await runByHand(page);
  await stopEarly(page);
  const fingerprint = await textOf(find.fingerprint(page));
  const [, runs] = /^Stopped: (\d+) of 300 runs kept/.exec(await textOf(find.status(page))) ?? [];
  assert.ok(Number(runs) >= 1);
  await find.exporting(page).click();
  const records = await take(page, "jsonl");
  assert.equal(JSON.parse(records.bytes.toString().split("\n", 1)[0] ?? "").spec.runs, Number(runs));
  assert.equal(JSON.parse((await take(page, "figure")).bytes.toString()).runs, Number(runs));
  assert.deepEqual(cpsrl("run", "-spec", (await take(page, "spec")).path), records.bytes);
  assert.match(cpsrl("summary", records.path).toString(), new RegExp(`^# fingerprint ${fingerprint}$`, "m"));
  assert.match(cpsrl("link", "-receipt", records.path).toString(), new RegExp(`receipt=2-${fingerprint}&.*episodes=100${runs === "20" ? "" : `&runs=${runs}`}\n$`));
  await page.keyboard.press("Escape");
  await find.openFile(page, "Open results…", records.path);
  await find.heading(page, `Results in ${records.name}`).waitFor();
  assert.equal(await textOf(find.fingerprint(page)), fingerprint);
  assert.deepEqual(complaints, []);
  await close();
});

test("Export that was opened during a run has the records once the run has ended", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=100&runs=10000`, { until: ["ready", "running"] });
  await runByHand(page);
  await find.until(async () => (await find.done(page)) > 0.001, "runs are completed");
  await find.exporting(page).click();
  await find.exportFormat(page).selectOption("csv");
  await exportDialog(page).getByRole("status").filter({ hasText: "The run has not ended" }).waitFor();
  await find.stop(page).dispatchEvent("click"); // it is behind the dialog
  await reach(page, "stopped");
  await exportDialog(page).getByRole("status").filter({ hasText: /\.csv, \d+ (bytes|kB)/ }).waitFor();
  const [, runs] = /^Stopped: (\d+) of 10000 runs kept/.exec(await textOf(find.status(page))) ?? [];
  const records = await take(page, "jsonl");
  assert.equal(JSON.parse(records.bytes.toString().split("\n", 1)[0] ?? "").spec.runs, Number(runs));
  assert.deepEqual(complaints, []);
  await close();
});

test("the results of a model that no link can hold are exported without a link, and a records file with a long header is read", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.openFile(page, "Open a file…", largeModel());
  await find.heading(page, "a large model").waitFor();
  await find.agent(page, "PSRL").uncheck();
  await find.episodes(page).fill("2");
  await find.runs(page).fill("2");
  await runByHand(page);
  await find.exporting(page).click();
  const records = await take(page, "jsonl");
  const svg = (await take(page, "svg")).bytes.toString();
  assert.match(svg, /a large model.*fingerprint [0-9a-f]{64}/s);
  assert.doesNotMatch(svg, /v=[12]&/);
  assert.match((await take(page, "cli")).bytes.toString(), /^# No link can hold this model\..*\ncpsrl run -spec spec\.json\n$/);
  assert.deepEqual(cpsrl("run", "-spec", (await take(page, "spec")).path), records.bytes);
  assert.doesNotMatch((await take(page, "bibtex")).bytes.toString(), /v=[12]&/);
  const files = unzipSync((await take(page, "bundle")).bytes);
  assert.ok("summary.csv" in files && "spec.json" in files && !("link.txt" in files));
  for (const [name, bytes] of Object.entries(files)) assert.doesNotMatch(Buffer.from(bytes).toString(), /v=[12]&/, name);
  await page.keyboard.press("Escape");
  const long = join(work, "long.jsonl");
  writeFileSync(long, Buffer.concat([Buffer.from(`{${" ".repeat(2 << 20)}`), records.bytes.subarray(1)]));
  await find.openFile(page, "Open results…", long);
  await find.heading(page, "Results in long.jsonl").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a precomputed figure can be exported, and Export says which formats need a run", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await drawn(page);
  await find.exporting(page).click();
  const figure = await take(page, "figure");
  assert.deepEqual(figure.bytes, readFileSync(new URL("fig2c.json", figures)));
  await find.exportFormat(page).selectOption("csv");
  await exportDialog(page).getByRole("status").filter({ hasText: "Run it first" }).waitFor();
  assert.ok(await exportDialog(page).getByRole("button", { name: "Download", exact: true }).isDisabled());
  assert.deepEqual(complaints, []);
  await close();
});

test("the words about a file of results end with what they are about", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}/fig1-quick/`);
  const path = join(work, "other.jsonl");
  writeFileSync(path, cpsrl("run", "-preset", "fig1-quick", "-episodes", "20"));
  await find.openFile(page, "Open results…", path);
  const offer = find.notices(page).getByRole("button", { name: "Use their settings", exact: true });
  await offer.waitFor();
  await find.unfold(page, "Size");
  await find.episodes(page).fill("20");
  await offer.waitFor({ state: "detached" });
  assert.equal(await textOf(find.source(page)), "From a file.");
  await find.choose(page, "fig2c-quick");
  await find.until(async () => (await textOf(find.status(page))) === "Ready.", "the status is about the preset");
  assert.deepEqual(complaints, []);
  await close();
});

test("leaving the tour brings back a difference with a kept line, and the offer of a file's settings", async () => {
  const link = "v=1&domain=figure1&episodes=20&runs=2";
  const path = join(work, "tour.jsonl");
  writeFileSync(path, cpsrl("run", "-link", link));
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${link}`, { until: ["finished"] });
  const pair = page.getByRole("group", { name: "Difference of two lines", exact: true });
  const base = pair.getByRole("combobox", { name: "minus", exact: true });
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  const there = async () => {
    await find.tour(page).click();
    await page.waitForURL(/#v=1&domain=taxi$/);
    await bar.getByRole("button", { name: "Close", exact: true }).click();
    await bar.waitFor({ state: "detached" });
  };
  await find.keep(page).click();
  await find.unfold(page, "Size");
  await find.runs(page).fill("3");
  await find.run(page).click();
  await reach(page, "running", "finished");
  await reach(page, "finished");
  await find.difference(page).click();
  await pair.getByRole("combobox", { name: "Difference:", exact: true }).selectOption("c-psrl");
  await base.selectOption("A c-psrl");
  await there();
  await find.holds(base, "A c-psrl");

  const offer = find.notices(page).getByRole("button", { name: "Use their settings", exact: true });
  await find.openFile(page, "Open results…", path);
  await offer.waitFor();
  await there();
  await offer.click();
  await find.holds(find.runs(page), "2");
  assert.deepEqual(complaints, []);
  await close();
});

test("where the chart has no picture, nothing is offered for export", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&agents=psrl&domain=figure1&episodes=20&runs=2&measure=recall`, { until: ["finished"] });
  await page.getByRole("button", { name: "Hide the precomputed lines", exact: true }).click();
  await page.getByText("Agents that sample no graph have no curve here.").waitFor();
  await find.until(() => find.exporting(page).isDisabled(), "Export is disabled");
  await find.measure(page).selectOption("regret");
  await find.until(() => find.exporting(page).isEnabled(), "Export is there again");
  assert.deepEqual(complaints, []);
  await close();
});

test("the settings of a file of results can be taken, and own results come back with their settings", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}/fig1-quick/`);
  await drawn(page);
  const path = join(work, "short.jsonl");
  writeFileSync(path, `\n${cpsrl("run", "-preset", "fig1-quick", "-episodes", "20", "-runs", "3", "-eta", "1")}`);
  const release = await holdFiles(page, "**/assets/line-*.js"); // without it the page has no other words about them
  await find.openFile(page, "Open results…", path);
  await find.heading(page, "Results in short.jsonl").waitFor();
  assert.match(await textOf(find.source(page)), /^From a file\. The settings have .*K = 60 instead of 20/);
  const unasked = async () => assert.doesNotMatch((await page.locator("#line").textContent()) ?? "", /\?/, "the question of the preset is not asked of these results");
  await unasked();
  release();
  await page.locator("#line[data-told]").waitFor();
  await unasked();
  const print = await textOf(find.fingerprint(page));
  await find.notices(page).getByRole("button", { name: "Use their settings", exact: true }).click();
  await find.holds(find.episodes(page), "20");
  await find.until(async () => (await textOf(find.source(page))) === "From a file.", "the settings are those of the file");
  assert.ok(await find.heading(page, "Results in short.jsonl").isVisible(), "the results stay");
  await page.waitForFunction(() => location.hash.includes("episodes=20&runs=3"));
  await find.run(page).click();
  await reach(page, "finished");
  assert.equal(await textOf(find.fingerprint(page)), print, "the page computes the same");

  await find.choose(page, { label: "Figure 2 (c): taxi 3×3" });
  await find.heading(page, "Figure 2 (c): taxi 3×3").waitFor();
  await page.evaluate(() => history.back());
  await find.until(async () => (await textOf(find.fingerprint(page))) === print, "the run comes back with its settings");
  await find.choose(page, { label: "Figure 2 (c): taxi 3×3" });
  await find.heading(page, "Figure 2 (c): taxi 3×3").waitFor();
  await find.source(page).filter({ hasText: /^Precomputed/ }).waitFor(); // no other settings bring it back
  writeFileSync(path, cpsrl("run", "-preset", "fig2c-quick", "-agents", "c-psrl"));
  await find.choose(page, "fig2c-quick");
  await find.openFile(page, "Open results…", path);
  await find.notices(page).getByRole("button", { name: "Keep mine", exact: true }).click();
  await find.choose(page, { label: "Figure 2 (c): taxi 3×3" });
  await find.heading(page, "Figure 2 (c): taxi 3×3").waitFor();
  await find.choose(page, "fig2c-quick");
  await find.until(async () => (await find.heading(page, "Results in short.jsonl").count()) === 0, "the results of other agents do not come back");
  assert.deepEqual(await find.rows(find.readout(page)).count(), 3);
  await find.openFile(page, "Open results…", path);
  const offer = find.notices(page).getByRole("button", { name: "Use their settings", exact: true });
  await offer.waitFor();
  await find.choose(page, { label: "Figure 2 (c): taxi 3×3" });
  await offer.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a file of records is checked and drawn like a run, by button and by drop", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const records = cpsrl("run", "-preset", "fig1-quick", "-seed", "9");
  const path = join(work, "mine.jsonl");
  writeFileSync(path, records);
  await find.openFile(page, "Open results…", path);
  await find.status(page).filter({ hasText: /^Read 4 runs from mine\.jsonl\.$/ }).waitFor();
  assert.ok(await find.heading(page, "Results in mine.jsonl").isVisible());
  assert.match(await textOf(find.source(page)), /^From a file/);
  assert.ok((await count(page, "curve")) === 3);
  await find.exporting(page).click();
  assert.deepEqual((await take(page, "jsonl")).bytes, records);
  await page.keyboard.press("Escape");
  await seemly(page, "a file");

  /** @param {string} name @param {string} text */
  const drop = async (name, text) => {
    const data = await page.evaluateHandle(([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ""], name ?? ""));
      return transfer;
    }, [name, text]);
    await page.locator("#chart").dispatchEvent("drop", { dataTransfer: data });
  };
  const lines = records.toString().split("\n");
  lines[2] = (lines[2] ?? "").replace('"episode":2', '"episode":3');
  await drop("bad.jsonl", lines.join("\n"));
  await find.failure(page).filter({ hasText: /^bad\.jsonl cannot be shown: .*line 3/ }).waitFor();
  await drop("table.csv", "run,regret\n0,1\n");
  await find.failure(page).filter({ hasText: /^“table\.csv” could not be read: the file is in none of the formats of models/ }).waitFor();
  assert.ok(await find.heading(page, "Results in mine.jsonl").isVisible(), "the last good results stay");
  await drop("short.jsonl", records.toString());
  await find.heading(page, "Results in short.jsonl").waitFor();
  assert.equal(await find.failure(page).count(), 0);

  // A file may be dropped anywhere. Other things, such as a text, are the browser's.
  const kept = await page.evaluate(() => ["preset", "chart", "settings", "prior"].map((id) => {
    const dragged = [true, false].map((file) => {
      const dataTransfer = new DataTransfer();
      if (file) dataTransfer.items.add(new File(["{}"], "prior.json"));
      else dataTransfer.setData("text/plain", "row");
      return !document.getElementById(id)?.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
    });
    return [id, ...dragged];
  }));
  assert.deepEqual(kept, [["preset", true, false], ["chart", true, false], ["settings", true, false], ["prior", true, false]]);

  // The status of the next run begins with its own words.
  await find.status(page).evaluate((status) => {
    const said = (/** @type {any} */ (globalThis).said = /** @type {string[]} */ ([]));
    new MutationObserver(() => said.push(status.textContent ?? "")).observe(status, { childList: true, characterData: true, subtree: true });
  });
  await find.run(page).click();
  await find.status(page).filter({ hasText: /^\d+%/ }).waitFor();
  const said = await page.evaluate(() => /** @type {string[]} */ (/** @type {any} */ (globalThis).said));
  assert.ok(said.includes("Starting…") && !said.includes("Ready."), said.join(" "));
  assert.deepEqual(complaints, []);
  await close();
});

test("of two files the one opened last is shown, and a preset chosen later replaces a file that is still being read", onlyLong, async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, {
    before: () => {
      const { stream } = Blob.prototype;
      Blob.prototype.stream = function () {
        if (!(this instanceof File) || this.name !== "old.jsonl") return stream.call(this);
        /** @type {Promise<void>} */
        const held = new Promise((resolve) => (/** @type {any} */ (window).release = resolve));
        return stream.call(this).pipeThrough(new TransformStream({ start: () => held }));
      };
    },
  });
  const records = cpsrl("run", "-preset", "fig1-quick");
  for (const name of ["old.jsonl", "new.jsonl"]) writeFileSync(join(work, name), records);
  const old = async () => {
    await find.openFile(page, "Open results…", join(work, "old.jsonl"));
    await page.waitForFunction(() => /** @type {any} */ (window).release !== undefined);
  };
  const release = () => page.evaluate(() => {
    const { release } = /** @type {any} */ (window);
    /** @type {any} */ (window).release = undefined;
    release();
  });
  await old();
  assert.equal(await textOf(find.status(page)), "Reading old.jsonl…");
  await find.openFile(page, "Open results…", join(work, "new.jsonl"));
  await find.heading(page, "Results in new.jsonl").waitFor();
  await release();
  await page.waitForTimeout(2000);
  assert.ok(await find.heading(page, "Results in new.jsonl").isVisible());
  assert.equal(await textOf(find.status(page)), "Read 4 runs from new.jsonl.");
  await old();
  await find.choose(page, "fig2d");
  await find.heading(page, /^Figure 2 \(d\)/).waitFor();
  await release();
  await page.waitForTimeout(2000);
  assert.ok(await find.heading(page, /^Figure 2 \(d\)/).isVisible());
  assert.equal(await textOf(find.status(page)), "Ready.");
  assert.deepEqual(complaints, []);
  await close();
});

test("the heading and the menu of presets name the experiment that is shown", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const chosen = () => find.presets(page).getByRole("option", { selected: true }).textContent();
  const says = (/** @type {string} */ words) => find.until(async () => (await chosen()) === words, words);
  const title = await chosen() ?? "";
  assert.match(title, /^Figure 2 \(c\)/);
  await find.runs(page).fill("2");
  await find.episodes(page).fill("10");
  await says(`${title}, changed`);
  await find.run(page).click();
  await reach(page, "finished");
  assert.ok(await find.heading(page, /, with\sK\s=\s10\sand\s2\sruns$/).isVisible());
  await find.choose(page, "fig2c"); // the changed preset can be chosen again
  await says(title);
  assert.equal(await find.presets(page).locator("option[value='']").count(), 0);
  assert.ok(await find.heading(page, title).isVisible());

  const coin = {
    format: "cpsrl/model", version: 1, name: "two coins", horizon: 3,
    state: [{ name: "side", size: 2 }], action: [{ name: "flip", size: 2 }],
    initial: "uniform",
    transition: [{ of: "side", given: ["side", "flip"], p: [[1, 0], [0.5, 0.5], [0, 1], [0.5, 0.5]] }],
    reward: [],
  };
  writeFileSync(join(work, "coin.json"), JSON.stringify(coin));
  await find.openFile(page, "Open a file…", join(work, "coin.json"));
  await says("two coins");
  assert.ok(await find.heading(page, "two coins").isVisible());
  assert.equal(await textOf(find.unplotted(page)), "Press Run: the curves grow here as they are computed.", "there is no precomputed figure of this problem");
  await find.runs(page).fill("2");
  await find.episodes(page).fill("10");
  await find.run(page).click();
  await reach(page, "finished");
  assert.ok(await find.heading(page, "two coins").isVisible());
  await find.domain(page).selectOption("random-fmdp");
  await says("Random FMDP");
  await page.evaluate(() => history.back());
  await says("two coins");
  assert.ok(await find.heading(page, "two coins").isVisible());
  assert.deepEqual(complaints, []);
  await close();
});

for (const [reducedMotion, often] of /** @type {const} */ ([["no-preference", 5], ["reduce", 1]])) test(`a run draws at most ${often} ${often === 1 ? "picture" : "pictures"} a second (prefers-reduced-motion: ${reducedMotion})`, reducedMotion === "reduce" ? onlyLong : {}, async (t) => {
  const { page, complaints, close } = await open(site.browser, site.origin, { reducedMotion });
  await find.choose(page, "fig2c");
  await drawn(page);
  await find.runs(page).fill("10000");
  await page.locator("#chart").evaluate((chart) => {
    const seen = /** @type {any} */ (window);
    seen.tasks = [];
    seen.drawn = [];
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    new MutationObserver(() => seen.drawn.push(performance.now())).observe(chart, { childList: true });
  });
  await find.run(page).click();
  await runsDrawn(page);
  await page.waitForTimeout(3000);
  await find.stop(page).click();
  const { tasks, drawn: pictures } = await page.evaluate(() => {
    const seen = /** @type {{tasks: number[], drawn: number[]}} */ (/** @type {any} */ (window));
    return { tasks: seen.tasks, drawn: seen.drawn };
  });
  const seconds = ((pictures.at(-1) ?? 0) - (pictures[0] ?? 0)) / 1000;
  t.diagnostic(`longest task ${Math.max(0, ...tasks)} ms of ${tasks.length} over 50 ms; ${pictures.length} pictures in ${seconds.toFixed(1)} s`);
  assert.ok(pictures.length <= often * seconds + 4, `${pictures.length} pictures in ${seconds} s`);
  assert.deepEqual(complaints, []);
  await close();
});

test("in a sandboxed frame the text of an export can be copied from the dialog", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const host = `${site.origin.replace(/\/?$/, "/")}host.html`;
  await page.route(host, (route) => route.fulfill({ contentType: "text/html", body: `<!doctype html><title>host</title><iframe sandbox="allow-scripts" src="./" width="1000" height="900"></iframe>` }));
  await page.goto(host);
  const frame = page.frameLocator("iframe");
  await frame.locator("#chart path.curve").first().waitFor();
  await find.exporting(frame).click();
  await find.exportFormat(frame).selectOption("bibtex");
  const said = exportDialog(frame).getByRole("status");
  assert.match(await exportDialog(frame).getByRole("textbox", { name: "The text of the file", exact: true }).inputValue(), /@inproceedings/);
  assert.match((await said.textContent()) ?? "", /sandboxed and may block downloads: copy the text/);
  for (const [format, advice] of /** @type {const} */ ([["svg", "copy the text"], ["png", "save the picture by its context menu"], ["pdf", "open the playground on a page of its own"]])) {
    await find.exportFormat(frame).selectOption(format);
    await said.filter({ hasText: `.${format}, ` }).waitFor();
    assert.ok((await said.textContent())?.endsWith(`may block downloads: ${advice}.`), format);
  }
  await context.close();
});

test("axe finds nothing in figure and export, and nothing overflows, in both themes, at 1280 and 390 px", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await drawn(page);
  const widths = [1280, 390];
  await seemlyEverywhere(page, "figure", widths, {
    also: async () => {
      await fitted(page);
      assert.deepEqual(await crowded(page), []);
    },
  });
  await find.exporting(page).click();
  await exportDialog(page).getByRole("img").waitFor();
  await seemlyEverywhere(page, "export", widths);
  assert.deepEqual(complaints, []);
  await close();
});

/** A spec of a ring of 20 machines, one of which may be restarted in a step: no list holds its states. */
function ring() {
  const machines = Array.from({ length: 20 }, (_, i) => i);
  const name = (/** @type {number} */ i) => `m${i}`;
  const rows = (/** @type {number} */ i) =>
    machines.concat(20).map((restart) => (restart === i + 1 ? [0, 1] : [0.5, 0.5]));
  return {
    format: "cpsrl/spec",
    version: 7,
    domain: {
      name: "model",
      model: {
        format: "cpsrl/model",
        version: 1,
        horizon: 6,
        state: machines.map((i) => ({ name: name(i), size: 2 })),
        action: [{ name: "restart", size: 21 }],
        initial: "uniform",
        transition: machines.map((i) => ({ of: name(i), given: ["restart"], p: rows(i) })),
        reward: machines.map((i) => ({ given: [name(i)], mean: [0, 1], kind: "fixed" })),
      },
    },
    agents: ["c-psrl", "optimal", "random"],
    sparseness: 2,
    episodes: 4,
    runs: 2,
    planner: "uct:30:4",
  };
}

test("where no list holds the states, returns are shown, and no regret", async () => {
  const file = join(work, "ring.json");
  writeFileSync(file, JSON.stringify(ring()));
  const link = String(cpsrl("link", "-spec", file)).trim().replace(/^.*#/, "");
  const { page, complaints, close } = await open(site.browser, `${site.origin}/#${link}`, { until: ["ready", "finished"] });
  assert.doesNotMatch(await page.locator("body").innerText(), /189\.9/, "the numbers of the home page's figure are of another problem");
  await runByHand(page);
  await reach(page, "finished");
  await concluded(page, "^Return of an episode after 4 episodes");
  assert.equal(await find.measure(page).inputValue(), "return");
  const offered = await find.measure(page).evaluate((menu) => [.../** @type {HTMLSelectElement} */ (menu).options].filter(({ hidden }) => !hidden).map(({ value }) => value));
  assert.ok(offered.includes("cumulative-return") && offered.includes("recall"), offered.join());
  assert.ok(!offered.includes("regret") && !offered.includes("cumulative-regret") && !offered.includes("normalised-value"), offered.join());
  await find.measure(page).selectOption("cumulative-return");
  await concluded(page, "^Cumulative return after 4 episodes");
  assert.equal(await textOf(page.locator("#costs-in")), "return: reward collected");
  assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined/);
  assert.deepEqual(complaints, []);
  await close();
});
