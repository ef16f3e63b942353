// Makes the site: node build.mjs BUILD DIST [BASE=URL] [VERSIONS=FOLDER], where BUILD holds the programs,
// presets.json and the pictures of the figures, and DIST is made anew. The names of files under assets/ have a
// hash of their content. BASE is the site's future address, which preview pictures need. VERSIONS holds the
// sites of earlier engines.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { assemble } from "./assemble.mjs";
import { addresses, goroot, integrityOf, optionsOf, together, wishes } from "./bundle.mjs";
import { forOthers, hosted } from "./hosted.mjs";
import { licences } from "./licences.mjs";
import { atHome, document, documents, escaped, gallery, iconOf, playground } from "./pages.mjs";
import { joinSegments } from "./segments.mjs";
import { sourceOf } from "./source.mjs";
import { keepVersions, nameVersion } from "./versions.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const root = join(site, "..");
const [build = "", dist = ""] = process.argv.slice(2, 4).map((path) => resolve(path));
const { base, versions } = wishes(process.argv.slice(4));
if (!dist) throw new Error("usage: node build.mjs BUILD DIST [BASE=URL] [VERSIONS=FOLDER]");
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
  files[name] = hashed;
  return hashed;
}

/** The files under assets/ that are fetched when they are needed, by their names without hashes. @type {Record<string, string>} */
const files = {};

/** Writes a program of Go, and returns its name. @param {string} name */
const program = (name) => asset(name, joinSegments(readFileSync(join(build, name))));

const engineFile = program("engine.wasm");
program("print.wasm");
program("agent.wasm");
asset("kernel.wasm", await assemble(join(site, "../wasm/kernel/kernel.wat")));

// The precomputed figure of each preset that has one.
const figures = join(site, "figures");
const figured = (existsSync(figures) ? readdirSync(figures) : []).filter((name) => name.endsWith(".json")).map((name) => parse(name).name).sort();
for (const name of figured) {
  asset(`${name}.json`, readFileSync(join(figures, `${name}.json`)));
  asset(`film-${name}.json`, readFileSync(join(build, `${name}.film.json`)));
}

/** The folder of a Go module. @param {string} module */
const moduleFolder = (module) => execFileSync("go", ["list", "-m", "-f", "{{.Dir}}", module], { cwd: root, encoding: "utf8" }).trim();

// The fonts of the stage and of exported pictures.
const goFonts = join(moduleFolder("golang.org/x/image"), "font/gofont/ttfs");
asset("go-regular.ttf", readFileSync(join(goFonts, "Go-Regular.ttf")));
asset("go-bold.ttf", readFileSync(join(goFonts, "Go-Bold.ttf")));

/** The texts of modules that the bundles import by these names. The build adds each as it makes it. @type {Record<string, string>} */
const modules = {};
const common = { ...optionsOf("site", join(build, "presets.json"), modules), outdir: assets };

/** The files that the output of an entry point imports statically. @type {Record<string, string[]>} */
const imported = {};

/** Where the output of an entry point is that depends on nothing but sources, for the development loop. @type {Record<string, {path: string, format: esbuild.Format | undefined, splitting: boolean}>} */
const entries = {};

/** The sources of the bundles. @type {Set<string>} */
const inputs = new Set();

/**
 * Bundles one entry point and returns the name of its output.
 * @param {string} entry
 * @param {esbuild.BuildOptions} options
 */
async function bundle(entry, options = {}) {
  const { metafile } = await esbuild.build({ ...common, entryPoints: [entry], ...options });
  for (const output of Object.values(metafile?.outputs ?? {})) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) inputs.add(input);
  }
  const found = Object.entries(metafile?.outputs ?? {}).find(([, output]) => output.entryPoint === entry);
  if (!found) throw new Error(`${entry} has no output`);
  const [path, { imports }] = found;
  imported[entry] = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
  const { format, splitting = false, define } = options;
  if (!define) entries[entry] = { path: relative(dist, resolve(site, path)), format, splitting };
  return basename(path);
}

/** Writes a file of the site. @param {string} path @param {string | Uint8Array} content */
function write(path, content) {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), typeof content === "string" && path.endsWith(".html") ? atHome(content, base) : content);
}

files["worker.js"] = await bundle("src/engine/worker.ts", { format: "iife" });
files["print.js"] = await bundle("src/print.ts", { format: "iife" });
files["watch.css"] = await bundle("src/parts/stage/watch.css");
files["dialogs.css"] = await bundle("src/dialogs/style.css");
files["heat.css"] = await bundle("src/parts/experiment/heat.css");
files["views.css"] = await bundle("src/parts/prior/views.css");
files["worth.css"] = await bundle("src/parts/prior/worth.css");
files["own.css"] = await bundle("src/parts/problem/own.css");
const styleFile = (files["page.css"] = await bundle("page.css"));
modules["cpsrl:files"] = addresses("files", files);
const agentFile = await bundle("src/agent.ts", { format: "esm" });
const pageFile = await bundle("src/page.ts", { format: "esm", splitting: true, plugins: [...common.plugins, together("src/page.ts")] });
const pageImports = imported["src/page.ts"] ?? [];

