// Lists what a release is made of.
//   node bill.mjs licences SYSTEM…         the licences of what is in the command, for systems such as linux/amd64
//   node bill.mjs sbom LICENCES PROGRAM…   a bill of materials (CycloneDX 1.6) of the programs, by what Go has written
//                                          into them, and of the site, by the headings of its licences.txt
// cyclonedx-gomod would list only the Go modules, and not what the bundles are made of.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCFF } from "cffjs";
import { licences } from "./licences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @param {...string} args */
const go = (...args) => execFileSync("go", args, { cwd: root, encoding: "utf8" }).trim();

const [what, ...rest] = process.argv.slice(2);
if (what === "licences" && rest.length > 0) {
  process.stdout.write(licences({
    root, goroot: go("env", "GOROOT"), goFonts: join(go("list", "-m", "-f", "{{.Dir}}", "golang.org/x/image"), "font/gofont/ttfs"), programs: ["./core/cmd/cpsrl"],
    systems: rest.map((system) => ({ GOOS: system.split("/")[0] ?? "", GOARCH: system.split("/")[1] ?? "" })),
  }));
} else if (what === "sbom" && rest.length > 1) {
  const [file = "", ...programs] = rest;
  /** The components by their package URLs (package-url/purl-spec). @type {Map<string, {name: string, version: string}>} */
  const found = new Map();
  /** @param {"golang" | "npm"} type @param {string} name @param {string} version */
  const add = (type, name, version) => void found.set(`pkg:${type}/${type === "golang" ? name.toLowerCase() : name.replace("@", "%40")}@${encodeURIComponent(version)}`, { name, version });
  for (const line of go("version", "-m", ...programs).split("\n")) {
    const [kind, name = "", version = ""] = line.trim().split("\t");
    if (kind === "dep") add("golang", name, version);
    const [, standard] = /: go(\d[\w.]*)$/.exec(line) ?? [];
    if (standard) add("golang", "std", standard);
  }
  for (const [, name = "", version = "", kind] of readFileSync(file, "utf8").matchAll(/^(\S+) (\S+) \((npm|Go module)\)\n=+$/gm)) add(kind === "npm" ? "npm" : "golang", name, version);
  const { title, version, license } = readCFF(join(root, "CITATION.cff"));
  process.stdout.write(`${JSON.stringify({
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", bomFormat: "CycloneDX", specVersion: "1.6", version: 1,
    metadata: { component: { type: "application", "bom-ref": "cpsrl", name: title, version: `${version}`, licenses: [{ license: { id: license } }] } },
    components: [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([purl, { name, version }]) => ({ type: "library", "bom-ref": purl, name, version, purl })),
    dependencies: [{ ref: "cpsrl", dependsOn: [...found.keys()].sort() }],
  }, null, 1)}\n`);
} else {
  console.error("usage: node bill.mjs licences SYSTEM… | sbom LICENCES PROGRAM…");
  process.exitCode = 2;
}
