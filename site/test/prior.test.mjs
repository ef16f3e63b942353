// The problem panel and the prior editor in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { addAgent, golden, open, reach, start } from "./browser.mjs";
import { seemly } from "./looks.mjs";

/** @typedef {import("playwright-core").Page} Page */

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "cpsrl-prior-"));
const cli = join(work, "cpsrl");

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => {
  execFileSync("go", ["build", "-o", cli, "./core/cmd/cpsrl"], { cwd: root });
  site = await start();
});
after(async () => {
  await site.stop();
  rmSync(work, { recursive: true, force: true });
});

/** @param {Page} page */
const edges = (page) => page.evaluate(() => [...document.querySelectorAll("#prior-matrix tbody tr")].flatMap((row) =>
  [...row.querySelectorAll("td")].flatMap((cell, j) =>
    /known/.test(cell.ariaLabel ?? "") && !/^(unknown|true)/.test(cell.ariaLabel ?? "")
      ? [`${row.querySelector("th")?.textContent} -> ${document.querySelectorAll("#prior-matrix thead th")[j]?.textContent?.replace("′", "")}`] : [])).sort());

/** @param {Page} page @param {string} x @param {string} y */
const cell = (page, x, y) => page.locator("#prior-matrix tbody tr").filter({ has: page.locator(`th[title="${x}"]`) }).locator("td").nth(
  ["row", "col", "passenger", "destination"].indexOf(y));

/** What is wider than the page or, in the left column, than the column. */
function overflow() {
  const box = /** @type {HTMLElement} */ (document.getElementById("settings"));
  const edge = box.getBoundingClientRect().right - parseFloat(getComputedStyle(box).paddingRight) + 1;
  const wide = [...box.querySelectorAll("*")].filter((part) => !part.closest(".matrix *, .scroll *, svg, .hint, .hidden") && part.getBoundingClientRect().right > edge);
  return [...(document.documentElement.scrollWidth > innerWidth ? ["page"] : []), ...wide.map((part) => part.id || part.outerHTML.slice(0, 80))];
}

/** @param {Page} page @param {string} view */
const view = (page, view) => page.click(`#prior-tab-${view}`);

/** The fingerprint of the command. @param {object} spec */
function fingerprint(spec) {
  const file = join(work, "spec.json");
  writeFileSync(file, JSON.stringify(spec));
  const records = execFileSync(cli, ["run", "-spec", file], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const lines = records.subarray(records.indexOf(10) + 1);
  return execFileSync("sha256sum", { input: lines }).toString().slice(0, 64);
}

/** @param {Page} page */
async function run(page) {
  await page.click("#run");
  await reach(page, "finished");
  await page.waitForFunction(() => /^[0-9a-f]{64}$/.test(document.getElementById("fingerprint")?.textContent ?? ""));
  return page.textContent("#fingerprint");
}

test("a prior edited with the keyboard alone changes the next run, to the command's fingerprint", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2c-quick");
  await page.waitForSelector("#prior-matrix td");
  await page.focus("#prior-tab-text");
  await page.keyboard.press("Home");
  await page.keyboard.press("Tab"); // into the grid, at its first cell
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "known");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "unknown");
  await page.keyboard.press("Space"); // col → row′
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "known");
  assert.match((await page.textContent("#live")) ?? "", /col → row′: known/);
  await page.keyboard.press("Control+End");
  assert.match((await page.textContent("#prior-readout")) ?? "", /^move → destination′: unknown \(destination has one value only/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter"); // move → passenger′, no longer known
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "unknown");
  await page.focus("#run");
  await page.keyboard.press("Enter");
  await reach(page, "finished");
  const got = await page.textContent("#fingerprint");
  assert.notEqual(got, golden.presets["fig2c-quick"]);
  const spec = {
    format: "cpsrl/spec", version: 1, domain: { name: "taxi", grid: "3x3" }, episodes: 100, runs: 4, seed: 1,
    prior: { edges: [["row", "row"], ["move", "row"], ["col", "row"], ["col", "col"], ["move", "col"], ["passenger", "passenger"], ["destination", "destination"]] },
  };
  assert.equal(got, fingerprint(spec));
  assert.deepEqual(complaints, []);
  await close();
});

