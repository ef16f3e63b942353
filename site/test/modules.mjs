// Loads modules of the page for tests in Node. Each is bundled by itself, with a small catalogue in
// place of the engine's.

import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { commands } from "../host-api.mjs";

/** @param {string} pointer @param {object} more */
const field = (pointer, more) => ({ pointer, section: "size", label: pointer, phrase: "_", ...more });

/** Two domains and their fields, three agents, two measures, one preset. */
export const catalogue = {
  engine: 2, spec: 5,
  presets: /** @type {const} */ ([
    {
      name: "one", title: "Preset one", link: "v=1&domain=grid",
      spec: { format: "cpsrl/spec", version: 1, domain: { name: "grid", size: "3x3", horizon: 10 }, sparseness: 5, agents: ["psrl", "c-psrl"], episodes: 400, runs: 20, seed: 1, bound: "at-most" },
    },
  ]),
  domains: [
    { key: "grid", label: "Grid", phrase: "a grid", perRun: false, fields: [field("/domain/size", { section: "domain", choices: ["3x3", "5x5"] }), field("/domain/horizon", { section: "domain", min: 1 })] },
    { key: "random", label: "Random", phrase: "a random problem", perRun: true, fields: [field("/domain/values", { section: "domain", min: 1 })] },
  ],
  fields: [
    field("/domain/name", { section: "domain", choices: ["grid", "random"], phrase: "domain _" }),
    field("/sparseness", { section: "prior", min: 1, phrase: "Z = _" }),
    field("/episodes", { min: 1, phrase: "K = _" }),
    field("/runs", { min: 1, phrase: "_ runs" }),
    field("/seed", { min: 0, phrase: "seed _" }),
    field("/bound", { section: "switches", choices: ["at-most", "below"], labels: ["at most", "below"] }),
  ],
  kinds: [
    { key: "psrl", fields: [] },
    { key: "f-psrl", fields: [{ ...field("/graph", { section: "agents", choices: ["true", "prior"] }), default: "true" }] },
    { key: "c-psrl", fields: [field("/eta", { section: "agents", min: 0, max: 64 }), field("/update", { section: "agents", choices: ["exact", "printed"] })] },
  ],
  agents: [
    { label: "psrl", kind: "psrl", name: "PSRL", short: "PSRL", graph: false, look: { color: "#111111", dash: [] } },
    { label: "f-psrl", kind: "f-psrl", gloss: "knows the whole graph", name: "F-PSRL", short: "F", graph: true, baseline: 1, look: { color: "#222222", dash: [2] } },
    { label: "c-psrl", kind: "c-psrl", name: "C-PSRL", short: "C", graph: true, told: true, look: { color: "#333333", dash: [4, 2] } },
  ],
  measures: [
    { key: "cumulative-regret", noun: "Cumulative regret", caption: "what is lost" },
    { key: "recall", noun: "Recall", caption: "what is found", absent: "PSRL has no graph." },
  ],
};

/** Bundles and imports a module. @param {string} path from site/ @returns {Promise<any>} */
export async function load(path) {
  const { outputFiles: [file] } = await esbuild.build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: [path], bundle: true, write: false, format: "esm", target: "es2022", logLevel: "silent",
    define: { "import.meta.url": '"https://example.org/assets/x.js"', "self.origin": '"https://example.org"' },
    banner: { js: 'globalThis.document ??= { createTreeWalker() {}, createComment() {} };' },
    plugins: [{
      name: "catalogue",
      setup(build) {
        build.onResolve({ filter: /^cpsrl:edition$/ }, () => ({ path: fileURLToPath(new URL("../src/edition/site.ts", import.meta.url)) }));
        build.onResolve({ filter: /^cpsrl:/ }, ({ path }) => ({ path, namespace: "catalogue" }));
        build.onLoad({ filter: /./, namespace: "catalogue" }, ({ path }) => ({ contents: JSON.stringify(path === "cpsrl:files" ? { files: {} } : path === "cpsrl:commands" ? commands : catalogue), loader: "json" }));
      },
    }],
  });
  return import(`data:text/javascript;base64,${Buffer.from(file?.contents ?? []).toString("base64")}`);
}
