// The page in Chromium, as a person meets it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addAgent, count, drawn, golden, open, reach, runsDrawn, start, subPath } from "./browser.mjs";
import { seemly } from "./looks.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
before(async () => (site = await start()));
after(() => site.stop());

/**
 * @param {import("playwright-core").Page} page
 * @param {string} preset
 */
async function runPreset(page, preset) {
  await page.selectOption("#preset", preset);
  await page.click("#run");
  await reach(page, "finished");
}

/** @param {import("playwright-core").Page} page */
const curves = (page) => count(page);

test("every quick preset meets its golden fingerprint, and draws", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}`);
  for (const [preset, fingerprint] of Object.entries(golden.presets)) {
    await runPreset(page, preset);
    assert.equal(await page.textContent("#fingerprint"), fingerprint, preset);
    assert.ok((await curves(page)) >= 3, `${preset} has its curves`);
    assert.match((await page.textContent("#conclusion")) ?? "", /^Cumulative regret after/);
  }
  assert.equal(await page.textContent("#engine"), `version ${golden.engine}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a browser without SIMD meets the same fingerprints", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  let asked = false;
  await page.route("**/kernel-*.wasm", (route) => {
    asked = true;
    return route.fulfill({ contentType: "application/wasm", body: "no kernel" });
  });
  await page.goto(site.origin);
  await reach(page, "ready");
  for (const [preset, fingerprint] of Object.entries(golden.presets)) {
    await runPreset(page, preset);
    assert.equal(await page.textContent("#fingerprint"), fingerprint, preset);
  }
  assert.ok(asked);
  await context.close();
});

