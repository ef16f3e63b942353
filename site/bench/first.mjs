// Measures the first seconds of a visit to dist/: node site/bench/first.mjs [VISITS]. A new visitor's
// browser loads the page at 1.6 Mbit/s and 150 ms. Prints the medians of the times of the first paint,
// the figure, the film's first and next picture, and the engine. With -v it also lists the files of the
// first visit in their order; with -gzip the host has no Brotli.

import { start } from "../test/browser.mjs";

const args = process.argv.slice(2);
const visits = Number(args.find((arg) => !arg.startsWith("-")) ?? 5);

/** Notes in the page when each part is there for the first time. */
function note() {
  const seen = /** @type {Record<string, number>} */ ({});
  /** @type {any} */ (window).seen_ = seen;
  let picture = "";
  const look = () => {
    const mark = (/** @type {string} */ name, /** @type {unknown} */ there) => {
      if (there) seen[name] ??= performance.now();
    };
    mark("figure", document.querySelector("#chart svg"));
    mark("still", document.querySelector("#film :is(svg, img)"));
    const film = document.querySelector("#film svg")?.innerHTML ?? "";
    mark("next picture of the film", picture !== "" && film !== picture);
    picture = film;
    mark("engine ready", document.documentElement?.dataset["state"] === "ready");
    requestAnimationFrame(look);
  };
  look();
}

const site = await start();
/** @type {Record<string, number[]>} */
const all = {};
for (let visit = 0; visit < visits; visit++) {
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  if (args.includes("-gzip")) await client.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Encoding": "gzip" } });
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
  await page.addInitScript(note);
  await page.goto(site.origin, { waitUntil: "commit" });
  await page.waitForFunction(() => /** @type {any} */ (window).seen_["engine ready"]);
  const { seen, paint, files } = await page.evaluate(() => ({
    seen: /** @type {Record<string, number>} */ (/** @type {any} */ (window).seen_),
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    files: performance.getEntriesByType("resource").map((entry) => {
      const { name, startTime, responseEnd, encodedBodySize } = /** @type {PerformanceResourceTiming} */ (entry);
      return `${name.split("/").pop()} ${Math.round(startTime)}–${Math.round(responseEnd)} ms, ${encodedBodySize} bytes`;
    }),
  }));
  if (visit === 0 && args.includes("-v")) console.log(files.join("\n"));
  for (const [name, ms] of Object.entries({ "first paint": paint, ...seen })) (all[name] ??= []).push(ms / 1000);
  await context.close();
}
for (const [name, seconds] of Object.entries(all)) {
  const sorted = seconds.toSorted((a, b) => a - b);
  console.log(`${name}: ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)} s (${seconds.map((s) => s.toFixed(2)).join(", ")})`);
}
await site.stop();
