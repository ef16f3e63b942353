// Where the parts of a playground are, and that each has room for its words: in an element of any width, in the page's windows, and
// with whatever fonts a system has.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawn, linger, listen, open, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases } from "./long.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

const parts = ["problem", "prior", "agents", "stage", "experiment", "controls"];

/** All sets of parts. */
const sets = Array.from({ length: 2 ** parts.length - 1 }, (_, k) => parts.filter((_, i) => ((k + 1) >> i) & 1));

/** The width of two classic scroll bars, which a host page may have beside the element. */
const bars = 30;

/**
 * What is wrong with an inline playground, for each set of parts and each width: words broken apart, buttons cut off, a matrix that
 * shows less than three columns, panels that overlap or are wider than the element, and a prior that is scrolled out of sight.
 * @param {{sets: string[][], widths: number[]}} of
 */
function faultsOf({ sets, widths }) {
  const element = /** @type {HTMLElement} */ (document.querySelector("cpsrl-playground"));
  const root = /** @type {ShadowRoot} */ (element.shadowRoot?.querySelector("div")?.shadowRoot);
  const box = /** @type {HTMLElement} */ (root.querySelector(".playground"));
  /** @param {string} what */
  const all = (what) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(what)]);
  /** The words of a text node that are on more than one line. @param {Text} node */
  const broken = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    if (range.getClientRects().length < 2) return [];
    return [...node.data.matchAll(/[\p{L}\p{N}]{3,}/gu)].filter(({ index, 0: word }) => {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => word);
  };
  /** @type {string[]} */
  const faults = [];
  for (const set of sets) {
    box.dataset["embed"] = set.join(" ");
    for (const part of all("[data-part]")) part.toggleAttribute("data-off", !set.includes(part.dataset["part"] ?? ""));
    for (const width of widths) {
      element.style.width = `${width}px`;
      /** @param {string} what */
      const fault = (what) => void faults.push(`${set} at ${width} px: ${what}`);
      if (box.scrollWidth > box.clientWidth || box.clientWidth !== width) fault(`${box.scrollWidth} px wide`);
      const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = /** @type {Element} */ (node.parentElement);
        if (!node.textContent?.trim() || parent.closest("svg, code, option, .hidden") || !parent.checkVisibility()) continue;
        for (const word of broken(/** @type {Text} */ (node))) fault(`“${word}” of ${parent.id || parent.className || parent.tagName} is broken apart`);
      }
      for (const button of all("button, summary")) if (button.checkVisibility() && button.clientWidth > 2 && button.scrollWidth > button.clientWidth + 1) fault(`“${button.textContent?.trim()}” is cut off`);
      const panels = all(".panel, .top, .foot, #notices").filter((panel) => panel.checkVisibility() && panel.clientHeight > 0).map((panel) => ({ id: panel.id || panel.className, at: panel.getBoundingClientRect() }));
      for (const [k, { id, at }] of panels.entries()) {
        if (at.width < Math.min(width, 280) - 1) fault(`${id} is ${at.width} px wide`);
        for (const other of panels.slice(0, k)) {
          if (Math.min(at.right, other.at.right) - Math.max(at.left, other.at.left) > 1 && Math.min(at.bottom, other.at.bottom) - Math.max(at.top, other.at.top) > 1) fault(`${id} and ${other.id} overlap`);
        }
      }
      const matrix = all(".matrix")[0];
      if (!matrix?.checkVisibility()) continue;
      const [head, ...cells] = [...(matrix.querySelector("tbody tr")?.children ?? [])].map((cell) => cell.clientWidth);
      const shown = (matrix.clientWidth - (head ?? 0)) / Math.max(...cells);
      if (matrix.scrollWidth > matrix.clientWidth && shown < 3) fault(`${shown} columns of the matrix are shown`);
      for (let up = matrix.parentElement; up && up !== box; up = up.parentElement) if (getComputedStyle(up).overflowY !== "visible" && up.scrollHeight > up.clientHeight + 1) fault(`${up.id || up.className} scrolls`);
    }
  }
  return faults;
}

