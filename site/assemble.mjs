// Assembles WebAssembly text: node assemble.mjs FILE.wat FILE.wasm

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import loadWabt from "wabt";

/** @param {string} file */
export async function assemble(file) {
  const wabt = await loadWabt();
  const module = wabt.parseWat(basename(file), readFileSync(file, "utf8"));
  try {
    module.validate();
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [from = "", to = ""] = process.argv.slice(2);
  writeFileSync(to, await assemble(from));
}
