// The engine as a host of functions starts it, by github.com/syumai/workers, gives the answers of the page's engine, whose
// own Serve (package wire) is asked in the same way. Both run in Node.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
await import(join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"));

const folder = mkdtempSync(join(tmpdir(), "cpsrl-fetch-"));
after(() => rmSync(folder, { recursive: true }));

/** Builds a program and returns what answers a request by an instance of it. @param {string} name @param {string[]} flags */
async function program(name, ...flags) {
  const file = join(folder, `${name}.wasm`);
  execFileSync("go", ["build", ...flags, "-o", file, `./wasm/${name}`], { cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm" }, stdio: "inherit" });
  const compiled = await WebAssembly.compile(readFileSync(file));
  return async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const { kernelHost } = await import("../kernel/host.js");
    const kernel = kernelHost(null);
    /** @type {any} */
    const binding = {};
    Object.assign(globalThis, { context: { binding } });
    const go = new globalThis.Go();
    /** @type {Promise<void>} */
    const ready = new Promise((resolve) => {
      Object.assign(go.importObject, { workers: { ready: resolve }, kernel: kernel.imports });
    });
    const instance = await WebAssembly.instantiate(compiled, go.importObject);
    kernel.bind(instance);
    const ended = go.run(instance);
    await ready;
    const answer = await binding.handleRequest(new Request(`https://example.org${path}`, { duplex: "half", ...init }));
    const body = await answer.text();
    await ended;
    for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // of Go's runtime, which has ended
    return { status: answer.status, kind: answer.headers.get("Content-Type"), body };
  };
}

const spec = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl","c-psrl"],"episodes":50,"runs":2,"seed":7}`;

test("a host of functions gets the answers of the page's engine", async () => {
  const [own, hosted] = [await program("main", "-tags=kernel"), await program("fetch", "-tags=nethttpomithttp2")];
  const post = (/** @type {BodyInit} */ body) => ({ method: "POST", body });
  /** @type {[string, RequestInit?][]} */
  const asked = [
    ["/v1/presets"],
    ["/v1/run", post(spec)],
    ["/v1/run", post(ReadableStream.from([spec.slice(0, 40), spec.slice(40)].map((text) => new TextEncoder().encode(text))))],
    ["/v1/runs", post(`${spec}\n${spec}\n`)],
    ["/v1/trace?run=1&agent=psrl&episode=3", post(spec)],
    ["/v1/run", post(spec.replace("50", "0"))],
    ["/v1/run", post("")],
    ["/v1/run"],
    ["/v1/nothing", post("")],
    ["/v1/batch", post(`{"path":"/v1/check","body":${JSON.stringify(spec)}}\n{"path":"/v1/nothing","body":""}\n`)],
  ];
  for (const [path, init] of asked) {
    const [body, copy] = init?.body instanceof ReadableStream ? init.body.tee() : [init?.body, init?.body];
    const [want, got] = [await own(path, { ...init, body }), await hosted(path, { ...init, body: copy })];
    if (path === "/v1/batch") got.kind = want.kind; // net/http guesses a kind
    assert.deepEqual(got, want, path);
  }
});
