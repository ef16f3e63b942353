// Prints the speed table in Markdown: `./build.sh bench`. All ratios are of medians
// whose samples were taken in turns, so that other work of the machine weighs on both
// sides.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { golden, open, reach, start } from "../test/browser.mjs";
import { sweeps, table } from "./sweep.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rounds = Number(process.argv[2] ?? 5);

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** The seconds per operation of each Go benchmark that matches. @param {string} pattern */
function benchmark(pattern) {
  /** @type {Record<string, number>} */
  const seconds = {};
  for (const [, name, ns] of run(episodes, "-test.run=^$", `-test.bench=${pattern}`, "-test.benchtime=1s").matchAll(/^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns\/op/gm)) {
    seconds[/** @type {string} */ (name)] = Number(ns) / 1e9;
  }
  return seconds;
}

/**
 * Runs a preset in the page and returns the seconds from Run to its end.
 * @param {import("playwright-core").Page} page
 * @param {string} preset
 */
async function inPage(page, preset) {
  await page.selectOption("#preset", preset);
  const begin = performance.now();
  await page.click("#run");
  await reach(page, "finished");
  return (performance.now() - begin) / 1000;
}

/** The spec of one run of fig2a's problem. @param {string} agent @param {number} count */
const spec = (agent, count) => ({ format: "cpsrl/spec", version: 6, domain: { name: "random-fmdp", rewardScopes: "tied" }, agents: [agent], episodes: count, runs: 1, seed: 1 });

/** C-PSRL with tied rows and a mixed α. */
const tied = "Episode/c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied";

/** C-PSRL with trees and a mixed α. */
const trees = "Episode/c-psrl:dirichlet=mix:0.01:0.1:1,tables=trees";

/**
 * The seconds per episode and the megabytes of WebAssembly memory of one worker:
 * a run of as many episodes as the Go benchmark plays before it starts anew, less
 * a run of one episode.
 * @param {import("playwright-core").Page} page
 * @param {string} agent
 */
const inWorker = (page, agent) => worked(page, spec(agent, 1), spec(agent, 500));

/**
 * The seconds per episode by which the second run is longer than the first, and the megabytes of WebAssembly memory.
 * @param {import("playwright-core").Page} page
 * @param {{episodes: number}[]} runs the two specs
 */
async function worked(page, ...runs) {
  const seconds = await page.evaluate(async (specs) => {
    const { worker } = /** @type {any} */ (globalThis).bench;
    const run = (/** @type {unknown} */ spec) => new Promise((resolve, reject) => {
      const begin = performance.now();
      worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
        if (data.kind === "done") resolve((performance.now() - begin) / 1000);
        else if (data.kind !== "records") reject(new Error(JSON.stringify(data)));
      };
      worker.postMessage({ kind: "request", method: "POST", path: "/v1/run", body: JSON.stringify(spec), answer: "records" });
    });
    const [one, many] = specs;
    const alone = await run(one);
    return ((await run(many)) - alone) / (many.episodes - one.episodes);
  }, /** @type {[{episodes: number}, {episodes: number}]} */ (runs));
  const held = await Promise.all(page.workers().map((worker) => worker.evaluate(() => /** @type {any} */ (globalThis).memory?.buffer.byteLength ?? 0)));
  return { seconds, megabytes: Math.max(...held) / 2 ** 20 };
}

/** The spec of a run of the largest problem that can be planned: S·A = 2²⁰, H = 100. @param {string} agent @param {number} count */
const largest = (agent, count) => ({
  format: "cpsrl/spec", version: 2, agents: [agent], episodes: count, runs: 1, seed: 1, sparseness: 3, prior: { eta: 1 },
  domain: { name: "random-fmdp", stateVariables: 17, actionVariables: 3, parents: 3 },
});

/** The spec of a run of SysAdmin: S = 1024, A = 11, H = 40. @param {string} tables @param {number} count */
const sysadmin = (tables, count) => ({ format: "cpsrl/spec", version: 6, domain: { name: "sysadmin" }, agents: ["c-psrl"], tables, episodes: count, runs: 1, seed: 1 });

