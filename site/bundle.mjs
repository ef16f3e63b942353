// How the editions are bundled: the modules that the build makes, esbuild's options, and ZIP files.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";

const site = fileURLToPath(new URL(".", import.meta.url));

/** Go's own folder. */
export const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

/** What was asked for: where the site will lie, which ends with a slash, and the folder of its earlier versions. @param {string[]} args */
export function wishes(args) {
  const asked = Object.fromEntries(args.map((arg) => /^(BASE|VERSIONS)=(.*)$/s.exec(arg)?.slice(1) ?? [arg]));
  const { BASE, VERSIONS, ...others } = asked;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${other} is neither BASE=URL nor VERSIONS=FOLDER`);
  const base = BASE ? BASE.replace(/\/*$/, "/") : undefined;
  if (base && !/^https?:\/\/[^?#]+$/.test(base)) throw new Error(`BASE is ${BASE}, which is not an address such as https://example.org/cpsrl/`);
  return { base, versions: VERSIONS || undefined };
}

/** A module of addresses of files, each relative to the module and to be found by other bundlers. @param {string} name @param {Record<string, string>} files */
export const addresses = (name, files) => `export const ${name} = {${Object.entries(files).map(([name, file]) => `${JSON.stringify(name)}: new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`).join(",\n")}};`;

/**
 * Brings modules in under the names that the bundles import: esbuild's hashes cover the
 * paths of what is bundled, and a path outside site/ differs from machine to machine.
 * The edition names a file of src/edition and one of src/home.
 * @param {string} edition
 * @param {string} catalogue the file presets.json
 * @param {Record<string, string>} modules the texts of those that the edition needs
 * @returns {import("esbuild").Plugin}
 */
const bringing = (edition, catalogue, modules) => ({
  name: "bringing",
  setup(build) {
    build.onResolve({ filter: /^cpsrl:(edition|home)$/ }, ({ path }) => ({ path: join(site, "src", path.slice("cpsrl:".length), `${edition}.ts`) }));
    build.onResolve({ filter: /^(wasm_exec|cpsrl:\S+)$/ }, ({ path }) => ({ path, namespace: "brought" }));
    build.onLoad({ filter: /./, namespace: "brought" }, ({ path }) => {
      if (path === "wasm_exec") return { contents: readFileSync(join(goroot, "lib/wasm/wasm_exec.js")), loader: "js" };
      if (path === "cpsrl:catalogue") return { contents: readFileSync(catalogue), loader: "json" };
      const contents = modules[path];
      return contents === undefined ? { errors: [{ text: `the edition ${edition} has no ${path}` }] } : { contents, loader: "js" };
    });
  },
});

/**
 * esbuild's options for an edition.
 * @param {string} edition
 * @param {string} catalogue
 * @param {Record<string, string>} modules
 */
export const optionsOf = (edition, catalogue, modules) => /** @satisfies {import("esbuild").BuildOptions} */ ({
  absWorkingDir: site,
  bundle: true,
  minify: true,
  target: "es2022",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  logLevel: "warning",
  plugins: [bringing(edition, catalogue, modules)],
});

/**
 * Makes one file of all that a page needs at once. What is imported later comes after the page
 * has run, so it imports the page, too; esbuild, which has a file for each set of entry points
 * that need it, then has one for all of them. Without it a visitor waits for 21 small files.
 * @param {string} page its first module
 * @returns {import("esbuild").Plugin}
 */
export const together = (page) => ({
  name: "together",
  setup(build) {
    build.onResolve({ filter: /^\./, namespace: "file" }, ({ kind, path, resolveDir }) => {
      const later = `./${relative(site, join(resolveDir, `${path}.ts`))}`;
      return kind === "dynamic-import" ? { path: later, namespace: "later" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({ contents: `import "./${page}"; export * from "${path}";`, resolveDir: site }));
  },
});

/** The first day that a ZIP file knows: when every file in one was changed. */
const mtime = new Date(1980, 0, 1);

/** A ZIP of files by their paths. The same files give the same bytes. @param {import("fflate").Zippable} files */
export const zipped = (files) => zipSync(files, { level: 9, mtime });
