// The figure of a preset as a still picture: an SVG that follows the theme, and
// the PNG that other sites show beside a link (og:image).

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * @typedef {{agent: string, base?: string, measure: string, mean: number[], lo: (number|null)[], hi: (number|null)[]}} Curve
 * @typedef {{title: string, runs: number, engine: number, conclusion: string, episodes: number[], series: Curve[]}} Figure
 * @typedef {import("./src/formats").Catalogue} Catalogue
 */

const fonts = "'Liberation Sans', Arial, Helvetica, sans-serif";

/** @param {string} text */
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** @param {number} x */
const round = (x) => Math.round(x * 10) / 10;

/** About `count` round numbers from 0 to `end`. @param {number} end @param {number} count */
function ticks(end, count) {
  const rough = end / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (/** @type {number} */ ([1, 2, 5, 10].find((m) => m * power >= rough)));
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
}

/**
 * Draws the figure's curves of the first measure, with the names and looks of the catalogue.
 * @param {Figure} figure
 * @param {Pick<Catalogue, "agents" | "measures">} catalogue
 * @param {{width: number, height: number, title: string, card?: boolean}} size a card has a title and a background
 */
export function poster(figure, { agents, measures }, { width, height, title, card = false }) {
  const { key, noun } = /** @type {Catalogue["measures"][0]} */ (measures[0]);
  const curves = figure.series.filter((s) => s.measure === key && s.base === undefined).map((curve) => {
    const agent = agents.find(({ label }) => label === curve.agent);
    if (!agent) throw new Error(`the catalogue has no agent ${curve.agent}`);
    return { ...curve, agent };
  });
  const unit = width / 720;
  const size = 14 * unit;
  const left = (card ? 96 : 52) * unit;
  const right = width - (card ? 150 : 118) * unit;
  const top = card ? 190 : 34 * unit;
  const bottom = height - (card ? 84 : 44) * unit;
  const lastEpisode = /** @type {number} */ (figure.episodes.at(-1));
  const most = Math.max(...curves.flatMap(({ mean, hi }) => mean.map((y, i) => Math.max(y, hi[i] ?? y)))) || 1;
  const x = (/** @type {number} */ k) => round(left + ((right - left) * k) / lastEpisode);
  const y = (/** @type {number} */ v) => round(bottom - ((bottom - top) * v) / (most * 1.04));
  const episode = (/** @type {number} */ i) => /** @type {number} */ (figure.episodes[i]);
  const line = (/** @type {number[]} */ values) => values.map((v, i) => `${x(episode(i))},${y(v)}`).join(" ");
  /** @type {string[]} */
  const parts = [];
  const text = (/** @type {number} */ px, /** @type {number} */ py, /** @type {string} */ words, more = "") =>
    parts.push(`<text x="${round(px)}" y="${round(py)}" ${more}>${escape(words)}</text>`);

  for (const v of ticks(most * 1.04, 4)) {
    parts.push(`<path class="grid" d="M${round(left)} ${y(v)}H${round(right)}"/>`);
    text(left - 8 * unit, y(v) + size * 0.35, String(round(v)), 'class="muted" text-anchor="end"');
  }
  for (const k of ticks(lastEpisode, 4)) text(x(k), bottom + 20 * unit, String(k), 'class="muted" text-anchor="middle"');
  text(right, bottom + 38 * unit, "Episode", 'class="muted" text-anchor="end"');
  if (!card) text(0, 14 * unit, noun, 'class="muted"');

  for (const { agent: { look: { color, dash } }, mean, lo, hi } of curves) {
    const band = [...hi.map((v, i) => `${x(episode(i))},${y(v ?? mean[i] ?? 0)}`), ...lo.map((v, i) => `${x(episode(i))},${y(v ?? mean[i] ?? 0)}`).reverse()].join(" ");
    parts.push(`<polygon points="${band}" fill="${color}" fill-opacity="0.18"/>`);
    parts.push(`<polyline points="${line(mean)}" fill="none" stroke="${color}" stroke-width="${round(2.25 * unit)}" stroke-linejoin="round" stroke-dasharray="${dash.join(" ") || "none"}"/>`);
  }
  // Direct labels, moved apart.
  const labels = curves.map(({ agent, mean }) => ({ at: y(/** @type {number} */ (mean.at(-1))), color: agent.look.color, name: agent.short })).sort((a, b) => b.at - a.at);
  let above = Infinity;
  for (const label of labels) {
    const at = Math.min(label.at, above - size * 1.15);
    above = at;
    parts.push(`<circle cx="${round(right + 9 * unit)}" cy="${round(at)}" r="${round(4 * unit)}" fill="${label.color}"/>`);
    text(right + 18 * unit, at + size * 0.35, label.name);
  }
  if (card) {
    text(left - 40 * unit, 74, title, `font-size="46" font-weight="700"`);
    text(left - 40 * unit, 120, `${figure.title.replaceAll("_", "")}. ${noun}, mean and 95% c.i., ${figure.runs} runs.`, 'font-size="24" class="muted"');
    text(left - 40 * unit, height - 34, "C-PSRL playground: posterior sampling with a causal graph prior, in a browser tab", 'font-size="24" class="muted"');
  }
  const paint = card
    ? "text{fill:#1c1b19}.muted{fill:#5c5953}.grid{stroke:#e3e0da}"
    : "text{fill:#1c1b19}.muted{fill:#5c5953}.grid{stroke:#e3e0da}@media(prefers-color-scheme:dark){text{fill:#ecebe7}.muted{fill:#aaa79f}.grid{stroke:#32312e}}";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fonts}" font-size="${round(size)}">` +
    `<title>${escape(title)}</title><desc>${escape(figure.conclusion)}</desc><style>${paint}.grid{fill:none;stroke-width:${round(unit)}}</style>` +
    (card ? `<rect width="${width}" height="${height}" fill="#ffffff"/>` : "") +
    `${parts.join("")}</svg>\n`
  );
}

/**
 * Renders an SVG as PNG, with one font.
 * @param {string} svg
 * @param {string[]} fontFiles
 */
export function png(svg, fontFiles) {
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js");
  return new Resvg(svg, { font: { fontFiles, loadSystemFonts: false, defaultFontFamily: "Go", sansSerifFamily: "Go" } }).render().asPng();
}

/** @param {string} file @returns {Figure} */
export const readFigure = (file) => JSON.parse(readFileSync(file, "utf8"));