test("the chart grows while the first run is computed, and shows each measure and its data", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2c");
  await page.fill("#runs", "10000");
  await page.click("#run");
  await drawn(page);
  assert.equal(await page.getAttribute("html", "data-state"), "running");
  assert.equal(await page.isDisabled("#run"), true);
  await page.waitForFunction(() => (/** @type {HTMLProgressElement} */ (document.getElementById("progress"))).value > 0);
  await page.click("#stop");
  await reach(page, "stopped");
  await runPreset(page, "fig2c-quick");
  await page.click("#data summary");
  await page.waitForSelector("#table tbody tr");
  for (const [measure, agents] of /** @type {const} */ ([["regret", 3], ["model-error", 3], ["recall", 2], ["precision", 2], ["parents", 2], ["cumulative-regret", 3]])) {
    await page.selectOption("#measure", measure);
    assert.equal(await curves(page), agents, measure);
    assert.equal(await page.locator("#table thead th[scope=colgroup]").count(), agents, measure);
    assert.equal(await page.locator("#table tbody tr").last().locator("th").textContent(), "100");
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("a preset asks a question, until the settings are others; each agent and measure says what it is", async () => {
  const { page, close } = await open(site.browser, site.origin);
  const menu = page.getByRole("combobox", { name: "Preset" });
  assert.equal(await menu.locator("optgroup").count(), new Set(await menu.locator("optgroup").evaluateAll((groups) => groups.map((group) => group.getAttribute("label")))).size);
  assert.deepEqual(await menu.locator("optgroup", { has: page.locator("[value=fig2c]") }).locator("option").allTextContents(), ["Figure 2 (c): taxi 3×3", "Figure 2 (c): taxi 3×3, quick"]);
  const figure = page.getByRole("region", { name: "Figure 2 (c): taxi 3×3" });
  assert.ok(await figure.getByText("Does a causal graph help a taxi?", { exact: true }).isVisible());
  for (const gloss of ["knows no graph", "knows the whole graph", "knows a part of the graph, learns the rest"]) assert.ok(await figure.getByText(gloss).isVisible(), gloss);
  assert.match((await page.textContent("#caption")) ?? "", /Lower is better; a flat curve has learned\.$/);
  await page.selectOption("#measure", "recall");
  await page.waitForFunction(() => /Higher is better; at 1 no true edge is missing\.$/.test(document.getElementById("caption")?.textContent ?? ""));
  await page.fill("#episodes", "7");
  await page.waitForFunction(() => document.getElementById("question")?.hidden);
  await close();
});

test("a run is announced when it starts, by tenths and when it ends", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.evaluate(() => {
    const live = /** @type {HTMLElement} */ (document.getElementById("live"));
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
  assert.equal(await page.getAttribute("#live", "role"), "status");
  assert.deepEqual(complaints, []);
  await close();
});

test("Stop is felt at once and keeps the whole runs", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2c");
  await page.fill("#runs", "10000");
  await page.click("#run");
  await runsDrawn(page);
  await page.click("#stop");
  await reach(page, "stopped");
  const status = (await page.textContent("#status")) ?? "";
  const kept = Number(/^Stopped: (\d+) of 10000 runs kept\.$/.exec(status)?.[1]);
  assert.ok(kept >= 2, status);
  assert.match((await page.textContent("#conclusion")) ?? "", new RegExp(`over ${kept} runs`));
  assert.match((await page.textContent("#caption")) ?? "", new RegExp(`n = ${kept} runs`));
  const fingerprint = await page.textContent("#fingerprint");
  assert.match(fingerprint ?? "", /^[0-9a-f]{64}$/);

  // The same runs asked for as such are the same experiment.
  await page.fill("#runs", String(kept));
  await page.click("#run");
  await reach(page, "finished");
  assert.equal(await page.textContent("#fingerprint"), fingerprint);
  assert.deepEqual(complaints, []);
  await close();
});

test("Stop before the first run is complete leaves nothing half drawn", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig2a");
  await page.fill("#episodes", "100000");
  // At once, while the engine still reads the form.
  await page.evaluate(() => {
    for (const id of ["run", "stop"]) document.getElementById(id)?.click();
  });
  await reach(page, "stopped");
  assert.match((await page.textContent("#status")) ?? "", /no run was complete/);

  // In the midst of the first run.
  await page.click("#run");
  await page.waitForFunction(() => (/** @type {HTMLProgressElement} */ (document.getElementById("progress"))).value > 0);
  await page.click("#stop");
  await reach(page, "stopped");
  assert.match((await page.textContent("#status")) ?? "", /no run was complete/);
  assert.match((await page.textContent("#experiment")) ?? "", /Precomputed: our own 20 runs/);
  assert.equal(await page.isVisible("#fingerprint-row"), false);
  assert.deepEqual(complaints, []);
  await close();
});

test("a bad field is explained beside it, in the engine's words", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  for (const [field, value, words] of /** @type {const} */ ([
    ["episodes", "0", /out of range; it must be at least 1/],
    ["episodes", "many", /whole number/],
    ["runs", "10001", /out of range; it must be from 1 to/],
    ["horizon", "1000000000", /out of range; it must be from 1 to/],
    ["seed", "-1", /out of range; it must be from 0 to/],
  ])) {
    const good = await page.inputValue(`#${field}`);
    await page.fill(`#${field}`, value);
    await page.click("#run");
    await page.waitForSelector(`#${field}-error:visible`);
    await reach(page, "ready");
    assert.match((await page.textContent(`#${field}-error`)) ?? "", words, field);
    assert.equal(await page.getAttribute(`#${field}`, "aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement?.id), field, "the field has the focus");
    await page.fill(`#${field}`, good);
    await page.waitForSelector(`#${field}-error`, { state: "hidden" });
  }
  for (const agent of ["psrl", "f-psrl", "c-psrl"]) await page.uncheck(`#agents input[value="${agent}"]`);
  await page.waitForSelector("#agents-error:visible");
  await page.click("#reset");
  await page.waitForSelector("#agents-error", { state: "hidden" });
  assert.deepEqual(complaints, []);
  await close();
});

test("jobs of seconds end as well as short ones", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "eta");
  await page.fill("#runs", "2");
  await page.click("#run");
  await reach(page, "finished");
  assert.equal(await curves(page), 5);
  assert.deepEqual(complaints, []);
  await close();
});

