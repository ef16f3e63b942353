// Runs fig2a of dist/ in the three browser engines: node site/bench/engines.mjs [ROUNDS]. They take turns,
// so that other work of the machine weighs on all. Prints the seconds from Run to the end, to the first tenth
// of the episodes, and of the same run again; and the ratios of the medians to Chromium's.

import { serveAlone } from "../test/browser.mjs";
import { chromium } from "../test/drivers/chromium.mjs";
import { firefox } from "../test/drivers/firefox.mjs";
import { webkit } from "../test/drivers/webkit.mjs";

const rounds = Number(process.argv[2] ?? 3);
const site = await serveAlone();

/** A script that presses Run and returns the seconds to the first tenth of the episodes and to the end. */
const timed = `
  const root = document.documentElement;
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  const until = async (there) => { while (!there()) await new Promise((go) => setTimeout(go, 20)); return seconds(); };
  document.getElementById("run").click();
  await until(() => root.dataset.state === "running");
  const tenth = await until(() => document.getElementById("progress").value >= 0.1);
  return [tenth, await until(() => root.dataset.state === "finished")];`;

/** @type {Record<string, {tenth: number[], whole: number[], again: number[]}>} */
const all = {};
/** @type {Set<string>} */
const fingerprints = new Set();
for (let round = 0; round < rounds; round++) {
  for (const start of [chromium, firefox, webkit]) {
    const browser = await start();
    await browser.open(`${site.origin}fig2a/`);
    await browser.run("while (document.documentElement.dataset.state !== 'ready') await new Promise((go) => setTimeout(go, 50));");
    const [tenth, whole] = await browser.run(timed);
    const [, again] = await browser.run(timed);
    const of = (all[browser.name] ??= { tenth: [], whole: [], again: [] });
    of.tenth.push(tenth);
    of.whole.push(whole);
    of.again.push(again);
    fingerprints.add(await browser.run("return document.getElementById('fingerprint').textContent;"));
    await browser.close();
  }
}
site.stop();

const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
for (const [name, of] of Object.entries(all)) {
  for (const part of /** @type {const} */ (["whole", "tenth", "again"])) {
    console.log(`${name}, ${part}: ${of[part].map((s) => s.toFixed(1)).join(", ")} s; ÷ Chromium ${(median(of[part]) / median(all["Chromium"]?.[part] ?? [])).toFixed(2)}`);
  }
}
if (fingerprints.size !== 1) throw new Error(`the engines differ: ${[...fingerprints].join(", ")}`);
