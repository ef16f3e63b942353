// Makes the editions of a release: node package.mjs BUILD DIST RELEASE [BASE=URL], from the site in
// DIST and from what its build left in BUILD.
//   RELEASE/npm                    the npm package, with its tarball beside it
//   RELEASE/cpsrl-playground.html  the single file
//   RELEASE/dist.zip               the site
//   RELEASE/cpsrl.py               the client for Python
// The same sources give the same bytes. With BASE, the package and the file link to the site there.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { addresses, integrityOf, optionsOf, together, wishes, zipped } from "./bundle.mjs";
import { escaped, replace } from "./pages.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const [build = "", dist = "", release = ""] = process.argv.slice(2, 5).map((path) => resolve(path));
const { base = "" } = wishes(process.argv.slice(5));
if (!release) throw new Error("usage: node package.mjs BUILD DIST RELEASE [BASE=URL]");
rmSync(release, { recursive: true, force: true });

/** The files under assets/, by their names without hashes. @type {Record<string, string>} */
const files = JSON.parse(readFileSync(join(build, "files.json"), "utf8"));
const catalogue = join(build, "presets.json");
/** @type {import("./src/formats").Catalog} */
const { engine, presets, domains } = JSON.parse(readFileSync(catalogue, "utf8"));

/** A file of the site. @param {string} name */
const read = (name) => readFileSync(join(dist, name));

/** A page with links to the site at BASE, or without links to a site. @param {string} page */
const linked = (page) => base
  ? page.replaceAll(/ href="((?:docs\/|paper\/|gallery\/|source\.zip)[^"]*)"/g, (_, path) => ` href="${escaped(base + path)}"`)
  : page.replaceAll(/<a [^>]*href="(?:docs\/|paper\/|gallery\/|source\.zip)[^"]*"[^>]*>[^<]*<\/a> */g, "").replace(' id="embed"', ' id="embed" hidden');

const home = { "cpsrl:home-page": `export const home = ${JSON.stringify(base)};` };

// The npm package. It has a version, so its files need no hashes.

const npm = join(release, "npm");
const version = /^version: (.*)$/m.exec(readFileSync(join(site, "../CITATION.cff"), "utf8"))?.[1];
if (!version?.startsWith(`${engine}.`)) throw new Error(`the version in CITATION.cff is ${version}, which does not begin with the engine's, ${engine}`);
mkdirSync(join(npm, "dist"), { recursive: true });
const { name, ...about } = JSON.parse(readFileSync(join(site, "npm/package.json"), "utf8"));
writeFileSync(join(npm, "package.json"), `${JSON.stringify({ name, version, ...about }, null, 2)}\n`);
writeFileSync(join(npm, "README.md"), readFileSync(join(site, "npm/README.md")));
writeFileSync(join(npm, "LICENSE"), readFileSync(join(site, "../LICENSE")));
writeFileSync(join(npm, "licences.txt"), read("licences.txt"));
for (const name of ["messages.d.ts", "playground.d.ts", "widget.d.ts"]) writeFileSync(join(npm, "dist", name), readFileSync(join(site, "npm", name)));
for (const [name, hashed] of Object.entries(files)) writeFileSync(join(npm, "dist", name), read(`assets/${hashed}`));

/** The file of each preset's picture. Presets with the same picture share a file. @type {Record<string, string>} */
const posters = {};
/** @type {Map<string, string>} */
const pictures = new Map();
for (const name of presets.flatMap(({ name, alias }) => (alias ? [name, alias] : [name]))) {
  const picture = read(`figures/${name}.svg`);
  const file = pictures.get(String(picture)) ?? `${name}.svg`;
  pictures.set(String(picture), file);
  posters[name] = file;
  writeFileSync(join(npm, "dist", file), picture);
}

/** The pictures of the kinds of problems. */
const problems = Object.fromEntries(domains.map(({ key }) => [`problem-${key}`, `problem-${key}.svg`]));
for (const file of Object.values(problems)) writeFileSync(join(npm, "dist", file), read(`figures/${file}`));

