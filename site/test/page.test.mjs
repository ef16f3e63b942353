// The page in Chromium: running, stopping, settings, themes, and parts that fail to load.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addAgent, count, drawn, golden, holdFiles, noWebGL, open, reach, runByHand, runsDrawn, sized, start, stopEarly, subPath } from "./browser.mjs";
import * as find from "./finds.mjs";
import { onlyLong } from "./long.mjs";
import { seemlyEverywhere } from "./looks.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

/**
 * @param {import("playwright-core").Page} page
 * @param {string} preset
 */
async function runPreset(page, preset) {
  await find.choose(page, preset);
  await find.run(page).click();
  await reach(page, "finished");
}

/** @param {import("playwright-core").Page} page */
const curves = (page) => count(page);

/**
 * Waits until the browser has stored at least so many jobs, each a run of an agent. The page goes on storing them after a run has
 * ended; it must have stored one before.
 * @param {import("playwright-core").Page} page
 * @param {number} least
 */
const stored = (page, least) => find.until(() => page.evaluate((least) => new Promise((resolve, reject) => {
  const opened = indexedDB.open("cpsrl");
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const { result } = opened;
    const counted = result.transaction("jobs").objectStore("jobs").count();
    counted.onsuccess = () => {
      result.close();
      resolve(counted.result >= least);
    };
  };
}), least), `${least} jobs are stored`);

test("on paper the page has its figures, numbers and words, and no controls", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await drawn(page);
  await find.priorFrom(page).waitFor();
  await page.emulateMedia({ media: "print" });
  for (const role of /** @type {const} */ (["button", "combobox", "textbox", "checkbox", "tab", "slider"])) {
    const names = await page.getByRole(role).filter({ visible: true }).evaluateAll((all) => all.filter((element) => element.matches("button, select, input, textarea, [role=tab]")).map((element) => element.id || element.textContent));
    assert.deepEqual(names, [], `${role}s on paper`);
  }
  for (const seen of [find.film(page), find.matrix(page), find.chart(page), find.readout(page), find.source(page)]) assert.ok(await seen.isVisible(), `${seen}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("the chart is drawn while the first run is computed, and shows each measure and its data", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2c");
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await drawn(page);
  assert.equal(await page.getAttribute("html", "data-state"), "running");
  assert.deepEqual([await find.run(page).count(), await find.stop(page).isEnabled()], [0, true], "Run has become Stop");
  await find.until(async () => (await find.done(page)) > 0, "the run makes progress");
  await find.stop(page).click();
  await reach(page, "stopped");
  await runPreset(page, "fig2c-quick");
  await find.unfold(page, "Data behind the chart");
  await find.data(page).waitFor();
  for (const [measure, agents] of /** @type {const} */ ([["regret", 3], ["model-error", 3], ["recall", 2], ["precision", 2], ["parents", 2], ["cumulative-regret", 3]])) {
    await find.measure(page).selectOption(measure);
    assert.equal(await curves(page), agents, measure);
    assert.equal(await find.data(page).locator("thead th[scope=colgroup]").count(), agents, measure);
    assert.equal(await find.rows(find.data(page)).last().getByRole("rowheader").textContent(), "100");
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("a preset shows its question until the settings change, and each agent and measure says what it is", async () => {
  const { page, close } = await open(site.browser, site.origin);
  const menu = find.presets(page);
  assert.equal(await menu.locator("optgroup").count(), new Set(await menu.locator("optgroup").evaluateAll((groups) => groups.map((group) => group.getAttribute("label")))).size);
  assert.deepEqual(await menu.locator("optgroup", { has: page.locator("[value=fig2c]") }).locator("option").allTextContents(), ["Figure 2 (c): taxi 3×3"]);
  const figure = page.getByRole("region", { name: "Figure 2 (c): taxi 3×3", exact: true });
  assert.ok(await figure.getByText(/^Does C.PSRL beat PSRL on a taxi\?$/).isVisible());
  for (const gloss of ["knows no graph", "knows the whole graph", "knows a part, learns the rest"]) assert.ok(await page.getByRole("region", { name: "Numbers", exact: true }).getByText(gloss, { exact: true }).isVisible(), gloss);
  await find.caption(page).filter({ hasText: /Lower is better; a flat curve has learned\.$/ }).waitFor(); // the figure is there
  await find.measure(page).selectOption("recall");
  await find.caption(page).filter({ hasText: /Higher is better; at 1 no true edge is missing\.$/ }).waitFor();
  await find.episodes(page).fill("7");
  await page.getByText(/^Does C.PSRL beat PSRL on a taxi\?$/).waitFor({ state: "hidden" });
  await close();
});

test("a run is announced when it starts, after each tenth and when it ends", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.announcements(page).evaluate((live) => {
    const said = /** @type {any} */ (globalThis).said = /** @type {string[]} */ ([]);
    new MutationObserver(() => said.push(live.textContent ?? "")).observe(live, { childList: true });
  });
  await runPreset(page, "fig2c-quick");
  const [first, ...rest] = await page.evaluate(() => /** @type {string[]} */ (/** @type {any} */ (globalThis).said));
  const last = rest.pop() ?? "";
  assert.equal(first, "Started: 3 agents, 4 runs of 100 episodes.");
  assert.ok(rest.length < 10, `${rest}`);
  for (const [k, words] of rest.entries()) assert.match(words, /^[1-9]0%$/, `announcement ${k + 2}`);
  assert.deepEqual(rest, [...new Set(rest)]);
  assert.match(last, /^Finished in .+?\. Cumulative regret after 100 episodes, .* over 4 runs: /);
  assert.deepEqual(complaints, []);
  await close();
});

test("Stop keeps the completed runs, which are those of the smaller experiment", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2c");
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await stopEarly(page);
  const status = (await find.status(page).textContent()) ?? "";
  const kept = Number(/^Stopped: (\d+) of 10000 runs kept\.$/.exec(status)?.[1]);
  assert.ok(kept >= 2, status);
  assert.match((await find.conclusion(page).textContent()) ?? "", new RegExp(`over ${kept} runs`));
  assert.match((await find.caption(page).textContent()) ?? "", new RegExp(`n\\s=\\s${kept} runs`));
  const fingerprint = await find.fingerprint(page).textContent();
  assert.match(fingerprint ?? "", /^[0-9a-f]{64}$/);

  // An experiment of just these runs has the same records.
  await find.runs(page).fill(String(kept));
  await find.run(page).click();
  await reach(page, "finished");
  assert.equal(await find.fingerprint(page).textContent(), fingerprint);

  // More runs go on from what was computed, and have the records of an experiment that computes all of them.
  await find.runs(page).fill(String(kept + 2));
  await find.run(page).click();
  await reach(page, "finished");
  assert.match((await find.status(page).textContent()) ?? "", /^Finished in .+\. \d+% had been computed before\.$/);
  const more = await find.fingerprint(page).textContent();
  assert.notEqual(more, fingerprint);
  await find.run(page).click();
  await find.status(page).filter({ hasText: /^Finished in [^.]+\.$/ }).waitFor();
  assert.equal(await find.fingerprint(page).textContent(), more);
  assert.deepEqual(complaints, []);
  await close();
});

test("a page that a browser translates stays alive: its words and numbers are those of what it shows", async () => {
  /** Wraps each text of the page as Chrome’s translator does. @param {import("playwright-core").Page} page */
  const translate = (page) => page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
    for (const text of texts) {
      if (text.data.trim() === "" || text.parentElement?.closest("[translate=no], script, style, textarea, svg")) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      outer.style.verticalAlign = inner.style.verticalAlign = "inherit";
      text.replaceWith(outer);
      outer.append(inner);
      inner.append(text);
    }
  });
  const shown = async (/** @type {boolean} */ translated) => {
    const { page, close } = await open(site.browser, site.origin, { before: noWebGL });
    const turn = async () => void (translated && (await translate(page)));
    const run = async () => {
      await find.run(page).click();
      await reach(page, "finished");
      await drawn(page);
    };
    await find.unfold(page, "Data behind the chart");
    await turn();
    await find.choose(page, "fig2c-quick");
    await drawn(page);
    await turn();
    await run();
    await find.unfold(page, "Weak causal discovery");
    await turn();
    await find.choose(page, "fig1-quick");
    await run();
    await turn();
    await find.seed(page).fill("3");
    await run();
    await turn();
    await find.watch(page).click();
    await find.said(page, "Episode 1, sample:").waitFor();
    await turn();
    await find.step(page).click();
    await find.said(page, "Episode 1, plan:").waitFor();
    await page.getByText(/^Kept in this browser, .* the whole runs of 3 experiments, /).waitFor(); // they are stored after the end of a run
    await stored(page, 36);
    assert.equal(await page.locator(":is(#prior-matrix, #chart, #readout, #fingerprint, #table tbody, #discovery-table tbody) font").count(), 0, "names and numbers are not translated");
    const words = await page.evaluate(() => document.body.innerText.replace(/Finished in .*/, "").split("\n").map((line) => line.trim()).filter((line) => line !== ""));
    await close();
    return words;
  };
  assert.deepEqual(await shown(true), await shown(false));
});

test("a press that was meant for Stop starts no run when Run has just taken its place; the next one does", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/#v=1&domain=figure1&episodes=50000&runs=5000`, { fresh: true });
  const pressed = page.evaluate(() => new Promise((resolve) => {
    const [root, run] = [document.documentElement, /** @type {HTMLElement} */ (document.getElementById("run"))];
    new MutationObserver((_, observer) => {
      if (root.dataset["state"] !== "stopped") return;
      observer.disconnect();
      run.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
      resolve(root.dataset["state"]);
    }).observe(root, { attributes: true });
  }));
  await find.run(page).click();
  await find.stop(page).click();
  assert.equal(await pressed, "stopped");
  assert.match((await find.status(page).textContent()) ?? "", /^Stopped: /);
  await find.run(page).click(); // as soon as it is enabled
  await reach(page, "running");
  await find.stop(page).click();
  await reach(page, "stopped");
  assert.deepEqual(complaints, []);
  await close();
});

