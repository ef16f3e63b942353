// A problem of one's own, made in the page, in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { largeModel, open, reach, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { seemly } from "./looks.mjs";

/** @typedef {import("playwright-core").Page} Page */

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "cpsrl-own-"));
const command = join(work, "cpsrl");

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => {
  site = await start();
  execFileSync("go", ["build", "-o", command, "./core/cmd/cpsrl"], { cwd: root });
});
after(async () => {
  await site.stop();
  rmSync(work, { recursive: true, force: true });
});

const editor = (/** @type {Page} */ page) => page.getByRole("region", { name: "Your problem", exact: true });

/** What a visitor does, counted: a choice of a menu, a click, or a text with the key Enter or Tab. @param {Page} page */
function visitor(page) {
  const own = editor(page);
  const field = (/** @type {string} */ name) => own.getByRole("textbox", { name, exact: true });
  const it = {
    actions: 0,
    /** @param {import("playwright-core").Locator} menu @param {string} value */
    choose: async (menu, value) => {
      it.actions++;
      await menu.selectOption(value);
    },
    /** @param {import("playwright-core").Locator} button */
    click: async (button) => {
      it.actions++;
      await button.click();
    },
    /** Writes a text into a field of the editor. @param {string} name @param {string} text */
    write: async (name, text) => {
      it.actions++;
      await field(name).fill(text);
      await field(name).press("Tab");
    },
    field,
  };
  return it;
}

test("from the first screen to an inventory of two products with formulas, its prior, 10 runs and the export, in at most 40 actions; the command finds the same records", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  const v = visitor(page);
  const own = editor(page);
  await v.choose(find.presets(page), "new:inventory");
  await own.waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), await page.evaluate(() => innerHeight), "only the panels scroll");
  await v.write("Name of the problem", "Two products");
  await v.write("Name of stock", "stock1");
  await v.write("Name of order", "order1");
  await v.click(own.getByRole("button", { name: "Add a state variable", exact: true }));
  await v.write("Name of x1", "stock2");
  await v.write("Values of stock2", "4");
  await v.click(own.getByRole("button", { name: "Add an action", exact: true }));
  await v.write("Name of a1", "order2");
  await v.write("Values of order2", "3");
  await v.write("The law of stock2", "next = max(0, min(3, stock2 + order2) - 2) with 0.2 + 0.5*season, max(0, min(3, stock2 + order2) − 1)");
  await v.write("Formula of payoff 1", "3*max(0, min(3, stock1 + order1) - stock1') + 4*max(0, min(3, stock2 + order2) - stock2')");
  await v.write("Formula of payoff 2", "-order1 - order2 - 0.25*(stock1 + stock2)");
  await v.write("Where an episode begins", 'stock1 = 2 and stock2 = 2 and season = "low"');
  await v.write("Which joint actions are allowed", "order1 + order2 <= 2");
  await own.getByText("In all 6 joint actions.", { exact: true }).waitFor();
  assert.equal(await own.getByRole("alert").count(), 0);
  for (const [from, to] of /** @type {const} */ ([["order1", "stock1′"], ["order2", "stock2′"], ["season", "season′"]])) {
    const at = ["stock1′", "season′", "stock2′"].indexOf(to);
    await find.matrix(page).getByRole("columnheader", { name: "stock2′" }).waitFor();
    await v.click(find.cellsFrom(page, from).nth(at));
  }
  const size = page.locator('details[data-part="agents"][aria-label="Size"]');
  await v.click(size.locator("summary"));
  v.actions += 2;
  await find.episodes(page).fill("30");
  await find.runs(page).fill("10");
  await find.run(page).filter({ hasText: "10" }).waitFor();
  await v.click(find.run(page));
  await reach(page, "running", "finished");
  await reach(page, "finished");
  await v.click(find.exporting(page));
  await v.choose(find.exportFormat(page), "spec");
  v.actions++;
  const [download] = await Promise.all([page.waitForEvent("download"), find.dialog(page, "Export").getByRole("button", { name: "Download", exact: true }).click()]);
  assert.ok(v.actions <= 40, `${v.actions} actions`);
  const file = join(work, "spec.json");
  await download.saveAs(file);
  await page.keyboard.press("Escape");
  const spec = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([spec.runs, spec.domain.name, spec.domain.model.name, spec.domain.model.action.length], [10, "model", "Two products", 2]);
  assert.match(spec.domain.model.transition[2].formula, /^next = max/);
  const records = execFileSync(command, ["run", "-spec", file], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const digest = execFileSync("sha256sum", { input: records.subarray(records.indexOf(10) + 1) }).toString().slice(0, 64);
  assert.equal((await page.locator("#fingerprint").textContent())?.trim().slice(0, 8), digest.slice(0, 8));
  assert.deepEqual(complaints, []);
  await close();
});

