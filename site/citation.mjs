// Checks CITATION.cff against the schema of the Citation File Format, the engine's version with its
// section of the changes, and the BibTeX entries of the paper.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateCFFFile } from "cffjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { title, version, "preferred-citation": paper } = validateCFFFile(join(root, "CITATION.cff"));

const engine = /^const Engine = (\d+)$/m.exec(readFileSync(join(root, "core/record/record.go"), "utf8"))?.[1];
if (`${version}`.split(".")[0] !== engine) throw new Error(`CITATION.cff: version ${version} does not begin with the engine version, ${engine}`);

if (!new RegExp(`^## Engine ${engine}$`, "m").test(readFileSync(join(root, "CHANGELOG.md"), "utf8"))) throw new Error(`CHANGELOG.md has no section of engine ${engine}`);

const people = (paper?.authors ?? []).map((author) => "family-names" in author ? `${author["family-names"]}, ${author["given-names"]}` : "?");
for (const file of ["README.md", "site/docs/cite.md", "core/export/cite.go"]) {
  const text = readFileSync(join(root, file), "utf8");
  for (const [key, value] of Object.entries({ title: paper?.title, author: people.join(" and "), booktitle: paper?.conference?.name, year: `${paper?.year}` })) {
    if (!new RegExp(`^ *${key} *= \\{${value}\\}`, "m").test(text)) throw new Error(`CITATION.cff: the paper's entry in ${file} does not have the ${key} ${value}`);
  }
}
console.log(`${title} ${version}`);
