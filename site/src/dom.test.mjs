import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../test/modules.mjs";

/** @type {typeof import("./dom.ts")} */
const { onResize } = await load("src/dom.ts");

test("what a change of size leads to is drawn once before the next picture, never in the observer's callback", () => {
  /** @type {any[]} */
  const observers = [];
  /** @type {(() => void)[]} */
  const frames = [];
  globalThis.ResizeObserver = /** @type {any} */ (
    class {
      /** @param {(entries: any[]) => void} resized */
      constructor(resized) {
        observers.push({ resized, observed: (this.observed = /** @type {any[]} */ ([])) });
      }
      /** @param {any} element */
      observe(element) {
        this.observed.push(element);
      }
    }
  );
  globalThis.requestAnimationFrame = (frame) => frames.push(/** @type {any} */ (frame));
  /** @type {any[]} */
  const acts = [];
  onResize((last) => acts.push(last), /** @type {any} */ ("a"), /** @type {any} */ ("b"));
  const [{ resized, observed }] = observers;
  assert.deepEqual(observed, ["a", "b"]);
  resized([1]);
  resized([2, 3]);
  assert.deepEqual([acts, frames.length], [[], 1]);
  frames.shift()?.();
  assert.deepEqual(acts, [3]);
  resized([4]);
  frames.shift()?.();
  assert.deepEqual(acts, [3, 4]);
});

test("every observer of sizes is this one", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts") && name !== "missing.ts"); // which shares nothing, and only tells its host
  assert.deepEqual(
    sources.filter((name) => readFileSync(`src/${name}`, "utf8").includes("new ResizeObserver")),
    ["dom.ts"],
  );
});
