// A slow machine: a clock and an engine that go on when a test says so.

import { mock } from "node:test";
import { traffic } from "./engine.mjs";

/** A clock that goes on only when the test says so, for what looks at the time now and then. */
export function stand() {
  const { now } = performance;
  let at = now.call(performance);
  performance.now = () => at;
  mock.timers.enable({ apis: ["setInterval"] });
  return {
    /** @param {number} seconds */
    pass(seconds) {
      for (let k = 0; k < 4 * seconds; k++) {
        at += 250;
        mock.timers.tick(250);
      }
    },
    end() {
      mock.timers.reset();
      performance.now = now;
    },
  };
}

/**
 * An engine that computes one record whenever the test asks for more, because the machine is slow. What is no record passes.
 * @param {import("node:test").TestContext} t
 */
export function slowly(t) {
  /** @type {((message: object) => void) | undefined} */
  let pass;
  /** Messages with one record each. @type {object[]} */
  const lines = [];
  /** @type {object[]} */
  let rest = [];
  let mute = true;
  t.after(() => (traffic.overhear = undefined));
  traffic.overhear = (message, hear) => {
    if (message.kind === "records") {
      pass = hear;
      const text = new TextDecoder().decode(message.bytes);
      for (const line of text.split(/(?<=\n)/)) lines.push({ kind: "records", bytes: new TextEncoder().encode(line), lines: 1 });
    } else if (message.kind === "line" && typeof message.value.records === "string") {
      // What came with the records comes with the last one.
      pass = hear;
      const { records, ...value } = message.value;
      const each = records.split(/(?<=\n)/).map((/** @type {string} */ line) => ({ records: line, episodes: 1 }));
      Object.assign(each.at(-1), { ...value, episodes: 1 });
      for (const piece of each) lines.push({ kind: "line", value: piece });
    } else if (message.kind === "line" && message.value.snapshot && hear === pass && lines.length > 0) lines.push(message);
    else if ((message.kind === "next" || message.kind === "done") && mute) rest.push(message);
    else hear(message);
  };
  return {
    /** How many records wait. */
    get waiting() {
      return lines.length;
    },
    /** @param {number} records */
    more(records) {
      for (const line of lines.splice(0, records)) pass?.(line);
      if (lines.length > 0) return;
      mute = false;
      for (const message of rest) pass?.(message);
      rest = [];
    },
  };
}
