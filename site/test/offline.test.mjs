// After one visit the site works offline, and it never mixes files of two versions. Also the policies of its pages.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawn, golden, open, reach, startAlone, subPath } from "./browser.mjs";
import * as find from "./finds.mjs";
import { onlyLong } from "./long.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** Options of a browser that keeps a copy of the site. */
const keeping = /** @type {const} */ ({ serviceWorkers: "allow" });

/** Waits until the copy is complete. @param {Page} page */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(({ active, scope }) => [active?.state, scope]));

/** The complaints but those of a film that was not seen before the site was gone. The page works without it. @param {string[]} complaints */
const butFilms = (complaints) => complaints.filter((words) => !/assets\/film-[\w-]+\.json: net::ERR_FAILED$|^console error: Failed to load resource: net::ERR_FAILED$/.test(words));

// The smoke suite does the same from the root.
test("the site works offline after one visit, from a sub-path", async () => {
  const site = await startAlone();
  try {
    const { page, complaints, close } = await open(site.browser, `${site.origin}${subPath}`, keeping);
    assert.deepEqual((await kept(page))[1], `${site.origin}${subPath}`);
    site.unplug();
    await page.goto(`${site.origin}${subPath}fig1-quick/`);
    await reach(page, "ready");
    await find.run(page).click();
    await reach(page, "finished");
    assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
    await drawn(page);
    await find.share(page).click();
    await find.dialog(page, "Share").waitFor();
    await page.goto(`${site.origin}${subPath}docs/choices.html`);
    assert.match((await page.getByRole("heading", { level: 1 }).textContent()) ?? "", /silent/);
    await page.goto(`${site.origin}${subPath}docs`);
    assert.equal(page.url(), `${site.origin}${subPath}docs/`);
    await page.goto(`${site.origin}${subPath}?embed=1#v=1&domain=figure1&episodes=60&runs=4`);
    await reach(page, "ready", "finished");
    assert.equal(await page.isVisible(".tools"), false);
    assert.deepEqual(butFilms(complaints), []);
    await close();
  } finally {
    await site.stop();
  }
});

test("the films that were seen are kept, and no others", async () => {
  const site = await startAlone();
  try {
    const { page, complaints, close } = await open(site.browser, site.origin, keeping);
    await kept(page);
    const films = () => page.evaluate(async () => {
      const cache = await caches.open((await caches.keys())[0] ?? "");
      return (await cache.keys()).map(({ url }) => /film-(.*)-\w+\.json$/.exec(url)?.[1]).filter((name) => name !== undefined).sort();
    });
    assert.deepEqual(await films(), []);
    await page.goto(`${site.origin}fig1/`); // from the copy
    await find.until(async () => (await films()).length > 0, "the film is kept");
    assert.deepEqual(await films(), ["fig1"]);
    site.unplug();
    await page.reload();
    await page.locator("#film svg").waitFor();
    await page.goto(`${site.origin}taxi-v3/`); // its film was not seen
    await reach(page, "ready");
    assert.deepEqual(butFilms(complaints), []);
    await close();
  } finally {
    await site.stop();
  }
});

test("the stage is kept after it was opened, and the program that writes PDF after a PDF was requested", onlyLong, async () => {
  const site = await startAlone();
  try {
    const { page, complaints, close } = await open(site.browser, site.origin, keeping);
    await kept(page);
    await page.goto(`${site.origin}fig1-quick/`); // from the copy
    const watch = async (by = () => find.watch(page).click()) => {
      await reach(page, "ready");
      await by();
      const said = find.said(page, "Episode 1, sample:");
      await said.waitFor();
      return said.textContent();
    };
    const areKept = () => page.evaluate(async () => {
      const cache = await caches.open((await caches.keys())[0] ?? "");
      const urls = (await cache.keys()).map(({ url }) => url);
      return [/stage-\w+\.wasm$/, /print-\w+\.wasm$/].map((program) => urls.some((url) => program.test(url)));
    });
    const print = async () => {
      await find.exporting(page).click();
      await find.exportFormat(page).selectOption("pdf");
      await find.dialog(page, "Export").getByText(/\.pdf, \d+ kB/).waitFor();
      await page.keyboard.press("Escape");
    };
    assert.deepEqual(await areKept(), [false, false], "neither is kept before");
    const online = await watch();
    assert.deepEqual(await areKept(), [true, false]);
    await print();
    assert.deepEqual(await areKept(), [true, true]);
    site.unplug();
    await page.reload(); // the address opens the stage again
    assert.equal(await watch(async () => {}), online);
    await print();
    assert.deepEqual(complaints, []);
    await close();
  } finally {
    await site.stop();
  }
});

