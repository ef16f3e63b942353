// What the engine and the page exchange, written from the types in Go: go test ./site -run TestTypes -update

import type { Spec } from "./formats";

/** Catalog is what there is: presets, and the rows of every registry with their names, colours and words. Fields name the parameters that every spec has; they have no largest values and defaults, which depend on other parameters. */
export interface Catalog {
  readonly engine: number;
  readonly presets: readonly PresetEntry[];
  readonly fields: readonly Field[];
  readonly domains: readonly DomainEntry[];
  readonly kinds: readonly AgentKind[];
  /** one of each kind, and those of the presets */
  readonly agents: readonly AgentEntry[];
  readonly measures: readonly Measure[];
}

/** Checked is what /v1/check answers. */
export interface Checked {
  /** of the spec's records, with the complete spec */
  readonly header: Header;
  /** the canonical fragment, without # */
  readonly link: string;
  readonly problem: About;
  /** of a form */
  readonly fields: readonly Field[];
  /** those that a form offers, and the spec's */
  readonly agents: readonly AgentEntry[];
  /** whether an agent is told the spec's prior: others have one of their own, or none */
  readonly told: boolean;
  readonly cost: Cost;
}

/** Linked is what /v1/link answers. */
export interface Linked {
  /** the fragment, without # */
  readonly link: string;
}

/** Opened is what /v1/open answers. */
export interface Opened {
  readonly spec: Spec;
  /** the canonical form of the link */
  readonly link: string;
  readonly receipt?: Receipt;
  readonly view: View;
  /** the pairs of the link whose keys, or values of the view, this version does not know */
  readonly unknown: readonly string[];
  readonly cost: Cost;
}

/** Snapshot is the summary of the records so far. It counts whole runs only; until the first run is whole, its series show the unfinished run. */
export interface Snapshot {
  /** of whole runs */
  readonly records: number;
  /** whole ones */
  readonly runs: number;
  readonly final: boolean;
  /** of the whole runs, at the end */
  readonly fingerprint?: string;
  /** on cumulative regret; empty before the first whole run */
  readonly conclusion: string;
  /** one sentence for each measure that a record has */
  readonly conclusions: { readonly [key: string]: string };
  /** Index k of a series is episode k+1. Until the last snapshot, numbers have 4 digits: there are many, and the page only draws them. */
  readonly series: readonly Series[];
  /** At the end, if there is a whole run: the difference of two agents by run */
  readonly paired?: readonly Series[];
  readonly discovery?: readonly Discovery[];
}

/** Details is an error in the form of RFC 9457, "problem details". */
export interface Details {
  /** always "about:blank" */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** one sentence */
  readonly detail: string;
  /** a JSON pointer to the field at fault */
  readonly pointer?: string;
  /** The parts of the answer of /v1/check that a refused spec has, so that a form can show them. */
  readonly problem?: About;
  readonly fields?: readonly Field[];
}

/** Chart says what a figure shows: curves of one measure, with the names and looks of their agents. Sizes are in CSS px; those that are 0 are a paper's. */
export interface Chart {
  readonly measure: string;
  readonly lines: readonly Line[];
  /** "final" or "learned": the points are runs */
  readonly dots?: Band;
  /** all agents of the experiment, in order: agents that would look alike differ by their place in it; absent: the agents of the lines */
  readonly agents?: readonly string[];
  /** the last one on the axis; absent: the last one of the lines */
  readonly episodes?: number;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** the axis holds every band, however wide */
  readonly whole?: boolean;
  /** no names beside the ends of the curves */
  readonly nameless?: boolean;
  readonly title?: string;
  /** below the plot; the first also says what is cut off */
  readonly notes?: readonly Note[];
  /** absent: light */
  readonly theme?: Theme;
  /** a part of a page, not a document of its own */
  readonly inline?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** the size of the letters */
  readonly type?: number;
}