/** The spec of a run of the gallery's patients: S = 720, A = 8, H = 20. @param {number} count */
const sepsis = (count) => ({ format: "cpsrl/spec", version: 4, domain: { name: "sepsis" }, agents: ["c-psrl"], episodes: count, runs: 1, seed: 1 });

/** Starts the worker that inWorker uses. @param {import("playwright-core").Page} page */
async function startWorker(page) {
  const assets = readdirSync(join(root, "dist/assets"));
  const file = (/** @type {string} */ name) => `assets/${assets.find((asset) => asset.startsWith(`${name}-`))}`;
  await page.evaluate(async ([script, engine, kernel]) => {
    const text = await (await fetch(script)).text();
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    const compile = async (/** @type {string} */ name) => WebAssembly.compileStreaming(fetch(name));
    worker.postMessage({ kind: "module", module: await compile(engine), kernel: await compile(kernel) });
    Object.assign(globalThis, { bench: { worker } });
  }, /** @type {[string, string, string]} */ ([file("worker"), file("engine"), file("kernel")]));
}

/** The seconds and the peak resident megabytes of a command. @param {string[]} command */
function measured(...command) {
  const script = "import resource,subprocess,sys,time;t=time.time();subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);print(time.time()-t,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss/1024)";
  const [seconds, megabytes] = run("/usr/bin/python3", "-c", script, ...command).trim().split(" ").map(Number);
  return { seconds: seconds ?? NaN, megabytes: megabytes ?? NaN };
}

const episodes = join(tmpdir(), `cpsrl-bench-${process.pid}.test`);
const cli = join(tmpdir(), `cpsrl-bench-${process.pid}`);
run("go", "test", "-c", "-o", episodes, "./core/experiment");
run("go", "build", "-o", cli, "./core/cmd/cpsrl");

const site = await start([]);
const { page } = await open(site.browser, site.origin, { fresh: true });
const plain = await page.context().newPage(); // the playground's page lets no other program start a worker
await plain.goto(`${site.origin}robots.txt`);
await startWorker(plain);

/** @type {Record<string, number[]>} */
const samples = {};
/** @param {string} name @param {number} value */
const keep = (name, value) => (samples[name] ??= []).push(value);

