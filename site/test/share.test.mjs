// Links, receipts, the history, the dialogs and the documents, in Chromium.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { integrityOf } from "../bundle.mjs";
import { atHome, playground } from "../pages.mjs";
import { keepVersions, nameVersion } from "../versions.mjs";
import { golden, hasten, listen, open, reach, runByHand, start, startAlone, stopAtOnce, stopEarly, subPath } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases, onlyLong } from "./long.mjs";
import { seemlyEverywhere } from "./looks.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

/** @typedef {import("playwright-core").Page} Page */

/** An experiment that takes a second. */
const small = "v=1&domain=figure1&episodes=20&runs=3";

/** @param {Page} page */
const hash = (page) => page.evaluate(() => location.hash);

/** @param {Page} page @param {string} wanted */
const reachHash = (page, wanted) => page.waitForFunction((wanted) => location.hash === wanted, wanted);

/** Goes back or forward by the page's history, because the browser may learn of a new entry later than the page. @param {Page} page @param {number} by */
const travel = (page, by) => page.evaluate((by) => history.go(by), by);

/** What the form holds, once it has the field that is loaded last. @param {Page} page */
async function form(page) {
  await page.locator("#keep-name").waitFor({ state: "attached" });
  return find.settings(page).locator("input, select").evaluateAll((all) =>
    all.map((e) => {
      const { id, value, checked, type } = /** @type {HTMLInputElement} */ (e);
      return [id, type === "checkbox" ? checked : value];
    }),
  );
}

/** Changes the fragment of the address, as the address bar does. @param {Page} page @param {string} fragment */
const go = (page, fragment) => page.evaluate((fragment) => void (location.hash = fragment), fragment);

/** Opens the dialog Share and returns the link with this label. @param {Page} page @param {string} name */
async function share(page, name) {
  await find.share(page).click();
  const text = await find.copyable(find.dialog(page, "Share"), name).inputValue();
  await page.keyboard.press("Escape");
  return text;
}

test("each preset's link and page open to the same state in another tab, those of the first preset in a fresh profile", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const other = await open(site.browser, `${site.origin}${subPath}`);
  const names = await find.presets(page).getByRole("option").evaluateAll((options) => options.map((o) => /** @type {HTMLOptionElement} */ (o).value).filter((value) => !value.startsWith("new:")));
  assert.ok(names.length >= 10);
  const seen = new Set();
  const opened = cases(names.slice(0, 4), names.slice(4));
  for (const name of names) {
    const before = await hash(page);
    if ((await find.presets(page).inputValue()) !== name) {
      await find.choose(page, name);
      await page.waitForFunction((before) => location.hash !== before, before);
    }
    const link = await hash(page);
    assert.ok(link.length <= 221, `${name}: ${link}`);
    assert.ok(!seen.has(link), name);
    seen.add(link);
    if (!opened.includes(name)) continue;
    const state = await form(page);
    for (const address of [`${site.origin}${link}`, `${site.origin}${subPath}${name}/`]) {
      const fresh = name === names[0] ? await open(site.browser, address, { fresh: true }) : undefined;
      const tab = (fresh ?? other).page;
      if (!fresh) {
        await tab.goto(address);
        await reach(tab, "ready");
      }
      assert.equal(await hash(tab), link, address);
      assert.deepEqual(await form(tab), state, address);
      assert.equal(await find.presets(tab).inputValue(), name);
      assert.deepEqual(fresh?.complaints ?? [], []);
      await fresh?.close();
    }
  }
  assert.deepEqual(other.complaints, []);
  await other.close();
  assert.deepEqual(complaints, []);
  await close();
});

test("a link carries an edited prior or the visitor's own model", async () => {
  const model = JSON.stringify(JSON.parse(readFileSync(new URL("../../core/document/testdata/model-v1.json", import.meta.url), "utf8")));
  for (const link of [
    "v=1&prior=col:col,move;row:row&agents=c-psrl:eta=1,f-psrl:graph=prior&domain=taxi&grid=3x3&z=4&episodes=9&first=2&runs=2&seed=9007199254740991&bound=below&update=printed&rewards=learned",
    "v=1&prior=none&domain=random-fmdp&states=3&actions=1&values=3&parents=uniform&horizon=5&z=3&episodes=5&runs=2",
    `v=1&model=${deflateRawSync(model).toString("base64url")}&domain=model&episodes=5&runs=2`,
  ]) {
    const { page, complaints, close } = await open(site.browser, `${site.origin}#${link}`, { until: ["finished"] });
    const canonical = await hash(page);
    if (!link.includes("model=")) assert.equal(canonical, `#${link}`);
    const receipt = await share(page, "Link with receipt");
    const elsewhere = await open(site.browser, receipt, { until: ["finished"] });
    assert.match(await find.noticed(elsewhere.page), /^Reproduced bit for bit/);
    assert.deepEqual(await form(elsewhere.page), await form(page));
    assert.equal((await hash(elsewhere.page)).replace(/receipt=[^&]*&/, ""), canonical);
    assert.deepEqual([...complaints, ...elsewhere.complaints], []);
    await elsewhere.close();
    await close();
  }
});