test("a text that was refused stays through other edits, is tried again when it is typed as it was, and is accepted with the law that it needs", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  await find.presets(page).selectOption("new:blank");
  const own = editor(page);
  const v = visitor(page);
  await v.write("Values of x1", "3");
  await own.getByText("The table that it gives, 6 rows").waitFor();
  await v.write("The law of x1", "next = if(a1 = 1, 2 - x1, x1)");
  const values = v.field("Values of x1");
  const alert = own.getByRole("alert").filter({ hasText: "the next value is -1" });
  await v.write("Values of x1", "4");
  await alert.waitFor();
  await v.write("Name of a1", "flip");
  await v.field("Name of flip").waitFor();
  await alert.waitFor();
  assert.equal(await values.inputValue(), "4");
  /** How often the engine has refused it, told by what a screen reader announces: the same words end in a space more, or less. */
  const said = () => page.locator("#live").textContent();
  for (const [typed, key] of /** @type {const} */ ([[false, "Enter"], [true, "Tab"], [true, "Enter"]])) {
    const before = await said();
    if (typed) await values.fill("4");
    await values.press(key);
    await find.until(async () => (await said()) !== before, "it is tried again");
    assert.equal(await values.inputValue(), "4");
  }
  await v.write("The law of x1", "next = if(flip = 1, max(0, 2 - x1), x1)");
  await alert.waitFor({ state: "detached" });
  assert.equal(await values.inputValue(), "4");
  await own.getByText("The table that it gives, 8 rows").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a wrong formula says why at its cell, with the column, and the last problem stays; Undo takes all of it back", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  await find.presets(page).selectOption("new:gridworld");
  const own = editor(page);
  const law = own.getByRole("textbox", { name: "The law of row", exact: true });
  const before = await law.inputValue();
  await law.fill("next = rows - 1");
  await law.press("Enter");
  await own.getByRole("alert").filter({ hasText: "The law of row: column 8: there is no variable \"rows\"." }).waitFor();
  assert.equal(await law.getAttribute("aria-invalid"), "true");
  assert.equal(await law.inputValue(), "next = rows - 1");
  await law.fill("next = max(0, row - 1)");
  await law.press("Enter");
  await own.getByText("← row", { exact: true }).waitFor();
  assert.equal(await own.getByRole("alert").count(), 0);
  // A row of the table: a number that does not fit waits, with the reason.
  await own.getByText("The table that it gives, 4 rows", { exact: true }).first().click();
  const p = own.getByRole("textbox", { name: "P(row′ = 1 | row = 3)", exact: true });
  await p.fill("0.5");
  await p.press("Tab");
  await own.getByRole("alert").filter({ hasText: /The law of row: the row of "row" given .* sums to 1.5; it must sum to 1\./ }).waitFor();
  const other = own.getByRole("textbox", { name: "P(row′ = 2 | row = 3)", exact: true });
  await other.fill("0.5");
  await other.press("Tab");
  await own.getByText("Table, 4 rows", { exact: true }).first().waitFor();
  assert.equal(await law.inputValue(), "");
  // The true graph, in the matrix of the prior.
  await page.getByRole("button", { name: "Change the true graph", exact: true }).click();
  await find.cellsFrom(page, "column").nth(0).click();
  await own.getByText("← row, column", { exact: true }).waitFor();
  const undo = own.getByRole("button", { name: "Undo", exact: true });
  for (let k = 0; k < 3; k++) await undo.click();
  await find.until(async () => (await law.inputValue()) === before, "the first formula is back");
  assert.deepEqual(complaints, []);
  await close();
});

