// The results that the chart can show, in one shape: a run of this page, a file of
// records, or the precomputed figure of a preset.

import type { Discovery, Figure, Header, Series, Snapshot, Spec } from "../formats";

/** One agent's curve of one measure. Point i belongs to episode episodes[i]. Lo and hi are NaN where there is no interval. */
export interface Curve {
  readonly agent: string;
  /** The label of a curve of another program; agent is then the name that marks it as such. */
  readonly foreign?: string | undefined;
  /** Its number of runs, which is not that of the result beside it. */
  readonly runs?: number | undefined;
  /** The curve is the difference agent − base. */
  readonly base?: string | undefined;
  /** The name of the curve, if it does not follow from its agents. */
  readonly name?: string | undefined;
  readonly measure: string;
  readonly episodes: Float64Array;
  readonly mean: Float64Array;
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** The range of the runs, for a curve of medians, whose lo and hi are the 25% and 75% quantiles. */
  readonly least?: Float64Array | undefined;
  readonly most?: Float64Array | undefined;
  readonly conclusion?: string | undefined;
}

export interface Result {
  readonly source: "run" | "file" | "figure";
  /** The name for files. */
  readonly name: string;
  readonly title: string;
  readonly spec: Spec;
  readonly modelError?: string | undefined;
  /** Why there is no regret. */
  readonly regret?: string | undefined;
  readonly engine: number;
  /** The number of whole runs. */
  readonly runs: number;
  /** Undefined while the result grows. */
  readonly fingerprint?: string | undefined;
  readonly curves: readonly Curve[];
  readonly differences: readonly Curve[];
  readonly conclusions: Snapshot["conclusions"];
  /** In how many runs each agent has learned. */
  readonly learnedIn?: string | undefined;
  /** That an agent is trapped. */
  readonly warning?: string | undefined;
  readonly discovery: readonly Discovery[];
  /** The records file. Undefined while it grows, and if it is too large to keep. */
  readonly records?: Blob | undefined;
  /** The text of the figure file. */
  readonly figure?: string | undefined;
}

/** The mark of the precomputed figure. */
export const precomputed = "precomputed";

/** A result that is kept on the chart beside the main one. */
export interface Kept {
  /** A letter, or that of the precomputed figure. It names the lines if nothing else tells them from those of the main result. */
  readonly mark: string;
  readonly result: Result;
}

type Named = Pick<Result, "source" | "name" | "title">;

/** The result of an experiment that has just begun. */
export function nothing(header: Header, about: Named): Result {
  const { spec, engine, modelError, regret } = header;
  return { ...about, spec, engine, modelError, regret, runs: 0, curves: [], differences: [], conclusions: {}, discovery: [] };
}

export function ofSnapshot(snapshot: Snapshot, header: Header, about: Named, records?: Blob): Result {
  const { runs, fingerprint, conclusions, learnedIn, warning, series, paired = [], discovery = [] } = snapshot;
  return {
    ...nothing(header, about),
    runs,
    fingerprint,
    conclusions,
    learnedIn,
    warning,
    curves: curvesOf(series),
    differences: curvesOf(paired),
    discovery,
    records,
  };
}

/** The curves of series, whose points are of the episodes 1, 2, … */
export function curvesOf(series: readonly Series[]): Curve[] {
  const most = Math.max(0, ...series.map(({ mean }) => mean.length));
  const whole = Float64Array.from({ length: most }, (_, k) => k + 1);
  return series.map((s) => ({ ...s, episodes: whole.subarray(0, s.mean.length) }));
}

export const numbers = (list: readonly (number | null)[]): Float64Array => Float64Array.from(list, (x) => x ?? NaN);

export function ofFigure(text: string, spec: Spec, about: Named): Result {
  const { engine, fingerprint, runs, regret, conclusions, episodes, series } = JSON.parse(text) as Figure;
  const whole = Float64Array.from(episodes);

  const curves = series.map(({ agent, base, measure, mean, lo, hi }) => ({
    agent,
    base,
    measure,
    episodes: whole.subarray(0, mean.length),
    mean: numbers(mean),
    lo: numbers(lo),
    hi: numbers(hi),
  }));
  return {
    ...about,
    spec,
    engine,
    runs,
    fingerprint,
    regret,
    conclusions,
    figure: text,
    discovery: [],
    curves: curves.filter(({ base }) => base === undefined),
    differences: curves.filter(({ base }) => base !== undefined),
  };
}

/** The index of the curve's point nearest to an episode, or -1 beyond the curve's end. */
export function nearest({ episodes }: Curve, episode: number): number {
  const last = episodes.length - 1;
  if (last < 0 || episode > episodes[last]!) return -1;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (episodes[middle]! < episode) low = middle + 1;
    else high = middle;
  }
  return low > 0 && episode - episodes[low - 1]! < episodes[low]! - episode ? low - 1 : low;
}

/** Formats a number for the read-out and the tables. */
export type Written = (y: number) => string;

/** Gives the largest value four digits, and the others as many decimals. Values too small for these decimals get three digits. */
export function numberFormat(curves: readonly Curve[]): Written {
  let largest = 0;
  for (const { mean } of curves) for (const y of mean) largest = Math.max(largest, Math.abs(y));
  const digits = Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(largest || 1))));
  const usual = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  return (y) => (y !== 0 && Math.abs(y) < 10 ** (1 - digits) ? small : usual).format(y).replace("-", "−");
}

export const byMeasure = (curves: readonly Curve[], measure: string): Curve[] => curves.filter((curve) => curve.measure === measure);

export const runsWords = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`);
