// The state of a playground in Node, without a document. Its engine is real: `cpsrl serve` answers, and the
// page's own workers pass on what it says. Only Go's runtime in the worker is replaced, by one that asks
// over HTTP. The address is a history that a test can go through.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { resolveObjectURL } from "node:buffer";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import * as esbuild from "esbuild";
import makeWabt from "wabt";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const site = join(root, "site");

/** Builds and starts the command's server. */
async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "cpsrl-state-"));
  const program = join(folder, "cpsrl");
  execFileSync("go", ["build", "-o", program, "./core/cmd/cpsrl"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  const server = spawn(program, ["serve", "-port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const [origin] = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", (line) => resolve([line]));
    server.once("exit", (code) => reject(new Error(`cpsrl serve ended with ${code}`)));
  });
  const stop = async () => {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { origin: /** @type {string} */ (origin), program, stop };
}

/** A Go program for the worker to start: it has memory, and says that it is ready. */
const module = `(module (import "workers" "ready" (func $ready)) (memory (export "mem") 1) (export "ready" (func $ready)))`;

/** In place of wasm_exec.js: an engine that asks the server. @param {string} origin */
const runtime = (origin) => `
  globalThis.fs = {};
  globalThis.Go = class {
    importObject = {};
    run({ exports }) {
      context.binding.handleRequest = ({ url, method, body }) => fetch(${JSON.stringify(origin)} + url, { method, body, duplex: "half" });
      exports.ready();
      return new Promise(() => {});
    }
  };`;

/** What a worker of a browser has and a thread of Node has not. */
const thread = `
  const { parentPort } = require("node:worker_threads");
  Object.defineProperty(globalThis, "navigator", { value: {} });
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  parentPort.on("message", (data) => globalThis.onmessage({ data }));`;

/** @typedef {{ kind: string, path?: string, body?: string }} Message */

/** What tests do with the messages to the engine. Those that a test holds or answers do not reach a worker. */
export class Traffic {
  /** The paths that were asked for, in order. @type {string[]} */
  asked = [];
  /** Returns whether it takes a message. @type {((message: Message, send: () => void, answer: (message: object) => void) => boolean) | undefined} */
  meet;

  /** Holds what is asked of a path until the returned function is called. @param {string} path */
  hold(path) {
    /** @type {(() => void)[]} */
    const held = [];
    this.meet = (message, send) => message.path?.split("?")[0] === path && Boolean(held.push(send));
    return () => {
      this.meet = undefined;
      for (const send of held.splice(0)) send();
    };
  }

  /** Takes what workers say before the page hears it, and passes on what it wants. @type {((message: any, pass: (message: object) => void) => void) | undefined} */
  overhear;

  /** Resolves after a while: each start and each answer of a worker, and each part that the page loads later, waits for it. @type {(() => Promise<void>) | undefined} */
  late;

  /** Lets the next worker that a path is asked of fail. @param {string} path @param {string} reason */
  fail(path, reason) {
    this.meet = (message, _send, answer) => {
      if (message.path?.split("?")[0] !== path) return false;
      this.meet = undefined;
      answer({ kind: "failed", reason });
      return true;
    };
  }
}

export const traffic = new Traffic();
/** The parts that the page loads later wait for this. */
Object.assign(globalThis, { late: () => traffic.late?.() });

/** The threads that run; undefined once the engine has stopped. @type {Set<Thread> | undefined} */
let threads = new Set();

/** A browser's Worker. */
class Worker {
  onmessage = (/** @type {{ data: unknown }} */ _event) => {};
  onerror = (/** @type {Error} */ _error) => {};
  /** @type {Promise<Thread | undefined>} */
  #thread;
  #over = false;
  #failed = false;
  /** Resolves when the page has heard all that has come. */
  #heard = Promise.resolve();

  constructor(/** @type {string} */ url) {
    this.#thread = (resolveObjectURL(url)?.text() ?? Promise.reject(new Error(`there is no ${url}`))).then(async (script) => {
      await traffic.late?.();
      if (!threads) return undefined; // a thread that nobody ends would keep the test from ending
      const made = new Thread(`${thread}\n${script}`, { eval: true });
      threads.add(made);
      const pass = (/** @type {object} */ data) => void (this.#over || this.onmessage({ data }));
      made.on("message", (data) => {
        if (traffic.late) this.#heard = this.#heard.then(() => traffic.late?.()).then(() => pass(data));
        else if (traffic.overhear) traffic.overhear(data, pass);
        else pass(data);
      });
      made.on("error", (error) => this.onerror(/** @type {Error} */ (error)));
      return made;
    });
  }

  postMessage(/** @type {Message} */ message, /** @type {any[]} */ transfer) {
    if (message.path !== undefined) traffic.asked.push(message.path);
    const send = () => void this.#thread.then((made) => made?.postMessage(message, transfer));
    const answer = (/** @type {object} */ data) => {
      this.#failed = true;
      setImmediate(() => this.#over || this.onmessage({ data })); // as a message, which comes after all that is under way
    };
    if (!this.#failed && !traffic.meet?.(message, send, answer)) send();
  }

  terminate() {
    this.#over = true;
    void this.#thread.then((made) => {
      if (made) threads?.delete(made);
      return made?.terminate();
    });
  }
}

