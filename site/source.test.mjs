import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { sourceOf } from "./source.mjs";

/** Makes a tree with sources and with files that .gitignore names. */
function plant() {
  const root = mkdtempSync(join(tmpdir(), "cpsrl-source-"));
  for (const [path, text] of Object.entries({ ".gitignore": "/dist/\nnode_modules/\n", "a.go": "a", "b/c.ts": "c", "build.sh": "#!", "dist/x": "x", "b/node_modules/y": "y" })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  chmodSync(join(root, "build.sh"), 0o755);
  return root;
}

test("the source is the same with and without Git, and has no file that .gitignore names", () => {
  const root = plant();
  try {
    const without = sourceOf(root);
    assert.deepEqual(Object.keys(unzipSync(without)).sort(), ["cpsrl/.gitignore", "cpsrl/a.go", "cpsrl/b/c.ts", "cpsrl/build.sh"]);
    mkdirSync(join(root, ".git"));
    assert.deepEqual(sourceOf(root), without, "Git refuses the folder");
    rmSync(join(root, ".git"), { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: root });
    assert.deepEqual(sourceOf(root), without);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("without Git, a line of .gitignore that does not name a folder is refused", () => {
  const root = plant();
  try {
    writeFileSync(join(root, ".gitignore"), "/dist/\n*.log\n");
    assert.throws(() => sourceOf(root), { message: '.gitignore: source.mjs reads folders, such as "/dist/", not "*.log"' });
  } finally {
    rmSync(root, { recursive: true });
  }
});
