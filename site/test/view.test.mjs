// The link encode(spec, view) says what a playground shows, wherever it is: on its own page, in a frame
// or in a page of another origin. Also inline elements and their life in another page.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { golden, holdFiles, listen, open, start } from "./browser.mjs";
import * as find from "./finds.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
/** Another origin, which serves the same page at every address. */
let host = "";
let body = "";
/** The policy of that page. */
let policy = "";
const server = createServer((_, response) => {
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8", ...(policy && { "content-security-policy": policy }) })
    .end(`<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>A paper</title></head><body>${body}</body></html>`);
});
before(async () => {
  site = await start();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  host = `http://localhost:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
});
after(async () => {
  server.close();
  await site.stop();
});

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {Page | import("playwright-core").Locator | import("playwright-core").FrameLocator} Place */

/** Opens a page of the other origin. @param {string} content @param {string} allowing its policy */
async function visit(content, allowing = "") {
  body = content;
  policy = allowing;
  const context = await site.browser.newContext({ viewport: { width: 1200, height: 2600 } });
  const page = await context.newPage();
  const complaints = listen(page);
  await page.goto(host);
  return { page, complaints, close: () => context.close() };
}

/** @param {string} attributes */
const element = (attributes) => `<cpsrl-playground ${attributes}><a href="${site.origin}">Open</a></cpsrl-playground>`;
const script = () => `<script src="${site.origin}playground.js" defer></script>`;

/** The view as a person reads it: the measure, the axis, the run, the episode and the moment. @param {Place} place */
async function read(place) {
  await find.now(place).waitFor();
  await find.unfold(place, find.moreOfFigure);
  return {
    measure: await find.measure(place).getByRole("option", { selected: true }).textContent(),
    log: await find.logScale(place).getAttribute("aria-pressed"),
    run: await find.watchedRun(place).inputValue(),
    episode: await find.episode(place).getAttribute("aria-valuetext"),
    moment: await find.now(place).textContent(),
    chart: await place.getByRole("group", { name: /Model error by episode/ }).count(),
  };
}

test("a link to model error on a log axis at episode 40 of run 3 shows it in a fresh profile, in a frame and in an inline element of another origin", async () => {
  const shown = { measure: "Model error", log: "true", run: "3", episode: "40 of 100", moment: "Plan", chart: 1 };
  // The link is made by hand.
  const one = await open(site.browser, site.origin);
  await find.choose(one.page, "fig2c-quick");
  await find.measure(one.page).selectOption({ label: "Model error" });
  await find.logScale(one.page).click();
  await find.watch(one.page).click();
  await find.watchedRun(one.page).selectOption("3");
  await one.page.waitForFunction(() => location.hash.endsWith("&watch=3,1"));
  await find.episode(one.page).fill("40");
  await one.page.waitForFunction(() => location.hash.endsWith("&watch=3,40"));
  await find.moment(one.page, "Plan").click();
  await one.page.waitForFunction(() => location.hash.endsWith("&measure=model-error&log=y&watch=3,40,plan"));
  /** Waits until a place shows it: the figure may come after the stage. @param {Place} place @param {string} what */
  const shows = (place, what) => find.becomes(() => read(place), shown, what);
  await shows(one.page, "the page");
  const link = await one.page.evaluate(() => location.hash.slice(1));
  assert.equal(link, "v=1&domain=taxi&grid=3x3&episodes=100&runs=4&measure=model-error&log=y&watch=3,40,plan");
  assert.deepEqual(one.complaints, []);
  await one.close();

  const fresh = await open(site.browser, `${site.origin}#${link}`, { fresh: true });
  await shows(fresh.page, "a fresh profile");
  assert.equal(await fresh.page.evaluate(() => location.hash.slice(1)), link);
  assert.deepEqual(fresh.complaints, []);
  await fresh.close();

  const ui = "stage,experiment,controls";
  const embed = await visit(`<iframe src="${site.origin}?embed=1&ui=${ui}#${link}" title="Figure" width="1100" height="2000"></iframe>`);
  await shows(embed.page.frameLocator("iframe"), "a frame");
  assert.deepEqual(embed.complaints, []);
  await embed.close();

  const mounted = await visit(`${script()}${element(`inline link="${link}" ui="${ui}"`)}`);
  await find.runHere(mounted.page).click();
  await shows(mounted.page, "an inline element");
  assert.deepEqual(mounted.complaints, []);
  await mounted.close();
});

