// What the browser tests share: a server of dist/ on loopback, which serves it from the root
// and from a sub-path, and Debian's Chromium.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import * as find from "./finds.mjs";
import { patience } from "./patience.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The fingerprint of each quick preset. Every host of the engine must produce it. */
export const golden = /** @type {{engine: number, presets: Record<string, string>}} */ (
  JSON.parse(readFileSync(join(root, "core/experiment/testdata/golden.json"), "utf8"))
);

/** The sub-path that holds a second copy of the site. */
export const subPath = "some/sub/path/";

/**
 * Flags that save time in tests. Chromium paints pages without WebGL: SwiftShader would take more time for painting than
 * the tests take for everything else. All pages of a context and a site have one process, which compiles a program once.
 */
const thrifty = ["--disable-gpu-rasterization", "--disable-gpu-compositing", "--process-per-site"];

/** The flag with which Chromium compiles WebAssembly by its fast compiler alone. In short visits the optimizing compiler costs more time than it saves. */
export const hasty = "--js-flags=--liftoff-only";

/**
 * The options that start Chromium. Without its own windows, Chromium would draw letters in a canvas otherwise than in SVG,
 * unless it hints no font.
 * @param {Record<string, string>} env additions to its environment
 * @param {string[]} flags more flags
 */
const options = (env = {}, flags = thrifty) => ({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  timeout: patience,
  env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  args: [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--font-render-hinting=none",
    ...flags,
  ],
});

/** The pages run so many times slower than this machine: SLOW=4 finds the tests that do not wait for what they read. */
const slow = Number(process.env["SLOW"] ?? 1);
if (!(slow >= 1)) throw new Error(`SLOW is ${process.env["SLOW"]}, but must be a number of at least 1`);

/** Slows down a context's pages, and delays every response of the server and every message to the engine. @param {import("playwright-core").BrowserContext} context */
async function hinder(context) {
  context.on("page", async (page) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
  });
  await context.route("**", async (route) => {
    await new Promise((later) => setTimeout(later, 50 * slow));
    await route.fallback().catch(() => {}); // the page may have been closed
  });
  await context.addInitScript(late, 100 * slow);
}

/** Makes the engine slow to answer: delays each message to a worker by a random time of at most so many milliseconds. @param {number} most */
function late(most) {
  if (typeof Worker === "undefined") return;
  const { postMessage } = Worker.prototype;
  /** @type {WeakMap<Worker, any[]>} */
  const queues = new WeakMap();
  Worker.prototype.postMessage = function (/** @type {any[]} */ ...message) {
    const queue = queues.get(this) ?? [];
    queues.set(this, queue);
    const send = () => {
      postMessage.apply(this, queue[0]);
      queue.shift();
      if (queue.length > 0) setTimeout(send, Math.random() * most);
    };
    if (queue.push(message) === 1) setTimeout(send, Math.random() * most);
  };
}

/**
 * Gives every context of a browser a long timeout, because a busy machine is slow and slowness is no failure. Service
 * workers are blocked, because each would keep a copy of the whole site; only offline.test.mjs allows them.
 * @param {import("playwright-core").Browser} browser
 */
function patient(browser) {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext({ serviceWorkers: "block", ...options });
    context.setDefaultTimeout(patience);
    if (slow > 1) await hinder(context);
    return context;
  };
  return browser;
}

/**
 * Starts Chromium.
 * @param {{env?: Record<string, string>, flags?: string[], ignoreDefaultArgs?: string[]}} how
 *   env: additions to its environment; flags: more flags; ignoreDefaultArgs: flags of Playwright to leave out
 */
export const launch = async ({ env, flags = [], ...more } = {}) => patient(await chromium.launch({ ...options(env, [...thrifty, ...flags]), ...more }));

