// Oracle: rows, cells and lists by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { channels, groupsOf, listed, opacity, pixels, cellOf } = await load("src/parts/experiment/heat-map.ts");

const state = [
  { name: "row", size: 5 },
  { name: "goal", size: 1 },
];
const action = [{ name: "move", size: 4 }];
const episode = {
  record: {
    belief: {
      graph: [[0], []],
      edges: [
        [1, 0.5, 0.25],
        [0, 0, 0],
      ],
    },
  },
};
const edge = { i: 2, j: 0, name: "move" };

test("the rows are the edges between variables with several values, grouped by the next value", () => {
  assert.deepEqual(groupsOf(state, action), [
    {
      name: "row′",
      edges: [
        { i: 0, j: 0, name: "row" },
        { i: 2, j: 0, name: "move" },
      ],
    },
  ]);
});

test("a cell is the probability of the edge, or whether it was sampled; without a graph it is nothing", () => {
  assert.equal(cellOf(episode, edge, "belief"), 0.25);
  assert.equal(cellOf(episode, edge, "sampled"), 0);
  assert.equal(cellOf(episode, { i: 0, j: 0, name: "row" }, "sampled"), 1);
  assert.equal(cellOf({ record: {} }, edge, "belief"), 0);
});

test("the pixels are row by row, in the colour of the agent; what is not told is clear", () => {
  const rgb = channels("#009e73");
  assert.deepEqual(rgb, [0, 158, 115]);
  assert.deepEqual([...pixels([edge], [episode, undefined], "belief", rgb)], [0, 158, 115, opacity(0.25), 0, 0, 0, 0]);
  assert.ok(opacity(0) > 0 && opacity(1) === 255);
});

test("a table has the first and the last episode, some between and the watched one, once each", () => {
  assert.deepEqual(listed(400, 57), [1, 57, 100, 200, 300, 400]);
  assert.deepEqual(listed(400, undefined), [1, 100, 200, 300, 400]);
  assert.deepEqual(listed(2, 1), [1, 2]);
  assert.deepEqual(listed(0, 7), []);
});
