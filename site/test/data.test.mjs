// Recorded transitions, in Chromium: from a table to ranked edges, to a prior, and to a start.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { open, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { seemly } from "./looks.mjs";

/** @typedef {import("playwright-core").Page} Page */

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "cpsrl-data-"));
const cli = join(work, "cpsrl");
/** A log of a problem of the site, and one of a problem of one's own. */
const [log, own] = [join(work, "log.csv"), join(work, "own.csv")];

/** @param {string[]} args */
const cpsrl = (...args) => execFileSync(cli, args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => {
  execFileSync("go", ["build", "-o", cli, "./core/cmd/cpsrl"], { cwd: root });
  const model = join(work, "model.json");
  writeFileSync(model, cpsrl("model", "-preset", "fig1-quick"));
  const { state, action } = JSON.parse(cpsrl("model", "-preset", "fig1-quick").toString());
  const names = [...state, ...action].map((/** @type {{ name: string }} */ { name }) => name);
  const rows = cpsrl("transitions", "-model", model, "-n", "500", "-seed", "3").toString().trim().split("\n").map((line) => JSON.parse(line));
  const header = [...names, ...state.map((/** @type {{ name: string }} */ { name }) => `${name}'`)];
  // One row has a missing cell.
  writeFileSync(log, [header.join(), ...rows.map(({ x, y }) => [...x, ...y].join()), header.map((_, k) => (k === 0 ? "" : "0")).join()].join("\n"));
  writeFileSync(own, noisy(500));
  site = await start();
});
after(async () => {
  await site.stop();
  rmSync(work, { recursive: true, force: true });
});

const title = "What do transitions say about the graph?";
/** @param {Page} page */
const dialogOf = (page) => page.getByRole("dialog", { name: title, exact: true });
/** @param {Page} page */
const openDialog = (page) => page.getByRole("button", { name: "Data…", exact: true }).click();
/** @param {Page} page @param {Parameters<typeof find.openFile>[2]} file */
const choose = (page, file) => find.openFile(page, "Choose transitions…", file);

/** A log of n steps in episodes of ten: the stock follows the order, the season now and then the stock. One row has a missing cell. @param {number} n */
function noisy(n) {
  let seed = 7;
  const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const rows = ["episode,t,stock,season,mood,order"];
  let [stock, season] = [0, 0];
  for (let k = 0; k < n; k++) {
    const order = draw() < 0.5 ? 0 : 1;
    rows.push([Math.floor(k / 10), k % 10, stock, ["dry", "wet"][season], draw() < 0.3 ? "bad" : "good", k % 10 === 9 ? "" : order].join());
    const next = draw() < 0.7 ? Math.min(2, Math.max(0, stock + 2 * order - 1)) : Math.floor(3 * draw());
    season = draw() < 0.8 - 0.06 * stock ? season : 1 - season;
    stock = next;
  }
  return `${rows.join("\n")}\n${Math.floor(n / 10)},0,1,,good,1\n`;
}

/** The edges that the command writes, in its order. */
const ranking = (file = log) => cpsrl("posterior", "-transitions", file, "-as", "csv").toString().trim().split("\n").slice(1).map((row) => row.split(","));