for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds}\n`);
  keep("numpy", Number(run("/usr/bin/python3", "site/bench/yardstick.py")));
  for (const [name, seconds] of Object.entries(benchmark("Episode"))) {
    keep(name, seconds);
    if (name.includes(":") && name !== tied && name !== trees) continue; // most agents with parameters are measured natively only
    const tab = await inWorker(plain, name.replace("Episode/", ""));
    keep(`tab ${name}`, tab.seconds);
    keep("memory tab", tab.megabytes);
  }
  for (const [name, seconds] of Object.entries(benchmark("Planning"))) keep(name, seconds);
}

// All of fig2a, natively and in the tab in turns; the digests of the quick presets; and the longest task of the page's thread during fig2c.
/** @type {Record<string, Set<string>>} */
const digests = {};
/** @param {string} preset @param {string | null} digest */
const note = (preset, digest) => (digests[preset] ??= new Set()).add(digest ?? "");
const fingerprint = () => page.textContent("#fingerprint");
const records = `${cli}.jsonl`;
for (let round = 1; round <= 3; round++) {
  const native = measured(cli, "run", "-preset", "fig2a", "-workers", "2", "-o", records);
  keep("fig2a native", native.seconds);
  keep("memory native", native.megabytes);
  const file = readFileSync(records);
  note("fig2a", createHash("sha256").update(file.subarray(file.indexOf("\n") + 1)).digest("hex"));
  keep("fig2a tab", await inPage(page, "fig2a"));
  note("fig2a", await fingerprint());
}
rmSync(records);
for (const [preset, digest] of Object.entries(golden.presets)) {
  await inPage(page, preset);
  note(preset, digest);
  note(preset, await fingerprint());
}
await page.evaluate(() => {
  const longest = /** @type {any} */ (globalThis);
  longest.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest.longestTask = Math.max(longest.longestTask, entry.duration);
  }).observe({ type: "longtask" });
});
const fig2c = await inPage(page, "fig2c");
const longestTask = await page.evaluate(() => /** @type {any} */ (globalThis).longestTask);

// Episodes of problems of the gallery, natively and in the tab in turns.
const document = `${cli}.json`;
/** @param {string} name @param {(count: number) => {episodes: number}} specOf @param {number} many */
async function measureGallery(name, specOf, many) {
  const [once, often] = [1, many].map((count) => {
    writeFileSync(document, JSON.stringify(specOf(count)));
    return measured(cli, "run", "-spec", document, "-workers", "1");
  });
  keep(name, ((often?.seconds ?? NaN) - (once?.seconds ?? NaN)) / (many - 1));
  keep(`memory ${name}`, often?.megabytes ?? NaN);
  const tab = await worked(plain, specOf(1), specOf(many));
  keep(`tab ${name}`, tab.seconds);
  keep(`memory tab ${name}`, tab.megabytes);
}
for (let round = 1; round <= 3; round++) {
  await measureGallery("sepsis", sepsis, 101);
  await measureGallery("sysadmin tied", (count) => sysadmin("tied", count), 41);
  await measureGallery("sysadmin trees", (count) => sysadmin("trees", count), 41);
}

// The largest problem comes last, because a worker keeps the memory that it needs for it.
for (let round = 1; round <= 3; round++) {
  const [once, thrice] = /** @type {const} */ ([1, 3]).map((count) => {
    writeFileSync(document, JSON.stringify(largest("f-psrl", count)));
    return measured(cli, "run", "-spec", document);
  });
  keep("largest", ((thrice?.seconds ?? NaN) - (once?.seconds ?? NaN)) / 2);
  keep("memory largest", thrice?.megabytes ?? NaN);
  const tab = await worked(plain, largest("f-psrl", 1), largest("f-psrl", 3));
  keep("tab largest", tab.seconds);
  keep("memory tab largest", tab.megabytes);
}
rmSync(document);
await site.stop();
process.stderr.write("sweeps\n");
const swept = table(sweeps(cli, rounds));
rmSync(episodes);
rmSync(cli);

const of = (/** @type {string} */ name) => median(samples[name] ?? []);
const ms = (/** @type {string} */ name) => `${(of(name) * 1e3).toFixed(2)} ms`;
const least = (/** @type {string} */ name) => Math.min(...(samples[name] ?? []));
// The slope of log time over log S, S = 2^dY.
const dYs = [6, 8, 10, 12, 14, 16];
const meanX = dYs.reduce((sum, d) => sum + d, 0) / dYs.length;
const logs = dYs.map((d) => Math.log2(of(`Planning/factored/dY=${d}`)));
const meanY = logs.reduce((sum, y) => sum + y, 0) / logs.length;
const exponent = dYs.reduce((sum, d, i) => sum + (d - meanX) * ((logs[i] ?? NaN) - meanY), 0) / dYs.reduce((sum, d) => sum + (d - meanX) ** 2, 0);

/**
 * A line of the table. A line without a target is for comparison.
 * @param {string} figure @param {number} value @param {number | undefined} target @param {string} detail @param {number} digits
 */
function line(figure, value, target, detail, digits, unit = "") {
  const met = target === undefined ? "" : `≤ ${target}${unit}: ${value <= target ? "met" : "MISSED"}`;
  return `| ${figure} | ${value.toFixed(digits)}${unit} | ${met} | ${detail} |`;
}
/** A line with a ratio of medians. @param {string} figure @param {string} a @param {string} b @param {number} [target] @param {string} [detail] */
const ratio = (figure, a, b, target, detail) => line(figure, of(a) / of(b), target, detail ?? `${ms(a)}, ${ms(b)}; by minima ${(least(a) / least(b)).toFixed(2)}`, 3);
const seconds = (/** @type {string} */ name) => (samples[name] ?? []).map((s) => s.toFixed(1)).join(", ");
const differing = Object.entries(digests).filter(([, found]) => found.size !== 1).map(([preset]) => preset);

console.log(`
Medians of ${rounds} rounds on ${cpus().length} cores of ${cpus()[0]?.model}, Go ${run("go", "env", "GOVERSION").trim().slice(2)}, Chromium ${site.browser.version()}.