/** Serves a copy of dist/ from the root and from a sub-path. @param {string} program the path of the built server */
async function serve(program) {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-site-"));
  const dist = process.env["DIST"] ?? join(root, "dist");
  cpSync(dist, folder, { recursive: true });
  cpSync(dist, join(folder, subPath), { recursive: true });
  /** @param {string} port */
  async function listenOn(port) {
    const server = spawn(program, ["-dir", folder, "-port", port], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: server.stdout })) return { server, origin: line.trim() };
    throw new Error(`the server ended before it listened on port ${port}`);
  }
  let { server, origin } = await listenOn("0");
  return {
    origin,
    /** The folder that is served. */
    folder,
    /** Ends the server, as if the network were gone. */
    unplug: () => void server.kill(),
    /** Starts the server again on its old port, as if the network were back. */
    async plug() {
      ({ server } = await listenOn(new URL(origin).port));
    },
    remove() {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function buildServer() {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-serve-"));
  const program = join(folder, "serve");
  execFileSync("go", ["build", "-o", program, "./site"], { cwd: root });
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * What a test file needs to know of the browser and the server that it shares with other files (host.mjs).
 * @typedef {{endpoint: string, origin: string, folder: string, program: string}} Host
 */

/** Starts the browser and the server that several files share. @param {() => void} ended is called if the browser ends by itself */
export async function share(ended) {
  const { program, remove } = buildServer();
  const site = await serve(program);
  const browser = await chromium.launchServer(options({}, [...thrifty, hasty]));
  browser.on("close", ended);
  return {
    host: /** @type {Host} */ ({ endpoint: browser.wsEndpoint(), origin: site.origin, folder: site.folder, program }),
    async stop() {
      browser.off("close", ended);
      await browser.close();
      site.remove();
      remove();
    },
  };
}

/** The shared browser and server, if there are any. */
const host = /** @type {Host | undefined} */ (process.env["TEST_HOST"] && JSON.parse(process.env["TEST_HOST"]));

/** A browser and a server of dist/: the shared ones, or new ones if nothing is shared or the flags differ. @param {string[]} [flags] */
export async function start(flags) {
  if (!host || flags) return startAlone(flags);
  const { origin, folder } = host;
  const browser = patient(await chromium.connect(host.endpoint));
  return { origin, folder, browser, stop: () => browser.close() };
}

/** A server of dist/ for this file alone, for tests in other browsers. */
export async function serveAlone() {
  const { program, remove } = host ? { program: host.program, remove() {} } : buildServer();
  const site = await serve(program);
  return {
    ...site,
    stop() {
      site.remove();
      remove();
    },
  };
}

/** A browser and a server of dist/ for this file alone, for tests that end the server or change what it serves. @param {string[]} [flags] */
export async function startAlone(flags) {
  const site = await serveAlone();
  const browser = host && !flags ? patient(await chromium.connect(host.endpoint)) : patient(await chromium.launch(options({}, flags)));
  return {
    ...site,
    browser,
    async stop() {
      await browser.close();
      site.stop();
    },
  };
}

/**
 * Collects a page's console messages and exceptions. A page should have none.
 * @param {import("playwright-core").Page} page
 */
export function listen(page) {
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => {
    if (message.text() === "Service Worker registration blocked by Playwright") return;
    if (/^\[\.WebGL-\w+\]GL Driver Message .* GPU stall due to ReadPixels/.test(message.text())) return; // a remark of the browser, which paints pages without WebGL
    complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  return complaints;
}

/** Opens the drawers of the prior, the numbers and the settings in every document, so that a test need not. */
const unfold = () => addEventListener("DOMContentLoaded", () => {
  for (const drawer of document.querySelectorAll("#prior-more, #about, #more-view, #settings > details")) if (drawer instanceof HTMLDetailsElement) drawer.open = true;
});

/**
 * The context that the visits of a file share, and a page of it that stays open. The page's process keeps the compiled
 * programs, so that a visit takes half the time. Pages are opened one after the other: `last` is the last of them.
 * @typedef {{context: import("playwright-core").BrowserContext, keeper: import("playwright-core").Page, last: Promise<unknown>}} Home
 */

/** @type {WeakMap<import("playwright-core").Browser, Promise<Home>>} */
const homes = new WeakMap();

/** @param {import("playwright-core").Browser} browser @param {string} origin @returns {Promise<Home>} */
async function makeHome(browser, origin) {
  const context = await browser.newContext();
  const keeper = await context.newPage();
  await keeper.emulateMedia({ reducedMotion: "reduce" });
  await keeper.addInitScript(lend);
  await keeper.goto(origin);
  await reach(keeper, "ready");
  return { context, keeper, last: Promise.resolve() };
}

/**
 * Keeps each compiled program in the page that stays open, and takes it from there, so that the pages that it has opened and
 * their frames need not read and compile the program again. The file must be there nevertheless.
 */
function lend() {
  /** @type {Map<string, WebAssembly.Module>} */
  let programs;
  try {
    const keeper = /** @type {any} */ (top?.opener ?? top);
    programs = keeper.programs ??= new Map();
  } catch {
    return; // a sandboxed frame, or one in a page of another origin
  }
  const { compileStreaming } = WebAssembly;
  WebAssembly.compileStreaming = async (source) => {
    const response = await source;
    const name = response.url.slice(response.url.lastIndexOf("/") + 1);
    const known = response.ok && programs.get(name);
    if (known) {
      await response.body?.cancel();
      return structuredClone(known);
    }
    const program = await compileStreaming(response);
    programs.set(name, program);
    return program;
  };
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const module = await WebAssembly.compileStreaming(source);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

/**
 * Opens an empty page in the process of the page that stays open. Playwright's own new page would have a process of its own
 * until it shows the site.
 * @param {Home} home
 */
function openFrom(home) {
  const opened = home.last.then(async () => {
    const popup = home.keeper.waitForEvent("popup");
    await home.keeper.evaluate(() => void globalThis.open("about:blank"));
    return popup;
  });
  home.last = opened.catch(() => {}); // the visit reports the error
  return opened;
}

/**
 * What a visit asks of its page. A fresh visit has a context of its own, as a new profile has; so has a visit with options
 * that Playwright has for contexts only. All other visits share a context; closing one empties its storage.
 * @typedef {import("playwright-core").BrowserContextOptions & {fresh?: boolean}} Visit
 */

/** Lets the prior begin with the matrix, as for someone who has chosen it before in this tab. A test of the graph chooses the graph. */
function matrixFirst() {
  try {
    sessionStorage.getItem("prior-view") ?? sessionStorage.setItem("prior-view", "matrix");
  } catch {
    // The page remembers nothing either.
  }
}

/**
 * Makes the page of a visit.
 * @param {import("playwright-core").Browser} browser
 * @param {string} origin the site's
 * @param {Visit} visit
 * @param {(string | (() => void))[]} scripts scripts that run first in each document
 */
export async function newPage(browser, origin, { fresh = false, viewport = { width: 1280, height: 900 }, colorScheme = "light", reducedMotion = "no-preference", forcedColors = "none", ...own }, scripts) {
  const shares = !fresh && Object.keys(own).length === 0;
  if (shares && !homes.has(browser)) homes.set(browser, makeHome(browser, origin));
  const home = shares ? await homes.get(browser) : undefined;
  const context = home?.context ?? (await browser.newContext({ viewport, ...own }));
  const page = await (home ? openFrom(home) : context.newPage());
  const pages = new Set([page]);
  page.on("popup", (popup) => pages.add(popup));
  if (viewport && home) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion, forcedColors });
  for (const script of [matrixFirst, ...(home ? [lend] : []), ...scripts]) await page.addInitScript(script);
  return {
    page,
    async close() {
      if (!home) return context.close();
      for (const page of pages) await page.close();
      await home.keeper.evaluate(() => {
        localStorage.clear();
        return Promise.all(["cpsrl", "cpsrl-problems"].map((name) => new Promise((done) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: done, onblocked: done }))));
      });
    },
  };
}

/**
 * Opens the page and collects what must not happen: console messages, exceptions,
 * failed requests and requests to another origin.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {Visit & {until?: string[], before?: string | (() => void), folded?: boolean}} options
 *   until: the states to wait for; before: a script that runs first in each document; folded: leave the drawers closed
 */
export async function open(browser, url, { until = ["ready"], before, folded = false, ...options } = {}) {
  const { origin } = new URL(url);
  const { page, close } = await newPage(browser, origin, options, [...(folded ? [] : [unfold]), ...(before ? [before] : [])]);
  const complaints = listen(page);
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") complaints.push(`failed: ${request.url()}: ${reason}`); // a request is aborted when its page is left
  });
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${origin}/`) && !to.startsWith("data:") && !to.startsWith(`blob:${origin}/`)) complaints.push(`request to ${to}`);
  });
  await page.goto(url);
  await reach(page, ...until);
  return { page, complaints, close };
}

/**
 * Waits until the page is in one of the states.
 * @param {import("playwright-core").Page} page
 * @param {...string} states
 */
export async function reach(page, ...states) {
  await page.waitForFunction((wanted) => wanted.includes(document.documentElement.dataset["state"] ?? ""), [...states, "failed"]);
  const state = await page.evaluate(() => document.documentElement.dataset["state"]);
  if (state === "failed" && !states.includes("failed")) throw new Error(`the page failed: ${await find.failure(page).textContent()}`);
  return state;
}

/** A file with a model that no link can hold. */
export function largeModel() {
  const rows = Array.from({ length: 200 }, (_, row) => Array.from({ length: 40 }, (_, k) => 1 + Math.abs(Math.sin(40 * row + k))));
  const p = rows.map((row) => row.map((value) => value / row.reduce((sum, other) => sum + other)));
  const model = {
    format: "cpsrl/model", version: 1, name: "a large model", horizon: 3, state: [{ name: "a", size: 40 }, { name: "b", size: 5 }], action: [{ name: "move", size: 2 }], initial: "uniform",
    transition: [{ of: "a", given: ["a", "b"], p }, { of: "b", given: ["move"], p: [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]] }], reward: [],
  };
  return { name: "large.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(model)) };
}

/**
 * A script for a page: while window.hold is set, window.held keeps what the page asks its workers about forms, priors, traces and logs.
 * window.release() sends it.
 */
export function holdRequests() {
  const all = /** @type {any} */ (window);
  const { postMessage } = Worker.prototype;
  all.held = [];
  all.release = () => {
    all.hold = false;
    for (const send of all.held.splice(0)) send();
  };
  Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
    const send = () => postMessage.call(this, message, transfer);
    if (all.hold && /^\/v1\/(check|trace|prior|posterior)/.test(message.path ?? "")) all.held.push(send);
    else send();
  };
}

/**
 * Holds back files that the page requests, until the returned function is called.
 * @param {import("playwright-core").Page} page @param {string | RegExp} files
 */
export async function holdFiles(page, files) {
  let release = () => {};
  const released = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route(files, async (route) => {
    await released;
    await route.continue().catch(() => {}); // the page may have been left
  });
  return release;
}

/** Makes the page's clock 30 times too fast from the first progress of a run on, so that every run seems slow, but not the start of its workers. */
export function hasten() {
  const now = performance.now.bind(performance);
  let begun = Infinity;
  performance.now = () => {
    const time = now();
    const bar = document.getElementById("progress");
    if (begun === Infinity && bar instanceof HTMLProgressElement && bar.value > 0) begun = time;
    return time + 29 * Math.max(0, time - begun);
  };
}

/** Makes the page's clock 5 times too slow, so that on a busy machine a run that started by itself does not soon ask whether it may go on. */
export function linger() {
  const now = performance.now.bind(performance);
  performance.now = () => now() / 5;
}

/** Takes WebGL from a document, so that the stage draws its pictures as SVG, which a test can read. */
export function noWebGL() {
  const get = HTMLCanvasElement.prototype.getContext;
  // @ts-expect-error: this one function stands for all signatures of getContext
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : get.call(this, kind, ...rest);
  };
}

/**
 * Starts the shown experiment by the button Run. Such a run never asks whether it may go on; on a busy machine, a run that
 * started by itself might.
 * @param {import("playwright-core").Page} page
 */
export async function runByHand(page) {
  await stopAtOnce(page);
  await find.run(page).click();
}

/** Presses Stop, unless nothing runs any more: between a look at the page and a press of Playwright the run might end. @param {import("playwright-core").Page} page */
export async function stopAtOnce(page) {
  const ends = await page.evaluate(() => {
    document.getElementById("stop")?.click(); // which does nothing if it is disabled
    return document.documentElement.dataset["state"] === "running";
  });
  if (ends) await reach(page, "stopped", "finished");
}

/** Waits until the page has drawn its chart for its present state. @param {import("playwright-core").Page} page */
export const drawn = (page) => page.waitForSelector("#chart:not([aria-busy]):not([data-still]) > svg");

/** Gives the window a size, and waits until the page has measured itself. @param {import("playwright-core").Page} page @param {{width: number, height: number}} size */
export async function sized(page, size) {
  await page.setViewportSize(size);
  await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
}

/** Gives the window a size, and waits until the page has drawn what follows from it. @param {import("playwright-core").Page} page @param {{width: number, height: number}} size */
export async function resize(page, size) {
  await sized(page, size);
  await drawn(page);
}

/** The number of the chart's curves, or of another kind of mark ("ghost", "run", "dot"). @param {import("playwright-core").Page} page */
export async function count(page, kind = "curve") {
  await drawn(page);
  return page.locator(`#chart path.${kind}`).count();
}

