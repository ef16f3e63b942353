// The engine's formats, as far as the page reads them. Go defines and checks
// them (core/record, core/engine); nothing is computed from them here.

export interface Spec {
  readonly format: string;
  readonly version: number;
  readonly domain: { readonly name: string; readonly [parameter: string]: unknown };
  readonly prior?: Prior;
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
  /** A name that says what is there. */
  readonly alias?: string;
  readonly title: string;
  readonly spec: Spec;
  /** Its canonical fragment, without #. */
  readonly link: string;
}

/** What there is: the rows of every registry (GET /v1/presets). */
export interface Catalogue {
  readonly engine: number;
  readonly presets: readonly Preset[];
  /** Of every spec; without largest values and defaults, which depend on other fields. */
  readonly fields: readonly Field[];
  readonly domains: readonly DomainEntry[];
  /** Those that every form offers. */
  readonly agents: readonly AgentEntry[];
  /** The first by default. */
  readonly measures: readonly MeasureEntry[];
}

/** A kind of problem. */
export interface DomainEntry {
  readonly key: string;
  /** In a menu, and in a sentence. */
  readonly label: string;
  readonly phrase: string;
  /** Each run has a true graph of its own. */
  readonly perRun: boolean;
  /** The scene that draws it. */
  readonly picture?: string;
  /** Of its own parameters. */
  readonly fields: readonly Field[];
}

/** What an agent is called, and how it is drawn. */
export interface AgentEntry {
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  /** The name where room is short. */
  readonly short: string;
  readonly look: { readonly color: string; readonly dash: readonly number[] };
  /** It samples graphs. */
  readonly graph: boolean;
  /** The rank among those that others are compared with; absent: none of them. */
  readonly baseline?: number;
}

export interface MeasureEntry {
  readonly key: Measure;
  /** How a title or a sentence about it begins. */
  readonly noun: string;
  readonly formula: string;
  /** What one point is, after the noun and a colon. */
  readonly caption: string;
  /** Why an agent may have no curve. */
  readonly absent?: string;
  /** The largest value, if there is one. */
  readonly most?: number;
}

/** The first line of a records file. */
export interface Header {
  readonly engine: number;
  readonly spec: Spec;
  readonly modelError?: string;
}

export interface Variable {
  readonly name: string;
  readonly size: number;
}

/** An edge of a graph: the name of X, the name of the state variable whose next value is Y. */
export type Edge = readonly [from: string, to: string];

/** The prior of a spec; without one, the domain's suggestion is meant. */
export type Prior = { readonly eta: number } | { readonly edges: readonly Edge[] };

/** The part of a form that a field belongs to. */
export type Section = "domain" | "prior" | "size" | "switches";

/** A field of a form, by the pointer into the spec. Whole numbers have min and max, words have choices. */
export interface Field {
  readonly pointer: string;
  readonly section: Section;
  readonly label: string;
  readonly symbol?: string;
  /** How a sentence says its value: "_ runs". */
  readonly phrase: string;
  readonly help?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** Of the choices. */
  readonly labels?: readonly string[];
  readonly default?: number | string;
}

/** What the problem of the first run is like, and what the prior says of it. */
export interface Problem {
  readonly name?: string;
  readonly state: readonly Variable[];
  readonly action: readonly Variable[];
  readonly states: number;
  readonly actions: number;
  readonly horizon: number;
  readonly sparseness: number;
  readonly eta: number;
  readonly parents: readonly { readonly of: string; readonly known: readonly string[]; readonly count: string; readonly countWithoutPrior: string }[];
  readonly consistent: string;
  readonly consistentWithoutPrior: string;
  readonly rate: readonly { readonly name: string; readonly formula: string; readonly value: number }[];
  readonly suggested: readonly Edge[];
  /** The true graph, and the known edges that are not in it: hidden until they are asked for. */
  readonly truth: readonly Edge[];
  readonly misspecified: readonly Edge[];
  /** G₀(η) for η = 0, 1, … until it is the true graph. */
  readonly revealed: readonly (readonly Edge[])[];
}