test("Stop before the first run is complete brings back the precomputed figure", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig2a");
  await find.episodes(page).fill("100000");
  // Stop at once, while the engine still reads the form.
  const stop = /** @type {import("playwright-core").ElementHandle<HTMLElement>} */ (await page.locator("#stop").elementHandle()); // Run becomes Stop
  await find.run(page).evaluate((run, stop) => {
    for (const button of [/** @type {HTMLElement} */ (run), stop]) button.click();
  }, stop);
  await reach(page, "stopped");
  assert.match((await find.status(page).textContent()) ?? "", /no run was complete/);

  // Stop in the middle of the first run.
  await find.run(page).click();
  await find.until(async () => (await find.done(page)) > 0, "the run makes progress");
  await find.stop(page).click();
  await reach(page, "stopped");
  assert.match((await find.status(page).textContent()) ?? "", /no run was complete/);
  await find.source(page).filter({ hasText: /^Precomputed with K\s=\s500 instead of 100000\.$/ }).waitFor(); // its file may come late
  assert.equal(await find.fingerprint(page).count(), 0);

  // After another result, that result comes back.
  await find.choose(page, "fig1-quick");
  await runByHand(page);
  await reach(page, "finished");
  await find.episodes(page).fill("100000");
  await find.horizon(page).fill("1000");
  await find.run(page).click();
  await find.until(async () => (await find.done(page)) > 0, "the run makes progress");
  await find.stop(page).click();
  await reach(page, "stopped");
  assert.match((await find.status(page).textContent()) ?? "", /no run was complete/);
  assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
  assert.deepEqual(complaints, []);
  await close();
});

