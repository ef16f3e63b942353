// The stage in Chromium. The canvas is compared with the SVG that render makes of
// the same moment.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { until } from "./finds.mjs";
import { cases } from "./long.mjs";
import { compare } from "./looks.mjs";
import { openStage, trace } from "./stage-harness.mjs";

/** CSS rules that hold the fonts of the site. */
let fontRules = "";
/** @type {Awaited<ReturnType<typeof start>>} */
let site;
/** @type {Record<"taxi" | "figure1" | "random", Buffer>} */
let traces;
before(async () => {
  site = await start();
  const assets = join(site.folder, "assets");
  for (const [name, weight] of /** @type {const} */ ([["go-regular", 400], ["go-bold", 700]])) {
    const file = readdirSync(assets).find((file) => file.startsWith(name)) ?? "";
    fontRules += `@font-face{font-family:Go;font-weight:${weight};src:url(data:font/ttf;base64,${readFileSync(join(assets, file), "base64")})}`;
  }
  traces = { taxi: trace("fig2d-quick", 8), figure1: trace("fig1-quick", 2), random: trace("fig2a-quick", 2) };
});
after(() => site.stop());

/** The colours of a screenshot at some places. @param {import("playwright-core").Page} page @param {Buffer} png @param {readonly (readonly number[])[]} places */
const pixels = async (page, png, places) => (await compare(page, png, png, places)).colors;

/** The share of pixels that differ between two screenshots, from 0 to 1. @param {import("playwright-core").Page} page @param {Buffer} a @param {Buffer} b */
const difference = async (page, a, b) => (await compare(page, a, b)).part;

/** @param {Awaited<ReturnType<typeof openStage>>} stage @param {object} view */
async function look(stage, view) {
  await stage.look(view);
  await stage.settle();
  return stage.screenshot();
}

/** @param {Awaited<ReturnType<typeof openStage>>} stage @param {Buffer} bytes @param {object} view */
async function show(stage, bytes, view) {
  await stage.hear("ready");
  const from = await stage.count();
  await stage.show(bytes, view);
  const moment = await stage.hear("moment", from);
  await stage.settle();
  return moment;
}

for (const [dark, ratio] of /** @type {const} */ ([[false, 1], [true, 2]])) {
  test(`the canvas looks like render's SVG, ${dark ? "dark" : "light"}, at ${ratio} device pixels to a CSS px`, async () => {
    const stage = await openStage(site.browser, site.origin, { deviceScaleFactor: ratio, colorScheme: dark ? "dark" : "light" });
    await show(stage, traces.taxi, { moment: "plan" });
    const { svg } = await stage.ask("picture");
    const shot = await stage.screenshot();

    // Compare the colour of each cell and each node, near a corner that nothing else covers.
    const rects = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="(\d+)" fill="(#\w+)"/g)].map((m) => m.slice(1));
    const cells = rects.filter(([, , w, h, r]) => r === "3" && w === h);
    const nodes = rects.filter(([, , , h, r]) => r === "7" && h === "26");
    assert.equal(cells.length, 25);
    assert.equal(nodes.length, 9);
    const places = [...cells.map(([x, y, , h]) => [Number(x) + 7, Number(y) + Number(h) / 2 + 14]), ...nodes.map(([x, y]) => [Number(x) + 11, Number(y) + 13])];
    // The known edge row → row′ is a horizontal line.
    const level = /<path d="M([\d.]+) ([\d.]+)C[\d.]+ \2 [\d.]+ \2 ([\d.]+) \2" fill="none" stroke="(#\w+)" stroke-width="3.75"/.exec(svg);
    assert.ok(level);
    places.push([(Number(level[1]) + Number(level[3])) / 2, Number(level[2])], [4, 4]);
    const want = [...cells.map((c) => c[5]), ...nodes.map((n) => n[5]), level[4], dark ? "#121212" : "#ffffff"];
    const got = await pixels(stage.page, shot, places.map((place) => place.map((at) => at * ratio)));
    const taxi = got.filter((color, k) => color !== want[k]);
    assert.ok(taxi.length <= 1, `${taxi.length} places differ: the taxi stands in one cell`);

    // Compare all pixels: if the browser paints the SVG in the same fonts, only the edges of letters differ.
    const other = await stage.page.context().newPage();
    await other.setViewportSize({ width: 960, height: 620 });
    await other.setContent(`<style>${fontRules}</style><body style="margin:0">${svg}</body>`);
    await other.evaluate(() => document.fonts.ready);
    const part = await difference(stage.page, shot, await other.screenshot());
    assert.ok(part < 0.015, `${(100 * part).toFixed(1)}% of the pixels differ from the SVG`);
    assert.deepEqual(stage.complaints, []);
    await stage.close();
  });
}

