// The settings and the prior editor, in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { addAgent, golden, holdRequests, open, reach, runsDrawn, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases } from "./long.mjs";
import { seemly, seemlyEverywhere } from "./looks.mjs";

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

/** The edges that the matrix marks as known, sorted. @param {Page} page */
const edges = (page) => find.matrix(page).evaluate((matrix) => [...matrix.querySelectorAll("tbody tr")].flatMap((row) =>
  [...row.querySelectorAll("td")].flatMap((cell, j) =>
    /known/.test(cell.ariaLabel ?? "") && !/^(unknown|true)/.test(cell.ariaLabel ?? "")
      ? [`${row.querySelector("th")?.textContent} -> ${matrix.querySelectorAll("thead th")[j]?.textContent?.replace("′", "")}`] : [])).sort());

/** @param {Page} page @param {string} x @param {string} y */
const cell = (page, x, y) => find.cellsFrom(page, x).nth(["row", "col", "passenger", "destination"].indexOf(y));

/** The button of a variable in the picture, on the side of the present or of the next step. @param {Page} page @param {"from" | "to"} side @param {string} name */
const variable = (page, side, name) =>
  find.picture(page).getByRole("list", { name: side === "from" ? "From: variables now" : "To: variables at the next step", exact: true }).getByRole("button", { name: new RegExp(`^${name},`) });

/** Names the parts of the settings that are wider than their column, and the page if it scrolls sideways. */
function overflow() {
  const box = /** @type {HTMLElement} */ (document.getElementById("settings"));
  const edge = box.getBoundingClientRect().right - parseFloat(getComputedStyle(box).paddingRight) + 1;
  const wide = [...box.querySelectorAll("*")].filter((part) => !part.closest(".matrix *, .scroll *, svg, .hint, .hidden") && part.getBoundingClientRect().right > edge);
  return [...(document.documentElement.scrollWidth > innerWidth ? ["page"] : []), ...wide.map((part) => part.id || part.outerHTML.slice(0, 80))];
}

/** The fingerprint of the records that the command writes for a spec. @param {object} spec */
function fingerprint(spec) {
  const file = join(work, "spec.json");
  writeFileSync(file, JSON.stringify(spec));
  const records = execFileSync(cli, ["run", "-spec", file], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const lines = records.subarray(records.indexOf(10) + 1);
  return execFileSync("sha256sum", { input: lines }).toString().slice(0, 64);
}

/** @param {Page} page */
async function run(page) {
  await find.run(page).click();
  await reach(page, "finished");
  await find.fingerprint(page).filter({ hasText: /^[0-9a-f]{64}$/ }).waitFor();
  return find.fingerprint(page).textContent();
}

test("a run with a prior edited by keyboard has the fingerprint of the command", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2c-quick");
  await find.prior(page).getByText(/graphs are left/).waitFor(); // the problem is described; until then its prior cannot be edited
  await find.view(page, "Text").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab"); // enters the grid at its first cell
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "known");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "unknown");
  await page.keyboard.press("Space"); // col → row′
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "known");
  await find.announced(page, /col → row′: known/).waitFor();
  await page.keyboard.press("Control+End");
  await find.prior(page).getByText(/^move → destination′: unknown \(destination has one value only/).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter"); // move → passenger′, no longer known
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "unknown");
  await find.run(page).focus();
  await page.keyboard.press("Enter");
  await reach(page, "finished");
  const got = await find.fingerprint(page).textContent();
  assert.notEqual(got, golden.presets["fig2c-quick"]);
  const spec = {
    format: "cpsrl/spec", version: 1, domain: { name: "taxi", grid: "3x3" }, episodes: 100, runs: 4, seed: 1,
    prior: { edges: [["row", "row"], ["move", "row"], ["col", "row"], ["col", "col"], ["move", "col"], ["passenger", "passenger"], ["destination", "destination"]] },
  };
  assert.equal(got, fingerprint(spec));
  assert.deepEqual(complaints, []);
  await close();
});

test("matrix, picture and text show the same prior, and Undo and Redo go through its versions", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2c-quick");
  await find.matrix(page).waitFor();
  const suggested = await edges(page);
  assert.deepEqual(suggested, ["col -> col", "destination -> destination", "move -> col", "move -> passenger", "move -> row", "passenger -> passenger", "row -> row"]);
  await page.waitForURL(/grid=3x3&episodes=100/);
  const link = page.url();
  const one = [...suggested, "col -> row"].sort();
  await cell(page, "col", "row").click();
  await page.waitForURL(/prior=/);
  await cell(page, "col", "row").click(); // taken back, it leaves the suggestion
  await page.waitForURL(link);
  assert.equal(await find.priorFrom(page).inputValue(), "suggested");
  await find.undo(page).click();
  await find.undo(page).click();
  await cell(page, "col", "row").click();
  assert.deepEqual(await edges(page), one);

  // In the picture, by keyboard: choose X, then Y.
  await find.view(page, "Graph").click();
  assert.equal(await find.picture(page).locator(".edge.known").count(), 8);
  await find.picture(page).locator("button[tabindex='0']").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await find.picture(page).getByRole("button", { pressed: true }).textContent(), "col");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "passenger′, from col: unknown");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "passenger′, from col: known");
  assert.equal(await find.picture(page).locator(".edge.known").count(), 9);
  const box = await find.picture(page).getByRole("button").first().boundingBox();
  assert.ok(box && box.height >= 24 && box.width >= 24);

  // In the picture, by clicks.
  await variable(page, "from", "move").click();
  await variable(page, "to", "row′").click();
  assert.equal(await find.picture(page).locator(".edge.known").count(), 8);

  // The text has the same edges, and an edit of it changes the prior.
  await find.view(page, "Text").click();
  await find.until(async () => (await find.priorText(page).inputValue()).includes("col -> passenger"), "the text has the new edge");
  const text = await find.priorText(page).inputValue();
  assert.deepEqual(text.trim().split("\n").sort(), ["col -> col", "col -> passenger", "col -> row", "destination -> destination", "move -> col", "move -> passenger", "passenger -> passenger", "row -> row"]);
  await find.priorText(page).fill("digraph { row -> row [weight=2]; move -> col }");
  await find.prior(page).getByText(/^The weights are whole numbers, .* is certain\.$/).waitFor(); // how a text is read is said
  await find.priorText(page).fill("row -> row # as ever\n\nmove -> col\n");
  await find.view(page, "Matrix").click(); // at once, and yet the typed text is not lost
  await find.until(async () => (await find.cells(page, /^known/).count()) === 2, "2 edges are known");
  assert.deepEqual(await edges(page), ["move -> col", "row -> row"]);
  for (const [format, word] of /** @type {const} */ ([["dot", "digraph {"], ["dagitty", "dag {"], ["tikz", "\\begin{tikzpicture}"]])) {
    await find.view(page, "Text").click();
    await find.language(page).selectOption(format);
    await find.until(async () => (await find.priorText(page).inputValue()).includes(word), word);
    assert.equal(await find.priorText(page).isEditable(), false);
  }
  const [download] = await Promise.all([page.waitForEvent("download"), find.prior(page).getByRole("button", { name: "Save", exact: true }).click()]);
  await download.saveAs(join(work, "prior.tex"));
  assert.match(readFileSync(join(work, "prior.tex"), "utf8"), /tikzpicture/);
  await find.language(page).selectOption("text");

  // Undo and Redo, by keys and by buttons.
  await find.view(page, "Matrix").click();
  await find.matrix(page).locator("[tabindex='0']").focus();
  await page.keyboard.press("Control+z");
  assert.equal((await edges(page)).length, 8);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await edges(page), one);
  await find.undo(page).click();
  assert.deepEqual(await edges(page), suggested);
  assert.equal(await find.priorFrom(page).inputValue(), "suggested");
  assert.equal(await find.undo(page).getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Control+Shift+z");
  assert.deepEqual(await edges(page), one);
  await find.redo(page).click();
  await find.redo(page).click();
  await find.redo(page).click();
  assert.deepEqual(await edges(page), ["move -> col", "row -> row"]);
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur()); // as after a click on an edge
  await page.keyboard.press("Control+z");
  assert.equal((await edges(page)).length, 8, "keys work without a focus, too");
  await find.clear(page).click();
  assert.deepEqual(await edges(page), []);
  await find.prior(page).getByText(/^No edge is known/).waitFor();
  await find.priorFrom(page).selectOption("1");
  await find.until(async () => (await find.cells(page, /^known/).count()) === 4, "4 edges are known");
  await find.priorFrom(page).selectOption("suggested");
  assert.deepEqual(await edges(page), suggested);
  assert.deepEqual(complaints, []);
  await close();
});

