// The legend, which is also the read-out. Each agent has a row, with a box that shows or
// hides its curve, and with its values in each result at one episode.

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { styleOf, swatch } from "../../agents";
import type { Facts } from "../../formats";
import { type Curve, nearest, type Result, runsWords, type Written } from "../../state/results";
import { isLongName } from "./room";

/** One result's curves of the measure. */
export interface Column {
  /** "" for the main result. */
  readonly mark: string;
  /** Its word on the chart, if it has one. */
  readonly tag?: string | undefined;
  readonly title: string;
  readonly curves: readonly Curve[];
  /** The kept result whose curves they are. */
  readonly result?: Result;
}

export const nameOf = ({ agent, base, name }: Curve): string => name ?? styleOf(agent).name + (base === undefined ? "" : ` − ${styleOf(base).name}`);

/** What identifies a curve in the legend. */
export const rowOf = (curve: Curve): string => (curve.base === undefined ? curve.agent : nameOf(curve));

const glossOf = ({ agent, base }: Curve) => (base === undefined && styleOf(agent).gloss ? html`<small class="gloss">${styleOf(agent).gloss}</small>` : nothing);

/** What marks a curve of another program. */
const markOf = ({ foreign, runs = 0 }: Curve) => (foreign === undefined ? nothing : html`<small class="foreign">not computed here, ${runsWords(runs)}</small>`);

/** A name in which "C-PSRL" stays on one line. */
const unbroken = (name: string) => name.split(/(\S*-PSRL)/).map((part, i) => (i % 2 === 1 ? html`<span class="word">${part}</span>` : part));

/** Whether a column has medians and the middle half of the runs. Otherwise it has means and their intervals. */
const areMedians = ({ curves }: Column): boolean => curves[0]?.least !== undefined;

/** A mean and its interval in words, such as "35.30, 95% interval 33.10 to 37.50". */
function words({ mean, lo, hi, least }: Curve, k: number, number: Written): string {
  const interval = Number.isNaN(lo[k]) ? "" : `, ${least ? "middle half of the runs" : "95% interval"} ${number(lo[k]!)} to ${number(hi[k]!)}`;
  return number(mean[k]!) + interval;
}

/** The values of all columns at an episode, in words. */
export function spoken(columns: readonly Column[], hidden: ReadonlySet<string>, episode: number, number: Written): string {
  const parts = columns.flatMap(({ mark, curves }) =>
    curves.flatMap((curve) => {
      const k = nearest(curve, episode);
      if (k < 0 || hidden.has(rowOf(curve))) return [];
      const at = curve.episodes[k] === episode ? "" : ` at ${curve.episodes[k]}`;
      return [`${nameOf(curve)}${mark && ` ${mark}`}${at} ${words(curve, k, number)}`];
    }),
  );
  return `${parts.join("; ")}.`;
}

/** The read-out at an episode. Hide is called when a box is ticked or unticked. Dashes: those of the chart. */
export function readout(
  columns: readonly Column[],
  hidden: ReadonlySet<string>,
  hide: (label: string, on: boolean) => void,
  episode: number,
  number: Written,
  dashes: Facts["dashes"] = {},
) {
  const rows = new Map<string, Curve>();
  const all = columns.flatMap(({ curves }) => curves);
  for (const curve of all.toSorted((a, b) => Number(a.foreign !== undefined) - Number(b.foreign !== undefined))) {
    if (!rows.has(rowOf(curve))) rows.set(rowOf(curve), curve);
  }
  const box = (row: string, { base }: Curve) =>
    base === undefined
      ? html`<input type="checkbox" value=${row} .checked=${live(!hidden.has(row))} @change=${({ target }: Event) => hide(row, !(target as HTMLInputElement).checked)} />`
      : nothing;
  const medians = columns.some(areMedians);
  const kind = (column: Column): string => (medians ? `, ${areMedians(column) ? "medians" : "means"}` : "");
  return html`<caption class="hidden">The curves at one episode: ${medians ? "median and 25% to 75% quantile, or mean and" : "mean and"} 95% confidence interval</caption>
    <thead><tr><th scope="col">Episode <span>${episode}</span></th>${columns.map((column) => html`<th scope="col"><span>${column.tag ? html`<b>${column.tag}</b> ` : nothing}${column.title}${kind(column)}</span></th>`)}</tr></thead>
    <tbody>${[...rows].map(
      ([row, curve]) =>
        html`<tr ?data-long=${isLongName(nameOf(curve)) || curve.foreign !== undefined}><th scope="row" title=${nameOf(curve)}><label>${box(row, curve)}${swatch(curve.agent, 32, dashes[curve.agent])}<span>${unbroken(nameOf(curve))}${markOf(curve)}</span>${glossOf(curve)}</label></th>${columns.map(
          ({ curves }) =>
            cell(
              curves.find((c) => rowOf(c) === row),
              episode,
              number,
            ),
        )}</tr>`,
    )}</tbody>`;
}

function cell(curve: Curve | undefined, episode: number, number: Written) {
  const k = curve ? nearest(curve, episode) : -1;
  if (!curve || k < 0) return html`<td>–</td>`;
  const { episodes, mean, lo, hi } = curve;
  const interval = Number.isNaN(lo[k]) ? "" : `${number(lo[k]!)}${lo[k]! < 0 ? " to " : "–"}${number(hi[k]!)}`;
  const at = episodes[k] === episode ? "" : `${interval && ", "}episode ${episodes[k]}`;
  return html`<td><span>${number(mean[k]!)}</span><small>${interval}${at}</small></td>`;
}