test("the three views stay in step, with undo and redo", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2c-quick");
  await page.waitForSelector("#prior-matrix td");
  const suggested = await edges(page);
  assert.deepEqual(suggested, ["col -> col", "destination -> destination", "move -> col", "move -> passenger", "move -> row", "passenger -> passenger", "row -> row"]);
  await cell(page, "col", "row").click();
  const one = [...suggested, "col -> row"].sort();
  assert.deepEqual(await edges(page), one);

  // The picture, by keyboard: choose X, then Y.
  await view(page, "picture");
  assert.equal(await page.locator("#prior-picture .edge.known").count(), 8);
  await page.focus("#prior-picture .from[tabindex='0']");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#prior-picture [aria-pressed=true]").textContent(), "col");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "passenger′, from col: unknown");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "passenger′, from col: known");
  assert.equal(await page.locator("#prior-picture .edge.known").count(), 9);
  const box = await page.locator("#prior-picture button").first().boundingBox();
  assert.ok(box && box.height >= 24 && box.width >= 24);

  // By clicks.
  await page.click("#prior-picture .from >> text=move");
  await page.click("#prior-picture .to >> text=row′");
  assert.equal(await page.locator("#prior-picture .edge.known").count(), 8);

  // The text says the same, and is read back.
  await view(page, "text");
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.getElementById("prior-text")).value.includes("col -> passenger"));
  const text = await page.inputValue("#prior-text");
  assert.deepEqual(text.trim().split("\n").sort(), ["col -> col", "col -> passenger", "col -> row", "destination -> destination", "move -> col", "move -> passenger", "passenger -> passenger", "row -> row"]);
  await page.fill("#prior-text", "row -> row # as ever\n\nmove -> col\n");
  await view(page, "matrix"); // at once: nothing typed is lost
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix [data-mark=known]").length === 2);
  assert.deepEqual(await edges(page), ["move -> col", "row -> row"]);
  for (const [format, word] of /** @type {const} */ ([["dot", "digraph {"], ["dagitty", "dag {"], ["tikz", "\\begin{tikzpicture}"]])) {
    await view(page, "text");
    await page.selectOption("#prior-format", format);
    await page.waitForFunction((word) => /** @type {HTMLTextAreaElement} */ (document.getElementById("prior-text")).value.includes(word), word);
    assert.ok(await page.evaluate(() => /** @type {HTMLTextAreaElement} */ (document.getElementById("prior-text")).readOnly));
  }
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#prior-download")]);
  await download.saveAs(join(work, "prior.tex"));
  assert.match(readFileSync(join(work, "prior.tex"), "utf8"), /tikzpicture/);
  await page.selectOption("#prior-format", "text");

  // Back and forth.
  await view(page, "matrix");
  await page.focus("#prior-matrix [tabindex='0']");
  await page.keyboard.press("Control+z");
  assert.equal((await edges(page)).length, 8);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await edges(page), one);
  await page.click("#prior-undo");
  assert.deepEqual(await edges(page), suggested);
  assert.equal(await page.inputValue("#prior-from"), "suggested");
  assert.equal(await page.getAttribute("#prior-undo", "aria-disabled"), "true");
  await page.keyboard.press("Control+Shift+z");
  assert.deepEqual(await edges(page), one);
  await page.click("#prior-redo");
  await page.click("#prior-redo");
  await page.click("#prior-redo");
  assert.deepEqual(await edges(page), ["move -> col", "row -> row"]);
  await page.click("#prior-clear");
  assert.deepEqual(await edges(page), []);
  assert.match((await page.textContent("#prior-summary")) ?? "", /^No edge is known/);
  await page.selectOption("#prior-from", "1");
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix [data-mark=known]").length === 4);
  await page.selectOption("#prior-from", "suggested");
  assert.deepEqual(await edges(page), suggested);
  assert.deepEqual(complaints, []);
  await close();
});

test("a bad text is explained by line and column; its right lines count", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await view(page, "text");
  await page.fill("#prior-text", 'row -> row\nmove -> rwo\ncol => col\n"pass" -> col\nrow -> move\nmove -> row');
  await page.waitForSelector("#prior-text-errors:visible");
  assert.deepEqual(await page.locator("#prior-text-errors li").allTextContents(), [
    'Line 2, column 9: There is no variable "rwo".',
    'Line 3, column 5: "->" was expected, as in "row -> col".',
    'Line 4, column 1: There is no variable "pass".',
    'Line 5, column 8: "move" is an action; edges lead to state variables.',
  ]);
  assert.equal(await page.getAttribute("#prior-text", "aria-invalid"), "true");
  assert.match(await page.inputValue("#prior-text"), /rwo/, "what was typed stays");
  await view(page, "matrix");
  assert.deepEqual(await edges(page), ["move -> row", "row -> row"]);
  await view(page, "text");
  assert.match(await page.inputValue("#prior-text"), /rwo/);
  await page.fill("#prior-text", "row -> row");
  await page.waitForSelector("#prior-text-errors", { state: "hidden" });
  assert.deepEqual(complaints, []);
  await close();
});

test("the true graph is hidden until it is revealed, and again when the problem changes", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const marks = () => page.evaluate(() => Object.fromEntries(["known", "misspecified", "missed"].map((mark) => [mark, document.querySelectorAll(`#prior-matrix [data-mark=${mark}]`).length])));
  await cell(page, "col", "row").click();
  assert.deepEqual(await marks(), { known: 8, misspecified: 0, missed: 0 });
  assert.ok(!/misspecified|true/i.test(await page.evaluate(() => document.getElementById("prior-panel-matrix")?.innerHTML.replaceAll('aria-selected="true"', "").replaceAll('data-long="true"', "") ?? "")));
  await page.click("#prior-reveal");
  assert.deepEqual(await marks(), { known: 7, misspecified: 1, missed: 3 });
  assert.equal(await cell(page, "col", "row").getAttribute("aria-label"), "known, misspecified: not in the true graph");
  assert.equal(await cell(page, "row", "passenger").getAttribute("aria-label"), "true, but not known");
  assert.match((await page.textContent("#prior-summary")) ?? "", /^8 known edges, 1 misspecified; 3 true edges are not known\.$/);
  assert.equal(await cell(page, "col", "row").evaluate((cell) => getComputedStyle(cell, "::before").content), '"✕"', "by form, not by colour alone");
  await view(page, "picture");
  assert.equal(await page.locator("#prior-picture .edge.misspecified").count(), 1);
  assert.equal(await page.locator("#prior-picture .edge.missed").count(), 3);
  assert.equal(await page.locator("#prior-picture .cross").count(), 1);
  await view(page, "matrix");
  await page.selectOption("#grid", "5x5");
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.getElementById("horizon")).value === "15");
  await page.waitForFunction(() => document.getElementById("prior-reveal")?.ariaPressed === "false");
  const { misspecified, missed } = await marks();
  assert.deepEqual([misspecified, missed], [0, 0]);
  assert.deepEqual(complaints, []);
  await close();
});

