// The engine's formats, as far as the page reads them. Go defines and checks
// them (core/record, wasm/engine); nothing is computed from them here.

export interface Spec {
  readonly format: string;
  readonly version: number;
  readonly domain: { readonly name: string; readonly [parameter: string]: unknown };
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

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly spec: Spec;
}

export interface Presets {
  readonly engine: number;
  readonly presets: readonly Preset[];
}

/** The first line of a records file. */
export interface Header {
  readonly engine: number;
  readonly spec: Spec;
  readonly modelError?: string;
}

interface Variable {
  readonly name: string;
  readonly size: number;
}

/** What POST /v1/check answers. */
export interface Checked {
  readonly header: Header;
  readonly problem: {
    readonly name?: string;
    readonly state: readonly Variable[];
    readonly action: readonly Variable[];
    readonly states: number;
    readonly actions: number;
    readonly horizon: number;
    readonly eta: number;
    readonly parents: readonly { readonly of: string; readonly known: readonly string[]; readonly count: string }[];
    readonly consistent: string;
  };
}

export type Measure = "cumulative-regret" | "regret" | "model-error" | "recall" | "precision" | "parents";

/**
 * One agent's curve of one measure; index k is episode k+1. The worker makes
 * typed arrays of the engine's lists, NaN for null: they cross threads in no time.
 */
export interface Series {
  readonly agent: string;
  readonly measure: Measure;
  readonly mean: Float64Array;
  /** NaN where n = 1. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly n: Float64Array;
}

/** One line of what POST /v1/summary answers. */
export interface Snapshot {
  readonly records: number;
  readonly runs: number;
  readonly final: boolean;
  readonly fingerprint?: string;
  readonly conclusion: string;
  readonly series: readonly Series[];
}

/** An error of the engine (RFC 9457). */
export interface ProblemDetail {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly pointer?: string;
}
