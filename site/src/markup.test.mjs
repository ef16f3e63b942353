import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../test/modules.mjs";

/** What the policy was made with. @type {[string, any][]} */
const made = [];
/** @type {string[]} */
const parsed = [];
Object.assign(globalThis, {
  trustedTypes: {
    createPolicy(/** @type {string} */ name, /** @type {any} */ rules) {
      made.push([name, rules]);
      return rules;
    },
  },
  location: { origin: "https://example.org" },
  document: { baseURI: "https://example.org/a/", importNode: (/** @type {unknown} */ node) => node },
  DOMParser: class {
    /** @param {string} text */
    parseFromString(text) {
      parsed.push(text);
      return { documentElement: text };
    }
  },
});

/** @type {typeof import("./markup.ts")} */
const { drawing, draw, parsedPage, scriptAddress } = await load("src/markup.ts");

test("all markup from text goes through one policy, and a picture that does more than draw is refused", () => {
  const fine = `<svg viewBox="0 0 1 1" aria-label="a onload=b > c 'd" data-facts='{"a":"<script>"}'><title>X1 onload=1 &lt;img src=x onerror=y></title><text y="1">javascript:x</text></svg>`;
  drawing(fine);
  const place = { innerHTML: "" };
  draw(/** @type {any} */ (place), fine);
  parsedPage("<script src=a.js></script>"); // a parsed page runs nothing
  assert.deepEqual([parsed, place.innerHTML], [[fine, "<script src=a.js></script>"], fine]);
  for (const bad of [
    "<svg onload=x>",
    `<svg a="b"onload=x>`,
    "<svg\nonload = x>",
    "<svg/onload=x>",
    `<svg><image href="x" onerror="y"/></svg>`,
    "<svg><script>x</script></svg>",
    "<svg><SCRIPT/></svg>",
    `<svg><a href="javascript:x">`,
    `<svg><a xlink:href = ' javascript:x'>`,
    "<svg><foreignObject><iframe srcdoc=x></iframe></foreignObject></svg>",
    `<svg a="'" onload="x`,
    "<svg a='>'onload=x",
  ])
    assert.throws(() => drawing(bad), /does not draw/, bad);
  assert.deepEqual(
    made.map(([name]) => name),
    ["cpsrl"],
  );
});

test("a worker starts only from a script of the playground", () => {
  assert.equal(scriptAddress("blob:https://example.org/1"), "blob:https://example.org/1");
  assert.equal(scriptAddress("sw.js"), "sw.js");
  for (const other of ["https://example.com/sw.js", "data:text/javascript,x", "//example.com/x.js"])
    assert.throws(() => scriptAddress(other), /no script of the playground/);
});
