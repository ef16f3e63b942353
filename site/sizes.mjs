// Checks the sizes of the site: node site/sizes.mjs DIST [RELEASE]. What a visitor loads, by Brotli at quality 11, must stay
// within its budget, which has 5% of room when it is set, so that no code is bent to fit.
// With RELEASE, the folder of the packages, every size that a document names must be true, and so must the times that
// follow from sizes.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotlied } from "./brotli.mjs";

const [dist = "dist", release] = process.argv.slice(2);
const root = new URL("..", import.meta.url);
let faults = 0;
/** @param {string} words */
const fault = (words) => {
  console.error(words);
  faults++;
};

/** The compressed size of files together. @param {Iterable<string>} files */
const sum = async (files) => (await Promise.all([...files].map((file) => brotlied(readFileSync(file))))).reduce((total, { length }) => total + length, 0);

/** The files under assets/ whose names begin with one of these words. @param {...string} words */
const assets = (...words) => readdirSync(join(dist, "assets")).filter((name) => !name.endsWith(".br") && words.some((word) => name.startsWith(`${word}-`))).map((name) => join(dist, "assets", name));

/** Files, and what the scripts among them import statically. @param {string[]} files */
function withImports(files) {
  const all = new Set(files);
  for (const file of all) {
    if (!file.endsWith(".js")) continue;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g)) all.add(join(dirname(file), name));
  }
  return all;
}

/** The files that a page needs for its first paint: itself, its scripts and styles, and the scripts' static imports. @param {string} page */
function firstOf(page) {
  const names = [...readFileSync(page, "utf8").matchAll(/<(?:script[^>]* src|link rel="stylesheet" href)="([^":]+)"/g)].map(([, name = ""]) => name);
  return withImports([page, ...names.filter((name) => !name.includes("noscript")).map((name) => join(dirname(page), name))]);
}

// What a visitor loads, with its budget in bytes.

const front = join(dist, "index.html");
const sizes = {
  page: await sum(firstOf(front)),
  engine: await sum(assets("engine", "kernel", "worker")),
  stage: await sum(assets("stage", "go")),
  print: await sum(assets("print")),
  agent: await sum(assets("agent")),
};
for (const [name, size, budget] of /** @type {const} */ ([["the engine", sizes.engine, 2_300_000], ["the stage", sizes.stage, 2_710_000], ["the PDF writer", sizes.print, 1_040_000], ["the agents", sizes.agent, 1_443_000]])) {
  if (size > budget) fault(`${name} has ${size} of ${budget} bytes`);
}
// The first paint of a page, with its graph, curves and numbers, may take 65 KB; with the engine, a page is ready to run after 2.2 MB.
const pages = [front, ...readdirSync(dist).map((name) => join(dist, name, "index.html")).filter((file) => existsSync(file) && /<html[^>]* data-preset=/.test(readFileSync(file, "utf8")))];
if (pages.length < 10) fault(`${dist} has ${pages.length} pages`);
for (const page of pages) {
  const size = await sum(firstOf(page));
  if (size > 65_000) fault(`the first paint of ${page} takes ${size} of 65000 bytes`);
}
console.log(sizes);

// What the documents say.

/** The size of a folder's files. @param {string} folder */
const unpacked = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);

/**
 * The sizes in documents that are no sizes of what a visitor loads: limits of the program, and measurements beside which
 * their commands stand.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const others = {
  "site/ARCHITECTURE.md": ["64 KB", "64 MB", "4 MB", "256 KB"],
  "CONTRIBUTING.md": ["1.7 KB", "3 KB", "8 KB"], // of dependencies
  "site/docs/agent.md": ["32 MiB", "128 MiB"],
  "site/docs/cluster.md": ["0.73 MB", "730 GB"],
  "site/docs/embed.md": ["6.4 MB"],
  "site/docs/engine.md": ["4 MiB", "128 MiB", "256 MB"],
  "site/docs/findings.md": ["404 MB", "321 MB", "31 MB", "100 MB", "14 MB"],
  "site/docs/formats.md": ["64 KB", "1 MB", "24 MiB", "4 MiB"],
  "site/docs/world.md": ["32 MiB"],
  "site/docs/guide.md": ["128 MB", "256 MB", "13 MB", "6.6 MB", "0.9 GB", "637 MB", "113 MB", "710 MB"],
};

/** The documents of the tree. */
const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "site/ARCHITECTURE.md", "site/npm/README.md",
  ...readdirSync(new URL("site/docs", root)).filter((name) => name.endsWith(".md")).map((name) => `site/docs/${name}`)];