test("counts, η and the rate are the core's, also without a prior", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const facts = () => page.evaluate(() => [...document.querySelectorAll("#prior-facts dd")].map((dd) => dd.textContent));
  const counts = () => page.evaluate(() => [...document.querySelectorAll("#prior-counts tr")].map((row) => [...row.children].map((cell) => cell.textContent).join(" ")));
  await page.waitForSelector("#prior-counts tr");
  await page.click("#prior-clear");
  await page.waitForFunction(() => document.querySelector("#prior-facts dd")?.textContent === "0");
  assert.deepEqual(await counts(), ["row′ 0 32 32", "col′ 0 32 32", "passenger′ 0 32 32", "destination′ 0 32 32"]);
  const rate = (await page.textContent("#prior-rate")) ?? "";
  assert.match(rate, /Learning the transition model.*H5\/2 N1\+Z\/2 dY √K/);
  assert.match(rate, /Learning the factorization.*√\(H 2dX−η K\)/);
  assert.match(rate, /The same by the proof.*√\(H C̄ K\), C̄ = max \|𝒵j\|/);
  await page.fill("#sparseness", "2");
  await page.waitForFunction(() => document.querySelector("#prior-counts td:nth-child(3)")?.textContent === "16");
  assert.deepEqual(await facts(), ["0", "65,536", "65,536"]);
  for (const x of ["row", "col", "move"]) await cell(page, x, "row").click();
  await page.waitForSelector("#prior-error:visible");
  assert.match((await page.textContent("#prior-error")) ?? "", /^"row" has 3 known parents, but the degree of sparseness admits at most 2\.$/);
  await page.waitForFunction(() => document.querySelector("#prior-counts td:nth-child(2)")?.textContent === "3");
  assert.deepEqual((await counts())[0], "row′ 3 0 16", "also when the engine refuses the prior");
  assert.match((await page.textContent("#prior-rate")) ?? "", /^No rateTheorem 1 says nothing here: the prior knows the edge col → row, which is not true\.$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("every field of every domain is explained at its place", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const fields = {
    "random-fmdp": ["stateVariables", "actionVariables", "values", "parents", "horizon"],
    "taxi": ["horizon"],
    "figure1": ["horizon"],
  };
  await page.locator("#switch-fields").evaluate((box) => ((/** @type {HTMLDetailsElement} */ (box.closest("details"))).open = true));
  for (const [domain, own] of Object.entries(fields)) {
    await page.selectOption("#domain", domain);
    await page.waitForFunction((horizon) => /** @type {HTMLInputElement} */ (document.getElementById("horizon")).value === horizon, { "random-fmdp": "100", "taxi": "15", "figure1": "10" }[domain]);
    await page.getByText(domain === "taxi" ? /^A step pays 0\.3, .* a delivery 1: / : /^A step pays from 0 to 1: /).waitFor();
    for (const id of [...own, "sparseness", "episodes", "runs", "firstRun", "seed"]) {
      const input = page.locator(`#${id}`);
      await input.waitFor();
      const good = await input.inputValue();
      assert.match((await page.textContent(`#${id}-hint`)) ?? "", /^[\d,]+ to [\d,]+/, `${domain} ${id} has a range`);
      for (const [bad, words] of /** @type {const} */ ([["", /expected|empty/i], ["x", /expected/i], ["1.5", /expected|whole/i], ["-1", /at least|from|expected/i], ["99999999999999999999", /range|expected/i]])) {
        await input.fill(bad);
        await page.waitForFunction(([id, words]) => {
          const place = /** @type {HTMLElement} */ (document.getElementById(`${id}-error`));
          return !place.hidden && new RegExp(/** @type {string} */ (words), "i").test(place.textContent ?? "");
        }, /** @type {const} */ ([id, words.source])).catch(() => assert.fail(`${domain} ${id} ${JSON.stringify(bad)}`));
        assert.equal(await input.getAttribute("aria-invalid"), "true");
        assert.equal(await page.isVisible("#failure"), false);
      }
      await input.fill(good);
      await page.waitForSelector(`#${id}-error`, { state: "hidden" });
    }
  }
  // What the core finds when it builds the problem, and what words say.
  await page.selectOption("#domain", "random-fmdp");
  await page.fill("#stateVariables", "40");
  await page.waitForSelector("#stateVariables-error:visible");
  assert.match((await page.textContent("#stateVariables-error")) ?? "", /state-action pairs/);
  await page.fill("#stateVariables", "6");
  await page.fill("#parents", "uniform");
  await page.waitForSelector("#stateVariables-error", { state: "hidden" });
  await page.fill("#parents", "10");
  await page.waitForSelector("#parents-error:visible");
  await page.fill("#parents", "5");
  await page.fill("#runs", "0");
  await page.click("#run");
  await page.waitForFunction(() => document.activeElement?.id === "runs");
  await page.fill("#runs", "2");
  await page.selectOption("#bound", "below");
  await page.fill("#sparseness", "2");
  await page.waitForSelector("#sparseness-error:visible");
  assert.match((await page.textContent("#sparseness-error")) ?? "", /has 2 known parents, but the degree of sparseness admits fewer than 2/);
  assert.deepEqual(complaints, []);
  await close();
});

test("settings lie folded in drawers that say what they hold; switches that are not at their defaults lie open", async () => {
  for (const [rest, shown] of /** @type {const} */ ([["", false], ["&rewards=learned", true]])) {
    const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=5&first=1&runs=2${rest}`, { until: ["finished"], folded: true });
    assert.equal(await page.getByLabel("Rewards", { exact: true }).isVisible(), shown, rest);
    assert.equal(await page.getByLabel("First run", { exact: true }).isVisible(), false);
    assert.deepEqual(await page.locator("#settings > details > summary").allInnerTexts(), [
      "Problem Figure 1’s example, 4 states · 4 actions", "Agents PSRL, F-PSRL, C-PSRL", "Size episodes 5, first run 1, runs 2, seed 1", "Switches where the paper is silent",
    ]);
    assert.deepEqual(await page.locator("#size-fields input").evaluateAll((inputs) => inputs.map(({ id }) => id)), ["episodes", "firstRun", "runs", "seed"]);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a fault opens the drawer that it is folded in, and Run leads to it", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  const episodes = page.getByLabel("Episodes K");
  const drawer = page.locator("#settings > details", { has: episodes });
  await drawer.locator("summary").click();
  await episodes.fill("0");
  await page.locator("#episodes-error:visible").waitFor();
  await drawer.locator("summary").click();
  assert.equal(await episodes.isVisible(), false, "whoever closes it has it closed");
  await page.getByRole("button", { name: /^Run/ }).click();
  await page.waitForFunction(() => document.activeElement?.id === "episodes");
  await episodes.fill("3");
  await page.locator("#episodes-error:visible").waitFor({ state: "hidden" });
  // The prior's drawer is filled when it is opened, and the refusal of what it holds opens it.
  assert.equal(await page.locator("#worth").textContent(), "");
  const more = page.getByText("Likely edges, trust and worth");
  await more.click();
  await page.getByText("Graphs left", { exact: true }).waitFor();
  const trust = page.getByLabel("Trust in the prior’s edges");
  await trust.fill("7");
  await page.locator("#trust-error:visible").waitFor();
  await more.click();
  assert.equal(await trust.isVisible(), false);
  await page.getByRole("button", { name: /^Run/ }).click();
  await page.waitForFunction(() => document.activeElement?.id === "trust");
  assert.deepEqual(complaints, []);
  await close();
});

test("the switches, the domain and the agents reach the run", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig1-quick");
  await page.locator("#switch-fields").evaluate((box) => ((/** @type {HTMLDetailsElement} */ (box.closest("details"))).open = true));
  await page.selectOption("#update", "printed");
  await page.selectOption("#rewards", "learned");
  await page.selectOption("#bound", "below");
  await page.fill("#sparseness", "4");
  await page.fill("#firstRun", "3");
  await page.fill("#runs", "2");
  await addAgent(page, "F-PSRL", { Graph: "the prior’s" });
  await addAgent(page, "C-PSRL", { "Degree of prior knowledge": "0" });
  await page.uncheck('#agents input[value="psrl"]');
  await page.selectOption("#prior-from", "1");
  assert.equal(await run(page), fingerprint({
    format: "cpsrl/spec", version: 1, domain: { name: "figure1" }, prior: { eta: 1 }, sparseness: 4, episodes: 60, runs: 2, firstRun: 3, seed: 1,
    agents: ["f-psrl", "c-psrl", "f-psrl:graph=prior", "c-psrl:eta=0"], bound: "below", update: "printed", rewards: "learned",
  }));
  // Another domain has its own defaults; the rest stays.
  await page.selectOption("#domain", "random-fmdp");
  await page.waitForSelector("#stateVariables");
  assert.deepEqual(await Promise.all(["#horizon", "#sparseness", "#episodes", "#firstRun", "#update"].map((id) => page.inputValue(id))), ["100", "5", "60", "3", "printed"]);
  assert.equal(await page.inputValue("#prior-from"), "suggested");
  await page.click("#reset");
  await page.waitForSelector("#stateVariables", { state: "detached" });
  assert.equal(await page.inputValue("#domain"), "figure1");
  assert.deepEqual(complaints, []);
  await close();
});

const coin = {
  format: "cpsrl/model", version: 1, name: "coin", horizon: 3,
  state: [{ name: "side", size: 2, values: ["heads", "tails"] }, { name: "the \"edge\"", size: 2 }],
  action: [{ name: "flip", size: 2 }],
  initial: "uniform",
  transition: [
    { of: "side", given: ["side", "flip"], p: [[1, 0], [0.5, 0.5], [0, 1], [0.5, 0.5]] },
    { of: "the \"edge\"", given: ["the \"edge\""], p: [[0.9, 0.1], [0.1, 0.9]] },
  ],
  reward: [{ given: ["side"], mean: [0, 1], kind: "fixed" }],
};

/** @param {string} name @param {unknown} value */
const file = (name, value) => ({ name, mimeType: "application/json", buffer: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)) });

test("a model and a prior are taken from files, by button and by drop", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2c-quick");
  const upload = async (/** @type {ReturnType<typeof file>} */ given) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#domain-open")]);
    await chooser.setFiles(given);
  };
  await upload(file("coin.json", coin));
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix tbody tr").length === 3);
  assert.equal(await page.inputValue("#domain"), "model");
  assert.match((await page.textContent("#problem")) ?? "", /coin/);
  assert.equal(await page.inputValue("#horizon"), "3");
  assert.equal(await page.getAttribute("#horizon", "readonly"), "");
  await page.locator("#prior-matrix tbody td").first().click(); // side → side′

  // A prior of the same variables, dropped.
  const prior = { format: "cpsrl/prior", version: 1, state: coin.state.map(({ name, size }) => ({ name, size })), action: coin.action, sparseness: 2, edges: [["the \"edge\"", "the \"edge\""]] };
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "prior.json"));
    document.getElementById("prior")?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, JSON.stringify(prior));
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix [data-mark=known]").length === 1);
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.getElementById("sparseness")).value === "2");
  assert.equal(await run(page), fingerprint({ format: "cpsrl/spec", version: 1, domain: { name: "model", model: coin }, prior: { edges: prior.edges }, sparseness: 2, episodes: 100, runs: 4, seed: 1 }));
  await view(page, "text");
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.getElementById("prior-text")).value !== "");
  assert.equal(await page.inputValue("#prior-text"), '"the \\"edge\\"" -> "the \\"edge\\""\n');
  await view(page, "matrix");

  // What is wrong with a file is said, and nothing else happens.
  for (const [name, value, words] of /** @type {const} */ ([
    ["bad.json", "{", /is not JSON|not JSON/],
    ["trace.json", { format: "cpsrl/trace", version: 1 }, /it is a trace; here a model, a prior or a spec can be opened/],
    ["figure.json", { format: "cpsrl/figure", version: 1 }, /it is a figure; here/],
    ["records.json", '{"format":"cpsrl/records","version":1}\n{"run":0}\n', /it is a records file, .* at the chart shows; here/],
    ["other.json", [1], /in no format of this page; here/],
    ["runs.json", { format: "cpsrl/spec", version: 1, domain: { name: "taxi" }, runs: 0 }, /runs: .*out of range/],
    ["twice.json", JSON.stringify(coin).replace('"horizon":3', '"horizon":3,"horizon":4'), /duplicate/],
    ["row.json", { ...coin, transition: [{ ...coin.transition[0], p: [[1, 0], [0.5, 0.6], [0, 1], [0.5, 0.5]] }, coin.transition[1]] }, /transition\/0\/p\/1: .*sum/],
    ["prior.json", { ...prior, state: [{ name: "side", size: 2 }, { name: "elsewhere", size: 2 }], edges: [["elsewhere", "side"]] }, /does not fit: there is no variable/],
  ])) {
    await upload(file(name, value));
    await page.waitForFunction((words) => new RegExp(words).test(document.getElementById("domain-file-error")?.textContent ?? ""), words.source).catch(async () => assert.fail(`${name}: ${await page.textContent("#domain-file-error")}`));
    assert.equal(await page.inputValue("#domain"), "model");
    assert.equal(await page.locator("#prior-matrix [data-mark=known]").count(), 1, name);
  }

  // Away and back: the model is still there. A model that was never given is asked for.
  await page.selectOption("#domain", "taxi");
  await page.waitForSelector("#grid");
  await page.selectOption("#domain", "model");
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix tbody tr").length === 3);
  await close();
  const again = await open(site.browser, site.origin);
  await again.page.selectOption("#domain", "model");
  await again.page.waitForSelector("#domain-file-error:visible");
  assert.match((await again.page.textContent("#domain-file-error")) ?? "", /The model is missing/);
  assert.equal(await again.page.isVisible("#prior"), false);
  await again.page.selectOption("#domain", "figure1");
  await again.page.waitForSelector("#prior-matrix td:visible");
  assert.deepEqual([...complaints, ...again.complaints], []);
  await again.close();
});

test("64 variables do not freeze it, also where the core refuses to go on", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const names = Array.from({ length: 60 }, (_, i) => `gene ${i + 1}`);
  const big = {
    format: "cpsrl/model", version: 1, name: "genes", horizon: 2,
    state: names.map((name, i) => ({ name, size: i < 6 ? 2 : 1 })),
    action: ["a", "b", "c", "d"].map((name) => ({ name, size: 1 })),
    initial: "uniform",
    transition: names.map((name, i) => ({ of: name, given: [name], p: i < 6 ? [[1, 0], [0, 1]] : [[1]] })),
    reward: [],
  };
  await page.setInputFiles("#domain-file", file("genes.json", big));
  await page.waitForFunction(() => document.querySelectorAll("#prior-matrix td[role=gridcell]").length === 64 * 60);
  await page.fill("#sparseness", "5");
  await page.waitForSelector("#sparseness-error:visible");
  assert.match((await page.textContent("#sparseness-error")) ?? "", /8303633 consistent parent sets, more than the 65536/);
  assert.match((await page.textContent("#prior-counts tr:first-child")) ?? "", /8,303,633/);
  await page.focus("#prior-matrix [tabindex='0']");
  for (let k = 0; k < 10; k++) {
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await page.locator("#prior-matrix [data-mark=known]").count(), 10);
  await page.keyboard.press("Control+End");
  assert.match((await page.textContent("#prior-readout")) ?? "", /^d → gene 60′/);
  await page.waitForFunction(() => /^gene 1′ *10/.test(document.querySelector("#prior-counts tr")?.textContent ?? ""));
  for (const name of ["picture", "text", "matrix"]) await view(page, name);
  assert.deepEqual(await page.evaluate(overflow), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("axe finds nothing, and nothing scrolls sideways, in every view", async () => {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const { page, complaints, close } = await open(site.browser, site.origin, { colorScheme });
    const look = async (/** @type {string} */ what) => {
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await page.evaluate(overflow), [], `${what}, ${colorScheme}, ${width} px`);
        await seemly(page, `${what}, ${colorScheme}`, "#settings");
      }
    };
    await page.waitForSelector("#prior-matrix td");
    for (const details of await page.locator("#settings details").all()) await details.evaluate((d) => ((/** @type {HTMLDetailsElement} */ (d)).open = true));
    await look("matrix");
    await cell(page, "col", "row").click();
    await page.click("#prior-reveal");
    await look("revealed");
    await view(page, "picture");
    await page.click("#prior-picture .from >> text=col");
    await look("picture");
    await view(page, "text");
    await page.fill("#prior-text", "row -> now");
    await page.waitForSelector("#prior-text-errors:visible");
    await page.fill("#horizon", "0");
    await page.waitForSelector("#horizon-error:visible");
    await look("errors");
    await page.selectOption("#preset", "fig2a");
    await view(page, "matrix");
    await page.waitForFunction(() => document.querySelectorAll("#prior-matrix tbody tr").length === 9);
    await look("random FMDP");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a choice says known, likely or forbidden; the link, the text and Undo follow, and so do keys", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&prior=none&domain=taxi&grid=3x3&agents=c-psrl&episodes=5&runs=1`, { until: ["ready", "running", "finished"] });
  const cell = (/** @type {number} */ i, /** @type {number} */ j) => page.locator("#prior-matrix tbody tr").nth(i).locator("td").nth(j);
  const link = (/** @type {RegExp} */ wanted) => page.waitForFunction((wanted) => new RegExp(wanted).test(location.hash), wanted.source);
  const pen = page.getByLabel("A choice says");
  await pen.selectOption("likely, .9");
  await cell(0, 0).click();
  await link(/prior=row:row~\.9&/);
  assert.equal(await cell(0, 0).getAttribute("aria-label"), "likely, stated 0.9");
  assert.equal(await cell(0, 0).textContent(), ".9");
  await pen.selectOption("forbidden");
  await cell(1, 0).click();
  await link(/prior=row:!col,row~\.9&/);
  await cell(4, 0).click();
  await page.keyboard.press("k");
  await link(/prior=row:!col,move,row~\.9&/);
  await page.keyboard.press("3");
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await page.keyboard.press("Delete");
  await link(/prior=row:!col,row~\.9&/);
  await page.getByRole("button", { name: "Undo" }).click();
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await view(page, "text");
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.getElementById("prior-text")).value === "row -> row .9\n!col -> row\nmove -> row .3\n");
  await seemly(page, "likely and forbidden, as text");
  await view(page, "picture");
  assert.deepEqual(await page.locator("#prior-picture svg text").allTextContents(), [".9", ".3"]);
  assert.equal(await page.locator("#prior-picture .cross.forbidden").count(), 1);
  await seemly(page, "likely and forbidden, as a picture");
  // The same keys state an edge here.
  await page.getByRole("button", { name: "move, leads to row′ (.3)" }).click();
  await page.getByRole("button", { name: "row′, from move: likely, stated 0.3" }).press("7");
  await link(/prior=row:!col,move~\.7,row~\.9&/);
  await page.getByRole("button", { name: "row′, from move: likely, stated 0.7" }).press("x");
  await link(/prior=row:!col,!move,row~\.9&/);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await view(page, "matrix");
  await seemly(page, "likely and forbidden");
  // The same in a fresh page.
  const again = await open(site.browser, page.url(), { until: ["ready", "running", "finished"] });
  await again.page.waitForFunction(() => document.querySelectorAll("#prior-matrix [data-mark=likely]").length === 2 && document.querySelectorAll("#prior-matrix [data-mark=forbidden]").length === 1);
  assert.deepEqual([...complaints, ...again.complaints], []);
  await again.close();
  await close();
});