/**
 * Waits until the chart shows at least so many completed runs of the running experiment. The runs of
 * a precomputed figure do not count. Then: the id of a button that the page presses in the same moment.
 * @param {import("playwright-core").Page} page
 * @param {number} least
 * @param {string} [then]
 */
export const runsDrawn = (page, least = 2, then) =>
  page.waitForFunction(({ least, then }) => {
    const [, runs] = /n\s=\s(\d+) runs/.exec(document.getElementById("caption")?.textContent ?? "") ?? [];
    const so = document.getElementById("source")?.hidden && Number(runs) >= least;
    if (so && then) document.getElementById(then)?.click();
    return so;
  }, { least, then });

/** Stops the running experiment as soon as a few of its runs are complete. A busy machine might need so long for a press on Stop that all of them are. @param {import("playwright-core").Page} page */
export async function stopEarly(page) {
  await runsDrawn(page, 2, "stop");
  await reach(page, "stopped");
}

/**
 * Adds an agent with its own parameters.
 * @param {import("playwright-core").Page} page
 * @param {string} kind
 * @param {Record<string, string>} values by the labels of the form's fields
 */
export async function addAgent(page, kind, values) {
  const form = find.fold(page, "Another agent");
  await find.unfold(page, "Another agent");
  await form.getByRole("combobox", { name: "Agent", exact: true }).selectOption({ label: kind });
  for (const [name, value] of Object.entries(values)) {
    const control = form.getByLabel(new RegExp(`^${name}( \\S+)?$`)); // perhaps with a symbol
    if (await control.evaluate((element) => element instanceof HTMLSelectElement)) await control.selectOption({ label: value });
    else await control.fill(value);
  }
  await form.getByRole("button", { name: "Add", exact: true }).click();
}
