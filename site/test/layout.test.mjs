// Where the parts of a playground are, and that each has room for its words: in an element of any width, in the page's windows, and
// with whatever fonts a system has.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawn, listen, open, start } from "./browser.mjs";
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
    await page.goto(`${site.origin}column.html`);
    await find.runHere(page).click();
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
      const over = await page.locator(".foot").evaluate((foot) => [...document.querySelectorAll("#settings, #numbers, #watch")].filter((part) => part.getBoundingClientRect().bottom > foot.getBoundingClientRect().top + 1).map(({ id }) => id));
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
  const count = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
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
    if (count(node.textContent ?? "") === 0 || !parent.checkVisibility() || parent.closest("td[role='gridcell'], option, script, style") || clipped(parent) || bottom <= 0 || top >= innerHeight) continue;
    families.add(getComputedStyle(parent).fontFamily);
    if (!parent.closest("#film svg")) outside += count(node.textContent ?? "");
  }
  for (const menu of document.querySelectorAll("select")) if (menu.checkVisibility() && menu.getBoundingClientRect().top < innerHeight) outside += count(menu.selectedOptions[0]?.text ?? "");
  const name = performance.getEntriesByType("resource").map((entry) => entry.name).find((name) => /film-?.*\.json$/.test(name)) ?? "";
  /** @type {{marks: string[], frames: {marks: number[]}[]}} */
  const { marks, frames } = await (await fetch(name)).json();
  const words = marks.map((mark) => count(new DOMParser().parseFromString(mark, "text/html").body.textContent ?? ""));
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
  const parts = [page.getByText("Posterior sampling with a causal graph prior, run in this tab."), figure.getByText("Does a causal graph help a taxi?", { exact: true }), figure.getByText(/^Yes: C.PSRL pays 41, PSRL 190\.$/)];
  const article = page.getByRole("link", { name: "How it works", exact: true });
  for (const part of [...parts, article]) {
    const box = await part.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${part}`);
  }
  assert.equal((await fetch(await article.evaluate((link) => /** @type {HTMLAnchorElement} */ (link).href))).status, 200);
  const controls = await page.locator("button, select, input, textarea, a[href], summary, [tabindex='0']").evaluateAll((all) => all.filter((control) => {
    const { top, bottom, width } = control.getBoundingClientRect();
    return control.checkVisibility() && !control.closest("#prior-matrix") && width > 2 && bottom > 0 && top < innerHeight;
  }).length);
  assert.ok(controls <= 45, `${controls} controls`);
  const { outside, film, families } = await page.evaluate(readable);
  assert.ok(outside + film <= 220, `${outside} words beside the film and ${film} in it`);
  assert.ok(families.length <= 2, families.join());
  // The answer goes with its question.
  await find.clear(page).click();
  await parts[2]?.waitFor({ state: "hidden" });
  await find.choose(page, "fig2a");
  await page.getByText(/^Yes: C.PSRL pays 11, PSRL 99\.$/).waitFor();
  // On a phone the curves begin within 860 px, above the prior.
  await page.setViewportSize({ width: 390, height: 844 });
  await find.choose(page, "fig2c");
  await find.until(async () => (await plotOf(page)).from <= 860, "the curves are high on the page");
  assert.ok((await plotOf(page)).to < ((await find.prior(page).boundingBox())?.y ?? 0), "the chart is above the prior");
  assert.deepEqual(complaints, []);
  await close();
});
