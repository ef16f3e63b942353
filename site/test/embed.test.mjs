// The playground in other pages: the example of a paper's page on another
// origin, sandboxed frames, the host API and the element.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { fileURLToPath, pathToFileURL } from "node:url";
import { golden, hasten, hasty, launch, linger, listen, newPage, noWebGL, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases, onlyLong } from "./long.mjs";
import { seemly } from "./looks.mjs";
import { patience } from "./patience.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
/** The address of another origin, which serves the pages of `elsewhere`. */
let host = "";
/** @type {Map<string, [type: string, body: string]>} */
const elsewhere = new Map();
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://localhost");
  const [type, body] = elsewhere.get(pathname) ?? ["text/plain", ""];
  // A frame of a sandboxed page is sandboxed, too.
  const headers = pathname.startsWith("/sandboxed/") ? { "content-security-policy": "sandbox allow-scripts", "access-control-allow-origin": "*" } : {};
  response.writeHead(body === "" ? 404 : 200, { ...headers, "content-type": `${type}; charset=utf-8` }).end(body);
});

before(async () => {
  site = await start();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  host = `http://localhost:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
  // The example as an author would copy it, with absolute addresses of the site.
  const file = (/** @type {string} */ name) => readFileSync(join(site.folder, "example", name), "utf8");
  const page = file("index.html").replaceAll('"../', `"${site.origin}`).replaceAll("-src 'self'", `-src 'self' ${site.origin}`);
  const script = file("example.js").replaceAll('"../', `"${site.origin}`);
  for (const folder of ["paper", "sandboxed"]) {
    elsewhere.set(`/${folder}/`, ["text/html", folder === "paper" ? page : page.replaceAll("'self'", `'self' ${host}`)]);
    elsewhere.set(`/${folder}/example.js`, ["text/javascript", script]);
    elsewhere.set(`/${folder}/example.css`, ["text/css", file("example.css")]);
  }
});
after(async () => {
  server.close();
  await site.stop();
});

/**
 * Opens a page that collects the messages of its frames in `heard`.
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions & {before?: () => void}} options before: a script that runs first in each document
 * @param {import("playwright-core").Browser} browser
 */
async function visit(url, { before, ...options } = {}, browser = site.browser) {
  const hears = () => {
    const all = /** @type {any} */ (globalThis);
    all.heard = [];
    if (parent === window) addEventListener("message", ({ data }) => all.heard.push(data));
  };
  const { page, close } = await newPage(browser, site.origin, { viewport: { width: 1000, height: 2600 }, ...options }, [...(before ? [before] : []), hears]);
  const complaints = listen(page);
  page.on("request", (request) => {
    const to = request.url();
    if (![site.origin, host, "data:", "blob:"].some((start) => to.startsWith(start))) complaints.push(`request to ${to}`);
  });
  await page.goto(url);
  return { page, complaints, close };
}

/** Adds a page to the other origin and returns its address. @param {string} name @param {string} body */
function pageOf(name, body) {
  elsewhere.set(`/${name}`, ["text/html", `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>${name}</title></head><body>${body}</body></html>`]);
  return `${host}${name}`;
}

/** Waits for a message of this type, from the message with the index `from` on. @param {Page} page @param {string} type @param {number} from */
const hear = async (page, type, from = 0) => {
  const found = await page.waitForFunction(
    ([type, from]) => /** @type {any} */ (globalThis).heard.slice(from).find((/** @type {any} */ m) => m?.type === type),
    /** @type {const} */ ([type, from]));
  return /** @type {Promise<any>} */ (found.jsonValue());
};
/** @param {Page} page */
const heard = (page) => /** @type {Promise<any[]>} */ (page.evaluate(() => /** @type {any} */ (globalThis).heard));

/**
 * Demands that a frame is as high as the playground in it last asked for. The playground may ask
 * again at any time, so both numbers are read at one moment.
 * @param {import("playwright-core").Locator} frame
 */
const hasItsHeight = async (frame) => {
  const [asked, has] = await frame.evaluate((frame) => [
    /** @type {any} */ (globalThis).heard.findLast((/** @type {any} */ { type }) => type === "height").height,
    Number.parseInt(frame.style.height || frame.getAttribute("height") || "", 10),
  ]);
  assert.equal(has, asked);
};
/**
 * Waits until the frame has stopped computing without finishing, and returns the
 * number of messages so far.
 * @param {Page} page
 */
async function rest(page) {
  for (let before = -1; ; ) {
    const all = (await heard(page)).filter((m) => m.type !== "height");
    assert.ok(!all.some((m) => m.type === "finished"), "the run has not finished");
    if (all.length === before) return (await heard(page)).length;
    before = all.length;
    await page.waitForTimeout(2500);
  }
}
/** @param {Page} page @param {unknown} message */
const tell = (page, message) =>
  page.evaluate((message) => /** @type {HTMLIFrameElement} */ (document.querySelector("iframe")).contentWindow?.postMessage(message, "*"), message);

const small = "v=1&agents=psrl,c-psrl&domain=figure1&episodes=20&runs=3";
/** @param {string} query @param {string} fragment */
const frame = (query, fragment, more = "") => `<iframe src="${site.origin}?embed=1${query}#${fragment}" title="Figure" width="900" height="700" ${more}></iframe>`;

// A small validator for the published schema. It knows the part of JSON Schema that the schema uses.

const schema = JSON.parse(readFileSync(fileURLToPath(new URL("../host-api.schema.json", import.meta.url)), "utf8"));

/** @param {any} rule @param {any} value @returns {boolean} */
function fits(rule, value) {
  if (rule.$ref) {
    const { $ref, ...more } = rule;
    const known = schema.$defs[$ref.slice("#/$defs/".length)];
    return fits({ ...known, ...more, ...(known.properties && { properties: { ...known.properties, ...more.properties } }) }, value);
  }
  const types = /** @type {string[]} */ ([rule.type ?? []].flat());
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const known = rule.properties ?? {};
  return (
    (types.length === 0 || types.includes(type) || (types.includes("integer") && Number.isInteger(value))) &&
    (rule.const === undefined || rule.const === value) &&
    (rule.enum === undefined || rule.enum.includes(value)) &&
    (rule.minimum === undefined || value >= rule.minimum) &&
    (rule.pattern === undefined || new RegExp(rule.pattern).test(value)) &&
    (rule.items === undefined || value.every((/** @type {any} */ item) => fits(rule.items, item))) &&
    (rule.oneOf === undefined || rule.oneOf.filter((/** @type {any} */ one) => fits(one, value)).length === 1) &&
    (rule.required ?? []).every((/** @type {string} */ name) => Object.hasOwn(value, name)) &&
    (rule.properties === undefined || Object.keys(value).every((name) => (name in known ? fits(known[name], value[name]) : rule.additionalProperties !== false && rule.unevaluatedProperties !== false)))
  );
}

