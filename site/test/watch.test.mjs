// The stage in the page, in Chromium: its transport, its words and tables, and the same
// moments as SVG if there is no WebGL. Also the film, which stands in the stage's place.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawn, holdRequests, noWebGL, open, reach, resize, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases, onlyLong } from "./long.mjs";
import { compare, seemly, seemlyEverywhere } from "./looks.mjs";
import { cpsrl, trace } from "./stage-harness.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Frame} Frame */

const artifacts = fileURLToPath(new URL("../../artifacts", import.meta.url));

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => {
  mkdirSync(artifacts, { recursive: true });
  site = await start();
});
after(() => site.stop());

/** Waits until the sentence begins with these words. @param {Page | Frame} page @param {string} words */
const says = (page, words) => find.passes(find.sentence(page), new RegExp(`^${words}`));
/** @param {Page} page */
const sentence = (page) => find.sentence(page).textContent();
/** Waits until the stage neither computes nor plays. @param {Page} page */
async function rests(page) {
  const busy = find.stage(page).locator("[aria-busy=true]");
  await find.until(async () => (await find.play(page).isVisible()) && (await busy.count()) === 0, "the stage rests");
}

/** Waits until the picture is on the screen at the size that it asked for. @param {Page} page */
async function settle(page) {
  await rests(page);
  await page.waitForFunction(() => {
    const frame = document.querySelector("iframe");
    const inner = frame?.contentWindow;
    const canvas = frame?.contentDocument?.querySelector("canvas");
    const fonts = frame?.contentDocument?.fonts.status === "loaded";
    return inner && fonts && frame.contentDocument?.documentElement.dataset["painted"] === "" && frame.clientHeight === Number(frame.height) && (!canvas || canvas.height === inner.innerHeight * devicePixelRatio);
  });
  for (let k = 0; k < 4; k++) await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));
}

const surface = "canvas, #sheet";
/** The stage's picture, without the buttons that stick to the window's edge. @param {Page} page */
async function screenshot(page) {
  await settle(page);
  /** @param {string} visibility */
  const edge = (visibility) => page.$$eval(".watch-buttons, .transport", (parts, visibility) => {
    for (const part of parts) /** @type {HTMLElement} */ (part).style.visibility = visibility;
  }, visibility);
  await edge("hidden");
  const shot = await find.stage(page).frameLocator("iframe").locator(surface).screenshot();
  await edge("");
  return shot;
}

/** @param {Page} page */
async function watch(page) {
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
}

/** @param {string} path @param {Parameters<typeof open>[2]} options */
const visit = (path, options = {}) => open(site.browser, site.origin + path, options);

/** A frame without the prior, whose stage draws the graph, too. */
const both = "?embed=1&ui=problem,agents,stage,experiment,controls";

const walk = /** @type {const} */ (["sample", "plan", "act", "update"]);

/** Steps through episode 1 and collects the sentence and the picture of each moment. @param {Page} page @param {string} speed */
async function walkThrough(page, speed) {
  const moments = [];
  await watch(page);
  await find.speed(page).selectOption(speed);
  for (const moment of walk) {
    if (moment !== "sample") {
      await find.step(page).click();
      await says(page, moment === "act" ? "Episode 1, act: step 15 of 15" : `Episode 1, ${moment}:`);
    }
    const shot = await screenshot(page);
    assert.equal((await find.now(page).textContent())?.toLowerCase(), moment);
    const svg = await page.evaluate(() => document.querySelector("iframe")?.contentDocument?.querySelector("#sheet svg")?.outerHTML ?? "");
    moments.push({ moment, shot, svg, text: await sentence(page) });
  }
  return moments;
}

