// The tour, from its first step to its last, and the article.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { holdFiles, largeModel, open, reach, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { cases } from "./long.mjs";
import { seemly } from "./looks.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

test("the keyboard goes through the tour from its first step to its last, each step shows what it talks about, and axe finds nothing", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  const step = async (/** @type {number} */ k, /** @type {string} */ title) => {
    await bar.getByText(`${k} of 12`, { exact: true }).waitFor();
    await bar.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".pointed").length === 1);
  };
  const shows = (/** @type {string} */ hash) => page.waitForFunction((hash) => location.hash === hash, hash);
  await find.tour(page).press("Enter");
  await step(1, "300 pairs to learn");
  await shows("#v=1&domain=taxi");
  await find.until(() => find.focused(bar.getByRole("button", { name: "Next", exact: true })), "Next has the focus");
  // The step's numbers of states and actions are those of the problem.
  await find.fact(page, "States · actions").filter({ hasText: /^50 · 6$/ }).waitFor();
  await seemly(page, "the first step");
  const next = () => page.keyboard.press("Enter");
  await next();
  await step(2, "An edge says what matters");
  assert.equal(await page.locator(".pointed").getAttribute("id"), "prior");
  for (const [k, title, hash] of /** @type {const} */ ([
    [3, "Sample", "#v=1&domain=taxi&watch=0,1"], [4, "Plan", "#v=1&domain=taxi&watch=0,1,plan"], [5, "Act", "#v=1&domain=taxi&watch=0,1,act"],
    [6, "Update", "#v=1&domain=taxi&watch=0,3,update"],
  ])) {
    await next();
    await step(k, title);
    await shows(hash);
    await find.now(page).waitFor();
  }
  await find.said(page, "Episode 3, update:").waitFor();
  await next();
  await step(7, "Again and again");
  await find.said(page, /^Episode (2[1-9]|[3-9]\d|\d{3})\b/).waitFor();
  await next();
  await step(8, "The curve goes flat");
  await shows("#v=1&domain=taxi&watch=0,150,plan");
  await find.said(page, "Episode 150, plan:").waitFor();
  assert.equal(await find.speed(page).inputValue(), "auto", "the stage has its usual speed again");
  await seemly(page, "with the stage");
  await page.keyboard.press("Shift+Tab");
  await next(); // Back
  await step(7, "Again and again");
  await page.keyboard.press("Tab");
  await next();
  await next();
  await step(9, "Less knowledge, less regret");
  await next();
  await step(10, "Take the edges away");
  await reach(page, "finished");
  await shows("#v=1&prior=none&agents=c-psrl&domain=taxi&runs=4");
  await next();
  await step(11, "Claim false edges");
  await reach(page, "running");
  await reach(page, "finished");
  assert.equal(await find.matrix(page).getByRole("gridcell", { name: /^known/ }).count(), 20, "every cell is marked");
  await next();
  await step(12, "Your turn");
  // As a visitor finds them, the drawers of the figure and the prior are closed.
  for (const drawer of ["#more-view", "#prior-more"]) await page.locator(drawer).evaluate((drawer) => void (/** @type {HTMLDetailsElement} */ (drawer).open = false));
  await shows("#v=1&domain=taxi");
  await find.until(() => page.evaluate(() => {
    const [matrix, chart, bar] = ["prior-matrix", "chart", "tour-bar"].map((id) => document.getElementById(id)?.getBoundingClientRect());
    return matrix !== undefined && chart !== undefined && bar !== undefined && matrix.top >= 0 && matrix.bottom <= bar.top && chart.bottom > 100;
  }), "the matrix and the chart are on one screen");
  await next();
  await bar.waitFor({ state: "detached" });
  assert.ok(await find.focused(find.tour(page)), "the button Tour has the focus again");
  assert.equal(await page.locator(".pointed").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("a tour that is started again during the tour begins at its first step, and Close removes its marks", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  for (const _ of [1, 2]) {
    await find.tour(page).click();
    for (const title of ["300 pairs to learn", "An edge says what matters"]) {
      await bar.getByRole("heading", { name: title, exact: true }).waitFor();
      await find.until(async () => (await page.locator(".pointed").count()) === 1, "one part is marked");
      await bar.getByRole("button", { name: "Next", exact: true }).click();
    }
  }
  await bar.getByRole("button", { name: "Close", exact: true }).click();
  await bar.waitFor({ state: "detached" });
  assert.equal(await page.locator(".pointed").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("the episodes of the tour pass by once the stage is there", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  const release = await holdFiles(page, "**/stage-*.wasm");
  await find.tour(page).click();
  for (let k = 1; k < 7; k++) await bar.getByRole("button", { name: "Next", exact: true }).click();
  await bar.getByText("7 of 12", { exact: true }).waitFor();
  release();
  await find.said(page, /^Episode (2[1-9]|[3-9]\d|\d{3})\b/).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a model that no link can hold leaves the address as it was, Share and Embed say why, and it comes back after the tour", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.openFile(page, "Open a file…", largeModel());
  await find.heading(page, "a large model").waitFor();
  const none = /^No link can hold this spec: the link has \d+ bytes, more than 65536\./;
  await find.notice(page, none).waitFor();
  assert.match(await page.evaluate(() => location.hash), /^#v=1&domain=taxi/, "the address stays as it was");
  for (const [name, button] of /** @type {const} */ ([["Share", find.share], ["Embed", find.embed]])) {
    await find.chooseMore(page, button);
    await find.dialog(page, name).getByText(none).waitFor();
    await page.keyboard.press("Escape");
  }
  await find.tour(page).click();
  await find.heading(page, "a large model").waitFor({ state: "detached" }); // the tour has taken the page
  await page.getByRole("region", { name: "Tour", exact: true }).getByRole("button", { name: "Close", exact: true }).click();
  await find.heading(page, "a large model").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("leaving the tour brings back the earlier experiment with its results", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c-quick/`);
  await find.cellsFrom(page, "row").nth(1).click();
  await page.waitForURL(/prior=/);
  await find.run(page).click();
  await reach(page, "finished");
  const [edited, source] = [page.url(), await find.source(page).textContent()];
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  const leave = async (/** @type {() => Promise<void>} */ by) => {
    await page.waitForURL((url) => url.href !== edited); // the tour has taken the page
    await by();
    await bar.waitFor({ state: "detached" });
    await page.waitForURL(edited);
    await find.until(async () => (await find.source(page).textContent()) === source, "the results are there");
    assert.equal(await find.matrix(page).getByRole("gridcell", { name: /^known/ }).count(), 8);
  };
  await find.tour(page).click();
  for (const _ of [1, 2, 3]) await bar.getByRole("button", { name: "Next", exact: true }).click();
  await leave(() => page.keyboard.press("Escape"));
  // Undo and Redo still know the prior's versions.
  await find.undo(page).click();
  assert.equal(await find.matrix(page).getByRole("gridcell", { name: /^known/ }).count(), 7);
  await find.redo(page).click();
  await page.waitForURL(edited);
  // Done at the last step does the same.
  await find.tour(page).click();
  for (let k = 1; k < 12; k++) await bar.getByRole("button", { name: "Next", exact: true }).click();
  await leave(() => bar.getByRole("button", { name: "Done", exact: true }).click());
  // An experiment that was edited during the tour stays.
  await find.tour(page).click();
  await page.waitForURL(/#v=1&domain=taxi$/);
  await find.cellsFrom(page, "row").nth(1).click();
  await page.waitForURL(/prior=/);
  const own = page.url();
  await bar.getByRole("button", { name: "Close", exact: true }).click();
  await bar.waitFor({ state: "detached" });
  await page.waitForTimeout(500);
  assert.equal(page.url(), own);
  assert.deepEqual(complaints, []);
  await close();
});

test("the tour fits at 390 px and closes by Escape", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await find.tour(page).click();
  const bar = page.getByRole("region", { name: "Tour", exact: true });
  await bar.getByRole("heading", { name: "300 pairs to learn", exact: true }).waitFor();
  const box = await bar.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height < 422, JSON.stringify(box));
  // The first step points at the chart, above the tour's sheet.
  await find.until(() => page.evaluate(() => {
    const [chart, sheet] = [document.querySelector(".pointed #chart, #chart.pointed"), document.querySelector("[aria-label='Tour'][role='region'], section[aria-label='Tour']")].map((element) => element?.getBoundingClientRect());
    return chart !== undefined && sheet !== undefined && chart.top >= 0 && chart.top < sheet.top - 100;
  }), "the chart is in view");
  await seemly(page, "at 390 px");
  // If a part is higher than the room above the tour's bar, its beginning is in view.
  for (const title of ["An edge says what matters", "Sample", "Plan"]) {
    await bar.getByRole("button", { name: "Next", exact: true }).click();
    await bar.getByRole("heading", { name: title, exact: true }).waitFor();
  }
  await find.said(page, "Episode 1, plan:").waitFor();
  await find.until(() => find.stage(page).evaluate((stage) => stage.getBoundingClientRect().top >= 0 && stage.getBoundingClientRect().top < 100), "the stage's beginning is in view");
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a figure of the article follows the text: its picture at first, and the stage once it is started", async () => {
  for (const viewport of cases([{ width: 1280, height: 900 }], [{ width: 390, height: 844 }])) {
    const { page, complaints, close } = await open(site.browser, site.origin, { viewport, reducedMotion: "reduce" });
    await page.goto(`${site.origin}paper/`);
    const moments = page.locator("#moments");
    /** Scrolls until a step passes the middle. @param {string} name */
    const pass = (name) => page.getByRole("listitem").filter({ has: page.getByRole("button", { name, exact: true }) }).evaluate((step) => {
      const { top, height } = step.getBoundingClientRect();
      scrollBy({ top: top + height / 2 - innerHeight / 2, behavior: "instant" });
    });
    /** Waits until a figure shows a picture, in view. @param {string} id @param {string} picture */
    const shows = (id, picture) => find.until(() => page.locator(`#${id} img`).evaluate((image, picture) => {
      const { top, bottom } = image.getBoundingClientRect();
      const { src, complete, naturalWidth } = /** @type {HTMLImageElement} */ (image);
      return src.endsWith(`/${picture}.svg`) && complete && naturalWidth > 0 && top >= 0 && bottom <= innerHeight;
    }, picture), `${id} shows ${picture}`);
    for (const [step, picture] of [["2. Plan", "moment-plan"], ["Episode 100", "moment-learned"], ["1. Sample", "moment-sample"]]) {
      await pass(String(step));
      await shows("moments", String(picture));
      assert.equal(await page.getByRole("button", { name: String(step), exact: true }).getAttribute("aria-pressed"), "true");
    }
    await pass("Recall");
    await shows("beat", "poster-recall");
    await seemly(page, "the article while it is scrolled");
    await pass("4. Update");
    await find.runHere(moments).click();
    await find.said(moments.frameLocator("iframe"), "Episode 1, update:").waitFor();
    if (viewport.width > 1000) await pass("2. Plan");
    else await page.getByRole("button", { name: "2. Plan", exact: true }).click(); // a phone has no room for both
    await find.said(moments.frameLocator("iframe"), "Episode 1, plan:").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the article works by keyboard: the skip link, a button that sets the stage, a picture that becomes a figure; axe finds nothing", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.goto(`${site.origin}paper/`);
  const focused = () => page.evaluate(() => [document.activeElement, document.activeElement?.shadowRoot?.activeElement].map((part) => part?.id || part?.tagName));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.deepEqual(await focused(), ["text", undefined], "the text has the focus");
  const step = page.getByRole("button", { name: "3. Act", exact: true });
  await step.focus();
  await page.keyboard.press("Enter");
  await find.said(page.locator("#moments").frameLocator("iframe"), "Episode 1, act:").waitFor();
  assert.equal(await step.getAttribute("aria-pressed"), "true");
  for (const name of ["4. Update", "Episode 100"]) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), name);
  }
  await page.getByRole("button", { name: "1. Sample", exact: true }).focus();
  await page.keyboard.press("Shift+Tab");
  assert.deepEqual(await focused(), ["A", undefined], "the figure's link is before its steps");
  await page.keyboard.press("Shift+Tab");
  assert.deepEqual(await focused(), ["moments", "IFRAME"], "and the figure before its link");
  const figure = page.locator("cpsrl-playground").last();
  await figure.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.tagName === "IFRAME");
  await reach(/** @type {any} */ (await (await figure.locator("iframe").elementHandle())?.contentFrame()), "finished");
  await seemly(page, "the article with two of its figures");
  // The theme of the article is that of its started figures.
  const theme = page.getByRole("button", { name: /^Theme: / });
  while ((await theme.textContent()) !== "Theme: dark") await theme.click();
  for (const id of ["#moments", "cpsrl-playground >> nth=-1"]) await page.locator(id).frameLocator("iframe").locator('html[data-theme="dark"]').waitFor();
  assert.deepEqual(complaints, []);
  await close();
});
