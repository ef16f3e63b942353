import assert from "node:assert/strict";
import { test } from "node:test";
import loadWabt from "wabt";
import { joinSegments } from "./segments.mjs";

const wabt = await loadWabt();

/** A program with a memory of one page and these segments. @param {...[place: number, text: string]} segments */
function program(...segments) {
  const data = segments.map(([place, text]) => `(data (i32.const ${place}) "${text}")`).join("\n");
  const module = wabt.parseWat("segments.wat", `(module (memory (export "mem") 1) ${data} (func (export "seven") (result i32) i32.const 7))`);
  const bytes = Buffer.from(module.toBinary({}).buffer);
  module.destroy();
  return bytes;
}

/** The exports of an instance. @param {Uint8Array} bytes */
const run = (bytes) => /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), {}).exports);

/** How many segments a program has. @param {Uint8Array} bytes */
const count = (bytes) => {
  const module = wabt.readWasm(new Uint8Array(bytes), {});
  const text = module.toText({});
  module.destroy();
  return text.split("(data ").length - 1;
};

test("an instance has the same memory and functions, and segments that lie close together are one", () => {
  const long = "x".repeat(300); // so that the lengths take two bytes
  /** @type {[segments: [number, string][], left: number][]} */
  const cases = [
    [[], 0],
    [[[0, "a"]], 1],
    [[[3, "a"], [4, "b"]], 1],
    [[[63, "a"], [64 + 64, "b"]], 1],
    [[[63, "a"], [64 + 65, "b"]], 2],
    [[[8191, "a"], [8200, long], [60000, "z"], [60100, ""]], 3],
    [[[65535, "z"]], 1],
    [[[10, "later"], [0, "earlier"]], 2],
    [[[0, "over"], [2, "lap"], [5, "."]], 2],
  ];
  for (const [segments, left] of cases) {
    const before = program(...segments);
    const after = joinSegments(before);
    const [old, now] = [run(before), run(after)];
    assert.deepEqual(Buffer.from(now.mem.buffer), Buffer.from(old.mem.buffer), JSON.stringify(segments));
    assert.equal(now.seven(), 7);
    assert.equal(count(after), left, JSON.stringify(segments));
  }
});

test("a program that is cut off, or has other kinds of segments, is refused", () => {
  const whole = program([0, "cut off"]);
  assert.throws(() => joinSegments(whole.subarray(0, -1)), /ends too early/);
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  /** A program of one section. @param {number} id @param {...number} bytes */
  const sections = (id, ...bytes) => Uint8Array.from([...header, id, bytes.length, ...bytes]);
  assert.throws(() => joinSegments(sections(12, 1)), /counts its data segments/);
  assert.throws(() => joinSegments(sections(11, 1, 1, 1, 7)), /no constant place/); // a passive segment
  assert.throws(() => joinSegments(sections(11, 1, 0, 0x23, 0, 0x0b, 1, 7)), /no constant place/); // at the place that a global says
  assert.throws(() => joinSegments(sections(11, 1, 0, 0x41, 0, 0x41, 1, 0x6a, 0x0b, 1, 7)), /is computed/);
});