test("results of another problem than that of the page are offered under its name, or not at all", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${small}`, { until: ["finished"] });
  const title = await find.presets(page).locator("option:checked").textContent();
  await find.presets(page).selectOption("new:blank");
  await page.getByRole("region", { name: "Your problem", exact: true }).waitFor();
  await page.waitForFunction(() => location.hash.includes("model="));
  await find.share(page).click();
  const dialog = find.dialog(page, "Share");
  const receipt = await find.copyable(dialog, "Link with receipt of “Figure 1’s example”").inputValue();
  assert.match(receipt, /receipt=.*domain=figure1/, title ?? "");
  await dialog.getByText(/ of the 3 runs of “Figure 1’s example” that this tab finished last, before this problem was opened\./).waitFor();
  await page.keyboard.press("Escape");
  await find.exporting(page).click();
  await find.dialog(page, "Export").getByText("All of this is of “Figure 1’s example”, whose results the chart shows; the page has another problem now.", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  // Back at the problem, nothing is said of another one.
  await travel(page, -1);
  await reachHash(page, `#${small}`);
  await find.holds(find.domain(page), "figure1"); // the page has read the address
  await find.exporting(page).click();
  await find.dialog(page, "Export").waitFor();
  assert.equal(await find.dialog(page, "Export").getByText("All of this is of").count(), 0);
  await page.keyboard.press("Escape");
  await find.share(page).click();
  await find.copyable(dialog, "Link with receipt").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("very long names neither make the page scroll sideways nor fill its heading", onlyLong, async () => {
  const name = "w".repeat(120);
  const model = {
    format: "cpsrl/model", version: 1, name, horizon: 2, initial: "uniform", reward: [],
    state: [{ name, size: 2, values: [`${name}1`, "off"] }], action: [{ name: `a ${name}`, size: 2 }],
    transition: [{ of: name, given: [name], p: [[1, 0], [0.5, 0.5]] }],
  };
  const link = `v=1&model=${deflateRawSync(JSON.stringify(model)).toString("base64url")}&domain=model&episodes=5&runs=2`;
  for (const width of [390, 1280]) {
    const { page, complaints, close } = await open(site.browser, `${site.origin}#${link}`, { until: ["finished"], viewport: { width, height: 900 } });
    const narrow = async (/** @type {string} */ what) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} at ${width} px`);
    await find.heading(page, `${name.slice(0, 100)}…`).waitFor();
    await narrow("the page");
    for (const view of /** @type {const} */ (["Graph", "Text", "Matrix"])) {
      await find.view(page, view).click();
      await narrow(view);
    }
    await find.watch(page).click();
    await find.nextEpisode(page).click();
    await page.getByText(/^Episode 2, sample:/).first().waitFor();
    await narrow("the stage");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the address follows each edit; Back undoes the edit and Forward repeats it", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3`);
  const first = "#v=1&domain=taxi&grid=3x3";
  await find.seed(page).fill("");
  await find.seed(page).pressSequentially("42", { delay: 700 });
  const second = `${first}&seed=42`;
  await reachHash(page, second);
  const title = (/** @type {string} */ title) => page.waitForFunction((title) => document.title === title, title);
  await title("Figure 2 (c): taxi 3×3, with seed 42 · C-PSRL playground");
  await find.episodes(page).fill("77");
  await page.waitForFunction(() => location.hash.includes("episodes=77"));
  const third = await hash(page);
  await find.agent(page, "PSRL").uncheck();
  await page.waitForFunction(() => location.hash.includes("agents="));
  await travel(page, -1);
  await reachHash(page, third);
  await find.until(() => find.agent(page, "PSRL").isChecked(), "PSRL is checked again");
  await travel(page, -1);
  await reachHash(page, second);
  await find.holds(find.seed(page), "42");
  await travel(page, -1); // digits that were typed together are undone together
  await reachHash(page, first);
  await title("C-PSRL playground");
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "ready");
  await travel(page, 1);
  await reachHash(page, second);
  assert.deepEqual(complaints, []);
  await close();
});

test("Back, Undo and Reset agree", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.waitForFunction(() => location.hash.startsWith("#v=1"));
  const first = await hash(page);
  const canUndo = () => find.undo(page).isEnabled();

  // Reset returns to the preset, also after Back and Forward.
  await find.episodes(page).fill("9");
  await page.waitForFunction(() => location.hash.includes("episodes=9"));
  await travel(page, -1);
  await find.holds(find.episodes(page), "400");
  await travel(page, 1);
  await find.holds(find.episodes(page), "9");
  await find.reset(page).click();
  await find.holds(find.episodes(page), "400");
  await reachHash(page, first);

  // When Back undoes a field, the prior keeps its own versions.
  await find.priorFrom(page).selectOption("1");
  await page.waitForFunction((first) => location.hash !== first, first);
  const chosen = await hash(page);
  await find.clear(page).click();
  await page.waitForFunction((chosen) => location.hash !== chosen, chosen);
  const cleared = await hash(page);
  await find.runs(page).fill("7");
  await page.waitForFunction(() => location.hash.includes("runs=7"));
  await travel(page, -1);
  await reachHash(page, cleared);
  await find.holds(find.runs(page), "20");
  assert.ok(await canUndo(), "the cleared prior can be undone");
  await find.undo(page).click();
  await reachHash(page, chosen);

  // Back undoes Undo. Reset is one more step of the history and of the prior.
  await travel(page, -1);
  await reachHash(page, cleared);
  await find.prior(page).getByText(/^No edge is known/).waitFor();
  assert.ok(await canUndo());
  await find.runs(page).fill("7");
  await page.waitForFunction(() => location.hash.includes("runs=7"));
  const changed = await hash(page);
  await find.reset(page).click();
  await reachHash(page, first);
  await find.holds(find.runs(page), "20");
  await travel(page, -1);
  await reachHash(page, changed);
  await travel(page, 1);
  await reachHash(page, first);

  // Another preset begins without versions. Back brings the versions back, and Reset returns to the earlier preset.
  await travel(page, -1);
  await reachHash(page, changed);
  await find.choose(page, "fig1-quick");
  await page.waitForFunction(() => location.hash.includes("figure1"));
  assert.ok(!(await canUndo()));
  await travel(page, -1);
  await reachHash(page, changed);
  await find.until(canUndo, "Undo is enabled again");
  await find.reset(page).click();
  await reachHash(page, first);
  assert.deepEqual(complaints, []);
  await close();
});