test("Reset keeps the seed; New seed changes nothing else", async () => {
  const { page, close } = await open(site.browser, site.origin);
  await page.fill("#seed", "42");
  await page.fill("#episodes", "9");
  await page.click("#reset");
  assert.equal(await page.inputValue("#seed"), "42");
  assert.equal(await page.inputValue("#episodes"), "400");
  await page.fill("#episodes", "9");
  await page.click("#new-seed");
  assert.match(await page.inputValue("#seed"), /^\d{1,6}$/);
  assert.equal(await page.inputValue("#episodes"), "9");
  await close();
});

test("it works from a sub-path, by keyboard alone", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}${subPath}`);
  await page.focus("#preset");
  await page.selectOption("#preset", "fig1-quick");
  await page.focus("#episodes");
  await page.keyboard.press("Enter");
  await reach(page, "finished");
  assert.equal(await page.textContent("#fingerprint"), golden.presets["fig1-quick"]);
  const reached = new Set();
  await page.focus(".skip");
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.id));
  }
  for (const id of ["theme", "episodes", "runs", "horizon", "seed", "new-seed", "reset", "run", "measure"]) assert.ok(reached.has(id), `Tab reaches ${id}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("an agent left out changes no byte of the others", async () => {
  const { page, close } = await open(site.browser, site.origin);
  await page.selectOption("#preset", "fig1-quick");
  await page.uncheck('#agents input[value="psrl"]');
  await page.click("#run");
  await reach(page, "finished");
  const first = await page.textContent("#fingerprint");
  assert.equal(await curves(page), 2);
  // A fresh page, which knows no records yet.
  const other = await open(site.browser, site.origin);
  await other.page.selectOption("#preset", "fig1-quick");
  await other.page.uncheck('#agents input[value="psrl"]');
  await addAgent(other.page, "F-PSRL", { Graph: "the prior’s" });
  await other.page.click("#run");
  await reach(other.page, "finished");
  assert.equal(await curves(other.page), 3);
  assert.notEqual(await other.page.textContent("#fingerprint"), first);
  await other.page.uncheck('#agents input[value="f-psrl:graph=prior"]');
  await other.page.click("#run");
  await reach(other.page, "finished");
  assert.equal(await other.page.textContent("#fingerprint"), first);
  await other.close();
  await close();
});

