// Recorded transitions, in Chromium: from a table to ranked edges, to a prior, and to a start.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { holdRequests, open, start } from "./browser.mjs";
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

  // The table says what each column was taken for; another choice weighs it again, and what is impossible is one sentence.
  const columns = dialog.getByRole("region", { name: "Columns", exact: true });
  const taken = async () => Object.fromEntries(await columns.getByRole("combobox").evaluateAll((list) => list.map((box) => [box.ariaLabel?.split("”")[0]?.slice(1), /** @type {HTMLSelectElement} */ (box).value])));
  const role = (/** @type {string} */ name) => columns.getByRole("combobox", { name: `“${name}” is taken for`, exact: true });
  assert.deepEqual(await taken(), { episode: "episode", t: "step", stock: "state", season: "state", mood: "state", order: "action" }, "the column without a value in last rows is the action");
  await role("mood").selectOption("action");
  await dialog.getByRole("rowheader", { name: "mood" }).first().waitFor();
  await page.waitForFunction(() => ![...document.querySelectorAll("#posterior-dialog td")].some((cell) => cell.textContent === "mood′"));
  await role("season").selectOption("nothing");
  await role("stock").selectOption("nothing");
  await dialog.getByRole("alert").filter({ hasText: /^The table has no column of a state variable\.$/ }).waitFor();
  assert.deepEqual(await taken(), { episode: "episode", t: "step", stock: "nothing", season: "nothing", mood: "action", order: "action" });
  for (const name of ["stock", "season", "mood"]) await role(name).selectOption("state");
  await dialog.getByRole("cell", { name: "mood′" }).first().waitFor();

  for (const [name, start] of /** @type {const} */ ([["CSV", "from,to,p\n"], ["DOT", "digraph {"], ["JSON", '{"variables":']])) {
    const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: new RegExp(`^Download .*${name}$`) }).click()]);
    const path = join(work, saved.suggestedFilename());
    await saved.saveAs(path);
    assert.ok(execFileSync("head", ["-c", "20", path]).toString().startsWith(start), name);
  }

  // A wrong file is one sentence.
  await choose(page, { name: "picture.png", mimeType: "", buffer: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1") });
  await dialog.getByRole("alert").filter({ hasText: /^This file is not UTF-8; save it as UTF-8\.$/ }).waitFor();
  assert.equal(await dialog.getByRole("region", { name: "Edges", exact: true }).count(), 0);
  await choose(page, { name: "bad.csv", mimeType: "", buffer: Buffer.from("a,a'\n0,0.5\n") });
  await dialog.getByRole("alert").filter({ hasText: /^Line 2, column 3: "a" holds numbers that are not whole; cut points say how to divide them\.$/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a log of one's own is a policy with an interval, and a problem with its prior, after at most eight actions", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const dialog = dialogOf(page);
  // A garden, with names of two words and missing cells: watering makes dry soil moist, and only moist soil in the sun pays.
  const rows = Array.from({ length: 240 }, (_, k) => {
    const [soil, sun, water] = [Math.floor(k / 2) % 3, Math.floor(k / 3) % 2, (k * k) % 5 % 2];
    return `${Math.floor(k / 6)},${k % 17 === 5 ? "" : ["dry", "moist", "wet"][soil]},${sun ? "yes" : "no"},${water ? "yes" : "no"},${soil === 1 && sun === 1 ? 2 : 0}`;
  });
  const file = { name: "garden.csv", mimeType: "", buffer: Buffer.from(["day no,soil moisture,sun,water it,grown", ...rows].join("\n")) };
  await openDialog(page); // 1
  await choose(page, file); // 2
  const role = (/** @type {string} */ name) => dialog.getByRole("combobox", { name: `“${name}” is taken for`, exact: true });
  await role("day no").selectOption("episode"); // 3
  await dialog.getByRole("status").filter({ hasText: / transitions of / }).waitFor();
  await role("water it").selectOption("action"); // 4
  await role("grown").selectOption("reward"); // 5
  await dialog.getByPlaceholder("as “grown” says", { exact: true }).waitFor();
  await dialog.getByRole("img", { name: /^The graph: \d+ certain edges?, \d+ uncertain edges?$/ }).waitFor();
  await dialog.getByRole("button", { name: "Propose a policy", exact: true }).click(); // 6
  const worth = dialog.getByRole("region", { name: "What the policy is worth", exact: true });
  await worth.waitFor();
  assert.match((await worth.getByRole("row").filter({ hasText: "Gain" }).textContent()) ?? "", /^Gain-?[\d.]+-?[\d.]+ to -?[\d.]+$/);
  await dialog.getByText(/^(otherwise|always): water it = (yes|no)$/).first().waitFor();
  await dialog.getByText(/^Caution: if something that the log lacks moved both its actions/).waitFor();
  await seemly(page, "decide", "#posterior-dialog");
  // The values of the step before are variables, too; too many steps are one sentence, and the field stays.
  const lag = dialog.getByLabel("Steps on which the next one depends", { exact: true });
  await lag.fill("2");
  await lag.press("Enter");
  await dialog.getByText("soil moisture 1 before", { exact: true }).first().waitFor();
  await lag.fill("200");
  await lag.press("Enter");
  await dialog.getByRole("alert").filter({ hasText: /^With the values of 199 steps before: / }).waitFor();
  await lag.fill("");
  await lag.press("Enter");
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  // What cannot be is one sentence; another answer is asked for anew.
  await dialog.getByLabel("What a step pays", { exact: true }).fill("moon == 1");
  await worth.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Make it a problem", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: /no variable "moon"/ }).waitFor();
  await dialog.getByLabel("What a step pays", { exact: true }).fill("");
  await dialog.getByRole("button", { name: "Make it a problem", exact: true }).click(); // 7
  await find.notice(page, /“garden” is a problem of your own/).waitFor();
  await find.until(async () => /[#&]data=[0-9a-f]{64}/.test(page.url()) && /model=/.test(page.url()) && /rewards=learned/.test(page.url()), "the link has the problem and its start");
  await page.getByText(/^Every agent has observed the data [0-9a-f]{8}… before its first episode\.$/).waitFor();
  await find.notices(page).getByRole("button", { name: "Close this notice", exact: true }).click(); // it asks nothing
  await find.notice(page, /“garden”/).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a table of pandas and a log of sepsis are a policy with an interval and a problem, too", async () => {
  // An index without a name, and what Gymnasium calls things. Work pays, and tires; the tired who work are done.
  let [seed, tired] = [3, 0];
  const rows = Array.from({ length: 300 }, (_, k) => {
    seed = (seed * 48271) % 2147483647;
    const works = seed % 3 === 0 ? 0 : 1;
    const done = tired === 1 && works === 1 && seed % 7 < 3;
    const row = [k, Math.floor(k / 10), ["fresh", "tired"][tired], works, works === 1 ? 1 : 0.25, done ? "True" : "False"].join();
    tired = done || works === 0 ? 0 : 1;
    return row;
  });
  writeFileSync(join(work, "sepsis.json"), cpsrl("model", "-domain", "sepsis"));
  const sepsis = cpsrl("transitions", "-model", join(work, "sepsis.json"), "-episodes", "60", "-seed", "1");
  for (const [name, text, problem] of /** @type {const} */ ([["pandas.csv", [",episode,state,action,reward,done", ...rows].join("\n"), /“pandas” is a problem of your own/], ["sepsis.csv", sepsis, /“sepsis” is a problem of your own/]])) {
    const { page, complaints, close } = await open(site.browser, site.origin);
    const dialog = dialogOf(page);
    await openDialog(page); // 1
    await choose(page, { name, mimeType: "", buffer: Buffer.from(text) }); // 2
    await dialog.getByRole("button", { name: "Propose a policy", exact: true }).click(); // 3
    const worth = dialog.getByRole("region", { name: "What the policy is worth", exact: true });
    await worth.waitFor();
    assert.match((await worth.getByRole("row").filter({ hasText: "Gain" }).textContent()) ?? "", /^Gain-?[\d.]+-?[\d.]+ to -?[\d.]+$/, name);
    if (name === "sepsis.csv") await dialog.getByText(/^The 60 episodes of the log were paid -?[\d.]+ on average/).waitFor();
    await dialog.getByRole("button", { name: "Make it a problem", exact: true }).click(); // 4
    await find.notice(page, problem).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("numbers are cut where the page proposes it, with one press, and where the visitor says", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const dialog = dialogOf(page);
  const rows = Array.from({ length: 60 }, (_, k) => `${Math.floor(k / 6)},${36 + ((k * k) % 30) / 10},${k % 2}`);
  await openDialog(page);
  await choose(page, { name: "ward.csv", mimeType: "", buffer: Buffer.from(["episode,fever,drug", ...rows].join("\n")) });
  await dialog.getByRole("alert").filter({ hasText: /"fever" holds numbers that are not whole; cut points say how to divide them, as fever=[\d.,]+ does into parts of/ }).waitFor();
  await dialog.getByRole("button", { name: /^Cut at / }).click();
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  const cell = dialog.getByRole("region", { name: "Columns", exact: true }).getByRole("row").filter({ has: page.getByRole("rowheader", { name: "fever", exact: true }) }).getByRole("cell").last();
  assert.match((await cell.textContent()) ?? "", /^below [\d.]+, from [\d.]+ to [\d.]+, from [\d.]+/);
  const points = dialog.getByRole("textbox", { name: "Cut points of “fever”", exact: true });
  assert.match(await points.inputValue(), /^[\d.]+,[\d.]+$/);
  await points.fill("37.5");
  await points.press("Enter");
  await cell.filter({ hasText: /^below 37\.5, from 37\.5/ }).waitFor();
  await points.fill("warm");
  await points.press("Enter");
  await dialog.getByRole("alert").filter({ hasText: /^The cut "fever=warm" must be a name, = and numbers/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a log as people have it is read with words on what was taken for what; a second file that is not answered loses nothing", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const dialog = dialogOf(page);
  const rows = Array.from({ length: 40 }, (_, k) => `${k + 1};${Math.floor(k / 4)};${5 * (k % 4)};${["36,5", "37,5", "38,5"][(k * 7) % 3]};${k % 3 === 0 ? "yes" : "no"};north;${k % 4 === 3 ? "True" : "False"}`);
  const text = ["\"\";patient_id;mins;fever;drug;site;done", ...rows.map((row) => row.replace(/\d\d,5/, (t) => (t < "37" ? "low" : "high")))].join("\n");
  const file = { name: "ward.csv", mimeType: "", buffer: Buffer.from(text) };
  await openDialog(page);
  await choose(page, file);
  await dialog.getByRole("status").filter({ hasText: /^30 transitions of 40 rows\. No column counts steps: the rows of an episode follow each other\.$/ }).waitFor();
  const columns = dialog.getByRole("region", { name: "Columns", exact: true });
  const role = (/** @type {string} */ name) => columns.getByRole("combobox", { name: `“${name}” is taken for`, exact: true });
  await role("mins").selectOption("step");
  await dialog.getByRole("status").filter({ hasText: /^30 transitions of 40 rows\. "mins" grows by 5 from step to step\.$/ }).waitFor();
  await role("drug").selectOption("action");
  await dialog.getByRole("status").filter({ hasText: /^30 transitions of 40 rows\./ }).waitFor(); // until then it says that it reads the file
  const said = await columns.getByRole("row").allTextContents();
  assert.match(said.join("\n"), /\(no name\).*left out.*has no name.*\n(.*\n)*site.*has one value, “north”/);

  // Another file, and Esc before it is answered: the first answer is there again.
  await choose(page, { name: "other.csv", mimeType: "", buffer: Buffer.from("episode,t,x,a\n1,0,0,1\n2,0,1,0\n") });
  await dialog.getByRole("alert").filter({ hasText: /^There is no transition: each of the 2 episodes has one row\.$/ }).waitFor();
  await page.keyboard.press("Escape");
  await openDialog(page);
  await dialog.getByText("ward.csv", { exact: true }).waitFor();
  await dialog.getByRole("region", { name: "Edges", exact: true }).waitFor();
  assert.equal(await role("drug").inputValue(), "action");
  await dialog.getByRole("status").filter({ hasText: /^30 transitions of 40 rows/ }).waitFor();

  // A log is a log wherever it is opened, whatever its columns are called.
  await page.keyboard.press("Escape");
  await find.openFile(page, "Open a file…", { name: "walk.csv", mimeType: "", buffer: Buffer.from("Trial;timestep;place;act\n1;0;a;l\n1;1;b;r\n1;2;a;l\n2;0;b;r\n2;1;a;l\n") });
  await dialog.getByText("walk.csv", { exact: true }).waitFor();
  await dialog.getByRole("status").filter({ hasText: /^3 transitions of 5 rows/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a file that is taken while the one before is read in another way leaves that one to be read, if it is not answered itself", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { before: holdRequests });
  const dialog = dialogOf(page);
  const role = dialog.getByRole("combobox", { name: "“mood” is taken for", exact: true });
  const told = dialog.getByRole("cell", { name: "mood′", exact: true });
  await openDialog(page);
  await choose(page, own);
  await told.first().waitFor();
  await page.evaluate(() => void (/** @type {any} */ (window).hold = true));
  await role.selectOption("action");
  await choose(page, { name: "other.csv", mimeType: "", buffer: Buffer.from("episode,t,x,a\n1,0,0,1\n2,0,1,0\n") });
  await dialog.getByRole("status").filter({ hasText: "Reading “other.csv”…" }).waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => /** @type {any} */ (window).release());
  await openDialog(page);
  await dialog.getByRole("status").filter({ hasText: /^450 transitions of 500 rows/ }).waitFor();
  assert.equal(await role.inputValue(), "action");
  await find.becomes(() => told.count(), 0, "no edge leads to an action");
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
