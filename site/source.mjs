// The source of the site, which the site offers as a ZIP. It unpacks to a tree from which ./build.sh
// makes the same site. The same sources give the same bytes.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { zipped } from "./bundle.mjs";

/** The names of folders without sources: those in .gitignore, and Git's own. @param {string} root */
function ignored(root) {
  const lines = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter((line) => line !== "");
  const other = lines.find((line) => !/^[\w/-]+\/$/.test(line));
  if (other !== undefined) throw new Error(`.gitignore: source.mjs reads folders, such as "/dist/", not "${other}"`);
  return new Set([".git", ...lines.map((line) => basename(line))]);
}

/** The paths that Git does not ignore, or undefined if Git is missing or refuses. @param {string} root */
function tracked(root) {
  if (!existsSync(join(root, ".git"))) return undefined;
  const { status, stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path))) : undefined;
}

/** The paths of all files in a folder of the tree, without folders of some names. @param {string} root @param {string} folder @param {Set<string>} without @returns {string[]} */
const within = (root, folder, without) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  if (without.has(entry.name)) return [];
  return entry.isDirectory() ? within(root, path, without) : [relative(root, path).replaceAll("\\", "/")];
});

/** All sources as a ZIP. @param {string} root */
export function sourceOf(root) {
  const files = (tracked(root) ?? within(root, root, ignored(root))).sort().map((path) => {
    const program = (statSync(join(root, path)).mode & 0o100) !== 0;
    return [`cpsrl/${path}`, [readFileSync(join(root, path)), { os: 3, attrs: (program ? 0o100755 : 0o100644) * 0x10000 }]]; // attributes of Unix
  });
  return zipped(Object.fromEntries(files));
}
