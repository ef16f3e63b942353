import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { ranked, trusted } = await load("src/dialogs/ranked.ts");

const edge = (/** @type {number} */ p, from = "a") => ({ from, to: "b", p });

test("the uncertain edges come first, then the certain ones, then those that are all but excluded; ties keep their order", () => {
  const list = [edge(1), edge(0.001), edge(0.5), edge(0.995), edge(0.99), edge(0.01), edge(0.5, "c"), edge(0)];
  const { uncertain, certain, excluded } = ranked(list);
  assert.deepEqual(uncertain, [list[4], list[2], list[6], list[5]]);
  assert.deepEqual(certain, [list[0], list[3]]);
  assert.deepEqual(excluded, [list[1], list[7]]);
});

test("as a prior, an edge has its probability as trust, from .01 to .99; one half says nothing", () => {
  const list = [edge(1), edge(0), edge(0.5), edge(0.49999), edge(0.123456)];
  assert.deepEqual(trusted(list), [
    ["a", "b", 0.99],
    ["a", "b", 0.01],
    ["a", "b", 0.1235],
  ]);
});