/** The hash as the service worker writes it. @param {string} text */
const integrity = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

test("a new version replaces the old one as a whole, between two visits; a mix of versions never does", async () => {
  const site = await startAlone();
  try {
    const origin = site.origin + subPath;
    const file = (/** @type {string} */ name) => join(site.folder, subPath, name);
    const page1 = readFileSync(file("index.html"), "utf8");
    const worker1 = readFileSync(file("sw.js"), "utf8");
    const page2 = page1.replace("<h1>C-PSRL playground</h1>", "<h1>C-PSRL playground 2</h1>");
    const build = /"([0-9a-f]{16})"/.exec(worker1)?.[1] ?? "";
    const { page, close } = await open(site.browser, origin, keeping);
    await kept(page);
    const title = () => page.getByRole("heading", { level: 1 }).textContent();

    // While the new version has only its page, the old copy stays in use.
    writeFileSync(file("index.html"), page2);
    await page.goto(origin);
    assert.equal(await title(), "C-PSRL playground");

    // A service worker that names another page than the site has is not installed.
    writeFileSync(file("sw.js"), worker1.replace(build, "0".repeat(16)));
    await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.update()));
    await page.waitForFunction(() => navigator.serviceWorker.ready.then(({ installing, waiting }) => !installing && !waiting));
    await page.goto(origin);
    assert.equal(await title(), "C-PSRL playground");

    // The complete new version waits while a page of the old one is open in another tab.
    writeFileSync(file("sw.js"), worker1.replace(build, "1".repeat(16)).replace(integrity(page1), integrity(page2)));
    const other = await page.context().newPage();
    await other.goto(`${origin}docs/`);
    await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.update()));
    await page.waitForFunction(() => navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null));
    await page.goto(origin);
    assert.equal(await title(), "C-PSRL playground", "the other tab still uses the old version");
    await other.close();
    // A download is no visit: the page with its results stays.
    await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Source", exact: true }).click()]);
    assert.equal(await title(), "C-PSRL playground");
    // A page of the same origin that is not of the site does not matter.
    await (await page.context().newPage()).goto(`${site.origin}robots.txt`);
    await page.goto(`${origin}#v=1&domain=figure1&episodes=60&runs=4`);
    // A closed tab may count as open for a moment. Then a later visit brings the new version.
    for (let visits = 0; (await title()) !== "C-PSRL playground 2"; visits++) {
      assert.ok(visits < 50, "the new version never came");
      await page.reload().catch(() => {}); // a change of versions reloads the page, too, and may end this reload
    }
    assert.equal(new URL(page.url()).hash, "#v=1&domain=figure1&episodes=60&runs=4", "the link is kept");
    await reach(page, "ready", "finished");
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
    site.unplug();
    await page.goto(`${origin}fig2c/`);
    await reach(page, "ready");
    await close();
  } finally {
    await site.stop();
  }
});

test("a worker that does not take over leaves the old copy in use, and the next right one replaces it", async () => {
  const site = await startAlone();
  try {
    const origin = site.origin + subPath;
    const file = (/** @type {string} */ name) => join(site.folder, subPath, name);
    const page1 = readFileSync(file("index.html"), "utf8");
    const worker1 = readFileSync(file("sw.js"), "utf8");
    const page2 = page1.replace("<h1>C-PSRL playground</h1>", "<h1>C-PSRL playground 2</h1>");
    const build = /"([0-9a-f]{16})"/.exec(worker1)?.[1] ?? "";
    const { page, close } = await open(site.browser, origin, keeping);
    await kept(page);
    const title = page.getByRole("heading", { level: 1 });
    /** Deploys a worker, which then waits. @param {string} text */
    const deploy = async (text) => {
      writeFileSync(file("sw.js"), text);
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        const before = registration.waiting;
        await registration.update();
        while (!registration.waiting || registration.waiting === before) await new Promise((later) => setTimeout(later, 50));
      });
    };
    await page.goto(origin); // the copy answers
    // An upload that broke off, another program's worker, and one that removes itself as soon as it may.
    for (const silent of ["", "addEventListener('fetch', () => {});", "addEventListener('activate', () => registration.unregister());"]) {
      await deploy(silent);
      await page.goto(origin);
      await title.waitFor(); // once, the page in between has waited for the worker
      await page.goto(`${origin}docs/`);
      assert.equal(await title.textContent(), "What C-PSRL does", "the second visit does not wait");
      await page.goto(origin);
      assert.equal(await title.textContent(), "C-PSRL playground");
    }
    writeFileSync(file("index.html"), page2);
    await deploy(worker1.replace(build, "1".repeat(16)).replace(integrity(page1), integrity(page2)));
    for (let visits = 0; (await title.textContent()) !== "C-PSRL playground 2"; visits++) {
      assert.ok(visits < 50, "the new version never came");
      await page.reload().catch(() => {}); // a change of versions reloads the page, too, and may end this reload
    }
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
    await close();
  } finally {
    await site.stop();
  }
});

