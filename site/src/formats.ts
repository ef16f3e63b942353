// The engine's formats. engine-types.ts is generated from the engine's own types; this file
// adds what those leave open, and the forms into which the page converts them.

import type { Played as EnginePlayed, Series as EngineSeries, Snapshot as EngineSnapshot } from "./engine-types";

export type * from "./engine-types";

/** A spec. The catalogue's fields say which parameters its domain has. */
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

/** A spec with the contents of the form, which may be wrong; the engine checks them. */
export type Draft = Omit<Spec, "episodes" | "runs" | "seed"> & { [field: string]: unknown };

/** An edge of a graph: the name of X, the name of the state variable whose next value is Y, and its probability unless that is 1. */
export type Edge = readonly [from: string, to: string, p?: number];

/** The prior of a spec. A spec without one has the domain's suggestion. Texts are what a form holds and may be wrong; the engine checks them. */
export type Prior = ({ readonly edges: readonly Edge[] } | { readonly eta?: number; readonly trust?: number | string; readonly false?: number | string }) & {
  /** The SHA-256 of the transitions that every agent has observed before its first episode. */
  readonly data?: string;
};

/** A series as the worker passes it on: in typed arrays, with NaN for null, because these cross threads quickly. */
export type Series = Omit<EngineSeries, "mean" | "lo" | "hi" | "n"> & { readonly [list in "mean" | "lo" | "hi" | "n"]: Float64Array };

/** One line of the answer to POST /v1/summary. */
export type Snapshot = Omit<EngineSnapshot, "series" | "paired"> & { readonly series: readonly Series[]; readonly paired?: readonly Series[] };

/** One line of the answer to POST /v1/play. */
export type Played = Omit<EnginePlayed, "snapshot"> & { readonly snapshot?: Snapshot };
