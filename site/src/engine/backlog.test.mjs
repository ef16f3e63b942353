// Oracle: counting, with an aggregator that reads as slowly as the test wants.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { Backlog } = await load("src/engine/backlog.ts");

test("workers rest when too much waits for the aggregator, and go on when it has read all", () => {
  /** @type {boolean[]} */
  const told = [];
  const backlog = new Backlog(1000, (/** @type {boolean} */ behind) => told.push(behind));
  let [made, read, most] = [0, 0, 0];
  // Two workers make 300 bytes each in a turn unless they rest; the aggregator reads 100 in a turn.
  for (let turn = 0; turn < 1000; turn++) {
    for (let worker = 0; worker < 2 && !backlog.behind; worker++) {
      made += 300;
      backlog.add(300);
    }
    most = Math.max(most, made - read);
    read = Math.min(made, read + 100);
    if (read === made) backlog.read();
  }
  assert.ok(most <= 1000 + 2 * 300, `${most} bytes waited`);
  assert.ok(read >= 100 * 1000 - 300, `${read} bytes were read: it hardly ever waits for the workers`);
  assert.deepEqual(
    told,
    told.map((_, k) => k % 2 === 0),
    "each change is told once",
  );
  assert.ok(told.length > 10);
});

test("an aggregator that keeps up holds nobody", () => {
  const backlog = new Backlog(1000, () => assert.fail("nobody rests"));
  for (let turn = 0; turn < 100; turn++) {
    backlog.add(600);
    backlog.read();
  }
});