test("an agent with parameters of its own is a line of the chart, with the command's records", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig1-quick");
  await addAgent(page, "C-PSRL", { Concentration: "0.1", "Hyper-posterior": "as printed" });
  const added = page.locator("#agent-choices").getByRole("checkbox", { name: "C-PSRL (α = 0.1, printed)" });
  await added.waitFor();
  assert.equal(await run(page), fingerprint({
    format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, agents: ["psrl", "f-psrl", "c-psrl", "c-psrl:dirichlet=0.1,update=printed"],
  }));
  // What the engine does not take is said; unticked, it is gone from the experiment.
  await addAgent(page, "PSRL", { Concentration: "wide" });
  await page.waitForSelector("#agents-error:visible");
  assert.match((await page.textContent("#agents-error")) ?? "", /^The dirichlet of "psrl:dirichlet=wide" .*\.$/);
  await page.uncheck('#agents input[value="psrl:dirichlet=wide"]');
  await page.waitForSelector("#agents-error", { state: "hidden" });
  assert.deepEqual(complaints, []);
  await close();
});

test("only what is new is computed: an agent more, runs more, an agent less; the same again, and a receipt, are computed anew", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const spec = { format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, agents: ["psrl", "f-psrl", "c-psrl"] };
  /** Runs what is shown and returns what was there already. @param {Partial<typeof spec>} change */
  const runs = async (change) => {
    assert.equal(await run(page), fingerprint(Object.assign(spec, change)));
    return /^Finished in \d+ s\.(?: (\d+%) of the records were there already\.)?$/.exec((await page.textContent("#status")) ?? "")?.[1] ?? "0%";
  };
  await page.selectOption("#preset", "fig1-quick");
  assert.equal(await runs({}), "0%");
  await addAgent(page, "C-PSRL", { Concentration: "0.1" });
  assert.equal(await runs({ agents: [...spec.agents, "c-psrl:dirichlet=0.1"] }), "75%");
  await page.fill("#runs", "5");
  assert.equal(await runs({ runs: 5 }), "80%");
  await page.uncheck('#agents input[value="f-psrl"]');
  assert.equal(await runs({ agents: spec.agents.filter((label) => label !== "f-psrl") }), "100%");
  assert.equal(await runs({}), "0%");
  await page.fill("#seed", "2");
  assert.equal(await runs({ seed: 2 }), "0%");
  // What a run had when it was stopped is kept, as far as it is whole.
  await page.fill("#runs", "30");
  await page.click("#run");
  await page.waitForFunction(() => Number(/^(\d+)%/.exec(document.getElementById("status")?.textContent ?? "")?.[1]) >= 10);
  await page.click("#stop");
  await reach(page, "stopped");
  assert.match(await runs({ runs: 30 }), /^[1-9]/);
  // What was computed for other lines is not taken for a receipt's.
  await page.evaluate((receipt) => (location.hash = `#v=1&receipt=2-${receipt}&domain=figure1&episodes=60&runs=4`), golden.presets["fig1-quick"]);
  await page.getByText("Reproduced bit for bit: engine 2").first().waitFor();
  assert.match((await page.textContent("#status")) ?? "", /^Finished in \d+ s\.$/);
  assert.deepEqual(complaints, []);
  await close();
});