for (const [folder, sandboxed] of /** @type {const} */ ([["paper", false], ["sandboxed", true]])) {
  test(`the example page drives its ${sandboxed ? "sandboxed " : ""}figure of another origin through three steps`, sandboxed ? onlyLong : {}, async () => {
    const { page, complaints, close } = await visit(`${host}${folder}/`);
    const frame = page.locator("#figure iframe");
    const steps = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Claim / }) });
    await frame.scrollIntoViewIfNeeded();
    await hear(page, "ready");
    assert.equal(await frame.getAttribute("title"), "Regret on the 3 × 3 taxi, live");
    const regrets = [];
    for (const [step, prior] of [/prior=none/, /receipt=[^&]*&domain/, /prior=col:col,destination/].entries()) {
      const from = (await heard(page)).length;
      await steps.nth(step).getByRole("button").click();
      await page.getByRole("status").filter({ hasText: new RegExp(`^Step ${step + 1}\\. Cumulative regret after 150 episodes`) }).waitFor();
      const finished = (await heard(page)).slice(from).findLast((m) => m.type === "finished");
      assert.equal(finished.stopped, false);
      assert.equal(finished.runs, 8);
      assert.match(finished.link, new RegExp(`receipt=${golden.engine}-${finished.fingerprint}`));
      assert.match(finished.link, prior);
      const share = /C-PSRL [^(]*\((\d+)% of PSRL\)/.exec(finished.conclusion)?.[1];
      assert.match((await steps.nth(step).textContent()) ?? "", new RegExp(`about ${10 * Math.round(Number(share) / 10)}%`), `the step's text agrees with the figure: ${share}%`);
      regrets.push(share);
    }
    assert.equal(new Set(regrets).size, 3);
    const figure = frame.contentFrame();
    await figure.locator("#chart > svg").waitFor(); // the figure is drawn
    assert.equal(await figure.getByText(/^This frame is sandboxed/).isVisible(), sandboxed);
    assert.equal(await figure.locator(".tools").isVisible(), false);
    const said = await heard(page);
    for (const message of said) assert.ok(fits(schema.$defs.event, message), JSON.stringify(message));
    await hasItsHeight(frame);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("a frame takes commands only from its parent, and refuses what the schema refuses", async () => {
  elsewhere.set("/sibling.html", ["text/html", `<!doctype html><title>Sibling</title><script>
    addEventListener("message", ({ data }) => parent.frames[0].postMessage(data, "*"));</script>`]);
  const { page, close } = await visit(pageOf("rejects.html", `${frame("", "v=1&domain=taxi")}<iframe src="${host}sibling.html" title="Sibling"></iframe>`));
  await hear(page, "ready");
  const figure = /** @type {import("playwright-core").Frame} */ (page.frames().find((f) => f.url().startsWith(site.origin)));
  const theme = () => figure.evaluate(() => document.documentElement.dataset["theme"]);
  const command = { cpsrl: 1, type: "theme", theme: "dark", id: "a" };
  assert.ok(fits(schema.$defs.command, command));
  await page.evaluate((command) => window.frames[1]?.postMessage(command, "*"), command);
  await figure.evaluate((command) => postMessage(command, "*"), command);
  await page.waitForTimeout(1000);
  assert.equal(await theme(), "auto", "the frame ignores a sibling and itself");
  assert.ok(!(await heard(page)).some((m) => m.type === "done" || m.type === "refused"));
  await tell(page, command);
  assert.deepEqual(await hear(page, "done"), { cpsrl: 1, type: "done", command: "theme", id: "a" });
  assert.equal(await theme(), "dark");

  for (const [message, words] of /** @type {[any, RegExp][]} */ ([
    [{ cpsrl: 2, type: "run" }, /version/],
    [{ cpsrl: 1, type: "__proto__" }, /type is none of/],
    [{ cpsrl: 1, type: "constructor" }, /type is none of/],
    [{ cpsrl: 1, type: 5 }, /type is none of/],
    [{ cpsrl: 1, type: "run", spec: {} }, /run has no member "spec"/],
    [{ cpsrl: 1, type: "state", link: 7 }, /link is not a text/],
    [{ cpsrl: 1, type: "state" }, /link is not a text/],
    [{ cpsrl: 1, type: "theme", theme: "<b>" }, /theme is none of/],
    [{ cpsrl: 1, type: "pause", id: {} }, /id is neither/],
    [{ cpsrl: 1, type: "state", link: "v=1&domain=taxi&runs=1000000000" }, /out of range/],
    [{ cpsrl: 1, type: "state", link: "v=8&domain=taxi" }, /version "8"/],
    [{ cpsrl: 1, type: "state", link: "a".repeat(1 << 20) }, /./],
    [{ cpsrl: 1, type: "view", view: [] }, /the view is not an object/],
  ])) {
    assert.ok(!fits(schema.$defs.command, message) || message.type === "state", JSON.stringify(message).slice(0, 80));
    const from = (await heard(page)).length;
    await tell(page, message);
    const refused = await hear(page, "refused", from);
    assert.match(refused.detail, words, JSON.stringify(message).slice(0, 80));
    assert.ok(fits(schema.$defs.event, refused));
  }
  // A refused link leaves nothing behind: the frame's link still follows what the frame shows.
  const since = (await heard(page)).length;
  await tell(page, { cpsrl: 1, type: "view", view: { measure: "recall" } });
  assert.match((await hear(page, "state", since)).link, /measure=recall/);
  for (const nonsense of ["run", null, 5, { type: "run" }, ["cpsrl"]]) await tell(page, nonsense);

  // Of many links in a row the frame shows the last one; it refuses the overtaken ones and says why.
  const before = (await heard(page)).length;
  const many = Array.from({ length: 20 }, (_, id) => ({ cpsrl: 1, type: "state", id, link: `v=1&domain=figure1&episodes=${20 + id}&runs=3` }));
  await page.evaluate((many) => {
    for (const message of many) document.querySelector("iframe")?.contentWindow?.postMessage(message, "*");
  }, many);
  await find.until(async () => (await heard(page)).some(({ type, id }) => type === "done" && id === 19), "the last link is shown");
  const refusals = (await heard(page)).slice(before).filter(({ type }) => type === "refused");
  assert.ok(refusals.length > 0 && refusals.every(({ detail }) => detail === "another experiment was asked for since"), JSON.stringify(refusals));

  // The budget for runs that start by themselves holds for hosts, too.
  const from = (await heard(page)).length;
  await tell(page, { cpsrl: 1, type: "state", link: "v=1&domain=taxi&episodes=50000&runs=5000" });
  const state = await hear(page, "state", from);
  assert.equal(state.autorun, false);
  await tell(page, { cpsrl: 1, type: "run", id: 9 });
  const refused = await hear(page, "refused", from);
  assert.equal(refused.id, 9);
  assert.match(refused.detail, /more than a page may start by itself/);
  assert.equal(await figure.evaluate(() => document.documentElement.dataset["state"]), "ready");
  await close();
});

test("a host drives the stage and the chart, and is told what they show", async () => {
  const { page, complaints, close } = await visit(pageOf("stage.html", frame("&ui=stage,experiment", "v=1&agents=psrl,c-psrl&domain=taxi&grid=3x3&episodes=30&runs=3")), {
    before: noWebGL, // the stage is there sooner, and shows the same
  });
  await hear(page, "finished");
  /** Sends a command and returns its answer, and how many messages came before. @param {any} command */
  const obey = async (command) => {
    const message = { cpsrl: 1, id: JSON.stringify(command), ...command };
    assert.ok(fits(schema.$defs.command, message), JSON.stringify(message));
    const from = (await heard(page)).length;
    await tell(page, message);
    const answer = await page.waitForFunction(([id, from]) => /** @type {any} */ (globalThis).heard.slice(from).find((/** @type {any} */ m) => m.id === id), /** @type {const} */ ([message.id, from]));
    return { answer: /** @type {any} */ (await answer.jsonValue()), from };
  };
  /** Sends a command, asserts that it was obeyed, and waits for an event that has these members. @param {any} command @param {string} type @param {object} says */
  const obeyed = async (command, type, says) => {
    const { answer, from } = await obey(command);
    assert.equal(answer.type, "done", JSON.stringify(answer));
    await page.waitForFunction(([type, says, from]) => {
      const { heard } = /** @type {any} */ (globalThis);
      const text = (/** @type {unknown} */ value) => JSON.stringify(typeof value === "object" && value ? Object.entries(value).sort() : value);
      return heard.slice(from).some((/** @type {any} */ m) => m.type === type && Object.entries(says).every(([name, value]) => text(m[name]) === text(value)));
    }, /** @type {const} */ ([type, says, from]));
  };
  await obeyed({ type: "episode", episode: 12, run: 1, agent: "c-psrl", moment: "plan" }, "episode", { agent: "c-psrl", run: 1, episode: 12 });
  const figure = page.frameLocator("iframe");
  await find.said(figure, "Episode 12, plan").waitFor();
  assert.equal(await find.watchedRun(figure).inputValue(), "1");
  await obeyed({ type: "moment", moment: "update" }, "moment", { episode: 12, moment: "update" });
  await obeyed({ type: "highlight", from: "move", to: "row" }, "highlight", { from: "move", to: "row" });
  await obeyed({ type: "highlight" }, "highlight", {});
  await obeyed({ type: "reveal", revealed: true }, "reveal", { revealed: true });
  await find.stage(figure).getByRole("button", { name: "Hide the true graph", exact: true }).waitFor(); // there is no prior, whose button it is else
  await obeyed({ type: "speed", speed: "fast" }, "speed", { speed: "fast" });
  await obeyed({ type: "play" }, "episode", { episode: 30 });
  await find.until(async () => (await heard(page)).findLast(({ type }) => type === "play").playing === false, "fast forward has ended, which is a frame later");
  await obeyed({ type: "speed", speed: 16 }, "speed", { speed: 16 });
  await obeyed({ type: "episode", episode: 2 }, "episode", { episode: 2 });
  await obeyed({ type: "play" }, "play", { playing: true });
  await obeyed({ type: "play", playing: false }, "play", { playing: false });
  await obeyed({ type: "speed", speed: "auto" }, "speed", { speed: "auto" });
  assert.equal(await find.speed(figure).inputValue(), "auto");
  await obeyed({ type: "view", view: { measure: "recall", logX: true, hidden: ["psrl"] } }, "view", { view: { measure: "recall", logX: true, hidden: ["psrl"] } });
  assert.equal(await find.measure(figure).inputValue(), "recall");
  await obeyed({ type: "view", view: { measure: "cumulative-regret", band: "final", hidden: [] } }, "view", { view: { logX: true, band: "final" } });
  // The host is told what the reader does, too. The stage may have stopped at any moment, so it goes back to the first.
  await obeyed({ type: "episode", episode: 1, moment: "sample" }, "moment", { episode: 1, moment: "sample" });
  const from = (await heard(page)).length;
  await find.moment(figure, "Plan").click();
  await find.until(async () => (await heard(page)).slice(from).some(({ type, moment }) => type === "moment" && moment === "plan"), "the host hears of it");

  for (const [command, words] of /** @type {const} */ ([
    [{ type: "episode", episode: 31 }, /there is no episode 31: the run has 30/],
    [{ type: "episode", episode: 1, run: 3 }, /there is no run 3: the runs are 0 to 2/],
    [{ type: "episode", episode: 1, agent: "f-psrl" }, /there is no agent "f-psrl": the agents are psrl, c-psrl/],
    [{ type: "highlight", from: "luck" }, /there is no variable "luck"/],
    [{ type: "highlight", to: "move" }, /there is no state variable "move"/],
    [{ type: "view", view: { hidden: ["luck"] } }, /there is no agent "luck"/],
    [{ type: "view", view: { measure: "luck" } }, /the measure is none of cumulative-regret/],
  ])) {
    const { answer } = await obey(command);
    assert.equal(answer.type, "refused");
    assert.match(answer.detail, words);
  }
  for (const [message, words] of /** @type {const} */ ([
    [{ type: "episode" }, /the episode is not a whole number from 1 on/],
    [{ type: "moment", moment: "sleep" }, /the moment is none of sample, plan, act, update/],
    [{ type: "speed", speed: 3 }, /the speed is none of/],
    [{ type: "reveal", revealed: 1 }, /revealed is not true or false/],
    [{ type: "play", loud: true }, /play has no member "loud"/],
    [{ type: "view", view: { color: "red" } }, /the view has no member "color"/],
    [{ type: "view", view: { band: "wide" } }, /the band is none of/],
  ])) {
    assert.ok(!fits(schema.$defs.command, { cpsrl: 1, ...message }), JSON.stringify(message));
    const before = (await heard(page)).length;
    await tell(page, { cpsrl: 1, ...message });
    assert.match((await hear(page, "refused", before)).detail, words);
  }
  for (const message of await heard(page)) assert.ok(fits(schema.$defs.event, message), JSON.stringify(message));
  assert.deepEqual(complaints, []);
  await close();
});

test("the article works in a sandboxed frame of another origin: its pictures load, a button sets the stage, a figure runs", async () => {
  const { page, complaints, close } = await visit(pageOf("article.html", `<iframe sandbox="allow-scripts" src="${site.origin}paper/" title="Article" width="900" height="800"></iframe>`), { viewport: { width: 1000, height: 900 } });
  const article = page.frameLocator("iframe");
  const figures = article.locator("cpsrl-playground");
  await figures.first().waitFor();
  const count = await figures.count();
  assert.ok(count >= 6 && count <= 8, `${count} figures`);
  for (let k = 0; k < count; k++) {
    await figures.nth(k).scrollIntoViewIfNeeded();
    await find.runHere(figures.nth(k)).waitFor();
    const picture = figures.nth(k).locator("img");
    if (await picture.count()) await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  }
  await article.getByRole("button", { name: "2. Plan", exact: true }).click();
  const stage = article.locator("#moments").frameLocator("iframe");
  await find.said(stage, "Episode 1, plan:").waitFor();
  await stage.frameLocator("iframe").locator("canvas").waitFor();
  const claim = figures.last();
  await find.runHere(claim).click();
  await claim.frameLocator("iframe").locator('html[data-state="finished"]').waitFor();
  await claim.frameLocator("iframe").locator("#chart > svg").waitFor(); // the figure is drawn
  assert.deepEqual(complaints, []);
  await close();
});

test("an embed of prior and stage plays its film without a click and without the stage's program", async () => {
  const { page, complaints, close } = await visit(pageOf("film.html", `<iframe src="${site.origin}fig2c/?embed=1&ui=prior,stage" title="Prior and stage" width="1100" height="1200"></iframe>`));
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const film = page.frameLocator("iframe").getByRole("figure", { name: "A recorded run", exact: true });
  await film.getByRole("img", { name: /^Episode 1, act/ }).waitFor();
  await film.getByRole("slider", { name: "Episode of run 0", exact: true }).waitFor();
  await hear(page, "ready");
  await find.view(page.frameLocator("iframe"), "Matrix").click();
  const prior = find.matrix(page.frameLocator("iframe")).getByRole("gridcell").first();
  await prior.waitFor();
  const [tabs, views] = await Promise.all([".tabs", ".matrix"].map((part) => page.frameLocator("iframe").locator(`.prior ${part}`).boundingBox()));
  assert.ok(tabs && views && Math.abs(views.y - tabs.y - tabs.height) < 8, `the tabs stand directly above their views: ${JSON.stringify([tabs, views])}`);
  const boxes = await Promise.all(["#watch", "#prior"].map((part) => page.frameLocator("iframe").locator(part).boundingBox()));
  const [stage, beside] = /** @type {{x: number, y: number, width: number}[]} */ (boxes);
  assert.ok(stage && beside && stage.y === beside.y && Math.abs(stage.x - beside.x - beside.width) <= 1, "in a wide frame the stage is beside the prior");
  assert.deepEqual(asked.filter((url) => /stage/.test(url)), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("ui= can leave out the figure's toolbar and caption, and an embed names the words of ui= that it does not know", async () => {
  const warned = /** @type {string[]} */ ([]);
  const { page, close } = await visit(pageOf("details.html", frame("&ui=experiment,-toolbar,-caption,graph,-chart", small)));
  page.on("console", (message) => warned.push(message.text()));
  await page.reload();
  await hear(page, "finished");
  const figure = page.frameLocator("iframe");
  await figure.locator("#chart > svg").waitFor();
  for (const selector of ["#toolbar", "#caption", "#conclusion", "#receipt", "#prior"]) assert.equal(await figure.locator(selector).isVisible(), false, selector);
  const words = "The address asks for unknown parts: “graph”, “-chart”. ui= takes problem, prior, agents, stage, experiment, controls, and to leave something out -problem, -prior, -agents, -stage, -experiment, -controls, -toolbar, -caption, -keep, -export, -reveal, -speed, -open.";
  assert.equal(await find.noticed(figure), words);
  await find.until(async () => warned.some((text) => text.endsWith(words)), "the console has these words");
  assert.ok(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)));
  await close();
  const refused = await visit(pageOf("stageless.html", frame("&ui=experiment", small)));
  await hear(refused.page, "ready");
  await tell(refused.page, { cpsrl: 1, type: "play" });
  assert.match((await hear(refused.page, "refused")).detail, /the stage is not among the parts that are shown/);
  await refused.close();
});

test("a quiz: without the true graph no button, menu, table or export tells it; the host can reveal it", async () => {
  const quiz = "v=1&prior=col:col,row&agents=c-psrl,f-psrl&domain=taxi&grid=3x3&episodes=20&runs=1&watch=0,5";
  const { page, complaints, close } = await visit(pageOf("quiz.html", frame("&ui=prior,stage,experiment,-reveal,-speed,-keep,-open", quiz)));
  const figure = page.frameLocator("iframe");
  await find.showing(figure).waitFor();
  await hear(page, "episode");
  for (const name of [/^Reveal/, /^Keep/]) assert.equal(await figure.getByRole("button", { name }).count(), 0, String(name));
  assert.equal(await figure.getByRole("link", { name: /^Open in/ }).count(), 0);
  assert.equal(await find.speed(figure).count(), 0);
  /** @param {import("playwright-core").Locator} menu */
  const offered = (menu) => menu.getByRole("option").allTextContents();
  await find.becomes(() => offered(find.priorFrom(figure)), ["Nothing (η = 0)", "Edited by hand"], "no prior tells the graph");
  await find.becomes(() => offered(find.watchedAgent(figure)), ["C-PSRL"], "no agent does");
  await find.unfold(figure, "What is drawn");
  await find.stage(figure).getByRole("checkbox", { name: "Policy", exact: true }).waitFor(); // an unfolded drawer is filled a moment later
  assert.equal(await find.drawnModel(figure).count(), 0);
  await find.exporting(figure).click();
  await find.until(async () => (await offered(find.exportFormat(figure))).includes("DOT (Graphviz)"), "the formats");
  assert.ok(!(await offered(find.exportFormat(figure))).some((name) => /true/i.test(name)));
  // A graph is chosen while a figure is being drawn.
  await page.keyboard.press("Escape");
  await page.frames()[1]?.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const held = /** @type {(() => void)[]} */ ([]);
    const release = () => {
      Worker.prototype.postMessage = postMessage;
      for (const send of held) send();
    };
    Object.assign(globalThis, { held, release });
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      const send = () => postMessage.call(this, message, transfer);
      if (message.path?.startsWith("/v1/chart")) held.push(send);
      else send();
    };
  });
  await find.exporting(figure).click();
  await page.frames()[1]?.waitForFunction(() => /** @type {any} */ (globalThis).held.length > 0);
  await find.exportFormat(figure).selectOption("DOT (Graphviz)");
  const graphs = find.dialog(figure, "Export").getByRole("combobox", { name: "Graph", exact: true });
  assert.deepEqual(await offered(graphs), ["Prior G₀", "Sampled for the last episode", "Most probable after the last episode"]);
  await page.frames()[1]?.evaluate("release()");
  await page.keyboard.press("Escape");
  await tell(page, { cpsrl: 1, type: "reveal", revealed: true });
  await hear(page, "reveal");
  await figure.getByText("misspecified", { exact: true }).first().waitFor();
  assert.deepEqual(complaints, []);
  await close();

  // With a minus, a part is left out of those that are usual, too.
  const other = await visit(pageOf("minus.html", frame("&ui=-controls", small)));
  await other.page.frameLocator("iframe").locator('html[data-embed="experiment"]').waitFor();
  await other.close();
});

