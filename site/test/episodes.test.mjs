// Going through the episodes: the chart's cursor, which stands where the stage is, and
// fast forward, in Chromium. People find things by their names.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, open, start } from "./browser.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => void (site = await start()));
after(() => site.stop());

/** A browser without WebGL: the same pictures are drawn as SVG, which a test can read. */
function noWebGL() {
  const get = HTMLCanvasElement.prototype.getContext;
  // @ts-expect-error: one of its forms
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : get.call(this, kind, ...rest);
  };
}

/** @param {string} path @param {Parameters<typeof open>[2]} options */
const visit = (path, options = {}) => open(site.browser, site.origin + path, { before: noWebGL, ...options });

/** @param {Page} page @param {string | RegExp} words Waits until the stage's sentence begins so. */
const says = (page, words) => page.locator("#watch-text").filter({ hasText: typeof words === "string" ? new RegExp(`^${words}`) : words }).waitFor();
/** @param {Page} page */
const cursor = (page) => page.getByRole("slider", { name: "Watched episode" });
/** @param {Page} page The episode of the stage's own picture. */
const pictured = (page) => page.frameLocator("#watch iframe").locator("#sheet svg text").first().textContent();
/** @param {Page} page @param {string} title */
const pictures = (page, title) => page.frameLocator("#watch iframe").locator("#sheet svg text").first().filter({ hasText: title }).waitFor();
/** @param {Page} page The episode that the slider of the stage is at. */
const slid = (page) => page.getByRole("slider", { name: "Episode", exact: true }).inputValue();

/** Where an episode of the chart is on the screen. @param {Page} page @param {number} episode */
const placeOf = (page, episode) =>
  page.$eval("#chart svg", (svg, episode) => {
    const box = svg.getBoundingClientRect();
    const facts = JSON.parse(/** @type {SVGSVGElement} */ (svg).dataset["facts"] ?? "");
    const part = (episode - facts.first) / (facts.last - facts.first);
    const scale = box.width / /** @type {SVGSVGElement} */ (svg).viewBox.baseVal.width;
    return { x: box.left + scale * (facts.left + part * (facts.right - facts.left)), y: box.top + scale * (facts.top + 6) };
  }, episode);

/** How far the cursor's foot is from where its episode is on the chart, in CSS px. @param {Page} page */
const astray = async (page) => {
  const box = await cursor(page).boundingBox();
  const { x } = await placeOf(page, Number(await cursor(page).getAttribute("aria-valuenow")));
  return box ? Math.abs(box.x + box.width / 2 - x) : Infinity;
};