/** @param {string[]} args */
const cpsrl = (...args) => execFileSync(cli, args, { maxBuffer: 1 << 28 });

test("a file of transitions says what the command says, with the page's prior, a model or its own first line; a bad line is named", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  writeFileSync(join(work, "prior.json"), cpsrl("prior", "-preset", "fig1-quick"));
  writeFileSync(join(work, "model.json"), cpsrl("model", "-preset", "fig1-quick"));
  const rows = cpsrl("transitions", "-model", join(work, "model.json"), "-n", "200");
  writeFileSync(join(work, "t.jsonl"), rows);
  const want = cpsrl("posterior", "-prior", join(work, "prior.json"), "-transitions", join(work, "t.jsonl"), "-top", "10");
  await page.getByRole("button", { name: "What do transitions say about the graph?" }).click();
  const dialog = page.getByRole("dialog", { name: "What do transitions say about the graph?" });
  const file = dialog.getByLabel("Transitions as JSON Lines");
  const downloaded = async () => {
    const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download JSON" }).click()]);
    await saved.saveAs(join(work, "saved.json"));
    return readFileSync(join(work, "saved.json"));
  };
  await file.setInputFiles(join(work, "t.jsonl"));
  await dialog.getByRole("region", { name: "Edges" }).waitFor();
  assert.deepEqual(await downloaded(), want);
  const [best] = JSON.parse(want.toString()).edges.toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.p - a.p);
  assert.equal(await dialog.locator("tbody tr").first().textContent(), `${best.from}${best.to}′${best.p.toFixed(3)}`);
  await seemly(page, "transitions", "#posterior-dialog");

  // Its own prior, and a bad line: of the file, whose prior is line 1.
  await file.setInputFiles({ name: "own.jsonl", mimeType: "", buffer: Buffer.concat([readFileSync(join(work, "prior.json")), rows]) });
  await dialog.getByText("the first line of the file").waitFor();
  await dialog.getByRole("button", { name: "Download JSON" }).waitFor();
  assert.deepEqual(await downloaded(), want);
  const alert = dialog.getByRole("alert");
  await file.setInputFiles({ name: "bad.jsonl", mimeType: "", buffer: Buffer.from(`${rows.toString().split("\n")[0]}\n{"x":[99]}\n`) });
  await alert.waitFor();
  assert.match((await alert.textContent()) ?? "", /^Line 2, \/y: the field "y" is missing\.$/);
  assert.equal(await dialog.getByRole("region", { name: "Edges" }).count(), 0);
  await file.setInputFiles(join(work, "t.jsonl"));
  await dialog.getByLabel("A prior or a model as JSON").setInputFiles(join(work, "model.json"));
  await dialog.getByRole("region", { name: "Edges" }).waitFor();
  await dialog.getByLabel("Parent sets listed").fill("0");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelector("#posterior-dialog .fault")?.textContent?.startsWith("The top is 0; it must be from 1"));
  assert.deepEqual(complaints, []);
  await close();
});