test("the engine's error stands beside a bad field", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  for (const [field, value, words] of /** @type {const} */ ([
    [find.episodes(page), "0", /out of range; it must be at least 1/],
    [find.episodes(page), "many", /whole number/],
    [find.runs(page), "10001", /out of range; it must be from 1 to/],
    [find.horizon(page), "1000000000", /out of range; it must be from 1 to/],
    [find.seed(page), "-1", /out of range; it must be from 0 to/],
  ])) {
    const good = await field.inputValue();
    await field.fill(value);
    await find.run(page).click();
    await find.refused(field, words);
    await reach(page, "ready");
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.ok(await find.focused(field), "the field has the focus");
    await field.fill(good);
    await find.accepted(field);
  }
  for (const agent of ["PSRL", "F-PSRL", "C-PSRL"]) await find.agent(page, agent).uncheck();
  const agents = page.getByRole("group", { name: "Agents", exact: true });
  const refused = async () => (await find.described(agents)).length > 0;
  await find.until(refused, "no agents are refused");
  await find.reset(page).click();
  await find.until(async () => !(await refused()), "the choice of agents is accepted again");
  assert.deepEqual(complaints, []);
  await close();
});

test("a run whose jobs take seconds ends", onlyLong, async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await find.choose(page, "eta");
  await find.runs(page).fill("2");
  await find.run(page).click();
  await reach(page, "finished");
  assert.equal(await curves(page), 5);
  assert.deepEqual(complaints, []);
  await close();
});

test("Reset keeps the seed; New seed changes nothing else", async () => {
  const { page, close } = await open(site.browser, site.origin);
  await find.seed(page).fill("42");
  await find.episodes(page).fill("9");
  await find.reset(page).click();
  assert.equal(await find.seed(page).inputValue(), "42");
  assert.equal(await find.episodes(page).inputValue(), "400");
  for (const bad of ["-3", "1.5", "x"]) {
    await find.seed(page).fill(bad);
    await find.refused(find.seed(page), /./);
    await find.reset(page).click();
    await find.holds(find.seed(page), "1"); // once the engine has refused the other
    await find.accepted(find.seed(page));
  }
  await find.seed(page).fill("42");
  await find.episodes(page).fill("9");
  await find.newSeed(page).click();
  await find.until(async () => (await find.seed(page).inputValue()) !== "42", "the seed changes");
  assert.match(await find.seed(page).inputValue(), /^\d{1,6}$/);
  assert.equal(await find.episodes(page).inputValue(), "9");
  await close();
});

test("the page works from a sub-path and by keyboard alone", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}${subPath}`);
  await find.presets(page).focus();
  await find.choose(page, "fig1-quick");
  await find.episodes(page).focus();
  await page.keyboard.press("Enter");
  await reach(page, "finished");
  assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
  await find.seed(page).fill("7"); // so that there is something to reset
  await page.waitForURL(/&seed=7$/);
  await find.more(page).click();
  const parts = Object.entries({ theme: find.theme, episodes: find.episodes, runs: find.runs, horizon: find.horizon, seed: find.seed, newSeed: find.newSeed, reset: find.reset, run: find.run, measure: find.measure });
  const missing = new Set(await Promise.all(parts.map(([, part]) => part(page).getAttribute("id"))));
  assert.ok(missing.size === parts.length && !missing.has(null), "each of the controls has an id");
  const skip = page.getByRole("link", { name: "Skip to the experiment", exact: true });
  const address = page.url();
  await skip.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "experiment");
  assert.equal(page.url(), address, "the link to what is shown stays");
  await find.more(page).focus();
  await page.keyboard.press("Enter"); // a press elsewhere has closed it
  await find.theme(page).waitFor();
  await skip.focus();
  for (let i = 0; i < 80 && missing.size > 0; i++) {
    await page.keyboard.press("Tab");
    missing.delete(await page.evaluate(() => document.activeElement?.id ?? null));
  }
  assert.deepEqual([...missing], [], "Tab reaches each control");
  assert.deepEqual(complaints, []);
  await close();
});

test("leaving out or adding an agent does not change the records of the others", async () => {
  const { page, close } = await open(site.browser, site.origin);
  await find.choose(page, "fig1-quick");
  await find.agent(page, "PSRL").uncheck();
  await find.run(page).click();
  await reach(page, "finished");
  const first = await find.fingerprint(page).textContent();
  assert.equal(await curves(page), 2);
  // A fresh page has no records that it could use again.
  const other = await open(site.browser, site.origin);
  await find.choose(other.page, "fig1-quick");
  await find.agent(other.page, "PSRL").uncheck();
  await addAgent(other.page, "F-PSRL", { Graph: "the prior’s" });
  await find.run(other.page).click();
  await reach(other.page, "finished");
  assert.equal(await curves(other.page), 3);
  assert.notEqual(await find.fingerprint(other.page).textContent(), first);
  await find.agent(other.page, "F-PSRL on G₀").uncheck();
  await find.run(other.page).click();
  await reach(other.page, "finished");
  assert.equal(await find.fingerprint(other.page).textContent(), first);
  await other.close();
  await close();
});

test("axe finds nothing, and nothing scrolls sideways, in both themes and at every width", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const look = (/** @type {string} */ what) => seemlyEverywhere(page, what, [1280, 390, 320]);
  await look("empty");
  await runPreset(page, "fig1-quick");
  await find.unfold(page, "Data behind the chart");
  await find.data(page).waitFor();
  await look("finished");
  await find.episodes(page).fill("0");
  await find.refused(find.episodes(page), /at least 1/);
  await look("error");
  assert.deepEqual(complaints, []);
  await close();
});

test("the menu shows the whole name of the preset where there is room", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 900 } });
  await find.presets(page).locator('option[value="eta"]').waitFor({ state: "attached" });
  const high = () => page.$eval(".top", (top) => top.getBoundingClientRect().height);
  const was = await high();
  await find.status(page).evaluate((status) => (status.textContent = "A long status, which takes no room from the menu"));
  assert.equal(await high(), was, "the bar keeps its height");
  for (const [width, names] of /** @type {const} */ ([[1200, ["fig2c", "fig2d"]], [1280, ["fig1", "fig2a", "fig2c", "fig2d"]], [1440, ["fig1", "fig2a", "fig2c", "fig2d", "eta"]], [1024, ["fig2c"]], [390, ["fig2c"]]])) {
    await sized(page, { width, height: 900 });
    for (const name of names) {
      const [shown = 0, whole = 0, right = 0] = await find.presets(page).evaluate((menu, name) => {
        if (!(menu instanceof HTMLSelectElement)) return [];
        const was = menu.value;
        menu.value = name;
        const shown = menu.getBoundingClientRect().width;
        const { right } = /** @type {Element} */ (document.getElementById("menu")).getBoundingClientRect();
        menu.style.cssText = "flex: none; width: auto; max-width: none; field-sizing: content";
        const whole = menu.getBoundingClientRect().width;
        menu.style.cssText = "";
        menu.value = was;
        return [shown, whole, right];
      }, name);
      assert.ok(shown > 0 && shown >= whole - 1 && right <= width, `${name} at ${width} px: ${shown} of ${whole} px, the tools end at ${right}`);
    }
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("a run that goes on after an edit says with which settings, and the next preset clears its words", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig2c/`);
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await reach(page, "running");
  await runsDrawn(page, 1);
  await find.clear(page).click();
  await find.source(page).filter({ hasText: /^This run goes on as it began, with prior: suggested edges instead of no edges\.$/ }).waitFor();
  await find.stop(page).click();
  await reach(page, "stopped");
  await find.source(page).filter({ hasText: /The settings have changed since: .*prior: no edge/ }).waitFor();
  await find.choose(page, "fig1-quick");
  await reach(page, "ready");
  assert.equal(await find.status(page).textContent(), "Ready.");
  assert.equal(await page.locator("#progress").evaluate((bar) => /** @type {HTMLProgressElement} */ (bar).value), 0);
  assert.equal(await page.getByRole("progressbar", { name: "Progress", exact: true }).count(), 0, "what has not begun has no progress");
  assert.deepEqual(complaints, []);
  await close();
});