test("axe finds nothing, and nothing scrolls sideways, in both themes and at every width", async () => {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const { page, complaints, close } = await open(site.browser, site.origin, { colorScheme });
    const look = async (/** @type {string} */ what) => {
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await seemly(page, `${what}, ${colorScheme}`);
      }
    };
    await look("empty");
    await runPreset(page, "fig1-quick");
    await page.click("#data summary");
  await page.waitForSelector("#table tbody tr");
    await look("finished");
    await page.fill("#episodes", "0");
    await page.waitForSelector("#episodes-error:visible");
    await look("error");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the menu shows the whole name of the preset where there is room", async () => {
  const { page, complaints, close } = await open(site.browser, site.origin, { viewport: { width: 1280, height: 900 } });
  await page.waitForSelector('#preset option[value="eta"]', { state: "attached" });
  const high = () => page.$eval(".top", (top) => top.getBoundingClientRect().height);
  const was = await high();
  await page.$eval("#status", (status) => (status.textContent = "A long status, which takes no room from the menu"));
  assert.equal(await high(), was, "the bar is no higher");
  for (const [width, names] of /** @type {const} */ ([[1200, ["fig2c", "fig2d"]], [1280, ["fig1", "fig2a", "fig2c", "fig2d"]], [1440, ["fig1", "fig2a", "fig2c", "fig2d", "eta"]], [1024, ["fig2c"]], [390, ["fig2c"]]])) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of names) {
      const [shown = 0, whole = 0, right = 0] = await page.$eval("#preset", (menu, name) => {
        if (!(menu instanceof HTMLSelectElement)) return [];
        const was = menu.value;
        menu.value = name;
        const shown = menu.getBoundingClientRect().width;
        const { right } = /** @type {Element} */ (document.querySelector(".tools")).getBoundingClientRect();
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

test("the theme button overrides the system and is remembered", async () => {
  const { page, close } = await open(site.browser, site.origin, { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(255, 255, 255)");
  await page.click("#theme");
  await page.click("#theme");
  assert.equal(await page.textContent("#theme"), "Theme: dark");
  assert.equal(await paper(), "rgb(18, 18, 18)");
  await page.reload();
  assert.equal(await paper(), "rgb(18, 18, 18)");
  await close();
});

test("a remembered theme is there before the page's script", async () => {
  const { page, close } = await open(site.browser, site.origin, { colorScheme: "light" });
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route(/assets\/(page|docs)-\w+\.js/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  for (const path of ["", "docs/"]) {
    await page.goto(`${site.origin}${path}`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.body && getComputedStyle(document.body).backgroundColor === "rgb(18, 18, 18)");
  }
  release();
  await page.goto(site.origin);
  await reach(page, "ready");
  assert.equal(await page.textContent("#theme"), "Theme: dark");
  await close();
});

test("a visit asks for each file once, and for the engine before the page's script has run", async () => {
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

test("a page that is older than its files says so", async () => {
  for (const gone of [/assets\/page-\w+\.js/, /assets\/chunk-\w+\.js/]) {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.route(gone, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${site.origin}#v=1&domain=figure1`);
    await page.waitForSelector('[data-notice="changed"]');
    assert.equal(await page.textContent('[data-notice="changed"] p'), "The site has changed since this page was opened.");
    assert.equal(await page.textContent("#status"), "Not ready.");
    await page.unroute(gone);
    await page.click('[data-notice="changed"] button >> text=Reload');
    await reach(page, "ready", "finished", "running");
    assert.match(page.url(), /#v=1&domain=figure1/);
    await context.close();
  }
});

test("a browser without workers, WebAssembly or storage is told so, and shows what it can", async () => {
  for (const [name, sentence] of /** @type {const} */ ([
    ["Worker", /The engine could not be loaded: this browser has no Web Workers\./],
    ["WebAssembly", /The engine could not be loaded: this browser has no WebAssembly\./],
  ])) {
    const { page, close } = await open(site.browser, site.origin, { until: ["failed"], before: `delete globalThis.${name};` });
    assert.match((await page.textContent("#failure")) ?? "", sentence);
    await page.waitForSelector("#chart path.curve");
    assert.match((await page.textContent("#source")) ?? "", /Precomputed: our own 20 runs/, "the figure is there all the same");
    await close();
  }
  const { page, close } = await open(site.browser, site.origin, { before: `Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } });` });
  await page.click("#theme");
  assert.match((await page.textContent("[data-notice=storage]")) ?? "", /keeps nothing for this site/);
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
  await close();
});

test("a missing engine has its sentence, and the next Run tries again", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 503 }));
  await page.goto(site.origin);
  await reach(page, "failed");
  assert.match((await page.textContent("#failure")) ?? "", /The engine could not be loaded: the server answered 503/);
  await page.unroute("**/*.wasm");
  await runPreset(page, "fig1-quick");
  assert.equal(await page.textContent("#fingerprint"), golden.presets["fig1-quick"]);
  await context.close();
});

/** Opens the page, and keeps the workers that it starts. @param {string} url */
const withWorkers = (url) => open(site.browser, url, {
  before: () => {
    const Plain = Worker;
    /** @type {Worker[]} */
    const started = (/** @type {any} */ (window).started = []);
    window.Worker = class extends Plain {
      constructor(/** @type {string | URL} */ url) {
        super(url);
        started.push(this);
      }
    };
  },
});

/** Has each worker end without a word. @param {import("playwright-core").Page} page */
const endWorkers = (page) => Promise.all(page.workers().map((worker) => worker.evaluate(() => self.close()).catch(() => {})));

test("a worker that failed or ended has another in its place", async () => {
  const { page, complaints, close } = await withWorkers(site.origin);
  const workers = () => page.evaluate(() => /** @type {any} */ (window).started.length);
  await drawn(page);
  const before = await workers();

  // A worker that says it failed is not asked again.
  await page.evaluate(() => {
    const answer = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.path !== "/v1/check") return answer.call(this, message, transfer);
      Worker.prototype.postMessage = answer;
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { kind: "failed", reason: "out of memory" } })));
    };
  });
  await page.fill("#episodes", "11");
  await page.waitForFunction(() => document.getElementById("failure")?.textContent === "The engine failed: out of memory");
  await page.fill("#episodes", "12");
  await page.waitForFunction(() => location.hash.includes("episodes=12"));
  assert.equal(await page.isVisible("#failure"), false);
  assert.equal(await workers(), before + 1);

  // One that ended without a word is not waited for.
  await endWorkers(page);
  await page.waitForTimeout(500);
  await page.fill("#episodes", "13");
  await page.waitForFunction(() => location.hash.includes("episodes=13"));
  assert.equal(await workers(), before + 2);
  assert.deepEqual(complaints, []);
  await close();
});

