// Bundles the page: node build.mjs BUILD DIST, where BUILD holds engine.wasm and
// presets.json, and DIST is made anew. Files under assets/ carry a hash of their
// content in their names.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, parse, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { assemble } from "./assemble.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const [build, dist] = process.argv.slice(2, 4).map((path) => resolve(path));
if (!build || !dist) throw new Error("usage: node build.mjs BUILD DIST");
const assets = join(dist, "assets");
rmSync(dist, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

/**
 * Writes a file under a name with a hash of its content, and returns the name.
 * @param {string} name
 * @param {Uint8Array} content
 */
function asset(name, content) {
  const { name: stem, ext } = parse(name);
  const hashed = `${stem}-${createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase()}${ext}`;
  writeFileSync(join(assets, hashed), content);
  return hashed;
}

const engineFile = asset("engine.wasm", readFileSync(join(build, "engine.wasm")));
const kernelFile = asset("kernel.wasm", await assemble(join(site, "../wasm/kernel/kernel.wat")));

// The precomputed figure of each preset that has one.
const figures = join(site, "figures");
const figureFiles = Object.fromEntries(
  (existsSync(figures) ? readdirSync(figures) : []).filter((name) => name.endsWith(".json")).sort()
    .map((name) => [parse(name).name, asset(name, readFileSync(join(figures, name)))]),
);

const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: site,
  bundle: true,
  minify: true,
  target: "es2022",
  outdir: assets,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  logLevel: "warning",
  alias: {
    "wasm_exec": join(goroot, "lib/wasm/wasm_exec.js"),
    "cpsrl:presets": join(build, "presets.json"),
  },
};

/**
 * Bundles one entry point and returns the name of its output.
 * @param {string} entry
 * @param {esbuild.BuildOptions} options
 */
async function bundle(entry, options = {}) {
  const { metafile } = await esbuild.build({ ...common, entryPoints: [entry], ...options });
  const found = Object.entries(metafile?.outputs ?? {}).find(([, output]) => output.entryPoint === entry);
  if (!found) throw new Error(`${entry} has no output`);
  return basename(found[0]);
}

const workerFile = await bundle("src/worker.ts", { format: "iife" });
const pageFile = await bundle("src/page.ts", {
  format: "esm",
  splitting: true,
  define: { ENGINE_FILE: JSON.stringify(engineFile), KERNEL_FILE: JSON.stringify(kernelFile), WORKER_FILE: JSON.stringify(workerFile), FIGURES: JSON.stringify(figureFiles) },
});
const styleFile = await bundle("page.css");

const page = readFileSync(join(site, "../index.html"), "utf8")
  .replace('"page.css"', `"assets/${styleFile}"`)
  .replace('"page.js"', `"assets/${pageFile}"`);
writeFileSync(join(dist, "index.html"), page);
