// Checks of how a page looks: axe's rules, sideways scrolling, and the difference between two pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { sized } from "./browser.mjs";
import { cases } from "./long.mjs";

/** @typedef {import("playwright-core").Page} Page */

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Asserts that axe finds nothing in the page, or in a part of it, that the page does
 * not scroll sideways, and that no button is too narrow for its words. The preview of the dialog Embed is left out, because it
 * repeats the page's landmarks.
 * @param {Page} page
 * @param {string} what names the state of the page, for the message of a failure
 * @param {string} part a selector
 * @param {string[]} [only] the names of the rules that axe checks; without it, axe checks all that it has by default, and the size of targets
 */
export async function seemly(page, what, part = "html", only) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))); // what follows a new width is drawn
  const { wide, width } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, width: innerWidth }));
  assert.ok(wide <= width, `${what}: ${wide} px wide at ${width} px`);
  const cut = await page.$$eval("button", (buttons) => buttons.filter((button) => button.checkVisibility() && button.clientWidth > 2 && button.scrollWidth > button.clientWidth).map((button) => `${button.textContent?.trim()}: ${button.scrollWidth} px in ${button.clientWidth}`));
  assert.deepEqual(cut, [], `${what}: the words of a button are cut off at ${width} px`);
  for (const frame of page.frames()) if (await frame.evaluate("typeof axe === 'undefined'")) await frame.evaluate(axe);
  const chosen = only ? { runOnly: { type: "rule", values: only } } : { rules: { "target-size": { enabled: true } } }; // of WCAG 2.2 AA, off by default
  // On a narrow page Run's bar covers what can be scrolled out from below it.
  await page.evaluate(() => {
    const bar = new CSSStyleSheet();
    bar.replaceSync(".transport { position: static !important; }");
    document.adoptedStyleSheets = [bar];
  });
  const { violations } = /** @type {any} */ (await page.evaluate(`axe.run(${JSON.stringify({ include: [part], exclude: ["#embed-preview"] })}, ${JSON.stringify({ ...chosen, resultTypes: ["violations"] })})`));
  await page.evaluate(() => void (document.adoptedStyleSheets = []));
  assert.deepEqual(violations.map((/** @type {any} */ v) => [v.id, v.nodes.map((/** @type {any} */ n) => n.target)]), [], `${what}, ${width} px`);
}

/**
 * Asserts that the page, or a part of it, is seemly at each width. The dark theme differs in its colours alone, so axe checks only
 * contrasts there, and at the first width alone unless the tests are long. The page ends in the light theme and at the first width.
 * @param {Page} page
 * @param {string} what
 * @param {readonly number[]} widths
 * @param {{part?: string, also?: (width: number, theme: "light" | "dark") => Promise<void>}} more also: what else to do at each width, in each theme
 */
export async function seemlyEverywhere(page, what, widths, { part = "html", also = async () => {} } = {}) {
  for (const theme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of theme === "light" ? widths : cases(widths.slice(0, 1), widths.slice(1))) {
      await sized(page, { width, height: 900 });
      await also(width, theme);
      await seemly(page, `${what}, ${theme}`, part, theme === "dark" ? ["color-contrast"] : undefined);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await sized(page, { width: widths[0] ?? 1280, height: 900 });
}

/**
 * The share of pixels that differ between two pictures, from 0 to 1, and the colours of some places of the first.
 * @param {Page} page
 * @param {Buffer} a
 * @param {Buffer} b
 * @param {readonly (readonly number[])[]} places
 */
export const compare = (page, a, b, places = []) => page.evaluate(async ([a, b, places]) => {
  const read = async (/** @type {string} */ data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [x, y] = [await read(a), await read(b)];
  if (x.width !== y.width || x.height !== y.height) throw new Error(`${x.width} × ${x.height} against ${y.width} × ${y.height}`);
  const apart = (/** @type {number} */ k) => Math.abs((x.data[k] ?? 0) - (y.data[k] ?? 0));
  let other = 0;
  for (let k = 0; k < x.data.length; k += 4) if (apart(k) + apart(k + 1) + apart(k + 2) > 96) other++;
  const colors = places.map(([u = 0, v = 0]) => {
    const at = 4 * (Math.round(v) * x.width + Math.round(u));
    return `#${[...x.data.slice(at, at + 3)].map((c) => c.toString(16).padStart(2, "0")).join("")}`;
  });
  return { part: other / (x.data.length / 4), colors };
}, /** @type {const} */ ([a.toString("base64"), b.toString("base64"), places]));