test("a click on the chart opens the stage at that episode; the cursor stands there, and keys and dragging move it", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await drawn(page);
  assert.equal(await cursor(page).count(), 0, "nothing is watched yet");
  const first = await placeOf(page, 60);
  await page.mouse.click(first.x, first.y);
  await says(page, /^Episode (59|60|61), sample:/); // a click has whole pixels
  assert.match((await cursor(page).getAttribute("aria-valuetext")) ?? "", /^Episode (59|60|61) of 400, C-PSRL, run 0$/);
  assert.ok((await astray(page)) < 1.5);
  await page.waitForURL(/watch=0,(59|60|61)$/);

  await page.locator("#watch-episode").fill("60");
  await says(page, "Episode 60, sample:");
  await cursor(page).focus();
  for (const [key, episode] of /** @type {const} */ ([["ArrowRight", 61], ["ArrowDown", 60], ["PageUp", 100], ["Home", 1], ["ArrowLeft", 1], ["PageUp", 41], ["PageDown", 1]])) {
    await page.keyboard.press(key);
    assert.equal(await cursor(page).getAttribute("aria-valuenow"), String(episode), key);
  }
  await says(page, "Episode 1, sample:");
  assert.ok(await cursor(page).evaluate((thumb) => thumb === document.activeElement), "it keeps the focus");

  // A drag on the chart, and one of the cursor itself; the stage's slider is in step.
  for (const [from, to] of /** @type {const} */ ([[30, 90], [90, 20]])) {
    const begin = await placeOf(page, from);
    const end = await placeOf(page, to);
    const thumb = await cursor(page).boundingBox();
    assert.ok(thumb);
    if (from === 90) await page.mouse.move(thumb.x + thumb.width / 2, thumb.y + thumb.height / 2);
    else await page.mouse.move(begin.x, begin.y);
    await page.mouse.down();
    await page.mouse.move((begin.x + end.x) / 2, end.y, { steps: 4 });
    await page.mouse.move(end.x, end.y, { steps: 4 });
    const at = Number(await slid(page));
    assert.ok(Math.abs(at - to) <= 1, `${at}, not about ${to}`);
    assert.ok((await astray(page)) < 1.5);
    await page.mouse.up();
    await says(page, `Episode ${at}, sample:`);
    assert.equal(await cursor(page).getAttribute("aria-valuenow"), String(at));
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("a click on an agent's curve watches that agent, Enter on the chart does without a pointer; without the stage neither does", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await drawn(page);
  await page.locator("#chart").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("PageDown");
  const episode = await page.getAttribute("#chart", "aria-valuenow");
  await page.keyboard.press("Enter");
  await says(page, `Episode ${episode}, sample: the agent`);
  const { y } = await page.$eval("#chart .cursor circle", (dot) => ({ y: dot.getBoundingClientRect().top + dot.getBoundingClientRect().height / 2 })); // PSRL's
  const { x } = await placeOf(page, Number(episode));
  await page.mouse.click(x, y);
  await says(page, /^Episode \d+, sample: PSRL samples a whole transition table/);
  assert.equal(await page.getByRole("combobox", { name: "Agent" }).inputValue(), "psrl");
  assert.match((await cursor(page).getAttribute("aria-valuetext")) ?? "", /, PSRL, run 0$/);
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  assert.equal(await cursor(page).count(), 0);
  assert.deepEqual(complaints, []);
  await close();

  const alone = await visit("?embed=1&ui=experiment#v=1&domain=figure1&episodes=3&runs=1", { until: ["ready", "running", "finished"] });
  assert.equal(await alone.page.isVisible("#chart-hint"), false);
  await alone.close();
});

test("fast forward passes by the episodes to the last one, the cursor in step; a pause shows the episode in full", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await page.getByRole("button", { name: "Watch one run" }).click();
  await says(page, "Episode 1, sample:");
  await page.getByLabel("Speed").selectOption("One picture an episode");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await says(page, /^Episode \d+: C-PSRL collects \d/);
  assert.equal(await page.getAttribute("#watch-moments [aria-current]", "value"), "update");
  assert.ok(await page.locator("#prior-legend [data-for='sampled']").isVisible(), "the prior's matrix is in step");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await says(page, /^Episode \d+, update: the agent has collected/);
  const paused = await slid(page);
  await pictures(page, `Episode ${paused} · C-PSRL`);
  await page.waitForURL(new RegExp(`watch=0,${paused},update$`));

  await page.getByRole("button", { name: "Play", exact: true }).click();
  await says(page, "Episode 100, update:");
  assert.equal(await page.textContent("#watch-play"), "Play");
  assert.equal(await pictured(page), "Episode 100 · C-PSRL");
  // From the last episode on it begins anew. A slower speed goes on from where it is.
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await says(page, /^Episode \d\d?: C-PSRL collects/);
  await page.getByLabel("Speed").selectOption("16×");
  await says(page, /^Episode \d+, (sample|plan|act):/);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  assert.deepEqual(complaints, []);
  await close();
});

test("who edits the prior while episodes pass by sees them from the first one on with the new prior", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await page.getByRole("button", { name: "Watch one run" }).click();
  await says(page, "Episode 1, sample:");
  await page.getByLabel("Speed").selectOption("One picture an episode");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await says(page, /^Episode \d\d+: /);
  /** The episodes that the slider is at, from now on. */
  await page.evaluate(() => {
    const list = /** @type {number[]} */ ([]);
    Object.assign(window, { passed: list });
    const look = () => {
      list.push(Number(/** @type {HTMLInputElement} */ (document.getElementById("watch-episode")).value));
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForFunction(() => {
    const { passed } = /** @type {any} */ (window);
    const anew = passed.indexOf(1);
    return anew >= 0 && passed.at(-1) > 10 && passed.slice(anew).every((/** @type {number} */ k, /** @type {number} */ i, /** @type {number[]} */ all) => i === 0 || k >= (all[i - 1] ?? 0));
  });
  assert.equal(await page.textContent("#watch-play"), "Pause");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await says(page, /^Episode \d+, update:/);
  assert.match((await page.textContent("#watch-moments [aria-current]")) ?? "", /Update/);
  assert.deepEqual(complaints, []);
  await close();
});

test("who seeks an episode while others pass by goes on from there; with less motion a picture stays for a second", async () => {
  const { page, complaints, close } = await visit("fig2d/", { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Watch one run" }).click();
  await says(page, "Episode 1, sample:");
  await page.getByLabel("Speed").selectOption("One picture an episode");
  await page.evaluate(() => {
    const times = /** @type {number[]} */ ([]);
    Object.assign(window, { times });
    new MutationObserver(() => times.push(performance.now())).observe(/** @type {Element} */ (document.getElementById("watch-episode-shown")), { characterData: true, childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => /** @type {any} */ (window).times.length >= 3);
  const times = await page.evaluate(() => /** @type {any} */ (window).times);
  for (let k = 1; k < times.length; k++) assert.ok(times[k] - times[k - 1] > 900, `pictures at ${times}`);
  await cursor(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("PageUp");
  await says(page, /^Episode (4[1-9]|[5-9]\d|\d{3}): /);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await says(page, /^Episode (4[1-9]|[5-9]\d|\d{3}), update:/);
  assert.deepEqual(complaints, []);
  await close();
});
