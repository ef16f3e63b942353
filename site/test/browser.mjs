// What the browser tests share: dist/ on loopback, from the root and from a
// sub-path, and Debian's Chromium.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import * as find from "./finds.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The fingerprint of each quick preset, which every host of the engine meets. */
export const golden = /** @type {{engine: number, presets: Record<string, string>}} */ (
  JSON.parse(readFileSync(join(root, "core/experiment/testdata/golden.json"), "utf8"))
);

/** Where the same site also lies. */
export const subPath = "some/sub/path/";

/** Has Chromium paint pages without WebGL, whose SwiftShader takes more time for them than all else together. */
const plainly = ["--disable-gpu-rasterization", "--disable-gpu-compositing"];

/**
 * What Chromium is started with.
 * @param {Record<string, string>} env what it finds in its environment besides
 * @param {string[]} painting how it paints pages
 */
const options = (env = {}, painting = plainly) => ({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  args: [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
    ...painting,
  ],
});

/** How many times slower than this machine the pages are: SLOW=4 finds the tests that do not wait for what they read. */
const slow = Number(process.env["SLOW"] ?? 1);
if (!(slow >= 1)) throw new Error(`SLOW is ${process.env["SLOW"]}, but it is a number of at least 1`);

/** Makes pages slow, and every answer late. @param {import("playwright-core").BrowserContext} context */
async function hinder(context) {
  context.on("page", async (page) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
  });
  await context.route("**", async (route) => {
    await new Promise((later) => setTimeout(later, 50 * slow));
    await route.fallback().catch(() => {}); // the page may be gone
  });
}

/** A busy machine is slow, and that is no failure. Only offline.test.mjs keeps copies, which are the whole site each time. @param {import("playwright-core").Browser} browser */
function patient(browser) {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext({ serviceWorkers: "block", ...options });
    context.setDefaultTimeout(Number(process.env["PATIENCE"] ?? 120_000));
    if (slow > 1) await hinder(context);
    return context;
  };
  return browser;
}

/**
 * Starts Chromium.
 * @param {Record<string, string>} env what it finds in its environment besides
 * @param {import("playwright-core").LaunchOptions} more
 */
export const launch = async (env = {}, more = {}) => patient(await chromium.launch({ ...options(env), ...more }));

