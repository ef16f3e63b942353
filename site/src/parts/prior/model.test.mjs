// Oracle: two variables and an action, with the words worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { edgesOf } = await load("src/state/edges.ts");
const {
  edgeList,
  graphsLeft,
  keyOf,
  lookOf,
  markOf,
  mostShown,
  partOf,
  priorOf,
  reasonsOf,
  sentenceOf,
  statedOf,
  summaryOf,
  untold,
  windowTo,
  withActions,
  withLearned,
  wordsOf,
} = await load("src/parts/prior/model.ts");
const variables = ["a", "b", "c"].map((name) => ({ name, size: 2 }));
const about = {
  state: variables.slice(0, 2),
  action: variables.slice(2),
  suggested: [["a", "a"]],
  truth: [
    ["a", "a"],
    ["b", "b"],
  ],
  revealed: [[], [["a", "a"]]],
};
/** @param {unknown} look */
const words = (look) => [0, 1, 2].flatMap((i) => [0, 1].map((j) => wordsOf(look, i, j)));

test("a prior is the suggestion, edges, or so many of the true graph", () => {
  assert.deepEqual(edgesOf(undefined, about), [["a", "a"]]);
  assert.deepEqual(edgesOf({ edges: [["b", "a"]] }, about), [["b", "a"]]);
  assert.deepEqual(edgesOf({ eta: 9 }, about), [["a", "a"]], "η beyond the graph is all of it");
});

test("edges from actions are offered where nothing is suggested, and replace no statement", () => {
  const own = { ...about, suggested: [] };
  assert.deepEqual(withActions(undefined, own), {
    edges: [
      ["c", "a", 0.9],
      ["c", "b", 0.9],
    ],
  });
  const said = [
    ["a", "a"],
    ["c", "a", 0],
  ];
  assert.deepEqual(withActions({ edges: said }, own), { edges: [...said, ["c", "b", 0.9]] });
  assert.equal(withActions(undefined, about), undefined, "the problem has a suggestion");
  assert.equal(withActions(withActions(undefined, own), own), undefined, "nothing is left");
  const one = { name: "c", size: 1 };
  assert.equal(withActions(undefined, { ...own, action: [one] }), undefined, "no data can tell about a variable with one value");
});

test("what was learned is a prior: sure edges are likely, excluded ones unlikely, and what is known stays", () => {
  const belief = [
    [0.02, 0.95, 0.5],
    [1, 0.1, 0.89],
  ];
  const learned = withLearned({ edges: [["a", "a"]] }, belief, about);
  assert.deepEqual(learned, {
    edges: [
      ["a", "a"],
      ["b", "a", 0.9],
      ["a", "b", 0.9],
      ["b", "b", 0.1],
    ],
  });
  assert.equal(withLearned(learned, belief, about), undefined, "it is said already");
  assert.equal(withLearned({ edges: [] }, belief.slice(1), about), undefined, "the belief is of another problem");
  const one = { name: "c", size: 1 };
  assert.equal(
    withLearned(
      { edges: [] },
      [
        [0.5, 0.5, 0.99],
        [0.5, 0.5, 0.99],
      ],
      { ...about, action: [one] },
    ),
    undefined,
    "no data can tell about a variable with one value",
  );
});

test("edges by name and by index are the same graph", () => {
  const edges = [
    ["a", "a"],
    ["c", "a"],
    ["b", "b"],
  ];
  assert.deepEqual(edgeList(statedOf(edges, about), variables), edges);
});

test("edges that are the suggestion again, in any order, are no prior of their own", () => {
  const [ab, aa] = [
    ["a", "b"],
    ["a", "a"],
  ];
  const two = { ...about, suggested: [ab, aa] };
  assert.equal(priorOf(statedOf([aa, ab], two), two), undefined);
  assert.deepEqual(priorOf(statedOf([aa], two), two), { edges: [aa] });
  assert.deepEqual(priorOf(statedOf([[...aa, 0.9], ab], two), two), { edges: [[...aa, 0.9], ab] });
  assert.deepEqual(priorOf(statedOf([], two), two), { edges: [] });
});

