// Going through the episodes in Chromium: the chart's cursor, which marks the stage's episode, the map of
// beliefs, and fast forward.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawn, linger, noWebGL, open, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { seemlyEverywhere } from "./looks.mjs";
import { trace } from "./stage-harness.mjs";

const artifacts = fileURLToPath(new URL("../../artifacts", import.meta.url));

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => {
  mkdirSync(artifacts, { recursive: true });
  site = await start();
});
after(() => site.stop());

/** @param {string} path @param {Parameters<typeof open>[2]} options */
const visit = (path, options = {}) => open(site.browser, site.origin + path, { before: noWebGL, folded: true, ...options });

/** Waits until the stage's sentence begins with these words or matches. @param {Page} page @param {string | RegExp} words */
const says = (page, words) => find.said(page, words).waitFor();
/** The title of the stage's picture. @param {Page} page */
const pictured = (page) => find.stage(page).frameLocator("iframe").locator("#sheet svg text").first().textContent();
/** Waits until the stage's picture has this title. @param {Page} page @param {string} title */
const pictures = (page, title) => find.stage(page).frameLocator("iframe").locator("#sheet svg text").first().filter({ hasText: title }).waitFor();
/** The episode of the stage's slider. @param {Page} page */
const slid = (page) => find.episode(page).inputValue();

/** The place of an episode of the chart on the screen. @param {Page} page @param {number} episode */
const placeOf = (page, episode) =>
  page.$eval("#chart svg", (svg, episode) => {
    const box = svg.getBoundingClientRect();
    const facts = JSON.parse(/** @type {SVGSVGElement} */ (svg).dataset["facts"] ?? "");
    const part = (episode - facts.first) / (facts.last - facts.first);
    const scale = box.width / /** @type {SVGSVGElement} */ (svg).viewBox.baseVal.width;
    return { x: box.left + scale * (facts.left + part * (facts.right - facts.left)), y: box.top + scale * (facts.top + 6) };
  }, episode);

/** The distance of the cursor's foot from its episode on the chart, in CSS px. @param {Page} page */
const astray = async (page) => {
  const box = await find.cursor(page).boundingBox();
  const { x } = await placeOf(page, Number(await find.cursor(page).textContent()));
  return box ? Math.abs(box.x + box.width / 2 - x) : Infinity;
};