test("a preset that the engine accepts late is still a step of the history", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, {
    before: () => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
        const send = () => postMessage.call(this, message, transfer);
        if (message.path === "/v1/check" && /** @type {any} */ (window).slow) setTimeout(send, 1000);
        else send();
      };
    },
  });
  await find.logScale(page).click(); // changes the view, which a preset resets
  await find.runs(page).fill("7");
  await page.waitForFunction(() => location.hash.includes("runs=7") && location.hash.includes("log=y"));
  const before = await hash(page);
  await page.evaluate(() => void (/** @type {any} */ (window).slow = true));
  const entries = () => page.evaluate(() => history.length);
  const count = await entries();
  await find.offer(page, "fig1-quick");
  await find.presets(page).selectOption("fig1-quick");
  const chosen = await hash(page);
  assert.match(chosen, /figure1/, "the address has the preset before the engine has accepted it");
  await travel(page, -1); // before the engine has accepted the preset
  await reachHash(page, before);
  await find.holds(find.runs(page), "7");
  await travel(page, 1);
  await reachHash(page, chosen);
  await find.until(async () => (await find.runs(page).inputValue()) !== "7", "Forward shows the preset again");
  await travel(page, -1);
  await reachHash(page, before);
  await find.choose(page, "fig1-quick");
  await page.keyboard.press("Shift"); // it would be another edit
  await page.waitForFunction(() => location.hash.includes("figure1"));
  assert.equal(await entries(), count + 1, "a preset is one entry");
  await page.evaluate(() => void (/** @type {any} */ (window).slow = false));
  await travel(page, -1);
  await reachHash(page, before);
  // So is an edit that is made after Forward, before the engine has accepted the link.
  const slow = (/** @type {boolean} */ on) => page.evaluate((on) => void (/** @type {any} */ (window).slow = on), on);
  const runs = (/** @type {string} */ value) => find.holds(find.runs(page), value);
  await runs("7");
  await find.runs(page).fill("8");
  await page.waitForFunction(() => location.hash.includes("runs=8"));
  await travel(page, -1);
  await reachHash(page, before);
  await runs("7");
  await slow(true);
  await travel(page, 1);
  await runs("8");
  await find.reset(page).click();
  await page.waitForFunction(() => !location.hash.includes("runs="));
  await slow(false);
  assert.deepEqual(complaints, []);
  await close();
});

test("of many links in a row the last one is shown, and the engine is not asked about the overtaken ones", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, {
    before: () => {
      const { postMessage } = Worker.prototype;
      /** @type {any} */ (window).opened = 0;
      Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
        const send = () => postMessage.call(this, message, transfer);
        if (message.path === "/v1/open" && /** @type {any} */ (window).opened++ === 0) /** @type {any} */ (window).release = send;
        else send();
      };
    },
  });
  await page.evaluate(async () => {
    for (let seed = 1; seed <= 60; seed++) {
      location.hash = `v=1&domain=taxi&grid=3x3&episodes=1000&runs=1000&seed=${seed}`;
      await new Promise((resolve) => setTimeout(resolve));
    }
    /** @type {any} */ (window).release(); // until now, the engine was busy with the first link
  });
  await find.holds(find.seed(page), "60");
  assert.match(await hash(page), /seed=60$/);
  const opened = await page.evaluate(() => /** @type {any} */ (window).opened);
  assert.equal(opened, 2, "the first and the last");
  // A preset that is chosen while a link is being opened wins, because it is newer.
  await find.presets(page).evaluate((element) => {
    location.hash = "v=1&domain=taxi&grid=3x3&seed=61";
    addEventListener("hashchange", () => {
      const menu = /** @type {HTMLSelectElement} */ (element);
      menu.value = "fig1";
      menu.dispatchEvent(new Event("change", { bubbles: true }));
    }, { once: true });
  });
  await page.waitForFunction(() => location.hash.includes("figure1"));
  await find.seed(page).fill("5"); // the engine answers what it was asked before, too
  await page.waitForFunction(() => location.hash.includes("seed=5"));
  assert.match(await hash(page), /domain=figure1/);
  assert.equal(await find.domain(page).inputValue(), "figure1");
  assert.deepEqual(complaints, []);
  await close();
});

test("a copied link with a receipt is reproduced bit for bit by another page", onlyLong, async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${small}`, { until: ["finished"], permissions: ["clipboard-read", "clipboard-write"] });
  await find.share(page).click();
  await find.dialog(page, "Share").getByRole("button", { name: "Copy: Link with receipt", exact: true }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, new RegExp(`^${site.origin}v2/#v=1&receipt=2-[0-9a-f]{64}&domain=figure1`));
  const elsewhere = await open(site.browser, link, { until: ["finished"] });
  assert.match(await find.noticed(elsewhere.page), /^Reproduced bit for bit: engine 2 /);
  assert.equal(await find.notices(elsewhere.page).getAttribute("aria-live"), "polite");
  assert.equal(await find.fingerprint(elsewhere.page).textContent(), await find.fingerprint(page).textContent());
  assert.equal(await hash(elsewhere.page), link.slice(link.indexOf("#")), "the address keeps the receipt");
  assert.deepEqual([...complaints, ...elsewhere.complaints], []);
  await elsewhere.close();
  await close();
});

test("a link whose receipt has a golden fingerprint is reproduced", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&receipt=2-${golden.presets["fig1-quick"]}&domain=figure1&episodes=60&runs=4`, { until: ["finished"] });
  assert.match(await find.noticed(page), /^Reproduced bit for bit/);
  await close();
});

test("a receipt of another engine with the same fingerprint counts as reproduced", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&receipt=7-${golden.presets["fig1-quick"]}&domain=figure1&episodes=60&runs=4`, { until: ["finished"] });
  assert.match(await find.noticed(page), /^Reproduced bit for bit: the fingerprint is the receipt’s, although that is of engine 7 and this is engine 2\.$/);
  await close();
});

