// Oracle: the imports in the text of each file, also those of types and those that load later.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { dirname, join } = posix;
const src = fileURLToPath(new URL("src", import.meta.url));

/** The generated types of the engine leave some forms open, which formats.ts fills in for them. */
const allowed = ["engine-types.ts formats.ts"];

/** The groups of files that reach each other. @param {ReadonlyMap<string, readonly string[]>} graph */
function circles(graph) {
  /** @type {Map<string, Set<string>>} */
  const reached = new Map();
  for (const from of graph.keys()) {
    const seen = new Set(graph.get(from));
    for (const file of seen) for (const next of graph.get(file) ?? []) seen.add(next);
    reached.set(from, seen);
  }
  const groups = [...graph.keys()].map((file) => [...graph.keys()].filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)));
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.sort().join(" ")))];
}

test("no file of the page imports itself by way of others", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/")).filter((file) => file.endsWith(".ts"));
  const graph = new Map(
    files.map((file) => {
      const named = readFileSync(join(src, file), "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g);
      return [file, [...named].map(([, path = ""]) => `${join(dirname(file), path)}.ts`).filter((path) => files.includes(path))];
    }),
  );
  assert.ok(graph.get("mount.ts")?.includes("state/playground.ts"), "imports are found");
  assert.ok(graph.get("mount.ts")?.includes("dialogs/tour.ts"), "and those that load later");
  assert.deepEqual(circles(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b c"]);
  assert.deepEqual(circles(graph), allowed);
});