test("Step goes through the four moments of episode 1 on taxi 5×5; the canvas shows the same pictures as the SVG of a browser without WebGL", async () => {
  const still = await visit(`fig2d/${both}`, { before: noWebGL });
  const drawn = await walkThrough(still.page, "16×");
  assert.match((await find.stageNote(still.page).textContent()) ?? "", /no WebGL 2/);
  assert.deepEqual(still.complaints, []);
  await still.close();

  const { page, complaints, close } = await visit(`fig2d/${both}`);
  const painted = await walkThrough(page, "4×");
  assert.equal(await find.stageNote(page).isVisible(), false);
  for (const [k, { moment, shot, text }] of painted.entries()) {
    const twin = drawn[k];
    assert.ok(twin);
    assert.equal(text, twin.text, "the same moment");
    // Each cell and each node has the colour that the SVG gives it, at a place that nothing else should cover.
    const rects = [...twin.svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="(\d+)" fill="(#\w+)"/g)].map((m) => m.slice(1));
    const cells = rects.filter(([, , w, h, r]) => r === "3" && w === h);
    const nodes = rects.filter(([, , , h, r]) => r === "7" && h === "26");
    assert.equal(cells.length, 25);
    assert.equal(nodes.length, 9);
    const places = [...cells.map(([x, y, , h]) => [Number(x) + 7, Number(y) + Number(h) / 2 + 12]), ...nodes.map(([x, y]) => [Number(x) + 11, Number(y) + 13])];
    const { part, colors } = await compare(page, shot, twin.shot, places);
    const want = [...cells, ...nodes].map((rect) => rect[5]);
    const wrong = colors.filter((color, i) => color !== want[i]).length;
    assert.ok(wrong <= 2, `${moment}: ${wrong} places differ; the taxi and its track may cover 2`);
    assert.ok(part < 0.015, `${moment}: ${(100 * part).toFixed(1)}% of the pixels differ from the SVG, more than the edges of letters have`);
    const before = painted[k - 1];
    if (before) assert.ok((await compare(page, shot, before.shot)).part > 0.002, `the picture of ${moment} differs from that of ${before.moment}`);
  }
  // Go back to the first moment, then on into the next episode and back again.
  for (const k of [2, 1, 0]) {
    await find.back(page).click();
    await says(page, `Episode 1, ${walk[k]}`);
    if (k !== 2) assert.equal((await compare(page, await screenshot(page), /** @type {Buffer} */ (painted[k]?.shot))).part, 0);
  }
  await find.moment(page, "Update").click();
  await find.step(page).click();
  await says(page, "Episode 2, sample:");
  await find.back(page).click();
  await says(page, "Episode 1, update:");
  assert.equal((await compare(page, await screenshot(page), /** @type {Buffer} */ (painted[3]?.shot))).part, 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("an agent with parameters from a link has the same name in the form, the menu and on the stage", async () => {
  const { page, complaints, close } = await visit("#v=1&agents=f-psrl:graph=prior,c-psrl:eta=7&domain=figure1&episodes=3&runs=1", { before: noWebGL, until: ["finished"] });
  await watch(page);
  for (const [label, name] of [["f-psrl:graph=prior", "F-PSRL on G₀"], ["c-psrl:eta=7", "C-PSRL (η = 7)"]]) {
    const choice = find.agent(page, name ?? "");
    assert.equal(await choice.getAttribute("value"), label);
    assert.notEqual(await choice.locator("..").locator("path").getAttribute("stroke"), "#767676", "it has not the grey of an unknown agent");
    assert.equal(await find.watchedAgent(page).locator(`option[value="${label}"]`).textContent(), name);
    await find.watchedAgent(page).selectOption(/** @type {string} */ (label));
    await page.waitForFunction((title) => document.querySelector("iframe")?.contentDocument?.querySelector("#sheet svg")?.textContent?.includes(title), `Episode 1 · ${name}`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the opened stage shows its whole picture with the buttons below it, and nothing covers the picture", async () => {
  for (const [width, height, preset = "fig2d/"] of cases(/** @type {const} */ ([[1200, 800], [390, 844]]), /** @type {const} */ ([[1280, 900], [1200, 800, "fig1/"], [1280, 760]]))) {
    const { page, complaints, close } = await visit(preset, { viewport: { width, height }, folded: true });
    await watch(page);
    await settle(page);
    /** The place of the picture in the window, and how many of three points of its lowest row another part covers. */
    const look = () => page.evaluate(() => {
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("#watch iframe"));
      const { top, bottom } = frame.getBoundingClientRect();
      const { left, right } = /** @type {Element} */ (frame.parentElement).getBoundingClientRect();
      const covered = [0.05, 0.5, 0.95].filter((part) => document.elementFromPoint(left + part * (right - left), bottom - 3) !== frame).length;
      return { top, bottom, covered, buttons: /** @type {Element} */ (document.querySelector(".watch-buttons")).getBoundingClientRect().bottom };
    });
    const first = await look();
    if (width > 832) {
      assert.ok(first.top >= 0 && first.buttons <= height, `${JSON.stringify(first)} at ${width} × ${height}`);
      assert.equal(first.covered, 0);
      if (height >= 800) {
        await drawn(page);
        const parts = ["#watch-episode", "#watch-moments", "#watch-h", "#prior-matrix", "#chart svg"];
        for (const part of parts) {
          const box = await page.locator(part).boundingBox();
          assert.ok(box && box.y + box.height <= (await floor(page)), `${part} is on the first screen: ${JSON.stringify(box)}`);
        }
      }
    } else {
      const run = await page.locator(".transport").boundingBox();
      assert.ok(run && first.buttons <= run.y, "the buttons are above the bar with Run");
    }
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await page.screenshot({ path: join(artifacts, `watch-${colorScheme}-${width}x${height}.png`) });
    }
    // Scrolled to the end of a tall picture, the buttons are below it.
    await page.evaluate(() => {
      const top = /** @type {Element} */ (document.querySelector(".watch-moments")).getBoundingClientRect().bottom + 80 - innerHeight;
      for (const scroller of [window, /** @type {Element} */ (document.querySelector("#panels"))]) scroller.scrollBy({ top, behavior: "instant" });
    });
    assert.equal((await look()).covered, 0);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a prior edited by keyboard starts the stage again at its first episode", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await watch(page);
  assert.match((await sentence(page)) ?? "", /12 edges, 7 of them known/);
  await find.nextEpisode(page).click();
  await says(page, "Episode 2, sample:");
  await find.view(page, "Text").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space"); // col → row′
  await says(page, "Episode 1, sample:");
  assert.match((await sentence(page)) ?? "", /8 of them known/);
  assert.match((await find.stageNote(page).textContent()) ?? "", /settings have changed/);

  await find.horizon(page).fill("0");
  await find.stageNote(page).filter({ hasText: /refused/ }).waitFor();
  await find.step(page).click();
  await says(page, "Episode 1, plan:");
  await find.horizon(page).fill("4");
  await says(page, "Episode 1, sample:");
  await find.moment(page, "Act").click();
  await says(page, "Episode 1, act: step 4 of 4");
  // More runs and fewer episodes do not change the run.
  await find.runs(page).fill("30");
  await find.until(async () => (await find.watchedRun(page).getByRole("option").count()) === 30, "there are 30 runs");
  await find.episodes(page).fill("12");
  await find.stage(page).getByRole("status").filter({ hasText: /^1 of 12$/ }).waitFor();
  assert.match((await sentence(page)) ?? "", /act: step 4 of 4/);
  assert.deepEqual(complaints, []);
  await close();
});

test("scrubbing to another episode, agent or run and back shows the same picture", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await watch(page);
  const first = await screenshot(page);
  await find.episode(page).fill("25");
  await says(page, "Episode 25, sample:");
  assert.ok((await compare(page, first, await screenshot(page))).part > 0.001);
  await find.watchedAgent(page).selectOption("psrl");
  await says(page, "Episode 25, sample: PSRL samples a whole transition table");
  await find.watchedRun(page).selectOption("2");
  await settle(page);
  await find.watchedAgent(page).selectOption("c-psrl");
  await says(page, "Episode 25, sample: the agent");
  await find.watchedRun(page).selectOption("0");
  await find.episode(page).fill("1");
  await says(page, "Episode 1, sample:");
  assert.equal((await compare(page, first, await screenshot(page))).part, 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("what is chosen or pressed while an episode is on its way holds when it arrives", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c-quick/`, { before: holdRequests });
  const hold = () => page.evaluate(() => void (/** @type {any} */ (window).hold = true));
  const release = () => page.evaluate(() => /** @type {any} */ (window).release());
  /** @param {string} place */
  const watched = (place) => page.waitForFunction((place) => location.hash.endsWith(`&watch=${place}`), place);

  await hold();
  await find.watch(page).click();
  await find.watchedRun(page).selectOption("3");
  await find.play(page).press("Enter"); // before there is anything to play; the film still has its place
  await release(); // the check of the form comes first
  await find.passes(find.sentence(page), /^Episode 1, plan/); // it plays
  await find.pause(page).click();
  await find.holds(find.watchedRun(page), "3");
  await find.moment(page, "Sample").click();

  await hold();
  await find.watchedAgent(page).selectOption("psrl");
  await find.episode(page).fill("5");
  await watched("3,5,sample,psrl");
  await find.moment(page, "Update").click();
  await watched("3,5,update,psrl");
  await find.moment(page, "Plan").click();
  await release();
  await says(page, "Episode 5, plan:");
  await watched("3,5,plan,psrl");

  await find.speed(page).selectOption("16");
  await hold();
  await find.play(page).click();
  await find.episode(page).fill("40");
  await watched("3,40,sample,psrl");
  await says(page, "Episode 5, update:"); // it plays on, to its end
  const shown = says(page, "Episode 40, ");
  await release();
  await shown;
  assert.deepEqual(complaints, []);
  await close();
});

test("scrubbing to another step of an episode and back shows the same picture; the plan can be drawn for another step, model and passenger", onlyLong, async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await watch(page);
  await find.unfold(find.stage(page), "Steps");
  await find.moment(page, "Act").click();
  await says(page, "Episode 1, act: step 10 of 10");
  await rests(page);
  await find.stepOf(page).fill("4");
  await says(page, "Episode 1, act: step 4 of 10");
  assert.equal(await page.getByRole("table", { name: "The steps of episode 1", exact: true }).locator('[aria-current="step"]').getByRole("rowheader").textContent(), "4");
  const half = await screenshot(page);
  await find.stepOf(page).fill("9");
  await says(page, "Episode 1, act: step 9 of 10");
  await find.stepOf(page).fill("4");
  await says(page, "Episode 1, act: step 4 of 10");
  assert.equal((await compare(page, half, await screenshot(page))).part, 0);

  // The plan can be drawn for another step, of another model and for another passenger.
  await find.unfold(find.stage(page), "What is drawn");
  await find.moment(page, "Plan").click();
  await says(page, "Episode 1, plan:");
  const planned = await screenshot(page);
  for (const [name, turn] of /** @type {const} */ ([
    ["step", () => find.stepOf(page).fill("10")], ["model", () => find.drawnModel(page).selectOption("true")], ["passenger", () => find.drawnPassenger(page).selectOption("aboard")],
  ])) {
    await turn();
    assert.ok((await compare(page, planned, await screenshot(page))).part > 0.002, name);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("playing goes on into the next episodes while an experiment runs; matrix and stage show the sampled graph and the missed edges", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await watch(page);
  await find.prior(page).getByRole("listitem").filter({ hasText: /^ ?sampled$/ }).waitFor(); // the sampled graph is in the matrix
  await find.unfold(find.stage(page), "Beliefs");
  await find.parentsOf(page).selectOption("1");
  await page.getByRole("table", { name: /parent sets of col′/ }).waitFor();
  assert.equal(await find.rows(find.parentSets(page)).count(), 8);
  await find.speed(page).selectOption("16");
  await find.run(page).click();
  await find.play(page).click();
  await says(page, "Episode 3, ");
  await find.pause(page).click();
  await rests(page);
  await reach(page, "finished");
  assert.equal(await page.getByRole("button", { name: "Reveal the true graph", exact: true }).count(), 1);
  await find.reveal(page).click();
  await find.moment(page, "Sample").click();
  await find.said(page, /^Episode .*missed/).waitFor();
  await find.conceal(page).click();
  await find.said(page, /^Episode (?!.*missed)/).waitFor();
  await find.hide(page).click();
  assert.ok(await find.focused(find.watch(page)));
  assert.equal(await find.prior(page).getByRole("listitem").filter({ hasText: /^ ?sampled$/ }).isVisible(), false, "the matrix shows nothing of the film");
  assert.deepEqual(complaints, []);
  await close();
});

/** Formats a value of an edge as the table does. @param {number} value */
const shortly = (value) => (value > 0 && value < 0.0005 ? "<0.001" : value.toFixed(3));

/** A script that notes in window.asked what the page asks its workers. */
const noteRequests = () => {
  const all = /** @type {any} */ (window);
  all.asked = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
    if (message.path) all.asked.push(message.path);
    postMessage.call(this, message, transfer);
  };
};

test("an episode that takes long is not computed until someone asks for it", async () => {
  const { page, complaints, close } = await visit("#v=1&agents=psrl&domain=random-fmdp&states=9&actions=5&horizon=2048&episodes=100000&watch=0,100000", { before: noteRequests });
  const asked = (/** @type {string} */ path) => page.evaluate((path) => /** @type {any} */ (window).asked.filter((/** @type {string} */ of) => of.startsWith(path)).length, path);
  const compute = find.stage(page).getByRole("button", { name: /^Compute this episode \(about \d+ hours\)$/ });
  await compute.waitFor();
  assert.match((await page.locator("#watch-wait").textContent()) ?? "", /Episode 100000 takes about \d+ hours of computing in this tab, so it has not started by itself\./);
  assert.equal(await asked("/v1/trace"), 0);
  await compute.click();
  await page.locator("#watch-wait", { hasText: "Playing the run again, up to episode 100000…" }).waitFor();
  assert.equal(await compute.count(), 0);
  assert.ok(await find.focused(find.play(page)), "the focus stays in the stage");
  await find.until(async () => (await asked("/v1/trace")) === 1, "the episode is computed");
  // An episode that is cheap comes without a question.
  await page.evaluate(() => (location.hash = "v=1&domain=figure1&episodes=9&runs=2&watch=0,3"));
  await says(page, "Episode 3, sample:");
  // Where the stage shows an episode, the question stands in its corner.
  await page.evaluate(() => (location.hash = "v=1&domain=random-fmdp&episodes=100000&watch=0,100000"));
  const corner = page.locator("#watch-computing");
  await corner.getByRole("button", { name: /^Compute this episode/ }).waitFor();
  assert.match((await corner.textContent()) ?? "", /has not started by itself/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the tables hold the trace's values, policies and sampled graphs", async () => {
  for (const [preset, run, each] of cases(/** @type {const} */ ([["fig2c-quick", 0, 2]]), /** @type {const} */ ([["fig2a-quick", 1, 1]]))) {
    const want = JSON.parse(trace(preset, 1, "c-psrl", run).toString());
    const { page, complaints, close } = await visit(`${preset}/`);
    await watch(page);
    await find.watchedRun(page).selectOption(String(run));
    for (const name of ["What is drawn", "Plan", "Beliefs"]) await find.unfold(find.stage(page), name);
    /** @param {import("playwright-core").Locator} table */
    const rows = (table) => find.rows(table).evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? "")));
    /** @param {"sampled" | "true"} model @param {number} h @param {number} passenger */
    const planned = async (model, h, passenger) => {
      await page.getByRole("table", { name: new RegExp(`^The plan for step ${h} in the ${model} model`) }).waitFor();
      const table = await rows(find.planned(page));
      assert.equal(table.length, Math.min(512, want.true.v[0].length / each));
      for (const [k, row] of table.entries()) {
        const s = each * k + passenger; // the passenger changes fastest, for the destination has one value
        const point = row.slice(0, want.state.length);
        const cells = row.slice(want.state.length);
        const indices = point.map((label, i) => want.state[i].values?.indexOf(label) ?? Number(label));
        assert.equal(indices.reduce((index, value, i) => index * want.state[i].size + value, 0), s);
        assert.equal(cells[0]?.replace("−", "-").replace("-0.000", "0.000"), want[model].v[h - 1][s].toFixed(3).replace("-0.000", "0.000"));
        const played = cells.slice(1).map((label, i) => want.action[i].values?.indexOf(label) ?? Number(label));
        assert.equal(played.reduce((index, value, i) => index * want.action[i].size + value, 0), want[model].policy[h - 1][s]);
      }
    };
    const x = [...want.state, ...want.action];
    /** @param {number} i @param {number} j */
    const trivial = (i, j) => x[i].size === 1 || x[j].size === 1;
    const edges = want.sampled.graph.flatMap((/** @type {number[]} */ parents, /** @type {number} */ j) => parents.map((i) => [
      `${x[i].name} → ${x[j].name}′`, (want.prior[j].includes(i) ? "known" : "sampled") + (trivial(i, j) ? ", no data can tell" : ""),
    ]));
    const graph = find.sampledGraph(page);
    await find.becomes(async () => (await rows(graph)).map((row) => row.slice(0, 2)), edges, "the edges of the run, after those of run 0");
    await planned("sampled", 1, 0);
    await find.moment(page, "Plan").click();
    await find.stepOf(page).fill("3");
    await planned("sampled", 3, 0);
    await find.drawnModel(page).selectOption("true");
    if (each === 2) await find.drawnPassenger(page).selectOption("aboard");
    await planned("true", 3, each - 1);
    await find.reveal(page).click();
    const missed = want.true.graph.flatMap((/** @type {number[]} */ parents, /** @type {number} */ j) => parents.filter((i) => !want.sampled.graph[j].includes(i) && !trivial(i, j)));
    await find.becomes(async () => (await rows(graph)).filter((row) => row[1] === "missed" && row[3] === "yes").length, missed.length, "the missed edges");
    // The worth of each edge is what the command says, for the belief before the episode.
    await page.getByRole("button", { name: "What are the edges worth?", exact: true }).click();
    const worth = page.getByRole("region", { name: "What the edges are worth", exact: true });
    await worth.getByRole("table").waitFor();
    await page.locator("#watch-worth:focus").waitFor(); // the button is gone
    const valued = JSON.parse(cpsrl("edges", "-preset", preset, "-run", String(run), "-agent", "c-psrl").toString());
    assert.match(await worth.locator("caption").innerText(), new RegExp(`^Edges after 0 episodes\\. .* over 20 models .* best policies earn ${valued.value.toFixed(3)}\\.`));
    assert.deepEqual(
      (await rows(worth.getByRole("table"))).map(([edge = "", , value = "", truth = ""]) => `${edge} ${value} ${truth}`),
      valued.edges.slice(0, 40).map((/** @type {{from: string, to: string, value: number, true?: number}} */ edge) =>
        `${edge.from} → ${edge.to}′ ${shortly(edge.value)} ${edge.true === undefined ? "no edge" : shortly(edge.true)}`),
    );
    await find.moment(page, "Update").click();
    await page.getByRole("button", { name: "What are the edges worth?", exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  }
});

// Rows of a tiny concentration have one value, so rows of the sampled tables repeat. Oracle: the trace of the command.
test("where rows of the sampled tables repeat, the table of edges and the sentence say where an edge matters, in the engine's words", async () => {
  const link = "#v=2&agents=c-psrl:dirichlet=0.000001&domain=taxi&grid=3x3&horizon=6&episodes=3&runs=1&watch=0,2";
  const { state, action, sampled, true: truly } = JSON.parse(cpsrl("trace", "-link", `https://example.org/${link}`, "-episode", "2").toString());
  const { page, complaints, close } = await visit(link, { until: ["finished"] });
  await says(page, `Episode 2, sample: .*; ${sampled.where.length} of its edges matter only in part`);
  await find.unfold(find.stage(page), "Beliefs");
  const graph = page.getByRole("table", { name: "The sampled graph. A context is one assignment of the other parents", exact: true });
  const x = [...state, ...action];
  /** @param {{ where: { x: number, y: number, text: string }[] }} model @param {string} edge */
  const where = (model, edge) => model.where.find(({ x: i, y: j }) => edge === `${x[i].name} → ${x[j].name}′`)?.text ?? "";
  const rows = async () => find.rows(graph).evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? "")));
  await graph.waitFor(); // an unfolded drawer is filled a moment later
  const told = await rows();
  assert.deepEqual(told.map(([, , , text]) => text), told.map(([edge = ""]) => where(sampled, edge)));
  assert.equal(told.filter(([, , , text]) => text !== "").length, sampled.where.length);
  await find.reveal(page).click();
  await graph.getByRole("columnheader", { name: "True", exact: true }).waitFor();
  const found = (await rows()).filter(([, , , , truth]) => truth?.startsWith("yes"));
  assert.deepEqual(found.map(([, , , , truth]) => truth), found.map(([edge = ""]) => ["yes", where(truly, edge)].filter(Boolean).join(", ")));
  assert.ok(found.some(([, , , , truth]) => truth === "yes, matters only as south or north (its other values are alike)"));
  await seemly(page, "with a column in words");
  assert.deepEqual(complaints, []);
  await close();
});

test("the width of an edge shows its probability or, if chosen, its value after the episodes of the shown moment", async () => {
  const { page, complaints, close } = await visit(`fig1-quick/${both}`, { before: noWebGL });
  await watch(page);
  const sheet = find.stage(page).frameLocator("iframe").locator("#sheet");
  /** Waits until the graph shows the values after so many episodes, and returns the largest. @param {number} episodes */
  const drawn = async (episodes) => {
    const { edges } = JSON.parse(cpsrl("edges", "-preset", "fig1-quick", "-agent", "c-psrl", "-episode", String(episodes)).toString());
    const [first, second, third] = edges.map((/** @type {{value: number}} */ { value }) => shortly(value));
    await sheet.getByText(`width: value, at most ${first}`).waitFor();
    for (const value of [first, second, third]) await sheet.getByText(value, { exact: true }).first().waitFor();
    return Number(first);
  };
  await sheet.getByText("width: probability").waitFor();
  await find.unfold(find.stage(page), "What is drawn");
  const wide = find.edgeWidth(page);
  await wide.selectOption("how valuable it is");
  const before = await drawn(0);
  await find.moment(page, "Update").click();
  assert.notEqual(await drawn(1), before);
  await find.fold(find.stage(page), "What is drawn").getByRole("status").filter({ hasText: /./ }).waitFor({ state: "hidden" });
  // The table shows the same answer. An agent without a graph has no such choice.
  await find.unfold(find.stage(page), "Beliefs");
  await page.getByRole("region", { name: "What the edges are worth", exact: true }).getByText("Edges after 1 episode.").waitFor();
  await find.watchedAgent(page).selectOption("psrl");
  await wide.waitFor({ state: "hidden" });
  await find.watchedAgent(page).selectOption("c-psrl");
  await drawn(1);
  // Each episode of fast forward has its own belief, so the width shows the probability.
  await find.speed(page).selectOption("Infinity");
  await find.play(page).click();
  await sheet.getByText("width: probability").waitFor();
  await rests(page);
  await drawn(60);
  await wide.selectOption("how probable it is");
  await sheet.getByText("width: probability").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("Tab enters and leaves the stage", async () => {
  const { page, close } = await visit("fig1-quick/");
  await find.watch(page).focus();
  await page.keyboard.press("Enter");
  await says(page, "Episode 1, sample:");
  assert.ok(await find.focused(find.play(page)));
  await find.tour(page).focus();
  const frame = find.stage(page).locator("iframe");
  const explained = page.getByRole("link", { name: "How it works", exact: true });
  for (const [k, part] of [find.share(page), find.more(page), find.run(page), explained].entries()) {
    await page.keyboard.press("Tab");
    assert.ok(await find.focused(part), `Tab ${k + 1}`);
  }
  await find.play(page).focus();
  await page.keyboard.press("Shift+Tab");
  assert.ok(await find.focused(frame));
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  assert.ok(await find.focused(find.play(page)));
  await close();
});

test("a tap on the graph chooses a variable; the wheel and the finger scroll the page", async () => {
  const touch = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  /** @type {number[]} */
  let place = [];
  for (const still of [true, false]) { // the SVG comes first: it tells where the variables are
    const { page, complaints, close } = await visit(`fig2c-quick/${both}`, { ...touch, ...(still && { before: noWebGL }) });
    await find.watch(page).tap();
    await says(page, "Episode 1, sample:");
    await find.fold(find.stage(page), "Beliefs").getByText("Beliefs", { exact: true }).tap();
    await settle(page);
    if (still) {
      const svg = await find.stage(page).frameLocator("iframe").locator("#sheet svg").evaluate((svg) => svg.outerHTML);
      const nodes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="26" rx="7"/g)].map((m) => m.slice(1).map(Number));
      const right = Math.max(...nodes.map(([x = 0]) => x));
      const [x = 0, y = 0, width = 0] = nodes.filter(([x]) => x === right)[2] ?? [];
      place = [x + width / 2, y + 13];
    }
    /** Scrolls a place of the picture to the middle of the window, and returns its place there. @param {number[]} place */
    const reveal = ([x = 0, y = 0]) => page.evaluate(([x, y]) => {
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("#watch iframe"));
      frame.parentElement?.scrollTo({ left: x - innerWidth / 2, behavior: "instant" });
      scrollBy({ top: frame.getBoundingClientRect().top + y - innerHeight / 2, behavior: "instant" });
      const { left, top } = frame.getBoundingClientRect();
      return { x: left + frame.clientLeft + x, y: top + frame.clientTop + y };
    }, /** @type {const} */ ([x, y]));
    const at = await reveal(place);
    await page.touchscreen.tap(at.x, at.y);
    await page.getByRole("table", { name: /parent sets of passenger′/ }).waitFor();
    assert.equal(await find.parentsOf(page).inputValue(), "2");
    // The menu chooses a variable; a tap beside the graph chooses none.
    await find.parentsOf(page).selectOption("0");
    await page.getByRole("table", { name: /parent sets of row′/ }).waitFor();
    const beside = await reveal([4, place[1] ?? 0]);
    await page.touchscreen.tap(beside.x, beside.y);
    await find.holds(find.parentsOf(page), "");

    /** @param {(at: {x: number, y: number}) => Promise<unknown>} act */
    const scrolls = async (act) => {
      const at = await reveal(place);
      const before = await page.evaluate(() => scrollY);
      await act(at);
      await page.waitForFunction((before) => scrollY > before + 50, before);
    };
    const client = await page.context().newCDPSession(page);
    await scrolls(async ({ x, y }) => {
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
      for (let k = 1; k <= 8; k++) await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y - 20 * k }] });
      await page.waitForTimeout(200); // the finger rests, so that it does not fling the page
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    });
    assert.equal(await find.parentsOf(page).inputValue(), "", "a finger that scrolls chooses no variable");
    await scrolls(async ({ x, y }) => {
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, 120);
    });
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("on a phone the graph is above the world, and the curves stay in sight while the graph is touched", async () => {
  const { page, complaints, close } = await visit("fig2c/", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 }, reducedMotion: "reduce", folded: true });
  await find.view(page, "Graph").tap();
  const graph = find.picture(page).locator("svg");
  await graph.locator(".edge").nth(19).waitFor({ state: "attached" });
  await drawn(page);
  const mini = page.locator("#mini svg");
  assert.equal(await mini.count(), 0, "nobody has touched the graph");
  await graph.scrollIntoViewIfNeeded();
  const known = await graph.locator(".edge.known").count();
  const { x, y, width, height } = /** @type {{x: number, y: number, width: number, height: number}} */ (await graph.boundingBox());
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await find.until(async () => (await graph.locator(".edge.known").count()) !== known, "a tap states the nearest edge");
  await mini.waitFor();
  const [curves, run] = await Promise.all([mini.boundingBox(), page.locator(".transport").boundingBox()]);
  assert.ok(curves && run && curves.y + curves.height <= run.y + 1 && curves.height <= 72, "the curves are above Run");
  await page.locator("#chart").scrollIntoViewIfNeeded();
  await mini.waitFor({ state: "hidden" });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page does not scroll sideways");
  assert.deepEqual(complaints, []);
  await close();
});