test("a damaged copy is repaired from the site, and the page says so if it cannot be", async () => {
  const site = await startAlone();
  try {
    const { page, close } = await open(site.browser, site.origin, keeping);
    await kept(page);
    const rot = (/** @type {string} */ pattern) => page.evaluate(async (pattern) => {
      const cache = await caches.open((await caches.keys())[0] ?? "");
      for (const { url } of await cache.keys()) if (new RegExp(pattern).test(url)) await cache.put(url, new Response(""));
    }, pattern);
    await page.goto(`${site.origin}fig1-quick/`); // from the copy
    await rot("/engine-\\w+\\.wasm$|/assets/page-\\w+\\.js$|/fig1-quick/$");
    await page.reload();
    await reach(page, "ready");
    await find.run(page).click();
    await reach(page, "finished");
    assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
    site.unplug();
    await page.reload();
    await reach(page, "ready"); // the copy is repaired
    await rot("/fig2d/$"); // a page, because the browser's own cache may still have a damaged asset
    await page.goto(`${site.origin}fig2d/`);
    assert.equal(await page.textContent("body"), "The copy of this page on this device is damaged, and the site cannot be reached.");
    await close();
  } finally {
    await site.stop();
  }
});

test("a frame without an origin keeps no copy", async () => {
  const site = await startAlone();
  try {
    writeFileSync(join(site.folder, "frame.html"), `<!doctype html><title>Frame</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="./" title="Playground" width="900" height="700"></iframe>`);
    const context = await site.browser.newContext(keeping);
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("console", (message) => {
      if (!message.text().includes("Clipboard API has been blocked")) complaints.push(message.text()); // a remark of the browser
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${site.origin}frame.html`);
    const frame = page.frameLocator("iframe");
    await frame.locator('html[data-state="ready"]').waitFor();
    assert.ok(await frame.getByText(/^This frame is sandboxed/).isVisible());
    await find.choose(frame, "fig1-quick");
    await find.run(frame).click();
    await frame.locator('html[data-state="finished"]').waitFor();
    assert.equal(await find.foldedFingerprint(frame).textContent(), golden.presets["fig1-quick"]);
    await find.chooseMore(frame, find.theme);
    await find.share(frame).click();
    await find.dialog(frame, "Share").getByRole("button", { name: "Copy: Link to this experiment", exact: true }).click();
    await find.dialog(frame, "Share").getByRole("status").filter({ hasText: /selected: press/ }).waitFor();
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  } finally {
    await site.stop();
  }
});

test("every page has the same policy in its <meta> and its header, and has nothing inline", async () => {
  const site = await startAlone();
  try {
    const pages = readdirSync(site.folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html") && !name.startsWith(subPath.split("/")[0] ?? ""));
    assert.ok(pages.length > 20);
    for (const name of pages) {
      const text = readFileSync(join(site.folder, name), "utf8");
      const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? "";
      // 404.html is served at any depth, so its style and script are inline, and its policy has their hashes.
      const within = name === "404.html";
      for (const part of [`default-src '${within ? "none" : "self"}'`, "base-uri 'none'", "form-action 'none'", "object-src 'none'"]) assert.ok(policy.includes(part), `${name}: ${part}`);
      assert.ok(!/unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|https?:/.test(policy), name);
      const inline = within ? /\sstyle="|\son[a-z]+="/ : /<script(?![^>]*\bsrc=)(?! type="application\/ld\+json">)|<style|\sstyle="|\son[a-z]+="/;
      assert.doesNotMatch(text, inline, `${name} has something inline`);
      const response = await fetch(`${site.origin}${name.replaceAll("\\", "/")}`);
      assert.equal(response.headers.get("content-security-policy"), policy, name);
      await response.arrayBuffer();
    }
  } finally {
    await site.stop();
  }
});
