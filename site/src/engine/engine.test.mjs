import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

/** @type {typeof import("./engine.ts")} */
const { EngineWorker, ask, detailOf, keep, Refused, rest } = await load("src/engine/engine.ts");

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

test("the desk ends while it has nothing to do, and begins again with the next question", async () => {
  /** @type {string[]} */
  const told = [];
  let started = 0;
  /** @type {(() => void)[]} */
  const answers = [];
  globalThis.fetch = async () => new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), { headers: { "content-type": "application/wasm" } });
  globalThis.Worker = /** @type {any} */ (
    class {
      constructor() {
        this.name = `worker ${++started}`;
        this.onmessage = /** @type {(event: any) => void} */ (() => {});
      }
      /** @param {any} message */
      postMessage(message) {
        if (message.kind === "question")
          answers.push(() => this.onmessage({ data: { kind: "answer", status: 200, text: JSON.stringify(this.name), grown: false } }));
      }
      terminate() {
        told.push(`${this.name} ended`);
      }
    }
  );
  const asked = async (meanwhile = () => {}) => {
    const answer = ask("/v1/check", "{}");
    for (let k = 0; answers.length === 0; k++) {
      assert.ok(k < 1000, "the question arrives");
      await new Promise((later) => setTimeout(later));
    }
    meanwhile();
    answers.shift()?.();
    return answer;
  };
  assert.deepEqual([await asked(), await asked(), told], ["worker 1", "worker 1", []]);
  await undefined;
  rest();
  assert.deepEqual(told, ["worker 1 ended"]);
  rest();
  assert.equal(await asked(rest), "worker 2", "not while someone waits");
  for (let k = 0; told.length < 2; k++) {
    assert.ok(k < 1000, "but after the answer");
    await new Promise((later) => setTimeout(later));
  }
  assert.deepEqual(told, ["worker 1 ended", "worker 2 ended"]);
  // Once nobody keeps the worker any more, a late question ends it, too.
  const [first, second] = [keep(), keep()];
  first();
  assert.equal(await asked(), "worker 3");
  await undefined;
  assert.equal(told.length, 2, "one keeps it");
  second();
  assert.deepEqual(told.slice(2), ["worker 3 ended"]);
  assert.equal(await asked(), "worker 4");
  for (let k = 0; told.length < 4; k++) {
    assert.ok(k < 1000, "a late answer is the last");
    await new Promise((later) => setTimeout(later));
  }
});

test("the desk replaces a worker that has grown large, that fails, or that ends", async () => {
  /** @type {string[]} */
  const ended = [];
  let started = 0;
  /** What the next question is answered with. @type {object} */
  let answer = {};
  globalThis.Worker = /** @type {any} */ (
    class {
      constructor() {
        this.name = `worker ${++started}`;
        this.onmessage = /** @type {(event: any) => void} */ (() => {});
      }
      /** @param {any} message */
      postMessage(message) {
        if (message.kind === "question")
          setTimeout(() => this.onmessage({ data: { kind: "answer", status: 200, text: JSON.stringify(this.name), grown: false, ...answer } }));
      }
      terminate() {
        ended.push(this.name);
      }
    }
  );
  const asked = (/** @type {object} */ next = {}) => {
    answer = next;
    return ask("/v1/check", "{}");
  };
  const leave = keep(); // the desk of the test before has ended
  assert.equal(await asked(), "worker 1");
  assert.equal(await asked({ grown: true }), "worker 1", "its answer counts");
  assert.deepEqual(ended, ["worker 1"]);
  assert.equal(await asked(), "worker 2");
  await assert.rejects(asked({ grown: true, status: 400, text: '{"detail":"no"}' }), Refused);
  assert.deepEqual(ended, ["worker 1", "worker 2"]);
  assert.equal(await asked(), "worker 3");
  await assert.rejects(asked({ kind: "failed", reason: "out of memory" }), /^Error: The engine failed: out of memory$/);
  await assert.rejects(asked({ kind: "done" }), /^Error: The engine failed: the instance has ended$/);
  assert.deepEqual([await asked(), ended], ["worker 5", ["worker 1", "worker 2", "worker 3", "worker 4"]]);
  leave();
});