test("inline, every set of parts has room for its words and its matrix at every width of the element", async () => {
  for (const [preset, wide] of /** @type {const} */ ([["fig2c-quick", 1280], ["fig2a-quick", 1440]])) {
    writeFileSync(join(site.folder, "column.html"), `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>A paper</title><script src="playground.js" defer></script></head><body style="margin: 0"><cpsrl-playground inline preset="${preset}" ui="${parts}"></cpsrl-playground></body></html>`);
    const context = await site.browser.newContext({ viewport: { width: wide, height: 900 } });
    const page = await context.newPage();
    const complaints = listen(page);
    await page.addInitScript(linger);
    await page.goto(`${site.origin}column.html`);
    await find.runHere(page).click();
    await find.view(page, "Matrix").click();
    await find.matrix(page).getByRole("gridcell").first().waitFor();
    await page.locator("#film svg").waitFor();
    await find.status(page).filter({ hasText: /^(Finished|Stopped|Done)/ }).waitFor();
    const widths = [];
    for (let width = wide > 1280 ? 1300 : 300; width <= Math.min(1400, wide); width += 40) widths.push(width - bars);
    const faults = await page.evaluate(faultsOf, { sets, widths });
    assert.deepEqual(faults.slice(0, 20), [], `${preset}: ${faults.length} faults`);
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

/** How high the plot is, without its axes, in px, and where it begins. @param {Page} page */
async function plotOf(page) {
  await drawn(page);
  return page.locator("#chart > svg").evaluate((svg) => {
    const { top, bottom } = JSON.parse(/** @type {SVGElement} */ (svg).dataset["facts"] ?? "");
    const box = svg.getBoundingClientRect();
    const scale = box.width / /** @type {SVGSVGElement} */ (svg).viewBox.baseVal.width;
    return { high: Math.round((bottom - top) * scale), from: box.top + top * scale, to: box.top + bottom * scale };
  });
}

test("the plot is at least 240 px high on a usual screen and grows with the window, and at least 200 px with a notice or the tour", async () => {
  for (const path of cases(["", "fig2a/", "eta/"], ["fig1/", "fig2d/"])) {
    const { page, complaints, close } = await open(site.browser, site.origin + path, { viewport: { width: 1280, height: 800 }, folded: true });
    await find.matrix(page).getByRole("gridcell").first().waitFor();
    /** @param {number} least @param {string} what */
    const high = async (least, what) => {
      let plot = { high: 0, from: 0, to: 0 };
      await find.until(async () => (plot = await plotOf(page)).high >= least && plot.to < (page.viewportSize()?.height ?? 0), `${path}, ${what}: a plot of ${least} px`).catch((error) => assert.fail(`${error.message}; it is ${JSON.stringify(plot)}`));
    };
    for (const [width, height, least] of /** @type {const} */ ([[1366, 768, 240], [1280, 800, 240], [1920, 1080, 480], [2560, 1440, 800], [1280, 800, 240]])) {
      await page.setViewportSize({ width, height });
      await high(least, `${width} × ${height}`);
      const over = await page.locator(".foot").evaluate((foot) => [...document.querySelectorAll("#settings, #numbers, #watch, #prior")].filter((part) => part.getBoundingClientRect().bottom > foot.getBoundingClientRect().top + 1).map(({ id }) => id));
      assert.deepEqual(over, [], "the footer covers nothing");
    }
    await page.evaluate(() => void (location.hash = "#v=9&domain=taxi"));
    await find.notice(page).waitFor();
    await high(200, "a notice");
    await find.notices(page).getByRole("button").first().click();
    await find.tour(page).click();
    await page.getByRole("region", { name: "Tour", exact: true }).getByText("1 of 12").waitFor();
    await high(200, "the tour");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("on each preset's page the plot is at least 240 px high on a usual screen", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 800 }, folded: true });
  const presets = await find.presets(page).locator("option").evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value).filter((value) => !value.startsWith("new:")));
  assert.ok(presets.length >= 10, `${presets}`);
  for (const preset of presets) {
    await page.goto(`${site.origin}${preset}/`);
    for (const [width, height] of /** @type {const} */ ([[1366, 768], [1280, 800]])) {
      await page.setViewportSize({ width, height });
      let plot = { high: 0, from: 0, to: 0 };
      await find.until(async () => (plot = await plotOf(page)).high >= 240 && plot.to < height, `${preset}, ${width} × ${height}: a plot of 240 px`).catch((error) => assert.fail(`${error.message}; it is ${JSON.stringify(plot)}`));
    }
  }
  assert.deepEqual(complaints, []);
  await close();
});

