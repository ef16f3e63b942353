// Lists the files that a page needs for its first paint: the page, its scripts and styles, and the scripts' static
// imports. node first.mjs dist/index.html

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const page = process.argv[2] ?? "";
const needed = new Set([page]);
for (const file of needed) {
  const text = readFileSync(file, "utf8");
  const names = file === page ? text.matchAll(/<(?:script[^>]* src|link rel="stylesheet" href)="([^":]+)"/g) : text.matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g);
  for (const [, name = ""] of names) needed.add(join(dirname(file), name));
}
console.log([...needed].filter((file) => !file.includes("noscript")).join("\n"));
