// What bundles the editions: the modules that the build makes, esbuild's options, and ZIP files.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { commands } from "./host-api.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));

/** The folder of the Go installation. */
export const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

/** Reads the arguments BASE=, the site's future address, which gets a slash at its end, and VERSIONS=, the folder of earlier versions. @param {string[]} args */
export function wishes(args) {
  const asked = Object.fromEntries(args.map((arg) => /^(BASE|VERSIONS)=(.*)$/s.exec(arg)?.slice(1) ?? [arg]));
  const { BASE, VERSIONS, ...others } = asked;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${other} is neither BASE=URL nor VERSIONS=FOLDER`);
  const base = BASE ? BASE.replace(/\/*$/, "/") : undefined;
  if (base && !/^https?:\/\/[^?#]+$/.test(base)) throw new Error(`BASE is ${BASE}, which is not an address such as https://example.org/cpsrl/`);
  return { base, versions: VERSIONS || undefined };
}

/** A module that exports the addresses of files, each relative to the module, in a form that other bundlers follow. @param {string} name @param {Record<string, string>} files */
export const addresses = (name, files) => `export const ${name} = {${Object.entries(files).map(([name, file]) => `${JSON.stringify(name)}: new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`).join(",\n")}};`;

/**
 * Provides modules under the names that the bundles import. Their real paths would not do: esbuild's
 * hashes cover the paths of the sources, and a path outside site/ differs from machine to machine.
 * The edition names a file of src/edition and one of src/home.
 * @param {string} edition
 * @param {string} catalogue the file presets.json, which has answers.json beside it
 * @param {Record<string, string>} modules the texts of the modules that the edition needs
 * @returns {import("esbuild").Plugin}
 */
const bringing = (edition, catalogue, modules) => ({
  name: "bringing",
  setup(build) {
    build.onResolve({ filter: /^cpsrl:(edition|home)$/ }, ({ path }) => ({ path: join(site, "src", path.slice("cpsrl:".length), `${edition}.ts`) }));
    build.onResolve({ filter: /^cpsrl:agent$/ }, () => ({ path: "./agent.js", external: true }));
    build.onResolve({ filter: /^(wasm_exec|cpsrl:\S+)$/ }, ({ path }) => ({ path, namespace: "brought" }));
    build.onLoad({ filter: /./, namespace: "brought" }, ({ path }) => {
      if (path === "wasm_exec") return { contents: readFileSync(join(goroot, "lib/wasm/wasm_exec.js")), loader: "js" };
      if (path === "cpsrl:catalogue" || path === "cpsrl:fills") {
        const { fills, ...first } = JSON.parse(readFileSync(catalogue, "utf8")); // the fills come with the editor
        return { contents: JSON.stringify(path === "cpsrl:fills" ? fills : first), loader: "json" };
      }
      if (path === "cpsrl:commands") return { contents: JSON.stringify(commands), loader: "json" };
      if (path === "cpsrl:answers") return { contents: readFileSync(join(dirname(catalogue), "answers.json")), loader: "json" };
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
 * Puts all modules that a page needs at once into one file. esbuild splits modules by the set of entry
 * points that need them, which would make 21 small files for a visitor to wait for. A module that is
 * imported later runs after the page, so this plugin lets each of them import the page, too. Then all
 * entry points need the page's modules, and esbuild puts these into one file.
 * @param {string} page the page's first module
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

/** The hash of a file or a text, as policies and integrity attributes name it. @param {string | Uint8Array} content */
export const integrityOf = (content) => `sha256-${createHash("sha256").update(content).digest("base64")}`;

/** The time of every file in a ZIP: the earliest date that the format can hold. */
const mtime = new Date(1980, 0, 1);

/** Makes a ZIP of files by their paths. The same files give the same bytes. @param {import("fflate").Zippable} files */
export const zipped = (files) => zipSync(files, { level: 9, mtime });