test("the moments of a domain have different pictures, and going back shows the same picture again", async () => {
  const stage = await openStage(site.browser, site.origin);
  for (const bytes of cases([traces.taxi], [traces.figure1, traces.random])) {
    await show(stage, bytes, { moment: "sample" });
    /** @type {Buffer[]} */
    const shots = [await stage.screenshot()];
    const moments = ["sample", "plan", "act", "update"];
    for (const moment of moments.slice(1)) {
      const from = await stage.count();
      shots.push(await look(stage, { moment }));
      assert.equal((await stage.hear("moment", from)).moment, moment);
    }
    for (let k = 1; k < 4; k++) assert.ok((await difference(stage.page, /** @type {Buffer} */ (shots[k - 1]), /** @type {Buffer} */ (shots[k]))) > 0.002, `moment ${k}`);
    for (const k of [2, 1, 0]) {
      assert.equal(await difference(stage.page, await look(stage, { moment: moments[k] }), /** @type {Buffer} */ (shots[k])), 0, `back at moment ${k}`);
    }
  }
  // The same holds for the steps of an episode.
  const half = await look(stage, { moment: "act", step: 5 });
  await look(stage, { moment: "act", step: 9 });
  assert.equal(await difference(stage.page, half, await look(stage, { moment: "act", step: 5 })), 0);
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});

test("playing goes through the moments, and a stage at rest paints nothing", async () => {
  const stage = await openStage(site.browser, site.origin);
  await show(stage, traces.taxi, {});
  await stage.say({ kind: "play", speed: 20 });
  await stage.hear("done");
  const moments = await stage.page.evaluate(() => /** @type {any} */ (window).heard.filter((/** @type {any} */ m) => m.kind === "moment").map((/** @type {any} */ m) => m.moment));
  assert.deepEqual([...new Set(moments)], ["sample", "plan", "act", "update"]);
  await stage.settle();
  const { frames } = await stage.ask("stats");
  await new Promise((done) => setTimeout(done, 5000));
  assert.equal((await stage.ask("stats")).frames, frames, "no picture is painted at rest");
  await stage.close();
});

test("with reduced motion, playing shows at most one picture a second", async () => {
  const stage = await openStage(site.browser, site.origin, { reducedMotion: "reduce" });
  await show(stage, traces.taxi, { moment: "act" });
  const frames = async () => (await stage.ask("stats")).frames;
  const before = await frames();
  const begin = performance.now();
  await stage.say({ kind: "play", until: "moment" });
  let painted = 0;
  await until(async () => (painted = (await frames()) - before) >= 3, "the stage plays");
  const seconds = (performance.now() - begin) / 1000;
  assert.ok(painted <= seconds + 2, `${painted} pictures in ${seconds} s`);
  await stage.close();
});