test("the errors of a text name line and column, and its correct lines are taken", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.view(page, "Text").click();
  await find.priorText(page).fill('row -> row\nmove -> rwo\ncol => col\n"pass" -> col\nrow -> move\nmove -> row');
  const errors = page.getByRole("tabpanel", { name: "Text", exact: true }).getByRole("status").filter({ hasText: "Left out of the prior:" });
  await errors.waitFor();
  assert.deepEqual(await errors.getByRole("listitem").allTextContents(), [
    'Line 2, column 9: There is no variable "rwo".',
    'Line 3, column 5: "->" was expected, as in "row -> col".',
    'Line 4, column 1: There is no variable "pass".',
    'Line 5, column 8: "move" is an action; edges lead to state variables.',
  ]);
  assert.equal(await find.priorText(page).getAttribute("aria-invalid"), "true");
  assert.match(await find.priorText(page).inputValue(), /rwo/, "the typed text stays");
  await find.view(page, "Matrix").click();
  assert.deepEqual(await edges(page), ["move -> row", "row -> row"]);
  await find.view(page, "Text").click();
  assert.match(await find.priorText(page).inputValue(), /rwo/);
  await find.priorText(page).fill("row -> row");
  await errors.waitFor({ state: "hidden" });
  // A few errors take their room from the text, so that nothing moves. The first errors of many are listed. The caret stays in view.
  const place = () => Promise.all([find.priorText(page), find.prior(page).getByText("Likely edges, trust, worth")].map(async (at) => (({ x, y, width }) => ({ x, y, width }))(/** @type {{x: number, y: number, width: number}} */ (await at.boundingBox()))));
  await find.priorText(page).fill(`${"\n".repeat(20)}row -> row\ncol -> col`);
  await find.prior(page).getByText(/^2 known edges\./).waitFor();
  const before = await place();
  await find.priorText(page).fill(`no\nno${"\n".repeat(20)}row -> row`);
  await errors.waitFor();
  assert.deepEqual(await place(), before);
  await find.priorText(page).fill(`${"no\n".repeat(20)}row -> row`);
  await errors.getByText("16 more lines.").waitFor();
  assert.equal(await errors.getByRole("listitem").nth(3).textContent(), 'Line 4, column 3: "->" was expected, as in "row -> col".');
  const below = await find.priorText(page).evaluate((/** @type {HTMLTextAreaElement} */ { scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  assert.ok(below <= 8, `the text continues ${below} px below its last line`);
  assert.deepEqual(complaints, []);
  await close();
});

test("an edge that is marked before a new problem is described is refused in words", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const before = await edges(page);
  // In one task, so that the engine's answer cannot come between.
  const words = await find.presets(page).evaluate((/** @type {HTMLSelectElement} */ menu) => {
    menu.value = "fig2d";
    menu.dispatchEvent(new Event("change"));
    /** @type {HTMLElement} */ (document.querySelector("#prior-matrix tbody td")).click();
    return document.querySelector("#prior-readout")?.textContent;
  });
  assert.equal(words, "These are the edges of the last problem. The prior can be edited once the engine has described the new one.");
  await find.until(async () => (await edges(page)).length === before.length + 1, "the edges are those of the new problem");
  assert.deepEqual(complaints, []);
  await close();
});

test("the true graph is hidden until it is revealed, and hidden again when the problem changes", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const marks = async () => {
    const [known, misspecified, missed] = await Promise.all([/^known(, true)?$/, /^known, misspecified/, /^true, but not known/].map((name) => find.cells(page, name).count()));
    return { known, misspecified, missed };
  };
  await cell(page, "col", "row").click();
  assert.deepEqual(await marks(), { known: 8, misspecified: 0, missed: 0 });
  assert.ok(!/misspecified|true/i.test(await page.getByRole("tabpanel", { name: "Matrix", exact: true }).evaluate((panel) => panel.innerHTML.replaceAll('aria-selected="true"', "").replaceAll('data-long="true"', ""))));
  await find.reveal(page).click();
  assert.deepEqual(await marks(), { known: 7, misspecified: 1, missed: 2 });
  assert.equal(await cell(page, "col", "row").getAttribute("aria-label"), "known, misspecified: not in the true graph");
  assert.equal(await cell(page, "row", "passenger").getAttribute("aria-label"), "true, but not known");
  await find.prior(page).getByText("8 known edges, 1 misspecified; 2 true edges are not known. 4,096 graphs are left.", { exact: true }).waitFor();
  assert.equal(await cell(page, "col", "row").evaluate((cell) => getComputedStyle(cell, "::before").content), '"✕"', "a mark, not only a colour, shows the false edge");
  await find.view(page, "Graph").click();
  assert.equal(await find.picture(page).locator(".edge.misspecified").count(), 1);
  assert.equal(await find.picture(page).locator(".edge.missed").count(), 2);
  assert.equal(await find.picture(page).locator(".cross").count(), 1);
  await find.view(page, "Matrix").click();
  await find.grid(page).selectOption("5x5");
  await find.holds(find.horizon(page), "15");
  await find.reveal(page).waitFor(); // it is hidden again
  const { misspecified, missed } = await marks();
  assert.deepEqual([misspecified, missed], [0, 0]);
  assert.deepEqual(complaints, []);
  await close();
});