test("the stage shows the same moment after a lost context; after too many it shows the moment as SVG", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await watch(page);
  await find.episode(page).fill("7");
  await says(page, "Episode 7, ");
  await find.moment(page, "Act").click();
  await says(page, "Episode 7, act: step 10 of 10");
  await rests(page);
  await find.stepOf(page).fill("6");
  await says(page, "Episode 7, act: step 6 of 10");
  const words = await sentence(page);
  const shot = await screenshot(page);
  for (let k = 1; k <= 4; k++) {
    await page.evaluate(() => {
      const inner = /** @type {any} */ (document.querySelector("iframe")?.contentWindow);
      inner.before = true;
      inner.document.querySelector("canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
    });
    await page.waitForFunction(() => {
      const inner = /** @type {any} */ (document.querySelector("iframe")?.contentWindow);
      return !inner.before && inner.document.documentElement?.dataset.painted === "";
    });
    assert.equal(await sentence(page), words);
    if (k === 1) assert.equal((await compare(page, shot, await screenshot(page))).part, 0);
    if (k === 4) assert.ok((await compare(page, shot, await screenshot(page))).part < 0.015);
  }
  assert.equal(await find.stage(page).frameLocator("iframe").locator("#sheet svg").count(), 1);
  assert.match((await find.stageNote(page).textContent()) ?? "", /lost too often/);
  await find.step(page).click();
  await says(page, "Episode 7, update:");
  assert.deepEqual(complaints, []);
  await close();
});