/** Pictures to judge by eye. @param {Page} page @param {string} folder */
async function shots(page, folder) {
  for (const [width, height] of /** @type {const} */ ([[1280, 800], [390, 844]])) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `data-${width}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("a table of 500 rows is a ranked graph after two actions from the first screen, on a page about another problem, too", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await openDialog(page);
  await choose(page, own);
  const dialog = dialogOf(page);
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  const want = ranking(own).filter(([, , p]) => Number(p) >= 0.01 && Number(p) <= 0.99);
  assert.ok(want.length > 0);
  assert.deepEqual(await find.rows(dialog.getByRole("region", { name: "Edges", exact: true })).allTextContents(), want.map(([from, to, p]) => `${from}${to}′${Number(p).toFixed(3)}`));
  assert.match((await dialog.getByRole("status").textContent()) ?? "", /^450 transitions of 500 rows; 1 row with a missing cell left out\.$/);
  // The page's problem is another one: its graph marks nothing, and nothing can be used there.
  assert.equal(await dialog.getByRole("button", { name: "Use as prior", exact: true }).count(), 0);
  await dialog.getByText(/^The page’s problem has no variable/).waitFor();
  await seemly(page, "data", "#posterior-dialog");
  if (process.env["SHOTS"]) await shots(page, process.env["SHOTS"]);

  // Another choice of actions weighs the table again; what is impossible is one sentence, and can be taken back.
  const boxes = dialog.getByRole("group", { name: /variables in the table/ }).getByRole("checkbox");
  const ticked = await boxes.evaluateAll((list) => list.map((box) => /** @type {HTMLInputElement} */ (box).checked));
  assert.deepEqual(ticked, [false, false, false, true], "the column without a value in last rows is the action");
  await boxes.nth(2).click();
  await dialog.getByRole("rowheader", { name: "mood" }).first().waitFor();
  await page.waitForFunction(() => ![...document.querySelectorAll("#posterior-dialog td")].some((cell) => cell.textContent === "mood′"));
  for (const k of [0, 1]) await boxes.nth(k).click();
  await dialog.getByRole("alert").filter({ hasText: /^The table has no column of a state variable\.$/ }).waitFor();
  for (const k of [0, 1, 2]) await boxes.nth(k).click();
  await dialog.getByRole("cell", { name: "mood′" }).first().waitFor();

  for (const [name, start] of /** @type {const} */ ([["CSV", "from,to,p\n"], ["DOT", "digraph {"], ["JSON", '{"variables":']])) {
    const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: new RegExp(`^Download .*${name}$`) }).click()]);
    const path = join(work, saved.suggestedFilename());
    await saved.saveAs(path);
    assert.ok(execFileSync("head", ["-c", "20", path]).toString().startsWith(start), name);
  }

  // A wrong file is one sentence.
  await choose(page, { name: "picture.png", mimeType: "", buffer: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1") });
  await dialog.getByRole("alert").filter({ hasText: /\.$/ }).waitFor();
  assert.equal(await dialog.getByRole("region", { name: "Edges", exact: true }).count(), 0);
  await choose(page, { name: "bad.csv", mimeType: "", buffer: Buffer.from("a,a'\n0,0.5\n") });
  await dialog.getByRole("alert").filter({ hasText: /^Line 2, column 3: "a" holds numbers that are not whole; cut points say how to divide them\.$/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("its edges become the prior, and its rows what every agent has observed; the link names them, and opens with the file", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  const dialog = dialogOf(page);
  await openDialog(page);
  await choose(page, log);
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  // The page's problem has the same variables, so its true graph marks the edges.
  const truth = new Set(JSON.parse(cpsrl("prior", "-preset", "fig1-quick", "-eta", "64").toString()).edges.map((/** @type {string[]} */ [from, to]) => `${from},${to}`));
  const shown = ranking().filter(([, , p]) => Number(p) > 0.99);
  const marks = await dialog.getByRole("region", { name: "Certain edges", exact: true }).getByRole("img").evaluateAll((list) => list.map((mark) => mark.ariaLabel));
  assert.ok(marks.length > 0);
  assert.deepEqual(marks, shown.map(([from, to]) => (truth.has(`${from},${to}`) ? "true" : "not true")));
  await dialog.getByRole("button", { name: "Use as prior", exact: true }).click();
  await page.waitForFunction(() => location.hash.includes("prior="));
  const stated = new URL(page.url()).hash;
  for (const [from, to, p] of ranking()) {
    const trust = Math.min(0.99, Math.max(0.01, Math.round(Number(p) * 1e4) / 1e4));
    if (trust !== 0.5) assert.ok(stated.includes(`${from}~${String(trust).replace(/^0/, "")}`), `${from} → ${to} at ${trust} in ${stated}`);
  }
  await find.undo(page).click();
  await page.waitForFunction(() => !location.hash.includes("prior="));

  await openDialog(page);
  await choose(page, log);
  await dialog.getByRole("button", { name: "Start from these data", exact: true }).click();
  await page.waitForFunction(() => /[#&]data=[0-9a-f]{64}/.test(location.hash));
  await page.getByText(/^Every agent has observed the data [0-9a-f]{8}… before its first episode\.$/).waitFor();
  const link = page.url();
  // The page computes what the command does. Oracle: the fingerprint of the command's records.
  await find.run(page).click();
  await find.status(page).filter({ hasText: /^Finished in/ }).waitFor();
  const records = cpsrl("run", "-link", link, "-data", log);
  const print = execFileSync("sha256sum", { input: records.subarray(records.indexOf(10) + 1) }).toString().slice(0, 64);
  await page.getByText(print.slice(0, 8)).first().waitFor();
  await close();

  // Elsewhere, the link needs the file. Another file is refused in a sentence.
  const other = await open(site.browser, link);
  await other.page.getByText(/This link cannot be opened\. .*The experiment starts from data with the SHA-256 [0-9a-f]{64}, which are not at hand: open that file\./i).waitFor();
  await other.page.getByRole("button", { name: "Open that file…", exact: true }).click();
  await choose(other.page, { name: "other.csv", mimeType: "", buffer: Buffer.from(execFileSync("head", ["-n", "20", log])) });
  await dialogOf(other.page).getByRole("alert").filter({ hasText: /^“other\.csv” is not what the link needs: the SHA-256 of its transitions is/ }).waitFor();
  await choose(other.page, log);
  await other.page.getByText(/^Every agent has observed the data/).waitFor();
  assert.equal(await other.page.getByText("This link cannot be opened").count(), 0);
  await other.page.getByRole("button", { name: "Start from nothing", exact: true }).click();
  await other.page.waitForFunction(() => !location.hash.includes("data="));
  assert.deepEqual([...complaints, ...other.complaints], []);
  await other.close();
});