test("the page shows the core's counts, η and rate, also without a prior and for a refused one", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const facts = () => Promise.all(["Prior knowledge η", "Graphs left", "Without the prior"].map((term) => find.fact(page, term).textContent()));
  await find.unfold(page, "Parent sets left for each");
  await find.unfold(page, "What Theorem 1 promises");
  const table = page.getByRole("region", { name: "Parent sets left for each variable", exact: true }).getByRole("table");
  const counts = () => find.rows(table).evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join(" ")));
  await find.rows(table).first().waitFor();
  await find.clear(page).click();
  await find.fact(page, "Prior knowledge η").filter({ hasText: /^0$/ }).waitFor();
  assert.deepEqual(await counts(), ["row′ 0 32 32", "col′ 0 32 32", "passenger′ 0 32 32", "destination′ 0 32 32"]);
  const rate = (await find.fold(page, "What Theorem 1 promises").textContent()) ?? "";
  assert.match(rate, /Learning the transition model.*H5\/2 N1\+Z\/2 dY √K/);
  assert.match(rate, /Learning the factorization.*√\(H 2dX−η K\)/);
  assert.match(rate, /The same by the proof.*√\(H C̄ K\), C̄ = max \|𝒵j\|/);
  await find.sparseness(page).fill("2");
  await find.until(async () => (await counts())[0]?.split(" ")[2] === "16", "the counts follow");
  assert.deepEqual(await facts(), ["0", "65,536", "65,536"]);
  for (const x of ["row", "col", "move"]) await cell(page, x, "row").click();
  await find.until(async () => (await find.described(find.priorFrom(page))).length > 0, "the prior is refused");
  assert.match((await find.described(find.priorFrom(page))).join(), /^"row" has 3 known parents, but the degree of sparseness admits at most 2\.$/);
  await find.until(async () => (await counts())[0]?.split(" ")[1] === "3", "the counts follow");
  assert.deepEqual((await counts())[0], "row′ 3 0 16", "the counts follow although the engine refuses the prior");
  assert.equal(await find.fact(page, "No rate").textContent(), "Theorem 1 says nothing here: the prior knows the edge col → row, which is not true.");
  assert.deepEqual(complaints, []);
  await close();
});

