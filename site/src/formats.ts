// The engine's formats, as the page reads them. What the engine says is written from
// its types (engine-types.ts); here is what those leave open, and what the page makes of it.

import type { Series as EngineSeries, Snapshot as EngineSnapshot } from "./engine-types";

export type * from "./engine-types";

/** A spec. Its domain has parameters of its own: the catalogue's fields say which. */
export interface Spec {
  readonly format: string;
  readonly version: number;
  readonly domain: { readonly name: string; readonly [parameter: string]: unknown };
  readonly prior?: Prior;
  readonly priors?: Readonly<Record<string, Prior>>;
  readonly sparseness?: number;
  readonly agents: readonly string[];
  readonly episodes: number;
  readonly firstRun?: number;
  readonly runs: number;
  readonly seed?: number;
  readonly [field: string]: unknown;
}

/** A spec with what the form holds, right or wrong: the engine decides. */
export type Draft = Omit<Spec, "episodes" | "runs" | "seed"> & { [field: string]: unknown };

/** An edge of a graph: the name of X, the name of the state variable whose next value is Y. */
export type Edge = readonly [from: string, to: string, p?: number];

/** The prior of a spec; without one, the domain's suggestion is meant. What a form holds of it may be wrong: the engine decides. */
export type Prior = { readonly edges: readonly Edge[] } | { readonly eta?: number; readonly trust?: number | string; readonly false?: number | string };

/** The key of a measure. */
export type MeasureKey = string;

/** A series as the worker hands it on: typed arrays, NaN for null, cross threads in no time. */
export type Series = Omit<EngineSeries, "mean" | "lo" | "hi" | "n"> & { readonly [list in "mean" | "lo" | "hi" | "n"]: Float64Array };

/** One line of what POST /v1/summary answers. */
export type Snapshot = Omit<EngineSnapshot, "series" | "paired"> & { readonly series: readonly Series[]; readonly paired?: readonly Series[] };

/** One sentence for each measure that has curves. */
export type Conclusions = EngineSnapshot["conclusions"];