/** How the tabs of a browser talk to each other. It keeps no test from ending. */
class Channel extends BroadcastChannel {
  constructor(/** @type {string} */ name) {
    super(name);
    /** @type {any} */ (this).unref();
  }
}

/** The history of a tab, with an address that anyone can edit. It keeps what a browser keeps when the page is loaded anew. */
export class Tab {
  /** @type {{ link: string, state: unknown }[]} */
  entries;
  at = 0;
  /** How often the page has written the address. */
  writes = 0;
  /** @type {() => void} */
  #moved = () => {};

  constructor(link = "") {
    this.entries = [{ link, state: null }];
  }

  get #now() {
    return /** @type {{ link: string, state: any }} */ (this.entries[this.at]);
  }

  get link() {
    return this.#now.link;
  }

  get links() {
    return this.entries.map(({ link }) => link);
  }

  /** @param {number} by */
  go(by) {
    this.at += by;
    this.#moved();
  }

  /** Edits the address. @param {string} link */
  type(link) {
    this.entries = [...this.entries.slice(0, ++this.at), { link, state: null }];
    this.#moved();
  }

  // What address.ts asks for

  get entry() {
    return this.#now.state ?? undefined;
  }

  /** @param {string} link @param {boolean} push @param {unknown} entry */
  write(link, push, entry) {
    this.writes++;
    const now = { link, state: structuredClone(entry ?? null) };
    if (push) this.entries = [...this.entries.slice(0, ++this.at), now];
    else this.entries[this.at] = now;
  }

  /** @param {() => void} moved */
  follow(moved) {
    this.#moved = moved;
  }

  leave() {}
}

/** The modules of the page that tests use, bundled together, so that they share one engine. */
const modules = ["agents", "state/playground", "state/own", "state/differences", "state/form", "state/history", "state/view", "state/results", "state/stored", "state/database", "state/duration", "large", "state/sweep", "state/asked", "state/belief", "state/pairs", "state/memento", "state/replay", "parts/agents/arm", "parts/experiment/chart", "parts/experiment/line", "parts/experiment/showing", "parts/prior/model", "door", "parts/stage/host", "parts/stage/showing", "parts/stage/tempo", "engine/engine", "engine/jobs"];