test("two inline playgrounds of one page work side by side, and the page keeps its own ids", async () => {
  const { page, complaints, close } = await visit(
    `${script()}<p id="run">Mine</p>${element('inline preset="fig1-quick" theme="dark"')}${element('inline link="v=1&domain=figure1&episodes=20&runs=3" ui="experiment,controls,agents"')}`,
  );
  const [first, second] = [page.locator("cpsrl-playground").nth(0), page.locator("cpsrl-playground").nth(1)];
  /** Waits for the end of a run. On a busy machine, a run that started by itself may ask whether it may go on. @param {typeof first} place */
  const finished = (place) =>
    find.until(async () => {
      const goOn = place.getByRole("button", { name: "Go on", exact: true });
      if (await goOn.count()) await goOn.click();
      return (await place.locator('.playground[data-state="finished"]').count()) > 0;
    }, "the run is finished");
  for (const place of [first, second]) await find.runHere(place).click();
  await finished(first);
  await finished(second);
  const prints = await Promise.all([first, second].map((place) => find.foldedFingerprint(place).textContent()));
  assert.equal(prints[0], golden.presets["fig1-quick"]);
  assert.match(prints[1] ?? "", /^[0-9a-f]{64}$/);
  assert.notEqual(prints[1], prints[0]);
  assert.deepEqual(await Promise.all([first, second].map((place) => place.locator(".playground").getAttribute("data-theme"))), ["dark", "auto"]);
  // A change of one does not change the other.
  await find.measure(second).selectOption("recall");
  await find.unfold(second, "Size");
  await find.episodes(second).fill("10");
  await find.run(second).click();
  await finished(second);
  assert.notEqual(await find.foldedFingerprint(second).textContent(), prints[1]);
  assert.equal(await find.measure(first).inputValue(), "cumulative-regret");
  assert.equal(await find.foldedFingerprint(first).textContent(), prints[0]);
  assert.equal(await page.textContent("body > #run"), "Mine");
  assert.equal(new URL(page.url()).hash, "", "the page's address does not change");
  assert.deepEqual(complaints, []);
  await close();
});