test("every field of every domain has its range and its errors beside it", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const fields = {
    "random-fmdp": ["State variables", "Action variables", "Values N", "True parents", "Horizon H"],
    "taxi": ["Horizon H"],
    "figure1": ["Horizon H"],
  };
  /** Texts that no field takes, and words of their errors. A field gets them all in the first domain that has it. In the others, the domain's own fields get one. */
  const faults = cases(/** @type {const} */ ([["", /expected|empty|whole/i], ["-1", /at least|from|expected/i]]), /** @type {const} */ ([["x", /expected|whole/i], ["1.000", /write digits only/], ["99999999999999999999", /range|expected|whole/i]]));
  /** @type {Set<string>} */
  const met = new Set();
  const field = (/** @type {string} */ name) => page.getByRole("textbox", { name, exact: true });
  const [stateVariables, parents] = [field("State variables"), field("True parents")];
  await find.unfold(page, "Switches");
  for (const [domain, own] of Object.entries(fields)) {
    await find.domain(page).selectOption(domain);
    await find.holds(find.horizon(page), { "random-fmdp": "100", "taxi": "15", "figure1": "10" }[domain] ?? "");
    await page.getByText(domain === "taxi" ? /^A step pays 0\.3, .* a delivery 1: / : /^A step pays from 0 to 1: /).waitFor();
    for (const id of [...own, "Sparseness Z", "Episodes K", "Runs", "First run", "Seed"]) {
      const input = field(id);
      await input.waitFor();
      const good = await input.inputValue();
      assert.match((await find.described(input)).at(-1) ?? "", /^[\d,]+ to [\d,]+/, `${domain} ${id} has a range`);
      for (const [bad, words] of met.has(id) ? faults.slice(0, own.includes(id) ? 1 : 0) : faults) {
        const [before] = await find.described(input, ".error");
        await input.fill(bad);
        await find.until(async () => {
          const [now = ""] = await find.described(input, ".error");
          return now !== before && words.test(now);
        }, `${domain} ${id} ${JSON.stringify(bad)}`);
        assert.equal(await input.getAttribute("aria-invalid"), "true");
        assert.equal(await find.failure(page).count(), 0);
      }
      await input.fill(good);
      await find.accepted(input);
      met.add(id);
    }
  }
  // Some faults are found only when the core builds the problem; a field may also hold a word.
  await find.domain(page).selectOption("random-fmdp");
  await stateVariables.fill("40");
  await find.refused(stateVariables, /state-action pairs/);
  await stateVariables.fill("6");
  await parents.fill("uniform");
  await find.accepted(stateVariables);
  await parents.fill("10");
  await find.until(async () => (await parents.getAttribute("aria-invalid")) === "true", "10 parents are refused");
  await parents.fill("5");
  await find.runs(page).fill("0");
  await find.run(page).click();
  await find.until(() => find.focused(find.runs(page)), "the field has the focus");
  await find.runs(page).fill("2");
  await find.fold(page, "Switches").getByRole("combobox", { name: "Parents allowed", exact: true }).selectOption("below");
  await find.sparseness(page).fill("2");
  await find.refused(find.sparseness(page), /has 2 known parents, but the degree of sparseness admits fewer than 2/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the settings are folded into drawers that say what they hold; changed switches are shown open", async () => {
  for (const [rest, shown] of /** @type {const} */ ([["", false], ["&rewards=learned", true]])) {
    const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=5&first=1&runs=2${rest}`, { until: ["finished"], folded: true });
    assert.equal(await page.getByLabel("Rewards", { exact: true }).isVisible(), shown, rest);
    assert.equal(await page.getByLabel("First run", { exact: true }).isVisible(), false);
    assert.deepEqual(await find.settings(page).locator("> details > summary").allInnerTexts(), [
      "Problem Figure 1’s example", "Agents 3", "Size episodes 5, first run 1, runs 2", "Switches where the paper is silent",
    ]);
    await find.unfold(page, "Size");
    assert.deepEqual(await find.fold(page, "Size").getByRole("textbox").evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).labels?.[0]?.textContent)), ["Episodes K", "First run", "Runs", "Seed"]);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("Run opens the drawer of a fault and focuses its field", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  const episodes = find.episodes(page);
  const drawer = page.getByRole("heading", { name: "Size", exact: true });
  await drawer.click();
  await episodes.fill("0");
  await find.refused(episodes, /at least 1/);
  await drawer.click();
  assert.equal(await episodes.isVisible(), false, "a visitor can close the drawer of a fault");
  await find.run(page).click();
  await find.until(() => find.focused(episodes), "the field has the focus");
  await episodes.fill("3");
  await find.accepted(episodes);
  // The prior's drawer is filled when it is first opened, and Run opens it for a fault, too.
  assert.equal(await page.locator("#worth").textContent(), "");
  const more = page.getByText(find.moreOfPrior);
  await more.click();
  await find.fact(page, "Graphs left").waitFor();
  const trust = find.trust(page);
  await trust.fill("7");
  await find.refused(trust, /0\.000001 to 0\.999999/);
  await more.press("Enter"); // a click could miss it, because the page scrolls to the words of the refusal
  assert.equal(await trust.isVisible(), false);
  await find.run(page).click();
  await find.until(() => find.focused(trust), "the field has the focus");
  assert.deepEqual(complaints, []);
  await close();
});

test("a run takes its switches, its domain and its agents from the form", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig1-quick");
  await find.unfold(page, "Switches");
  await find.fold(page, "Switches").getByRole("combobox", { name: "Hyper-posterior", exact: true }).selectOption("printed");
  await find.fold(page, "Switches").getByRole("combobox", { name: "Rewards", exact: true }).selectOption("learned");
  await find.fold(page, "Switches").getByRole("combobox", { name: "Parents allowed", exact: true }).selectOption("below");
  await find.sparseness(page).fill("4");
  await find.firstRun(page).fill("3");
  await find.runs(page).fill("2");
  await addAgent(page, "F-PSRL", { Graph: "the prior’s" });
  await addAgent(page, "C-PSRL", { "Degree of prior knowledge": "0" });
  await find.agent(page, "PSRL").uncheck();
  await find.priorFrom(page).selectOption("1");
  assert.equal(await run(page), fingerprint({
    format: "cpsrl/spec", version: 1, domain: { name: "figure1" }, prior: { eta: 1 }, sparseness: 4, episodes: 60, runs: 2, firstRun: 3, seed: 1,
    agents: ["f-psrl", "c-psrl", "f-psrl:graph=prior", "c-psrl:eta=0"], bound: "below", update: "printed", rewards: "learned",
  }));
  // Another domain has its own defaults. The other settings stay.
  await find.domain(page).selectOption("random-fmdp");
  const stateVariables = page.getByRole("textbox", { name: "State variables", exact: true });
  await stateVariables.waitFor();
  assert.deepEqual(await Promise.all([find.horizon(page), find.sparseness(page), find.episodes(page), find.firstRun(page), find.fold(page, "Switches").getByRole("combobox", { name: "Hyper-posterior", exact: true })].map((field) => field.inputValue())), ["100", "5", "60", "3", "printed"]);
  assert.equal(await find.priorFrom(page).inputValue(), "suggested");
  await find.reset(page).click();
  await stateVariables.waitFor({ state: "detached" });
  assert.equal(await find.domain(page).inputValue(), "figure1");
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
const file = (name, value) => ({ name, mimeType: "application/json", buffer: Buffer.isBuffer(value) ? value : Buffer.from(typeof value === "string" ? value : JSON.stringify(value)) });

test("a menu of the domain that leaves the variables as they are leaves the other settings, too", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=2&prior=X1:X1&agents=c-psrl&domain=random-fmdp&states=4&actions=2&scopes=own&episodes=20&runs=2`, { until: ["ready", "running", "finished"] });
  await find.unfold(page, "Problem");
  const scopes = page.getByRole("combobox", { name: "Reward scopes", exact: true });
  await find.until(async () => (await find.cells(page, /^known/).count()) === 1, "1 edge is known");
  await scopes.selectOption("tied");
  await page.waitForFunction(() => location.hash.includes("states=4") && !location.hash.includes("scopes=own"));
  assert.match(await page.evaluate(() => location.hash), /prior=X1:X1/);
  assert.equal(await page.getByRole("textbox", { name: "State variables", exact: true }).inputValue(), "4");
  assert.deepEqual(complaints, []);
  await close();
});