/** How many words one can read on the screen outside the cells of the matrix, those of the film in the picture that has most, and the families of fonts. */
async function readable() {
  /** @param {string} text */
  const count = (text) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  /** @param {Element | null} element @returns {boolean} */
  const clipped = (element) => element !== null && (getComputedStyle(element).clipPath !== "none" || clipped(element.parentElement));
  const families = new Set();
  let outside = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = /** @type {Element} */ (node.parentElement);
    const range = document.createRange();
    range.selectNodeContents(node);
    const { top, bottom } = range.getBoundingClientRect();
    if (count(node.textContent ?? "") === 0 || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest("td[role='gridcell'], option, script, style") || clipped(parent) || bottom <= 0 || top >= innerHeight) continue;
    families.add(getComputedStyle(parent).fontFamily);
    if (!parent.closest("#film svg")) outside += count(node.textContent ?? "");
  }
  for (const menu of document.querySelectorAll("select")) if (menu.checkVisibility() && menu.getBoundingClientRect().top < innerHeight) outside += count(menu.selectedOptions[0]?.text ?? "");
  const name = performance.getEntriesByType("resource").map((entry) => entry.name).find((name) => /film-?.*\.json$/.test(name)) ?? "";
  /** @type {{marks: string[], frames: {marks: number[]}[]}} */
  const { marks, frames } = await (await fetch(name)).json();
  const words = marks.map((mark) => count(mark.replace(/<[^>]*>/g, "")));
  const film = Math.max(...frames.map(({ marks: runs }) => {
    let sum = 0;
    for (let k = 0; k < runs.length; k += 2) for (const n of words.slice(runs[k], (runs[k] ?? 0) + (runs[k + 1] ?? 0))) sum += n;
    return sum;
  }));
  return { outside, film, families: [...families] };
}