test("a run whose workers end says so, and the next run works", async () => {
  const { page, close } = await withWorkers(site.origin);
  await page.fill("#runs", "10000");
  await page.click("#run");
  await runsDrawn(page);
  await endWorkers(page);
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "failed");
  assert.match((await page.textContent("#failure")) ?? "", /^(The experiment ended early: the worker has ended|The summary failed: the worker has ended)\.$/);
  await runPreset(page, "fig1-quick");
  assert.equal(await page.textContent("#fingerprint"), golden.presets["fig1-quick"]);
  assert.equal(await page.isVisible("#failure"), false);
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
  await page.click("#run");
  await page.waitForFunction(() => document.documentElement.dataset["state"] === "failed");
  assert.equal(await page.textContent("#failure"), "no more workers");
  for (let i = 0; page.workers().length > idle; i++) {
    assert.ok(i < 50, `${page.workers().length} workers instead of ${idle}`);
    await page.waitForTimeout(100);
  }
  await runPreset(page, "fig1-quick");
  await close();
});

test("what the site no longer has is named, with a button that reloads", async () => {
  const changed = "The site has changed since this page was opened.";
  const { page, close } = await open(site.browser, `${site.origin}fig1-quick/`);
  const says = async (/** @type {string} */ what) => {
    await page.waitForSelector('[data-notice="changed"]');
    assert.equal(await page.textContent('[data-notice="changed"] p'), changed, what);
    await page.click('[data-notice="changed"] button >> text=Not now');
  };
  await drawn(page);
  await page.route(/assets\/(share|watch|export|upload)-\w+\.js/, (route) => route.fulfill({ status: 404 }));
  await page.click("#share");
  await says("Share");
  await page.click("#watch-open");
  await says("Watch");
  await page.click("#export");
  await says("Export");
  await page.setInputFiles("#upload-file", { name: "a.jsonl", mimeType: "", buffer: Buffer.from("{}") });
  await says("a file of records");
  await page.unroute(/assets\/(share|watch|export|upload)-\w+\.js/);
  await page.click("#share"); // the browser may still know that there was none
  await page.waitForSelector('[data-notice="changed"], #share-dialog[open]');
  await page.route("**/assets/{engine,worker}-*", (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await reach(page, "failed");
  await page.waitForSelector('[data-notice="changed"]');
  await page.unroute("**/assets/{engine,worker}-*");
  await page.click('[data-notice="changed"] button >> text=Reload');
  await reach(page, "ready");
  await page.click("#share");
  await page.waitForSelector("#share-dialog[open]");
  await close();
});
