// The licences of everything that dist/ or the command contains: the npm packages in the
// bundles, the Go modules in the programs, Go and its fonts.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licence texts in a folder. @param {string} folder */
function texts(folder) {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
}

/**
 * @param {{root: string, goroot: string, goFonts: string, inputs?: Iterable<string>, programs: string[], systems?: readonly {GOOS: string, GOARCH: string}[]}} of
 *   inputs as in esbuild's metafile, relative to site/; systems that the programs are built for
 * @returns {string}
 */
export function licences({ root, goroot, goFonts, inputs = [], programs, systems = [{ GOOS: "js", GOARCH: "wasm" }] }) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const packages = new Set([...inputs].map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter((name) => name !== undefined));
  for (const name of [...packages].sort()) {
    const folder = join(root, "site/node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const said = texts(folder);
    found.set(`${name} ${version} (npm)`, said.length > 0 ? said : [`${license}`]);
  }
  const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}";
  const modules = systems.map((system) => execFileSync("go", ["list", "-deps", "-tags", "kernel", "-f", format, ...programs], {
    cwd: root, encoding: "utf8", env: { ...process.env, ...system },
  })).join("");
  for (const line of [...new Set(modules.split("\n"))].filter((line) => line !== "").sort()) {
    const [name, folder] = /** @type {[string, string]} */ (line.split("\t"));
    found.set(`${name} (Go module)`, texts(folder));
  }
  const go = [goroot, "/usr/share/doc/golang"].filter((folder) => existsSync(folder)).map(texts).find((said) => said.length > 0) ?? [];
  const version = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  found.set(`${version}: its standard library and wasm_exec.js`, go);
  found.set("The Go fonts", [readFileSync(join(goFonts, "README"), "utf8").trim()]);
  const bare = [...found].filter(([, said]) => said.length === 0).map(([name]) => name);
  if (bare.length > 0) throw new Error(`no licence found for ${bare.join(", ")}`);
  const own = readFileSync(join(root, "LICENSE"), "utf8").trim();
  return [["C-PSRL playground", own], ...[...found].map(([name, said]) => [name, said.join("\n\n")])]
    .map(([name, said]) => `${name}\n${"=".repeat(/** @type {string} */ (name).length)}\n\n${said}\n`)
    .join("\n\n");
}