test("the first screen says what the page is and what the figure answers, leads to the article, and has few controls", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 800 }, folded: true });
  await find.film(page).getByRole("img").waitFor();
  await find.matrix(page).getByRole("gridcell").first().waitFor();
  const figure = page.getByRole("region", { name: "Figure 2 (c): taxi 3×3", exact: true });
  const parts = [page.getByText("Known causes save trial and error."), figure.getByText(/^Does C.PSRL beat PSRL on a taxi\?$/), figure.getByText(/^Yes: C.PSRL pays 41, PSRL 190\.$/)];
  const article = page.getByRole("link", { name: "How it works", exact: true });
  for (const part of [...parts, article]) {
    const box = await part.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${part}`);
  }
  assert.equal((await fetch(await article.evaluate((link) => /** @type {HTMLAnchorElement} */ (link).href))).status, 200);
  const controls = await page.locator("button, select, input, textarea, a[href], summary, [tabindex='0']").evaluateAll((all) => all.filter((control) => {
    const { top, bottom, width } = control.getBoundingClientRect();
    return control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !control.closest("#prior-matrix, #prior-picture") && !control.matches(".scroll") && width > 2 && bottom > 0 && top < innerHeight;
  }).length);
  assert.ok(controls <= 30, `${controls} controls`);
  const { outside, film, families } = await page.evaluate(readable);
  assert.ok(outside <= 150 && film <= 40, `${outside} words beside the film and ${film} in it`);
  assert.ok(families.length <= 2, families.join());
  // The answer goes with its question.
  await find.clear(page).click();
  await parts[2]?.waitFor({ state: "hidden" });
  await find.choose(page, "fig2a");
  await page.getByText(/^Yes: C.PSRL pays 11, PSRL 99\.$/).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

/** Where the matrix or the graph of the prior, the film, the chart and the first of the numbers are in the page, and how large they are, in px. */
function placesOf() {
  return Object.fromEntries([["film", "#film"], ["chart", "#chart"], ["matrix", "#prior-matrix"], ["graph", "#prior-picture"], ["numbers", "#readout tbody tr"]].flatMap(([name = "", selector = ""]) => {
    const part = document.querySelector(selector);
    if (!part?.checkVisibility()) return [];
    const scrolled = [...document.querySelectorAll("#panels, .beside")].filter((box) => box.contains(part)).reduce((sum, box) => sum + box.scrollTop, scrollY);
    const { left, top, width, height } = part.getBoundingClientRect();
    const wide = name === "numbers" ? "" : ` ${Math.round(width)} ×`; // a wide table scrolls
    return [[name, `at ${Math.round(left)}, ${Math.round(top + scrolled)},${wide} ${Math.round(height)}`]];
  }));
}

/**
 * Edits the prior of what is shown and undoes the edit; and says what has moved meanwhile. Whole: between the two it runs what is
 * edited, stops the run and keeps the result; after them it follows a link that waits for Run, and edits the graph.
 * @param {Page} page @param {string} what @param {readonly (readonly [width: number, height: number])[]} sizes @param {boolean} whole
 */
async function movedBy(page, what, sizes, whole) {
  /** @type {Record<string, Record<string, string>>} */
  let before = {};
  /** @type {string[]} */
  const faults = [];
  /** @param {string} when */
  const look = async (when) => {
    for (const [width, height] of sizes) {
      if (sizes.length > 1) await page.setViewportSize({ width, height });
      const now = await page.evaluate(placesOf);
      const rest = (before[width] ??= now);
      for (const part of new Set([...Object.keys(rest), ...Object.keys(now)])) if (rest[part] !== now[part]) faults.push(`${what}, ${width} px, ${when}: ${part} is ${now[part]} and was ${rest[part]}`);
    }
  };
  /** @param {string} selector */
  const press = (selector) => page.locator(selector).first().evaluate((button) => /** @type {HTMLElement} */ (button).click());
  await look("at rest");
  await press("#prior-matrix [role='gridcell']");
  await page.locator("#line[data-told]").waitFor();
  await look("after an edit");
  await page.locator("#answer", { hasText: /\d|no agent/ }).waitFor();
  await look("with words about it");
  if (whole) {
    await press("#run");
    await page.locator("html[data-state='running']").waitFor();
    await look("during a run");
    await press("#stop");
    await page.locator("html[data-state='stopped'], html[data-state='finished']").waitFor();
    await look("after a run");
    await press("#keep-result");
    await look("after Keep");
  }
  await press("#prior-undo");
  await page.locator("#line:not([data-told])").waitFor();
  await look("after Undo");
  if (!whole) return faults;
  for (const drop of await page.locator("#kept button[aria-label^='Drop']").all()) await drop.evaluate((button) => /** @type {HTMLElement} */ (button).click());
  const here = await page.evaluate(() => location.hash);
  await page.evaluate((hash) => {
    const link = new URLSearchParams(hash.slice(1));
    link.set("runs", "10000");
    link.set("seed", "11");
    location.hash = `${link}`;
  }, here);
  await find.notice(page, /Press Run to start/).waitFor();
  await look("with a link that waits for Run");
  await find.notices(page).getByRole("button", { name: "Close this notice", exact: true }).click();
  await look("without its notice");
  await page.evaluate((hash) => void (location.hash = hash), here);
  await page.locator("#line:not([data-told])").waitFor();
  await look("back");
  before = {};
  await find.view(page, "Graph").click();
  await find.picture(page).locator("svg").first().waitFor();
  await look("with the graph");
  await press("#prior-clear");
  await page.locator("#line[data-told]").waitFor();
  await look("after Clear");
  await press("#prior-undo");
  await page.locator("#line:not([data-told])").waitFor();
  await look("after another Undo");
  await find.view(page, "Matrix").click();
  return faults;
}

/** The words of the first picture of a preset's film. @param {string} preset */
function firstOf(preset) {
  const assets = join(site.folder, "assets");
  const name = readdirSync(assets).find((name) => name.replace(/-\w+\.json$/, "") === `film-${preset}`) ?? "";
  return /** @type {string} */ (JSON.parse(readFileSync(join(assets, name), "utf8")).frames[0].text);
}

test("nothing moves when the prior is edited, run, stopped, kept and undone, or a link waits: on a usual screen, on a phone and in a column", async () => {
  /** @type {string[]} */
  const faults = [];
  const whole = new Set(cases(["fig2c", "sepsis"], ["fig2a", "eta", "sysadmin-bits"]));
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 800 }, folded: true, reducedMotion: "reduce" });
  /** @param {string} preset */
  const rest = async (preset) => {
    await page.locator("#line:not([data-told])").waitFor();
    await drawn(page);
    await find.matrix(page).getByRole("gridcell").first().waitFor();
    await find.film(page).getByRole("img", { name: firstOf(preset), exact: true }).waitFor(); // the film before stays until then
    await find.readout(page).waitFor();
  };
  const presets = await find.presets(page).locator("option").evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value).filter((value) => !value.startsWith("new:")));
  assert.ok(presets.length >= 10, `${presets}`);
  for (const preset of presets) {
    await find.choose(page, preset);
    await rest(preset);
    faults.push(...(await movedBy(page, preset, [[1280, 800], [390, 844]], whole.has(preset))));
  }
  await page.setViewportSize({ width: 680, height: 900 });
  for (const preset of cases(["fig2c", "sepsis", "fig1", "eta"], presets)) {
    await page.goto(`${site.origin}${preset}/?embed=1&ui=prior,experiment,controls`);
    await page.locator("#line:not([data-told])").waitFor();
    await drawn(page);
    await find.matrix(page).getByRole("gridcell").first().waitFor();
    await find.readout(page).waitFor();
    faults.push(...(await movedBy(page, `${preset}, embedded`, [[680, 900]], whole.has(preset))));
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(complaints, []);
  await close();
});

test("in an embed's column the number of an edit is in sight beside the old one", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c/?embed=1&ui=prior,experiment`, { viewport: { width: 680, height: 720 } });
  await page.locator("#prior-matrix [role='gridcell']").first().evaluate((cell) => /** @type {HTMLElement} */ (cell).click());
  const number = find.readout(page).locator("td:nth-of-type(2)").filter({ hasText: /\d/ });
  await number.waitFor();
  const [at, box] = [await number.boundingBox(), await page.getByRole("region", { name: "Values at an episode", exact: true }).boundingBox()];
  assert.ok(at && box && at.x >= box.x && at.x + at.width <= box.x + box.width + 1, JSON.stringify([at, box]));
  assert.deepEqual(complaints, []);
  await close();
});