/** Serves a copy of dist/, from the root and from a sub-path. @param {string} program the server, built */
async function serve(program) {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-site-"));
  const dist = process.env["DIST"] ?? join(root, "dist");
  cpSync(dist, folder, { recursive: true });
  cpSync(dist, join(folder, subPath), { recursive: true });
  /** @param {string} port */
  async function listenOn(port) {
    const server = spawn(program, ["-dir", folder, "-port", port], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: server.stdout })) return { server, origin: line.trim() };
    throw new Error(`the server does not listen on port ${port}`);
  }
  let { server, origin } = await listenOn("0");
  return {
    origin,
    /** What is served. */
    folder,
    /** Ends the server: the network is gone. */
    unplug: () => void server.kill(),
    /** Starts it again where it was: the network is back. */
    async plug() {
      ({ server } = await listenOn(new URL(origin).port));
    },
    remove() {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Builds the server. */
function buildServer() {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-serve-"));
  const program = join(folder, "serve");
  execFileSync("go", ["build", "-o", program, "./site"], { cwd: root });
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * One browser and one server for several files of tests (host.mjs): what a file has
 * to know of them.
 * @typedef {{endpoint: string, origin: string, folder: string, program: string}} Host
 */

/** Starts what several files share. @param {() => void} ended the browser has ended by itself */
export async function share(ended) {
  const { program, remove } = buildServer();
  const site = await serve(program);
  const browser = await chromium.launchServer(options());
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

/** What is shared, if anything is. */
const host = /** @type {Host | undefined} */ (process.env["TEST_HOST"] && JSON.parse(process.env["TEST_HOST"]));

/** A browser, and dist/ served: those that files share, or their own. @param {string[]} [painting] */
export async function start(painting) {
  if (!host || painting) return startAlone(painting);
  const { origin, folder } = host;
  const browser = patient(await chromium.connect(host.endpoint));
  return { origin, folder, browser, stop: () => browser.close() };
}

/** dist/ served by a server of one's own, for tests in other browsers. */
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

/** A browser, and dist/ served by a server of one's own, for tests that end it or change what it serves. @param {string[]} [painting] */
export async function startAlone(painting) {
  const site = await serveAlone();
  const browser = host && !painting ? patient(await chromium.connect(host.endpoint)) : patient(await chromium.launch(options({}, painting)));
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
 * Collects what a page must not say: console messages and exceptions.
 * @param {import("playwright-core").Page} page
 */
export function listen(page) {
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => {
    if (message.text() === "Service Worker registration blocked by Playwright") return;
    if (/^\[\.WebGL-\w+\]GL Driver Message .* GPU stall due to ReadPixels/.test(message.text())) return; // the browser's own remark: it paints pages without WebGL
    complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  return complaints;
}

/** Opens the drawers of the prior, the numbers and the settings, as a person does who means to read and change much. */
const unfold = () => addEventListener("DOMContentLoaded", () => {
  for (const drawer of document.querySelectorAll("#prior-more, #about, #settings > details")) if (drawer instanceof HTMLDetailsElement) drawer.open = true;
});

/**
 * Opens the page and collects what must not be: console messages, exceptions
 * and requests to elsewhere.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions & {until?: string[], before?: string | (() => void), folded?: boolean}} options
 *   until: the states to wait for; before: what to do to each document first; folded: the drawers stay as they are, closed
 */
export async function open(browser, url, { until = ["ready"], before, folded = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (!folded) await context.addInitScript(unfold);
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  const complaints = listen(page);
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") complaints.push(`failed: ${request.url()}: ${reason}`); // the page was left before
  });
  const { origin } = new URL(url);
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${origin}/`) && !to.startsWith("data:") && !to.startsWith(`blob:${origin}/`)) complaints.push(`request to ${to}`);
  });
  await page.goto(url);
  await reach(page, ...until);
  return { page, complaints, close: () => context.close() };
}

/**
 * Waits until the page says that it is in one of the states.
 * @param {import("playwright-core").Page} page
 * @param {...string} states
 */
export async function reach(page, ...states) {
  await page.waitForFunction((wanted) => wanted.includes(document.documentElement.dataset["state"] ?? ""), [...states, "failed"], { timeout: 120_000 });
  const state = await page.evaluate(() => document.documentElement.dataset["state"]);
  if (state === "failed" && !states.includes("failed")) throw new Error(`the page failed: ${await find.failure(page).textContent()}`);
  return state;
}

/** Makes the page's clock 30 times too fast: all that runs seems slow. */
export function hasten() {
  const now = performance.now.bind(performance);
  performance.now = () => 30 * now();
}

/** Makes the page's clock 5 times too slow: what runs by itself on a busy machine is not asked at once whether it may go on. */
export function linger() {
  const now = performance.now.bind(performance);
  performance.now = () => now() / 5;
}

/**
 * Runs what is shown as a person does, who is not asked whether it may go on: what began by itself might be, on a busy machine.
 * @param {import("playwright-core").Page} page
 */
export async function runByHand(page) {
  if ((await page.getAttribute("html", "data-state")) === "running") {
    await find.stop(page).click();
    await reach(page, "stopped");
  }
  await find.run(page).click();
}

/** Waits until the page itself has drawn its chart, as it wants it now. @param {import("playwright-core").Page} page */
export const drawn = (page) => page.waitForSelector("#chart:not([aria-busy]):not([data-still]) > svg");

/** How many curves the chart has, or ghosts. @param {import("playwright-core").Page} page */
export async function count(page, kind = "curve") {
  await drawn(page);
  return page.locator(`#chart path.${kind}`).count();
}

/**
 * Waits until so many whole runs of a run under way are on the chart; the runs of
 * a precomputed figure do not count.
 * @param {import("playwright-core").Page} page
 * @param {number} least
 */
export const runsDrawn = (page, least = 2) =>
  page.waitForFunction((least) => {
    const [, runs] = /n\s=\s(\d+) runs/.exec(document.getElementById("caption")?.textContent ?? "") ?? [];
    return document.getElementById("source")?.hidden && Number(runs) >= least;
  }, least, { timeout: 120_000 });

/**
 * Adds an agent with parameters of its own, by the names that the form has.
 * @param {import("playwright-core").Page} page
 * @param {string} kind
 * @param {Record<string, string>} values
 */
export async function addAgent(page, kind, values) {
  const form = find.fold(page, "Another agent");
  await find.unfold(page, "Another agent");
  await form.getByRole("combobox", { name: "Agent" }).selectOption({ label: kind });
  for (const [name, value] of Object.entries(values)) {
    const control = form.getByLabel(name);
    if (await control.evaluate((element) => element instanceof HTMLSelectElement)) await control.selectOption({ label: value });
    else await control.fill(value);
  }
  await form.getByRole("button", { name: "Add" }).click();
}
