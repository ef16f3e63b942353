// Takes the sites of earlier engines from releases: node site/earlier.mjs RELEASES FOLDER [ENGINE]. RELEASES has a
// file TAG/dist.zip for each release. FOLDER gets v1, v2, …, each the site of the newest release of an engine
// before ENGINE (by default, this engine), for ./build.sh site VERSIONS=FOLDER.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [releases, folder, said] = process.argv.slice(2);
if (!releases || !folder) {
  console.error("usage: node site/earlier.mjs RELEASES FOLDER [ENGINE]");
  process.exit(2);
}
const ours = Number(said ?? JSON.parse(readFileSync(new URL("../core/experiment/testdata/golden.json", import.meta.url), "utf8")).engine);

/** Compares tags by their numbers: v1.10.0 is newer than v1.9.2. @param {string} a @param {string} b */
const newestFirst = (a, b) => b.localeCompare(a, "en", { numeric: true });

mkdirSync(folder, { recursive: true });
/** @type {Set<number>} */
const taken = new Set();
for (const tag of readdirSync(releases).sort(newestFirst)) {
  const zip = join(releases, tag, "dist.zip");
  const { pages } = JSON.parse(execFileSync("unzip", ["-p", zip, "versions.json"], { encoding: "utf8" }));
  const engine = Math.max(...Object.keys(pages).map(Number));
  if (!(engine < ours) || taken.has(engine)) continue;
  taken.add(engine);
  execFileSync("unzip", ["-q", zip, "-d", join(folder, `v${engine}`)]);
  console.log(`v${engine}: the site of ${tag}`);
}