test("a receipt of an earlier engine offers that engine's page, if the site has kept it", async () => {
  const kept = await startAlone();
  const earlier = mkdtempSync(join(tmpdir(), "cpsrl-versions-"));
  try {
    mkdirSync(join(earlier, "v1"));
    assert.throws(() => keepVersions(kept.folder, golden.engine, earlier), /v1 has no index\.html/);
    writeFileSync(join(earlier, "v1/index.html"), '<!doctype html><html lang="en"><title>Engine 1</title><link rel="icon" href="data:,">');
    mkdirSync(join(earlier, "v2"));
    assert.throws(() => keepVersions(kept.folder, golden.engine, earlier), /v2 is no earlier version: VERSIONS holds folders v1 to v1/);
    rmdirSync(join(earlier, "v2"));
    keepVersions(kept.folder, golden.engine, earlier);
    const lists = ["", "v1/", "v2/"].map((path) => JSON.parse(readFileSync(join(kept.folder, path, "versions.json"), "utf8")).pages);
    assert.deepEqual(lists, [{ 1: "v1/", 2: "v2/" }, { 1: "../v1/", 2: "../v2/" }, { 1: "../v1/", 2: "../v2/" }]);
    const link = `v=1&receipt=1-${golden.presets["fig1-quick"]}&domain=figure1&episodes=60&runs=4`;
    // The page under v2/ behaves like the page at the root.
    for (const [at, from] of [["", ""], ["v2/", "?embed=1"]]) {
      const { page, complaints, close } = await open(kept.browser, `${kept.origin}${at}${from}#${link}`);
      assert.equal(await find.noticed(page), "This link carries a receipt of engine 1. This is engine 2, whose records may differ; the page of engine 1 is kept here, too.");
      await find.notices(page).getByRole("button", { name: "Run here", exact: true }).click();
      await reach(page, "finished");
      assert.match(await find.noticed(page), /^Reproduced bit for bit: .* of engine 1 and this is engine 2\.$/);
      await page.goto("about:blank");
      await page.goto(`${kept.origin}${at}${from}#${link}`);
      await find.notices(page).getByRole("button", { name: "Open engine 1", exact: true }).click();
      await page.waitForURL(`${kept.origin}v1/${from}#${link}`);
      assert.equal(await page.title(), "Engine 1");
      assert.deepEqual(complaints, []);
      await close();
    }
  } finally {
    rmSync(earlier, { recursive: true, force: true });
    await kept.stop();
  }
});

test("the whole site of this engine runs under its version beside the next engine, also in a sandboxed frame", async () => {
  const kept = await startAlone();
  const earlier = mkdtempSync(join(tmpdir(), "cpsrl-versions-"));
  try {
    cpSync(fileURLToPath(new URL("../../dist", import.meta.url)), join(earlier, "v2"), { recursive: true });
    rmSync(join(kept.folder, "v2"), { recursive: true });
    nameVersion(kept.folder, 3, ["", "fig1-quick"]);
    keepVersions(kept.folder, 3, earlier, kept.origin);
    const { pages } = JSON.parse(readFileSync(join(kept.folder, "v2/versions.json"), "utf8"));
    assert.deepEqual(pages, { 2: "../v2/", 3: "../v3/" });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(join(kept.folder, "v2/fig1-quick/index.html"), "utf8"))?.[1] ?? "";
    assert.match(policy, new RegExp(`script-src 'self' ${new URL(kept.origin).origin} `), "the page knows its new address");
    const worker = readFileSync(join(kept.folder, "v2/sw.js"), "utf8");
    const hashes = [...worker.matchAll(/([^",{:]*)"?:"(sha256-[^"]+)"/g)];
    assert.ok(hashes.length > 40, `${hashes.length} files`);
    for (const [, path = "", hash] of hashes) assert.equal(integrityOf(readFileSync(join(kept.folder, "v2", path.replace(/(^|\/)$/, "$1index.html")))), hash, `the worker's hash of ${path}`);
    const build = (/** @type {string} */ text) => /"([0-9a-f]{16})"/.exec(text)?.[1];
    assert.notEqual(build(worker), build(readFileSync(join(earlier, "v2/sw.js"), "utf8")), "the copy has a name of its own");
    writeFileSync(join(kept.folder, "paper.html"), '<!doctype html><html lang="en"><title>Paper</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="v2/fig1-quick/?embed=1" title="Figure" width="900" height="900"></iframe>');
    const page = await kept.browser.newPage();
    const complaints = listen(page);
    await page.goto(`${kept.origin}paper.html`);
    const figure = /** @type {import("playwright-core").Frame} */ (page.frames()[1]);
    await find.run(figure).click();
    await find.foldedFingerprint(figure).filter({ hasText: golden.presets["fig1-quick"] ?? "" }).waitFor({ state: "attached" });
    assert.deepEqual(complaints, []);
    await page.close();
  } finally {
    rmSync(earlier, { recursive: true, force: true });
    await kept.stop();
  }
});

test("a preset's page in the folder of its version works, and the codes to embed name this folder", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}v2/fig1-quick/`);
  await find.chooseMore(page, find.embed);
  const [frame, element] = [await find.copyable(page, "Frame").inputValue(), await find.copyable(page, /^Element:/).inputValue()];
  assert.ok(frame.includes(`src="${site.origin}v2/fig1-quick/?embed=1"`), frame);
  assert.ok(element.includes(`<script src="${site.origin}v2/playground.js" defer>`), element);
  await page.route(`${site.origin}article`, (route) => route.fulfill({ contentType: "text/html", body: element }));
  await page.goto(`${site.origin}article`); // the element works in a page of this site
  await find.runHere(page).getByRole("img").evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  await find.runHere(page).click();
  await page.frameLocator("cpsrl-playground iframe").locator("html[data-state=finished]").waitFor();
  assert.equal(await page.getAttribute("cpsrl-playground iframe", "src"), `${site.origin}v2/fig1-quick/?embed=1&theme=&ui=`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a wrong receipt says what differs", async () => {
  const wrong = "0".repeat(64);
  for (const [receipt, words] of /** @type {const} */ ([
    [`2-${wrong}`, /^Not reproduced: both are of engine 2, but the records differ\. The fingerprint is [0-9a-f]{12}… here and 000000000000… in the receipt\. .* cpsrl verify names the first record that differs\.$/],
    [`7-${wrong}`, /^Not reproduced, and not to be expected: the receipt is of engine 7, this is engine 2.* cpsrl verify names the first record that differs\.$/],
  ])) {
    const { page, close } = await open(site.browser, `${site.origin}#v=1&receipt=${receipt}&domain=figure1&episodes=20&runs=3`, { until: ["finished"] });
    assert.match(await find.noticed(page), words);
    await close();
  }
});