test("the keyboard enters the stage, goes through the graph and leaves; the wheel scrolls the page", async () => {
  const stage = await openStage(site.browser, site.origin);
  const { page } = stage;
  await show(stage, traces.taxi, { moment: "plan" });
  const inside = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
  const canvas = page.frameLocator("iframe").locator("canvas");
  assert.equal(await canvas.getAttribute("tabindex"), "0");
  assert.match((await canvas.getAttribute("aria-label")) ?? "", /^Episode 8, plan: the policy/);

  await page.focus("#before");
  await page.keyboard.press("Tab");
  assert.equal(await inside(), "IFRAME");
  await page.keyboard.press("ArrowDown"); // does nothing before Enter
  await page.keyboard.press("Tab");
  assert.equal(await inside(), "after");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await inside(), "IFRAME");

  let from = await stage.count();
  await page.keyboard.press("Enter");
  const first = await stage.hear("focus", from);
  assert.deepEqual([first.focus, first.name], [{ x: 0, y: 0 }, "row to row′, known"]);
  from = await stage.count();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual((await stage.hear("focus", from)).focus, { x: 2, y: 0 });
  from = await stage.count();
  await page.keyboard.press("Enter");
  assert.deepEqual((await stage.hear("select", from)).focus, { x: 2, y: 0 });
  from = await stage.count();
  await page.keyboard.press("Escape");
  assert.equal((await stage.hear("focus", from)).focus, undefined);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab"); // leaves from within the graph, too
  assert.equal(await inside(), "after");

  await page.setViewportSize({ width: 960, height: 300 });
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 0);

  assert.equal(await canvas.evaluate((it) => it.dispatchEvent(new DragEvent("dragover", { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true }))), false, "nothing can be dropped on the stage");
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});

test("the pointer finds edges and nodes", async () => {
  const stage = await openStage(site.browser, site.origin);
  await show(stage, traces.taxi, { moment: "plan" });
  const { svg } = await stage.ask("picture");
  const plain = await stage.screenshot();
  const node = /<rect x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="26" rx="7"/.exec(svg);
  assert.ok(node);
  let from = await stage.count();
  await stage.page.mouse.move(Number(node[1]) + 20, 30 + Number(node[2]) + 13);
  assert.deepEqual((await stage.hear("focus", from)).focus, { x: 0 });
  await stage.settle();
  assert.ok((await difference(stage.page, plain, await stage.screenshot())) > 0.005);
  from = await stage.count();
  await stage.page.mouse.click(Number(node[1]) + 20, 30 + Number(node[2]) + 13);
  assert.deepEqual((await stage.hear("select", from)).focus, { x: 0 });
  // A focus that the page sets replaces the chosen one.
  await stage.page.mouse.move(5, 5);
  const pressed = await look(stage, { moment: "plan" });
  const chosen = await look(stage, { moment: "plan", focus: { y: 1 } });
  assert.ok((await difference(stage.page, pressed, chosen)) > 0.005);
  from = await stage.count();
  await stage.page.mouse.click(5, 40);
  assert.equal((await stage.hear("select", from)).focus, undefined);
  await stage.close();
});

test("after a lost WebGL context the stage shows the same moment", async () => {
  const stage = await openStage(site.browser, site.origin);
  await show(stage, traces.taxi, { moment: "act", step: 6, truth: true });
  const shot = await stage.screenshot();
  const from = await stage.count();
  await stage.page.frames()[1]?.evaluate(() => {
    document.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  });
  await stage.hear("lost", from);
  const moment = await stage.hear("moment", from);
  assert.deepEqual([moment.moment, moment.step], ["act", 6]);
  await stage.settle();
  assert.equal(await difference(stage.page, shot, await stage.screenshot()), 0);
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});

