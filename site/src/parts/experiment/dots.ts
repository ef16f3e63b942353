// A dot for each run instead of curves: its last value, or the episodes until the agent has
// learned. A press on a dot leads to its run.

import { html } from "lit-html";
import { styleOf } from "../../agents";
import type { Estimate, RunEnd, Spread } from "../../formats";
import { type Result, runsWords, type Written } from "../../state/results";
import { Chart, type Dotted, svg, type Whose } from "./chart";

/** How many dots a chart has at most. */
const most = 2000;
/** How far from a dot a press may be, in the chart's px. */
const reach = 12;

/** How the runs of a result ended. A kept result has a mark. */
interface Ended {
  readonly mark: string;
  readonly result: Result;
  readonly spread: Spread;
}

interface Dot extends Whose {
  /** The row of the figure, from 0. */
  readonly row: number;
  readonly mark: string;
  readonly run: number;
  readonly value: number;
  readonly words: string;
  /** The episode to which a press on the dot leads. */
  readonly episode: number;
}

const endOf = ({ final, learned }: RunEnd, of: Dotted["of"]): number | null => (of === "final" ? final : (learned ?? null));

/** The dots of the agents that are not hidden, in the main result and in those behind it. */
export function dotted(of: Dotted["of"], list: readonly Ended[], hidden: ReadonlySet<string>, number: Written): Dotted | undefined {
  const agents = list.flatMap(({ mark, result, spread }) =>
    result.spec.agents
      .filter((agent) => !hidden.has(agent))
      .map((agent) => ({
        mark,
        result,
        agent,
        endings: spread.endings.filter((ending) => ending.agent === agent && (of === "learned" || ending.final !== null)),
      }))
      .filter(({ endings }) => endings.length > 0),
  );
  if (agents.length === 0) return undefined;
  const drawn = Math.max(1, Math.floor(most / agents.length));
  const rows = agents.map(({ endings, ...row }) => ({ ...row, endings: endings.slice(0, drawn) }));
  const dots = rows.flatMap(({ mark, agent, result, endings }, row) =>
    endings.map((ending): Dot => {
      const value = endOf(ending, of);
      const words =
        value === null
          ? result.regret === undefined
            ? "not yet"
            : "not known: there is no regret"
          : of === "learned"
            ? `after ${value} episodes`
            : number(value);
      return { row, agent, mark, run: ending.run, value: value ?? NaN, words, episode: (of === "learned" && value) || result.spec.episodes };
    }),
  );
  const [main] = list;
  return {
    of,
    request: {
      dots: of,
      lines: rows.map(({ agent, mark, endings }) => ({
        agent,
        mark,
        points: endings.map((ending, k) => [k + 1, endOf(ending, of) ?? 0]),
      })),
    },
    few: agents.some(({ endings }) => endings.length > drawn) ? drawn : undefined,
    chart: (document) => new DotChart(document, dots, main!.result.spec.episodes),
    table: () => [ends(main!, number), table(main!, number)],
  };
}

class DotChart extends Chart {
  readonly #places = new Map<Dot, readonly [number, number]>();
  override readonly dotted = true;
  override readonly hint = "Click a dot, or use the arrow keys on the chart, to choose a run; a button beside it then shows it on the stage.";

  constructor(
    document: string,
    private readonly dots: readonly Dot[],
    private readonly episodes: number,
  ) {
    super(document, []);
    // The engine draws the dots row by row, each row from its least value on, with those without a value last.
    const rows = [...new Set(dots.map(({ row }) => row))];
    const low = this.facts.logX ? 0 : -Infinity;
    const drawn = rows.flatMap((row) =>
      dots
        .filter((dot) => dot.row === row && !(dot.value <= low))
        .toSorted((a, b) => (Number.isNaN(a.value) ? Number(!Number.isNaN(b.value)) : Number.isNaN(b.value) ? -1 : a.value - b.value)),
    );
    for (const [k, path] of [...this.element.querySelectorAll("path.dot")].entries()) {
      const [x, y] =
        /^M([\d.]+)[ ,]([\d.]+)/
          .exec(path.getAttribute("d") ?? "")
          ?.slice(1)
          .map(Number) ?? [];
      if (drawn[k] && x !== undefined && y !== undefined) this.#places.set(drawn[k], [x, y]);
    }
  }