test("a sampled graph and the belief in each edge are said beside what is known", () => {
  const sampled = {
    graph: [[0, 2], [1]],
    belief: [
      [1, 0.25, 0.5],
      [0, 0.75, 0],
    ],
  };
  assert.deepEqual(words(lookOf(undefined, about, false, sampled)), [
    "known, sampled, probability 1.00",
    "unknown, probability 0.00",
    "unknown, probability 0.25",
    "unknown, sampled, probability 0.75",
    "unknown, sampled, probability 0.50",
    "unknown, probability 0.00",
  ]);
  assert.equal(words(lookOf(undefined, about, true, sampled))[3], "true, but not known, sampled, probability 0.75");
  assert.deepEqual(words(lookOf(undefined, about, false, undefined)), ["known", "unknown", "unknown", "unknown", "unknown", "unknown"]);
});

test("a summary counts what is known and, once revealed, what is wrong or missed", () => {
  const prior = {
    edges: [
      ["a", "a"],
      ["c", "b"],
    ],
  };
  assert.equal(summaryOf(lookOf(prior, about, false, undefined)), "2 known edges.");
  assert.equal(summaryOf(lookOf(prior, about, true, undefined)), "2 known edges, 1 misspecified; 1 true edge is not known.");
  assert.match(summaryOf(lookOf({ edges: [] }, about, false, undefined)), /^No edge is known/);
});

test("a variable of one value is said to be one that no data can tell", () => {
  const odd = { ...about, state: [{ name: "a", size: 1 }, variables[1]] };
  assert.equal(sentenceOf(lookOf(undefined, odd, false, undefined), 0, 0), "a → a′: known (a has one value only: no data can tell)");
  // Its edges are neither true nor false once the truth is revealed, and none is missed.
  const revealed = lookOf({ edges: [["a", "b"]] }, odd, true, undefined);
  assert.deepEqual(words(revealed).slice(0, 4), ["unknown", "known", "unknown", "true, but not known"]);
  assert.equal(summaryOf(revealed), "1 known edge, 0 misspecified; 1 true edge is not known.");
  assert.equal(untold(about), "");
  assert.match(untold(odd), /^a has one value only: no data can show its edges,/);
});

test("how many graphs are left is said in full, or by its power of ten", () => {
  for (const [consistent, says] of [
    ["1", "1 graph is left."],
    ["8192", "8,192 graphs are left."],
    ["123456789012", "About 10¹¹ graphs are left."],
    [`1${"0".repeat(30)}`, "About 10³⁰ graphs are left."],
  ]) {
    assert.equal(graphsLeft({ consistent }), says);
  }
});

test("edges are known, likely or forbidden, and the words say which", () => {
  const edges = [
    ["a", "a", 0.9],
    ["b", "a"],
    ["b", "b", 0],
    ["c", "b", 0],
  ];
  assert.deepEqual(edgeList(statedOf(edges, about), variables), edges);
  const marks = (/** @type {any} */ look) => [0, 1, 2].flatMap((i) => [0, 1].map((j) => markOf(look, i, j)));
  const hidden = lookOf({ edges }, about, false, undefined);
  assert.deepEqual(marks(hidden), ["likely", "unknown", "known", "forbidden", "unknown", "forbidden"]);
  assert.equal(summaryOf(hidden), "1 known edge, 1 likely, 2 forbidden.");
  const revealed = lookOf({ edges }, about, true, undefined);
  assert.deepEqual(marks(revealed), ["likely", "unknown", "misspecified", "excluded", "unknown", "forbidden"]);
  assert.deepEqual(words(revealed), [
    "likely, stated 0.9, true",
    "unknown, not in the true graph",
    "known, misspecified: not in the true graph",
    "forbidden, misspecified: in the true graph",
    "unknown, not in the true graph",
    "forbidden, not in the true graph",
  ]);
  assert.equal(summaryOf(revealed), "1 known edge, 1 likely, 2 forbidden, 2 misspecified; 0 true edges are not known.");
});

