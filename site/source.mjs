// The source of the site, which lies beside its pages: a ZIP that unpacks to a tree with which
// ./build.sh makes the same site. The same sources give the same bytes.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { zipSync } from "fflate";

/** What a build leaves in the tree. */
const made = new Set([".git", "artifacts", "dist", "node_modules", "release"]);

/**
 * The paths of the sources, in order: what Git knows, or, where there is no Git, all that no build has made.
 * @param {string} root
 */
function sources(root) {
  if (existsSync(join(root, ".git"))) {
    const known = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
    return known.split("\0").filter((path) => path !== "" && existsSync(join(root, path))).sort();
  }
  /** @param {string} folder @returns {string[]} */
  const within = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (made.has(entry.name)) return [];
    return entry.isDirectory() ? within(path) : [relative(root, path).replaceAll("\\", "/")];
  });
  return within(root).sort();
}

/** @param {string} root */
export function sourceOf(root) {
  const files = sources(root).map((path) => {
    const program = (statSync(join(root, path)).mode & 0o100) !== 0;
    return [`cpsrl/${path}`, [readFileSync(join(root, path)), { os: 3, attrs: (program ? 0o100755 : 0o100644) * 0x10000 }]]; // of Unix
  });
  return zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0, 1) }); // the first day that a ZIP file knows
}