/** @param {string} release */
async function checkDocuments(release) {
  const npm = join(release, "npm");
  /** The files of the npm package whose names begin with one of these words. @param {string[]} words */
  const modules = (...words) => readdirSync(join(npm, "dist")).filter((name) => words.some((word) => name.startsWith(word))).map((name) => join(npm, "dist", name));
  const all = {
    ...sizes,
    element: await sum([join(dist, "playground.js")]),
    site: unpacked(dist),
    zip: statSync(join(release, "dist.zip")).size,
    single: statSync(join(release, "cpsrl-playground.html")).size,
    npm: unpacked(npm),
    click: await sum(withImports(modules("guest-", "inline-", "experiment-", "cpsrl_markup-", "page.css"))),
    kernel: Math.max(...assets("kernel").map((file) => statSync(file).size)),
  };
  /** @type {readonly (readonly [file: string, size: keyof typeof all, words: RegExp])[]} */
  const claims = [
    ["README.md", "single", /one HTML file of ([\d.]+) (MB)/],
    ["site/docs/embed.md", "element", /a site that serves the playground \| a script of ([\d.]+) (KB)/],
    ["site/docs/embed.md", "single", /also from `file:\/\/` \| ([\d.]+) (MB)/],
    ["site/docs/embed.md", "zip", /any static host \| ([\d.]+) (MB) as a zip/],
    ["site/docs/embed.md", "site", /as a zip, ([\d.]+) (MB) unpacked/],
    ["site/docs/embed.md", "page", /by Brotli, ([\d.]+) (KB) for the page/],
    ["site/docs/embed.md", "engine", /([\d.]+) (MB) for the engine/],
    ["site/docs/embed.md", "stage", /([\d.]+) (MB) for the stage/],
    ["site/docs/embed.md", "print", /([\d.]+) (MB) for the PDF writer/],
    ["site/docs/guide.md", "stage", /opens the stage \(([\d.]+) (MB)/],
    ["site/docs/guide.md", "print", /The writer is ([\d.]+) (MB)/],
    ["site/npm/README.md", "element", /The module is ([\d.]+) (KB)/],
    ["site/npm/README.md", "click", /A click loads ([\d.]+) (KB)/],
    ["site/npm/README.md", "engine", /the engine \(([\d.]+) (MB)/],
    ["site/npm/README.md", "stage", /another ([\d.]+) (MB)/],
    ["site/npm/README.md", "print", /as PDF is ([\d.]+) (MB)/],
    ["site/npm/README.md", "npm", /takes ([\d.]+) (MB) on disk/],
    ["site/docs/agent.md", "agent", /a program of ([\d.]+) (MB)/],
    ["site/npm/README.md", "agent", /lends agents is ([\d.]+) (MB)/],
    ["site/ARCHITECTURE.md", "print", /`wasm\/print` \(([\d.]+) (MB) by Brotli/],
    ["site/ARCHITECTURE.md", "kernel", /SIMD kernel \(([\d.]+) (KB), `wasm/],
    ["site/docs/embed.md", "element", /one line from a CDN, or an import \| a script of ([\d.]+) (KB)/],
    ["site/docs/findings.md", "engine", /the download of its ([\d.]+) (MB) by Brotli/],
  ];
  console.log(all);
  const mostSingle = 11_650_000;
  if (all.single > mostSingle) fault(`the single file has ${all.single} of ${mostSingle} bytes`);
  const text = Object.fromEntries(documents.map((file) => [file, readFileSync(new URL(file, root), "utf8")]));
  /** Where the documents name a size that is claimed. @type {Set<string>} */
  const claimed = new Set();
  for (const [file, name, words] of claims) {
    const found = words.exec(text[file] ?? "");
    const [, said = "", unit = "MB"] = found ?? [];
    if (found) claimed.add(`${file}:${found.index + found[0].lastIndexOf(`${said} ${unit}`)}`);
    const actual = all[name] / { KB: 1e3, MB: 1e6 }[/** @type {"MB"} */ (unit)];
    // A small difference need not change a document.
    const tolerance = Math.max(0.6 * 10 ** -(said.split(".")[1]?.length ?? 0), 0.03 * actual);
    if (said === "" || Math.abs(Number(said) - actual) > tolerance) fault(`${file}: ${words} finds ${said || "nothing"}, but the size is ${actual.toFixed(3)} ${unit}`);
  }
  for (const file of documents) {
    for (const { 0: size, index } of (text[file] ?? "").matchAll(/\b\d[\d.]* (?:[KMG]B|[KMG]iB)\b/g)) {
      if (!claimed.has(`${file}:${index}`) && !others[file]?.includes(size)) fault(`${file} names ${size}, which nothing checks: add it to the claims or, if a visitor does not load it, to the others`);
    }
    for (const size of others[file] ?? []) if (!text[file]?.includes(size)) fault(`${file} does not name ${size} any more`);
  }

  // A download takes as long as its bytes need.
  const [, ready = "", download = ""] = /engine is ready after ([\d.]+) s, of which ([\d.]+) are the download/.exec(text["site/docs/findings.md"] ?? "") ?? [];
  const seconds = all.engine / (1.6e6 / 8);
  if (!(Math.abs(Number(download) - seconds) < 0.03 * seconds && Number(ready) > Number(download))) {
    fault(`site/docs/findings.md: the engine is ready after "${ready}" s, of which "${download}" are the download, but that takes ${seconds.toFixed(1)} s: measure with node site/bench/first.mjs`);
  }
}
if (release !== undefined) await checkDocuments(release);
process.exitCode = faults > 0 ? 1 : 0;
