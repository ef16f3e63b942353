// The speed table: `./build.sh bench`. All ratios are of medians taken in turns
// in one run on one machine, so that what else the machine does weighs on both
// sides. Prints a Markdown table.

import { execFileSync } from "node:child_process";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open, reach, start } from "../test/browser.mjs";

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

/** Seconds of an operation of each Go benchmark that matches. @param {string} pattern */
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
 * @param {{preset: string, agents?: string[], runs?: number, episodes?: number}} settings
 */
async function inPage(page, { preset, agents, runs, episodes }) {
  await page.selectOption("#preset", preset);
  if (agents) for (const box of await page.locator("#paper-agents input").all()) await box.setChecked(agents.includes((await box.getAttribute("value")) ?? ""));
  if (runs) await page.fill("#runs", String(runs));
  if (episodes) await page.fill("#episodes", String(episodes));
  const begin = performance.now();
  await page.click("#run");
  await reach(page, "finished");
  return (performance.now() - begin) / 1000;
}

/** Seconds and peak resident megabytes of a command. @param {string[]} command */
function measured(...command) {
  const script = "import resource,subprocess,sys,time;t=time.time();subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);print(time.time()-t,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss/1024)";
  const [seconds, megabytes] = run("/usr/bin/python3", "-c", script, ...command).trim().split(" ").map(Number);
  return { seconds: seconds ?? NaN, megabytes: megabytes ?? NaN };
}

const episodes = join(tmpdir(), `cpsrl-bench-${process.pid}.test`);
const cli = join(tmpdir(), `cpsrl-bench-${process.pid}`);
run("go", "test", "-c", "-o", episodes, "./core/experiment");
run("go", "build", "-o", cli, "./core/cmd/cpsrl");

const site = await start();
const { page } = await open(site.browser, site.origin);

/** @type {Record<string, number[]>} */
const samples = {};
/** @param {string} name @param {number} value */
const keep = (name, value) => (samples[name] ??= []).push(value);

for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds}\n`);
  keep("numpy", Number(run("/usr/bin/python3", "site/bench/yardstick.py")));
  for (const [name, seconds] of Object.entries(benchmark("Episode"))) keep(name, seconds);
  const short = await inPage(page, { preset: "fig2a", agents: ["c-psrl"], runs: 1, episodes: 200 });
  const long = await inPage(page, { preset: "fig2a", agents: ["c-psrl"], runs: 1, episodes: 1400 });
  keep("tab c-psrl", (long - short) / 1200);
  for (const [name, seconds] of Object.entries(benchmark("Planning"))) keep(name, seconds);
}

// The whole figure, in turns; and the longest task of the page's thread on fig2c.
for (let round = 1; round <= 3; round++) {
  const native = measured(cli, "run", "-preset", "fig2a", "-workers", "2", "-o", "/dev/null");
  keep("fig2a native", native.seconds);
  keep("memory native", native.megabytes);
  keep("fig2a tab", await inPage(page, { preset: "fig2a" }));
  const workers = await Promise.all(page.workers().map((worker) => worker.evaluate(() => /** @type {any} */ (globalThis).memory?.buffer.byteLength ?? 0)));
  keep("memory tab", Math.max(0, ...workers) / 2 ** 20);
}
await page.evaluate(() => {
  const longest = /** @type {any} */ (globalThis);
  longest.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest.longestTask = Math.max(longest.longestTask, entry.duration);
  }).observe({ type: "longtask" });
});
const fig2c = await inPage(page, { preset: "fig2c" });
const longestTask = await page.evaluate(() => /** @type {any} */ (globalThis).longestTask);
await site.stop();

const of = (/** @type {string} */ name) => median(samples[name] ?? []);
const ratio = (/** @type {string} */ a, /** @type {string} */ b) => (of(a) / of(b)).toFixed(3);
const ms = (/** @type {string} */ name) => `${(of(name) * 1e3).toFixed(2)} ms`;
// The slope of log time over log S, S = 2^dY.
const dYs = [6, 8, 10, 12];
const meanX = dYs.reduce((sum, d) => sum + d, 0) / dYs.length;
const logs = dYs.map((d) => Math.log2(of(`Planning/factored/dY=${d}`)));
const meanY = logs.reduce((sum, y) => sum + y, 0) / logs.length;
const exponent = dYs.reduce((sum, d, i) => sum + (d - meanX) * ((logs[i] ?? NaN) - meanY), 0) / dYs.reduce((sum, d) => sum + (d - meanX) ** 2, 0);

console.log(`
Medians of ${rounds} rounds on ${cpus().length} cores of ${cpus()[0]?.model}, Go ${run("go", "env", "GOVERSION").trim().slice(2)}, Chromium ${site.browser.version()}.

| figure | value | of |
|---|---|---|
| flat PSRL episode at (64,8,100), native ÷ numpy | ${ratio("Episode/psrl", "numpy")} | ${ms("Episode/psrl")}, ${ms("numpy")} |
| C-PSRL episode (η=2, Z=5), native ÷ numpy's PSRL episode | ${ratio("Episode/c-psrl", "numpy")} | ${ms("Episode/c-psrl")} |
| C-PSRL episode, one worker in Chromium ÷ native | ${ratio("tab c-psrl", "Episode/c-psrl")} | ${ms("tab c-psrl")} |
| \`fig2a\` complete in Chromium | ${of("fig2a tab").toFixed(1)} s | ${(samples["fig2a tab"] ?? []).map((s) => s.toFixed(1)).join(", ")} |
| \`fig2a\`, Chromium ÷ CLI with two workers | ${ratio("fig2a tab", "fig2a native")} | ${of("fig2a native").toFixed(1)} s |
| planning at d_Y=10 (S=1024, A=8, Z=3), factored ÷ dense | ${ratio("Planning/factored/dY=10", "Planning/dense/dY=10")} | ${ms("Planning/factored/dY=10")}, ${ms("Planning/dense/dY=10")} |
| exponent of planning time in S, d_Y = 6…12 | ${exponent.toFixed(2)} | ${dYs.map((d) => ms(`Planning/factored/dY=${d}`)).join(", ")} |
| peak memory of \`fig2a\`, native | ${of("memory native").toFixed(0)} MB | |
| peak memory of \`fig2a\`, one worker's WebAssembly | ${of("memory tab").toFixed(0)} MB | |
| \`fig2c\` complete in Chromium | ${fig2c.toFixed(1)} s | longest task of the page's thread ${longestTask.toFixed(0)} ms |
`);