for (const form of ["", "inline"]) {
  test(`an ${form && "inline "}element follows its preset, keeps to the budget and obeys its methods`, async () => {
    const { page, complaints, close } = await visit(`${script()}${element(`${form} preset="fig2a"`)}`);
    const one = page.locator("cpsrl-playground");
    await one.evaluate((element) => {
      const all = /** @type {any} */ (globalThis);
      all.heard = [];
      for (const type of ["ready", "state", "finished", "refused", "done"]) element.addEventListener(type, (event) => all.heard.push(/** @type {CustomEvent} */ (event).detail));
    });
    /** @param {string} type @param {number} from */
    const hear = async (type, from = 0) =>
      (await page.waitForFunction(
        ([type, from]) => /** @type {any} */ (globalThis).heard.slice(from).find((/** @type {any} */ m) => m.type === type), /** @type {const} */ ([type, from]),
      )).jsonValue();
    const count = () => page.evaluate(() => /** @type {any} */ (globalThis).heard.length);
    // A command is about the attributes that were set before it.
    await one.evaluate((element) => {
      element.setAttribute("preset", "fig1-quick");
      /** @type {any} */ (element).run();
    });
    const finished = await hear("finished");
    assert.equal(finished.cpsrl, 1);
    assert.equal(finished.fingerprint, golden.presets["fig1-quick"]);
    // The same element gets another preset.
    let from = await count();
    await one.evaluate((element) => element.setAttribute("preset", "fig2c-quick"));
    const state = await hear("state", from);
    assert.equal(state.link, "v=1&domain=taxi&grid=3x3&episodes=100&runs=4");
    // A run that costs more than a page may start by itself is refused.
    from = await count();
    await one.evaluate((element) => {
      /** @type {any} */ (element).show("v=1&domain=taxi&episodes=50000&runs=5000");
      /** @type {any} */ (element).run();
    });
    assert.match((await hear("refused", from)).detail, /more than a page may start by itself/);
    const place = form ? one : one.frameLocator("iframe");
    await place.getByText(/so it has not started by itself/).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("an inline element that is removed stops computing", async () => {
  const { page, complaints, close } = await visit(`${script()}${element('inline link="v=1&domain=taxi&grid=3x3&episodes=400&runs=20"')}`);
  await find.runHere(page).click();
  await page.locator('.playground[data-state="running"]').waitFor();
  await page.locator("cpsrl-playground").evaluate((element) => element.remove());
  await find.until(async () => page.workers().length <= 2, "no worker but the desk is left");
  assert.deepEqual(complaints, []);
  await close();
});

test("an inline element that is removed while the engine loads opens no link", async () => {
  const { page, complaints, close } = await visit(`${script()}${element('inline link="v=1&domain=figure1&episodes=20&runs=3"')}`);
  const release = await holdFiles(page, "**/engine-*.wasm");
  await find.runHere(page).click();
  const playground = await page.locator(".playground").elementHandle();
  const state = () => playground?.evaluate((place) => /** @type {HTMLElement} */ (place).dataset["state"]);
  await find.until(async () => (await state()) === "loading", "the engine loads");
  await page.locator("cpsrl-playground").evaluate((element) => element.remove());
  release();
  await find.until(async () => (await state()) !== "loading", "the engine is there");
  await page.waitForTimeout(1000);
  assert.equal(await state(), "ready", "nothing runs");
  assert.deepEqual(complaints, []);
  await close();
});

test("an inline element whose page cannot be loaded says so, and the next command tries again", async () => {
  const { page, close } = await visit(`${script()}${element('inline preset="fig1-quick"')}`);
  const address = `${site.origin}fig1-quick/`;
  await page.route(address, (route) => route.fulfill({ status: 500, headers: { "access-control-allow-origin": "*" } }));
  await find.runHere(page).click();
  await page.getByText(`The playground could not be loaded: the server answered 500 for ${address}`).waitFor();
  await page.unroute(address);
  await page.locator("cpsrl-playground").evaluate((element) => /** @type {any} */ (element).run());
  await page.locator('.playground[data-state="finished"]').waitFor();
  await close();
});

test("an inline element says what the policy of its page has to allow", async () => {
  for (const [allowing, words] of /** @type {const} */ ([
    ["worker-src 'none'", /The engine failed: the browser starts no worker here; if this page has a policy, it must allow them \(worker-src blob:\)/],
    ["require-trusted-types-for 'script'; trusted-types another", /^The playground could not be loaded: .*"lit-html" disallowed/],
    ["require-trusted-types-for 'script'; trusted-types lit-html", /^The playground could not be loaded: this page names the policies that it trusts; it must allow these \(trusted-types cpsrl lit-html\)/],
  ])) {
    const { page, close } = await visit(`${script()}${element('inline preset="fig1-quick" ui="experiment,controls"')}`, allowing);
    await find.runHere(page).click();
    await page.getByText(words).first().waitFor();
    await close();
  }
});

test("an inline element works in a page that requires Trusted Types", async () => {
  for (const allowing of ["require-trusted-types-for 'script'", "require-trusted-types-for 'script'; trusted-types cpsrl lit-html"]) {
    const { page, complaints, close } = await visit(`${script()}${element('inline preset="fig1-quick" ui="experiment,controls"')}`, allowing);
    await find.runHere(page).click();
    await page.locator('.playground[data-state="finished"]').waitFor();
    await page.locator("#chart svg").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  }
});