test("nothing runs, by itself or when the host asks, where neither the results nor the controls are shown", async () => {
  for (const [ui, runs] of /** @type {const} */ ([["prior,stage", false], ["stage,experiment", true], ["stage,controls", true]])) {
    const { page, complaints, close } = await visit(pageOf("parts.html", frame(`&ui=${ui}`, "v=1&domain=figure1&episodes=3&runs=1")));
    if (runs) await hear(page, "finished");
    else {
      await hear(page, "ready");
      await tell(page, { cpsrl: 1, type: "run" });
      assert.match((await hear(page, "refused")).detail, /neither the experiment nor its controls are among the parts that are shown/);
      assert.ok(!(await heard(page)).some(({ type }) => type === "progress" || type === "finished"), ui);
    }
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a host hears that an episode cannot be shown, and the stage goes back", async () => {
  const { page, complaints, close } = await visit(pageOf("episodes.html", frame("&ui=stage", "v=1&domain=figure1&episodes=9&runs=2&watch=0,3")));
  const shown = await hear(page, "episode");
  assert.equal(shown.episode, 3);
  await page.frames()[1]?.evaluate(() => {
    const send = Worker.prototype.postMessage;
    Object.assign(globalThis, { mend: () => void (Worker.prototype.postMessage = send) });
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      const trace = message.path?.startsWith("/v1/trace");
      send.call(this, trace ? { ...message, path: "/v1/trace?run=1&agent=nobody&episode=1" } : message, transfer);
    };
  });
  await tell(page, { cpsrl: 1, id: 4, type: "episode", run: 1, episode: 5 });
  const refused = await hear(page, "refused");
  assert.deepEqual([refused.id, refused.detail], [4, "this episode could not be shown"]);
  assert.ok(!(await heard(page)).some(({ type }) => type === "done"));
  await page.frameLocator("iframe").getByText(/nobody/).waitFor();
  assert.equal(await page.frameLocator("iframe").locator("#watch-episode").inputValue(), "3");
  // Of two commands in a row, the first is overtaken. The episode of the agent that is shown anyway is shown.
  await page.frames()[1]?.evaluate(() => /** @type {any} */ (globalThis).mend());
  const from = (await heard(page)).length;
  await page.evaluate(() => {
    const frame = document.querySelector("iframe")?.contentWindow;
    frame?.postMessage({ cpsrl: 1, id: 5, type: "episode", episode: 4 }, "*");
    frame?.postMessage({ cpsrl: 1, id: 6, type: "episode", episode: 6, run: 0, agent: "c-psrl" }, "*");
  });
  assert.equal((await hear(page, "done", from)).id, 6);
  const overtaken = await hear(page, "refused", from);
  assert.deepEqual([overtaken.id, overtaken.detail], [5, "another episode was asked for since"]);
  assert.deepEqual(complaints, []);
  await close();
});