test("where knowing the whole graph costs more than knowing a part of it, a link says why", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  const link = page.getByRole("link", { name: /^Why can C.PSRL pay less than F.PSRL, which knows the whole graph\?$/ });
  const [address = "", id] = ((await link.getAttribute("href")) ?? "").split("#");
  assert.ok((await (await fetch(address)).text()).includes(`id="${id}"`), "the link leads to a heading of the docs");
  await find.measure(page).selectOption("recall");
  await link.waitFor({ state: "detached" });
  await find.measure(page).selectOption("cumulative-regret");
  await link.waitFor();
  await find.choose(page, "eta");
  await link.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("the theme button overrides the system and is remembered", async () => {
  const { page, close } = await open(site.browser, site.origin, { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(255, 255, 255)");
  await find.chooseMore(page, find.theme);
  await find.chooseMore(page, find.theme);
  assert.equal(await find.theme(page).textContent(), "Theme: dark");
  assert.equal(await paper(), "rgb(18, 18, 18)");
  await page.reload();
  assert.equal(await paper(), "rgb(18, 18, 18)");
  await close();
});

test("a remembered theme is set before the page's script has come", async () => {
  const { page, close } = await open(site.browser, site.origin, { colorScheme: "light" });
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  const release = await holdFiles(page, /assets\/(page|docs)-\w+\.js/);
  for (const path of ["", "docs/"]) {
    await page.goto(`${site.origin}${path}`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.body && getComputedStyle(document.body).backgroundColor === "rgb(18, 18, 18)");
  }
  release();
  await page.goto(site.origin);
  await reach(page, "ready");
  await find.more(page).click();
  assert.equal(await find.theme(page).textContent(), "Theme: dark");
  await close();
});

test("the header's menu leads to the gallery, which leads to its problems, and they are in one group of the menu of presets", async () => {
  const { page, close } = await open(site.browser, site.origin);
  const offered = await find.presets(page).locator("optgroup[label=Gallery] option").evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value));
  await find.chooseMore(page, () => page.getByRole("banner").getByRole("link", { name: "Gallery", exact: true }));
  await page.waitForURL(`${site.origin}gallery/`);
  const links = page.getByRole("listitem").getByRole("link");
  assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), offered.map((name) => `../${name}/`));
  await page.getByRole("link", { name: "Open: Coffee robot" }).click();
  await page.waitForURL(`${site.origin}coffee-robot/`);
  assert.equal(await page.locator("html").getAttribute("data-preset"), "coffee-robot");
  await close();
});

test("a document has the site's name above it, and its header is as wide as its text", async () => {
  const { page, close } = await open(site.browser, site.origin);
  for (const [width, height] of /** @type {const} */ ([[1280, 900], [1280, 700], [1600, 1000], [390, 844]]))
    for (const path of ["docs/", "docs/guide.html", "paper/", "gallery/"]) {
      await page.setViewportSize({ width, height });
      await page.goto(site.origin + path);
      assert.ok(await page.getByRole("banner").getByRole("link", { name: "C-PSRL playground", exact: true }).isVisible(), `${path} at ${width}×${height} has no name`);
      const [header, text] = await page.evaluate(() => ["header.top", ".docs"].map((name) => { const { left, right } = /** @type {Element} */ (document.querySelector(name)).getBoundingClientRect(); return [left, right]; }));
      assert.deepEqual(header, text, `${path} at ${width}×${height}`);
    }
  await close();
});

test("a visit requests each file once, and the engine before the page's script has run", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const asked = /** @type {string[]} */ ([]);
  page.on("request", (request) => void (request.url().startsWith("http") && asked.push(request.url())));
  await page.route(/\/chunk-\w+\.js/, async (route) => {
    while (!asked.some((url) => url.includes("/engine-"))) await page.waitForTimeout(10);
    await route.continue();
  });
  await page.goto(site.origin);
  await reach(page, "ready");
  await page.waitForSelector("#film figcaption");
  assert.deepEqual(asked.filter((url, k) => asked.indexOf(url) !== k), []);
  await context.close();
});

test("a page whose engine could not be loaded is ready once the engine has answered", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route(/assets\/engine-\w+\.wasm/, (route) => route.abort());
  await page.goto(site.origin);
  await find.status(page).filter({ hasText: "Not ready." }).waitFor();
  await page.unroute(/assets\/engine-\w+\.wasm/);
  await find.choose(page, "fig1-quick");
  await find.status(page).filter({ hasText: /^Ready\.$/ }).waitFor({ state: "attached" }); // it goes without saying
  await context.close();
});