/** Starts an engine, and returns the page's modules, with a function that makes playgrounds. */
export async function start() {
  const { origin, program, stop } = await serve();
  const catalogue = await (await fetch(`${origin}/v1/presets`)).text();
  const wabt = await makeWabt();
  const bytes = wabt.parseWat("engine.wat", module).toBinary({}).buffer;
  /** @param {Record<string, string>} brought @returns {import("esbuild").Plugin} */
  const bringing = (brought) => ({
    name: "bringing",
    setup(build) {
      build.onResolve({ filter: /^cpsrl:edition$/ }, () => ({ path: join(site, "src/edition/site.ts") }));
      build.onResolve({ filter: /^(wasm_exec|cpsrl:\S+)$/ }, ({ path }) => ({ path, namespace: "brought" }));
      build.onLoad({ filter: /src\/lost\.ts$/ }, ({ path }) => ({ contents: readFileSync(path, "utf8").replace("return await load();", "await late();\n    return await load();"), loader: "ts" }));
      build.onLoad({ filter: /./, namespace: "brought" }, ({ path }) => ({ contents: brought[path] ?? "", loader: path === "cpsrl:catalogue" ? "json" : "js" }));
    },
  });
  const options = /** @satisfies {import("esbuild").BuildOptions} */ ({ absWorkingDir: site, bundle: true, write: false, target: "es2022", logLevel: "warning" });
  const worker = await esbuild.build({ ...options, format: "iife", entryPoints: ["src/engine/worker.ts"], plugins: [bringing({ wasm_exec: runtime(origin) })] });
  const files = Object.fromEntries([
    ["worker.js", `data:text/javascript;base64,${Buffer.from(worker.outputFiles[0]?.contents ?? []).toString("base64")}`],
    ["engine.wasm", `data:application/wasm;base64,${Buffer.from(bytes).toString("base64")}`],
    ...["fig2c", "fig1"].map((name) => [`${name}.json`, `data:application/json;base64,${readFileSync(join(site, "figures", `${name}.json`), "base64")}`]),
  ]);
  const own = modules.map((name) => `export * as ${name.replaceAll(/\W/g, "_")} from "./src/${name}";`);
  const contents = ['export * as signals from "@preact/signals-core";', ...own].join("\n");
  const page = await esbuild.build({
    ...options, format: "esm",
    stdin: { contents, resolveDir: site, loader: "ts" },
    define: { "import.meta.url": '"https://example.org/assets/x.js"', "self.origin": '"https://example.org"' },
    plugins: [bringing({ "cpsrl:catalogue": catalogue, "cpsrl:files": `export const files = ${JSON.stringify(files)};` })],
  });
  Object.assign(globalThis, { Worker, BroadcastChannel: Channel, HTMLElement: class {}, document: { createTreeWalker() {}, createComment() {} }, matchMedia: () => ({ matches: false }) });
  Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2, vendor: "" }, configurable: true });
  /** @type {any} */
  const made = await import(`data:text/javascript;base64,${Buffer.from(page.outputFiles[0]?.contents ?? []).toString("base64")}`);
  const told = JSON.parse(catalogue);
  const { presets } = told;
  /** Every playground of a test, to be left. @type {any[]} */
  const open = [];
  return {
    ...made,
    /** The command. */
    program,
    catalogue: told,
    preset: (/** @type {string} */ name) => presets.find((/** @type {any} */ preset) => preset.name === name),
    /** Opens a tab, or loads its page anew. Prepare: what is done before the engine is asked. */
    async open(tab = new Tab(), own = "fig2c", parts = Promise.resolve(), prepare = (/** @type {any} */ _it) => {}) {
      const it = made.state_playground.heartOf(presets.find((/** @type {any} */ preset) => preset.name === own), tab, () => true);
      open.push(it);
      it.links.sweeps = true; // as the page of the playground has it
      prepare(it);
      await it.begin(parts);
      return { ...it, tab };
    },
    /** Leaves the playgrounds that are open, so that they ask for nothing while another one is tested. */
    async leave() {
      const left = open.splice(0);
      for (const it of left) it.leave();
      for (const it of left) await it.runner.stop(); // what began by itself
    },
    async stop() {
      await this.leave();
      const left = [...(threads ?? [])];
      threads = undefined;
      for (const made of left) await made.terminate();
      await stop();
    },
  };
}

/** A document that has each element, and nothing else. */
export const everything = /** @type {any} */ ({ getElementById: () => new /** @type {any} */ (globalThis).HTMLElement() });

/** Resolves once something is so. It waits as long as a busy machine needs. @param {() => unknown} so @param {string} what */
export async function until(so, what) {
  for (let tries = 0; !so(); tries++) {
    if (tries === 120_000) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves when nothing has been asked of the engine and nothing has been written for longer than the address waits (rest in links.ts). @param {Tab} tab */
export async function still(tab) {
  for (let before = -1, same = 0; same < 7; ) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const now = traffic.asked.length + tab.writes;
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
