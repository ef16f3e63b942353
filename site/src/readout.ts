// The legend, which is also the read-out: a row for each agent, with a box that
// shows or hides its curve, and what each result has for it at one episode.

import { styleOf, swatch } from "./agents";
import { make } from "./dom";
import { nearest, type Curve, type Written } from "./results";

/** One result's curves of the measure. */
export interface Column {
  /** "" is the main result. */
  readonly mark: string;
  readonly title: string;
  readonly curves: readonly Curve[];
}

/** What identifies a curve in the legend. */
export const rowOf = ({ agent, base }: Curve): string => (base === undefined ? agent : `${agent} − ${base}`);

export const nameOf = ({ agent, base }: Curve): string => styleOf(agent).name + (base === undefined ? "" : ` − ${styleOf(base).name}`);

/** A curve's name and mark, as on the chart. */
export function labelOf({ agent, base }: Curve, mark: string, short: boolean): string {
  const { name, short: brief } = styleOf(agent);
  if (short && mark !== "") return mark;
  const label = base === undefined ? (short ? brief : name) : short ? "Difference" : `${name} − ${styleOf(base).name}`;
  return mark === "" ? label : `${label} · ${mark}`;
}

/** A mean and its interval in words: "35.30, 95% interval 33.10 to 37.50". */
function words({ mean, lo, hi }: Curve, k: number, number: Written): string {
  const interval = Number.isNaN(lo[k]) ? "" : `, 95% interval ${number(lo[k]!)} to ${number(hi[k]!)}`;
  return number(mean[k]!) + interval;
}

/** Says what the columns have at an episode, for a screen reader. */
export function spoken(columns: readonly Column[], hidden: ReadonlySet<string>, episode: number, number: Written): string {
  const parts = columns.flatMap(({ mark, curves }) =>
    curves.flatMap((curve) => {
      const k = nearest(curve, episode);
      if (k < 0 || hidden.has(rowOf(curve))) return [];
      const at = curve.episodes[k] === episode ? "" : ` at ${curve.episodes[k]}`;
      return [`${nameOf(curve)}${mark && ` ${mark}`}${at} ${words(curve, k, number)}`];
    }),
  );
  return `Episode ${episode}: ${parts.join("; ")}.`;
}

export class Readout {
  onchange: () => void = () => {};
  readonly hidden = new Set<string>();
  #shape = "";
  #cells: HTMLTableCellElement[][] = [];
  #head: HTMLElement = make("span");

  constructor(private readonly table: HTMLTableElement) {}

  /** Shows the columns at an episode. */
  show(columns: readonly Column[], episode: number, number: Written): void {
    const rows = new Map<string, Curve>();
    for (const { curves } of columns) for (const curve of curves) if (!rows.has(rowOf(curve))) rows.set(rowOf(curve), curve);
    const shape = JSON.stringify([[...rows.keys()], columns.map(({ mark, title }) => [mark, title])]);
    if (shape !== this.#shape) this.#build([...rows], columns);
    this.#shape = shape;
    this.#head.textContent = String(episode);
    [...rows.keys()].forEach((row, i) => {
      columns.forEach(({ curves }, j) => {
        const curve = curves.find((c) => rowOf(c) === row);
        fill(this.#cells[i]![j]!, curve, episode, number);
      });
    });
  }

  #build(rows: readonly (readonly [string, Curve])[], columns: readonly Column[]): void {
    const focused = this.table.querySelector<HTMLInputElement>("input:focus")?.value;
    this.#head = make("span");
    this.#cells = rows.map(() => columns.map(() => make("td")));
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, "Episode ", this.#head),
      ...columns.map(({ mark, title }) => make("th", { scope: "col" }, mark === "" ? title : make("b", {}, mark))),
    );
    const body = rows.map(([row, curve], i) => {
      const box = make("input", { type: "checkbox", value: row, checked: !this.hidden.has(row) });
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(row);
        else this.hidden.add(row);
        this.onchange();
      });
      return make("tr", {}, make("th", { scope: "row" }, make("label", {}, box, swatch(curve.agent, 32), nameOf(curve))), ...this.#cells[i]!);
    });
    this.table.replaceChildren(
      make("caption", { className: "hidden" }, "The curves at one episode: mean and 95% confidence interval"),
      make("thead", {}, head),
      make("tbody", {}, ...body),
    );
    if (focused !== undefined) [...this.table.querySelectorAll("input")].find(({ value }) => value === focused)?.focus();
  }
}

function fill(cell: HTMLTableCellElement, curve: Curve | undefined, episode: number, number: Written): void {
  const k = curve ? nearest(curve, episode) : -1;
  if (!curve || k < 0) {
    cell.textContent = "–";
    return;
  }
  const { episodes, mean, lo, hi } = curve;
  const interval = Number.isNaN(lo[k]) ? "" : `${number(lo[k]!)} to ${number(hi[k]!)}`;
  const at = episodes[k] === episode ? "" : ` at ${episodes[k]}`;
  cell.replaceChildren(make("span", {}, number(mean[k]!)), make("small", {}, `${interval}${at}`));
}