test("a page whose scripts are gone says that the site has changed, and offers a reload", async () => {
  for (const gone of [/assets\/page-\w+\.js/, /assets\/chunk-\w+\.js/]) {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.route(gone, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${site.origin}#v=1&domain=figure1`);
    assert.equal(await find.noticed(page), "The site has changed since this page was opened.");
    assert.equal(await find.status(page).textContent(), "Not ready.");
    await page.unroute(gone);
    await Promise.all([page.waitForEvent("load"), find.notices(page).getByRole("button", { name: "Reload", exact: true }).click()]); // the old document has failed
    await reach(page, "ready", "finished", "running");
    assert.match(page.url(), /#v=1&domain=figure1/);
    await context.close();
  }
});

test("a page without workers, WebAssembly or storage says so and shows what it can", async () => {
  for (const [name, sentence] of /** @type {const} */ ([
    ["Worker", /The engine could not be loaded: this browser has no Web Workers\./],
    ["WebAssembly", /The engine could not be loaded: this browser has no WebAssembly\./],
  ])) {
    const { page, close } = await open(site.browser, site.origin, { until: ["failed"], before: `delete globalThis.${name};` });
    assert.match((await find.failure(page).textContent()) ?? "", sentence);
    await find.source(page).filter({ hasText: /^Precomputed: our own 20 runs/ }).waitFor(); // the figure is shown nevertheless
    assert.equal(await page.locator("#chart path.curve").count(), 3);
    await close();
  }
  const { page, close } = await open(site.browser, site.origin, { before: `Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } });` });
  await find.chooseMore(page, find.theme);
  assert.match(await find.noticed(page), /keeps nothing for this site/);
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
  await close();
});

test("a page whose engine cannot be loaded says so, and the next Run tries again", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 503 }));
  await page.goto(site.origin);
  await reach(page, "failed");
  assert.match((await find.failure(page).textContent()) ?? "", /The engine could not be loaded: the server answered 503/);
  // An embed without the figure says so, too.
  const figureless = await context.newPage();
  await figureless.route("**/*.wasm", (route) => route.fulfill({ status: 503 }));
  await figureless.goto(`${site.origin}?embed=1&ui=prior,stage`);
  await find.failure(figureless).filter({ hasText: /The engine could not be loaded: the server answered 503/, visible: true }).waitFor();
  assert.ok(!(await find.measure(figureless).isVisible()), "only the failure of the figure's panel is shown");
  await page.unroute("**/*.wasm");
  await runPreset(page, "fig1-quick");
  await find.unfold(page, "About these numbers");
  assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
  await context.close();
});