const template = readFileSync(join(site, "../index.html"), "utf8");
const body = template.slice(template.indexOf("<body>"), template.indexOf("</body>")).replace(/<p class="unstyled">.*\n/, ""); // it is for frames
const options = optionsOf("package", catalogue, {
  ...home,
  "cpsrl:files": addresses("files", Object.fromEntries(Object.keys(files).map((name) => [name, name]))),
  "cpsrl:posters": addresses("posters", { ...posters, ...problems }),
  "cpsrl:markup": `export default ${JSON.stringify(linked(body))};`,
});
await esbuild.build({
  ...options, plugins: [...options.plugins, together("src/guest.ts")],
  entryPoints: [{ in: "src/module.ts", out: "playground" }, { in: "src/widget.ts", out: "widget" }], outdir: join(npm, "dist"), entryNames: "[name]",
  format: "esm", splitting: true, define: { PRESETS: JSON.stringify(Object.keys(posters)), FRAMES: "false" },
});
await esbuild.build({ ...options, entryPoints: ["src/agent.ts"], outdir: join(npm, "dist"), entryNames: "[name]", format: "esm" });
execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", release, npm], { cwd: site, stdio: ["ignore", "ignore", "inherit"] });

// The single file: the page with its style and script, and all other files compressed, in script
// elements that do not run. Its policy lets it load nothing from anywhere.

/** A bundle as the text of a script element, with no text in it that would end the element. @param {string} entry @param {esbuild.BuildOptions} options */
async function textOf(entry, options) {
  const { outputFiles } = await esbuild.build({ ...optionsOf("single", catalogue, home), entryPoints: [entry], outdir: release, write: false, ...options });
  return (outputFiles?.[0]?.text.trim() ?? "").replaceAll(/<(?=!--|\/?script)/gi, "\\x3C");
}

/** @type {Record<string, string>} */
const types = { ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".ttf": "font/ttf", ".txt": "text/plain;charset=utf-8", ".wasm": "application/wasm" };
/** @param {string} name @param {Uint8Array} content */
const held = (name, content) =>
  `<script type="application/gzip" id="file:${name}" data-type="${types[extname(name)]}">${gzipSync(content, { level: 9 }).toString("base64")}</script>`;

const scripts = { "first.js": await textOf("src/first.ts", { format: "iife" }), "page.js": await textOf("src/page.ts", { format: "esm", external: [] }) };
const styles = { "page.css": String(read(`assets/${files["page.css"]}`)).trim(), "noscript.css": await textOf("css/noscript.css", {}) };
/** @param {Record<string, string>} texts */
const hashes = (texts) => Object.values(texts).map((text) => `'${integrityOf(text)}'`).join(" ");
const policy = `default-src 'none'; script-src ${hashes(scripts)} blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src blob:; style-src ${hashes(styles)} blob:; img-src data: blob:; font-src data: blob:; base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types cpsrl lit-html`;

let page = linked(String(read("index.html")));
/** Replaces a text that the page has exactly once. @param {RegExp} from @param {string} to */
const change = (from, to) => void (page = replace(page, page.match(from)?.[0] ?? String(from), to));
const needed = Object.keys(files).filter((name) => !(name in styles) && !/^(print|agent)\./.test(name)); // there is no room for the PDF program, and a page of its own lends no agents
const packed = [...needed.map((name) => held(name, read(`assets/${files[name]}`))), held("licences.txt", read("licences.txt"))];
change(/<\/body>/, `${packed.join("\n")}\n</body>`);
change(/(?<=Content-Security-Policy" content=")[^"]*/, policy);
change(/<link rel="stylesheet" href="assets\/page-[^"]*">/, `<style>${styles["page.css"]}</style>`);
change(/<link rel="stylesheet" href="assets\/noscript-[^"]*">/, `<style>${styles["noscript.css"]}</style>`);
page = page.replaceAll(/(src|srcset)="(figures\/[^"]*\.svg)"/g, (_, name, path) => `${name}="data:image/svg+xml;base64,${read(path).toString("base64")}"`);
change(/ href="licences\.txt"/, ' href="#" download="licences.txt"');
if (!base) change(/<nav aria-label="About">/, '<p class="note">This file holds the whole playground and needs no network. The documents are not in it.</p>\n  <nav aria-label="About">');
page = page.replaceAll(/<link\b[^>]* href="(?!data:|https?:)[^"]*"[^>]*>\n?/g, ""); // links to files that only a site has
change(/<script src="first\.js"[^>]*><\/script>/, `<script>${scripts["first.js"]}</script>`);
change(/<script type="module" src="[^"]*"><\/script>/, `<script type="module">${scripts["page.js"]}</script>`);
writeFileSync(join(release, "cpsrl-playground.html"), page);

// The site.

const paths = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
const contents = Object.fromEntries(paths.sort().map((path) => [path, read(path)]));
writeFileSync(join(release, "dist.zip"), zipped(contents));

writeFileSync(join(release, "cpsrl.py"), readFileSync(join(site, "python/cpsrl.py")));