test("names in letters that the canvas has no font for are drawn as SVG, which takes the reader's fonts", async () => {
  const { page, complaints, close } = await visit("");
  const rows = (/** @type {number} */ count) => Array.from({ length: count }, () => [0.5, 0.5]);
  const model = {
    format: "cpsrl/model", version: 1, name: "names", horizon: 3, state: [{ name: "مفتاح", size: 2 }, { name: "灯", size: 2 }], action: [{ name: "move", size: 2 }], initial: "uniform",
    transition: [{ of: "مفتاح", given: ["move"], p: rows(2) }, { of: "灯", given: ["مفتاح"], p: rows(2) }], reward: [],
  };
  await find.openFile(page, "Open a file…", { name: "names.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(model)) });
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  const sheet = find.stage(page).frameLocator("iframe").locator("#sheet svg");
  await sheet.getByText("灯", { exact: true }).first().waitFor();
  await find.stageNote(page).filter({ hasText: /^The canvas has no font for some of the letters, so the stage is drawn as SVG\.$/ }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a stage that cannot be loaded says so and offers to try again", async () => {
  const { page, close } = await visit("fig1-quick/");
  await page.route("**/stage-*.wasm", (route) => route.abort());
  await find.watch(page).click();
  await find.stage(page).getByText(/could not be loaded/).waitFor();
  await page.unroute("**/stage-*.wasm");
  await find.stage(page).getByRole("button", { name: "Try again", exact: true }).click();
  await page.locator("#watch-play:focus").waitFor();
  await says(page, "Episode 1, sample:");
  // The refusal of a file is not that of the settings.
  await find.openFile(page, "Open a file…", { name: "model.json", mimeType: "application/json", buffer: Buffer.from('{"format":"cpsrl/model","version":1}') });
  await find.failure(page).filter({ hasText: /missing/ }).waitFor();
  assert.equal(await find.stage(page).getByText("The settings are refused").count(), 0);
  await close();
});

test("the stage says that it begins anew with other settings, and not if a link leads to a later episode", async () => {
  const { page, close } = await visit("#v=1&domain=figure1&episodes=9&runs=2&watch=0,3", { until: ["finished"] });
  const anew = find.stage(page).getByText(/here is the first episode with the new ones/);
  await says(page, "Episode 3, sample:");
  await page.evaluate(() => void (location.hash = "#v=1&domain=figure1&episodes=50000&runs=5000&seed=2&watch=0,4")); // too much to run by itself
  await page.locator('#watch-episode[max="50000"]').waitFor(); // the stage has the new settings
  await says(page, "Episode 4, sample:");
  assert.equal(await anew.count(), 0);
  await find.unfold(page, "Size");
  await find.newSeed(page).click();
  await says(page, "Episode 1, sample:");
  await anew.waitFor();
  await close();
});

test("a stage whose first episode cannot be computed says so, and offers to try again or to choose another", async () => {
  const { page, close } = await visit("fig1-quick/");
  await page.evaluate(() => {
    const send = Worker.prototype.postMessage;
    /** Lets the next trace be refused. */
    const refuse = () => {
      Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
        if (!message.path?.startsWith("/v1/trace")) return send.call(this, message, transfer);
        Worker.prototype.postMessage = send;
        send.call(this, { ...message, path: "/v1/trace?run=1&agent=nobody&episode=1" }, transfer);
        all.refused++;
      };
    };
    const all = Object.assign(globalThis, { refuse, refused: 0 });
    refuse();
  });
  await find.watch(page).click();
  await find.stage(page).getByText(/nobody/).waitFor();
  await page.locator("#watch-stage:not([aria-busy])").waitFor();
  await page.evaluate(() => /** @type {any} */ (globalThis).refuse());
  await find.stage(page).getByRole("button", { name: "Try again", exact: true }).click();
  await page.waitForFunction(() => /** @type {any} */ (globalThis).refused === 2);
  await find.stage(page).getByText(/nobody/).waitFor();
  await page.locator("#watch-run").selectOption("2"); // another choice is a way on, too
  await says(page, "Episode 1, sample:");
  await page.waitForFunction(() => location.hash.includes("watch=2,1")); // the address follows
  await page.evaluate(() => /** @type {any} */ (globalThis).refuse());
  await page.locator("#watch-run").selectOption("3");
  await find.stage(page).getByText(/nobody/).waitFor();
  await find.holds(page.locator("#watch-run"), "2"); // the stage goes back to the run that it shows
  await find.step(page).click();
  await says(page, "Episode 1, plan:");
  await page.locator("#watch-run").selectOption("3");
  await page.waitForFunction(() => location.hash.includes("watch=3,1"));
  await rests(page);
  assert.equal(await find.stage(page).getByText(/nobody/).count(), 0);
  await close();
});

test("with the stage open, axe finds nothing and the page does not scroll sideways, in both themes", async () => {
  const { page, complaints, close } = await visit("fig2c-quick/");
  await find.watch(page).click();
  await says(page, "Episode 1, sample:");
  await find.moment(page, "Plan").click();
  await says(page, "Episode 1, plan:");
  for (const name of ["What is drawn", "Steps", "Plan", "Beliefs"]) await find.unfold(find.stage(page), name);
  await find.parentsOf(page).selectOption("1");
  await seemlyEverywhere(page, "stage", [1280, 1000, 390, 320], {
    also: async (width, theme) => {
      await settle(page);
      const small = await page.evaluate(() => [...document.querySelectorAll("#watch :is(button, select, input, summary)")]
        .filter((part) => part.checkVisibility()).map((part) => (part.closest("label") ?? part)).filter((part) => part.getBoundingClientRect().height < 24).map((part) => part.id));
      assert.deepEqual(small, [], "every control is at least 24 px high");
      await page.screenshot({ path: join(artifacts, `stage-${theme}-${width}.png`), fullPage: true });
    },
  });
  assert.deepEqual(complaints, []);
  await close();
});

test("the stage works in frames of another origin, sandboxed or not", onlyLong, async () => {
  const frames = ["", ' sandbox="allow-scripts"'].map((more) => `<iframe title="Stage" width="900" height="900" src="${site.origin}?embed=1&ui=stage"${more}></iframe>`);
  const host = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><html lang="en"><title>Host</title>${frames.join("")}`));
  await new Promise((resolve) => host.listen(0, "127.0.0.1", () => resolve(undefined)));
  const context = await site.browser.newContext({ viewport: { width: 1000, height: 2000 } });
  const page = await context.newPage();
  await page.goto(`http://localhost:${/** @type {import("node:net").AddressInfo} */ (host.address()).port}/`);
  for (const k of [1, 2]) {
    const frame = await (await page.waitForSelector(`iframe:nth-of-type(${k})`)).contentFrame();
    assert.ok(frame);
    await find.watch(frame).click();
    assert.equal(await frame.isVisible("#experiment"), false);
    await says(frame, "Episode 1, sample:");
    await find.step(frame).click();
    await says(frame, "Episode 1, plan:");
  }
  await context.close();
  host.close();
});

/** The places of the world's cells and the graph's nodes in the page, in px. @param {import("playwright-core").Locator} svg */
const marks = (svg) => svg.evaluate((svg) => {
  const frame = svg.ownerDocument.defaultView?.frameElement?.getBoundingClientRect();
  const top = svg.ownerDocument.defaultView?.parent ?? window;
  /** @param {string} selector */
  const boxes = (selector) => [...svg.querySelectorAll(selector)].filter((rect) => rect.getAttribute("rx") === "7" || rect.getAttribute("width") === rect.getAttribute("height")).map((rect) => {
    const { x, y, width, height } = rect.getBoundingClientRect();
    return [x + (frame?.x ?? 0) + top.scrollX, y + (frame?.y ?? 0) + top.scrollY, width, height];
  });
  return { cells: boxes('rect[rx="3"]'), nodes: boxes('rect[rx="7"][height="26"]') };
});

/**
 * The displacement, up to 3 px, at which a part of picture b agrees best with that of a, and the share of pixels that differ then.
 * @param {Page} page @param {Buffer} a @param {Buffer} b @param {readonly number[]} part left, top, right and bottom
 */
const displaced = (page, a, b, part) => page.evaluate(async ([a, b, part]) => {
  const read = async (/** @type {string} */ data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = /** @type {CanvasRenderingContext2D} */ (Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d"));
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [x, y] = [await read(a), await read(b)];
  if (x.width !== y.width || x.height !== y.height) throw new Error(`${x.width} × ${x.height} against ${y.width} × ${y.height}`);
  const [left = 0, top = 0, right = 0, bottom = 0] = part.map(Math.round);
  /** @type {(data: ImageData, u: number, v: number) => number} the green of a pixel */
  const green = ({ data, width }, u, v) => data[4 * (v * width + u) + 1] ?? 0;
  let best = { across: 0, down: 0, part: 1 };
  for (let down = -3; down <= 3; down++) for (let across = -3; across <= 3; across++) {
    let other = 0;
    for (let v = top; v < bottom; v++) for (let u = left; u < right; u++) if (Math.abs(green(x, u, v) - green(y, u + across, v + down)) > 48) other++;
    const share = other / ((right - left) * (bottom - top));
    if (share < best.part) best = { across, down, part: share };
  }
  return best;
}, /** @type {const} */ ([a.toString("base64"), b.toString("base64"), part]));

/** The lowest y at which a visible part may end, with room to spare for other fonts. @param {Page} page */
const floor = (page) => page.locator("#panels").evaluate((panels) => Math.min(innerHeight - 8, panels.getBoundingClientRect().bottom));

/**
 * Asserts that the film, the chart with its axes, the whole matrix and the values are on the first screen, with room to
 * spare for other fonts, and that nothing covers the film's words.
 * @param {Page} page
 * @param {boolean} [values] whether there is room for the values
 */
async function onFirstScreen(page, values = true) {
  const { width } = /** @type {{width: number}} */ (page.viewportSize());
  const low = await floor(page);
  for (const place of ["#film svg", "#chart svg", "#prior-matrix", ...(values ? ["#readout"] : [])]) {
    // One evaluation does both: the chart's element may be replaced between two.
    const box = await page.evaluate((place) => [...document.querySelectorAll(place)].map((part) => part.getBoundingClientRect()).find(({ width }) => width > 0)?.toJSON(), place);
    assert.ok(box && box.y >= 0 && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= low, `${place} is on the first screen: ${JSON.stringify(box)}`);
  }
  assert.equal(await page.evaluate(() => {
    const box = /** @type {HTMLElement} */ (document.querySelector(".matrix"));
    return box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
  }), false, "no cell is scrolled out of sight");
  assert.deepEqual(await covered(page), []);
}

/** The words of the film that its caption or its buttons cover. @param {Page} page */
async function covered(page) {
  await page.waitForSelector("#film figcaption");
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll("#film figcaption > *")].map((part) => part.getBoundingClientRect());
    return [...document.querySelectorAll("#film svg text")].filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return parts.some((part) => left < part.right && right > part.left && top < part.bottom && bottom > part.top);
    }).map((text) => text.textContent);
  });
}