test("the receipt of a stopped run is for the completed runs", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=100&runs=300`, { until: ["ready", "running", "finished"] });
  await runByHand(page);
  await stopEarly(page);
  const link = await share(page, "Link with receipt");
  const runs = Number(/runs=(\d+)/.exec(link)?.[1] ?? 20); // links of version 1 leave 20 out
  assert.ok(runs >= 1 && runs < 300, link);
  const elsewhere = await open(site.browser, link, { until: ["finished"] });
  assert.match(await find.noticed(elsewhere.page), /^Reproduced bit for bit/);
  await elsewhere.close();
  await close();
});

test("a link over the budget says how long it would compute, and does not start", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&episodes=50000&runs=10000`);
  assert.match(await find.noticed(page), /^This link asks for about [\d,.]+ (min|hours|days) of computing in this tab, so it has not started by itself\. Press Run to start\.$/);
  await page.waitForTimeout(500);
  assert.equal(await page.getAttribute("html", "data-state"), "ready");
  await find.choose(page, "fig1-quick");
  await find.notice(page).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a run that started by itself and takes longer than estimated asks once whether it may go on", async () => {
  const long = "v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=40000&runs=2"; // takes seconds, but the clock is 30 times too fast
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${long}`, { until: ["running"], before: hasten });
  assert.match(await find.noticed(page), /^This run has taken \d+ (s|min) and is \d+% done\. It needs more than the [\d.]+ (s|min) that a run may take that starts by itself, so it is paused\. What it has computed is kept\.$/);
  await find.status(page).filter({ hasText: / · paused$/ }).waitFor();
  const done = () => find.done(page);
  let held = NaN;
  for (let now = await done(); now !== held; now = await done()) { // records that were on their way still arrive
    held = now;
    await page.waitForTimeout(1500);
  }
  assert.ok(held > 0 && held < 1, `it has paused in the middle of a run: ${held}`);
  assert.equal(await page.getAttribute("html", "data-state"), "running");
  await find.notices(page).getByRole("button", { name: "Go on", exact: true }).click();
  await find.until(async () => (await done()) > held, "the run goes on");
  await page.waitForTimeout(1500);
  assert.equal(await find.notice(page).count(), 0, "it asks once");

  // A link that is stopped and opened again asks again. A run by the button Run never asks.
  await find.stop(page).click();
  await page.goto("about:blank");
  await page.goto(`${site.origin}#${long}`);
  await find.notice(page).waitFor();
  await find.stop(find.notices(page)).click();
  await reach(page, "stopped");
  assert.equal(await find.notice(page).count(), 0);
  await find.run(page).click();
  await find.until(async () => (await done()) > 0.05, "the run makes progress");
  assert.equal(await find.notice(page).count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("unknown keys are kept in the link and named", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3&measure=beauty&sparkle=%3Cb%3E2&watch=99,1&zest=1`);
  assert.match(await find.noticed(page), /^This version cannot read these parts of the link: measure=beauty, sparkle=%3Cb%3E2, watch=99,1, zest=1\./);
  assert.equal(await hash(page), "#v=1&measure=beauty&sparkle=%3Cb%3E2&watch=99,1&zest=1&domain=taxi&grid=3x3");
  await find.measure(page).selectOption("recall");
  await reachHash(page, "#v=1&sparkle=%3Cb%3E2&watch=99,1&zest=1&domain=taxi&grid=3x3&measure=recall");
  await find.choose(page, "fig1-quick");
  await reachHash(page, "#v=1&sparkle=%3Cb%3E2&watch=99,1&zest=1&domain=figure1&episodes=60&runs=4&measure=recall");
  await find.unfold(page, "Size");
  await find.runs(page).fill("100"); // there is a run 99 now, but the stage is closed
  await reachHash(page, "#v=1&sparkle=%3Cb%3E2&zest=1&domain=figure1&episodes=60&runs=100&measure=recall");
  await find.notice(page, /parts of the link: sparkle=%3Cb%3E2, zest=1\. They stay/).waitFor();
  // The bare address shows what it shows in a new tab.
  await page.evaluate(() => void (location.hash = ""));
  await find.holds(find.measure(page), "cumulative-regret");
  await find.until(async () => (await find.notice(page).count()) === 0, "no notice");
  await find.measure(page).selectOption("recall");
  await reachHash(page, "#v=1&domain=taxi&grid=3x3&measure=recall");
  await close();
});

test("an unknown measure and a # stay in the link when the spec changes", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=20&runs=2&measure=beauty&zest=a#b`, { until: ["finished"] });
  assert.match(await find.noticed(page), /parts of the link: measure=beauty, zest=a%23b\./);
  await find.unfold(page, "Size");
  await find.seed(page).fill("5");
  await reachHash(page, "#v=1&measure=beauty&zest=a%23b&domain=figure1&episodes=20&runs=2&seed=5");
  await close();
});

test("after a bad link, the bare address is followed again", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=9&domain=taxi`);
  assert.match(await find.noticed(page), /^This link cannot be opened\..* What you see below is not from the link\.$/);
  await page.evaluate(() => void (location.hash = ""));
  await find.until(async () => (await find.notice(page).count()) === 0, "no notice");
  await find.measure(page).selectOption("recall");
  await reachHash(page, "#v=1&domain=taxi&grid=3x3&measure=recall");
  await close();
});

test("a receipt's run that is stopped before its first whole run is no longer said to be running", async () => {
  const { page, close } = await open(site.browser, `${site.origin}#v=1&receipt=2-${"0".repeat(64)}&domain=taxi&grid=3x3&episodes=60000&runs=1`, { until: ["running"] });
  await find.notice(page, /It is being run again to compare/).waitFor();
  await find.stop(page).click();
  await reach(page, "stopped");
  assert.equal(await find.notice(page).count(), 0);
  await close();
});

