import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../test/modules.mjs";

const { joined, nameOf, wordsOf } = await load("src/door.ts");

test("a model has the name of its file, and the page says what is left out", () => {
  assert.deepEqual(["coffee.spudd", "a.b.bif", ".mdp", "walk"].map(nameOf), ["coffee", "a.b", ".mdp", "walk"]);
  assert.equal(wordsOf("walk.mdp", { notes: ["the discount 0.9 is left out"] }), "“walk.mdp” is read as a model. The discount 0.9 is left out.");
});

test("the files of one problem stand behind their names", () => {
  assert.equal(
    joined([
      { name: "a.rddl", text: "domain" },
      { name: "b\n.rddl", text: "instance\n" },
    ]),
    "//# file a.rddl\ndomain\n//# file b_.rddl\ninstance\n\n",
  );
});