/** @param {Page} page */
const picture = (page) => find.film(page).locator("svg").innerHTML();

test("the first screen shows a recorded run, its graph and the whole chart, before anything computes", async () => {
  // The film plays by itself, so a script notes the title of its first picture.
  const before = () => new MutationObserver((_, watcher) => {
    const first = document.querySelector("#film svg text")?.textContent;
    if (!first) return;
    watcher.disconnect();
    Object.assign(window, { first });
  }).observe(document, { childList: true, subtree: true });
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 900 }, folded: true, before });
  await find.film(page).getByRole("img").waitFor();
  assert.equal(await page.evaluate("first"), "Episode 1 · C-PSRL");
  const { cells, nodes } = await marks(find.film(page).locator("svg"));
  assert.deepEqual([cells.length, nodes.length], [9, 0], "the world");
  await find.becomes(() => page.locator("#prior-picture button").count(), 9, "the graph is beside it");
  await find.becomes(() => page.locator("#prior-picture .edge").count(), 20, "with its edges");
  await onFirstScreen(page);
  // The film plays, and Pause stops it.
  const film = find.film(page);
  const first = await picture(page);
  await find.until(async () => (await picture(page)) !== first, "the film plays");
  await film.getByRole("button", { name: "Pause", exact: true }).click();
  const stopped = await picture(page);
  await page.waitForTimeout(2500);
  assert.equal(await picture(page), stopped, "the film stays paused");
  await film.getByRole("button", { name: "Play", exact: true }).click();
  await find.until(async () => (await picture(page)) !== stopped, "the film plays");
  assert.deepEqual(complaints, []);
  await close();
});

