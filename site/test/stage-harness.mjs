// A page that holds only the stage, for the stage's tests.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { listen, newPage } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const { outputFiles: [script] } = esbuild.buildSync({
  stdin: {
    contents: `
      import { StageHost } from "./parts/stage/host";
      window.heard = [];
      window.host = new StageHost(document.querySelector("iframe"), (message) => heard.push({ ...message, at: performance.now() }));
    `,
    resolveDir: fileURLToPath(new URL("../src", import.meta.url)),
  },
  bundle: true, write: false, format: "iife", target: "es2022",
});

/**
 * The trace of one episode, from the command.
 * @param {string} preset
 * @param {number} episode
 * @param {string} agent
 * @param {number} run
 */
export const trace = (preset, episode, agent = "c-psrl", run = 0) => cpsrl("trace", "-preset", preset, "-agent", agent, "-run", String(run), "-episode", String(episode));

/** Runs the command and returns its output. @param {string[]} args */
export function cpsrl(...args) {
  return execFileSync("go", ["run", "./core/cmd/cpsrl", ...args], { cwd: root, maxBuffer: 1 << 26 });
}

/**
 * Opens the stage in a frame.
 * @param {import("playwright-core").Browser} browser
 * @param {string} origin
 * @param {import("playwright-core").BrowserContextOptions & {frame?: {width: number, height: number}, before?: () => void}} options
 */
export async function openStage(browser, origin, { frame = { width: 960, height: 620 }, before, ...options } = {}) {
  const { page, close } = await newPage(browser, origin, { viewport: { width: frame.width, height: frame.height + 60 }, colorScheme: "light", ...options }, before ? [before] : []);
  const complaints = listen(page);
  const url = new URL("harness.html", origin).href;
  await page.route(url, (route) => route.fulfill({
    contentType: "text/html",
    body: `<!doctype html><html lang="en"><title>The stage alone</title><body style="margin:0"><div style="height:30px"><button id="before">Before</button></div>
      <iframe src="stage.html" title="Stage" style="display:block;border:0" width="${frame.width}" height="${frame.height}"></iframe>
      <div style="height:30px"><button id="after">After</button></div><script>${script?.text}</script></body></html>`,
  }));
  await page.goto(url);

  /** @param {string} kind @param {number} from */
  const hear = async (kind, from = 0) => {
    const found = await page.waitForFunction(
      ([kind, from]) => /** @type {any} */ (window).heard.slice(from).find((/** @type {any} */ m) => m.kind === kind),
      /** @type {const} */ ([kind, from]));
    return /** @type {Promise<any>} */ (found.jsonValue());
  };
  const count = () => page.evaluate(() => /** @type {any} */ (window).heard.length);
  return {
    page, complaints, hear, count,
    close,
    /** @param {unknown} message */
    say: (message) => page.evaluate((message) => /** @type {any} */ (window).host.send(message), message),
    /** Sends a message and waits for the answer of the same kind. @param {string} kind */
    async ask(kind) {
      const from = await count();
      await page.evaluate((kind) => /** @type {any} */ (window).host.send({ kind }), kind);
      return hear(kind, from);
    },
    /** @param {Buffer} trace @param {object} view */
    show: (trace, view) => page.evaluate(([text, view]) => {
      /** @type {any} */ (window).host.show(new TextEncoder().encode(text), view);
    }, /** @type {const} */ ([trace.toString(), view])),
    /** @param {object} view */
    look: (view) => page.evaluate((view) => /** @type {any} */ (window).host.look(view), view),
    /** Gives the picture time to come to rest on the screen. */
    async settle() {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));
    },
    screenshot: () => page.locator("iframe").screenshot(),
  };
}