test("a script of an extension that cannot be loaded does not end the page", async () => {
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`, {
    before: () => {
      const failed = (/** @type {Event} */ { target }) => {
        if (target instanceof HTMLScriptElement && target.src.startsWith("https://extension.invalid/")) document.documentElement.dataset["foreign"] = "failed";
      };
      addEventListener("error", failed, true);
    },
  });
  // The markup brings the script, because the page's policy lets no text of its own become one.
  await page.route(`${site.origin}fig1-quick/`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("</head>", '<script src="https://extension.invalid/x.js"></script></head>') });
  });
  await page.reload();
  await page.locator("html[data-foreign=failed]").waitFor({ state: "attached" });
  await reach(page, "ready");
  assert.equal(await find.notice(page).count(), 0);
  await close();
});

test("what is pressed before the engine has read the page's link is about the link", async () => {
  const link = "#v=1&domain=figure1&episodes=20&runs=3";
  const usual = await open(site.browser, site.origin + link, { until: ["finished"] });
  const print = await find.fingerprint(usual.page).textContent();
  await find.runs(usual.page).fill("7");
  await find.share(usual.page).click();
  assert.match(await find.copyable(find.dialog(usual.page, "Share"), "Link to this experiment").inputValue(), /&episodes=20&runs=7$/, "the link has the last edit");
  await usual.close();
  /**
   * Opens the link in a page whose engine does not come, or fails, until the page gets it.
   * @param {(page: import("playwright-core").Page, answer: () => void) => Promise<void>} act @param {boolean} [fails]
   */
  const early = async (act, fails = false) => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    const release = await holdFiles(page, "**/engine*.wasm");
    await page.route("**/engine*.wasm", (route) => (fails ? route.fulfill({ status: 503 }) : route.fallback()));
    await page.goto(site.origin + link, { waitUntil: "domcontentloaded" });
    await act(page, () => {
      fails = false;
      release();
    });
    await find.until(async () => (await page.evaluate(() => location.hash)) === link, "the link stays in the address");
    await find.until(async () => (await find.run(page).textContent()) === "Run 3", "the form has what the link says");
    await context.close();
  };
  await early(async (page, answer) => {
    await find.run(page).click();
    answer();
    await reach(page, "finished");
    await find.unfold(page, "About these numbers");
    assert.equal(await find.fingerprint(page).textContent(), print);
  });
  await early(async (page, answer) => {
    await reach(page, "failed");
    answer();
    await find.run(page).click();
    await reach(page, "finished");
    await find.unfold(page, "About these numbers");
    assert.equal(await find.fingerprint(page).textContent(), print);
  }, true);
  await early(async (page, answer) => {
    await find.share(page).click();
    answer();
    assert.equal(await find.copyable(find.dialog(page, "Share"), "Link to this experiment").inputValue(), `${site.origin}v2/${link}`);
    await page.keyboard.press("Escape");
  });
  await early(async (page, answer) => {
    await find.tour(page).click();
    answer();
    await page.getByRole("region", { name: "Tour", exact: true }).getByText("1 of 12").waitFor();
    await page.waitForFunction(() => location.hash === "#v=1&domain=taxi");
    await page.keyboard.press("Escape");
  });
});

/** Opens the page, and collects the workers that it starts in window.started, and those that answer its questions in window.desks. @param {string} url */
const withWorkers = (url) => open(site.browser, url, {
  before: () => {
    const Plain = Worker;
    /** @type {Worker[]} */
    const started = (/** @type {any} */ (window).started = []);
    /** @type {Worker[]} */
    const desks = (/** @type {any} */ (window).desks = []);
    const post = Plain.prototype.postMessage;
    Plain.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.path === "/v1/batch") desks.push(this);
      post.call(this, message, transfer);
    };
    window.Worker = class extends Plain {
      constructor(/** @type {string | URL} */ url) {
        super(url);
        started.push(this);
        // While window.grown holds, each answer of a batch says that its instance has grown.
        const heard = (/** @type {any} */ data) => (/** @type {any} */ (window).grown ? { ...data, grown: true } : data);
        Object.defineProperty(this, "onmessage", {
          set: (/** @type {(event: {data: any}) => void} */ take) => this.addEventListener("message", ({ data }) => take({ data: heard(data) })),
        });
      }
    };
  },
});

/** Makes each worker end without a message. @param {import("playwright-core").Page} page */
const endWorkers = (page) => Promise.all(page.workers().map((worker) => worker.evaluate(() => self.close()).catch(() => {})));

test("a worker that failed or ended is replaced", async () => {
  const { page, complaints, close } = await withWorkers(site.origin);
  const workers = () => page.evaluate(() => /** @type {any} */ (window).desks.length);
  await drawn(page);
  const before = await workers();

  // A worker that says it failed gets no further request.
  const failNext = (/** @type {string} */ path) => page.evaluate((path) => {
    const answer = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.path !== path) return answer.call(this, message, transfer);
      Worker.prototype.postMessage = answer;
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { kind: "failed", reason: "out of memory" } })));
    };
  }, path);
  await failNext("/v1/check");
  await find.episodes(page).fill("11");
  await find.failure(page).filter({ hasText: /^The engine failed: out of memory$/ }).waitFor();
  await find.episodes(page).fill("12");
  await page.waitForFunction(() => location.hash.includes("episodes=12"));
  assert.equal(await find.failure(page).count(), 0);
  assert.equal(await workers(), before + 1);

  // The page does not blame a link for such a failure.
  await failNext("/v1/open");
  await page.evaluate(() => void (location.hash = "v=1&domain=figure1"));
  await find.notice(page, /^This link was not opened\. The engine failed: out of memory\. What you see below is not from the link\.$/).waitFor();
  await page.evaluate(() => void (location.hash = "v=1&domain=figure1&episodes=17"));
  await reach(page, "finished");
  assert.equal(await find.notice(page).count(), 0);

  // A worker whose instance has grown large answers, and the next request goes to another one.
  const few = await workers();
  await page.evaluate(() => void (/** @type {any} */ (window).grown = true));
  await find.episodes(page).fill("14");
  await page.waitForFunction(() => location.hash.includes("episodes=14"));
  await page.evaluate(() => void (/** @type {any} */ (window).grown = false));
  await find.episodes(page).fill("15");
  await page.waitForFunction(() => location.hash.includes("episodes=15"));
  const grown = await workers();
  assert.ok(grown > few, `${grown} workers, ${few} of them before`);

  // The page does not wait for a worker that ended without a message.
  await endWorkers(page);
  await page.waitForFunction(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return ![...held, ...pending].some(({ name }) => name?.startsWith(`cpsrl worker ${performance.timeOrigin} `));
  });
  await find.episodes(page).fill("13");
  await page.waitForFunction(() => location.hash.includes("episodes=13"));
  assert.equal(await workers(), grown + 1);
  assert.deepEqual(complaints, []);
  await close();
});

test("a run whose workers end says so, and the next run works", async () => {
  const { page, close } = await withWorkers(site.origin);
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await runsDrawn(page);
  await endWorkers(page);
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "failed");
  // All workers have ended, and the page names the one that it missed last.
  assert.match((await find.failure(page).textContent()) ?? "", /^(The experiment ended early: the worker has ended\.|The summary failed: the worker has ended\.|The chart could not be drawn: The engine failed: the worker has ended)$/);
  await runPreset(page, "fig1-quick");
  assert.equal(await find.fingerprint(page).textContent(), golden.presets["fig1-quick"]);
  await drawn(page); // if the chart could not be drawn, it is again
  assert.equal(await find.failure(page).count(), 0);
  await close();
});

test("a pool that cannot be started leaves no worker behind", async () => {
  const { page, close } = await open(site.browser, site.origin, {
    before: () => {
      const Plain = Worker;
      window.Worker = class extends Plain {
        constructor(/** @type {string | URL} */ url) {
          if (/** @type {any} */ (window).most-- === 0) throw new Error("no more workers");
          super(url);
        }
      };
      Object.defineProperty(navigator, "hardwareConcurrency", { value: 4 });
    },
  });
  await drawn(page);
  const idle = page.workers().length;
  await page.evaluate(() => void (/** @type {any} */ (window).most = 3));
  await find.run(page).click();
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "failed");
  assert.equal(await find.failure(page).textContent(), "no more workers");
  await find.until(async () => page.workers().length <= idle, `no more than ${idle} workers are left`);
  await runPreset(page, "fig1-quick");
  await close();
});

test("a style that cannot be loaded is reported and does not end the page; the next click tries again", async () => {
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`, { folded: true });
  await drawn(page);
  const styles = /assets\/(style|worth|heat|watch)-\w+\.css/;
  await page.route(styles, (route) => route.fulfill({ status: 404 }));
  const worth = page.getByText("Likely edges, trust, worth");
  await find.unfold(page, find.moreOfFigure);
  const clicks = /** @type {const} */ ([
    ["Share", find.share(page)], ["the prior's drawer", worth], ["the map", page.getByText("Belief about each edge, by episode")], ["Watch", find.watch(page)],
  ]);
  for (const [what, part] of clicks) {
    await part.click();
    assert.equal(await find.noticed(page), "The site has changed since this page was opened.", what);
    await find.notices(page).getByRole("button", { name: "Not now", exact: true }).press("Enter");
    assert.ok(await find.focused(find.run(page)), "Run has the focus");
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset["state"]), "ready");
  assert.match((await find.status(page).textContent()) ?? "", /^Ready\.$/);
  // During a run Run is disabled, and Stop gets the focus.
  await page.evaluate(() => void (location.hash = "#v=1&domain=taxi&episodes=50000&runs=5000")); // too much to run by itself
  await page.getByRole("button", { name: "Run 5000", exact: true }).click();
  await find.notice(page).waitFor({ state: "detached" }); // that the link has not started by itself
  await find.share(page).click();
  await find.notices(page).getByRole("button", { name: "Not now", exact: true }).press("Enter");
  assert.ok(await find.focused(find.stop(page)), "Stop has the focus");
  await find.stop(page).press("Enter");
  await page.unroute(styles);
  await find.share(page).click();
  await find.dialog(page, "Share").getByRole("button", { name: "Close", exact: true }).click();
  await worth.click();
  await worth.click();
  await page.getByRole("table").filter({ hasText: "No prior" }).waitFor();
  assert.equal(await find.notice(page).count(), 0);
  await close();
});