test("Undo and a cell wait until the text that was typed is part of the prior", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&prior=row:row&agents=c-psrl&domain=taxi&grid=3x3&episodes=5&runs=1`, { before: holdRequests, until: ["ready", "running", "finished"] });
  const hold = () => page.evaluate(() => void (/** @type {any} */ (window).hold = true));
  const release = async () => {
    await page.waitForFunction(() => /** @type {any} */ (window).held.length > 0);
    await page.evaluate(() => /** @type {any} */ (window).release());
  };
  const type = async (/** @type {string} */ text) => {
    await find.view(page, "Text").click();
    await find.until(() => find.priorText(page).isEditable(), "the text is there");
    await hold();
    await find.priorText(page).fill(text);
  };
  await type("row -> row\ncol -> col\n");
  await find.undo(page).dispatchEvent("click"); // it says that it is disabled, because the text is not a step yet
  await release();
  await find.until(async () => (await find.redo(page).getAttribute("aria-disabled")) === "false", "the text was a step, which is undone");
  await page.waitForFunction(() => /prior=row:row&/.test(location.hash));
  await find.redo(page).click();
  await page.waitForFunction(() => /prior=[^&]*col:col/.test(location.hash));
  await type("row -> row\n");
  await find.view(page, "Matrix").click();
  await find.cellsFrom(page, "passenger").nth(2).click();
  await release();
  await page.waitForFunction(() => /prior=[^&]*passenger:passenger/.test(location.hash) && !location.hash.includes("col:col"));
  assert.deepEqual(complaints, []);
  await close();
});

test("a model and a prior can be opened from files, by button and by drop", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2c-quick");
  const upload = (/** @type {ReturnType<typeof file>} */ given) => find.openFile(page, "Open a file…", given);
  await upload(file("coin.json", coin));
  await find.until(async () => (await find.rows(find.matrix(page)).count()) === 3, "there are 3 variables");
  assert.equal(await find.domain(page).inputValue(), "model");
  assert.match((await find.fold(page, "Problem").textContent()) ?? "", /coin/);
  assert.equal(await find.horizon(page).inputValue(), "3");
  assert.equal(await find.horizon(page).isEditable(), false);
  await find.matrix(page).getByRole("gridcell").first().click(); // side → side′

  const drop = (/** @type {unknown} */ value) => find.prior(page).evaluate((prior, text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "prior.json"));
    prior.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, JSON.stringify(value));
  // A model that is refused is explained although the drawer of the problem is closed.
  await find.fold(page, "Problem").evaluate((drawer) => void (/** @type {HTMLDetailsElement} */ (drawer).open = false));
  await drop({ ...coin, horizon: 0 });
  await find.failure(page).filter({ hasText: /^horizon: / }).waitFor();
  // Drop a prior of the same variables.
  const prior = { format: "cpsrl/prior", version: 1, state: coin.state.map(({ name, size }) => ({ name, size })), action: coin.action, sparseness: 2, edges: [["the \"edge\"", "the \"edge\""]] };
  await drop(prior);
  await find.becomes(() => edges(page), ['the "edge" -> the "edge"'], "the edge of the file is known, and not the one that was clicked");
  await find.holds(find.sparseness(page), "2");
  assert.equal(await run(page), fingerprint({ format: "cpsrl/spec", version: 3, domain: { name: "model", model: coin }, prior: { edges: prior.edges }, sparseness: 2, episodes: 100, runs: 4, seed: 1 }));
  await find.view(page, "Text").click();
  await find.until(async () => (await find.priorText(page).inputValue()) !== "", "there is a text");
  assert.equal(await find.priorText(page).inputValue(), '"the \\"edge\\"" -> "the \\"edge\\""\n');
  await find.view(page, "Matrix").click();

  // A file that cannot be opened is explained and changes nothing.
  for (const [name, value, words] of /** @type {const} */ ([
    ["bad.json", "{", /malformed JSON at byte 1/],
    ["wide.json", Buffer.from(`\ufeff${JSON.stringify(coin)}`, "utf16le"), /this file is UTF-16; save it as UTF-8/],
    ["trace.json", { format: "cpsrl/trace", version: 1 }, /it is a trace; records, results, a model, a prior, a spec, a graph or transitions can be opened/],
    ["figure.json", { format: "cpsrl/figure", version: 1 }, /it is a figure; records/],
    ["records.json", '{"format":"cpsrl/records","version":1}\n{"run":0}\n', /^records\.json cannot be shown: /],
    ["other.json", [1], /in no format of this page; records/],
    ["runs.json", { format: "cpsrl/spec", version: 1, domain: { name: "taxi" }, runs: 0 }, /runs: .*out of range/],
    ["large.json", `{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"runs":0${" ".repeat(5 << 20)}}`, /runs: .*out of range/], // too large for the desk
    ["twice.json", JSON.stringify(coin).replace('"horizon":3', '"horizon":3,"horizon":4'), /duplicate/],
    ["row.json", { ...coin, transition: [{ ...coin.transition[0], p: [[1, 0], [0.5, 0.6], [0, 1], [0.5, 0.5]] }, coin.transition[1]] }, /transition\/0\/p\/1: .*sum/],
    ["prior.json", { ...prior, state: [{ name: "side", size: 2 }, { name: "elsewhere", size: 2 }], edges: [["elsewhere", "side"]] }, /does not fit: there is no variable/],
  ])) {
    await upload(file(name, value));
    await find.failure(page).filter({ hasText: words }).waitFor().catch(async () => assert.fail(`${name}: ${await find.failure(page).textContent()}`));
    assert.equal(await find.domain(page).inputValue(), "model");
    assert.equal(await find.cells(page, /^known/).count(), 1, name);
  }

  // Rows that do not sum to 1 are normalised on request.
  await upload(file("rough.json", { ...coin, transition: [{ ...coin.transition[0], p: [[1, 0], [0.3333, 0.6666], [0, 1], [0.5, 0.5]] }, coin.transition[1]] }));
  await find.failure(page).filter({ hasText: /transition\/0\/p\/1: .*sum/ }).waitFor();
  await page.getByText("1 row whose sum differs from 1 by 0.0001 (/transition/0/p/1).").waitFor();
  await page.getByRole("button", { name: "Normalise the rows", exact: true }).click();
  await find.until(async () => (await find.cells(page, /^known/).count()) === 0, "the normalised model has a prior of its own");
  await page.getByRole("button", { name: "Normalise the rows", exact: true }).waitFor({ state: "hidden" });
  assert.equal(await find.failure(page).count(), 0);

  // The model is still there after a visit to another domain. A page without a model asks for one.
  await find.domain(page).selectOption("taxi");
  await find.grid(page).waitFor();
  await find.until(async () => (await find.rows(find.matrix(page)).count()) === 5, "there are 5 variables");
  await find.domain(page).selectOption("model");
  await find.until(async () => (await find.rows(find.matrix(page)).count()) === 3, "there are 3 variables");
  await close();
  const again = await open(site.browser, site.origin);
  await find.domain(again.page).selectOption("model");
  await find.failure(again.page).filter({ hasText: /The model is missing/ }).waitFor();
  assert.equal(await find.prior(again.page).isVisible(), false);
  await find.domain(again.page).selectOption("figure1");
  await find.matrix(again.page).waitFor();
  assert.deepEqual([...complaints, ...again.complaints], []);
  await again.close();
});

test("the page works with 64 variables, also when the core refuses them", async () => {
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
  await find.openFile(page, "Open a file…", file("genes.json", big));
  await find.until(async () => (await find.matrix(page).locator("[role=gridcell]").count()) === 64 * 60, "the matrix is there"); // by selector, because to find 3840 cells by role takes long
  await find.sparseness(page).fill("5");
  await find.refused(find.sparseness(page), /8303633 consistent parent sets, more than the 65536/);
  await find.unfold(page, "Parent sets left for each");
  const counts = find.rows(page.getByRole("region", { name: "Parent sets left for each variable", exact: true }).getByRole("table")).first();
  assert.match((await counts.textContent()) ?? "", /8,303,633/);
  await find.matrix(page).locator("[tabindex='0']").focus();
  for (let k = 0; k < 10; k++) {
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await find.cells(page, /^known/).count(), 10);
  await page.keyboard.press("Control+End");
  await find.prior(page).getByText(/^d → gene 60′/).waitFor();
  await counts.filter({ hasText: /^gene 1′ *10/ }).waitFor();
  for (const name of /** @type {const} */ (["Graph", "Text", "Matrix"])) await find.view(page, name).click();
  assert.deepEqual(await page.evaluate(overflow), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("axe finds nothing in any view of the prior, and nothing overflows", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const look = (/** @type {string} */ what) => seemlyEverywhere(page, what, [1280, 390, 320], {
    part: "#settings",
    also: async (width) => assert.deepEqual(await page.evaluate(overflow), [], `${what}, ${width} px`),
  });
  await find.matrix(page).waitFor();
  for (const details of await page.locator("#settings details").all()) await details.evaluate((d) => ((/** @type {HTMLDetailsElement} */ (d)).open = true));
  await look("matrix");
  await cell(page, "col", "row").click();
  await find.reveal(page).click();
  await look("revealed");
  await find.view(page, "Graph").click();
  await variable(page, "from", "col").click();
  await look("picture");
  await find.view(page, "Text").click();
  await find.priorText(page).fill("row -> now");
  await page.getByText("Left out of the prior:").waitFor();
  await find.horizon(page).fill("0");
  await find.until(async () => (await find.horizon(page).getAttribute("aria-invalid")) === "true", "0 steps are refused");
  await look("errors");
  await find.choose(page, "fig2a");
  await find.view(page, "Matrix").click();
  await find.until(async () => (await find.rows(find.matrix(page)).count()) === 9, "there are 9 variables");
  await look("random FMDP");
  assert.deepEqual(complaints, []);
  await close();
});

test("edges can be marked known, likely or forbidden, by the menu and by keys; link, text and Undo follow", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&prior=none&domain=taxi&grid=3x3&agents=c-psrl&episodes=5&runs=1`, { until: ["ready", "running", "finished"] });
  const cell = (/** @type {number} */ i, /** @type {number} */ j) => find.rows(find.matrix(page)).nth(i).getByRole("gridcell").nth(j);
  const link = (/** @type {RegExp} */ wanted) => page.waitForFunction((wanted) => new RegExp(wanted).test(location.hash), wanted.source);
  const pen = find.pen(page);
  await pen.selectOption("likely, .9");
  await cell(0, 0).click();
  await link(/prior=row:row~\.9&/);
  assert.equal(await cell(0, 0).getAttribute("aria-label"), "likely, stated 0.9");
  assert.equal(await cell(0, 0).textContent(), ".9");
  await pen.selectOption("forbidden");
  await cell(1, 0).click();
  await link(/prior=row:!col,row~\.9&/);
  await cell(4, 0).click();
  await page.keyboard.press("K");
  await link(/prior=row:!col,move,row~\.9&/);
  await page.keyboard.press("3");
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await page.keyboard.press("Delete");
  await link(/prior=row:!col,row~\.9&/);
  await find.undo(page).click();
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await find.view(page, "Text").click();
  await find.holds(find.priorText(page), "row -> row .9\n!col -> row\nmove -> row .3\n");
  await seemly(page, "likely and forbidden, as text");
  await find.view(page, "Graph").click();
  assert.deepEqual(await find.picture(page).locator("svg text").allTextContents(), [".9", ".3"]);
  assert.equal(await find.picture(page).locator(".cross.forbidden").count(), 1);
  await seemly(page, "likely and forbidden, as a picture");
  // The same keys mark an edge in the picture.
  await page.getByRole("button", { name: "move, leads to row′ (.3)", exact: true }).click();
  await page.getByRole("button", { name: "row′, from move: likely, stated 0.3", exact: true }).press("7");
  await link(/prior=row:!col,move~\.7,row~\.9&/);
  await page.getByRole("button", { name: "row′, from move: likely, stated 0.7", exact: true }).press("x");
  await link(/prior=row:!col,!move,row~\.9&/);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await link(/prior=row:!col,move~\.3,row~\.9&/);
  await find.view(page, "Matrix").click();
  await seemly(page, "likely and forbidden");
  // The link opens to the same prior in a fresh page.
  const again = await open(site.browser, page.url(), { until: ["ready", "running", "finished"] });
  await find.until(async () => (await find.cells(again.page, /^likely/).count()) === 2 && (await find.cells(again.page, /^forbidden/).count()) === 1, "the prior is there");
  assert.deepEqual([...complaints, ...again.complaints], []);
  await again.close();
  await close();
});

