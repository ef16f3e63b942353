// Oracle: the table of the stage's own rule (render/names_test.go).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { fronts } = await load("src/parts/prior/names.ts");

test("names are cut in what they share with other names", () => {
  /** @type {{names: string[], fronts: string[]}[]} */
  const rows = JSON.parse(readFileSync(new URL("../../../../render/testdata/fronts.json", import.meta.url), "utf8"));
  assert.deepEqual(
    rows.map(({ names }) => fronts(names)),
    rows.map((row) => row.fronts),
  );
});
