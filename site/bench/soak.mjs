// Uses the built site at random for a long time, in one browser: node site/bench/soak.mjs ENGINE MINUTES SEED,
// where ENGINE is chromium or firefox. The seed chooses what the visitor does and what happens to the page:
// edits, runs, stops, watching, dialogs, the tour, the history, links, frames in a page of another origin,
// lost WebGL contexts, the network off and on, a new deploy while the tab is open. Once a minute the program
// checks that fig1-quick meets its golden fingerprint, leaves the page at rest and measures it. Every message
// that was neither provoked nor ordinary is a finding; with findings, the exit status is 1.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { golden, serveAlone } from "../test/browser.mjs";
import { chromium } from "../test/drivers/chromium.mjs";
import { firefox } from "../test/drivers/firefox.mjs";

const [engine = "", minutes = "", seed = ""] = process.argv.slice(2);
const engines = /** @type {Record<string, () => Promise<import("../test/drivers/common.mjs").Driver>>} */ ({ chromium, firefox });
const begin = engines[engine];
if (!begin || !(Number(minutes) > 0) || !/^\d+$/.test(seed)) {
  console.error("usage: node site/bench/soak.mjs chromium|firefox MINUTES SEED");
  process.exit(2);
}

/** Mulberry32: the same choices for the same seed. */
let luck = Number(seed) >>> 0;
function random() {
  luck = (luck + 0x6d2b79f5) >>> 0;
  let t = Math.imul(luck ^ (luck >>> 15), luck | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
/** @param {number} n */
const below = (n) => Math.floor(n * random());
/** @template T @param {readonly T[]} list @returns {T} */
const one = (list) => /** @type {T} */ (list[below(list.length)]);
/** @param {number} ms */
const wait = (ms) => new Promise((go) => setTimeout(go, ms));

const site = await serveAlone();
const elsewhere = createServer((_, response) => {
  const frame = (/** @type {string} */ query) => `<iframe src="${site.origin}${query}" title="Figure" width="900" height="600"></iframe>`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html><html lang="en"><title>A page with frames</title><body>
    <script>globalThis.heard = []; addEventListener("message", ({ data, source }) => heard.push({ data, frame: [0, 1, 2].find((k) => frames[k] === source) }));</script>
    ${frame("?embed=1#v=1&amp;domain=figure1&amp;episodes=60&amp;runs=4")}${frame("fig2c-quick/?embed=1")}${frame("fig2d/?embed=1")}`);
});
await new Promise((listening) => elsewhere.listen(0, "127.0.0.1", () => listening(undefined)));
const host = `http://localhost:${/** @type {import("node:net").AddressInfo} */ (elsewhere.address()).port}/`;
const browser = await begin();

const since = Date.now();
const end = since + Number(minutes) * 60_000;
const clock = () => ((Date.now() - since) / 60_000).toFixed(1).padStart(5);

/** Whether the network was off or the site has changed. Until the next visit, messages about either are expected. */
let provoked = false;
/** @type {string[]} */
const findings = [];
/** @type {Map<string, number>} */
const said = new Map();
/** How often each deed was tried, and how often it did something: most controls are not there at every moment. @type {Map<string, number>} */
const tried = new Map();
/** @type {Map<string, number>} */
const done = new Map();
/** @param {string} text */
function find(text) {
  findings.push(text);
  console.log(`${clock()} FINDING ${text}`);
}

/** What the page may say at any time: that a link cannot be opened, that an experiment may not start by itself, that there is no WebGL. */
const ordinary = [/^This link cannot be opened/, /^This (link|figure) asks for about/, /WebGL/];
/** What the page says when the site cannot be reached or has changed. */
const lost = [/cannot be reached/, /has changed since this page was opened/, /could not be (loaded|fetched)/, /did not come/];
/** What the console says then. */
const network = [/Failed to load resource/, /ERR_(CONNECTION|INTERNET|ABORTED|EMPTY_RESPONSE|SOCKET)/, /NetworkError/, /Loading failed for/, /integrity/i, /bad HTTP response code/, /[Ff]ailed to fetch/, /error loading dynamically imported module/, /ServiceWorker|service worker/];

/** What the console says about what this program does: it takes contexts away. */
const others = [/WebGL context was lost/];

/** Reads the console. An unexpected message is a finding. */
function hear() {
  for (const words of browser.complaints?.splice(0) ?? []) {
    if (others.some((pattern) => pattern.test(words)) || (provoked && network.some((pattern) => pattern.test(words)))) continue;
    find(`console: ${words}`);
  }
}

/** Functions that every script in the page may use. */
const prelude = `
  const byId = (id) => document.getElementById(id);
  const seen = (element) => element && !element.disabled && element.checkVisibility();
  const did = () => { document.documentElement.dataset.deeds = "1"; return true; };
  const click = (element) => { if (!element) return false; if (element instanceof HTMLElement) element.click(); else element.dispatchEvent(new MouseEvent("click", { bubbles: true })); return did(); };
  const press = (id) => seen(byId(id)) && click(byId(id));
  const set = (control, value) => { if (!seen(control)) return false; control.value = value; for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true })); return did(); };
  const unfold = (place) => { for (const drawer of document.querySelectorAll(place + " details:not([open]) > summary")) if (seen(drawer)) drawer.click(); };
  const pick = (menu, share) => { const option = menu?.options?.[Math.floor(share * menu.options.length)]; return option !== undefined && set(menu, option.value); };
  const rest = (ms) => new Promise((go) => setTimeout(go, ms));
  const until = async (holds, ms = 80000) => { for (const end = performance.now() + ms; performance.now() < end; await rest(50)) if (holds()) return true; return false; };
  const leave = () => { for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close(); };
`;

/** Runs a script in the page; a page that does not answer is a finding. @param {string} body @param {...unknown} args @returns {Promise<any>} */
const run = (body, ...args) => soon(browser.run(prelude + body, ...args), body.trim().slice(0, 200));

/** Loads a document. @param {string} url */
const load = (url) => soon(browser.open(url), url);

/** Waits up to 100 s for an answer of the browser. @param {Promise<any>} answer @param {string} what */
async function soon(answer, what) {
  let over = () => {};
  const silence = new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer in 100 s: ${what}`)), 100_000);
    over = () => clearTimeout(timer);
  });
  return Promise.race([answer, silence]).finally(over);
}

/** Closes any dialog and runs a script in the page. @param {string} body @param {...unknown} args */
const act = (body, ...args) => run(`leave(); ${body}`, ...args);

const presets = Object.keys(golden.presets);
const texts = { episodes: ["3", "20", "60", "150", "0", "x"], runs: ["1", "4", "20", "400", "-1"], seed: ["1", "2", "77"], horizon: ["5", "10", "x"] };
const links = [
  "v=1&domain=figure1&episodes=60&runs=4", "v=1&agents=psrl,c-psrl&domain=figure1&episodes=20&runs=3", "v=1&domain=taxi&watch=0,3,plan", "v=1&prior=none&agents=c-psrl&domain=taxi&runs=4&episodes=40",
  "v=1&domain=taxi", "v=1&domain=nowhere", "v=9", "v=1&episodes=-4", "v=1&agents=c-psrl:eta=1,c-psrl:eta=0&domain=random-fmdp&episodes=30&runs=2", "%%%", "v=1&domain=random-fmdp&episodes=100000&runs=1000",
];

/** What a visitor does, and how often. @type {Record<string, [number, () => Promise<unknown>]>} */
const deeds = {
  preset: [4, () => act(`set(byId("preset"), arguments[0]);`, one([...presets, "fig2a", "fig2c", "fig2d", "taxi5"]))],
  size: [5, () => { const name = one(/** @type {(keyof typeof texts)[]} */ (Object.keys(texts))); return act(`unfold("#settings"); set(byId(arguments[0]), arguments[1]);`, name, one(texts[name])); }],
  domain: [2, () => act(`unfold("#settings"); const menu = byId("domain"); pick(menu, arguments[0]);`, random())],
  cell: [6, () => act(`press("prior-tab-matrix"); await rest(50); const cells = [...document.querySelectorAll("#prior-matrix td")].filter(seen); const cell = cells[Math.floor(arguments[0] * cells.length)]; click(cell);`, random())],
  prior: [2, () => act(`const menu = byId("prior-from"); pick(menu, arguments[0]);`, random())],
  priorButtons: [4, () => act(`press(arguments[0]);`, one(["prior-undo", "prior-redo", "prior-clear", "prior-tab-picture", "prior-tab-text", "prior-tab-matrix", "prior-reveal"]))],
  agent: [3, () => act(`unfold("#settings"); const boxes = [...document.querySelectorAll("#agent-choices input, #agents button")].filter(seen); click(boxes[Math.floor(arguments[0] * boxes.length)]);`, random())],
  run: [6, async () => { await act(`press("run");`); await wait(below(4000)); }],
  stop: [4, () => act(`press("stop");`)],
  figure: [4, () => act(`unfold("#settings"); press(arguments[0]);`, one(["log-y", "log-x", "difference", "pin", "reset", "new-seed", "theme"]))],
  measure: [3, () => act(`for (const id of ["measure", "band"]) { const menu = byId(id); pick(menu, arguments[0]); }`, random())],
  watch: [4, () => act(`if (press("watch-open")) await until(() => byId("watch-text")?.textContent, 8000);`)],
  step: [5, () => act(`for (let k = 0; k < arguments[0]; k++) { press(arguments[1]); await rest(60); }`, 1 + below(5), one(["watch-step", "watch-back", "watch-next", "watch-previous"]))],
  play: [4, async () => { await act(`set(byId("watch-speed"), arguments[0]); press("watch-play");`, one(["1", "4", "16", "Infinity"])); await wait(below(5000)); }],
  scrub: [4, () => act(`const slide = byId(arguments[0]); if (slide) for (const share of arguments[1]) { set(slide, String(Math.round(Number(slide.min) + share * (slide.max - slide.min)))); await rest(30); }`, one(["watch-episode", "watch-h"]), Array.from({ length: 6 }, random))],
  overlays: [2, () => act(`unfold("#watch"); await rest(100); press(arguments[0]);`, one(["watch-values", "watch-policy", "watch-reveal", "watch-worth-ask"]))],
  hide: [1, () => act(`press("watch-close");`)],
  unfold: [3, () => act(`const all = [...document.querySelectorAll("summary")].filter(seen); click(all[Math.floor(arguments[0] * all.length)]);`, random())],
  dialog: [4, () => act(`if (press(arguments[0])) { await until(() => document.querySelector("dialog[open]"), 4000); await rest(arguments[1]); } leave();`, one(["share", "embed", "export"]), below(1500))],
  exports: [1, () => act(`if (press("export") && (await until(() => byId("export-format"), 4000))) { const menu = byId("export-format"); pick(menu, arguments[0]); await rest(2000); } leave();`, random())],
  tour: [2, () => act(`if (!byId("tour-bar")) press("tour"); if (await until(() => byId("tour-next"), 4000)) { for (let k = 0; k < arguments[0]; k++) { press(arguments[1] < 0.2 ? "tour-back" : "tour-next"); await rest(400); } if (arguments[1] > 0.4) press("tour-close"); }`, below(10), random())],
  history: [4, () => act(`const before = location.href; for (let k = 0; k < arguments[0]; k++) { history[arguments[1]](); await rest(80); } if (location.href !== before) did();`, 1 + below(4), one(["back", "back", "forward"])).catch(() => {})],
  link: [3, () => act(`const before = location.href; location.hash = arguments[0]; if (location.href !== before) did();`, one(links))],
  anything: [8, () => act(`const all = [...document.querySelectorAll("button, input[type=checkbox], input[type=radio], [role=tab], td[tabindex], svg [tabindex]")].filter((element) => seen(element) && !/download|copy|choose|open a|upload|file/i.test(element.textContent + element.id + element.ariaLabel)); click(all[Math.floor(arguments[0] * all.length)]);`, random())],
  lose: [1, () => run(`const lost = document.querySelector("#watch-stage iframe")?.contentDocument?.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context"); if (lost) { did(); lost.loseContext(); }`)],
};
const bag = Object.entries(deeds).flatMap(([name, [often]]) => Array.from({ length: often }, () => name));

/** Does so many things with the page, whether or not the network is off. @param {number} count */
async function use(count) {
  for (let k = 0; k < count && Date.now() < end; k++) {
    const name = one(bag);
    tried.set(name, (tried.get(name) ?? 0) + 1);
    if (process.env["SOAK_TELL"]) console.log(`${clock()} ${name}`);
    await deeds[name]?.[1]();
    await wait(below(300));
    const acted = await run(`const acted = document.documentElement.dataset.deeds !== undefined; delete document.documentElement.dataset.deeds; return acted;`).catch(() => true); // it led to another document just now
    if (acted) done.set(name, (done.get(name) ?? 0) + 1);
    if (!(await run("return location.href;")).startsWith(site.origin)) {
      if (!copies) await plug(); // without a copy, the site cannot be entered without the network
      await enter(); // Back led out of the site
    }
    await look(name);
  }
}

/** Opens the site. */
async function enter() {
  if (process.env["SOAK_TELL"]) console.log(`${clock()} enters`);
  await load(`${site.origin}${one(["", "fig2d/", "fig1-quick/"])}`);
  await run(`await until(() => document.documentElement.dataset.state !== "loading");`);
}

/** Reads the page's failures and warnings. An unexpected one is a finding. @param {string} after */
async function look(after) {
  const words = /** @type {string[]} */ (await run(`return [...document.querySelectorAll("#failure:not([hidden]), .notice.bad p")].map((place) => place.textContent.trim()).filter(Boolean);`));
  for (const sentence of words) {
    const kind = sentence.slice(0, 60);
    if (!said.has(kind) && ![...ordinary, ...(provoked ? lost : [])].some((pattern) => pattern.test(sentence))) find(`the page said, after ${after}: ${sentence}`);
    said.set(kind, (said.get(kind) ?? 0) + 1);
  }
  hear();
}

/** Checks that the page still computes the right records. */
async function check() {
  const state = await act(`
    press("tour-close");
    press("stop");
    await until(() => document.documentElement.dataset.state !== "running");
    set(byId("preset"), "fig2c-quick");
    set(byId("preset"), "fig1-quick");
    if (!(await until(() => location.hash.includes("figure1") && !byId("run").disabled))) return "not ready: " + document.documentElement.dataset.state + " " + location.href;
    press("run");
    await until(() => document.documentElement.dataset.state === "running", 5000);
    if (!(await until(() => document.documentElement.dataset.state === "finished"))) return "not finished: " + document.documentElement.dataset.state + " " + byId("status").textContent;
    return byId("fingerprint").textContent;`);
  if (state !== golden.presets["fig1-quick"]) find(`fig1-quick: ${state}`);
}

/** The resident bytes of the browser's processes, with each page of memory counted once; the number of processes; and the bytes of each kind of process. */
function resident() {
  const parents = new Map(readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return [[pid, { name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")), parent: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "" }]];
    } catch {
      return []; // the process has ended
    }
  }));
  let [bytes, count] = [0, 0];
  /** @type {Record<string, number>} */
  const kinds = {};
  for (const [pid, { name }] of parents) {
    if (/^(serve|Xvfb)$/.test(name) || pid === String(process.pid)) continue;
    let at = parents.get(pid)?.parent;
    while (at && at !== String(process.pid)) at = parents.get(at)?.parent;
    if (!at) continue;
    try {
      const own = 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      const kind = /--type=([a-z]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[1] ?? "main";
      kinds[kind] = (kinds[kind] ?? 0) + own;
      bytes += own;
      count++;
    } catch {
      // the process has ended
    }
  }
  return { bytes, count, kinds };
}

/** @typedef {{resident: number, heap: number, nodes: number, listeners: number, workers: number}} Sample */
/** @type {Sample[]} */
const samples = [];

/** Leaves the page at rest and measures it. @param {number} visit */
async function measure(visit) {
  await check();
  await act(`press("watch-close"); await rest(1500);`);
  await look("rest");
  const { workers, nodes, state } = await run(`const { held } = await navigator.locks.query(); return { workers: held.filter(({ name }) => name.startsWith("cpsrl worker")).length, nodes: document.querySelectorAll("*").length, state: document.documentElement.dataset.state };`);
  const told = await browser.memory?.();
  const { bytes, count, kinds } = resident();
  const sample = { resident: bytes / 2 ** 20, heap: (told?.heap ?? NaN) / 2 ** 20, nodes: told?.nodes ?? nodes, listeners: told?.listeners ?? NaN, workers };
  samples.push(sample);
  const deedsDone = [...done.values()].reduce((a, b) => a + b, 0);
  console.log(`${clock()} min, visit ${visit}: ${sample.resident.toFixed(0)} MB in ${count} processes (${Object.entries(kinds).map(([kind, own]) => `${kind} ${(own / 2 ** 20).toFixed(0)}`).join(", ")}), ${told ? `heap ${sample.heap.toFixed(1)} MB, ` : ""}${told?.nodes ? `${sample.nodes} nodes, ${sample.listeners} listeners, ` : ""}${nodes} nodes in the document, ${workers} workers, ${state}; ${deedsDone} deeds, ${findings.length} findings`);
}

let deploys = 0;
/** Deploys a new version: one asset gets another name, and so does every asset that names it. */
function deploy() {
  const all = readdirSync(site.folder, { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith("some/") && statSync(join(site.folder, path)).isFile());
  const texts = new Map(all.filter((path) => /\.(html|js|mjs|css|json|webmanifest|txt|xml)$/.test(path)).map((path) => [path, readFileSync(join(site.folder, path), "utf8")]));
  const base = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);
  const first = one(all.filter((path) => /^assets\/(share|watch|export|tour)-\w+\.js$/.test(path)));
  const moved = new Set([first]);
  for (let size = 0; size !== moved.size; ) {
    size = moved.size;
    for (const [path, text] of texts) if (path.startsWith("assets/") && [...moved].some((other) => text.includes(base(other)))) moved.add(path);
  }
  const mark = createHash("sha256").update(String(++deploys)).digest("hex").toUpperCase();
  const renamed = new Map([...moved].map((path, k) => [base(path), base(path).replace(/-\w{8}\./, () => `-${mark.slice(k % 40, (k % 40) + 8)}.`)]));
  const hash = (/** @type {string} */ text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  let worker = texts.get("sw.js") ?? "";
  for (const [path, text] of texts) {
    if (path === "sw.js") continue;
    let next = text;
    for (const [from, to] of renamed) next = next.replaceAll(from, to);
    if (next === text && !moved.has(path)) continue;
    worker = worker.replaceAll(hash(text), hash(next));
    writeFileSync(join(site.folder, path), next);
  }
  for (const path of moved) renameSync(join(site.folder, path), join(site.folder, "assets", /** @type {string} */ (renamed.get(base(path)))));
  for (const [from, to] of renamed) worker = worker.replaceAll(from, to);
  writeFileSync(join(site.folder, "sw.js"), worker.replace(/"[0-9a-f]{16}"/, `"${mark.slice(0, 16).toLowerCase()}"`));
  return `${first} and ${moved.size - 1} that lead to it`;
}

/** Opens a page of another origin, which has frames of the site and gives them commands. */
async function embeds() {
  await load(host);
  await run(`while (heard.filter(({ data }) => data?.type === "ready").length < 1) await new Promise((go) => setTimeout(go, 50));`);
  for (let k = 0; k < 12; k++) {
    const command = one([{ type: "run" }, { type: "pause" }, { type: "theme", theme: one(["light", "dark", "auto"]) }, { type: "state", link: one(links.slice(0, 5)) }]);
    await run(`frames[arguments[0]].postMessage({ cpsrl: 1, id: 1, ...arguments[1] }, "*"); scrollTo(0, 600 * arguments[0]);`, below(3), command);
    await wait(500);
  }
  await run(`scrollTo(0, 0); heard.length = 0; frames[0].postMessage({ cpsrl: 1, type: "state", link: "v=1&domain=figure1&episodes=60&runs=4" }, "*"); frames[0].postMessage({ cpsrl: 1, type: "run" }, "*");`);
  const print = await run(`for (let k = 0; k < 1600; k++) { const found = heard.find(({ data, frame }) => frame === 0 && data?.type === "finished" && data.runs === 4); if (found) return found.data.fingerprint; await new Promise((go) => setTimeout(go, 50)); } return JSON.stringify(heard.slice(-5));`);
  if (print !== golden.presets["fig1-quick"]) find(`an embed: ${print}`);
  hear();
}

let off = false;
/** Brings the network back if it is off. */
async function plug() {
  if (!off) return;
  off = false;
  await site.plug();
  console.log(`${clock()} and on`);
}

const worker = join(site.folder, "sw.js");
renameSync(worker, `${worker}.kept`); // the first visits keep no copy, so they notice whatever is missing
let copies = false;
const length = Math.max(1, Math.min(12, Number(minutes) / 5)) * 60_000;
try {
  for (let visit = 1; Date.now() < end; visit++) {
    if (visit === 3) {
      renameSync(`${worker}.kept`, worker);
      copies = true;
    }
    provoked = !copies; // without a copy, the browser may complain that there is no service worker
    await enter();
    const over = Math.min(end, Date.now() + length);
    const half = (Date.now() + over) / 2;
    let deployed = false;
    for (let next = Date.now(); Date.now() < over; ) {
      if (Date.now() >= next) {
        await measure(visit);
        next = Date.now() + 60_000;
      }
      if (random() < 0.08) {
        provoked = true;
        off = true;
        site.unplug();
        console.log(`${clock()} the network is off`);
        await use(6 + below(8));
        await plug();
      } else if (!deployed && Date.now() > half) {
        deployed = provoked = true;
        if (!copies) renameSync(`${worker}.kept`, worker);
        console.log(`${clock()} a new deploy: ${deploy()}`);
        if (!copies) renameSync(worker, `${worker}.kept`);
      }
      await use(6);
    }
    hear();
    if (Date.now() < end) await embeds();
  }
} catch (error) {
  find(`the browser: ${error instanceof Error ? error.message : String(error)}`);
}
hear();

/** @param {keyof Sample} name */
function quarters(name) {
  const list = samples.map((sample) => sample[name]);
  const part = Math.max(1, Math.floor(list.length / 4));
  const median = (/** @type {number[]} */ some) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? NaN;
  const [first, last] = [median(list.slice(0, part)), median(list.slice(-part))];
  return `${name} ${first.toFixed(1)} → ${last.toFixed(1)} (${(100 * (last / first - 1)).toFixed(0)} %)`;
}
console.log(`\n${browser.name}, ${minutes} minutes, seed ${seed}: ${[...done.values()].reduce((a, b) => a + b, 0)} deeds, ${deploys} deploys, ${samples.length} checks of fig1-quick; medians of the first and the last quarter:`);
console.log((/** @type {const} */ (["resident", "heap", "nodes", "listeners", "workers"])).filter((name) => samples.every((sample) => !Number.isNaN(sample[name]))).map(quarters).join("; "));
for (const [name, count] of tried) if (count >= 20 && !done.has(name)) find(`${name} never did anything in ${count} trials`);
console.log(`deeds of trials: ${[...tried].map(([name, count]) => `${name} ${done.get(name) ?? 0}/${count}`).join(", ")}`);
console.log(`said: ${[...said].map(([words, count]) => `“${words}” ${count}×`).join("; ") || "nothing"}`);
console.log(`${findings.length} findings`);
await browser.close();
elsewhere.close();
site.stop();
process.exit(findings.length > 0 ? 1 : 0);
