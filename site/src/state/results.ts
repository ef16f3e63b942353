// What the chart may show, in one shape wherever it comes from: a run of this
// page, a file of records, or the precomputed figure of a preset.

import type { Conclusions, Discovery, Figure, Header, MeasureKey, Series, Snapshot, Spec } from "../formats";

/** One agent's curve of one measure: point i is of episode episodes[i]. Lo and hi are NaN where there is no interval. */
export interface Curve {
  readonly agent: string;
  /** Of a difference agent − base. */
  readonly base?: string | undefined;
  /** What it is called, where its agents do not say it. */
  readonly name?: string | undefined;
  readonly measure: MeasureKey;
  readonly episodes: Float64Array;
  readonly mean: Float64Array;
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Of medians, whose lo and hi are the 25% and the 75% quantile: the range of the runs. */
  readonly least?: Float64Array | undefined;
  readonly most?: Float64Array | undefined;
  readonly conclusion?: string | undefined;
}

export interface Result {
  readonly source: "run" | "file" | "figure";
  /** How its files are called. */
  readonly name: string;
  readonly title: string;
  readonly spec: Spec;
  readonly modelError?: string | undefined;
  readonly engine: number;
  /** Whole runs. */
  readonly runs: number;
  /** None as long as it grows. */
  readonly fingerprint?: string | undefined;
  readonly curves: readonly Curve[];
  readonly differences: readonly Curve[];
  readonly conclusions: Conclusions;
  readonly discovery: readonly Discovery[];
  /** The records file; absent while it grows, and if it is too large to keep. */
  readonly records?: Blob | undefined;
  /** The figure file. */
  readonly figure?: string | undefined;
}

type Named = Pick<Result, "source" | "name" | "title">;

/** An experiment of which nothing has come yet. */
export function nothing(header: Header, about: Named): Result {
  const { spec, engine, modelError } = header;
  return { ...about, spec, engine, modelError, runs: 0, curves: [], differences: [], conclusions: {}, discovery: [] };
}

export function ofSnapshot(snapshot: Snapshot, header: Header, about: Named, records?: Blob): Result {
  const { runs, fingerprint, conclusions, series, paired = [], discovery = [] } = snapshot;
  return { ...nothing(header, about), runs, fingerprint, conclusions, curves: curvesOf(series), differences: curvesOf(paired), discovery, records };
}

/** The curves of series, whose episodes are 1, 2, … */
export function curvesOf(series: readonly Series[]): Curve[] {
  const most = Math.max(0, ...series.map(({ mean }) => mean.length));
  const whole = Float64Array.from({ length: most }, (_, k) => k + 1);
  return series.map((s) => ({ ...s, episodes: whole.subarray(0, s.mean.length) }));
}

export function ofFigure(text: string, spec: Spec, about: Named): Result {
  const { engine, fingerprint, runs, conclusions, episodes, series } = JSON.parse(text) as Figure;
  const whole = Float64Array.from(episodes);
  const numbers = (list: readonly (number | null)[]) => Float64Array.from(list, (x) => x ?? NaN);
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
    conclusions,
    figure: text,
    discovery: [],
    curves: curves.filter(({ base }) => base === undefined),
    differences: curves.filter(({ base }) => base !== undefined),
  };
}

/** The index of the curve's point nearest to an episode; -1 beyond its end. */
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

/** Writes a number as the read-out and the table show it. */
export type Written = (y: number) => string;

/** Four digits of the largest value and as many decimals for the rest; three digits of what is smaller still. */
export function numberFormat(curves: readonly Curve[]): Written {
  let largest = 0;
  for (const { mean } of curves) for (const y of mean) largest = Math.max(largest, Math.abs(y));
  const digits = Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(largest || 1))));
  const usual = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  return (y) => (y !== 0 && Math.abs(y) < 10 ** (1 - digits) ? small : usual).format(y).replace("-", "−");
}

export const byMeasure = (curves: readonly Curve[], measure: MeasureKey): Curve[] => curves.filter((curve) => curve.measure === measure);

export const runsWords = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`);
