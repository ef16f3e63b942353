// Makes the site: node build.mjs BUILD DIST [BASE], where BUILD holds engine.wasm,
// presets.json and the pictures of the figures, and DIST is made anew. Files under assets/ carry a hash of
// their content in their names. BASE is where the site will lie, for the absolute
// addresses of preview pictures.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { assemble } from "./assemble.mjs";
import { forOthers, hosted } from "./hosted.mjs";
import { licences } from "./licences.mjs";
import { document, documents, iconOf, playground } from "./pages.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const root = join(site, "..");
const [build = "", dist = ""] = process.argv.slice(2, 4).map((path) => resolve(path));
const base = process.argv[4]?.replace(/\/*$/, "/");
if (!build || !dist || (base && !/^https?:\/\/[^?#]+$/.test(base))) throw new Error("usage: node build.mjs BUILD DIST [https://where/it/will/be/]");
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

/** The films of each preset that has one, by width. */
const filmFiles = Object.fromEntries(Object.keys(figureFiles).map((name) => [name, Object.fromEntries(
  ["wide", "narrow"].map((size) => [size, asset(`film-${name}.json`, readFileSync(join(build, `${name}.film.${size}.json`)))]))]));

const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

/** The folder of a Go module. @param {string} module */
const moduleFolder = (module) => execFileSync("go", ["list", "-m", "-f", "{{.Dir}}", module], { cwd: root, encoding: "utf8" }).trim();

// The fonts of the stage and of exported pictures, by weight.
const goFonts = join(moduleFolder("golang.org/x/image"), "font/gofont/ttfs");
const fontFiles = {
  400: asset("go-regular.ttf", readFileSync(join(goFonts, "Go-Regular.ttf"))),
  700: asset("go-bold.ttf", readFileSync(join(goFonts, "Go-Bold.ttf"))),
};

/** Files that lie outside site/, by the names that the bundles import. @type {Record<string, string>} */
const outside = { "wasm_exec": join(goroot, "lib/wasm/wasm_exec.js"), "cpsrl:catalogue": join(build, "presets.json") };

/**
 * Brings them in under these names: esbuild's hashes cover the paths of what is
 * bundled, and a path outside site/ differs from machine to machine.
 * @type {esbuild.Plugin}
 */
const brought = {
  name: "brought",
  setup(build) {
    build.onResolve({ filter: /^(wasm_exec|cpsrl:catalogue)$/ }, ({ path }) => ({ path, namespace: "brought" }));
    build.onResolve({ filter: /^cpsrl:font-(400|700)$/ }, ({ path }) => ({ path: `./${fontFiles[path.endsWith("400") ? 400 : 700]}`, external: true }));
    build.onLoad({ filter: /./, namespace: "brought" }, ({ path }) => {
      const file = /** @type {string} */ (outside[path]);
      return { contents: readFileSync(file), loader: file.endsWith(".json") ? "json" : "js" };
    });
  },
};

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
  plugins: [brought],
};

/**
 * Makes one file of all that the page needs at once. What is imported later comes after the page
 * has run, so it imports the page, too; esbuild, which has a file for each set of entry points
 * that need it, then has one for all of them. Without it a visitor waits for 21 small files.
 * @type {esbuild.Plugin}
 */
const together = {
  name: "together",
  setup(build) {
    build.onResolve({ filter: /^\./, namespace: "file" }, ({ kind, path, resolveDir }) => {
      const later = `./${relative(site, join(resolveDir, `${path}.ts`))}`;
      return kind === "dynamic-import" ? { path: later, namespace: "later" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({ contents: `import "./src/page.ts"; export * from "${path}";`, resolveDir: site }));
  },
};

/** What the bundles are made of. @type {Set<string>} */
const inputs = new Set();

/**
 * Bundles one entry point and returns the name of its output, and the names of what that imports at once.
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
  return { file: basename(path), imports: imports.filter(({ kind }) => kind === "import-statement").map((imported) => basename(imported.path)) };
}

/** Writes a file of the site. @param {string} path @param {string | Uint8Array} content */
function write(path, content) {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), content);
}

