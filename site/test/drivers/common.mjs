// What the drivers of the browser engines share. A driver has the few functions that the smoke suite
// (../smoke.mjs) needs of a browser.

import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * @typedef {object} Driver
 * @property {string} name of the engine
 * @property {(url: string) => Promise<void>} open loads a document
 * @property {(body: string, ...args: any[]) => Promise<any>} run runs the body of an async function in the page, with arguments
 * @property {(...keys: string[]) => Promise<void>} press presses keys one after the other, by their DOM names
 * @property {string[]} [complaints] the page's console messages and exceptions, if the driver can hear them
 * @property {() => Promise<{heap: number, nodes?: number, listeners?: number}>} [memory] the bytes in use after a garbage collection (in Chromium those of the page's JavaScript, in Firefox all that the pages' processes have allocated) and the page's numbers of nodes and listeners, if the engine tells them
 * @property {() => Promise<void>} close
 */

/** WebDriver's codes of keys. https://www.w3.org/TR/webdriver2/#keyboard-actions */
const codes = /** @type {Record<string, string>} */ ({ Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", Space: " ", End: "\uE010", Home: "\uE011", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015" });

/** WebDriver's actions that press keys. @param {string[]} keys */
export const strokes = (keys) => [{ type: "key", id: "keyboard", actions: keys.flatMap((key) => ["keyDown", "keyUp"].map((type) => ({ type, value: codes[key] ?? key }))) }];

/** A script for WebDriver that runs the body of an async function and reports its value or error. @param {string} body */
export const script = (body) => `const done = arguments[arguments.length - 1]; (async function () { ${body} }).apply(null, arguments).then((value) => done({ value }), (error) => done({ error: String(error) }));`;

/** Returns the value that the script reported, or throws its error. @param {{value?: unknown, error?: string}} told */
export function unwrap({ value, error }) {
  if (error !== undefined) throw new Error(error);
  return value;
}

/** Starts a program in a group of its own; close, or the end of this process, ends the whole group. @param {string} command @param {string[]} args @param {import("node:child_process").SpawnOptions} options */
export function start(command, args, options) {
  const program = spawn(command, args, { ...options, detached: true }); // makes a group of processes
  const ended = new Promise((resolve) => {
    program.once("exit", resolve);
    program.once("error", resolve);
  });
  const kill = () => {
    try {
      if (program.pid !== undefined) process.kill(-program.pid, "SIGKILL");
    } catch {
      // the group has already ended
    }
  };
  process.once("exit", kill);
  return {
    program, ended,
    async close() {
      kill();
      await ended;
      process.off("exit", kill);
    },
  };
}

for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) process.once(signal, () => process.exit(1)); // the event exit ends the programs

/** Starts a virtual screen. */
export async function screen() {
  const { program, ended, close } = start("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] });
  const [number] = await Promise.race([
    once(/** @type {import("node:stream").Readable} */ (program.stdout), "data"),
    ended.then(() => { throw new Error("Xvfb has ended"); }),
  ]);
  return { display: `:${String(number).trim()}`, close };
}
