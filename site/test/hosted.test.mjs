// What a host serves besides the pages: the page for addresses that do not exist, and the manifest.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { open, start, subPath } from "./browser.mjs";
import * as find from "./finds.mjs";
import { seemly } from "./looks.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

/** The sentence and the links of the page for an address that does not exist. @param {import("playwright-core").Page | import("playwright-core").Frame} page */
async function said(page) {
  const ways = page.getByRole("list").getByRole("link");
  await ways.first().waitFor();
  const links = await ways.evaluateAll((all) => all.map((link) => [link.textContent, /** @type {HTMLAnchorElement} */ (link).href, /** @type {HTMLAnchorElement} */ (link).target]));
  return { words: await page.getByText(/^The C-PSRL playground has no/).textContent(), links };
}

for (const { at, what, under = "" } of [
  { at: "fig9/", what: "page “fig9”" }, { at: `${subPath}fig9`, what: "page “fig9”", under: subPath }, { at: `${subPath}docs/none.html`, what: "page “none.html”", under: subPath },
  { at: `${subPath}fig9/deep/100%25/`, what: "page “100%”", under: subPath }, { at: "v9/fig1/", what: "page “fig1” of engine 9" },
  { at: `${subPath}v9/`, what: "pages of engine 9", under: subPath }, { at: "v9", what: "pages of engine 9" },
]) {
  test(`the page at /${at}, which does not exist, links into the site`, async () => {
    const context = await site.browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: at === "fig9/" ? "dark" : "light" });
    const page = await context.newPage();
    const response = await page.goto(site.origin + at);
    assert.equal(response?.status(), 404);
    const { words, links } = await said(page);
    assert.equal(words, `The C-PSRL playground has no ${what}.`);
    assert.deepEqual(links.at(0), ["Figure 1: the example graph", `${site.origin}${under}fig1/`, ""]);
    assert.deepEqual(links.at(-1), ["The playground", site.origin + under, ""]);
    for (const [, href] of links) assert.equal((await page.request.get(`${href}`)).status(), 200, `${href}`);
    await seemly(page, at);
    await context.close();
  });
}

test("a link whose # or whose fragment a program has changed is offered where there is no page", async () => {
  const link = "v=1&prior=none&domain=figure1&episodes=2&runs=1";
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const offer = page.getByRole("link", { name: "The experiment of this address", exact: true });
  for (const [path, to, words] of /** @type {const} */ ([
    [`%23${link}`, `#${link}`, "In this address, the # before the experiment has become a part of the path, so it names no page."],
    [`%2523${encodeURIComponent(link)}`, `#${encodeURIComponent(link)}`, "In this address, the # before the experiment has become a part of the path, so it names no page."],
    [`taxi7/?${link}`, `?${link}`, "The C-PSRL playground has no page “taxi7”."],
    [`taxi7/#!${link}`, `#!${link}`, "The C-PSRL playground has no page “taxi7”."],
  ])) {
    await page.goto(`${site.origin}${subPath}${path}`);
    await page.getByText(words, { exact: true }).waitFor();
    assert.equal(await offer.getAttribute("href"), `${new URL(site.origin + subPath).pathname}${to}`);
  }
  await context.close();
  const opened = await open(site.browser, `${site.origin}${subPath}?theme=dark&${link}`, { until: ["finished"] });
  assert.equal(new URL(opened.page.url()).search + new URL(opened.page.url()).hash, `?theme=dark#${link}`);
  assert.match(await find.noticed(opened.page), /^The link was changed on its way: the query is read as the fragment\.$/);
  assert.deepEqual(opened.complaints, []);
  await opened.close();
});

for (const sandbox of ["", ' sandbox="allow-scripts"']) {
  test(`a frame with a wrong preset says so to its reader and to the page around it${sandbox}`, async () => {
    const frame = `${site.origin}${subPath}taxi7/?embed=1&theme=dark#v=1&domain=taxi`;
    const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>A paper</title><iframe src="${frame.replaceAll("&", "&amp;")}"${sandbox} width="600"></iframe>`));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      const all = /** @type {any} */ (globalThis);
      all.heard = [];
      if (parent === window) addEventListener("message", ({ data }) => all.heard.push(data));
    });
    await page.goto(`http://localhost:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`);
    const inner = /** @type {import("playwright-core").Frame} */ (page.frames()[1]);
    const { words, links } = await said(inner);
    assert.equal(words, "The C-PSRL playground has no preset “taxi7”, so this frame shows none.");
    const root = site.origin + subPath;
    assert.deepEqual(links.slice(0, 2), [
      ["The experiment of this address", `${root}?embed=1&theme=dark#v=1&domain=taxi`, ""],
      ["Figure 1: the example graph", `${root}fig1/?embed=1&theme=dark`, ""],
    ]);
    assert.deepEqual(links.at(-1), ["The playground", root, "_blank"]);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).heard.length >= 2);
    const [refused, height] = /** @type {any[]} */ (await page.evaluate(() => /** @type {any} */ (globalThis).heard));
    assert.deepEqual(refused, { cpsrl: 1, type: "refused", detail: words });
    assert.deepEqual(height, { cpsrl: 1, type: "height", height: await inner.evaluate(() => document.documentElement.getBoundingClientRect().height).then(Math.ceil) });
    assert.equal(await inner.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(18, 18, 18)");
    await context.close();
    server.close();
  });
}

test("the site can be installed, and the browser's bars have its theme", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}${subPath}fig1-quick/`, { colorScheme: "light" });
  const session = await page.context().newCDPSession(page);
  const { url, data = "", errors } = await session.send("Page.getAppManifest");
  assert.deepEqual([url, errors], [`${site.origin}${subPath}manifest.webmanifest`, []]);
  assert.equal(new URL(JSON.parse(data).start_url, url).href, site.origin + subPath);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []); // a test's context is incognito

  /** The theme colour that a browser would take. */
  const colour = () => page.locator('meta[name="theme-color"]').evaluateAll((all) => all.find((meta) => matchMedia(/** @type {HTMLMetaElement} */ (meta).media).matches)?.getAttribute("content"));
  const shown = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const hex = async () => `#${(await shown()).match(/\d+/g)?.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  /** @type {(string | undefined | null)[]} */
  const seen = [];
  for (const scheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme: scheme });
    for (let k = 0; k < 3; k++) {
      assert.equal(await colour(), await hex());
      seen.push(await colour());
      await find.chooseMore(page, find.theme);
    }
  }
  assert.deepEqual(seen, ["#ffffff", "#ffffff", "#121212", "#121212", "#ffffff", "#121212"]);
  await find.chooseMore(page, find.theme);
  await find.chooseMore(page, find.theme); // the remembered theme is dark
  await page.emulateMedia({ colorScheme: "light" });
  for (const path of ["", "docs/"]) {
    await page.goto(`${site.origin}${subPath}${path}`);
    assert.equal(await colour(), "#121212");
  }
  assert.deepEqual(complaints, []);
  await close();
});