test("a population's prior: trust and false edges have fields, with their refusals, in the link, Undo and Reset", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2a-quick/`);
  const [trust, wrong] = [page.getByLabel("Trust in the prior’s edges"), page.getByLabel("False edges per variable")];
  await page.selectOption("#prior-from", "2");
  await trust.fill("0.99");
  await wrong.fill("1");
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));
  const marks = 3 * (await page.locator("#prior-matrix thead th").count()); // two true edges and a false one into each
  await page.waitForFunction((n) => document.querySelectorAll("#prior-matrix td[data-mark=likely]").length === n, marks);
  assert.match((await page.textContent("#prior-note")) ?? "", /Each run draws false edges of its own/);
  await seemly(page, "trust and false edges");

  for (const [field, text, words] of /** @type {const} */ ([[trust, "0", "0.000001 to 0.999999"], [trust, "much", "a number"], [wrong, "65", "from 0 to 64"]])) {
    const before = await field.inputValue();
    await field.fill(text);
    await page.waitForFunction((said) => [...document.querySelectorAll("#sparseness-field .error")].some((error) => error.textContent?.includes(said)), words);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill(before);
    await page.waitForFunction(() => document.querySelector("#sparseness-field [aria-invalid]") === null);
  }
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));

  // Another η keeps them; Undo goes back step by step.
  await page.selectOption("#prior-from", "1");
  await page.waitForFunction(() => /&eta=1&trust=.99&false=1(&|$)/.test(location.hash));
  await page.click("#prior-undo");
  assert.equal(await page.inputValue("#prior-from"), "2");
  assert.deepEqual([await trust.inputValue(), await wrong.inputValue()], ["0.99", "1"]);
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));
  const link = page.url();
  await page.click("#reset");
  await page.waitForFunction(() => !location.hash.includes("trust"));
  assert.deepEqual([await trust.inputValue(), await wrong.inputValue()], ["1", "0"]);

  // A cell that is chosen makes a list of edges, each with its probability.
  const fresh = await open(site.browser, link, { until: ["ready", "running", "finished"] });
  assert.equal(await fresh.page.getByLabel("Trust in the prior’s edges").inputValue(), "0.99");
  await fresh.page.locator("#prior-matrix td[data-mark=likely]").first().waitFor();
  await fresh.page.locator("#prior-matrix td[data-mark=unknown]").first().click();
  await fresh.page.waitForFunction(() => /prior=.*~.99/.test(location.hash));
  assert.equal(await fresh.page.locator("#prior-matrix td[data-mark=likely]").count(), marks);
  await fresh.page.getByLabel("Trust in the prior’s edges").waitFor({ state: "detached" });
  assert.deepEqual([...complaints, ...fresh.complaints], []);
  await fresh.close();
  await close();
});

test("a field keeps the focus and what is typed while others go", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c-quick/`, { until: ["ready"] });
  await page.getByLabel("Trust in the prior’s edges").waitFor();
  await page.locator("#sparseness").selectText();
  await page.locator("#prior-clear").dispatchEvent("click"); // the focus stays where it is
  await page.getByLabel("Trust in the prior’s edges").waitFor({ state: "detached" });
  await page.keyboard.insertText("4");
  assert.equal(await page.inputValue("#sparseness"), "4");
  await page.waitForFunction(() => /&z=4(&|$)/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});

