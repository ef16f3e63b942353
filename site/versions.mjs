// The versions of a site: the pages of each engine keep their own address, vN/.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { integrityOf } from "./bundle.mjs";
import { atHome } from "./pages.mjs";

/** A page with its addresses changed for a place one folder further down. @param {string} page */
const deeper = (page) => page.replaceAll(/( (?:href|src|srcset|data-early)=")(?!#|[a-z]+:)/g, "$1../");

/**
 * Gives the site's own pages their second address. While the site is the newest, vN/ has copies of
 * its pages, which share all other files.
 * @param {string} dist
 * @param {number} engine
 * @param {string[]} pages their folders; "" is the front
 */
export function nameVersion(dist, engine, pages) {
  for (const page of pages) {
    const file = join(dist, `v${engine}`, page, "index.html");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deeper(readFileSync(join(dist, page, "index.html"), "utf8")));
  }
}

/**
 * Tells the pages of an earlier site, which was built for any host, the address of this one, and the site's service
 * worker the new hashes of its pages.
 * @param {string} site
 * @param {string | undefined} base
 */
function tellHome(site, base) {
  const file = join(site, "sw.js");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  let worker = before;
  for (const path of readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"))) {
    const page = readFileSync(join(site, path), "utf8");
    const changed = atHome(page, base);
    writeFileSync(join(site, path), changed);
    worker = worker.replaceAll(integrityOf(page), integrityOf(changed));
  }
  if (worker === before) return;
  const build = createHash("sha256").update(worker).digest("hex").slice(0, 16);
  writeFileSync(file, worker.replace(/"[0-9a-f]{16}"/, `"${build}"`)); // the worker's BUILD, which names its copy
}

/**
 * Puts earlier versions beside the site, and writes the list of all versions into each:
 * versions.json has the engines and the relative addresses of their pages.
 * @param {string} dist
 * @param {number} engine
 * @param {string | undefined} folder of earlier sites, each as it was built, under the names v1, v2, …
 * @param {string} [base] the future address of the site
 */
export function keepVersions(dist, engine, folder, base) {
  const earlier = folder === undefined ? [] : readdirSync(folder).sort().map((name) => {
    const number = Number(/^v([1-9]\d*)$/.exec(name)?.[1]);
    if (!(number < engine)) throw new Error(`${join(folder, name)} is no earlier version: VERSIONS holds folders v1 to v${engine - 1}`);
    if (!existsSync(join(folder, name, "index.html"))) throw new Error(`${join(folder, name)} has no index.html: it is not a site as it was built`);
    cpSync(join(folder, name), join(dist, name), { recursive: true });
    tellHome(join(dist, name), base);
    return number;
  });
  const engines = [...earlier, engine].sort((a, b) => a - b);
  /** @param {string} up */
  const list = (up) => `${JSON.stringify({ format: "cpsrl/versions", version: 1, pages: Object.fromEntries(engines.map((n) => [n, `${up}v${n}/`])) })}\n`;
  writeFileSync(join(dist, "versions.json"), list(""));
  for (const number of engines) writeFileSync(join(dist, `v${number}`, "versions.json"), list("../"));
}
