// The development loop: "npm run dev [-- PORT]" builds the site and serves it on
// loopback. After a change of a source it builds again and reloads the open pages: only the bundles that a
// script or a style is part of, which takes less than two seconds, or everything after any other change. If a
// build fails, it says so here and goes on serving the last good one.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, parse, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { addresses, optionsOf, together } from "./bundle.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const port = Number(process.argv[2] ?? 8080);
const events = "/dev-events";
const script = "/dev-reload.js";

/** What the build leaves for the bundles. */
const work = mkdtempSync(join(tmpdir(), "cpsrl-dev-"));
process.on("exit", () => rmSync(work, { recursive: true }));

/** The bundles of the site, with their sources by their paths from the root. @type {{context: esbuild.BuildContext, sources: Set<string>}[]} */
const bundles = [];

/** Makes a bundle again, in its old place. @param {(typeof bundles)[number]} bundle */
async function remake(bundle) {
  const { metafile } = await bundle.context.rebuild();
  bundle.sources = new Set(Object.keys(metafile?.inputs ?? {}).map((path) => relative(root, join(root, "site", path))));
}

/** Builds the site and returns whether that succeeded. */
async function build() {
  try {
    execFileSync(join(root, "build.sh"), ["site"], { stdio: "inherit", env: { ...process.env, CPSRL_WORK: work } });
    for (const { context } of bundles.splice(0)) await context.dispose();
    const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(work, name), "utf8"));
    const options = optionsOf("site", join(work, "presets.json"), { "cpsrl:files": addresses("files", read("files.json")) });
    for (const [entry, { path, format, splitting }] of Object.entries(read("entries.json"))) {
      const plugins = splitting ? [...options.plugins, together(entry)] : options.plugins;
      const context = await esbuild.context({ ...options, plugins, entryPoints: [entry], format, splitting, outdir: join(root, "dist", dirname(path)), entryNames: parse(path).name });
      bundles.push({ context, sources: new Set() });
    }
    await Promise.all(bundles.map(remake));
    return true;
  } catch (error) {
    if (error instanceof Error && !("status" in error)) console.error(error.message);
    console.error("The build failed; the last good one is still served.");
    return false;
  }
}

/** Makes again what some changed files are part of. @param {Set<string>} changed their paths from the root */
async function follow(changed) {
  const part = bundles.filter(({ sources }) => [...changed].some((path) => sources.has(path)));
  if (![...changed].every((path) => part.some(({ sources }) => sources.has(path)))) return build();
  const start = performance.now();
  try {
    await Promise.all(part.map(remake));
    console.log(`${[...changed].join(", ")}: ${Math.round(performance.now() - start)} ms`);
    return true;
  } catch {
    return false; // esbuild has said why
  }
}

if (!(await build())) process.exit(1);
// The site's server, with its headers, on another port.
const inner = spawn("go", ["run", "./site", "-dir", "dist", "-port", "0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"], detached: true });
process.on("exit", () => void (inner.pid && process.kill(-inner.pid))); // go run and the server that it has started
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
const origin = await new Promise((resolve) => createInterface({ input: inner.stdout }).once("line", resolve));

/** The connections of the open pages. @type {Set<import("node:http").ServerResponse>} */
const open = new Set();

createServer((asked, answer) => {
  const { pathname } = new URL(asked.url ?? "/", origin);
  if (pathname === events) {
    answer.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" }).write(": open\n\n");
    open.add(answer);
    answer.on("close", () => open.delete(answer));
  } else if (pathname === script) {
    answer.writeHead(200, { "Content-Type": "text/javascript" }).end(`new EventSource("${events}").onmessage = () => location.reload();`);
  } else if (pathname === "/sw.js") {
    answer.writeHead(404).end(); // pages that change all the time need no offline copy
  } else {
    const headers = { ...asked.headers, host: new URL(origin).host, "accept-encoding": "identity", "if-none-match": "" };
    const passed = request(new URL(asked.url ?? "/", origin), { method: asked.method, headers }, (got) => {
      const { "content-length": length, ...rest } = { ...got.headers, "cache-control": "no-store" };
      const page = rest["content-type"]?.startsWith("text/html");
      answer.writeHead(got.statusCode ?? 500, page || !length ? rest : { ...rest, "content-length": length });
      got.on("end", () => answer.end(page ? `<script src="${script}" defer></script>` : undefined)).pipe(answer, { end: false });
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  }
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/ follows the sources`));

/** @type {NodeJS.Timeout | undefined} */
let waiting;
/** The files that have changed since the last build. @type {Set<string>} */
let changed = new Set();
/** The build under way. */
let building = Promise.resolve();

/** Builds what has changed, after the build under way, and reloads the pages. */
function again() {
  building = building.then(async () => {
    const these = changed;
    changed = new Set();
    if (these.size > 0 && (await follow(these))) for (const page of open) page.write("data: built\n\n");
  });
}

for (const folder of ["site", "core", "render", "wasm", "index.html"]) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name?.includes("node_modules") || name?.endsWith("~")) return;
    changed.add(name ? (folder === "index.html" ? folder : join(folder, name)) : folder);
    clearTimeout(waiting);
    waiting = setTimeout(again, 100);
  });
}
