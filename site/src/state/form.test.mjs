// Oracle: what a person sees in the form, and the spec that is asked about, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, load } from "../../test/modules.mjs";

const { described, draftOf, formOf, heard, switched, turned, fieldText, numeric, withAgent, withValue } = await load("src/state/form.ts");
const spec = catalogue.presets[0].spec;

test("the form of a spec is asked about as that spec, in the newest version", () => {
  assert.deepEqual(draftOf(formOf(spec)), { ...spec, version: catalogue.spec });
  const known = { ...spec, prior: { eta: 2 }, version: catalogue.spec };
  assert.deepEqual(draftOf(formOf(known)), known);
});

test("a text that is no number goes to the engine as it is", () => {
  assert.equal(draftOf(withValue(formOf(spec), "/episodes", "many")).episodes, "many");
  assert.deepEqual(["12", "-4", "0.5"].map(numeric), [12, -4, 0.5]);
  // The engine judges these: it says that a whole number has digits only, and a fraction a point.
  for (const text of [" 3 ", "1.000", "1e3", "+5", "5.0", "٣", "0,9", ".9", "0x10", "Infinity", "NaN", ".", ""]) assert.equal(numeric(text), text);
});

test("a Z of single variables stays, before and after the engine has said its text", () => {
  const own = { ...spec, sparseness: { "*": 4, row: 3 }, version: catalogue.spec };
  const form = formOf(own, spec);
  assert.deepEqual(draftOf(form), own);
  const told = described(form, [{ pointer: "/sparseness", section: "prior", min: 1, max: 64, notation: "Z", text: "4,row:3", default: 5 }]);
  assert.equal(draftOf(told).sparseness, "4,row:3");
  assert.equal(draftOf(turned(form, { name: "random" }, undefined)).sparseness, undefined);
});

test("agents keep the order of the base; others follow in the order of the list, however they were chosen", () => {
  const list = ["psrl", "f-psrl", "c-psrl", "x", "y"];
  const chosen = [
    ["f-psrl", true],
    ["psrl", false],
    ["y", true],
    ["x", true],
    ["psrl", true],
  ].reduce((form, [label, checked]) => withAgent(form, label, checked, list), formOf(spec));
  assert.deepEqual(chosen.agents, ["psrl", "c-psrl", "f-psrl", "x", "y"]);
});

test("another domain has its own defaults, and keeps the sizes", () => {
  const fields = [
    { pointer: "/domain/values", section: "domain", min: 1, default: 2 },
    { pointer: "/sparseness", section: "prior", min: 1, default: 4 },
    { pointer: "/episodes", section: "size", min: 1, default: 100 },
  ];
  const draft = draftOf(turned(withValue(formOf(spec), "/sparseness", 7), { name: "random" }, fields));
  assert.deepEqual(draft.domain, { name: "random", values: 2 });
  assert.equal(draft.sparseness, 4);
  assert.equal(draft.episodes, 400);
  assert.equal(draft.prior, undefined);
});

test("a switch at its default has the default of another domain; one that was changed stays", () => {
  const fields = (/** @type {string} */ standard) => [{ pointer: "/temper", section: "switches", choices: ["mild", "hot", "wild"], default: standard }];
  const form = described(formOf(spec), fields("mild"));
  const texts = ["mild", "wild"].map((text) => draftOf(turned(withValue(form, "/temper", text), { name: "random" }, fields("hot"))).temper);
  assert.deepEqual(texts, ["hot", "wild"]);
});

test("a field that the engine adds has its default; one that it takes away is gone", () => {
  const form = described(formOf(spec), [
    { pointer: "/episodes", section: "size", min: 1, default: 100 },
    { pointer: "/temper", section: "switches", default: "mild" },
  ]);
  assert.deepEqual(form.values, { "/episodes": "400", "/temper": "mild" });
  assert.equal(switched(form), false);
  assert.equal(switched(withValue(form, "/temper", "hot")), true);
});

test("the trust and the false edges of a prior are steps that can be undone; their defaults are left out", () => {
  const fields = [
    { pointer: "/prior/trust", section: "prior", default: "1", notation: "1, or less" },
    { pointer: "/prior/false", section: "prior", min: 0, max: 64, default: 0 },
  ];
  const form = described(formOf(spec), fields);
  const texts = (/** @type {any} */ of) => fields.map((field) => fieldText(of, field));
  assert.deepEqual(texts(form), ["1", "0"]);
  const typed = ["0", "0.9", "0.99"].reduce((now, text) => withValue(now, "/prior/trust", text), form);
  const both = withValue(typed, "/prior/false", "2");
  assert.deepEqual(draftOf(both).prior, { trust: 0.99, false: 2 });
  assert.deepEqual(both.line.past, [undefined, { trust: 0.99 }], "what is typed in a row is one step");
  assert.deepEqual(texts(both), ["0.99", "2"]);
  assert.deepEqual(draftOf(withValue(withValue(both, "/prior/false", "0"), "/prior/trust", " 1 ")).prior, undefined);
  assert.deepEqual(draftOf(withValue(both, "/prior/trust", "much")).prior, { trust: "much", false: 2 });
  assert.deepEqual(draftOf(withValue({ ...form, line: { ...form.line, now: { eta: 1 } } }, "/prior/false", "1")).prior, { eta: 1, false: 1 });
});

test("if all agents that are told a prior have named ones, an edit of the form's prior brings the agent that has it", () => {
  const deaf = { ...formOf({ ...spec, agents: ["psrl", "c-psrl:prior=one"] }) };
  assert.deepEqual(heard(deaf).agents, ["psrl", "c-psrl", "c-psrl:prior=one"]);
  for (const agents of [["psrl"], ["psrl", "c-psrl", "c-psrl:prior=one"]]) {
    const form = formOf({ ...spec, agents });
    assert.equal(heard(form), form, agents.join());
  }
});
