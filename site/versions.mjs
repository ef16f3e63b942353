// The versions of a site: the pages of each engine keep their own address, vN/.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
 * Puts earlier versions beside the site, and writes the list of all versions into each:
 * versions.json has the engines and the relative addresses of their pages. The pages of the earlier
 * sites, which were built for any host, learn the address of this one.
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
    for (const file of readdirSync(join(dist, name), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"))) {
      const page = join(dist, name, file);
      writeFileSync(page, atHome(readFileSync(page, "utf8"), base));
    }
    return number;
  });
  const engines = [...earlier, engine].sort((a, b) => a - b);
  /** @param {string} up */
  const list = (up) => `${JSON.stringify({ format: "cpsrl/versions", version: 1, pages: Object.fromEntries(engines.map((n) => [n, `${up}v${n}/`])) })}\n`;
  writeFileSync(join(dist, "versions.json"), list(""));
  for (const number of engines) writeFileSync(join(dist, `v${number}`, "versions.json"), list("../"));
}