test("once the truth is revealed, a likely edge that is false and an unlikely one that is true are marked, said and counted", () => {
  const prior = {
    edges: [
      ["a", "a", 0.1],
      ["b", "a", 0.6],
      ["c", "a", 0.4],
      ["b", "b", 0.95],
      ["c", "b", 0.51],
    ],
  };
  const look = lookOf(prior, about, true, undefined);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => [markOf(look, i, j), wordsOf(look, i, j)];
  assert.deepEqual(at(0, 0), ["misjudged", "stated 0.1, misjudged: in the true graph"]);
  assert.deepEqual(at(1, 0), ["misjudged", "stated 0.6, misjudged: not in the true graph"]);
  assert.deepEqual(at(2, 0), ["likely", "likely, stated 0.4, not in the true graph"]);
  assert.deepEqual(at(1, 1), ["likely", "likely, stated 0.95, true"]);
  assert.equal(summaryOf(look), "0 known edges, 5 likely, 0 misspecified, 3 misjudged; 0 true edges are not known.");
  const hidden = lookOf(prior, about, false, undefined);
  assert.deepEqual([markOf(hidden, 0, 0), markOf(hidden, 1, 0)], ["likely", "likely"]);
  assert.equal(summaryOf(hidden), "0 known edges, 5 likely.");
  // No data can tell about a variable of one value.
  assert.equal(markOf(lookOf(prior, { ...about, state: [variables[0], { name: "b", size: 1 }] }, true, undefined), 1, 0), "likely");
});

test("a key means the same with Caps Lock, and on a keyboard of another script", () => {
  for (const [key, code, means] of [
    ["k", "KeyK", "k"],
    ["K", "KeyK", "k"],
    ["X", "KeyX", "x"],
    ["Z", "KeyY", "z"], // German
    ["л", "KeyK", "k"], // Russian
    ["Ч", "KeyX", "x"],
    ["٣", "Digit3", "3"], // Arabic
    ["9", "Numpad9", "9"],
    ["é", "Digit2", "2"], // French, where Shift types the digit
    ["Delete", "Delete", "Delete"],
    ["ArrowUp", "ArrowUp", "ArrowUp"],
    [" ", "Space", " "],
    ["😀", "", "😀"],
  ]) {
    assert.equal(keyOf({ key, code }), means);
  }
});

test("a reason is told once, with a few of its edges", () => {
  const edge = (/** @type {string} */ from, /** @type {string} */ to, p = 0.9, why = "Things stay.") => ({ from, to, p, why });
  assert.deepEqual(reasonsOf([edge("a", "a"), edge("b", "a", 0.7, "B moves A."), edge("b", "b", 0.95)]), [
    { why: "Things stay.", edges: "a → a′ .9, b → b′ .95" },
    { why: "B moves A.", edges: "b → a′ .7" },
  ]);
  const many = [..."abcdef"].map((name) => edge(name, "a"));
  assert.deepEqual(reasonsOf(many), [{ why: "Things stay.", edges: "a → a′ .9, b → a′ .9, c → a′ .9, d → a′ .9 and 2 more" }]);
  assert.deepEqual(
    reasonsOf(many.slice(0, 5)).map((/** @type {{edges: string}} */ { edges }) => edges),
    ["a → a′ .9, b → a′ .9, c → a′ .9, d → a′ .9, e → a′ .9"],
  );
});

// Oracle: the definition, for every row and every window that may be before.
test("a large matrix shows a part that has the cell, moves no farther than it must, and is full", () => {
  for (const of of [1, 63, 64, 65, 130, 256]) {
    for (let first = 0; first <= Math.max(0, of - mostShown); first++) {
      for (let k = 0; k < of; k++) {
        const to = windowTo(k, first, of);
        const fits = (/** @type {number} */ at) => at >= 0 && at <= Math.max(0, of - mostShown) && k >= at && k < at + mostShown;
        assert.ok(fits(to), `${k} of ${of}, from ${first}: ${to}`);
        for (let other = 0; other < of; other++) assert.ok(!fits(other) || Math.abs(other - first) >= Math.abs(to - first));
      }
    }
  }
  assert.deepEqual(
    [partOf(0, 64, "rows"), partOf(64, 256, "rows"), partOf(66, 130, "columns")],
    ["all rows", "rows 65 to 128 of 256", "columns 67 to 130 of 130"],
  );
});
