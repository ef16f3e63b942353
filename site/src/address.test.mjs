// Oracle: addresses as browsers hold them, worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../test/modules.mjs";

/** @type {typeof import("./address.ts")} */
const { BrowserAddress, hasLink, inPath, isLink, MemoryAddress } = await load("src/address.ts");

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

const link = "v=2&prior=row:row&domain=taxi&seed=11";

/** An address bar at an address, and what is written into it. @param {string} address */
function at(address) {
  const url = new URL(address, "https://example.org");
  /** @type {string[]} */
  const written = [];
  const write = (/** @type {unknown} */ _state, /** @type {string} */ _title, /** @type {string} */ to) => {
    written.push(to);
    url.href = new URL(to, url).href;
  };
  Object.assign(globalThis, { location: url, history: { state: null, pushState: write, replaceState: write } });
  return { bar: new BrowserAddress(false), url, written };
}

test("a link is the fragment, or else the query and what stands behind it", () => {
  for (const [address, wants] of /** @type {const} */ ([
    [`/#${link}`, link],
    [`/?embed=1&theme=dark#${link}`, link],
    [`/?v=1&domain=figure1#${link}`, link],
    [`/?${link}`, `?${link}`],
    [`/taxi5/?${link}#top`, `?${link}#top`],
    [`/index.html?embed=1&${link}&theme=dark`, `?embed=1&${link}&theme=dark`],
    [`/?${link.replaceAll("&", "&amp;")}`, `?${link.replaceAll("&", "&amp;")}`],
    [`/?${link}#?secret=a1`, `?${link}#?secret=a1`],
    ["/?embed=1&ui=prior", ""],
    ["/?v=3", ""],
    ["/?domain=taxi", ""],
    ["/taxi3/?embed=1#?secret=a1", ""],
    ["/#:~:text=regret", ""],
  ])) {
    assert.equal(at(address).bar.link, wants, address);
  }
});

test("a link that is written takes the place of one in the query; how the page looks stays", () => {
  for (const [address, after] of /** @type {const} */ ([
    [`/?${link}`, `/#${link}`],
    [`/taxi5/?embed=1&ui=prior&${link}&utm_source=x`, `/taxi5/?embed=1&ui=prior#${link}`],
    ["/taxi5/?embed=1&from=a", `/taxi5/?embed=1&from=a#${link}`],
    ["/", `/#${link}`],
  ])) {
    const { bar, url, written } = at(address);
    bar.write(link, false, {});
    assert.equal(url.pathname + url.search + url.hash, after);
    assert.equal(bar.link, link);
    assert.equal(written.length, 1);
  }
});

test("a link whose # is encoded is found in the path", () => {
  assert.equal(inPath(`/%23${link}`), link);
  assert.equal(inPath(`/cpsrl/taxi5/%2523v%253D2%2526domain%253Dtaxi`), "v%253D2%2526domain%253Dtaxi");
  assert.equal(inPath("/taxi5/"), "");
  assert.equal(inPath("/%23top"), "");
});

test("damaged fragments are links, and those of other programs are none", () => {
  for (const fragment of ["!v=2&domain=taxi", "/v=2", "v=3D2&domain=3Dtaxi", "v\\=2\\&domain\\=taxi", "v\\u003d2\\u0026domain\\u003dtaxi", "v%3D2"])
    assert.ok(isLink(fragment), fragment);
  for (const fragment of ["", "top", ":~:text=v", "?secret=Zz99", "/reader"]) assert.ok(!isLink(fragment), fragment);
  assert.ok(!hasLink("?v=dQw4w9WgXcQ&domain=x"));
});