test("an agent with its own parameters has the command's records", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig1-quick");
  await addAgent(page, "C-PSRL", { Concentration: "0.1", "Hyper-posterior": "as printed" });
  const added = find.agent(page, "C-PSRL (α = 0.1, printed)");
  await added.waitFor();
  assert.equal(await run(page), fingerprint({
    format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, agents: ["psrl", "f-psrl", "c-psrl", "c-psrl:dirichlet=0.1,update=printed"],
  }));
  // The page says why the engine refuses an agent; unticking the agent removes the error.
  await addAgent(page, "PSRL", { Concentration: "wide" });
  const agents = page.getByRole("group", { name: "Agents", exact: true });
  await find.refused(agents, /^The dirichlet of "psrl:dirichlet=wide" .*\.$/);
  await agents.getByRole("checkbox", { name: /wide/ }).uncheck();
  await find.until(async () => (await find.described(agents)).length === 0, "the agents are accepted");
  assert.deepEqual(complaints, []);
  await close();
});

test("known jobs are not computed again when agents or runs are added or removed; the same experiment and a receipt are computed anew", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const spec = { format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, agents: ["psrl", "f-psrl", "c-psrl"] };
  /** Runs what is shown and returns how much of it had been computed before. @param {Partial<typeof spec>} change */
  const runs = async (change) => {
    assert.equal(await run(page), fingerprint(Object.assign(spec, change)));
    return /^Finished in [^.]+\.(?: (\d+%) had been computed before\.)?$/.exec((await find.status(page).textContent()) ?? "")?.[1] ?? "0%";
  };
  // After an edit the page plays a run for the stage. If it has come to its end, its job is known, too.
  const known = async (/** @type {Partial<typeof spec>} */ change, /** @type {string[]} */ ...shares) => {
    const share = await runs(change);
    assert.ok(shares.includes(share), `${share} had been computed, and not ${shares.join(" or ")}`);
  };
  await find.choose(page, "fig1-quick");
  await known({}, "0%", "8%");
  await addAgent(page, "C-PSRL", { Concentration: "0.1" });
  await known({ agents: [...spec.agents, "c-psrl:dirichlet=0.1"] }, "75%", "81%");
  await find.runs(page).fill("5");
  await known({ runs: 5 }, "80%");
  await find.agent(page, "F-PSRL").uncheck();
  await known({ agents: spec.agents.filter((label) => label !== "f-psrl") }, "100%");
  await known({}, "0%");
  await find.seed(page).fill("2");
  await known({ seed: 2 }, "0%", "6%");
  // The complete jobs of a stopped run are used again.
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await runsDrawn(page, 6); // five are known
  await find.stop(page).click();
  await reach(page, "stopped");
  await find.runs(page).fill("30");
  assert.match(await runs({ runs: 30 }), /^[1-9]/);
  // A receipt is checked against new records, not against earlier ones.
  await page.evaluate((receipt) => (location.hash = `#v=1&receipt=2-${receipt}&domain=figure1&episodes=60&runs=4`), golden.presets["fig1-quick"]);
  await page.getByText("Reproduced bit for bit: engine 2").first().waitFor();
  assert.match((await find.status(page).textContent()) ?? "", /^Finished in [^.]+\.$/);
  assert.deepEqual(complaints, []);
  await close();
});

