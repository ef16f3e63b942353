// The chart of one measure: curves by episode with their 95% bands. Loaded
// after the first paint.

import { areaY, axisX, axisY, gridY, line, plot, ruleY, text } from "@observablehq/plot";
import { max, min, nice } from "d3";
import { styleOf } from "./agents";
import type { Measure, Series } from "./formats";
import { measures } from "./measures";

export interface ChartOptions {
  readonly measure: Measure;
  readonly series: readonly Series[];
  readonly episodes: number;
  readonly width: number;
  readonly label: string;
}

/** The class of Plot's own <style>, whose hash the page's policy allows. */
const className = "plot";

const marginTop = 34;
const marginBottom = 44;
const labelHeight = 17;
const ticks = 5;

export function draw({ measure, series, episodes, width, label }: ChartOptions): SVGSVGElement | HTMLElement {
  const narrow = width < 520;
  const height = Math.round(Math.min(460, Math.max(280, width * 0.54)));
  const [low, high] = extent(measure, series);
  const place = (y: number) => marginTop + ((high - y) / (high - low)) * (height - marginTop - marginBottom);
  const names = series.map(({ agent }) => styleOf(agent).name);
  const ends = spread(series.map(({ mean }) => place(mean.at(-1)!)));
  const chart = plot({
    className,
    width,
    height,
    marginTop,
    marginBottom,
    marginLeft: narrow ? 40 : 52,
    marginRight: 20 + 7.4 * Math.max(0, ...names.map((name) => name.length)),
    style: { fontSize: "13px", fontFamily: "inherit", background: "none" },
    ariaLabel: label,
    x: { domain: [0, episodes] },
    y: { domain: [low, high] },
    marks: [
      gridY({ ticks, strokeOpacity: 0.12 }),
      axisY({ ticks, tickSize: 0, tickPadding: 8, label: measures[measure].title, labelArrow: "none", labelAnchor: "top", labelOffset: 0, textAnchor: "end" }),
      axisX({ ticks: narrow ? 4 : 8, tickSize: 4, label: "Episode", labelArrow: "none", labelAnchor: "center" }),
      ruleY([low], { strokeOpacity: 0.5 }),
      ...series.map(({ agent, lo, hi }) =>
        areaY(hi, { x: (_: unknown, k: number) => k + 1, y1: lo, y2: hi, fill: styleOf(agent).color, fillOpacity: series.length > 3 ? 0.1 : 0.16, clip: true }),
      ),
      ...series.map(({ agent, mean }) =>
        line(mean, {
          className: "curve",
          x: (_: unknown, k: number) => k + 1,
          y: mean,
          stroke: styleOf(agent).color,
          strokeWidth: 2,
          strokeDasharray: styleOf(agent).dash,
        }),
      ),
      ...series.map(({ agent, mean }, i) =>
        text([mean.at(-1)!], {
          x: () => mean.length,
          y: (y: number) => y,
          text: () => styleOf(agent).name,
          dx: 8,
          dy: ends[i]! - place(mean.at(-1)!),
          textAnchor: "start",
          fontWeight: 600,
        }),
      ),
    ],
  });
  // One picture with one description: its parts have no names of their own.
  chart.setAttribute("role", "img");
  for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return chart;
}

/** How far above the highest mean the axis follows a band. */
const headroom = 1.5;

/** The range of the vertical axis: from 0, or 0 to 1 for shares. A wide band of few runs does not squeeze the curves; it is cut off. */
function extent(measure: Measure, series: readonly Series[]): [number, number] {
  if (measure === "recall" || measure === "precision") return [0, 1];
  const low = Math.min(0, ...series.map(({ mean }) => min(mean) ?? 0));
  const top = Math.max(0, ...series.map(({ mean }) => max(mean) ?? 0));
  const band = Math.max(0, ...series.map(({ hi }) => max(hi) ?? 0));
  const high = Math.max(top, Math.min(headroom * top, band));
  const [niceLow, niceHigh] = nice(low, high === low ? low + 1 : high, ticks);
  return [niceLow, niceHigh];
}

/** Moves labels apart, keeping their order. */
function spread(places: readonly number[]): number[] {
  const moved = [...places];
  const order = moved.map((_, i) => i).sort((a, b) => moved[a]! - moved[b]!);
  for (let round = 0; round < 20; round++) {
    for (let k = 1; k < order.length; k++) {
      const above = order[k - 1]!;
      const below = order[k]!;
      const overlap = labelHeight - (moved[below]! - moved[above]!);
      if (overlap > 0) {
        moved[above]! -= overlap / 2;
        moved[below]! += overlap / 2;
      }
    }
  }
  return moved;
}