test("priors under names are lines of one chart, and stay in the link", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig1-quick");
  await page.waitForFunction(() => location.hash.includes("domain=figure1"));
  await page.click("#named-priors summary");
  const form = page.locator("#named-priors");
  const add = async (/** @type {string} */ name) => {
    await form.getByLabel("Name").fill(name);
    await form.getByRole("button", { name: "Add C-PSRL with this prior" }).click();
  };
  await add("no name");
  assert.equal(await page.textContent("#keep-error"), "A name has up to 24 letters, digits, - and _, and begins with a letter.");
  await page.selectOption("#prior-from", "1");
  await add("one");
  await page.click("#prior-clear");
  await form.getByLabel("Name").fill("none");
  await form.getByLabel("Name").press("Enter");
  await page.selectOption("#prior-from", "suggested");
  const choices = page.locator("#agent-choices");
  await choices.getByRole("checkbox", { name: "C-PSRL (prior none)" }).waitFor();
  const spec = {
    format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, priors: { one: { eta: 1 }, none: { edges: [] } },
    agents: ["psrl", "f-psrl", "c-psrl", "c-psrl:prior=one", "c-psrl:prior=none"],
  };
  assert.equal(await run(page), fingerprint(spec));
  const link = await page.evaluate(() => location.hash);
  assert.match(link, /^#v=2&prior\.none=none&prior\.one=\*eta:1&agents=psrl,f-psrl,c-psrl,c-psrl:prior=one,c-psrl:prior=none&domain=figure1&episodes=60&runs=4$/);

  const fresh = await open(site.browser, `${site.origin}${link}`, { until: ["ready", "running", "finished"] });
  await fresh.page.click("#named-priors summary");
  const rows = fresh.page.locator("#named-priors li");
  await rows.nth(1).waitFor();
  assert.deepEqual(await rows.locator("> :first-child").allTextContents(), ["none 0 edges", "one η = 1"]);
  await fresh.page.getByRole("button", { name: "Edit the prior one" }).click();
  await fresh.page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.getElementById("prior-from")).value === "1");
  // With a prior go the agents that ask for it; Back brings both again.
  await fresh.page.getByRole("button", { name: "Remove the prior none" }).click();
  await fresh.page.waitForFunction(() => location.hash.startsWith("#v=2&prior.one=*eta:1&agents=psrl,f-psrl,c-psrl,c-psrl:prior=one&domain=figure1"));
  await fresh.page.evaluate(() => history.back());
  await fresh.page.waitForFunction(() => location.hash.startsWith("#v=2&prior.none=none&prior.one=*eta:1&"));
  await rows.nth(1).waitFor();
  assert.deepEqual([...complaints, ...fresh.complaints], []);
  await fresh.close();
  await close();
});