test("a click on the chart moves its reading and loads nothing; a button watches the episode, and then keys and dragging move the cursor", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await drawn(page);
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  assert.equal(await find.cursor(page).count(), 0, "nothing is watched yet");
  const first = await placeOf(page, 60);
  await page.mouse.click(first.x, first.y);
  await find.watchChosen(page).waitFor();
  await page.mouse.move(first.x, first.y - 200);
  const chosen = await find.reading(page).inputValue();
  assert.match(chosen, /^(5[89]|6[0-2])$/); // a click has whole pixels, and the figure has a point for each third episode
  assert.equal(await find.readout(page).getByRole("columnheader").first().textContent(), `Episode ${chosen}`);
  assert.match((await find.reading(page).getAttribute("aria-valuetext")) ?? "", new RegExp(`^${chosen} of 400\\. PSRL \\d`));
  assert.deepEqual(loaded.filter((path) => /stage|watch/.test(path)), [], "a click loads no stage");
  assert.doesNotMatch(page.url(), /watch=/);
  await page.keyboard.press("Escape");
  assert.equal(await find.watchChosen(page).isVisible(), false);
  await page.mouse.click(first.x, first.y);
  await find.watchChosen(page).click();
  await says(page, `Episode ${chosen}, sample:`);
  await find.until(async () => new RegExp(`^${chosen} of 400, on the stage\\. C-PSRL, run 0\\. PSRL \\d`).test((await find.reading(page).getAttribute("aria-valuetext")) ?? ""), "the chart reads the episode of the stage");
  assert.ok(await find.play(page).evaluate((button) => button === document.activeElement), "the next press plays");
  await find.until(async () => (await astray(page)) < 1.5, "the cursor, whose code is loaded late, is at its episode");
  await page.waitForURL(new RegExp(`watch=0,${chosen}$`));

  await find.episode(page).fill("60");
  await says(page, "Episode 60, sample:");
  await find.reading(page).focus();
  for (const [key, episode] of /** @type {const} */ ([["ArrowRight", 61], ["ArrowDown", 60], ["PageUp", 100], ["Home", 1], ["ArrowLeft", 1], ["PageUp", 41], ["PageDown", 1]])) {
    await page.keyboard.press(key);
    assert.equal(await find.reading(page).inputValue(), String(episode), key);
    assert.equal(await find.cursor(page).textContent(), String(episode), key);
  }
  await says(page, "Episode 1, sample:");
  assert.ok(await find.reading(page).evaluate((input) => input === document.activeElement), "the input keeps the focus");

  // Drag on the chart, then drag the cursor itself: the stage's slider follows.
  for (const [from, to] of /** @type {const} */ ([[30, 90], [90, 20]])) {
    const begin = await placeOf(page, from);
    const end = await placeOf(page, to);
    const thumb = await find.cursor(page).boundingBox();
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
    assert.equal(await find.cursor(page).textContent(), String(at));
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("on a narrow page a tap on the chart reads an episode, and its button scrolls to the stage, which is far above", async () => {
  const { page, complaints, close } = await visit("fig2d/", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await drawn(page);
  await find.chart(page).evaluate((chart) => chart.scrollIntoView({ block: "start" }));
  assert.ok(await find.stage(page).evaluate((stage) => stage.getBoundingClientRect().bottom < 0));
  for (const episode of [60, 390]) {
    const { x, y } = await placeOf(page, episode);
    await page.touchscreen.tap(x, y + 60);
    await find.watchChosen(page).filter({ hasText: new RegExp(`^Watch episode (${episode - 2}|${episode - 1}|${episode}|${episode + 1}|${episode + 2})`) }).waitFor();
    const box = await find.watchChosen(page).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 24, `${JSON.stringify(box)}`);
  }
  const chosen = await find.reading(page).inputValue();
  await find.watchChosen(page).tap();
  await says(page, `Episode ${chosen}, sample:`);
  await find.until(() => find.stage(page).evaluate((stage) => Math.abs(stage.getBoundingClientRect().top) < 2), "the stage is at the top");
  assert.deepEqual(complaints, []);
  await close();
});

test("the button of the chart watches the agent whose curve was clicked; an open stage follows a click; a frame without the stage offers neither", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await drawn(page);
  await find.chart(page).getByRole("img", { name: /by episode/ }).waitFor();
  await find.reading(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("PageDown");
  const episode = await find.reading(page).inputValue();
  const { y } = await page.$eval("#chart .cursor circle", (dot) => ({ y: dot.getBoundingClientRect().top + dot.getBoundingClientRect().height / 2 })); // PSRL's
  const { x } = await placeOf(page, Number(episode));
  await page.mouse.click(x, y);
  await find.watchChosen(page).filter({ hasText: /^Watch episode \d+ of PSRL$/ }).click();
  await says(page, /^Episode \d+, sample: PSRL samples a whole transition table/);
  assert.equal(await find.watchedAgent(page).inputValue(), "psrl");
  assert.match((await find.reading(page).getAttribute("aria-valuetext")) ?? "", /, on the stage\. PSRL, run 0\./);
  assert.equal(await find.watchChosen(page).isVisible(), false);
  const there = await placeOf(page, 100);
  await page.mouse.click(there.x, there.y);
  await says(page, /^Episode (99|100|101), sample: PSRL/);
  await find.hide(page).click();
  assert.equal(await find.cursor(page).count(), 0);
  assert.deepEqual(complaints, []);
  await close();

  const alone = await visit("?embed=1&ui=experiment#v=1&domain=figure1&episodes=3&runs=1", { until: ["ready", "running", "finished"] });
  await drawn(alone.page);
  await find.reading(alone.page).focus();
  await alone.page.keyboard.press("Home");
  assert.equal(await alone.page.getByText("Click the chart").isVisible(), false);
  assert.equal(await find.watchChosen(alone.page).isVisible(), false);
  await alone.close();
});

test("fast forward shows each episode up to the last one, and a pause shows its episode in full", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await page.evaluate(linger); // 8 episodes a second: the test has time to look
  await find.speed(page).selectOption("One picture an episode");
  await find.play(page).click();
  await says(page, /^Episode \d+: C-PSRL collects \d/);
  assert.equal(await find.now(page).textContent(), "Update");
  assert.ok(await find.prior(page).getByRole("listitem").filter({ hasText: /^ ?sampled$/ }).isVisible(), "the prior's matrix shows the sampled graph");
  await find.pause(page).click();
  await says(page, /^Episode \d+, update: the agent has collected/);
  const paused = await slid(page);
  await pictures(page, `Episode ${paused} · C-PSRL`);
  await page.waitForURL(new RegExp(`watch=0,${paused},update$`));

  await find.play(page).click();
  await says(page, "Episode 100, update:");
  assert.ok(await find.play(page).isVisible(), "the stage has stopped at the last episode");
  await find.becomes(() => pictured(page), "Episode 100 · C-PSRL", "the title");
  // Play at the last episode begins with the first one. A slower speed goes on from the present episode.
  await find.play(page).click();
  await says(page, /^Episode \d\d?: C-PSRL collects/);
  await find.speed(page).selectOption("16×");
  await says(page, /^Episode \d+, (sample|plan|act):/);
  await find.pause(page).click();
  assert.deepEqual(complaints, []);
  await close();
});

/** Collects from now on what each frame shows: the episodes of the picture's title, the sentence, the slider and the chart's cursor. @param {Page} page */
const sample = (page) =>
  page.evaluate(() => {
    const told = (/** @type {string | null | undefined} */ text) => Number(/^Episode (\d+)/.exec(text ?? "")?.[1]);
    const look = () => [
      told(document.querySelector("iframe")?.contentDocument?.querySelector("#sheet svg text")?.textContent),
      told(document.querySelector("#watch-text")?.textContent),
      Number(/** @type {HTMLInputElement} */ (document.querySelector("#watch-episode")).value),
      Number(document.querySelector("#chart-cursor")?.textContent),
    ];
    const frames = /** @type {number[][]} */ ([]);
    Object.assign(window, { frames });
    // Sizes are observed after the animation frames of the page and of the stage, so these are what the frame shows.
    const probe = document.body.appendChild(document.createElement("div"));
    probe.style.cssText = "position: fixed; height: 1px";
    new ResizeObserver(() => frames.push(look())).observe(probe);
    let wide = 1;
    const tick = () => {
      probe.style.width = `${(wide = 3 - wide)}px`;
      requestAnimationFrame(tick);
    };
    tick();
  });

test("title, sentence, slider and cursor name one episode in each frame: step by step, in fast forward and at the usual pace", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/#v=1&domain=taxi&grid=3x3&horizon=2&episodes=40&runs=2", { until: ["ready", "running", "finished"] });
  await drawn(page);
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await find.cursor(page).waitFor();
  await sample(page);
  const named = () => page.evaluate(() => /** @type {any} */ (window).frames.splice(0));
  for (const [speed, until] of /** @type {const} */ ([["16×", /^Episode (?:[3-9]|\d\d), /], ["One picture an episode", /^Episode 40, update/], ["Slow, then quicker", /^Episode [5-9]: /]])) {
    await find.speed(page).selectOption(speed);
    await named();
    await find.play(page).click();
    await find.passes(find.sentence(page), until); // some of the pictures that pass by stay for a moment only
    /** @type {number[][]} */
    const frames = await named();
    assert.ok(frames.length > 2);
    for (const [k, [title, ...others]] of frames.entries()) {
      assert.equal(new Set(others).size, 1, `${speed}: sentence, slider, cursor at ${others}`);
      // The picture is in another document. A busy browser may bring its frame before the page's message, but not twice.
      const before = frames[k - 1];
      assert.ok(title === others[0] || !before || before[0] === before[1], `${speed}: title ${title}, sentence ${others[0]}`);
    }
    await find.stage(page).locator("#watch-play").evaluate((button) => { // in one step: it may come to the last episode at any time
      if (button.textContent === "Pause" && button instanceof HTMLElement) button.click();
    });
    await says(page, /^Episode \d+, \w+:/);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("an edit of the prior during fast forward starts it again at the first episode, with the new prior", async () => {
  const { page, complaints, close } = await visit("fig2d/");
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await page.evaluate(linger); // 8 episodes a second: the test has time to look
  await find.speed(page).selectOption("One picture an episode");
  await find.play(page).click();
  await says(page, /^Episode \d\d+: /);
  // window.passed collects the slider's episodes from now on.
  await find.episode(page).evaluate((slider) => {
    const list = /** @type {number[]} */ ([]);
    Object.assign(window, { passed: list });
    const look = () => {
      list.push(Number(/** @type {HTMLInputElement} */ (slider).value));
      requestAnimationFrame(look);
    };
    look();
  });
  await find.clear(page).click();
  await page.waitForFunction(() => {
    const { passed } = /** @type {any} */ (window);
    const anew = passed.indexOf(1);
    return anew >= 0 && passed.at(-1) > 10 && passed.slice(anew).every((/** @type {number} */ k, /** @type {number} */ i, /** @type {number[]} */ all) => i === 0 || k >= (all[i - 1] ?? 0));
  });
  assert.ok(await find.pause(page).isVisible(), "fast forward goes on");
  await find.pause(page).click();
  await says(page, /^Episode \d+, update:/);
  assert.equal(await find.now(page).textContent(), "Update");
  assert.deepEqual(complaints, []);
  await close();
});

test("fast forward goes on from an episode that is sought; with reduced motion each picture stays for a second", async () => {
  const { page, complaints, close } = await visit("fig2d/", { reducedMotion: "reduce" });
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await find.speed(page).selectOption("One picture an episode");
  await page.getByRole("status").filter({ hasText: "1 of 400" }).evaluate((shown) => {
    const times = /** @type {number[]} */ ([]);
    Object.assign(window, { times });
    new MutationObserver(() => times.push(performance.now())).observe(shown, { characterData: true, childList: true, subtree: true });
  });
  await find.play(page).click();
  await page.waitForFunction(() => /** @type {any} */ (window).times.length >= 3);
  const times = await page.evaluate(() => /** @type {any} */ (window).times);
  for (let k = 1; k < times.length; k++) assert.ok(times[k] - times[k - 1] > 900, `pictures at ${times}`);
  await find.reading(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("PageUp");
  await says(page, /^Episode (4[1-9]|[5-9]\d|\d{3}): /);
  await find.pause(page).click();
  await says(page, /^Episode (4[1-9]|[5-9]\d|\d{3}), \w+:/); // the last moment of the episode that was shown, or the first moment of the one sought, if it was not shown yet
  assert.deepEqual(complaints, []);
  await close();
});

test("the map of beliefs follows the cursor, has the traces' numbers as a table, and marks true edges only once they are revealed", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/#v=1&domain=taxi&grid=3x3&episodes=40&runs=2&agents=psrl,c-psrl", { until: ["ready", "running", "finished"] });
  await drawn(page);
  const map = page.getByRole("img", { name: /^The probability of 12 edges by episode, 40 of 40/ });
  await find.unfold(page, find.moreOfFigure);
  await page.getByText("Belief about each edge, by episode").click();
  await map.waitFor();
  assert.equal(await page.locator(".heat-line").isVisible(), false, "nothing is watched");
  await page.getByText("As a table").click();
  const table = page.getByRole("table", { name: "The probability of each edge after so many episodes", exact: true });
  await table.waitFor();
  assert.equal(await find.rows(table).count(), 12);
  assert.deepEqual(await table.getByRole("columnheader").allTextContents(), ["Edge", "1", "10", "20", "30", "40"]);

  // The table has the numbers of the trace, and the map has their pixels.
  const want = JSON.parse(trace("fig2c-quick", 10).toString());
  const x = [...want.state, ...want.action];
  const lines = want.after.flatMap((/** @type {{edges: number[]}} */ { edges }, /** @type {number} */ j) =>
    x[j].size === 1 ? [] : edges.flatMap((p, i) => (x[i].size === 1 ? [] : [[`${x[i].name} → ${x[j].name}′`, p]])));
  const numbers = await find.rows(table).evaluateAll((list) => list.map((row) => [row.children[0]?.textContent, row.children[2]?.textContent]));
  assert.deepEqual(numbers, lines.map((/** @type {[string, number]} */ [name, p]) => [name, (Math.round(p * 1e4) / 1e4).toFixed(2)]));
  const opacities = await page.$$eval(".heat-group canvas", (list) => list.flatMap((canvas) => {
    const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
    const data = /** @type {HTMLCanvasElement} */ (canvas).getContext("2d")?.getImageData(Math.round((10 / 40) * width), 0, 1, height).data ?? [];
    return Array.from({ length: height }, (_, k) => data[4 * k + 3]);
  }));
  assert.deepEqual(opacities, lines.map((/** @type {[string, number]} */ [, p]) => Math.round(255 * (0.06 + 0.94 * (Math.round(p * 1e4) / 1e4)))));

  // The map's line is below the chart's cursor. The map can show the sampled graph instead of the belief.
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await find.reading(page).focus();
  await page.keyboard.press("End");
  await says(page, "Episode 40, sample:");
  await find.until(async () => {
    const [line, thumb] = [await page.locator(".heat-line").boundingBox(), await find.cursor(page).boundingBox()];
    return line !== null && thumb !== null && Math.abs(line.x + line.width / 2 - thumb.x - thumb.width / 2) < 1.5;
  }, "the map's line is below the cursor");
  const watched = page.locator("#chart .watched");
  for (const folded of [true, false]) {
    await page.getByText("Belief about each edge, by episode").click();
    await page.locator(".heat-line").waitFor({ state: folded ? "hidden" : "visible" });
    assert.equal(await watched.getAttribute("hidden"), null, "the chart's own line stays");
  }
  await find.fold(page, "Belief about each edge").getByRole("combobox", { name: "Map of", exact: true }).selectOption("sampled");
  const whether = page.getByRole("table", { name: "Whether each edge was in the sampled graph", exact: true });
  await whether.waitFor();
  const sampled = await find.rows(whether).evaluateAll((list) => list.map((row) => row.children[5]?.textContent));
  const last = JSON.parse(trace("fig2c-quick", 40).toString());
  assert.deepEqual(sampled, last.sampled.graph.flatMap((/** @type {number[]} */ parents, /** @type {number} */ j) =>
    x[j].size === 1 ? [] : x.flatMap((/** @type {{size: number}} */ { size }, /** @type {number} */ i) => (size === 1 ? [] : [parents.includes(i) ? "yes" : "no"]))));

  assert.equal(await page.locator(".heat-group .true").count(), 0);
  await find.reveal(page).click();
  await find.becomes(() => page.locator(".heat-group .true").count(), x.flatMap((_, j) => want.true.graph[j]?.filter((/** @type {number} */ i) => x[i].size > 1 && x[j].size > 1) ?? []).length, "the true edges");
  await page.getByRole("columnheader", { name: "True", exact: true }).waitFor();

  // An agent without a graph has no map.
  await find.watchedAgent(page).selectOption("psrl");
  await page.getByText("PSRL has no graph, and so believes nothing about edges.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("with the cursor and the map, axe finds nothing and the page does not scroll sideways, in both themes", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await drawn(page);
  await find.unfold(page, find.moreOfFigure);
  await page.getByText("Belief about each edge, by episode").click();
  await page.getByRole("img", { name: /12 edges by episode, 100 of 100/ }).waitFor();
  await page.getByText("As a table").click();
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await find.cursor(page).waitFor();
  await seemlyEverywhere(page, "map", [1280, 390], {
    also: async (width, theme) => void (await page.screenshot({ path: join(artifacts, `map-${theme}-${width}.png`), fullPage: true })),
  });
  assert.deepEqual(complaints, []);
  await close();
});

test("the computation of a map stops while the embed's host has paused it", async () => {
  const context = await site.browser.newContext({ viewport: { width: 1000, height: 1000 } });
  const page = await context.newPage();
  const url = new URL("host.html", site.origin).href;
  const link = "?embed=1&ui=stage,experiment#v=1&domain=taxi&grid=3x3&episodes=50000&agents=c-psrl&runs=100";
  await page.route(url, (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>A host</title><iframe src="${site.origin}${link}" title="Playground" width="960" height="940"></iframe></html>` }));
  await page.goto(url);
  const frame = page.frameLocator("iframe");
  /** @param {object} command */
  const tell = (command) => page.evaluate((command) => document.querySelector("iframe")?.contentWindow?.postMessage({ cpsrl: 1, ...command }, "*"), command);
  /** @param {(workers: number) => boolean} is */
  const workers = (is) => find.until(async () => is(page.workers().length), String(is));
  await frame.locator("#chart:not([aria-busy]):not([data-still]) > svg").waitFor();
  await find.unfold(frame, find.moreOfFigure);
  await frame.getByText("Belief about each edge, by episode").click();
  await frame.getByText(/^Playing the run: episode [1-9]\d* of 50000…$/).waitFor();
  await workers((count) => count > 1);
  await tell({ type: "pause" });
  await workers((count) => count === 1); // the one that answers questions
  await tell({ type: "run" }); // a host may not start so long a run, but its command ends the pause
  await workers((count) => count > 1);
  await frame.getByText(/^Playing the run: episode [1-9]\d* of 50000…$/).waitFor();
  await context.close();
});