const { file: workerFile } = await bundle("src/engine/worker.ts", { format: "iife" });
const { file: watchStyle } = await bundle("src/parts/stage/watch.css");
const { file: dialogStyle } = await bundle("src/dialogs/style.css");
const { file: heatStyle } = await bundle("src/parts/experiment/heat.css");
const { file: pageFile, imports: pageImports } = await bundle("src/page.ts", {
  format: "esm",
  splitting: true,
  plugins: [brought, together],
  define: { ENGINE_FILE: JSON.stringify(engineFile), KERNEL_FILE: JSON.stringify(kernelFile), WORKER_FILE: JSON.stringify(workerFile), FIGURES: JSON.stringify(figureFiles), FILMS: JSON.stringify(filmFiles), FONTS: JSON.stringify(fontFiles), WATCH_STYLE: JSON.stringify(`./${watchStyle}`), HEAT_STYLE: JSON.stringify(`./${heatStyle}`), DIALOG_STYLE: JSON.stringify(`./${dialogStyle}`) },
});
const { file: styleFile } = await bundle("page.css");

// The stage: Ebitengine takes a whole page, so it has one of its own.
const stageFile = asset("stage.wasm", readFileSync(join(build, "stage.wasm")));
const { file: stageScript } = await bundle("src/stage.ts", { format: "iife", define: { STAGE_FILE: JSON.stringify(`assets/${stageFile}`) } });
const { file: stageStyle } = await bundle("stage.css");
write("stage.html", readFileSync(join(site, "stage.html"), "utf8")
  .replace('"stage.css"', `"assets/${stageStyle}"`)
  .replace('"stage.js"', `"assets/${stageScript}"`));
const { file: bareStyle } = await bundle("css/noscript.css");
const { file: docsStyle } = await bundle("css/docs.css");
const { file: docsFile } = await bundle("src/docs.ts", { format: "iife" });
await bundle("src/first.ts", { format: "iife", outdir: dist, entryNames: "[name]" }); // under a name that an older page knows, too

// The playground, and once more for each preset with a picture of its figure.

const template = readFileSync(join(root, "index.html"), "utf8");
/** @type {import("./src/formats").Catalog} */
const catalogue = JSON.parse(readFileSync(join(build, "presets.json"), "utf8"));

/** A picture of a figure, made by ./site. @param {string} name */
const picture = (name) => readFileSync(join(build, name));

/** The figure of a preset as the page shows it at once, and its conclusion. @param {string | undefined} source */
const stillOf = (source) => source === undefined ? undefined : {
  source,
  conclusion: /** @type {string} */ (JSON.parse(readFileSync(join(figures, `${source}.json`), "utf8")).conclusion),
  svg: ["wide", "narrow"].map((size) => String(picture(`${source}.${size}.svg`)).replace("<svg ", `<svg class="${size}" preserveAspectRatio="xMinYMin" `)).join(""),
};

/** The first picture of a preset's film, if it has one. @param {string | undefined} name */
const filmOf = (name) => name === undefined ? undefined : {
  folder: "figures", name,
  sizes: Object.fromEntries(["wide", "narrow"].map((size) => {
    const { width, height } = JSON.parse(String(picture(`${name}.film.${size}.json`)));
    write(`figures/${name}.film.${size}.svg`, picture(`${name}.film.${size}.svg`));
    return [size, { width, height }];
  })),
};

const pages = catalogue.presets.flatMap((preset) => [preset.name, ...(preset.alias ? [preset.alias] : [])].map((path) => ({ path, preset })));

// The element of other pages, as a script and as a module.
const presets = { PRESETS: JSON.stringify(pages.map(({ path }) => path)), PAGE: JSON.stringify(`assets/${pageFile}`) };
await bundle("src/playground.ts", { format: "iife", outdir: dist, entryNames: "[name]", define: { ...presets, "import.meta.url": "undefined" } });
await bundle("src/playground.ts", { format: "esm", outdir: dist, entryNames: "[name]", outExtension: { ".js": ".mjs" }, define: presets });