/** Spread is how a measure is spread over the whole runs of records. */
export interface Spread {
  readonly measure: string;
  /** whole ones */
  readonly runs: number;
  readonly quantiles: readonly Quantiles[];
  /** Of the first runs of each agent, so many that a figure can show them, the values at some episodes, those that the runs have: how many runs of each agent are among the lines */
  readonly drawn: number;
  readonly episodes: readonly number[];
  readonly lines: readonly RunLine[];
  readonly endings: readonly Ending[];
  /** when an agent has learned, in a sentence */
  readonly learning: string;
}

/** Header is the first line of a records file. */
export interface Header {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  /** complete */
  readonly spec: Spec;
  /** ModelError says why the records carry no model error; "" if they carry it. */
  readonly modelError?: string;
}

/** Figure is the curves of a records file in the format cpsrl/figure, which the page shows before anything has run. */
export interface Figure {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  readonly fingerprint: string;
  readonly link: string;
  readonly title: string;
  readonly runs: number;
  readonly conclusion: string;
  readonly conclusions: { readonly [key: string]: string };
  /** those that the series show */
  readonly episodes: readonly number[];
  readonly series: readonly Series[];
  readonly final: readonly Final[];
}

/** Trace is one episode of one agent in one run, moment by moment: sample, plan, act, update. Steps h count from 1; tables by h start with h = 1. */
export interface Trace {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  readonly run: number;
  readonly agent: string;
  readonly episode: number;
  readonly horizon: number;
  readonly state: readonly Variable[];
  readonly action: readonly Variable[];
  readonly grid?: Grid;
  /** ℱ_* and its optimal policy */
  readonly true: TraceModel;
  /** ℱ_k and the policy that is played */
  readonly sampled: TraceModel;
  /** the trajectory in ℱ_* */
  readonly steps: readonly TraceStep[];
  /** the agent's known edges; absent without a graph */
  readonly prior?: readonly (readonly number[])[];
  /** P_k, for each Y variable */
  readonly before?: readonly TraceBelief[];
  /** P_{k+1} */
  readonly after?: readonly TraceBelief[];
  readonly record: Record;
}

/** Episode is one episode of one agent in one run in short: its steps and its record. A [Trace] has all of it and the models, values and policies besides. States and points are indices of the space: 0 to S−1 and 0 to S·A−1. */
export interface Episode {
  /** x_1 … x_H */
  readonly points: readonly number[];
  /** the state after the last step */
  readonly end: number;
  /** of each step */
  readonly rewards: readonly number[];
  /** Before is P_k(X_i → Y_j), one row for each Y_j, to 4 decimals; absent without a graph. The belief after the episode is in the record. */
  readonly before?: readonly (readonly number[])[];
  readonly record: Record;
}

/** Posterior is what transitions say about a graph: the hyper-posterior over the parent sets of each variable. */
export interface Posterior {
  /** Variables holds the parent sets of each Y variable, by name: the most probable first, ties in the order of the prior. */
  readonly variables: { readonly [key: string]: readonly RankedSet[] };
  /** every edge, by Y variable, then X variable */
  readonly edges: readonly RankedEdge[];
}

/** BeliefEdges says how probable and how valuable each edge is by the belief of an agent. */
export interface BeliefEdges {
  readonly run: number;
  readonly agent: string;
  /** how many episodes the agent has learned from */
  readonly episode: number;
  /** the models sampled from its belief */
  readonly samples: number;
  /** as in ModelEdges */
  readonly average: string;
  /** the mean over the samples of their optimal values */
  readonly value: number;
  /** every edge; the most valuable first, then the most probable */
  readonly edges: readonly BelievedEdge[];
}

/** Film is a few episodes of one run as pictures of the stage, which the page shows before it has loaded anything that computes. Marks that several pictures share are written once. */
export interface Film {
  /** its name */
  readonly agent: string;
  /** CSS px */
  readonly width: number;
  /** CSS px */
  readonly height: number;
  /** elements of SVG, in the colours of the page */
  readonly marks: readonly string[];
  readonly frames: readonly Frame[];
}

/** PresetEntry is a named spec and its link. */
export interface PresetEntry {
  readonly name: string;
  /** another name, or "" */
  readonly alias?: string;
  readonly title: string;
  /** what it answers */
  readonly question: string;
  /** complete */
  readonly spec: Spec;
  readonly link: string;
}

