// Checks the sizes of the site: node site/sizes.mjs DIST [RELEASE]. What a visitor loads must stay within its budget.
// With RELEASE, the folder of the packages, the sizes that the documents name must be true.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [dist = "dist", release] = process.argv.slice(2);
const root = new URL("..", import.meta.url);
let faults = 0;
/** @param {string} words */
const fault = (words) => {
  console.error(words);
  faults++;
};

/** The gzipped sizes of files. @type {Map<string, number>} */
const known = new Map();
/** @param {string} file */
function gzipped(file) {
  const size = known.get(file) ?? gzipSync(readFileSync(file), { level: 9 }).length;
  known.set(file, size);
  return size;
}
/** @param {Iterable<string>} files */
const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0);

/** The files under assets/ whose names begin with one of these words. @param {...string} words */
const assets = (...words) => readdirSync(join(dist, "assets")).filter((name) => words.some((word) => name.startsWith(`${word}-`))).map((name) => join(dist, "assets", name));

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

// What a visitor loads, gzipped, with its budget in bytes.

const front = join(dist, "index.html");
const sizes = {
  page: sum(firstOf(front)),
  engine: sum(assets("engine", "kernel", "worker")),
  stage: sum(assets("stage", "go")),
  print: sum(assets("print")),
  agent: sum(assets("agent")),
};
for (const [name, size, budget] of /** @type {const} */ ([["the engine", sizes.engine, 3_170_000], ["the stage", sizes.stage, 3_620_000], ["the PDF writer", sizes.print, 1_400_000], ["the agents", sizes.agent, 2_200_000]])) {
  if (size > budget) fault(`${name} has ${size} of ${budget} bytes`);
}
// The first paint of a page may take 70 KB; with the engine, a page is ready to run after 3.2 MB.
const pages = [front, ...readdirSync(dist).map((name) => join(dist, name, "index.html")).filter((file) => existsSync(file) && /<html[^>]* data-preset=/.test(readFileSync(file, "utf8")))];
if (pages.length < 10) fault(`${dist} has ${pages.length} pages`);
for (const page of pages) {
  const size = sum(firstOf(page));
  if (size > 70_000) fault(`the first paint of ${page} takes ${size} of 70000 bytes`);
}
console.log(sizes);

// What the documents say.

/** The size of a folder's files. @param {string} folder */
const unpacked = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);

/** @param {string} release */
function checkDocuments(release) {
  const npm = join(release, "npm");
  /** The files of the npm package whose names begin with one of these words. @param {string[]} words */
  const modules = (...words) => readdirSync(join(npm, "dist")).filter((name) => words.some((word) => name.startsWith(word))).map((name) => join(npm, "dist", name));
  const all = {
    ...sizes,
    element: gzipped(join(dist, "playground.js")),
    site: unpacked(dist),
    zip: statSync(join(release, "dist.zip")).size,
    single: statSync(join(release, "cpsrl-playground.html")).size,
    npm: unpacked(npm),
    click: sum(withImports(modules("guest-", "inline-", "experiment-", "cpsrl_markup-", "page.css"))),
  };
  /** @type {readonly (readonly [file: string, size: keyof typeof all, words: RegExp])[]} */
  const claims = [
    ["README.md", "single", /one HTML file of ([\d.]+) (MB)/],
    ["site/docs/embed.md", "element", /a site that serves the playground \| a script of ([\d.]+) (KB)/],
    ["site/docs/embed.md", "single", /also from `file:\/\/` \| ([\d.]+) (MB)/],
    ["site/docs/embed.md", "zip", /any static host \| ([\d.]+) (MB) as a zip/],
    ["site/docs/embed.md", "site", /as a zip, ([\d.]+) (MB) unpacked/],
    ["site/docs/embed.md", "page", /compressed, ([\d.]+) (KB) for the page/],
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
    ["site/ARCHITECTURE.md", "print", /`wasm\/print` \(([\d.]+) (MB) gzipped/],
  ];
  console.log(all);
  for (const [file, name, words] of claims) {
    const [, said = "", unit = "MB"] = words.exec(readFileSync(new URL(file, root), "utf8")) ?? [];
    const actual = all[name] / { KB: 1e3, MB: 1e6 }[/** @type {"MB"} */ (unit)];
    // A small difference need not change a document.
    const tolerance = Math.max(0.6 * 10 ** -(said.split(".")[1]?.length ?? 0), 0.03 * actual);
    if (said === "" || Math.abs(Number(said) - actual) > tolerance) fault(`${file}: ${words} finds ${said || "nothing"}, but the size is ${actual.toFixed(3)} ${unit}`);
  }
}
if (release !== undefined) checkDocuments(release);
process.exitCode = faults > 0 ? 1 : 0;
