import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { rankedEdges } = await load("src/dialogs/ranked.ts");

test("edges come by probability, ties in their order; those that are likelier than not are shown, and a few more", () => {
  const edge = (/** @type {number} */ p, from = "a") => ({ from, to: "b", p });
  const three = [edge(0.1), edge(0.9), edge(0.9, "c")];
  assert.deepEqual(rankedEdges(three), { shown: [three[1], three[2], three[0]], rest: [] });
  const many = Array.from({ length: 1000 }, (_, k) => edge((999 - k) / 1000));
  assert.equal(rankedEdges(many).shown.length, 200);
  const few = Array.from({ length: 30 }, (_, k) => edge(k < 20 ? 0.5 : 0.4));
  assert.equal(rankedEdges(few).shown.length, 20);
  assert.equal(rankedEdges(few.slice(10)).shown.length, 12);
});
