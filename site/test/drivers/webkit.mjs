// WebKit by WebDriver: Debian's WebKitWebDriver and the MiniBrowser of WebKitGTK.
// https://www.w3.org/TR/webdriver2/

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { patience } from "../patience.mjs";
import { screen, script, start, strokes, unwrap } from "./common.mjs";

/**
 * Starts WebKit on its own screen, with an empty profile.
 * @param {Record<string, string>} env additions to its environment
 * @returns {Promise<import("./common.mjs").Driver>}
 */
export async function webkit(env = {}) {
  const { display, close } = await screen();
  const driver = start("WebKitWebDriver", ["--port=0"], { stdio: "ignore", env: { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1", ...env } });
  const at = `http://127.0.0.1:${await port(driver)}`;
  /** @param {string} method @param {string} path @param {object} [parameters] @returns {Promise<any>} */
  const ask = async (method, path, parameters) => {
    const response = await fetch(at + path, { method, ...(parameters && { body: JSON.stringify(parameters), headers: { "content-type": "application/json" } }), signal: AbortSignal.timeout(patience) });
    const { value } = /** @type {{value: any}} */ (await response.json());
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } } } });
  const session = `/session/${sessionId}`;
  await ask("POST", `${session}/timeouts`, { script: patience, pageLoad: patience });
  return {
    name: "WebKit",
    open: (url) => ask("POST", `${session}/url`, { url }),
    run: async (body, ...args) => unwrap(await ask("POST", `${session}/execute/async`, { script: script(body), args })),
    press: (...keys) => ask("POST", `${session}/actions`, { actions: strokes(keys) }),
    async close() {
      await ask("DELETE", session).catch(() => {});
      await driver.close();
      await close();
    },
  };
}

/** The path of the browser in Debian, for any architecture. */
function miniBrowser() {
  const found = readdirSync("/usr/lib").map((folder) => join("/usr/lib", folder, "webkit2gtk-4.1/MiniBrowser")).find((path) => existsSync(path));
  if (!found) throw new Error("the MiniBrowser of WebKitGTK is missing");
  return found;
}

/** The port on which the driver listens. The driver takes a free port and does not say which, so /proc is asked. @param {ReturnType<typeof start>} driver */
async function port({ program, ended }) {
  let over = false;
  void ended.then(() => (over = true));
  for (;;) {
    if (over) throw new Error("WebKitWebDriver has ended");
    const sockets = readdirSync(`/proc/${program.pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${program.pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // it has been closed meanwhile
      }
    });
    for (const line of readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === "0A" && sockets.includes(inode)) return Number.parseInt(local.split(":")[1] ?? "", 16);
    }
    await new Promise((go) => setTimeout(go, 20));
  }
}