  #dotOf(whose: Whose | undefined): Dot | undefined {
    return this.dots.find((other) => other.mark === "" && other.agent === whose?.agent && other.run === whose.run);
  }

  override point(_episode: number | undefined, whose?: Whose): void {
    this.cursor.replaceChildren();
    const dot = this.#dotOf(whose);
    const place = dot && this.#places.get(dot);
    if (!dot || !place) return;
    const [cx, cy] = place;
    const right = this.inRightHalf(cx);
    this.cursor.append(
      svg("circle", { cx, cy, r: 5.5, fill: styleOf(dot.agent).color, stroke: "currentColor", "stroke-width": 2 }),
      this.label(`run ${dot.run}: ${dot.words}`, cx + (right ? -10 : 10), cy - 8, right),
    );
  }

  override spot(_episode: number, whose?: Whose) {
    const dot = this.#dotOf(whose);
    const place = dot && this.#places.get(dot);
    return place && this.spotAt(...place);
  }

  override stand(): undefined {
    return undefined;
  }

  override whoseAt(clientX: number, clientY: number): (Whose & { readonly episode: number }) | undefined {
    const [x, y] = this.placeAt(clientX, clientY);
    const near = this.dots.flatMap((dot) => {
      const place = dot.mark === "" ? this.#places.get(dot) : undefined;
      const far = place ? Math.hypot(place[0] - x, place[1] - y) : Infinity;
      return far <= reach ? [{ dot, far }] : [];
    });
    return near.toSorted((a, b) => a.far - b.far)[0]?.dot;
  }

  /** All runs with a dot, row by row, each from left to right. */
  override runsAt(): readonly Dot[] {
    const across = (dot: Dot): number => this.#places.get(dot)?.[0] ?? -1;
    const agents = [...new Set(this.dots.map(({ agent }) => agent))];
    return this.dots
      .filter(({ mark }) => mark === "")
      .toSorted((a, b) => agents.indexOf(a.agent) - agents.indexOf(b.agent) || across(a) - across(b) || a.run - b.run);
  }

  override get across() {
    return { ...super.across, episodeOf: (part: number) => Math.round(Math.min(this.episodes, Math.max(1, part * this.episodes))) };
  }
}

/** Where the runs of each agent ended, with 95% intervals, and in how many it has learned. */
function ends({ spread }: Ended, number: Written) {
  const cell = ({ value, lo, hi }: Estimate) => html`<td>${number(value ?? NaN)}${lo === null || hi === null ? "" : ` (${number(lo)} to ${number(hi)})`}</td>`;
  const learned = new Map(spread.learned.map(({ agent, words }) => [agent, words]));
  return html`<table>
    <caption>Where ${runsWords(spread.runs)} ended, with 95% intervals: Student’s t for the mean, a stratified bootstrap for the median and the interquartile mean (IQM)</caption>
    <thead><tr><th scope="col">Agent</th>${["mean", "median", "IQM", "learned in"].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody translate="no">${spread.ends.map(
      ({ agent, mean, median, iqm }) =>
        html`<tr><th scope="row">${styleOf(agent).name}</th>${[mean, median, iqm].map(cell)}<td>${learned.get(agent) ?? "–"}</td></tr>`,
    )}</tbody>
  </table>`;
}

function table({ result, spread }: Ended, number: Written) {
  const { agents, firstRun = 0 } = result.spec;
  const of = new Map(spread.endings.map((ending) => [JSON.stringify([ending.agent, ending.run]), ending]));
  const cells = (agent: string, run: number) => {
    const ending = of.get(JSON.stringify([agent, run]));
    return html`<td>${ending?.final == null ? "–" : number(ending.final)}</td><td>${result.regret === undefined ? (ending?.learned ?? "not yet") : "–"}</td>`;
  };
  const runs = Array.from({ length: Math.min(spread.runs, most) }, (_, k) => firstRun + k);
  return html`<table>
    <caption>How each of ${runsWords(spread.runs)} ended: the last value, and the episodes until the agent has learned</caption>
    <thead>
      <tr><td></td>${agents.map((agent) => html`<th scope="colgroup" colspan="2">${styleOf(agent).name}</th>`)}</tr>
      <tr><th scope="col">Run</th>${agents.map(() => html`<th scope="col">last</th><th scope="col">learned</th>`)}</tr>
    </thead>
    <tbody translate="no">${runs.map((run) => html`<tr><th scope="row">${run}</th>${agents.map((agent) => cells(agent, run))}</tr>`)}</tbody>
  </table>`;
}
