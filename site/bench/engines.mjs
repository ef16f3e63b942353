// fig2a in the three browser engines, of dist/: node site/bench/engines.mjs [ROUNDS]. In turns,
// so that what else the machine does weighs on all; seconds from Run to the end, and the ratio of
// medians to Chromium's.

import { serveAlone } from "../test/browser.mjs";
import { chromium } from "../test/drivers/chromium.mjs";
import { firefox } from "../test/drivers/firefox.mjs";
import { webkit } from "../test/drivers/webkit.mjs";

const rounds = Number(process.argv[2] ?? 3);
const site = await serveAlone();

/** @type {Record<string, number[]>} */
const all = {};
/** @type {Set<string>} */
const fingerprints = new Set();
for (let round = 0; round < rounds; round++) {
  for (const start of [chromium, firefox, webkit]) {
    const browser = await start();
    const reach = (/** @type {string} */ state) => browser.run("while (document.documentElement.dataset.state !== arguments[0]) await new Promise((go) => setTimeout(go, 50));", state);
    await browser.open(`${site.origin}fig2a/`);
    await reach("ready");
    const begin = performance.now();
    await browser.run("document.getElementById('run').click();");
    await reach("finished");
    (all[browser.name] ??= []).push((performance.now() - begin) / 1000);
    fingerprints.add(await browser.run("return document.getElementById('fingerprint').textContent;"));
    await browser.close();
  }
}
site.stop();

const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
for (const [name, seconds] of Object.entries(all)) {
  console.log(`${name}: ${seconds.map((s) => s.toFixed(1)).join(", ")} s; ÷ Chromium ${(median(seconds) / median(all["Chromium"] ?? [])).toFixed(2)}`);
}
if (fingerprints.size !== 1) throw new Error(`the engines differ: ${[...fingerprints].join(", ")}`);
