import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../test/modules.mjs";

/** @type {typeof import("./address.ts")} */
const { isLink, MemoryAddress } = await load("src/address.ts");

test("what hosts and other programs put behind an address is no link; a damaged link is one", () => {
  const others = [
    "",
    "?secret=aB3dE9xYz1",
    ":~:text=posterior%20sampling",
    "respond",
    "!",
    "/",
    "!/home",
    "%",
    "top",
    "utm_source=feed&utm_medium=rss",
    "xtor=RSS-1",
    "comment-12",
  ];
  for (const fragment of others) assert.equal(isLink(fragment), false, fragment);
  const links = [
    "v=1&domain=taxi",
    "v=9",
    "domain=taxi",
    "?v=1&domain=taxi",
    "v%3D1%26domain%3Dtaxi",
    "v=1&amp;domain=taxi",
    "\u200bv=1",
    "v\u200b=1&d",
    "gents=psrl&domain=taxi",
    "/v=2&domain=taxi",
    "v=1&domain=taxi?secret=x",
  ];
  for (const fragment of links) assert.equal(isLink(fragment), true, fragment);
});

test("a fragment that is only a heading is completed by the link of the page's preset", () => {
  const begun = (/** @type {string} */ link) => {
    const address = new MemoryAddress(link);
    address.begin("v=1&domain=taxi");
    return address.link;
  };
  assert.equal(begun("heading=Our%20taxi"), "v=1&domain=taxi&heading=Our%20taxi");
  for (const link of ["", "v=1&domain=taxi&grid=3x3&heading=Our%20taxi", "heading=a&v=2"]) assert.equal(begun(link), link);
});