/** Field is one parameter of a spec in a form. Whole numbers have Min and Max, words have Choices. A value with a notation of its own has Notation, Text and Choices, which are not all its values. */
export interface Field {
  /** a JSON pointer into the spec */
  readonly pointer: string;
  readonly section: Section;
  readonly label: string;
  readonly symbol?: string;
  /** how a sentence says its value: "_ runs" */
  readonly phrase: string;
  readonly help?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** of the choices */
  readonly labels?: readonly string[];
  /** an int or a string: the value that Complete fills in */
  readonly default?: number | string;
  /** what texts a spec may hold in its place, in words */
  readonly notation?: string;
  /** that of the spec's value */
  readonly text?: string;
  /** the value is the name of one of the spec's priors */
  readonly named?: boolean;
}

/** DomainEntry is a kind of problem and the fields of its own parameters. */
export interface DomainEntry {
  /** its name in a spec: "taxi" */
  readonly key: string;
  /** its name in a menu */
  readonly label: string;
  /** its name in a sentence */
  readonly phrase: string;
  /** PerRun says that each run has a true graph of its own. Otherwise all runs have the same. */
  readonly perRun: boolean;
  /** Picture names the scene of package render that draws the problem; with "" only the graphs are drawn. */
  readonly picture?: string;
  readonly fields: readonly Field[];
}

/** AgentKind is a kind of agent: its labels are the key, or the key and parameters. */
export interface AgentKind {
  readonly key: string;
  /** Fields are its parameters. The place of a field is / and the parameter's name. One without a default is the spec's if it is not given. */
  readonly fields: readonly Field[];
}

/** AgentEntry is an agent: what it is called, and how it is drawn. */
export interface AgentEntry {
  /** as in a spec */
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  /** the name where room is short */
  readonly short: string;
  readonly gloss: string;
  readonly look: Look;
  /** it samples graphs */
  readonly graph: boolean;
  /** the rank among those that others are compared with; 0 is none of them */
  readonly baseline?: number;
}

/** Measure is what a curve shows, by episode: one row of [Measures]. */
export interface Measure {
  /** "model-error" */
  readonly key: string;
  /** how a sentence about it begins */
  readonly noun: string;
  /** the label of its axis in a figure */
  readonly axis: string;
  /** one sentence */
  readonly definition: string;
  /** the same in symbols */
  readonly formula: string;
  /** the same in a few words, which stand after the noun and a colon */
  readonly caption: string;
  /** Reading says how to read a curve, in one sentence; "" if Definition says all. */
  readonly reading?: string;
  /** Absent says why an agent has no curve, if that can be. */
  readonly absent?: string;
  readonly better?: Direction;
  /** the largest value, which figures show; 0 if there is none */
  readonly most?: number;
}

/** About is what the problem of a run is like, and what its prior says. */
export interface About {
  /** at most 100 bytes of it */
  readonly name?: string;
  /** without labels */
  readonly state: readonly Variable[];
  readonly action: readonly Variable[];
  /** S */
  readonly states: number;
  /** A */
  readonly actions: number;
  /** H */
  readonly horizon: number;
  /** what a step pays, in a sentence */
  readonly reward: string;
  /** Z, the largest of a variable */
  readonly sparseness: number;
  /** the degree of prior knowledge η */
  readonly eta: number;
  /** one entry for each Y variable */
  readonly parents: readonly Factorizations[];
  /** |𝒵| = ∏_j |𝒵_j| */
  readonly consistent: string;
  /** if no edge were known */
  readonly consistentWithoutPrior: string;
  /** of Theorem 1 and its proof; none if it is silent */
  readonly rate: readonly Term[];
  /** why Theorem 1 says nothing here */
  readonly rateSilent?: string;
  /** the domain's own prior */
  readonly suggested: readonly (readonly [string, string])[];
  /** For the page to hide until they are asked for: the true graph of the first run */
  readonly truth: readonly (readonly [string, string])[];
  /** known edges that are not in it */
  readonly misspecified: readonly (readonly [string, string])[];
  /** its edges that are forbidden */
  readonly excluded?: readonly (readonly [string, string])[];
  /** G_0(η) for η = 0, 1, … until it is the true graph */
  readonly revealed: readonly (readonly (readonly [string, string])[])[];
}