// The stage has its own page, because Ebitengine takes over its whole page.
program("stage.wasm");
files["stage.js"] = await bundle("src/stage.ts", { format: "iife" });
files["stage.css"] = await bundle("stage.css");
write("stage.html", readFileSync(join(site, "stage.html"), "utf8").replaceAll(/"((?:stage|go)[-\w]*\.\w+)"/g, (_, name) => `"assets/${files[name]}"`));
const bareStyle = await bundle("css/noscript.css");
const docsStyle = await bundle("css/docs.css");
const docsFile = await bundle("src/docs.ts", { format: "iife" });
await bundle("src/first.ts", { format: "iife", outdir: dist, entryNames: "[name]" }); // without a hash, so that older pages find it, too

// The playground's page, and one for each preset with a picture of its figure.

/** The page, without its indentation. */
const template = readFileSync(join(root, "index.html"), "utf8").replace(/^ +/gm, "");
/** @type {import("./src/formats").Catalog} */
const catalogue = JSON.parse(readFileSync(join(build, "presets.json"), "utf8"));

/** A picture that ./site has made. @param {string} name */
const picture = (name) => readFileSync(join(build, name));

/** The precomputed figure that a page shows before its script has run, and the figure's conclusion. @param {string | undefined} source */
const stillOf = (source) => source === undefined ? undefined : {
  source,
  conclusion: /** @type {string} */ (JSON.parse(readFileSync(join(figures, `${source}.json`), "utf8")).conclusion),
  svg: String(picture(`${source}.still.svg`)).replace("<svg ", '<svg preserveAspectRatio="xMinYMin" '),
};

/** The first picture of a preset's film, if it has one. @param {string | undefined} name */
const filmOf = (name) => {
  if (name === undefined) return undefined;
  const { width, height } = JSON.parse(String(picture(`${name}.film.json`)));
  write(`figures/${name}.film.svg`, picture(`${name}.film.svg`));
  return { folder: "figures", name, width, height };
};

/** What the parts say of their first pictures. @type {typeof import("./src/still")} */
const { still: drawPrior, ...sizes } = await esbuild.build({ ...optionsOf("site", join(build, "presets.json"), modules), metafile: false, entryPoints: ["src/still.ts"], write: false, format: "esm" })
  .then(({ outputFiles }) => import(`data:text/javascript;base64,${Buffer.from(outputFiles?.[0]?.contents ?? []).toString("base64")}`));

/** The prior of a preset that has a figure. @param {string | undefined} name */
const priorOf = (name) => name === undefined ? undefined : drawPrior(JSON.parse(String(picture(`${name}.graph.json`))), JSON.parse(String(picture(`${name}.film.json`))), escaped);

/** @param {string | undefined} source */
const presetOf = (source) => catalogue.presets.find(({ name }) => name === source);

/** What a preset's kind of problem is called. @param {import("./src/formats").PresetEntry | undefined} preset */
const domainOf = (preset) => catalogue.domains.find(({ key }) => key === preset?.spec.domain.name)?.label;

/** What the figure of each preset answers to the preset's question. @type {Record<string, string>} */
const answers = JSON.parse(String(picture("answers.json")));

const pages = catalogue.presets.flatMap((preset) => [preset.name, ...(preset.alias ? [preset.alias] : [])].map((path) => ({ path, preset })));

// The element for other pages, as a script and as a module, at the root and in the folder of this version.
for (const [up, folder] of /** @type {const} */ ([["", dist], ["../", join(dist, `v${catalogue.engine}`)]])) {
  const define = { PRESETS: JSON.stringify(pages.map(({ path }) => path)), PAGE: JSON.stringify(`assets/${pageFile}`), AGENT: JSON.stringify(`assets/${agentFile}`), FRAMES: "true", UP: JSON.stringify(up) };
  await bundle("src/playground.ts", { format: "iife", outdir: folder, entryNames: "[name]", define: { ...define, "import.meta.url": "undefined" } });
  await bundle("src/module.ts", { format: "esm", outdir: folder, entryNames: "playground", outExtension: { ".js": ".mjs" }, define });
}