test("if the toolbar's part of the figure cannot be loaded, the page says so once, and the next click on the figure tries again", async () => {
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  const part = /assets\/results-\w+\.js/;
  await page.route(part, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await reach(page, "ready");
  await find.notice(page).waitFor();
  await find.notices(page).getByRole("button", { name: "Not now", exact: true }).click();
  await find.run(page).click();
  await reach(page, "finished");
  assert.equal(await find.notice(page).count(), 0, "it stays away");
  assert.ok(await find.exporting(page).isDisabled());
  await page.unroute(part);
  await page.getByRole("button", { name: "Log scale", exact: true }).click();
  await find.until(() => find.exporting(page).isEnabled(), "Export can be used");
  await close();
});

test("a part that the site no longer has is reported, with a button that reloads", async () => {
  const changed = "The site has changed since this page was opened.";
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  const says = async (/** @type {string} */ what) => {
    assert.equal(await find.noticed(page), changed, what);
    await find.notices(page).getByRole("button", { name: "Not now", exact: true }).click();
  };
  await drawn(page);
  await page.route(/assets\/(share|watch|export|upload)-\w+\.js/, (route) => route.fulfill({ status: 404 }));
  await find.share(page).click();
  await says("Share");
  await find.watch(page).click();
  await says("Watch");
  await find.exporting(page).click();
  await says("Export");
  await find.openFile(page, "Open results…", { name: "a.jsonl", mimeType: "", buffer: Buffer.from('{"format":"cpsrl/records"}') });
  await says("a file of records");
  await page.unroute(/assets\/(share|watch|export|upload)-\w+\.js/);
  await find.share(page).click(); // the browser may have cached the failure
  await find.notice(page).or(find.dialog(page, "Share")).waitFor();
  await page.route("**/assets/{engine,worker}-*", (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await reach(page, "failed");
  await find.notice(page).waitFor();
  await page.unroute("**/assets/{engine,worker}-*");
  await Promise.all([page.waitForEvent("load"), find.notices(page).getByRole("button", { name: "Reload", exact: true }).click()]);
  await reach(page, "ready");
  await find.share(page).click();
  await find.dialog(page, "Share").waitFor();
  await close();
});

test("runs last: a reload shows them again without computing, a run that was stopped goes on, and Forget deletes them", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`, { fresh: true });
  const lasting = page.getByRole("list", { name: "Runs that last", exact: true });
  const said = (/** @type {RegExp} */ words) =>
    find.status(page).filter({ hasText: words }).waitFor().catch(async (cause) => {
      const state = await Promise.all([find.status(page).textContent(), lasting.textContent(), find.notices(page).textContent(), page.title()]);
      throw new Error(`${page.url()} does not say ${words}: ${[...state, ...complaints].join("; ")}`, { cause });
    });
  assert.equal(await lasting.isVisible(), false, "nothing is kept yet");
  await find.run(page).click();
  await reach(page, "finished");
  const fingerprint = await find.fingerprint(page).textContent();
  await lasting.getByText(/^Kept in this browser, .* the whole runs of 1 experiment, [\d.]+ MB/).waitFor();
  await stored(page, 12);
  await page.reload();
  await said(/^Kept in this browser: \d+ runs\.$/);
  await find.until(async () => (await find.fingerprint(page).textContent()) === fingerprint, "the fingerprint");
  assert.equal(await page.evaluate(() => document.documentElement.dataset["state"]), "ready", "nothing has run");

  // A run of which one worker's part is missing.
  await find.runs(page).fill("10000");
  await find.run(page).click();
  await page.waitForURL(/&runs=10000$/); // until then a reload asks for the four runs, which are drawn already
  await find.until(async () => /^\d+% · (?!\d+%)/.test(await page.title()), "the title has the progress");
  /** @type {string[]} */
  const asked = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
  await said(/^Kept in this browser: \d+ of 10000 runs\.$/);
  assert.doesNotMatch(await page.title(), /%/);
  const before = Number(/: (\d+) of/.exec((await find.status(page).textContent()) ?? "")?.[1]);
  await find.runs(page).fill(String(before + 1));
  await find.status(page).click(); // the field has changed
  await lasting.getByRole("button", { name: "Go on", exact: true }).click();
  await reach(page, "finished");
  assert.match((await find.status(page).textContent()) ?? "", /^Finished in .+\. \d+% had been computed before\.$/);
  await lasting.getByRole("button", { name: "20 more runs", exact: true }).click();
  await find.run(page).filter({ hasText: `Run ${before + 21}` }).waitFor();
  await reach(page, "finished");
  await stored(page, 3 * (before + 21));
  await page.reload();
  assert.equal(asked.length, 1, "without a run nothing is asked");
  await said(new RegExp(`^Kept in this browser: ${before + 21} runs\\.$`));
  await page.getByRole("button", { name: "Forget the runs kept in this browser", exact: true }).click();
  await lasting.getByText(/^Kept in this browser/).waitFor({ state: "hidden" });
  await page.reload();
  await reach(page, "ready");
  assert.deepEqual(complaints, []);
  await close();
});

test("a browser whose storage says nothing, or is full, runs all the same, and the page says that the runs are not kept", async () => {
  for (const [before, words] of /** @type {const} */ ([
    ["IDBFactory.prototype.open = () => ({});", /does not answer/],
    ['IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };', /storage is full/],
  ])) {
    const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=4&runs=2&agents=psrl`, { fresh: true, until: ["finished"], before });
    await find.notice(page, words).waitFor();
    assert.equal(await page.getByText(/^Kept in this browser/).count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("from an empty form to a sweep of Z and false edges and its link takes at most ten actions; a cell opens its experiment, the link the sweep", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}fig1-quick/`, { fresh: true, folded: true });
  let actions = 0;
  /** @param {Promise<unknown>} action */
  const act = (action) => {
    actions++;
    return action;
  };
  const dialog = find.dialog(page, "Sweep");
  const said = (/** @type {RegExp} */ words) => dialog.getByRole("status").filter({ hasText: words }).waitFor();
  await act(find.settings(page).locator("summary", { hasText: /^Size/ }).click());
  await act(page.getByRole("button", { name: "Sweep…", exact: true }).click());
  await act(dialog.getByRole("combobox", { name: "First field", exact: true }).selectOption({ label: "Sparseness Z" }));
  await act(dialog.getByRole("textbox", { name: "First field: values", exact: true }).fill("2, 3"));
  await act(dialog.getByRole("combobox", { name: "Second field", exact: true }).selectOption({ label: "False edges per variable" }));
  await act(dialog.getByRole("textbox", { name: "Second field: values", exact: true }).fill("0,1,2"));
  await said(/^\d settings; 3 agents, 4 runs each; about \d+ s in this tab\.$/);
  const link = await find.copyable(dialog, "Link to this sweep").inputValue();
  await act(dialog.getByRole("button", { name: "Copy: Link to this sweep", exact: true }).click());
  assert.ok(actions <= 10, `${actions} actions`);
  assert.match(link, /vary=z=2,3;false=0,1,2/);
  assert.equal(await dialog.getByRole("textbox", { name: /command line or a cluster$/ }).inputValue(), `cpsrl sweep -link '${link.slice(link.indexOf("#") + 1)}' -o sweep`);

  await dialog.getByRole("button", { name: "Run the sweep", exact: true }).click();
  await said(/^Finished: \d settings\.$/);
  const receipt = await find.copyable(dialog, "Link to this sweep, with its receipt").inputValue();
  const figure = dialog.getByRole("region", { name: "Figure of the sweep", exact: true });
  await figure.locator("svg text", { hasText: "F‑PSRL" }).or(figure.locator("svg text", { hasText: "F-PSRL" })).first().waitFor();
  await dialog.getByRole("combobox", { name: "View", exact: true }).selectOption("heat");
  await figure.locator("svg text", { hasText: "upwards" }).waitFor();
  const cell = dialog.getByRole("button", { name: /^Sparseness Z = 3, False edges per variable = 1: [\d.]+, open$/ });
  const mean = ((await cell.textContent()) ?? "").trim();
  await seemlyEverywhere(page, "the dialog Sweep", [1280, 390]);
  await cell.click();
  await find.status(page).filter({ hasText: "Kept in this browser: 4 runs." }).waitFor();
  await find.until(async () => /\bfalse=1\b/.test(page.url()), "the address has the setting");
  const row = page.getByRole("row").filter({ hasText: /^C.PSRL/ }).first();
  assert.ok(((await row.textContent()) ?? "").includes(Number(mean).toFixed(2)), `${mean} in ${await row.textContent()}`);

  await page.goBack();
  await page.goForward(); // the sweep is kept
  await page.getByRole("button", { name: "Sweep…", exact: true }).click();
  await said(/^Finished: \d settings\.$/);
  await dialog.getByRole("button", { name: "Begin anew with the page’s", exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await close();

  // Whoever opens the link with the receipt runs the same sweep and meets the receipt. Another receipt is not met.
  for (const [shared, verdict] of /** @type {const} */ ([[receipt, /^Reproduced bit for bit/], [receipt.replace(/swept=2-\w{8}/, "swept=2-00000000"), /^Not reproduced/]])) {
    const other = await open(site.browser, `${site.origin}#${shared.slice(shared.indexOf("#") + 1)}`, { fresh: true });
    const theirs = find.dialog(other.page, "Sweep");
    await theirs.getByText("The link carries a receipt.").waitFor();
    assert.equal(await find.notice(other.page).count(), 0, "the page knows all of the link");
    await theirs.getByRole("button", { name: "Run the sweep", exact: true }).click();
    await theirs.getByText(verdict).waitFor();
    assert.deepEqual(other.complaints, []);
    await other.close();
  }
});

test("a sweep that takes long here offers the line for a cluster", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=60&runs=4&vary=z=2`, { fresh: true });
  const dialog = find.dialog(page, "Sweep");
  const said = (/** @type {RegExp} */ words) => dialog.getByRole("status").filter({ hasText: words }).waitFor();
  await said(/^1 setting; /);
  await dialog.getByRole("combobox", { name: "First field", exact: true }).selectOption({ label: "Episodes K" });
  await dialog.getByRole("textbox", { name: "First field: values", exact: true }).fill("99999,100000");
  await dialog.getByRole("combobox", { name: "Second field", exact: true }).selectOption({ label: "Seed" });
  await dialog.getByRole("textbox", { name: "Second field: values", exact: true }).fill(Array.from({ length: 60 }, (_, k) => k).join());
  await said(/^120 settings; 3 agents, 4 runs each; about \d+ (min|hours) in this tab\.$/);
  assert.match(await dialog.getByRole("textbox", { name: /^This takes about \d+ (min|hours) here; the same on a cluster$/ }).inputValue(), /^cpsrl sweep -link 'v=1&.*vary=episodes=99999,100000;seed=0,1,2,/);
  assert.deepEqual(complaints, []);
  await close();
});
