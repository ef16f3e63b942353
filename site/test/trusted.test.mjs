// The page demands Trusted Types: what makes markup from text in another way than markup.ts throws, and nothing of the page
// does so.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, reach, start } from "./browser.mjs";
import * as find from "./finds.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => void (site = await start()));
after(() => site?.stop());

test("a text that is put into the document throws", async () => {
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  const said = await page.evaluate(() => {
    const ways = {
      innerHTML: () => (document.body.innerHTML = "<img src=x onerror='ran = 1'>"),
      adjacent: () => document.body.insertAdjacentHTML("beforeend", "<p>"),
      parser: () => new DOMParser().parseFromString("<p>", "text/html"),
      range: () => document.createRange().createContextualFragment("<p>"),
      srcdoc: () => (document.createElement("iframe").srcdoc = "<p>"),
      script: () => (document.createElement("script").src = "x.js"),
      worker: () => new Worker("x.js"),
      policy: () => /** @type {any} */ (window).trustedTypes.createPolicy("another", {}),
      "the policy again": () => /** @type {any} */ (window).trustedTypes.createPolicy("cpsrl", {}),
    };
    return Object.entries(ways).map(([name, way]) => {
      try {
        way();
        return `${name}: nothing`;
      } catch (error) {
        return `${name}: ${/** @type {Error} */ (error).name}`;
      }
    });
  });
  assert.deepEqual(said.filter((words) => !words.endsWith(": TypeError")), []);
  assert.equal(await page.evaluate(() => "ran" in window), false);
  await close();
});

test("a visit to the parts of the page breaks no policy", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  await find.run(page).click();
  await reach(page, "finished");
  for (const view of /** @type {const} */ (["Graph", "Text", "Matrix"])) await find.view(page, view).click();
  await find.share(page).click();
  await find.dialog(page, "Share").waitFor();
  await page.keyboard.press("Escape");
  await find.chooseMore(page, find.embed);
  await find.dialog(page, "Embed").waitFor();
  await page.keyboard.press("Escape");
  await find.exporting(page).click();
  await find.exportFormat(page).selectOption("pdf");
  await find.dialog(page, "Export").getByText(/\.pdf, \d+ kB/).waitFor();
  await page.keyboard.press("Escape");
  await find.watch(page).click();
  await find.said(page, "Episode 1, sample:").waitFor();
  await find.hide(page).click();
  await page.getByRole("button", { name: "Sweep…", exact: true }).click();
  await find.dialog(page, "Sweep").waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${site.origin}taxi-v3/`);
  await reach(page, "ready");
  await page.locator("#film svg").waitFor();
  await find.tour(page).click();
  await page.getByRole("region", { name: "Tour", exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});