test("hostile and damaged links are refused in a sentence, start nothing and change nothing", async () => {
  const packed = (/** @type {string} */ text) => deflateRawSync(text).toString("base64url");
  const bomb = packed("0".repeat(30_000_000)); // inflates a thousandfold
  const deep = packed(`{"format":"cpsrl/model","version":1,"state":${"[".repeat(500_000)}`);
  const nested = "[".repeat(30_000);
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3&seed=5`, { until: ["running", "ready", "finished"] });
  await stopAtOnce(page);
  const state = await form(page);
  for (const [fragment, words] of /** @type {[string, RegExp][]} */ ([
    ["v=1&domain=taxi&runs=1000000000", /1000000000 is out of range; it must be from 1 to 10000/],
    ["v=1&domain=taxi&episodes=99999999999999999999", /not a whole number/],
    ["v=1&domain=random-fmdp&states=60&actions=4&values=1024", /./],
    ["v=8&domain=taxi", /version "8"; this engine reads versions 1 to 7/],
    ["domain=taxi", /does not say its version/],
    ["v=1", /names no domain/],
    ["v=1&domain=__proto__", /__proto__/],
    ["v=1&__proto__=1&__proto__=2&domain=taxi", /given twice/],
    ["v=1&domain=taxi&domain=taxi", /given twice/],
    ["v=1&domain=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", /<img src=x onerror=alert\(1\)>/],
    ["v=1&prior=%3Cscript%3E:row&domain=taxi", /./],
    ["v=1&agents=%3Cb%3Epsrl&domain=taxi", /<b>psrl/],
    ["v=1&model=7cEBDQAAAMKg909tDjegAAAAAAAAAAAA&domain=model", /damaged/],
    [`v=1&model=${bomb}&domain=model`, /the packed model is larger than 1048576 bytes/],
    [`v=1&model=${deep}&domain=model`, /./],
    [`v=1&agents=${nested}&domain=taxi`, /./],
    [`v=1&domain=taxi&x=${"a".repeat(1 << 20)}`, /The link has \d+ bytes, more than 65536/],
    ["v=1&domain=taxi&%E0%A4%A", /./],
    ["v=1&receipt=1-xyz&domain=taxi", /receipt is not an engine version and a fingerprint/],
  ])) {
    const close = find.notices(page).getByRole("button", { name: "Close this notice", exact: true });
    if (await close.isVisible()) await close.click();
    await go(page, fragment);
    const said = await find.noticed(page);
    assert.match(said, /^This link cannot be opened\. /, fragment.slice(0, 60));
    assert.match(said, words, fragment.slice(0, 60));
    assert.ok(said.length < 400, said);
    assert.deepEqual(await form(page), state, "the form has not changed");
    assert.notEqual(await page.getAttribute("html", "data-state"), "running");
    assert.equal(await find.notices(page).locator("img, script, b").count(), 0, "no HTML from a link");
  }
  // The next choice of a preset works and clears the notice.
  await find.choose(page, "fig1-quick");
  await reachHash(page, "#v=1&domain=figure1&episodes=60&runs=4");
  await find.notice(page).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a fragment that is no link is not read as one", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/#?secret=aB3dE9xYz1`);
  assert.equal(await find.presets(page).inputValue(), "fig1-quick");
  assert.equal(await find.notices(page).getByRole("paragraph").count(), 0);
  await go(page, "respond");
  await find.seed(page).fill("5");
  await reachHash(page, "#v=1&domain=figure1&episodes=60&runs=4&seed=5");
  assert.deepEqual(complaints, []);
  await close();
});