test("the whole prior is on the first screen with the film and the chart, for several problems and sizes", async () => {
  for (const [path, colorScheme, width, height] of cases(
    /** @type {const} */ ([["fig2d/", "dark", 1280, 900], ["fig2a/", "light", 1200, 800]]),
    /** @type {const} */ ([["fig1/", "light", 1280, 900], ["fig2a/", "light", 1280, 900], ["", "light", 1200, 800]]),
  )) {
    const { page, complaints, close } = await open(site.browser, site.origin + path, { viewport: { width, height }, colorScheme, folded: true });
    await find.film(page).getByRole("img").waitFor();
    await onFirstScreen(page, height > 800 || path === ""); // the picture of a random FMDP is higher than that of a grid
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("from 1200 × 800 on only what is below the header scrolls; a taxi's columns fit, and an open stage moves neither prior nor chart", async () => {
  const places = (/** @type {Page} */ page) => page.evaluate(() => ["#prior", "#chart", "#watch"].map((part) => /** @type {Element} */ (document.querySelector(part)).getBoundingClientRect()).map(({ left, top }) => [left, top].map(Math.round)));
  const { page, complaints, close } = await visit("", { folded: true });
  const sizes = [{ width: 1200, height: 800 }, { width: 1280, height: 800 }, { width: 1440, height: 900 }, { width: 1920, height: 1080 }];
  /** @type {unknown[]} */
  const before = [];
  for (const size of sizes) {
    await resize(page, size);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0);
    const last = await page.locator("#settings").boundingBox();
    assert.ok(last && last.y + last.height <= size.height + 24 /* a line may be higher in other fonts */, `the settings are on the screen: ${JSON.stringify([size, last])}`);
    before.push(await places(page));
  }
  await watch(page);
  for (const [k, size] of sizes.entries()) {
    await resize(page, size);
    await settle(page);
    await page.evaluate(() => document.getElementById("panels")?.scrollTo(0, 0));
    assert.deepEqual(await places(page), before[k], JSON.stringify(size));
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("what is known, what it does and what it costs are side by side, or below each other, in this order", async () => {
  const { page, close } = await open(site.browser, site.origin, { folded: true });
  for (const width of [390, 700, 1024, 1200, 1440, 1920]) {
    await resize(page, { width, height: 900 });
    const boxes = await page.locator(":is(#prior, #watch, #experiment, #numbers)").evaluateAll((parts) => parts.map((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return { id: part.id, left, right, top, bottom };
    }));
    assert.deepEqual(boxes.map(({ id }) => id), ["prior", "watch", "experiment", "numbers"]);
    const [prior, watch, experiment, numbers] = boxes;
    assert.ok(watch && experiment && prior && numbers);
    const at = `${width} px: ${JSON.stringify(boxes)}`;
    assert.ok(numbers.top >= experiment.bottom - 1 && Math.abs(numbers.left - experiment.left) <= 1, at);
    if (width < 640) assert.ok(watch.top >= prior.bottom - 1, at);
    else assert.ok(watch.left >= prior.right - 2 && Math.abs(watch.top - prior.top) <= 1, at);
    if (width < 1200) assert.ok(experiment.top >= watch.bottom - 2, at);
    else assert.ok(experiment.left >= watch.right - 2, at);
  }
  await close();
});

test("the stage replaces the film without a jump: the film stays until the stage is painted, and the world keeps its place", async () => {
  for (const [width, before] of /** @type {const} */ ([[1280, undefined], [390, noWebGL]])) {
    const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width, height: 900 }, folded: true, reducedMotion: "reduce", ...(before && { before }) });
    await find.film(page).getByRole("img").waitFor();
    await find.matrix(page).getByRole("gridcell").first().waitFor();
    /** @type {() => void} */
    let admit = () => {};
    const asked = new Promise((resolve) => page.route("**/stage-*.wasm", async (route) => {
      resolve(undefined);
      await new Promise((open) => (admit = () => open(undefined)));
      await route.continue();
    }));
    const film = find.film(page).locator("svg");
    const filmed = await marks(film);
    const shot = width === 1280 ? await film.screenshot() : undefined;
    await find.watch(page).click();
    await asked;
    await page.getByText("Loading the stage…").waitFor();
    assert.deepEqual(await marks(film), filmed, "the film stays while the stage is loaded");
    admit();
    await says(page, "Episode 1, sample:");
    await settle(page);
    assert.equal(await film.count(), 0);
    const frame = find.stage(page).locator("iframe");
    if (shot) {
      // A canvas has no elements to measure. Instead, the two pictures must agree best without a displacement. Their letters differ.
      const own = await frame.screenshot();
      for (const [name, boxes] of /** @type {const} */ ([["world", filmed.cells]])) {
        const { x, y } = /** @type {{x: number, y: number}} */ (await frame.boundingBox());
        const [left, top] = [Math.min(...boxes.map(([x = 0]) => x)) - x - 6, Math.min(...boxes.map(([, y = 0]) => y)) - y - 6];
        const [right, bottom] = [Math.max(...boxes.map(([x = 0, , width = 0]) => x + width)) - x + 6, Math.max(...boxes.map(([, y = 0, , height = 0]) => y + height)) - y + 6];
        const { across, down, part } = await displaced(page, shot, own, [left, top, right, bottom]);
        assert.ok(Math.abs(across) <= 1 && Math.abs(down) <= 1 && part < 0.05, `the ${name} is displaced by ${across}, ${down} px, and ${(100 * part).toFixed(1)}% of it differs`);
      }
    } else {
      const { cells, nodes } = await marks(find.stage(page).frameLocator("iframe").locator("#sheet svg"));
      assert.deepEqual([cells.length, nodes.length], [filmed.cells.length, filmed.nodes.length]);
      for (const [k, box] of [...cells, ...nodes].entries()) {
        const was = [...filmed.cells, ...filmed.nodes][k] ?? [];
        assert.ok(box.every((place, i) => Math.abs(place - (was[i] ?? Infinity)) <= 2), `${box} was at ${was}`);
      }
    }
    assert.deepEqual(complaints, []);
    await close();
  }
});

/** Waits until the film shows another run than that of a picture, after something has been done. @param {Page} page @param {() => Promise<unknown>} act */
async function replays(page, act) {
  const before = await filmTitle(page);
  await act();
  await page.waitForFunction((before) => {
    const title = document.querySelector("#film svg")?.getAttribute("aria-label") ?? "";
    return title !== "" && title !== before;
  }, before);
}
/** What the film's picture shows, in words. @param {Page} page */
const filmTitle = (page) => page.evaluate(() => document.querySelector("#film svg")?.getAttribute("aria-label") ?? "");

test("each preset has its own film, and after an edit the same run is played with the new settings", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { folded: true });
  await find.film(page).getByRole("img").waitFor();
  await find.choose(page, "fig1");
  await page.waitForFunction(() => /Figure 1|X/.test(document.querySelector("#film svg")?.textContent ?? "") && !/taxi/i.test(document.querySelector("#film svg")?.textContent ?? ""));
  const film = find.film(page);
  await film.getByRole("button", { name: "Pause", exact: true }).click();
  const high = () => find.stage(page).evaluate((stage) => stage.getBoundingClientRect().height);
  const before = await high();
  await find.clear(page).click();
  assert.equal(await high(), before, "nothing moves");
  assert.equal(await film.evaluate((film) => getComputedStyle(film).opacity), "1", "no ghost");
  await find.readout(page).getByRole("columnheader", { name: "now no edges, run 0", exact: true }).waitFor();
  await page.locator("#answer", { hasText: /^run 0 pays [\d.]+\. The mean was [\d.]+\.$/ }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("#chart text")].some(({ textContent }) => textContent === "now"));
  assert.equal(await find.stage(page).locator("iframe").count(), 0, "the stage is not loaded before a visitor asks for it");
  await find.undo(page).click();
  await page.waitForFunction(() => [...document.querySelectorAll("#chart text")].every(({ textContent }) => textContent !== "now"));
  assert.deepEqual(complaints, []);
  await close();
});