/** @param {string[]} args */
const cpsrl = (...args) => execFileSync(cli, args, { maxBuffer: 1 << 28 });

test("a file of transitions gives the command's posterior, with the page's prior, a model or a prior in its first line", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  writeFileSync(join(work, "prior.json"), cpsrl("prior", "-preset", "fig1-quick"));
  writeFileSync(join(work, "model.json"), cpsrl("model", "-preset", "fig1-quick"));
  const rows = cpsrl("transitions", "-model", join(work, "model.json"), "-n", "200");
  writeFileSync(join(work, "t.jsonl"), rows);
  const want = cpsrl("posterior", "-prior", join(work, "prior.json"), "-transitions", join(work, "t.jsonl"), "-top", "10");
  await page.getByRole("button", { name: "What do transitions say about the graph?…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "What do transitions say about the graph?", exact: true });
  const choose = (/** @type {Parameters<typeof find.openFile>[2]} */ file) => find.openFile(page, "Choose transitions…", file);
  const downloaded = async () => {
    const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download JSON", exact: true }).click()]);
    await saved.saveAs(join(work, "saved.json"));
    return readFileSync(join(work, "saved.json"));
  };
  await choose(join(work, "t.jsonl"));
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  assert.deepEqual(await downloaded(), want);
  const [best] = JSON.parse(want.toString()).edges.filter((/** @type {any} */ { p }) => p >= 0.01 && p <= 0.99).toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.p - a.p);
  assert.match((await find.rows(dialog.getByRole("table").first()).first().textContent()) ?? "", new RegExp(`^${best.from}${best.to}′.${best.p.toFixed(3)}$`));
  await seemly(page, "transitions", "#posterior-dialog");

  // A file may have its prior in line 1. A bad line is named by its number in the file.
  await choose({ name: "own.jsonl", mimeType: "", buffer: Buffer.concat([readFileSync(join(work, "prior.json")), rows]) });
  await dialog.getByText("the first line of the file").waitFor();
  await dialog.getByRole("button", { name: "Download JSON", exact: true }).waitFor();
  assert.deepEqual(await downloaded(), want);
  const alert = dialog.getByRole("alert");
  await choose({ name: "bad.jsonl", mimeType: "", buffer: Buffer.from(`${rows.toString().split("\n")[0]}\n{"x":[99]}\n`) });
  await alert.waitFor();
  assert.match((await alert.textContent()) ?? "", /^Line 2, \/y: the field "y" is missing\.$/);
  assert.equal(await dialog.getByRole("region", { name: "Edges", exact: true }).count(), 0);
  await choose(join(work, "t.jsonl"));
  await find.openFile(page, "Choose a prior or a model…", join(work, "model.json"));
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  assert.equal(await page.locator("#posterior-file").inputValue(), "", "the same file can be chosen again");

  // The dialog takes the page's prior anew each time it opens.
  const reopen = async () => {
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await find.choose(page, "fig2c-quick");
    await page.waitForFunction(() => location.hash.includes("grid=3x3"));
    await page.getByRole("button", { name: "What do transitions say about the graph?…", exact: true }).click();
  };
  await dialog.getByRole("button", { name: "This page’s", exact: true }).click();
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  await reopen();
  await dialog.getByText(/^this page: .*2 \(c\)/).waitFor();
  await alert.waitFor();
  assert.equal(await dialog.getByRole("region", { name: "Edges", exact: true }).count(), 0, "the old answer was of another problem");
  await choose(join(work, "t.jsonl"));
  await find.openFile(page, "Choose a prior or a model…", join(work, "model.json"));
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  await dialog.getByText("How tables are weighed", { exact: true }).click();
  await dialog.getByLabel("Parent sets listed for each variable", { exact: true }).fill("0");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await alert.filter({ hasText: /^The top is 0; it must be from 1/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("two playgrounds of a page each have their own dialog of transitions", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const element = '<cpsrl-playground inline preset="fig1-quick" ui="prior"></cpsrl-playground>';
  await page.route(`${site.origin}two.html`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>Two</title><script src="playground.js" defer></script>${element}${element}` }));
  await page.goto(`${site.origin}two.html`);
  writeFileSync(join(work, "model.json"), cpsrl("model", "-preset", "fig1-quick"));
  const rows = cpsrl("transitions", "-model", join(work, "model.json"), "-n", "200");
  for (const place of await page.locator("cpsrl-playground").all()) {
    await find.runHere(place).click();
    await find.unfold(place, "Likely edges, trust, worth");
    await place.getByRole("button", { name: "What do transitions say about the graph?…", exact: true }).click();
    const dialog = place.getByRole("dialog", { name: "What do transitions say about the graph?", exact: true });
    await dialog.getByText("none yet").waitFor();
    await find.openFile(page, "Choose transitions…", { name: "t.jsonl", mimeType: "", buffer: rows });
    await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the fields of trust and false edges have their errors, and follow the link, Undo and Reset", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2a-quick/`);
  const [trust, wrong] = [find.trust(page), find.falseEdges(page)];
  await find.priorFrom(page).selectOption("2");
  await trust.fill("0.99");
  await wrong.fill("1");
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));
  const marks = 3 * (await find.matrix(page).getByRole("columnheader").count()); // two true edges and a false one into each
  await find.until(async () => (await find.cells(page, /^likely/).count()) === marks, `${marks} edges are likely`);
  await find.prior(page).getByText(/Each run draws its own false edges/).waitFor();
  await seemly(page, "trust and false edges");

  for (const [field, text, words] of /** @type {const} */ ([[trust, "0", "0.000001 to 0.999999"], [trust, "much", "\"much\" is not a probability"], [wrong, "257", "from 0 to 256"]])) {
    const before = await field.inputValue();
    await field.fill(text);
    await find.refused(field, new RegExp(words.replaceAll(".", "\\.")));
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill(before);
    await find.accepted(field);
  }
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));

  // Another η keeps trust and false edges. Undo goes back step by step.
  await find.priorFrom(page).selectOption("1");
  await page.waitForFunction(() => /&eta=1&trust=.99&false=1(&|$)/.test(location.hash));
  await find.undo(page).click();
  assert.equal(await find.priorFrom(page).inputValue(), "2");
  assert.deepEqual([await trust.inputValue(), await wrong.inputValue()], ["0.99", "1"]);
  await page.waitForFunction(() => /&eta=2&trust=.99&false=1(&|$)/.test(location.hash));
  const link = page.url();
  await find.reset(page).click();
  await page.waitForFunction(() => !location.hash.includes("trust"));
  assert.deepEqual([await trust.inputValue(), await wrong.inputValue()], ["1", "0"]);

  // An edit of one cell turns the prior into a list of edges, each with its probability.
  const fresh = await open(site.browser, link, { until: ["ready", "running", "finished"] });
  assert.equal(await find.trust(fresh.page).inputValue(), "0.99");
  await find.cells(fresh.page, /^likely/).first().waitFor();
  await find.cells(fresh.page, /^unknown/).first().click();
  await fresh.page.waitForFunction(() => /prior=.*~.99/.test(location.hash));
  assert.equal(await find.cells(fresh.page, /^likely/).count(), marks);
  await find.trust(fresh.page).waitFor({ state: "detached" });
  assert.deepEqual([...complaints, ...fresh.complaints], []);
  await fresh.close();
  await close();
});