test("a page opened with a bad link works with a default, and keeps the link in the address", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=9&domain=taxi`);
  assert.match(await find.noticed(page), /version "9"/);
  assert.equal(await hash(page), "#v=9&domain=taxi");
  await find.choose(page, "fig1-quick");
  await find.run(page).click();
  await reach(page, "finished");
  assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
  assert.deepEqual(complaints, []);
  await close();
});

test("the dialogs open, close and copy by keyboard, and select the text if copying is denied", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}taxi5/`);
  await page.evaluate(() => Object.defineProperty(navigator.clipboard, "writeText", { value: () => Promise.reject(new DOMException("", "NotAllowedError")) }));
  await find.share(page).focus();
  await page.keyboard.press("Enter");
  const dialog = find.dialog(page, "Share");
  const link = find.copyable(dialog, "Link to this experiment");
  assert.equal(await link.inputValue(), `${site.origin}v2/#v=1&agents=psrl,f-psrl,c-psrl,c-psrl:eta=2&domain=taxi`);
  assert.equal(await find.copyable(dialog, "Short link, with a preview picture").inputValue(), `${site.origin}v2/fig2d/`);
  assert.equal(await dialog.getByText(/Its address names engine 2 \(\/v2\/\)/).count(), 1);
  assert.equal(await find.copyable(dialog, "Link with receipt").isVisible(), false);
  await dialog.getByRole("button", { name: "Copy: Link to this experiment", exact: true }).focus();
  await page.keyboard.press("Enter");
  await find.until(() => find.focused(link), "the field has the focus");
  await dialog.getByRole("status").filter({ hasText: "The text is selected: press Ctrl+C" }).waitFor();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), `${site.origin}v2/#v=1&agents=psrl,f-psrl,c-psrl,c-psrl:eta=2&domain=taxi`);
  await page.keyboard.press("Escape");
  assert.ok(await find.focused(find.share(page)), "the focus returns");
  await find.chooseMore(page, find.embed);
  const embedding = find.dialog(page, "Embed");
  await embedding.getByRole("checkbox", { name: "Prior", exact: true }).check();
  await embedding.getByRole("combobox", { name: "Theme", exact: true }).selectOption("dark");
  const frame = await find.copyable(embedding, "Frame").inputValue();
  assert.match(frame, /^<iframe src="[^"]*fig2d\/\?embed=1&amp;theme=dark&amp;ui=prior,experiment,controls" title="[^"]+"[^>]*><a href="[^"]*fig2d\/">/);
  assert.match(await find.copyable(embedding, /^Element:/).inputValue(), /<cpsrl-playground preset="fig2d" theme="dark" ui="prior,experiment,controls"><a /);

  // A ready-made choice of parts, the size, and the preview, which is the frame itself.
  const preview = embedding.frameLocator("iframe");
  const figure = embedding.getByRole("button", { name: "Figure", exact: true });
  await find.matrix(preview).getByRole("gridcell").first().waitFor();
  await figure.click();
  await preview.locator('html[data-embed="experiment"] #chart svg:visible').first().waitFor(); // the precomputed picture, or the chart that replaces it
  assert.equal(await preview.getByRole("group", { name: "View", exact: true }).isVisible(), false);
  assert.equal(await preview.locator("html").getAttribute("data-theme"), "dark");
  const sized = embedding.getByRole("spinbutton", { name: "Width, px", exact: true });
  await sized.fill("150");
  const heard = page.evaluate(() => new Promise((heard) => addEventListener("message", () => heard(undefined), { once: true })));
  await preview.locator("html").evaluate(() => parent.postMessage({ cpsrl: 1, type: "height", height: 555 }, "*"));
  await heard;
  assert.equal(await sized.inputValue(), "150", "what is being typed stays when the preview says how high it is");
  await sized.blur();
  await embedding.locator("#embed-width:focus:invalid").waitFor(); // the browser says the range
  await sized.fill("500");
  await page.keyboard.press("Tab");
  await embedding.getByRole("spinbutton", { name: "Height, px", exact: true }).fill("420");
  await page.keyboard.press("Tab");
  await embedding.getByRole("checkbox", { name: "Caption of the figure", exact: true }).uncheck();
  assert.match(await find.copyable(embedding, "Frame").inputValue(), /fig2d\/\?embed=1&amp;theme=dark&amp;ui=experiment,-toolbar,-caption" [^>]*width="500" height="420"/);
  assert.match(await find.copyable(embedding, /^Element:/).inputValue(), /ui="experiment,-toolbar,-caption" style="width:500px"/);
  await find.until(async () => (await embedding.locator("iframe").evaluate((frame) => frame.clientWidth)) === 500, "the preview is 500 px wide");
  assert.equal(await figure.getAttribute("aria-pressed"), "false", "without the caption, the parts are no longer those of Figure");
  await page.keyboard.press("Escape");
  await page.locator("iframe").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("Embed proposes the parts that show what the link says", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3&watch=0,5`, { until: ["ready", "finished"] });
  const embedding = find.dialog(page, "Embed");
  for (const [link, ui] of /** @type {const} */ ([
    [undefined, "stage"],
    ["v=1&domain=taxi&grid=3x3&measure=recall&watch=0,5", "stage,experiment,controls"],
    ["v=1&prior=col:col,row&domain=taxi&grid=3x3&watch=0,5", "prior,stage"],
  ])) {
    if (link) {
      await go(page, link);
      await find.until(() => page.evaluate((link) => document.querySelector("html")?.dataset["state"] !== "loading" && location.hash === `#${link}`, link), "the link is open");
      await find.until(async () => (await find.measure(page).inputValue()) === (link.includes("recall") ? "recall" : "cumulative-regret") && (await find.priorFrom(page).inputValue()) === (link.includes("prior") ? "edges" : "suggested"), "it is shown");
    }
    await find.chooseMore(page, find.embed);
    const code = find.copyable(embedding, "Frame");
    await find.until(async () => {
      const high = await embedding.frameLocator("iframe").locator("html[data-embed]").evaluate((html) => Math.ceil(html.getBoundingClientRect().height));
      return (await code.inputValue()).includes(`&amp;ui=${ui}#`) && (await code.inputValue()).includes(` height="${high}"`);
    }, `ui=${ui}, and the height that its preview needs`);
    const alone = await find.copyable(embedding, "Link to the frame by itself, for a class").inputValue();
    assert.ok((await code.inputValue()).includes(`src="${alone.replaceAll("&", "&amp;")}"`), alone);
    if (!link) await embedding.getByRole("button", { name: "Figure to run", exact: true }).click(); // for a link of another kind this choice ends
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("a title and a note are written in Share, stand above the figure as plain text, and travel with the link, the code and the export", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}taxi3/`);
  const blank = await page.context().newPage(); // the page itself parses nothing that is not its own
  await page.bringToFront();
  const heading = `Which "edge" <i>&amp;</i>?`;
  await find.share(page).click();
  const dialog = find.dialog(page, "Share");
  const link = find.copyable(dialog, "Link to this experiment");
  await dialog.getByRole("textbox", { name: "Title above the figure", exact: true }).pressSequentially(heading);
  await dialog.getByRole("textbox", { name: "Note below the title", exact: true }).fill("  One of <b>three</b>.\u202e ");
  const wanted = "#v=1&heading=Which%20%22edge%22%20%3Ci%3E%26amp;%3C%2Fi%3E%3F&note=One%20of%20%3Cb%3Ethree%3C%2Fb%3E.&domain=taxi&grid=3x3";
  await find.holds(link, `${site.origin}v2/${wanted}`);
  assert.equal(await dialog.getByRole("textbox", { name: "Title above the figure", exact: true }).inputValue(), heading);
  await page.keyboard.press("Escape");
  await reachHash(page, wanted);
  const above = page.getByRole("region", { name: "Title and note", exact: true });
  assert.equal(await above.getByRole("heading", { name: heading, exact: true }).count(), 1);
  assert.equal(await above.locator("p").textContent(), "One of <b>three</b>.");
  assert.equal(await page.getByRole("region", { name: heading, exact: true }).count(), 1, "the figure has this name, too");
  assert.equal(await page.title(), `${heading} · C-PSRL playground`);

  await find.chooseMore(page, find.embed);
  const embedding = find.dialog(page, "Embed");
  for (const name of ["Frame", /^Element:/]) {
    const code = await find.copyable(embedding, name).inputValue();
    const made = await blank.evaluate((code) => {
      const { body, head } = new DOMParser().parseFromString(code, "text/html");
      return { strange: body.querySelectorAll("i, b").length + head.querySelectorAll("i, b").length, text: body.querySelector("a")?.textContent, link: body.querySelector("[link]")?.getAttribute("link") };
    }, code);
    assert.deepEqual({ ...made, link: made.link ?? wanted.slice(1) }, { strange: 0, text: heading, link: wanted.slice(1) }, code);
  }
  await page.keyboard.press("Escape");

  await find.exporting(page).click();
  const file = find.dialog(page, "Export").getByRole("textbox", { name: "The text of the file", exact: true });
  await find.until(async () => (await file.inputValue()).startsWith("<svg"), "the figure is drawn");
  const drawn = await blank.evaluate((text) => {
    const svg = new DOMParser().parseFromString(text, "image/svg+xml");
    return { error: svg.querySelector("parsererror, i, b")?.textContent, bold: svg.querySelector("text[font-weight]")?.textContent, title: svg.querySelector("title")?.textContent };
  }, await file.inputValue());
  assert.deepEqual(drawn, { error: undefined, bold: heading, title: heading });
  await page.keyboard.press("Escape");

  // Another preset is without them.
  await find.choose(page, "eta");
  await above.waitFor({ state: "hidden" });
  assert.deepEqual(complaints, []);
  await close();
});

test("without JavaScript each preset's page says what it shows", async () => {
  const context = await site.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}fig2c/`);
  assert.match(await page.title(), /^Figure 2 \(c\)/);
  const words = (await page.textContent("body")) ?? "";
  assert.match(words, /needs JavaScript/);
  assert.match(await page.innerText("body noscript"), /Cumulative regret after 400 episodes/);
  assert.equal(await find.settings(page).count(), 0);
  await context.close();
});