for (const { path, preset } of pages) {
  const { name } = preset;
  const source = [name, name.replace(/-quick$/, "")].find((n) => figured.includes(n));
  const still = stillOf(source);
  const conclusion = still && (source === name ? still.conclusion : `The full figure: ${still.conclusion}`);
  const card = still && base ? `figures/${source}.png` : undefined;
  const poster = still && `figures/${path}.svg`;
  if (poster) write(poster, picture(`${source}.svg`));
  if (card && path === source) write(card, picture(`${source}.png`));
  write(`${path}/index.html`, playground(template, {
    up: "../", style: styleFile, bare: bareStyle, script: pageFile, imports: pageImports, engine: engineFile, base, path: `${name}/`, preset, heading: (presetOf(source) ?? preset).title, question: preset.question, answer: answers[name], image: card, poster, film: filmOf(source), prior: priorOf(source), sizes, domain: domainOf(presetOf(source) ?? preset), spec: (presetOf(source) ?? preset).spec, still, conclusion,
  }));
}
const front = stillOf(figured.includes("fig2c") ? "fig2c" : undefined);
write("index.html", playground(template, {
  style: styleFile, bare: bareStyle, script: pageFile, imports: pageImports, engine: engineFile, base, heading: presetOf(front?.source)?.title, question: presetOf(front?.source)?.question, answer: answers[front?.source ?? ""], image: front && base ? "figures/fig2c.png" : undefined, poster: front && "figures/fig2c.svg", film: filmOf(front?.source), prior: priorOf(front?.source), sizes, domain: domainOf(presetOf(front?.source)), spec: presetOf(front?.source)?.spec, still: front, conclusion: front?.conclusion,
}));

// The documents, the gallery, the numbers of the studies, the example of a paper's page, the schema, the licences.

for (const [name, title] of documents) {
  write(`docs/${parse(name).name}.html`, document({ root, name, title, style: styleFile, more: docsStyle, script: docsFile, icon: iconOf(template), base }));
}
write("paper/index.html", document({ root, name: "paper", title: "A few known causes, and a whole policy to learn", style: styleFile, more: docsStyle, script: docsFile, icon: iconOf(template), base }));
write("gallery/index.html", gallery({ style: styleFile, more: docsStyle, script: docsFile, icon: iconOf(template), base }, JSON.parse(String(picture("gallery.json"))).map(
  (/** @type {{name: string}} */ card) => {
    const { title = "", question = "" } = presetOf(card.name) ?? {};
    return { ...card, title, question, answer: answers[card.name] };
  })));
for (const name of readdirSync(build).filter((name) => /^(moment|poster|problem|gallery)-/.test(name))) write(`figures/${name}`, picture(name));
for (const name of readdirSync(join(root, "studies")).filter((name) => name.endsWith(".csv"))) write(`docs/${name}`, readFileSync(join(root, "studies", name)));
for (const name of readdirSync(join(site, "example"))) write(`example/${name}`, readFileSync(join(site, "example", name)));
copyFileSync(join(site, "python/cpsrl.py"), join(dist, "cpsrl.py"));
copyFileSync(join(site, "host-api.schema.json"), join(dist, "host-api.schema.json"));
write("licences.txt", licences({ root, goroot, goFonts, inputs, programs: ["./wasm/main", "./wasm/stage", "./wasm/print", "./wasm/agent"] }));
write("source.zip", sourceOf(root));
await hosted({
  base, engine: catalogue.engine, icon: iconOf(template), description: /<meta name="description" content="([^"&]*)">/.exec(template)?.[1] ?? "", picture, write,
  presets: catalogue.presets.map(({ name, title }) => {
    const source = [name, name.replace(/-quick$/, "")].find((n) => figured.includes(n));
    return { name, title, image: source && `figures/${source}.png` };
  }),
  documents: ["paper/", "gallery/", ...documents.map(([name]) => name === "index" ? "docs/" : `docs/${name}.html`)],
});
write(".nojekyll", "");

nameVersion(dist, catalogue.engine, ["", ...pages.map(({ path }) => path)]);

// The other editions are made of these files (package.mjs).
writeFileSync(join(build, "files.json"), JSON.stringify(files));
writeFileSync(join(build, "entries.json"), JSON.stringify(entries));

// The service worker, which knows the hash of every file that it may keep. It keeps no preview pictures,
// which only other sites show, and nothing under vN/, where the files will change some day. The pictures of the gallery, the films, the
// stage, the program that writes PDF and the source are too large to fetch before anyone asks for them.

/** @typedef {Record<string, string>} Hashes */
const first = /** @type {Hashes} */ ({});
const later = /** @type {Hashes} */ ({});
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  const path = relative(dist, file).replaceAll("\\", "/");
  if (!entry.isFile() || path === ".nojekyll" || /^v\d+\//.test(path) || forOthers(path) || (path.startsWith("figures/") && path.endsWith(".png"))) continue;
  const group = /^(assets\/)?(stage|print|agent|source|film)\b|^figures\/gallery-/.test(path) ? later : first;
  group[path.replace(/(^|\/)index\.html$/, "$1")] = integrityOf(readFileSync(file));
}
/** @param {Hashes} group */
const sorted = (group) => JSON.stringify(Object.fromEntries(Object.entries(group).sort()));
const [now, whenAsked] = [sorted(first), sorted(later)];
await bundle("src/sw.ts", {
  format: "iife", outdir: dist, entryNames: "[name]",
  define: { BUILD: JSON.stringify(createHash("sha256").update(now + whenAsked).digest("hex").slice(0, 16)), FILES: now, LATER: whenAsked },
});

keepVersions(dist, catalogue.engine, versions, base);
