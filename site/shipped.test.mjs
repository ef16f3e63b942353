// The packages in the page are dependencies, and the others are for development, so that
// "npm audit --omit=dev" sees what visitors get.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("what the page imports is a dependency, and nothing else is", () => {
  const shipped = new Set();
  for (const file of readdirSync(new URL("src", import.meta.url), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(new URL(`src/${file}`, import.meta.url), "utf8");
    for (const [, name] of text.matchAll(/(?:^(?:import|export) (?!type )[^"]*from |\bimport\()"((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?"/gm)) shipped.add(name);
  }
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  assert.deepEqual([...shipped].sort(), Object.keys(dependencies).sort());
});
