// The data table behind the chart.

import { styleOf } from "./agents";
import { make } from "./dom";
import type { Series } from "./formats";

const rows = 25;
/** Four digits of the largest value, and as many decimals for the rest. */
function formatter(largest: number): Intl.NumberFormat {
  const digits = Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(largest || 1))));
  return new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Writes the curves into the box as a table of at most 25 evenly spaced episodes. */
export function fillTable(box: HTMLElement, title: string, series: readonly Series[]): void {
  const last = Math.max(0, ...series.map(({ mean }) => mean.length));
  const step = Math.max(1, Math.ceil(last / rows));
  const episodes = Array.from({ length: Math.ceil(last / step) }, (_, i) => last - i * step).reverse();
  const number = formatter(Math.max(...series.map(({ mean }) => mean.reduce((largest, y) => Math.max(largest, Math.abs(y)), 0))));
  const cell = (value = NaN) => make("td", {}, Number.isNaN(value) ? "–" : number.format(value));
  const head = make(
    "thead",
    {},
    make("tr", {}, make("td"), ...series.map(({ agent }) => make("th", { scope: "colgroup", colSpan: 3 }, styleOf(agent).name))),
    make("tr", {}, make("th", { scope: "col" }, "Episode"), ...series.flatMap(() => ["mean", "low", "high"].map((name) => make("th", { scope: "col" }, name)))),
  );
  const body = make("tbody");
  for (const episode of episodes) {
    const row = make("tr", {}, make("th", { scope: "row" }, String(episode)));
    for (const { mean, lo, hi } of series) row.append(cell(mean[episode - 1]), cell(lo[episode - 1]), cell(hi[episode - 1]));
    body.append(row);
  }
  const every = step === 1 ? "every episode" : `every ${step} episodes`;
  box.replaceChildren(make("table", {}, make("caption", {}, `${title}, ${every}: mean and 95% confidence interval`), head, body));
}