/** Cost is what a spec's runs take. */
export interface Cost {
  readonly operations: number;
  /** of one worker of a browser, about */
  readonly seconds: number;
  /** whether it may run without being asked for */
  readonly autorun: boolean;
  /** seconds of one worker that may run without being asked for */
  readonly budget: number;
}

/** Receipt says which records the spec of a link gave. */
export interface Receipt {
  readonly engine: number;
  /** 64 lower-case hexadecimal digits */
  readonly fingerprint: string;
}

/** View is what a link says of how its experiment is shown. Its zero value is how a page shows an experiment that it has just opened. */
export interface View {
  /** the key of a measure; absent: the first */
  readonly measure?: string;
  /** episodes on a logarithmic axis */
  readonly logX?: boolean;
  /** values on a logarithmic axis */
  readonly logY?: boolean;
  /** what the curves show of the runs; absent: their means with intervals */
  readonly band?: Band;
  /** the difference of two agents by run, in place of their curves */
  readonly paired?: boolean;
  /** of the difference: two labels, the second is subtracted; absent: the page chooses */
  readonly pair?: readonly string[];
  /** labels of agents whose curves are hidden, as the spec lists them */
  readonly hidden?: readonly string[];
  /** what the stage shows; absent: it is closed */
  readonly watched?: Watched;
}

/** Series is one agent's curve of one measure; with a base, of the difference agent − base by run. An agent without the measure has no series. */
export interface Series {
  readonly agent: string;
  readonly base?: string;
  readonly measure: string;
  readonly mean: readonly (number | null)[];
  /** null where n = 1 */
  readonly lo: readonly (number | null)[];
  readonly hi: readonly (number | null)[];
  /** A figure leaves out: */
  readonly n?: readonly number[];
  /** of a difference */
  readonly conclusion?: string;
}

/** Discovery is the report on weak causal discovery (Corollary 1) for one agent. It says how much of the true graph the sampled graphs contain. */
export interface Discovery {
  readonly agent: string;
  readonly runs: number;
  /** over all runs */
  readonly episodes: number;
  /** the share of episodes with z_k ⊇ z_* */
  readonly superset: number;
  /** Of one graph for each run, drawn uniformly from its episodes with the seed: */
  readonly random: DiscoveryScores;
  /** Of the most probable graph after the last episode of each run: */
  readonly best: DiscoveryScores;
}

/** Line is a curve. A point is [episode, mean] or, with its interval, [episode, mean, lo, hi]; with the range of the runs, too, [episode, median, lo, hi, least, greatest]. The episodes ascend. In a figure of dots a point is [run, value], runs counted from 1: the last value, or the episodes until the agent has learned, 0 if it has not. */
export interface Line {
  readonly agent: string;
  /** of a difference agent − base */
  readonly base?: string;
  /** absent: that of its agent, or of both */
  readonly name?: string;
  /** of a ghost: a thin line behind the others */
  readonly mark?: string;
  /** of a line that is a single run's: it is thin and has no name */
  readonly run?: number;
  readonly points: readonly (readonly number[])[];
}

/** Band is what a chart shows of the runs. */
export type Band = "interval" | "quantiles" | "runs" | "final" | "learned";

/** Note is a paragraph below the plot. */
export interface Note {
  readonly text: string;
  readonly fine?: boolean;
  readonly link?: string;
}

/** Theme is "light", "dark" or "page". */
export type Theme = "light" | "dark" | "page";

/** Quantiles are those of one agent: index k of a list is episode k+1. With one run all are its value. */
export interface Quantiles {
  readonly agent: string;
  readonly median: readonly (number | null)[];
  readonly q25: readonly (number | null)[];
  readonly q75: readonly (number | null)[];
  readonly least: readonly (number | null)[];
  readonly most: readonly (number | null)[];
}

/** RunLine is a measure of one agent in one run. */
export interface RunLine {
  readonly agent: string;
  readonly run: number;
  readonly values: readonly (number | null)[];
}

