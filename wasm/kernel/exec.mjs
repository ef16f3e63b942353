// Runs a Go program for GOOS=js in Node with the kernel bound, as
//   node exec.mjs kernel.wasm program.wasm [argument …]
// like $(go env GOROOT)/lib/wasm/go_js_wasm_exec, which has no kernel.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { kernelHost } from "./host.js";

const [kernel = "", program = "", ...args] = process.argv.slice(2);
const require = createRequire(import.meta.url);
Object.assign(globalThis, { require, fs, path: require("path") });
require(join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"));

const go = new globalThis.Go();
go.argv = [program, ...args];
go.env = { TMPDIR: "/tmp", ...(process.env.GODEBUG && { GODEBUG: process.env.GODEBUG }) };
go.exit = process.exit;
const host = kernelHost(new WebAssembly.Module(readFileSync(kernel)));
const { instance } = await WebAssembly.instantiate(readFileSync(program), { ...go.importObject, kernel: host.imports });
host.bind(instance);
process.on("exit", (code) => {
  if (code === 0 && !go.exited) {
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
await go.run(instance);