test("the stage follows its size, the theme and the device pixel ratio", async () => {
  const stage = await openStage(site.browser, site.origin);
  const { page } = stage;
  const wide = await show(stage, traces.figure1, { moment: "sample" });
  const from = await stage.count();
  await page.evaluate(() => {
    const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
    frame.width = "390";
  });
  const narrow = await stage.hear("moment", from);
  assert.ok(narrow.height > wide.height, "the panels are stacked");
  await page.emulateMedia({ colorScheme: "dark" });
  await stage.settle();
  assert.deepEqual(await pixels(page, await stage.screenshot(), [[3, 3]]), ["#121212"]);
  await look(stage, { theme: "light" });
  assert.deepEqual(await pixels(page, await stage.screenshot(), [[3, 3]]), ["#ffffff"]);
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setDeviceMetricsOverride", { width: 960, height: 700, deviceScaleFactor: 2.5, mobile: false });
  await stage.settle();
  // Chromium tells a frame late of an emulated ratio; a real change of the ratio comes with this event.
  await page.frames()[1]?.evaluate(() => dispatchEvent(new Event("resize")));
  await stage.settle();
  assert.equal(await page.frames()[1]?.evaluate(() => document.querySelector("canvas")?.width), 975);
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});

test("the stage refuses messages that make no sense, and points to the fault", async () => {
  const stage = await openStage(site.browser, site.origin);
  await show(stage, traces.figure1, {});
  for (const [message, pointer] of /** @type {const} */ ([
    [{ kind: "view", view: { moment: "think" } }, "/moment"],
    [{ kind: "view", view: { step: 99 } }, "/step"],
    [{ kind: "view", view: { unknown: 1 } }, "/unknown"],
    [{ kind: "view", view: { worth: [[0, 0, 0, 0]] } }, "/worth"],
    [{ kind: "view", view: { worth: [[0, 0, 0, 0], [0, 0, 0, -1]] } }, "/worth/1/3"],
    [{ kind: "play", speed: -1 }, "/speed"],
    [{ kind: "episode", episode: { points: "0" } }, "/episode/points"],
    [{ kind: "episode", episode: { points: [], end: 0, rewards: [1], record: { run: 0, agent: "psrl", episode: 1, optimal: 1, value: 1, regret: 0, return: 1 } } }, "/episode/rewards"],
    [{ kind: "size", width: 100 }, "/kind"],
    [{ kind: "nonsense" }, "/kind"],
    [null, "/kind"],
  ])) {
    const from = await stage.count();
    await stage.say(message);
    const { pointer: got } = await stage.hear("refused", from);
    assert.equal(got, pointer, JSON.stringify(message));
  }
  const from = await stage.count();
  await stage.page.evaluate(() => /** @type {any} */ (window).host.send({ kind: "trace", trace: new TextEncoder().encode('{"format":"cpsrl/trace"}') }));
  assert.equal((await stage.hear("refused", from)).pointer, "/version");
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});

test("without WebGL 2 the stage says so, and draws the same picture as SVG", async () => {
  const stage = await openStage(site.browser, site.origin, { before: () => {
    HTMLCanvasElement.prototype.getContext = () => null;
  } });
  const { still } = await stage.hear("ready");
  assert.match(still, /no WebGL 2/);
  await show(stage, traces.taxi, { moment: "plan" });
  const { svg } = await stage.ask("picture");
  const drawn = stage.page.frameLocator("iframe").locator("#sheet svg");
  assert.equal(await drawn.locator("desc").textContent(), /<desc[^>]*>([^<]*)/.exec(svg)?.[1]);
  assert.equal(await drawn.locator("path").count(), svg.match(/<path/g).length);
  // The SVG plays, rests and can be pointed at, like the canvas.
  await stage.say({ kind: "play", speed: 50 });
  await stage.hear("done");
  await stage.settle();
  const { frames } = await stage.ask("stats");
  const from = await stage.count();
  const node = /<rect x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="26" rx="7"/.exec((await stage.ask("picture")).svg);
  assert.ok(node);
  await stage.page.mouse.move(Number(node[1]) + 20, 30 + Number(node[2]) + 13);
  assert.deepEqual((await stage.hear("focus", from)).focus, { x: 0 });
  await stage.settle();
  assert.equal((await stage.ask("stats")).frames, frames + 1);
  assert.deepEqual(stage.complaints, []);
  await stage.close();
});