for (const [width, colorScheme] of /** @type {const} */ ([[1280, "light"], [680, "dark"], [390, "light"]])) {
  test(`the editor is seemly at ${width} px, also with faults and open tables`, async () => {
    const { page, close } = await open(site.browser, site.origin, { folded: true, viewport: { width, height: 900 }, colorScheme });
    await find.presets(page).selectOption("new:treatment");
    const own = editor(page);
    await own.getByText("The table that it gives, 48 rows", { exact: true }).first().click();
    await own.getByRole("textbox", { name: "The law of toxicity", exact: true }).fill("next = 9");
    await own.getByRole("textbox", { name: "The law of toxicity", exact: true }).press("Enter");
    await own.getByRole("alert").waitFor();
    await own.getByRole("combobox", { name: "How to fill the table of health", exact: true }).selectOption("dirichlet");
    await own.getByRole("button", { name: "Fill", exact: true }).first().click();
    await own.getByText("Table, 48 rows", { exact: true }).first().waitFor();
    await own.getByRole("button", { name: "Add an end", exact: true }).click();
    await seemly(page, "the editor", "#own");
    await close();
  });
}

test("the editor closes, opens with the problem that is shown, and saves a file that the page opens again", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}river-swim/`, { folded: true });
  await page.locator('details[data-part="problem"] > summary').click();
  await page.getByRole("button", { name: "Edit…", exact: true }).click();
  const own = editor(page);
  await own.getByRole("textbox", { name: "Steps of an episode", exact: true }).fill("9");
  await own.getByRole("textbox", { name: "Steps of an episode", exact: true }).press("Tab");
  await find.presets(page).locator("option:checked").filter({ hasText: /^RiverSwim/ }).waitFor({ state: "attached" });
  const save = own.getByRole("button", { name: "Save the file", exact: true });
  await find.until(async () => (await save.getAttribute("aria-disabled")) === "false", "there is a file to save");
  const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
  const file = join(work, download.suggestedFilename());
  await download.saveAs(file);
  assert.equal(JSON.parse(execFileSync(command, ["plan", "-model", file]).toString()).values.length > 0, true);
  await own.getByRole("button", { name: "Close", exact: true }).click();
  assert.equal(await own.count(), 0);
  assert.equal(await page.getByRole("button", { name: "Change the true graph", exact: true }).count(), 0);
  await find.presets(page).selectOption("river-swim");
  await page.waitForFunction(() => !location.hash.includes("model="));
  await page.locator("#domain-file").setInputFiles(file);
  await page.waitForFunction(() => location.hash.includes("model=")); // the file is opened
  await find.holds(find.horizon(page), "9");
  assert.deepEqual(complaints, []);
  await close();
});

test("a problem that no link can hold is kept in the browser, offered after a reload, and forgotten when asked", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true, fresh: true });
  const file = largeModel();
  await page.locator("#domain-file").setInputFiles(file);
  await find.notice(page, /No link can hold this spec.*The problem is kept in this browser\. To share it, save it as a file/).waitFor();
  const name = await find.presets(page).locator("option:checked").textContent();
  await page.reload();
  await reach(page, "ready");
  await find.notice(page, /is too large for a link and is kept in this browser/).waitFor();
  await page.getByRole("button", { name: "Open it", exact: true }).click();
  await find.until(async () => (await find.presets(page).locator("option:checked").textContent()) === name, "the problem is shown again");
  await page.reload();
  await reach(page, "ready");
  await page.getByRole("button", { name: "Forget it", exact: true }).click();
  const kept = () => page.evaluate(() => new Promise((resolve) => {
    const opening = indexedDB.open("cpsrl-problems", 1);
    opening.onsuccess = () => {
      const asked = opening.result.transaction("problems").objectStore("problems").count();
      asked.onsuccess = () => resolve(asked.result);
      opening.result.close();
    };
  }));
  await find.until(async () => (await kept()) === 0, "nothing is kept any more");
  assert.deepEqual(complaints, []);
  await close();
});