test("the film of another problem is that of a run with its settings", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.film(page).getByRole("img").waitFor();
  await replays(page, () => find.domain(page).selectOption("random-fmdp"));
  await page.waitForFunction(() => /X1/.test(document.querySelector("#film svg")?.textContent ?? ""));
  await find.choose(page, "fig2c");
  await page.waitForFunction(() => !/X1/.test(document.querySelector("#film svg")?.textContent ?? ""));
  assert.deepEqual(complaints, []);
  await close();
});

test("the film rests during a run, so that the run has the whole machine", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2d/`, { before: holdRequests });
  await find.film(page).getByRole("img").waitFor();
  await page.evaluate(() => void (/** @type {any} */ (window).hold = true)); // the run lasts until Stop
  await find.run(page).click();
  await reach(page, "running");
  const still = await picture(page);
  await page.waitForTimeout(2500);
  assert.equal(await picture(page), still);
  await find.stop(page).click();
  await find.until(async () => (await picture(page)) !== still, "the film plays");
  await page.evaluate(() => /** @type {any} */ (window).release());
  assert.deepEqual(complaints, []);
  await close();
});

test("with reduced motion the film does not play by itself, and the stage replaces it", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { reducedMotion: "reduce" });
  await find.film(page).getByRole("img").waitFor();
  const still = await picture(page);
  await page.waitForTimeout(2500);
  assert.equal(await picture(page), still);
  await find.film(page).getByRole("button", { name: "Play", exact: true }).click();
  await find.until(async () => (await picture(page)) !== still, "the film plays");
  await find.watch(page).click();
  await find.film(page).locator("svg").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});