/** Ending is how one agent's run ended. */
export interface Ending {
  readonly agent: string;
  readonly run: number;
  /** the measure after the last episode; null if the agent lacks it */
  readonly final: number | null;
  /** the episodes until it has learned; absent if it has not */
  readonly learned?: number;
}

/** Final is the last point of a series. */
export interface Final {
  readonly agent: string;
  readonly base?: string;
  readonly measure: string;
  readonly mean: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  readonly n: number;
}

/** Variable is one state or action variable. */
export interface Variable {
  readonly name: string;
  /** number of values, at least 1 */
  readonly size: number;
  /** their labels, Size of them, or none */
  readonly values?: readonly string[];
}

/** Grid is how to draw a problem on a grid of cells. Its first three state variables are the taxi's row and column and whether the passenger is aboard; its action is south, north, east, west, pick up, drop off. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** {row, column}: a wall east of that cell */
  readonly walls: readonly (readonly [number, number])[];
  /** {row, column} */
  readonly pickUp: readonly [number, number];
  /** {row, column} */
  readonly destination: readonly [number, number];
}

/** TraceModel is a model with the policy that is optimal for it. */
export interface TraceModel {
  /** absent without a graph */
  readonly graph?: readonly (readonly number[])[];
  /** as in cpsrl/model; absent without a graph */
  readonly transition?: readonly FactorDoc[];
  /** R(x), by x = s·A + a */
  readonly reward: readonly number[];
  /** of its policy under μ, in this model */
  readonly value: number;
  /** V_h(s), by h, then s */
  readonly v: readonly (readonly number[])[];
  /** π_h(s), by h, then s */
  readonly policy: readonly (readonly number[])[];
}

/** TraceStep is one step of the trajectory. */
export interface TraceStep {
  /** the state and the action */
  readonly x: readonly number[];
  /** the next state */
  readonly y: readonly number[];
  readonly reward: number;
}

/** TraceBelief is the hyper-posterior over the parent sets of one Y variable. */
export interface TraceBelief {
  /** |𝒵_j| */
  readonly count: number;
  /** the most probable, at most TopSets */
  readonly sets: readonly TraceSet[];
  /** P(X_i → Y_j), for each X_i */
  readonly edges: readonly number[];
  /** in bits */
  readonly entropy: number;
}

/** Record is one agent's one episode in one run. Values are of the true model under μ, exact by dynamic programming. */
export interface Record {
  /** from 0 */
  readonly run: number;
  /** its label */
  readonly agent: string;
  /** k, from 1 */
  readonly episode: number;
  /** V_*(π_*) */
  readonly optimal: number;
  /** V_*(π_k) */
  readonly value: number;
  /** V_*(π_*) − V_*(π_k) */
  readonly regret: number;
  /** the reward collected in the episode */
  readonly return: number;
  /** ModelError is the mean over x of ‖p_*(·|x) − p_k(·|x)‖₁ over joint next states; absent where S²A is above fmdp.MaxJoint. */
  readonly modelError?: number;
  /** Promise is V_k(π_k), the value that the policy played has in the sampled model; absent before engine 2. */
  readonly promise?: number;
  /** Belief is absent for agents without a graph (PSRL). */
  readonly belief?: Belief;
}

/** RankedSet is a parent set and its place in a hyper-posterior. */
export interface RankedSet {
  readonly parents: readonly string[];
  /** P(z | data) */
  readonly p: number;
  /** ln P(data | z) */
  readonly logEvidence: number;
}

/** RankedEdge is an edge of a bigraph and its probability. */
export interface RankedEdge {
  /** an X variable */
  readonly from: string;
  /** a Y variable */
  readonly to: string;
  readonly p: number;
}

/** BelievedEdge is an edge, its probability and its value. */
export interface BelievedEdge {
  /** an X variable */
  readonly from: string;
  /** a Y variable */
  readonly to: string;
  /** P(X_i → Y_j) */
  readonly p: number;
  /** the mean of Δ_e over the samples, 0 where the edge is not sampled */
  readonly value: number;
  /** Δ_e in the true model; absent if the edge is not true */
  readonly true?: number;
}

