import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../test/modules.mjs";

const { keepData, hasData, withData } = await load("src/engine/data.ts");

test("what is asked of the engine holds the transitions that it names, if the page has them", () => {
  const [name, other] = ["0a".repeat(32), "1b".repeat(32)];
  const spec = JSON.stringify({ prior: { eta: 1, data: name }, agents: [] });
  assert.equal(withData("/v1/check", spec), spec);
  keepData(name, [{ x: [0, 1], y: [1] }]);
  assert.deepEqual([hasData(name), hasData(other)], [true, false]);
  assert.deepEqual(JSON.parse(withData("/v1/check", spec)).prior.data, [{ x: [0, 1], y: [1] }]);
  assert.equal(withData("/v1/link", spec), spec, "a link needs the name only");
  const stranger = JSON.stringify({ prior: { data: other } });
  assert.equal(withData("/v1/check", stranger), stranger);
  // A text within JSON that looks like it stays as it is.
  const quoted = JSON.stringify({ text: `"data":"${name}"` });
  assert.equal(withData("/v1/check", quoted), quoted);
});
