// Firefox by its own protocol, Marionette: messages of the form LENGTH:JSON on a socket.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { patience } from "../patience.mjs";
import { screen, script, start, strokes, unwrap } from "./common.mjs";

/** Starts Firefox with an empty profile. It gets a screen, because it has no WebGL without one. @returns {Promise<import("./common.mjs").Driver>} */
export async function firefox() {
  const profile = mkdtempSync(join(tmpdir(), "cpsrl-firefox-"));
  writeFileSync(join(profile, "user.js"), [
    'user_pref("marionette.port", 0);',
    'user_pref("app.update.enabled", false);',
    'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
    'user_pref("network.captive-portal-service.enabled", false);',
    'user_pref("network.connectivity-service.enabled", false);',
    'user_pref("browser.aboutwelcome.enabled", false);',
    'user_pref("dom.abort_script_on_child_shutdown", false);', // otherwise it ends, and reports, what a page that was just left still computes
    'user_pref("webgl.force-enabled", true);',
    'user_pref("devtools.console.stdout.content", true);', // console messages and exceptions of pages
    'user_pref("browser.dom.window.dump.enabled", true);',
  ].join("\n"));
  const { display, close } = await screen();
  const browser = start(process.env["FIREFOX"] ?? "firefox-esr", ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile, "about:blank"], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: profile, DISPLAY: display } });
  const complaints = overheard(browser.program);
  const socket = connect(await port(join(profile, "MarionetteActivePort"), browser.program));
  /** @type {((message: any) => void)[]} */
  const waiting = [];
  const received = messages(socket, (message) => waiting.shift()?.(message));
  await received; // the greeting
  let id = 0;
  /** @param {string} command @param {object} [parameters] @returns {Promise<any>} */
  const ask = async (command, parameters = {}) => {
    const answer = new Promise((resolve) => waiting.push(resolve));
    const text = JSON.stringify([0, ++id, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, value] = /** @type {[number, number, {message: string} | null, any]} */ (await answer);
    if (error) throw new Error(`${command}: ${error.message}`);
    return value;
  };
  await ask("WebDriver:NewSession");
  await ask("WebDriver:SetTimeouts", { script: patience, pageLoad: patience });
  return {
    name: "Firefox",
    complaints,
    async memory() {
      await ask("Marionette:SetContext", { value: "chrome" }); // scripts of Firefox itself, which --remote-allow-system-access allows
      try {
        return /** @type {{heap: number}} */ (unwrap((await ask("WebDriver:ExecuteAsyncScript", { script: script(allocated), args: [], sandbox: null })).value));
      } finally {
        await ask("Marionette:SetContext", { value: "content" });
      }
    },
    open: (url) => ask("WebDriver:Navigate", { url }),
    run: async (body, ...args) => unwrap((await ask("WebDriver:ExecuteAsyncScript", { script: script(body), args, sandbox: null })).value),
    press: (...keys) => ask("WebDriver:PerformActions", { actions: strokes(keys) }),
    async close() {
      await ask("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
      socket.destroy();
      await browser.ended;
      await browser.close();
      await close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 }); // a process that was ended may still have written
    },
  };
}

/** A script that asks all processes to free what they can, as the button of about:memory does, and adds up what the pages' processes have allocated then. */
const allocated = `
  const manager = Cc["@mozilla.org/memory-reporter-manager;1"].getService(Ci.nsIMemoryReporterManager);
  Services.obs.notifyObservers(null, "child-mmu-request");
  await new Promise((free) => manager.minimizeMemoryUsage(free));
  let heap = 0;
  await new Promise((told) => manager.getReports((process, path, kind, units, amount) => {
    const counts = path === "heap-allocated" || (path.startsWith("explicit/") && kind === Ci.nsIMemoryReporter.KIND_NONHEAP);
    if (counts && process.startsWith("web")) heap += amount;
  }, null, told, null, false));
  return { heap };`;

/** Collects the console messages and exceptions of pages from Firefox's output, without those of Firefox's own scripts. @param {import("node:child_process").ChildProcess} program */
function overheard(program) {
  /** @type {string[]} */
  const complaints = [];
  for (const stream of [program.stdout, program.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      if (/^console\.error: RSLoader/.test(line)) return; // Firefox's settings, which it cannot fetch here
      if (/ at:$/.test(complaints.at(-1) ?? "")) complaints.push(`${complaints.pop()} ${line}`); // the place where a script was ended is on the next line
      else if (/^console\.(log|info|warn|error|debug|trace)|^JavaScript (error|warning): https?:/.test(line)) complaints.push(line);
    });
  }
  return complaints;
}

/** Waits for the file in which Firefox writes its port. @param {string} file @param {import("node:child_process").ChildProcess} program */
async function port(file, program) {
  for (const begin = Date.now(); Date.now() - begin < patience; await new Promise((go) => setTimeout(go, 100))) {
    if (program.exitCode !== null) throw new Error(`Firefox ended with ${program.exitCode}`);
    try {
      const number = Number(readFileSync(file, "utf8"));
      if (number > 0) return number;
    } catch {
      // the file is not there yet
    }
  }
  throw new Error("Firefox has not written its port");
}

/** Cuts the bytes of a socket into messages. Resolves to the first one and gives each later one to `hear`. @param {import("node:net").Socket} socket @param {(message: any) => void} hear */
function messages(socket, hear) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  return new Promise((resolve) => {
    let first = true;
    socket.on("data", (bytes) => {
      rest = Buffer.concat([rest, /** @type {Buffer} */ (bytes)]);
      for (;;) {
        const colon = rest.indexOf(":");
        const end = colon + 1 + Number(rest.subarray(0, Math.max(0, colon)).toString());
        if (colon < 0 || rest.length < end) return;
        const message = JSON.parse(rest.subarray(colon + 1, end).toString());
        rest = rest.subarray(end);
        if (first) resolve(message);
        else hear(message);
        first = false;
      }
    });
  });
}