for (const { path, preset } of pages) {
  const { name } = preset;
  const source = [name, name.replace(/-quick$/, "")].find((n) => n in figureFiles);
  const still = stillOf(source);
  const conclusion = still && (source === name ? still.conclusion : `The full figure: ${still.conclusion}`);
  const card = still && base ? `figures/${source}.png` : undefined;
  const poster = still && `figures/${path}.svg`;
  if (poster) write(poster, picture(`${source}.svg`));
  if (card && path === source) write(card, picture(`${source}.png`));
  write(`${path}/index.html`, playground(template, {
    up: "../", style: styleFile, bare: bareStyle, script: pageFile, imports: pageImports, engine: engineFile, base, path: `${name}/`, preset, question: preset.question, image: card, poster, film: filmOf(source), still, conclusion,
  }));
}
const front = stillOf("fig2c" in figureFiles ? "fig2c" : undefined);
const { question } = catalogue.presets.find(({ name }) => name === front?.source) ?? {};
write("index.html", playground(template, {
  style: styleFile, bare: bareStyle, script: pageFile, imports: pageImports, engine: engineFile, base, question, image: front && base ? "figures/fig2c.png" : undefined, poster: front && "figures/fig2c.svg", film: filmOf(front?.source), still: front, conclusion: front?.conclusion,
}));

// The documents, the example of a paper's page, the schema, the licences.

for (const [name, title] of documents) {
  write(`docs/${parse(name).name}.html`, document({ root, name, title, style: styleFile, more: docsStyle, script: docsFile, icon: iconOf(template), base }));
}
write("paper/index.html", document({ root, name: "paper", title: "A few known causes, and a whole policy to learn", style: styleFile, more: docsStyle, script: docsFile, icon: iconOf(template), base }));
for (const name of readdirSync(build).filter((name) => name.startsWith("moment-"))) write(`figures/${name}`, picture(name));
for (const name of readdirSync(join(site, "example"))) write(`example/${name}`, readFileSync(join(site, "example", name)));
copyFileSync(join(site, "host-api.schema.json"), join(dist, "host-api.schema.json"));
write("licences.txt", licences({ root, goroot, goFonts, inputs, programs: ["./wasm/main", "./wasm/stage"] }));
await hosted({
  base, icon: iconOf(template), description: /<meta name="description" content="([^"&]*)">/.exec(template)?.[1] ?? "", picture, write,
  presets: catalogue.presets.map(({ name, title }) => {
    const source = [name, name.replace(/-quick$/, "")].find((n) => n in figureFiles);
    return { name, title, image: source && `figures/${source}.png` };
  }),
  documents: ["paper/", ...documents.map(([name]) => name === "index" ? "docs/" : `docs/${name}.html`)],
});
write(".nojekyll", "");

// The service worker, which knows the hash of every file; preview pictures are for others. The
// stage is too large to fetch before anyone asks for it.

/** @typedef {Record<string, string>} Hashes */
const files = /** @type {Hashes} */ ({});
const later = /** @type {Hashes} */ ({});
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  const path = relative(dist, file).replaceAll("\\", "/");
  if (!entry.isFile() || path === ".nojekyll" || forOthers(path) || (path.startsWith("figures/") && path.endsWith(".png"))) continue;
  const group = /^(assets\/)?stage\b/.test(path) ? later : files;
  group[path.replace(/(^|\/)index\.html$/, "$1")] = `sha256-${createHash("sha256").update(readFileSync(file)).digest("base64")}`;
}
/** @param {Hashes} group */
const sorted = (group) => JSON.stringify(Object.fromEntries(Object.entries(group).sort()));
const [now, whenAsked] = [sorted(files), sorted(later)];
await bundle("src/sw.ts", {
  format: "iife", outdir: dist, entryNames: "[name]",
  define: { BUILD: JSON.stringify(createHash("sha256").update(now + whenAsked).digest("hex").slice(0, 16)), FILES: now, LATER: whenAsked },
});