/** Collects what moves in a document without anybody's doing. */
function seeShifts() {
  const all = /** @type {any} */ (globalThis);
  all.shifts = [];
  const rectangle = (/** @type {DOMRect} */ { x, y, width, height }) => [x, y, width, height].map(Math.round).join();
  all.shifted = (/** @type {any[]} */ entries) => {
    for (const { value, hadRecentInput, sources } of entries) {
      const parts = sources.map((/** @type {any} */ { node, previousRect, currentRect }) => `${node?.id || node?.className || node?.nodeName}: ${rectangle(previousRect)} → ${rectangle(currentRect)}`);
      if (!hadRecentInput) all.shifts.push({ value, parts });
    }
    return all.shifts;
  };
  all.shiftsSeen = new PerformanceObserver((list) => all.shifted(list.getEntries()));
  all.shiftsSeen.observe({ type: "layout-shift", buffered: true });
}

test("nothing jumps while a page or an embed loads: the HTML has each part in its size", async () => {
  const large = cases(["sepsis/", "sysadmin-bits/"], ["fig1/", "fig2a/", "eta/", "game-of-life/"]);
  for (const [path, width, height] of /** @type {[string, number, number][]} */ ([
    ...["", ...large].flatMap((path) => [[path, 1280, 800], [path, 390, 844]]), ["", 1920, 1080], ["?embed=1&ui=prior,experiment", 680, 700], ["sepsis/?embed=1&ui=prior,stage,experiment,controls", 1000, 900],
  ])) {
    const { page, complaints, close } = await open(site.browser, site.origin + path, { viewport: { width, height }, folded: true, fresh: true, before: `sessionStorage.removeItem("prior-view"); (${seeShifts})()` });
    await drawn(page);
    await page.locator("#prior-summary", { hasText: /\.$/ }).waitFor();
    if (await find.stage(page).isVisible()) await find.film(page).getByRole("img").waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    const shifts = await page.evaluate(() => /** @type {any} */ (globalThis).shifted(/** @type {any} */ (globalThis).shiftsSeen.takeRecords()));
    const sum = shifts.reduce((/** @type {number} */ sum, /** @type {{value: number}} */ { value }) => sum + value, 0);
    assert.ok(sum <= 0.005, `${path || "/"} at ${width} px: ${sum}, ${JSON.stringify(shifts)}`);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a page of which only the header and a part of the rest have come has them where the whole page has them", async () => {
  const html = await (await fetch(site.origin)).text();
  const header = html.indexOf("</header>");
  const starts = [header, ...[...html.matchAll(/<(?:section|figure|main|div class="(?:edit|know)"|div id="(?:panels|prior-views|beside)")/g)].map(({ index }) => index).filter((index) => index > header)];
  assert.ok(starts.length > 10, `${starts.length}`);
  for (const [width, height] of /** @type {[number, number][]} */ ([[1280, 800], [390, 844]])) {
    let until = html.length;
    const context = await site.browser.newContext({ viewport: { width, height }, serviceWorkers: "block" });
    const page = await context.newPage();
    await page.route("**/*.js", (route) => route.fulfill({ body: "", contentType: "text/javascript" }));
    await page.route(site.origin, (route) => route.fulfill({ body: html.slice(0, until), contentType: "text/html" }));
    const places = async () => {
      await page.goto(site.origin);
      return page.evaluate(() =>
        Object.fromEntries(
          [".title", ".preset", "#tour", "#share", "#menu", "#run", "#panels", "#prior", "#watch"].flatMap((part) => {
            const box = document.querySelector(part)?.getBoundingClientRect();
            return box ? [[part, `${[box.left, box.top, box.right].map(Math.round)}`]] : [];
          }),
        ),
      );
    };
    const whole = await places();
    for (until of starts) {
      const now = await places();
      assert.deepEqual(now, Object.fromEntries(Object.entries(whole).filter(([part]) => part in now)), `${width} px: ${html.slice(until, until + 40)}`);
    }
    await context.close();
  }
});

test("nothing jumps while the HTML of a page comes in two parts", async () => {
  const html = await (await fetch(`${site.origin}sepsis/`)).text();
  for (const [at, width] of /** @type {const} */ ([['<div class="transport', 1280], ["</header>", 390], ['<section id="experiment', 1280]])) {
    const cut = html.indexOf(at);
    assert.ok(cut > 0, at);
    let send = () => {};
    const server = createServer(async ({ url = "" }, response) => {
      if (url === "/sepsis/") {
        response.writeHead(200, { "content-type": "text/html" }).write(html.slice(0, cut));
        send = () => response.end(html.slice(cut));
        return;
      }
      const { status, headers, body } = await fetch(new URL(url, site.origin));
      response.writeHead(status, { "content-type": headers.get("content-type") ?? "" });
      for await (const part of body ?? []) response.write(part);
      response.end();
    });
    await new Promise((listens) => server.listen(0, "127.0.0.1", () => listens(undefined)));
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const context = await site.browser.newContext({ viewport: { width, height: 800 }, serviceWorkers: "block" });
    const page = await context.newPage();
    await page.addInitScript(`(${seeShifts})()`);
    const styled = page.waitForEvent("requestfinished", (request) => request.url().endsWith(".css"));
    await page.goto(`http://127.0.0.1:${port}/sepsis/`, { waitUntil: "commit" });
    await styled;
    await page.waitForTimeout(300); // a browser that paints the first part has painted it
    send();
    await drawn(page);
    const shifts = await page.evaluate(() => /** @type {any} */ (globalThis).shifted(/** @type {any} */ (globalThis).shiftsSeen.takeRecords()));
    const sum = shifts.reduce((/** @type {number} */ sum, /** @type {{value: number}} */ { value }) => sum + value, 0);
    assert.ok(sum <= 0.005, `${at} at ${width} px: ${sum}, ${JSON.stringify(shifts)}`);
    await context.close();
    server.closeAllConnections();
    server.close();
  }
});