test("a preset's page requests large files early, and has a preview card if it knows its address", () => {
  const file = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
  const template = readFileSync(file("../index.html"), "utf8");
  const { conclusion } = JSON.parse(readFileSync(file("figures/fig2c.json"), "utf8"));
  const parts = { up: "../", style: "s.css", bare: "b.css", script: "p.js", imports: ["c.js"], engine: "e.wasm", sizes: { isLong: () => false, isLongName: () => false }, path: "fig2c/", preset: { name: "fig2c", title: 'Taxi "3×3" <b>' }, image: "figures/fig2c.png", poster: "figures/fig2c.svg", conclusion };
  const page = playground(template, { ...parts, base: "https://example.org/x/" });
  for (const tag of [
    '<link rel="canonical" href="https://example.org/x/fig2c/">',
    '<link rel="modulepreload" href="../assets/c.js">',
    '<script src="../first.js" data-early="../assets/e.wasm">',
    '<meta property="og:url" content="https://example.org/x/fig2c/">',
    '<meta property="og:image" content="https://example.org/x/figures/fig2c.png">',
    '<meta property="og:title" content="Taxi &quot;3×3&quot; &lt;b&gt; · C-PSRL playground">',
    '<link rel="alternate" type="application/json+oembed" href="https://example.org/x/fig2c/oembed.json" title="Taxi &quot;3×3&quot; &lt;b&gt; · C-PSRL playground">',
  ]) assert.ok(page.includes(tag), tag);
  assert.match(page, /og:description" content="Run it in your browser\. Cumulative regret after 400 episodes/);
  const linkedData = (/** @type {string} */ text) => JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(text)?.[1] ?? "");
  const { name, url, image, citation } = linkedData(page);
  assert.deepEqual([name, url, image], ['Taxi "3×3" <b> · C-PSRL playground', "https://example.org/x/fig2c/", "https://example.org/x/figures/fig2c.png"]);
  assert.match(citation.name, /^Exploiting Causal Graph Priors/);
  assert.equal(citation.author[1].familyName, "De Santi");
  const bare = playground(template, { ...parts, base: undefined });
  assert.doesNotMatch(bare, /og:image|og:url|canonical|oembed/);
  assert.equal(linkedData(bare).url, undefined);
});

test("a page that knows its address names its origin in its policy, because a sandboxed frame has none", () => {
  const file = (/** @type {string} */ name) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
  for (const name of ["index.html", "site/stage.html"]) {
    const page = file(name);
    const policy = (/** @type {string} */ text) => /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? "";
    assert.equal(atHome(page, undefined), page);
    const known = policy(atHome(page, "https://example.org/x/"));
    assert.match(known, /script-src 'self' https:\/\/example\.org 'wasm-unsafe-eval'/);
    assert.equal(known.replaceAll(" https://example.org", ""), policy(page));
    assert.equal(known.match(/'self'/g)?.length, known.match(/https:\/\/example\.org/g)?.length);
  }
});

test("a frame that may load neither style nor script says so", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const words = page.getByText("The style and script did not load.");
  await page.goto(`${site.origin}fig1-quick/?embed=1`);
  assert.equal(await words.isVisible(), false);
  await page.route(/\.(css|js)$/, (route) => route.abort());
  await page.reload();
  assert.equal(await words.isVisible(), true);
  await context.close();
});

const documents = ["paper/", "gallery/", "docs/", "docs/guide.html", "docs/gallery.html", "docs/findings.html", "docs/choices.html", "docs/cluster.html", "docs/formats.html", "docs/engine.html", "docs/host.html", "docs/embed.html", "docs/cite.html"];

test("axe finds nothing in dialogs, notices, documents and the example, and none of them scrolls sideways", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#${small}&novel=1`, { until: ["finished"] });
  const look = (/** @type {string} */ what) => seemlyEverywhere(page, what, [1280, 390]);
  await look("notice");
  for (const [name, button] of /** @type {const} */ ([["Share", find.share], ["Embed", find.embed]])) {
    await find.chooseMore(page, button);
    await find.dialog(page, name).waitFor();
    await look(name);
    await page.keyboard.press("Escape");
  }
  for (const path of [...documents, "example/"]) {
    await page.goto(`${site.origin}${path}`);
    if (path === "example/") await page.frameLocator("iframe").locator('html[data-state="ready"]').waitFor();
    else assert.equal(await page.locator("nav [aria-current=page]").count(), ["paper/", "gallery/"].includes(path) ? 0 : 1, path);
    await look(path);
  }
  assert.deepEqual(complaints, []);
  await close();
});