| figure | value | target | of |
|---|---|---|---|
${ratio("flat PSRL episode at (64,8,100), native ÷ numpy", "Episode/psrl", "numpy", 0.33)}
${ratio("C-PSRL episode (η=2, Z=5), native ÷ numpy's PSRL episode", "Episode/c-psrl", "numpy", 0.12)}
${ratio("C-PSRL episode, one worker in Chromium ÷ native", "tab Episode/c-psrl", "Episode/c-psrl", 2)}
${ratio("PSRL episode, one worker in Chromium ÷ native", "tab Episode/psrl", "Episode/psrl")}
${ratio("F-PSRL episode, one worker in Chromium ÷ native", "tab Episode/f-psrl", "Episode/f-psrl")}
${ratio("C-PSRL episode, α = 0.1 ÷ α = 1, native", "Episode/c-psrl:dirichlet=0.1", "Episode/c-psrl", 1.15)}
${ratio("C-PSRL episode, ess 1 ÷ α = 1, native", "Episode/c-psrl:dirichlet=ess:1", "Episode/c-psrl", 1.15)}
${ratio("C-PSRL episode, α learned from three ÷ α = 1, native", "Episode/c-psrl:dirichlet=learn:0.01:0.1:1", "Episode/c-psrl")}
${ratio("C-PSRL episode, tied rows and three α ÷ α = 1, native", tied, "Episode/c-psrl", 2)}
${ratio("the same, one worker in Chromium", `tab ${tied}`, "tab Episode/c-psrl", 2)}
${ratio("C-PSRL episode, trees ÷ tied rows, native", trees, tied, 3)}
${ratio("the same, one worker in Chromium", `tab ${trees}`, `tab ${tied}`, 3)}
${ratio("C-PSRL episode of SysAdmin (S = 1024, A = 11, H = 40), trees ÷ tied rows, native", "sysadmin trees", "sysadmin tied", 3, `${ms("sysadmin trees")}, ${ms("sysadmin tied")}; ${of("memory sysadmin trees").toFixed(0)} MB, ${of("memory sysadmin tied").toFixed(0)} MB`)}
${ratio("the same, one worker in Chromium", "tab sysadmin trees", "tab sysadmin tied", 3, `${ms("tab sysadmin trees")}, ${ms("tab sysadmin tied")}; ${of("memory tab sysadmin trees").toFixed(0)} MB at most`)}
${line("`fig2a` complete in Chromium", of("fig2a tab"), 20, seconds("fig2a tab"), 1, " s")}
${ratio("`fig2a`, Chromium ÷ CLI with two workers", "fig2a tab", "fig2a native", 2, `${seconds("fig2a native")} s`)}
${ratio("planning at d_Y=10 (S=1024, A=8, Z=3), factored ÷ dense", "Planning/factored/dY=10", "Planning/dense/dY=10", 0.1)}
${line("exponent of planning time in S, d_Y = 6…16", exponent, 1.15, dYs.map((d) => ms(`Planning/factored/dY=${d}`)).join(", "), 2)}
${line("C-PSRL episode of sepsis (S = 720, A = 8, H = 20), native", of("sepsis") * 1e3, undefined, `${of("memory sepsis").toFixed(0)} MB`, 1, " ms")}
${line("the same, one worker in Chromium", of("tab sepsis") * 1e3, undefined, `${of("memory tab sepsis").toFixed(0)} MB`, 1, " ms")}
${line("F-PSRL episode at the largest S·A = 2²⁰ (d_Y = 17, A = 8, H = 100), native", of("largest"), undefined, `${seconds("largest")} s; ${of("memory largest").toFixed(0)} MB`, 1, " s")}
${line("the same, one worker in Chromium", of("tab largest"), undefined, `${seconds("tab largest")} s; ${of("memory tab largest").toFixed(0)} MB`, 1, " s")}
${line("peak memory of `fig2a`, native", of("memory native"), 100, "", 0, " MB")}
${line("peak memory of a worker, WebAssembly", Math.max(...(samples["memory tab"] ?? [])), 100, "", 0, " MB")}
${line("presets whose digests differ between native and Chromium", differing.length, 0, `${differing.join(", ") || `of ${Object.keys(digests).length}`}`, 0)}
${line("longest task of the page's thread during `fig2c`", longestTask, undefined, `complete in ${fig2c.toFixed(1)} s`, 0, " ms")}
`);
console.log(`\n${swept}`);
