import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** @type {typeof import("./engine.ts")} */
const { EngineWorker, detailOf } = await load("src/engine/engine.ts");

test("a worker that may not start fails with a sentence that says what to do", () => {
  /** @type {any} */
  let worker;
  globalThis.Worker = /** @type {any} */ (
    class {
      constructor() {
        worker = this;
      }
      postMessage() {}
      terminate() {}
    }
  );
  const engine = new EngineWorker({ url: "blob:x", module: /** @type {any} */ ({}), kernel: null });
  /** @type {any[]} */
  const said = [];
  engine.onmessage = (message) => void said.push(message);
  worker.onerror(new Event("error")); // the page's policy forbids workers
  worker.onerror(Object.assign(new Event("error"), { message: "out of memory" }));
  assert.deepEqual(said, [
    { kind: "failed", reason: "the browser starts no worker here; if this page has a policy, it must allow them (worker-src blob:)" },
    { kind: "failed", reason: "out of memory" },
  ]);
});

test("every error has words", () => {
  assert.deepEqual([new Error("why"), new DOMException("", "QuotaExceededError"), new TypeError(""), "words"].map(detailOf), [
    "why",
    "QuotaExceededError",
    "TypeError",
    "words",
  ]);
});