/** What POST /v1/check answers. */
export interface Checked {
  readonly header: Header;
  /** The canonical fragment of the spec, without #. */
  readonly link: string;
  readonly problem: Problem;
  readonly fields: readonly Field[];
  /** Those that a form offers, and the spec's. */
  readonly agents: readonly AgentEntry[];
  readonly cost: Cost;
}

/** What a run takes. */
export interface Cost {
  readonly operations: number;
  /** Of one worker, roughly. */
  readonly seconds: number;
  /** Within the budget of what a link may run by itself. */
  readonly autorun: boolean;
}

/** What a run gave: the engine's version and the fingerprint of the records. */
export interface Receipt {
  readonly engine: number;
  readonly fingerprint: string;
}

/** The key of a measure. */
export type Measure = string;

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

/** The difference of two agents, run by run. */
export interface PairedSeries extends Series {
  readonly base: string;
  readonly conclusion?: string;
}

export interface DiscoveryScores {
  readonly superset: number;
  readonly recall: number;
  readonly precision: number;
  readonly parents: number;
}

/** The report on weak causal discovery, for one agent. */
export interface Discovery {
  readonly agent: string;
  readonly runs: number;
  readonly episodes: number;
  readonly superset: number;
  readonly random: DiscoveryScores;
  readonly best: DiscoveryScores;
}

/** One sentence for each measure that has curves. */
export type Conclusions = { readonly [measure: Measure]: string };

/** One line of what POST /v1/summary answers. */
export interface Snapshot {
  readonly records: number;
  readonly runs: number;
  readonly final: boolean;
  readonly fingerprint?: string;
  readonly conclusion: string;
  readonly conclusions: Conclusions;
  readonly series: readonly Series[];
  readonly paired?: readonly PairedSeries[];
  readonly discovery?: readonly Discovery[];
}

/** The curves of a finished experiment in a small file (cpsrl/figure). */
export interface FigureFile {
  readonly engine: number;
  readonly fingerprint: string;
  readonly link: string;
  readonly title: string;
  readonly runs: number;
  readonly conclusions: Conclusions;
  readonly episodes: readonly number[];
  readonly series: readonly {
    readonly agent: string;
    readonly base?: string;
    readonly measure: Measure;
    readonly mean: readonly (number | null)[];
    readonly lo: readonly (number | null)[];
    readonly hi: readonly (number | null)[];
  }[];
}

/** One episode of one agent in one run, moment by moment (cpsrl/trace). */
export interface Trace {
  readonly run: number;
  readonly agent: string;
  readonly episode: number;
  readonly horizon: number;
  readonly state: readonly TraceVariable[];
  readonly action: readonly TraceVariable[];
  readonly grid?: object;
  readonly true: TraceModel & { readonly graph: TraceGraph };
  /** Its graph is absent for an agent without one, as the prior and the beliefs are. */
  readonly sampled: TraceModel;
  readonly prior?: TraceGraph;
  readonly steps: readonly { readonly x: readonly number[]; readonly y: readonly number[]; readonly reward: number }[];
  readonly before?: readonly Belief[];
  readonly after?: readonly Belief[];
}

/** The parents of each Y. */
export type TraceGraph = readonly (readonly number[])[];

/** A model with the policy that is optimal for it. */
export interface TraceModel {
  readonly graph?: TraceGraph;
  /** V_h(s) and π_h(s), by h, then s: indices of values, of which the last changes fastest. */
  readonly v: readonly (readonly number[])[];
  readonly policy: readonly (readonly number[])[];
}

export interface TraceVariable extends Variable {
  /** The names of its values. */
  readonly values?: readonly string[];
}

/** The hyper-posterior over the parent sets of one Y. */
export interface Belief {
  readonly count: number;
  /** The most probable ones. */
  readonly sets: readonly { readonly parents: readonly number[]; readonly p: number; readonly logEvidence: number }[];
  /** Of each X. */
  readonly edges: readonly number[];
  readonly entropy: number;
}

/** An error of the engine (RFC 9457). */
export interface ProblemDetail {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly pointer?: string;
  /** What POST /v1/check can say all the same. */
  readonly fields?: readonly Field[];
  readonly problem?: Problem;
}