test("a field keeps the focus and its text while other fields disappear", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c-quick/`, { until: ["ready"] });
  await find.trust(page).waitFor();
  await find.sparseness(page).selectText();
  await find.clear(page).dispatchEvent("click"); // does not move the focus
  await find.trust(page).waitFor({ state: "detached" });
  await page.keyboard.insertText("4");
  assert.equal(await find.sparseness(page).inputValue(), "4");
  await page.waitForFunction(() => /&z=4(&|$)/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});

test("agents with named priors are lines of one chart, and the link keeps the priors", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig1-quick");
  await page.waitForFunction(() => location.hash.includes("domain=figure1"));
  const form = page.getByRole("group", { name: "Compare priors", exact: true });
  const name = form.getByRole("textbox", { name: "Name", exact: true });
  const add = async (/** @type {string} */ text) => {
    await name.fill(text);
    await form.getByRole("button", { name: "Add C-PSRL with this prior", exact: true }).click();
  };
  await add("no name");
  assert.deepEqual(await find.described(name), ["A name has up to 24 letters, digits, - and _, and begins with a letter."]);
  for (const preset of ["fig2c-quick", "fig1-quick"]) { // another preset clears the error
    await find.choose(page, preset);
    await page.waitForFunction((grid) => location.hash.includes("grid=3x3") === grid, preset === "fig2c-quick");
    await form.getByText("A name has up to").waitFor({ state: "hidden" });
  }
  await find.priorFrom(page).selectOption("1");
  await add("one");
  await find.clear(page).click();
  await name.fill("none");
  await name.press("Enter");
  await find.priorFrom(page).selectOption("suggested");
  await find.agent(page, "C-PSRL (prior none)").waitFor();
  const spec = {
    format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 60, runs: 4, seed: 1, priors: { one: { eta: 1 }, none: { edges: [] } },
    agents: ["psrl", "f-psrl", "c-psrl", "c-psrl:prior=one", "c-psrl:prior=none"],
  };
  assert.equal(await run(page), fingerprint(spec));
  const link = await page.evaluate(() => location.hash);
  assert.match(link, /^#v=2&prior\.none=none&prior\.one=\*eta:1&agents=psrl,f-psrl,c-psrl,c-psrl:prior=one,c-psrl:prior=none&domain=figure1&episodes=60&runs=4$/);

  const fresh = await open(site.browser, `${site.origin}${link}`, { until: ["ready", "running", "finished"] });
  const rows = fresh.page.getByRole("group", { name: "Compare priors", exact: true }).getByRole("listitem");
  await rows.nth(1).waitFor();
  assert.deepEqual(await rows.locator("> :first-child").allTextContents(), ["none no edges", "one η = 1"]);
  await fresh.page.getByRole("button", { name: "Edit the prior one", exact: true }).click();
  await find.holds(find.priorFrom(fresh.page), "1");
  // Removing a prior removes its agents, and Back brings both back.
  await fresh.page.getByRole("button", { name: "Remove the prior none", exact: true }).click();
  await fresh.page.locator("#keep-name:focus").waitFor(); // the row is gone
  await fresh.page.waitForFunction(() => location.hash.startsWith("#v=2&prior.one=*eta:1&agents=psrl,f-psrl,c-psrl,c-psrl:prior=one&domain=figure1"));
  await fresh.page.evaluate(() => history.back());
  await fresh.page.waitForFunction(() => location.hash.startsWith("#v=2&prior.none=none&prior.one=*eta:1&"));
  await rows.nth(1).waitFor();
  assert.deepEqual([...complaints, ...fresh.complaints], []);
  await fresh.close();
  await close();
});