/** Frame is one picture. */
export interface Frame {
  readonly episode: number;
  /** what it shows, in one sentence */
  readonly text: string;
  /** ms that it stays */
  readonly time: number;
  /** runs of the film's marks, back to front: a first index and a count, and so on */
  readonly marks: readonly number[];
}

/** Section is the part of a form that a parameter belongs to. */
export type Section = "domain" | "prior" | "size" | "switches" | "agents";

/** Look is how an agent's curves are drawn. Colours pass 3:1 on white and on #121212; colour is never alone. */
export interface Look {
  /** #RRGGBB */
  readonly color: string;
  /** lengths of strokes and gaps at a line of width 2; none is solid */
  readonly dash: readonly number[];
}

/** Direction says which values of a measure are better. */
export type Direction = "lower" | "higher";

/** Factorizations is what is known of the parents of one Y variable. Counts are exact. */
export interface Factorizations {
  readonly of: string;
  /** its Z, if that is not the same for all */
  readonly sparseness?: number;
  /** z_0,j */
  readonly known: readonly string[];
  /** parents that have a probability */
  readonly likely?: readonly Likely[];
  /** those that it cannot have; what is in none of the lists is unknown */
  readonly forbidden?: readonly string[];
  /** |𝒵_j| */
  readonly count: string;
  /** if no edge were known */
  readonly countWithoutPrior: string;
}

/** Term is one term of a bound on the Bayesian regret. */
export interface Term {
  /** the source of the regret, in the paper's words */
  readonly name: string;
  readonly formula: string;
  readonly value: number;
  /** whether Theorem 1 prints the term; the others are those of its proof */
  readonly printed: boolean;
}

/** Watched is a moment of one episode of one agent in one run. */
export interface Watched {
  /** its label; absent: the page chooses */
  readonly agent?: string;
  readonly run: number;
  /** from 1 */
  readonly episode: number;
  /** "plan", "act" or "update"; absent: "sample" */
  readonly moment?: string;
}

/** DiscoveryScores are means over runs. */
export interface DiscoveryScores {
  /** share of runs in which the graph contains the true one */
  readonly superset: number;
  readonly recall: number;
  readonly precision: number;
  readonly parents: number;
}

export interface FactorDoc {
  readonly of: string;
  readonly given: readonly string[];
  readonly p: unknown;
}

/** TraceSet is one parent set and its place in a hyper-posterior. */
export interface TraceSet {
  readonly parents: readonly number[];
  readonly p: number;
  /** natural logarithm */
  readonly logEvidence: number;
}

/** Belief is what an agent with a graph sampled and what it then believed. */
export interface Belief {
  /** z_k, the sampled parent sets */
  readonly graph: readonly (readonly number[])[];
  /** truth ⊆ sampled */
  readonly superset: boolean;
  /** true edges found / true edges; 1 if there are none */
  readonly recall: number;
  /** true edges found / edges sampled; 1 if there are none */
  readonly precision: number;
  /** mean |z_j| over the Y variables that count */
  readonly parents: number;
  /** LogTruth is ln P_k(z_*), the natural logarithm of the probability of the true graph before the episode: the sum over the variables of that of their true parents. Variables with one value do not matter. It is absent before engine 2, and where the prior excludes the true graph. */
  readonly logTruth?: number;
  /** ValueRecall is Σ Δ_e over the true edges in z_k, divided by Σ Δ_e over all true edges, where Δ_e is what planning without the edge costs in the true model. It is absent before engine 2, and where these values would take long to compute. */
  readonly valueRecall?: number;
  /** After the episode's update: the most probable parent set of each Y; ties to the first listed */
  readonly best: readonly (readonly number[])[];
  /** P(X_i → Y_j), one row for each Y_j, to 4 decimals */
  readonly edges: readonly (readonly number[])[];
  /** of the hyper-posterior, in bits, summed over the Y_j */
  readonly entropy: number;
}

/** Likely is a parent of a Y variable that the prior gives a probability. */
export interface Likely {
  readonly name: string;
  readonly p: number;
}
