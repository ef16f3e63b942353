// The smoke suite: what the site must do in every browser engine. It uses a browser only through its driver (drivers/).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { atHome } from "../pages.mjs";
import { golden, serveAlone, subPath } from "./browser.mjs";
import { patience } from "./patience.mjs";

/** The folder of a copy of the site whose pages name the site's origin in their policy, as a build with BASE= writes them. */
const named = "named/";

/** An experiment that takes a moment. */
const small = "v=1&agents=psrl,c-psrl&domain=figure1&episodes=20&runs=3";

/**
 * @param {() => Promise<import("./drivers/common.mjs").Driver>} start
 * @param {object} [engine]
 * @param {boolean} [engine.sandboxLoads] whether a sandboxed frame of a site that does not name its address loads style and script
 */
export function smoke(start, { sandboxLoads = true } = {}) {
  /** @type {Awaited<ReturnType<typeof serveAlone>>} */
  let site;
  /** @type {import("./drivers/common.mjs").Driver} */
  let browser;
  /** A server of another origin, whose pages have a frame of the site. */
  let host = "";
  const elsewhere = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html><html lang="en"><title>A page with a frame</title><body>
      <script>
        globalThis.heard = [];
        addEventListener("message", ({ data }) => heard.push(data));
      </script>
      <iframe ${searchParams.get("sandbox") ? 'sandbox="allow-scripts"' : ""} src="${searchParams.get("src")?.replaceAll("&", "&amp;")}" title="Figure" width="900" height="700"></iframe>`);
  });

  before(async () => {
    site = await serveAlone();
    const file = (/** @type {string} */ name) => join(site.folder, name);
    // In the copy under the sub-path the kernel does not compile, as in a browser without SIMD.
    for (const name of readdirSync(file(`${subPath}assets`))) if (/^kernel-.*\.wasm$/.test(name)) writeFileSync(file(`${subPath}assets/${name}`), "no kernel");
    cpSync(fileURLToPath(new URL("../../dist", import.meta.url)), file(named), { recursive: true });
    for (const name of ["index.html", "stage.html"]) writeFileSync(file(named + name), atHome(readFileSync(file(named + name), "utf8"), site.origin));
    await new Promise((listening) => elsewhere.listen(0, "127.0.0.1", () => listening(undefined)));
    host = `http://localhost:${/** @type {import("node:net").AddressInfo} */ (elsewhere.address()).port}/`;
    browser = await start();
  });
  after(async () => {
    await browser?.close();
    elsewhere.close();
    site?.stop();
  });

  /**
   * Waits in the page until an expression holds. A busy machine is slow, so it waits long; each command to the driver is short, because Node's fetch waits for no answer longer than 300 s.
   * @param {string} condition @param {...unknown} args
   */
  async function until(condition, ...args) {
    for (const end = Date.now() + patience; Date.now() < end; ) {
      const holds = await browser.run(`for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((go) => setTimeout(go, 20))) {
        if (${condition}) return true;
        if (document.documentElement.dataset.state === "failed") throw new Error(document.getElementById("failure").textContent);
      }
      return false;`, ...args);
      if (holds) return;
    }
    throw new Error(`never: ${condition}, with ${JSON.stringify(args)}; the page says: ${await browser.run("return document.body.innerText.slice(0, 2000);")}`);
  }
  /** @param {string} id @returns {Promise<string>} */
  const textOf = (id) => browser.run("return document.getElementById(arguments[0])?.textContent ?? '';", id);
  /** @param {string} id */
  const click = (id) => browser.run("document.getElementById(arguments[0]).click();", id);
  /** @param {...string} states */
  const reach = (...states) => until("arguments[0].includes(document.documentElement.dataset.state)", states);
  /** @param {string} id @param {string} pattern */
  const reads = (id, pattern) => until("new RegExp(arguments[1]).test(document.getElementById(arguments[0])?.textContent ?? '')", id, pattern);

  /** Opens a new document, by way of about:blank: a change of the fragment alone would keep the old document. @param {string} url @param {...string} states */
  async function open(url, ...states) {
    await browser.open("about:blank");
    await browser.open(url);
    if (states.length > 0) await reach(...states);
  }

  /** Changes a control as a person does. @param {string} id @param {string} value */
  const set = (id, value) => browser.run(`
    const control = document.getElementById(arguments[0]);
    control.value = arguments[1];
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));`, id, value);

  /** Runs the shown experiment to its end and returns its fingerprint. */
  const runToEnd = () => browser.run(`
    const { dataset } = document.documentElement;
    const states = [];
    const watcher = new MutationObserver(() => states.push(dataset.state));
    watcher.observe(document.documentElement, { attributeFilter: ["data-state"] });
    document.getElementById("run").click();
    while (!states.includes("running") || dataset.state !== "finished") {
      if (dataset.state === "failed") throw new Error(document.getElementById("failure").textContent);
      await new Promise((go) => setTimeout(go, 5));
    }
    watcher.disconnect();
    return document.getElementById("fingerprint").textContent;`);

  /** Opens every quick preset by its link, runs it, and checks that it has its fingerprint, its curves and its conclusion. @param {string} [folder] that of a copy of the site */
  async function runPresets(folder = "") {
    for (const [preset, fingerprint] of Object.entries(golden.presets)) {
      await open(`${site.origin}${folder}${preset}/`, "ready");
      assert.equal(await runToEnd(), fingerprint, preset);
      await until('document.querySelectorAll("#chart:not([aria-busy]):not([data-still]) > svg path.curve").length >= 3');
      await reads("conclusion", "^Cumulative regret after");
    }
  }

  test("with the kernel, every quick preset meets its golden fingerprint", async () => {
    await open(site.origin, "ready");
    const kernel = readdirSync(join(site.folder, "assets")).find((name) => /^kernel-.*\.wasm$/.test(name));
    assert.equal(await browser.run("return WebAssembly.validate(await (await fetch(arguments[0])).arrayBuffer());", `assets/${kernel}`), true, "the engine has SIMD");
    await runPresets();
    assert.equal(await textOf("engine"), `version ${golden.engine}`);
  });

  test("without the kernel, every quick preset meets its golden fingerprint", async () => {
    await runPresets(subPath);
    assert.equal(await browser.run("return performance.getEntriesByType('resource').some(({ name }) => name.includes('/kernel-'));"), true, "the page has asked for the kernel");
  });

  test("Stop keeps the completed runs", async () => {
    await open(`${site.origin}fig2c-quick/`, "ready");
    await set("runs", "4000");
    await until("location.hash.includes('runs=4000')"); // the engine has accepted it
    await click("run"); // such a run never asks whether it may go on
    await until("document.getElementById('source').hidden && Number(/n\\s=\\s(\\d+) runs/.exec(document.getElementById('caption').textContent)?.[1]) >= 2");
    await click("stop");
    await reach("stopped");
    assert.match(await textOf("status"), /of 4000 runs/);
    await until("!document.getElementById('run').disabled");
  });

  test("a prior edited by keyboard gives the fingerprint that the command gives for its link", async () => {
    await open(`${site.origin}fig1-quick/`, "ready");
    await until('location.hash.includes("figure1")');
    await click("prior-tab-matrix");
    await until('document.querySelector("#prior-matrix td")');
    await browser.run('document.getElementById("prior-tab-matrix").focus();');
    await browser.press("Tab"); // into the grid, at its first cell
    const stated = 'document.activeElement.closest("#prior-matrix td")?.ariaLabel.split(",")[0]';
    await until(stated);
    const before = await browser.run(`return ${stated};`);
    await browser.press("Space");
    await until(`${stated} !== arguments[0]`, before);
    const edited = await browser.run(`return ${stated};`);
    assert.deepEqual([before, edited].sort(), ["known", "unknown"]);
    await reads("prior-readout", `→ .+: ${edited}`); // not #live, where another announcement may follow at once, such as that of runs kept by an earlier test
    await until("location.hash.includes('prior=')"); // the address follows
    const link = await browser.run("return location.href;");
    await browser.run('document.getElementById("run").focus();');
    await browser.press("Enter");
    await reach("finished");
    const fingerprint = await textOf("fingerprint");
    assert.notEqual(fingerprint, golden.presets["fig1-quick"]);
    const records = execFileSync("go", ["run", "./core/cmd/cpsrl", "run", "-link", link], { cwd: fileURLToPath(new URL("../..", import.meta.url)), maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
    assert.equal(execFileSync("sha256sum", { input: records.subarray(records.indexOf(10) + 1) }).toString().slice(0, 64), fingerprint);
  });

  test("an edit of the prior is seen without a press of Run: the picture shows the new run, and its line appears", async () => {
    await open(`${site.origin}fig1-quick/`, "ready");
    await until('document.querySelector("#film svg[aria-label]") && document.querySelector("#chart:not([data-still]) > svg")');
    // The film stays at its picture, so that another picture is of another run.
    await browser.run('for (const button of document.querySelectorAll("#film button")) if (button.textContent.trim() === "Pause") button.click();');
    const before = await browser.run('return document.querySelector("#film svg").outerHTML;'); // with its words, which say what the sampled graph has
    const lines = await browser.run('return document.querySelectorAll("#chart path.curve").length;');
    const called = '[...document.querySelectorAll("#chart text")].filter(({ textContent }) => textContent === "now").length';
    assert.equal(await browser.run(`return ${called};`), 0);
    await click("prior-clear");
    await until(`document.querySelector("#film svg").outerHTML !== arguments[0] && ${called} === 1`, before);
    // The line that its agent had before is thin now.
    await until('document.querySelectorAll("#chart path.curve").length === arguments[0] && document.querySelectorAll("#chart path.ghost").length === 1', lines);
    await reads("line", "^\\s*Without any edge.*: run 0 pays [\\d.]+\\.");
    await until('location.hash.includes("prior=none")');
    assert.equal(await browser.run("return document.documentElement.dataset.state;"), "ready", "nothing was run");
    assert.equal(await textOf("failure"), "");
  });

  test("Share gives a link with a receipt, and the page that opens the link says whether it reproduced the records", async () => {
    await open(`${site.origin}#${small}`, "finished");
    await browser.run('document.getElementById("share").focus();');
    await browser.press("Enter");
    await until('document.querySelector("#share-dialog[open] #share-receipt")');
    await browser.run('document.querySelector("#share-dialog .copyable:has(#share-receipt) button").focus();');
    await browser.press("Enter");
    await until('document.querySelector("#share-dialog .copyable:has(#share-receipt) .said").textContent');
    const link = await browser.run('return document.getElementById("share-receipt").value;');
    assert.match(link, /receipt=2-[0-9a-f]{64}/);
    await open(link, "finished");
    await reads("notices", "Reproduced bit for bit");
    await open(link.replace(/receipt=2-\w{8}/, "receipt=2-00000000"), "finished");
    await reads("notices", "Not reproduced");
  });

  test("the stage shows a run on a canvas", async () => {
    await open(`${site.origin}fig1-quick/`, "ready");
    await click("watch-open");
    await reads("watch-text", "^Episode 1, sample:");
    const drawn = `document.querySelector("#watch-stage iframe")?.contentDocument?.querySelector("canvas, #sheet svg")`;
    await until(drawn);
    assert.equal(await browser.run(`return ${drawn}.localName;`), "canvas");
    assert.equal(await textOf("watch-note"), "");
    await click("watch-step");
    await reads("watch-text", "^Episode 1, plan:");
  });

  test("exported records have the shown fingerprint, and a figure can be written as PDF", async () => {
    await open(`${site.origin}#${small}`, "finished");
    await click("export");
    await until('document.getElementById("export-format")');
    await set("export-format", "jsonl");
    await until(`document.querySelector(".export textarea")?.value.startsWith('{"format":"cpsrl/records"')`);
    const text = await browser.run('return document.querySelector(".export textarea").value;');
    assert.equal(execFileSync("sha256sum", { input: text.slice(text.indexOf("\n") + 1) }).toString().slice(0, 64), await textOf("fingerprint"));
    await set("export-format", "pdf");
    await until('/\\.pdf, \\d+ kB/.test(document.querySelector(".export .words").textContent)');
  });

  const frames = /** @type {const} */ ([
    ["a frame in a page of another origin", "", "", true],
    ["a sandboxed frame of a site that names its address", named, "1", true],
    ["a sandboxed frame of a site for any address", "", "1", sandboxLoads],
  ]);
  for (const [frame, folder, sandbox, works] of frames) {
    test(`${frame} runs and shows an episode when it is told to`, { skip: !works && "this engine loads no script there" }, async () => {
      await open(`${host}?${new URLSearchParams({ sandbox, src: `${site.origin}${folder}?embed=1&ui=stage,experiment,controls#v=1&domain=figure1&episodes=60&runs=4` })}`);
      const hear = async (/** @type {string} */ type) => {
        const found = "heard.find((message) => message?.type === arguments[0])";
        await until(found, type);
        return browser.run(`return ${found};`, type);
      };
      await hear("ready");
      assert.ok((await hear("height")).height > 300, "the frame has its style");
      await browser.run('document.querySelector("iframe").contentWindow.postMessage({ cpsrl: 1, type: "run", id: 1 }, "*");');
      assert.equal((await hear("finished")).fingerprint, golden.presets["fig1-quick"]);
      await browser.run('document.querySelector("iframe").contentWindow.postMessage({ cpsrl: 1, type: "episode", episode: 60, id: 2 }, "*");');
      assert.match((await hear("moment")).text, /^Episode 60, sample:/);
    });
  }

  test("the stage shows an episode, and the page a refusal, although the page's thread is busy", async () => {
    await open(`${site.origin}#${small}`, "ready", "finished");
    // The page is busy so many times in a row, and can handle what has arrived between two of them.
    const busy = (/** @type {number} */ most) => `
      let times = 0;
      const busy = () => { for (const end = performance.now() + 700; performance.now() < end; ); if (++times < ${most}) setTimeout(busy); };
      setTimeout(busy);`;
    // A worker of its own sends a trace as a whole.
    await browser.run(`document.getElementById("watch-open").click(); ${busy(12)}`);
    await until('document.getElementById("watch-text")?.textContent || document.querySelector("#watch-wait button") || document.getElementById("failure")?.textContent');
    assert.match(await textOf("watch-text"), /^Episode 1, sample:/);
    assert.equal(await textOf("failure"), "");
    await browser.run(`${busy(6)}
      const control = document.getElementById("episodes");
      control.value = "0";
      control.dispatchEvent(new Event("input", { bubbles: true }));`);
    await until('document.getElementById("episodes-error")?.hidden === false || document.getElementById("failure")?.textContent');
    assert.match(await textOf("episodes-error"), /out of range|at least 1/);
    assert.equal(await textOf("failure"), "");
  });

  test("nothing so far has written to the console", (t) => {
    if (!browser.complaints) t.skip("this driver does not hear the console");
    else assert.deepEqual(browser.complaints, []);
  });

  test("after one visit the page works offline", async () => {
    await browser.close();
    browser = await start(); // it has visited nothing yet
    await open(site.origin, "ready");
    await until("(await navigator.serviceWorker.getRegistration())?.active");
    site.unplug();
    await open(`${site.origin}fig1-quick/`, "ready");
    assert.equal(await runToEnd(), golden.presets["fig1-quick"]);
  });
}