test("Enter in a field of another agent adds the agent and does not run, also in a sandboxed frame", async () => {
  for (const more of ["", 'sandbox="allow-scripts"']) {
    const { page, complaints, close } = await visit(pageOf("enter.html", frame("&ui=agents,experiment,controls", "v=1&domain=figure1&episodes=3&runs=1", more)));
    await hear(page, "finished");
    const from = (await heard(page)).length;
    const figure = page.frameLocator("iframe");
    await find.unfold(figure, "Another agent");
    await page.frames()[1]?.evaluate(() => {
      new MutationObserver(() => {
        if (document.documentElement.dataset["state"] === "running") document.documentElement.dataset["ran"] = "";
      }).observe(document.documentElement, { attributeFilter: ["data-state"] });
    });
    await find.fold(figure, "Another agent").getByLabel("Prior knowledge").fill("1");
    await find.fold(figure, "Another agent").getByLabel("Prior knowledge").press("Enter");
    await find.agent(figure, "C-PSRL (η = 1)").waitFor();
    await hear(page, "state", from);
    assert.equal(await figure.locator("html[data-ran]").count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a host's run that is not started is refused, and a host hears the end of a run that failed", async () => {
  const { page, complaints, close } = await visit(pageOf("refusal.html", frame("&ui=agents,experiment,controls", "v=1&domain=figure1&episodes=3&runs=1")));
  await hear(page, "finished");
  const figure = page.frameLocator("iframe");
  await find.unfold(figure, "Size");
  await find.runs(figure).fill("0");
  await figure.locator("#runs-error").filter({ hasText: /out of range/ }).waitFor();
  let from = (await heard(page)).length;
  await tell(page, { cpsrl: 1, type: "run" });
  assert.match((await hear(page, "refused", from)).detail, /^nothing was started: .*out of range/);
  // An edit during a run says nothing about the run that had begun.
  await find.runs(figure).fill("20");
  await figure.locator("#runs-error").waitFor({ state: "hidden" });
  from = (await heard(page)).length;
  await page.evaluate(() => {
    for (const type of ["run", "pause"]) document.querySelector("iframe")?.contentWindow?.postMessage({ cpsrl: 1, type }, "*");
  });
  await find.until(async () => (await heard(page)).slice(from).some(({ type, command }) => type === "done" && command === "run"), "the run has begun");
  await find.episodes(figure).fill("100000");
  await find.until(async () => (await heard(page)).findLast(({ type }) => type === "state")?.link.includes("episodes=100000"), "the edit is accepted");
  assert.ok(!(await heard(page)).slice(from).some(({ type }) => type === "finished"), "the run rests");
  await tell(page, { cpsrl: 1, type: "run" });
  await hear(page, "finished", from);
  assert.equal(await find.notice(figure).count(), 0);
  await find.episodes(figure).fill("4");
  await find.runs(figure).fill("2");
  await find.until(async () => (await heard(page)).findLast(({ type }) => type === "state")?.link.includes("episodes=4&runs=2"), "the edits are accepted");
  const inner = page.frames()[1];
  await inner?.evaluate(() => {
    globalThis.Worker = /** @type {any} */ (class { constructor() { throw new Error("no more workers"); } });
  });
  from = (await heard(page)).length;
  await tell(page, { cpsrl: 1, type: "run" });
  const { runs, stopped } = await hear(page, "finished", from);
  assert.deepEqual([runs, stopped], [0, false]);
  assert.deepEqual(complaints, []);
  await close();
});

test("a run that waits until its frame is seen obeys the budget of the experiment that is shown by then", async () => {
  // The page has the same origin, because a frame of another origin does not even load its page before it is seen.
  writeFileSync(join(site.folder, "late.html"), `<!doctype html><title>Late</title><link rel="icon" href="data:,"><div style="height:3000px"></div>${frame("", small)}`);
  const { page, complaints, close } = await visit(`${site.origin}late.html`, { viewport: { width: 1000, height: 800 } });
  await hear(page, "state");
  await tell(page, { cpsrl: 1, type: "run", id: 1 });
  await tell(page, { cpsrl: 1, type: "state", id: 2, link: "v=1&domain=taxi&episodes=50000&runs=5000" });
  await page.waitForFunction(() => /** @type {any} */ (globalThis).heard.some((/** @type {any} */ m) => m.type === "done" && m.id === 2), undefined);
  await page.evaluate(() => scrollTo(0, 3000));
  const refused = await hear(page, "refused");
  assert.equal(refused.id, 1);
  assert.match(refused.detail, /more than a page may start by itself/);
  assert.ok(!(await heard(page)).some(({ type }) => type === "progress"));
  assert.deepEqual(complaints, []);
  await close();
});

test("a run of a host that takes longer than estimated pauses until the reader lets it go on; the host cannot", async () => {
  const { page, complaints, close } = await visit(pageOf("slow.html", frame("", "")), { before: hasten });
  await hear(page, "ready");
  await tell(page, { cpsrl: 1, type: "state", link: "v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=40000&runs=2" });
  await hear(page, "done");
  await tell(page, { cpsrl: 1, type: "run" });
  const figure = page.frameLocator("iframe");
  const goOn = find.notices(figure).getByRole("button", { name: "Go on", exact: true });
  await goOn.waitFor();
  const from = await rest(page);
  await tell(page, { cpsrl: 1, type: "run" });
  assert.match((await hear(page, "refused", from)).detail, /the reader has been asked/);
  await find.status(figure).filter({ hasText: /paused$/ }).waitFor();
  await goOn.click();
  await hear(page, "progress", from);
  await tell(page, { cpsrl: 1, type: "state", link: small }); // this ends the run
  assert.equal((await hear(page, "finished", from)).stopped, true);
  assert.deepEqual(complaints, []);
  await close();
});

test("a host is told that an episode takes long; the reader is asked", async () => {
  const { page, complaints, close } = await visit(pageOf("long.html", frame("&ui=stage", "v=1&domain=random-fmdp&episodes=100000&agents=psrl,f-psrl")));
  await hear(page, "ready");
  await tell(page, { cpsrl: 1, type: "episode", id: 1, episode: 100_000, agent: "f-psrl" });
  assert.match((await hear(page, "refused")).detail, /^Episode 100000 takes about \d+ \w+ of computing in this tab, so it has not started by itself\. The reader has been asked\.$/);
  const figure = page.frameLocator("iframe");
  await find.stage(figure).getByRole("button", { name: /^Compute this episode/ }).waitFor();
  await tell(page, { cpsrl: 1, type: "episode", id: 2, episode: 2, agent: "f-psrl" });
  assert.equal((await hear(page, "done")).id, 2);
  const from = (await heard(page)).length;
  await tell(page, { cpsrl: 1, type: "speed", id: 3, speed: "fast" });
  await hear(page, "speed", from);
  await tell(page, { cpsrl: 1, type: "play", id: 4 });
  assert.match((await hear(page, "refused", from)).detail, /^these episodes take about .* of computing in this tab, so the reader has to press Play$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("a frame computes only while it is seen, and takes neither the focus nor the scroll position from its host", async () => {
  const { page, complaints, close } = await visit(pageOf("fold.html", `<label>Here <input></label><div style="height:3000px"></div>${frame("", "v=1&agents=c-psrl&domain=taxi&grid=3x3&episodes=2000&runs=40")}<div style="height:3000px"></div>`), { viewport: { width: 1000, height: 800 }, before: linger });
  const here = page.getByLabel("Here", { exact: true });
  await here.focus();
  await page.waitForTimeout(4000);
  assert.ok(!(await heard(page)).some(({ type }) => type === "progress")); // Chromium may paint an unseen frame once, and then the engine is loaded
  const back = await page.evaluate(() => history.length);
  await page.evaluate(() => scrollTo(0, 3000));
  await hear(page, "progress");
  assert.ok(await find.focused(here), "the host's field keeps the focus");
  assert.equal(await page.evaluate(() => scrollY), 3000);
  await page.evaluate(() => scrollTo(0, 0));
  const paused = await rest(page); // off screen, the frame does not compute
  await page.evaluate(() => scrollTo(0, 3000));
  await hear(page, "progress", paused);
  // The host's commands pause the frame and let it go on.
  await tell(page, { cpsrl: 1, type: "pause" });
  const held = await rest(page);
  await tell(page, { cpsrl: 1, type: "run" });
  await hear(page, "progress", held);
  assert.equal(await page.evaluate(() => history.length), back, "the frame adds nothing to the host's history");
  assert.ok(await find.focused(here), "the host's field keeps the focus");
  assert.deepEqual(complaints, []);
  await close();
});

/** The code of a page that gives its frame each height that the frame asks for, and collects the heights in `told`. */
const following = `<style>iframe { display: block; border: 0; }</style><script>
  var told = [];
  addEventListener("message", ({ data }) => {
    if (data.type !== "height") return;
    told.push(data.height);
    document.querySelector("iframe").style.height = data.height + "px";
  });</script>`;

/** Opens the stage of a frame and waits until it shows a run. @param {import("playwright-core").Frame} frame */
async function openStage(frame) {
  await find.watch(frame).click();
  await find.showing(frame).waitFor();
}

// These tests wait more than they compute, so they run side by side.
describe("the height of a frame", { concurrency: 4 }, () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  before(async () => {
    browser = await launch({ ignoreDefaultArgs: ["--hide-scrollbars"], flags: [hasty] }); // scroll bars take space
  });
  after(() => browser.close());

  for (const [ui, fragment] of cases(
    /** @type {const} */ ([["stage,experiment,controls", small]]),
    /** @type {const} */ ([["problem,prior,agents,controls", small], ["stage", "v=1&domain=taxi&grid=3x3"], ["experiment,controls", small]]),
  )) {
    test(`the height of a frame of ${ui} settles at every width, and the frame has no scroll bars`, async () => {
      const { page, close } = await visit(pageOf(`widths-${ui}.html`, `${following}${frame(`&ui=${ui}`, fragment)}`), { viewport: { width: 1450, height: 3200 } }, browser);
      const figure = /** @type {import("playwright-core").Frame} */ (page.frames()[1]);
      await hear(page, "ready");
      if (fragment === small) await hear(page, "finished");
      if (ui.includes("prior")) {
        await find.unfold(figure, find.moreOfPrior);
        await find.fact(figure, "Graphs left").waitFor();
      }
      if (ui.includes("stage")) await openStage(figure);
      const over = () => figure.evaluate(() => {
        const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
        return scrollHeight > clientHeight || scrollWidth > clientWidth ? `${scrollWidth} × ${scrollHeight} in ${clientWidth} × ${clientHeight}` : "";
      });
      /**
       * Waits until no more heights come, the frame has the last one and it has no scroll bars, but no longer than
       * a test is patient, and for so many heights at most. Returns the heights.
       * @param {number} from
       * @param {number} most
       */
      const settled = async (from, most) => {
        /** @type {number[]} */
        let told = [];
        const latest = Date.now() + patience;
        for (let before = -1, fits = false; (before < told.length || !fits) && told.length < most && Date.now() < latest; ) {
          before = told.length;
          await page.waitForTimeout(300);
          told = await page.evaluate(`told.slice(${from})`);
          fits = (await page.evaluate("told.at(-1)")) === (await figure.evaluate("innerHeight")) && (await over()) === "";
        }
        return told;
      };
      await settled(0, 50); // let the page finish its first layout
      const wrong = [];
      for (let width = 320; width <= 1400; width += 90) {
        const from = await page.evaluate("told.length");
        await page.evaluate((width) => document.querySelector("iframe")?.setAttribute("width", String(width)), width);
        await figure.waitForFunction((width) => innerWidth === width, width);
        await figure.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))); // the frame has measured itself
        const told = await settled(from, 10);
        const bars = await over();
        if (told.length > 3 || bars) wrong.push(`${width} px: heights ${told.join()}; ${bars}`);
      }
      assert.deepEqual(wrong, []);
      await close();
    });
  }
});

test("a frame whose height gives its host a scroll bar does not resize for ever", onlyLong, async () => {
  // A scroll bar of the host would take 15 px of the frame's width while the frame is as high as at its full width. The
  // host imitates one at a width where the narrower frame is less high, so that the two heights could alternate.
  const { page, close } = await visit(pageOf("host-bar.html", `${following}${frame("&ui=stage", "v=1&domain=taxi&grid=3x3")}`), { viewport: { width: 1000, height: 3200 } });
  const figure = /** @type {import("playwright-core").Frame} */ (page.frames()[1]);
  await hear(page, "ready");
  await openStage(figure);
  const height = async (/** @type {number} */ width) => {
    await page.evaluate((width) => document.querySelector("iframe")?.setAttribute("width", String(width)), width);
    await page.waitForTimeout(1500);
    return figure.evaluate(() => document.documentElement.getBoundingClientRect().height);
  };
  let [wide, high] = [0, 0];
  for (let width = 700; width <= 900 && !wide; width += 5) if ((high = Math.ceil(await height(width))) > Math.ceil(await height(width - 15))) wide = width;
  assert.ok(wide, "there is a width at which a narrower frame is less high");
  await height(wide + 100);
  const from = (await heard(page)).length;
  await page.evaluate(([wide = 0, high = 0]) => {
    const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
    addEventListener("message", ({ data }) => { if (data.type === "height") frame.width = String(data.height >= high ? wide - 15 : wide); });
    frame.width = String(wide);
  }, [wide, high]);
  await page.waitForTimeout(8000);
  const told = (await heard(page)).slice(from).filter(({ type }) => type === "height").map(({ height }) => height);
  assert.ok(told.length <= 7, told.join());
  await close();
});

test("an embed shows the parts and the theme that its address asks for, at every width", async () => {
  const { page, complaints, close } = await visit(`${site.origin}?embed=1&theme=dark&ui=prior,controls#${small}`, { viewport: { width: 390, height: 800 }, colorScheme: "light" });
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "finished", undefined);
  for (const [selector, visible] of /** @type {const} */ ([[".tools", false], ["#prior", true], ["#agents", false], ["#problem", false], ["#run", true], ["#chart", false], ["#whole", true]])) {
    assert.equal(await page.isVisible(selector), visible, selector);
  }
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(18, 18, 18)");
  assert.equal(await page.getByRole("link", { name: "Open in the C-PSRL playground", exact: true }).getAttribute("href"), `${site.origin}#${small}`);
  for (const [width, forcedColors] of /** @type {const} */ ([[390, "none"], [320, "none"], [1280, "active"]])) {
    await page.emulateMedia({ forcedColors });
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.isVisible(".tools"), false, `${width} px`);
    await seemly(page, `forced colours: ${forcedColors}`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

// The element. Playwright's selectors reach into its shadow root.

const script = () => `<script src="${site.origin}playground.js" defer></script>`;

test("the element's script is at most 3.4 kilobytes; the element shows a picture first, and loads and runs on a click", async () => {
  for (const name of ["playground.js", "playground.mjs"]) {
    const { length } = gzipSync(readFileSync(join(site.folder, name)), { level: 9 });
    assert.ok(length <= 3481, `${name} has ${length} bytes`);
  }
  const { page, complaints, close } = await visit(
    pageOf("element.html", `${script()}<cpsrl-playground preset="fig1-quick" theme="dark" title="Graph"><a href="${site.origin}fig1-quick/">Open</a></cpsrl-playground>`),
  );
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const image = find.runHere(page).getByRole("img", { name: "Graph", exact: true });
  await image.evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  assert.equal(page.frames().length, 1);
  assert.ok(asked.every((url) => url.endsWith("figures/fig1-quick.svg")), asked.join());
  await find.runHere(page).focus();
  await page.keyboard.press("Enter");
  await hear(page, "ready");
  assert.equal((await hear(page, "finished")).stopped, false);
  const frame = page.locator("cpsrl-playground iframe");
  await hasItsHeight(frame);
  assert.ok(await frame.evaluate((frame) => /** @type {ShadowRoot} */ (frame.getRootNode()).activeElement === frame), "the frame has the focus");
  await page.frameLocator("cpsrl-playground iframe").getByRole("heading", { level: 2, name: /example graph/ }).waitFor();
  assert.ok(await page.getByRole("link", { name: "Open", exact: true }).isVisible(), "the link stays");
  assert.deepEqual(complaints, []);
  await close();
});

test("an element of a large experiment says how much it would compute and does not start", async () => {
  const large = "v=1&domain=taxi&episodes=50000&runs=5000";
  const starts = /** @type {[string, (page: Page) => Promise<unknown>][]} */ ([
    [`link="${large.replaceAll("&", "&amp;")}"`, (page) => find.runHere(page).click()],
    ['preset="fig1-quick"', (page) => page.evaluate((large) => { const element = /** @type {any} */ (document.querySelector("cpsrl-playground")); element.show(large); element.run(); }, large)],
  ]);
  for (const [what, start] of starts) {
    const { page, complaints, close } = await visit(pageOf("large.html", `${script()}<cpsrl-playground ${what}></cpsrl-playground>`));
    await find.runHere(page).waitFor();
    await start(page);
    assert.match((await hear(page, "refused")).detail, /more than a page may start by itself/);
    assert.match(await find.noticed(page.frameLocator("cpsrl-playground iframe")), /^This link asks for about .+ of computing in this tab, so it has not started by itself\. Press Run to start\.$/, what);
    assert.ok(!(await heard(page)).some(({ type }) => type === "progress"), what);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("an element accepts only names of presets and fragments, and says what is wrong with any other value", async () => {
  const { page, complaints, close } = await visit(pageOf("hostile.html", `${script()}<cpsrl-playground><a href="#">Open</a></cpsrl-playground>`));
  await find.runHere(page).waitFor();
  const hostile = { preset: ["javascript:void(parent.ran=1)//", "../x", "..", "//example.org/x", "https://example.org/x", "fig1/../docs", "docs", "Fig1", "fig1?", "constructor"], link: ["javascript:void(parent.ran=1)", "https://example.org/#v=1&domain=taxi", "//example.org", "v=1#v=1", "../x"] };
  for (const [name, texts] of Object.entries(hostile)) {
    for (const text of texts) {
      await page.evaluate(([name = "", text = ""]) => document.querySelector("cpsrl-playground")?.setAttribute(name, text), [name, text]);
      const said = page.locator("cpsrl-playground p");
      assert.match((await said.textContent()) ?? "", name === "preset" ? /^There is no preset “[^”]+”: the presets are fig1, [^.]+\.$/ : /^The link names no experiment, such as v=1&domain=figure1\.$/, text);
      assert.equal(await page.locator("cpsrl-playground :is(button, iframe)").count(), 0, text);
      await page.evaluate(() => /** @type {any} */ (document.querySelector("cpsrl-playground")).run());
      assert.equal(page.frames().length, 1, text);
      assert.ok(await page.getByRole("link", { name: "Open", exact: true }).isVisible(), "the link stays");
    }
    await page.evaluate((name) => document.querySelector("cpsrl-playground")?.removeAttribute(name), name);
    await find.runHere(page).waitFor();
  }
  assert.equal(await page.evaluate("globalThis.ran"), undefined);
  // An attribute cannot change another part of the frame's address.
  await page.evaluate(() => {
    const element = /** @type {HTMLElement} */ (document.querySelector("cpsrl-playground"));
    for (const [name, text] of Object.entries({ preset: "fig1", ui: "x&embed=0#y", theme: "dark&embed=0", link: "#v=1&domain=figure1" })) element.setAttribute(name, text);
  });
  await find.runHere(page).click();
  const url = new URL((await page.getAttribute("cpsrl-playground iframe", "src")) ?? "");
  assert.deepEqual([url.origin, url.pathname, [...url.searchParams], url.hash],
    [site.origin.slice(0, -1), "/fig1/", [["embed", "1"], ["theme", "dark&embed=0"], ["ui", "x&embed=0#y"]], "#v=1&domain=figure1"]);
  await find.until(async () => complaints.length > 0, "the frame warns");
  assert.deepEqual(complaints.map((words) => /^console warning: .* asks for unknown parts: “x&embed=0#y”\./.test(words)), [true]);
  await close();
});

test("the element's script may be a module and may be loaded more than once", async () => {
  const module = `<script type="module" src="${site.origin}playground.js"></script>`;
  const imported = `<script type="module">import "${site.origin}playground.mjs"</script>`;
  for (const scripts of [module, imported, script() + script(), script() + imported + module]) {
    const { page, complaints, close } = await visit(pageOf("scripts.html", `${scripts}<cpsrl-playground preset="fig1"></cpsrl-playground>`));
    assert.equal(await page.getAttribute("cpsrl-playground img", "src"), `${site.origin}figures/fig1.svg`);
    await page.waitForLoadState();
    assert.equal(await find.runHere(page).count(), 1);
    assert.deepEqual(complaints, [], scripts);
    await close();
  }
  const { complaints, close } = await visit(pageOf("wrong.html", `<script type="module">import "${site.origin}playground.js"</script>`));
  await find.becomes(async () => complaints, ["exception: cpsrl-playground: import playground.mjs instead"], "the exception");
  await close();
});

test("an element with a link has a picture of its problem, if its domain is known", async () => {
  const links = ["v=1&domain=taxi&grid=3x3", "#v=1&prior=none&domain=random-fmdp&runs=2", "v=1&domain=figure1", "v=1&model=x&domain=model"];
  const { page, complaints, close } = await visit(pageOf("problems.html", [script(), ...links.map((link) => `<cpsrl-playground link="${link.replaceAll("&", "&amp;")}">A figure</cpsrl-playground>`), '<cpsrl-playground link="v=1">Bare</cpsrl-playground>'].join("")));
  await page.waitForLoadState();
  for (const image of await page.locator("cpsrl-playground img").all()) {
    await image.scrollIntoViewIfNeeded();
    await find.until(() => image.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 0), "it is drawn");
  }
  const pictures = await page.locator("cpsrl-playground img").evaluateAll((all) => all.map((image) => `${image.getAttribute("src")} ${image.getAttribute("alt")}`));
  assert.deepEqual(pictures, ["taxi", "random-fmdp", "figure1", "model"].map((domain) => `${site.origin}figures/problem-${domain}.svg A figure`));
  assert.equal(await page.getByText("Bare", { exact: true }).first().isVisible(), true);
  assert.deepEqual(complaints, []);
  await close();
});

test("an element without a picture shows its title and what it is instead", async () => {
  for (const [what, title] of /** @type {const} */ ([['link="v=1" title="My &lt;b&gt; prior"', "My <b> prior"], ['link="v=1" preset="fig1"', "Open"], ['preset="fig1" poster="/nothing.svg"', "Open"]])) {
    const { page, close } = await visit(pageOf("blank.html", `${script()}<div style="width: 720px"><cpsrl-playground ${what}><a href="#">Open</a></cpsrl-playground></div>`));
    const blank = page.locator("cpsrl-playground .blank");
    assert.equal(await blank.innerText(), `${title}\nCausal PSRL, computed in this page`);
    const { width, height } = (await blank.boundingBox()) ?? { width: 0, height: 0 };
    assert.deepEqual([width, height], [720, 405], "as large as a picture");
    assert.equal(await page.locator("cpsrl-playground img").count(), 0);
    await seemly(page, what, "cpsrl-playground");
    await close();
  }
});

test("an element follows its attributes", async () => {
  const { page, complaints, close } = await visit(pageOf("attributes.html", `${script()}<cpsrl-playground preset="fig1" title="One"></cpsrl-playground>`));
  const set = (/** @type {Record<string, string>} */ attributes) => page.evaluate((attributes) => {
    for (const [name, text] of Object.entries(attributes)) document.querySelector("cpsrl-playground")?.setAttribute(name, text);
  }, attributes);
  const image = (/** @type {string} */ name) => page.getAttribute("cpsrl-playground img", name);
  await page.waitForSelector("cpsrl-playground img");
  await set({ preset: "fig2c", title: "Two" });
  assert.deepEqual([await image("src"), await image("alt")], [`${site.origin}figures/fig2c.svg`, "Two"]);
  await set({ poster: "data:," });
  assert.equal(await find.runHere(page).getByRole("strong").textContent(), "Two", "the title stands in place of a picture that cannot be read");
  await find.runHere(page).click();
  await hear(page, "ready");
  const shown = () => page.frameLocator("cpsrl-playground iframe").locator("html");
  await set({ theme: "dark", title: "Three" });
  await shown().and(page.frameLocator("cpsrl-playground iframe").locator("[data-theme=dark]")).waitFor();
  await page.evaluate(() => /** @type {any} */ (document.querySelector("cpsrl-playground")).setTheme("light"));
  await page.frameLocator("cpsrl-playground iframe").locator("html[data-theme=light]").waitFor();
  assert.equal(await page.getAttribute("cpsrl-playground iframe", "title"), "Three");
  assert.equal((await heard(page)).filter(({ type }) => type === "ready").length, 1, "the frame is the same");
  const from = (await heard(page)).length;
  const back = await page.evaluate(() => history.length);
  await set({ preset: "", link: `#${small}`, ui: "controls" });
  const { link } = await hear(page, "state", from);
  assert.equal(link, small);
  await hear(page, "finished", from); // a link within the budget runs by itself
  assert.equal((await heard(page)).slice(from).filter(({ type }) => type === "ready").length, 1, "three changes load the frame once");
  assert.equal(await shown().getAttribute("data-embed"), "controls");
  assert.equal(await page.evaluate(() => history.length), back, "the frame adds nothing to the host's history");
  await set({ link: "../x" });
  await page.waitForSelector("cpsrl-playground p");
  assert.equal(await page.locator("cpsrl-playground iframe").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("an element obeys its methods, and dispatches only the messages of its own frame", async () => {
  const { page, complaints, close } = await visit(pageOf("driven.html", `${script()}
    <cpsrl-playground link="v=1&amp;agents=c-psrl&amp;domain=taxi&amp;grid=3x3&amp;episodes=60&amp;runs=400"></cpsrl-playground><cpsrl-playground link="${small.replaceAll("&", "&amp;")}"></cpsrl-playground>`), { before: linger });
  await find.runHere(page).nth(1).waitFor(); // both elements are there
  await page.evaluate(() => {
    const all = /** @type {any} */ (globalThis);
    all.events = [];
    const [first, second] = document.querySelectorAll("cpsrl-playground");
    for (const type of ["ready", "state", "progress", "finished", "refused", "done", "height"]) {
      first?.addEventListener(type, (event) => all.events.push(/** @type {CustomEvent} */ (event).detail));
      second?.addEventListener(type, () => all.events.push("of the second"));
    }
    all.first = first;
    all.first.run();
  });
  const event = async (/** @type {string} */ type, from = 0) => (await page.waitForFunction(([type, from]) =>
    /** @type {any} */ (globalThis).events.slice(from).find((/** @type {any} */ e) => e.type === type), /** @type {const} */ ([type, from]))).jsonValue();
  for (const type of ["ready", "state", "progress"]) assert.ok(fits(schema.$defs.event, await event(type)), type);
  await page.evaluate("first.pause()");
  const paused = await rest(page);
  assert.equal((await event("done")).cpsrl, 1);
  await page.evaluate("first.run()");
  await hear(page, "progress", paused);
  // Commands that come together are obeyed one after the other.
  let from = await page.evaluate("events.length");
  await page.evaluate((link) => { const { first } = /** @type {any} */ (globalThis); first.show(link); first.run(); }, small);
  await page.waitForFunction((from) => /** @type {any} */ (globalThis).events.slice(from).some((/** @type {any} */ e) => e.type === "finished" && e.runs === 3 && !e.stopped && e.link.endsWith("runs=3")), from);
  from = await page.evaluate("events.length");
  await page.evaluate('first.show("v=9&domain=taxi")');
  assert.match((await event("refused", from)).detail, /version "9"/);
  // Messages from other windows are ignored.
  from = await page.evaluate("events.length");
  await page.evaluate(() => {
    for (const type of ["ready", "finished", "height"]) postMessage({ cpsrl: 1, type, height: 7 }, "*");
    const frame = document.body.appendChild(document.createElement("iframe"));
    /** @type {any} */ (frame.contentWindow).eval('parent.postMessage({ cpsrl: 1, type: "finished" }, "*")');
  });
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate("events.length"), from);
  // An element that is removed does not run, and shows its picture when it is put back.
  await page.evaluate(() => { const { first } = /** @type {any} */ (globalThis); first.remove(); first.run(); document.body.append(first); });
  assert.equal(await find.runHere(page).count(), 2);
  assert.deepEqual(complaints, []);
  await close();
});

test("the properties of an element are its attributes, also those that were set before its script", async () => {
  const { page, complaints, close } = await visit(pageOf("properties.html", '<cpsrl-playground preset="fig1"></cpsrl-playground>'));
  const of = (/** @type {string} */ expression) => page.evaluate(`(() => { const element = document.querySelector("cpsrl-playground"); return ${expression}; })()`);
  await of('Object.assign(element, { preset: "eta", inline: true, heading: "Set early" })');
  await page.addScriptTag({ url: `${site.origin}playground.js` });
  await find.runHere(page).waitFor();
  assert.deepEqual(await of('[element.getAttribute("preset"), element.hasAttribute("inline"), element.getAttribute("heading"), Object.keys(element)]'), ["eta", true, "Set early", []]);
  for (const name of ["preset", "link", "theme", "ui", "heading", "poster"]) {
    assert.deepEqual(await of(`[element.${name} = "", element.${name} = "data:,", element.getAttribute("${name}"), element.${name}]`), ["", "data:,", "data:,", "data:,"], name);
    assert.deepEqual(await of(`(element.${name} = null, [element.getAttribute("${name}"), element.${name}])`), [null, ""], name);
  }
  assert.deepEqual(await of('[element.inline = false, element.hasAttribute("inline"), element.inline]'), [false, false, false]);
  // The heading is a key of the frame's link, for a link and for a preset.
  const src = async (/** @type {object} */ properties) => {
    await of(`(element.stop(), Object.assign(element, ${JSON.stringify({ preset: "", link: "", ...properties })}), element.open())`);
    return new URL((await page.getAttribute("cpsrl-playground iframe", "src")) ?? "").hash;
  };
  assert.equal(await src({ link: `#${small}`, heading: "50% & more" }), `#${small}&heading=50%25%20%26%20more`);
  assert.equal(await src({ link: `${small}&heading=Own` }), `#${small}&heading=Own`);
  assert.equal(await src({ preset: "fig1-quick" }), "#heading=50%25%20%26%20more");
  // The frames before it may have told of their links, of which one has this heading, too.
  const completed = (/** @type {any} */ { type, link }) => type === "state" && /^v=\d&.*heading=50%25%20%26%20more/.test(link) && !link.endsWith("&episodes=20&runs=3");
  await find.until(async () => (await heard(page)).some(completed), "the page completes it by the preset's link");
  assert.deepEqual(complaints, []);
  await close();
});

test("an element says in an event what it cannot show, and the window hears nothing of it", async () => {
  elsewhere.set("/alone/playground.js", ["text/javascript", readFileSync(join(site.folder, "playground.js"), "utf8")]);
  const { page, close } = await visit(pageOf("alone/errors.html", '<script src="playground.js"></script><cpsrl-playground></cpsrl-playground>'), {
    before: () => {
      const all = /** @type {any} */ (globalThis);
      all.errors = [];
      addEventListener("error", () => all.errors.push("window"));
      document.addEventListener("DOMContentLoaded", () => {
        document.querySelector("cpsrl-playground")?.addEventListener("error", (event) => all.errors.push(/** @type {CustomEvent} */ (event).detail));
      });
    },
  });
  const errors = (/** @type {number} */ count) => find.until(async () => (await page.evaluate("errors.length")) === count, `${count} errors`);
  const last = () => page.evaluate("errors.at(-1)");
  const set = (/** @type {object} */ properties) => page.evaluate((properties) => void Object.assign(/** @type {object} */ (document.querySelector("cpsrl-playground")), properties), properties);
  await set({ preset: "fig9" });
  await errors(1);
  assert.match((await last()).detail, /^There is no preset “fig9”/);
  await set({ preset: "", link: "nonsense" });
  await errors(2);
  assert.deepEqual(await last(), { type: "error", detail: "The link names no experiment, such as v=1&domain=figure1." });
  await page.evaluate('document.querySelector("cpsrl-playground").run()');
  await errors(3); // a command that is lost says so, too
  await set({ link: small });
  await page.evaluate('document.querySelector("cpsrl-playground").open()');
  await errors(4);
  assert.equal((await last()).detail, `The playground could not be loaded: ${host}alone/ does not answer.`);
  await set({ inline: true });
  await page.locator("cpsrl-playground p").waitFor();
  await errors(5);
  assert.match((await last()).detail, /^The playground could not be loaded: /);
  assert.ok(!(await page.evaluate("errors.includes('window')")));
  await close();
});

test("a page styles the parts of an element and of the playground in it", async () => {
  const { page, complaints, close } = await visit(pageOf("parts.html", `${script()}<style>
    cpsrl-playground { --playground-radius: 9px; --playground-height: 333px }
    cpsrl-playground::part(call) { color: rgb(1, 2, 3) }
    cpsrl-playground::part(poster) { opacity: 0.5 }
    cpsrl-playground::part(frame) { margin-top: 7px }
    cpsrl-playground::part(experiment) { outline: 3px solid rgb(4, 5, 6) }
    </style><cpsrl-playground preset="fig1-quick"></cpsrl-playground>`));
  const style = (/** @type {string} */ selector, /** @type {string} */ name) => page.locator(`cpsrl-playground ${selector}`).first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
  assert.deepEqual([await style(".call", "color"), await style(".call", "border-radius"), await style("img", "opacity")], ["rgb(1, 2, 3)", "9px", "0.5"]);
  const height = await page.evaluate(() => {
    const element = /** @type {any} */ (document.querySelector("cpsrl-playground"));
    element.open();
    return getComputedStyle(element.shadowRoot.querySelector("iframe")).height; // before the frame says its own
  });
  assert.deepEqual([await style("iframe", "margin-top"), height], ["7px", "333px"]);
  await page.evaluate('document.querySelector("cpsrl-playground").inline = true');
  await page.locator("cpsrl-playground #experiment").waitFor();
  assert.equal(await style(".figure", "outline-color"), "rgb(4, 5, 6)");
  assert.deepEqual(complaints, []);
  await close();
});

test("a server may import the element's module", async () => {
  const { PlaygroundElement } = await import(pathToFileURL(join(site.folder, "playground.mjs")).href);
  assert.equal(typeof PlaygroundElement, "function");
});

// The client, which runs in the page: each test is the body of an async function there.

/** @param {string} name */
const clientPage = (name) => pageOf(name, `<div id="place" style="width: 900px"></div><script type="module">import { embed } from "${site.origin}playground.mjs"; Object.assign(globalThis, { embed, place: document.getElementById("place") });</script>`);
/** Runs the body of an async function in a page with the client. @param {Page} page @param {string} body @returns {Promise<any>} */
const within = (page, body) => page.evaluate(`(async () => { ${body} })()`);
/** The sentence with which a promise rejects. */
const why = "const why = (promise) => promise.then(() => 'no refusal', ({ message }) => message);";

for (const inline of [false, true]) {
  test(`a client ${inline ? "of a playground in the page" : "of a frame"} shows, runs and reads an experiment, and frees everything`, async () => {
    const { page, complaints, close } = await visit(clientPage(`client-${inline}.html`));
    await page.waitForFunction("globalThis.embed");
    const first = await within(page, `
      globalThis.p = await embed(place, { preset: "fig1-quick", parts: ["experiment", "controls"], theme: "dark", title: "Figure", inline: ${inline} });
      const { link } = p.state;
      const { format, series, runs } = await p.summary(); // the precomputed figure
      return { link, format, runs, agents: [...new Set(series.map(({ agent }) => agent))], ui: p.element.ui };`);
    assert.deepEqual({ ...first, runs: first.runs > 1 }, { link: first.link, format: "cpsrl/figure", runs: true, agents: first.agents, ui: "experiment,controls" });
    assert.match(first.link, /^v=\d&.*domain=figure1/);
    assert.ok(first.agents.includes("c-psrl"), first.agents.join());

    const spec = { format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, agents: ["psrl", "c-psrl"], episodes: 20, runs: 3, seed: 5 };
    const second = await within(page, `
      let heard = 0;
      const remove = p.on("progress", () => heard++);
      await p.show({ spec: ${JSON.stringify(spec)} });
      const { link } = p.state;
      const finished = await p.run();
      remove();
      const before = heard;
      const summary = await p.summary();
      const svg = await p.svg();
      await p.show("${small}&seed=6");
      await p.run();
      return { link, finished, summary, svg, told: before > 0 && heard === before };`);
    assert.match(second.link, /episodes=20&runs=3&seed=5$/, "the state is known when show is done");
    assert.deepEqual([second.finished.runs, second.finished.stopped, second.finished.engine], [3, false, golden.engine]);
    assert.equal(second.summary.fingerprint, second.finished.fingerprint);
    const { mean, lo, hi } = second.summary.series.find((/** @type {any} */ { agent, base, measure }) => agent === "c-psrl" && base === undefined && measure === "cumulative-regret");
    assert.deepEqual([second.summary.runs, second.summary.episodes.length, mean.length, lo.length, hi.length], [3, 20, 20, 20, 20]);
    assert.ok(lo[19] < mean[19] && mean[19] < hi[19]);
    assert.match(second.svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg".*C-PSRL.*<\/svg>\s*$/s);
    assert.ok(second.told, "a remover ends the listening");

    const ends = await within(page, `${why}
      const refusals = [];
      for (const what of ["v=9&domain=taxi", { preset: "fig9" }, { spec: { format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: -1 } }]) refusals.push(await why(p.show(what)));
      const pending = why(p.tell({ type: "state", link: "${small}" }));
      p.stop();
      return { refusals, ended: [await pending, await why(p.run()), await why(p.summary())], left: place.childElementCount };`);
    assert.match(ends.refusals[0], /version "9"/);
    assert.match(ends.refusals[1], /^there is no preset "fig9": the presets are fig1, /);
    assert.match(ends.refusals[2], /^\/episodes of the spec: -1 is out of range/);
    assert.deepEqual(ends, { refusals: ends.refusals, ended: Array(3).fill("the playground is no longer there"), left: 0 });
    await find.until(async () => page.workers().length === 0 && page.frames().length === 1, "no worker and no frame is left");
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("a client rejects if its playground cannot be loaded, is removed or is replaced", async () => {
  const { page, close } = await visit(clientPage("client-ends.html"));
  await page.waitForFunction("globalThis.embed");
  const said = await within(page, `${why}
    const wrong = [await why(embed(place, { preset: "fig9" })), await why(embed(place, { link: "nonsense" }))];
    const p = await embed(place, { link: "${small}", parts: ["prior"] });
    const nothing = [await why(p.summary()), await why(p.run())];
    const replaced = why(p.tell({ type: "theme", theme: "dark" }));
    p.element.link = "${small}&seed=2";
    const ready = new Promise((resolve) => p.on("ready", resolve));
    const first = await replaced;
    await ready;
    const removed = why(p.show("${small}"));
    place.replaceChildren();
    return { wrong, nothing, ended: [first, await removed] };`);
  assert.match(said.wrong[0], /^There is no preset “fig9”/);
  assert.match(said.wrong[1], /^The link names no experiment/);
  assert.deepEqual(said.nothing, ["the experiment is not among the parts that are shown", "neither the experiment nor its controls are among the parts that are shown"]);
  assert.deepEqual(said.ended, Array(2).fill("the playground is no longer there"));
  await close();
});

test("a client gives a heading to a preset, a link and a spec, and to what it shows next", async () => {
  const { page, close } = await visit(clientPage("client-heading.html"));
  await page.waitForFunction("globalThis.embed");
  for (const inline of [false, true]) {
    for (const what of ['preset: "fig1-quick"', `link: "${small}"`, 'spec: { format: "cpsrl/spec", version: 2, domain: { name: "figure1" }, episodes: 20, runs: 2 }']) {
      const links = await within(page, `
        const p = await embed(place, { ${what}, heading: "50% & more", inline: ${inline} });
        const first = p.state.link;
        await p.show({ preset: "taxi3", heading: "Another" });
        const links = [first, p.state.link];
        p.stop();
        return links;`);
      assert.deepEqual(links.map((/** @type {string} */ link) => ["domain", "heading"].map((key) => new URLSearchParams(link).get(key))), [["figure1", "50% & more"], ["taxi", "Another"]], what);
    }
  }
  await close();
});
