// What the engine and the page exchange, written from the types in Go: go test ./site -run TestTypes -update

import type { Edge, Spec } from "./formats";

/** Catalog lists the presets and the rows of every registry with their names, colours and words. Fields are the parameters that every spec has, without largest values and defaults, which depend on other parameters. */
export interface Catalog {
  readonly engine: number;
  /** the newest version of specs, in which a form is checked */
  readonly spec: number;
  readonly presets: readonly PresetEntry[];
  readonly fields: readonly Field[];
  readonly domains: readonly DomainEntry[];
  readonly kinds: readonly AgentKind[];
  /** one of each kind, and the agents of the presets */
  readonly agents: readonly AgentEntry[];
  readonly measures: readonly Measure[];
  /** Templates are models to begin with, and Fills the ways to fill a table, for /v1/edit. */
  readonly templates: readonly StartingPoint[];
  readonly fills: readonly Fill[];
}

/** Checked is the answer of /v1/check. */
export interface Checked {
  /** the header of the spec's records, with the complete spec */
  readonly header: Header;
  /** the canonical fragment, without # */
  readonly link: string;
  readonly problem: About;
  /** the fields of a form */
  readonly fields: readonly Field[];
  /** the agents that a form offers, and those of the spec */
  readonly agents: readonly AgentEntry[];
  /** whether an agent is told the spec's prior; others have their own or none */
  readonly told: boolean;
  readonly cost: Cost;
  /** the rows of the model that were scaled to sum to 1, in words */
  readonly scaled?: string;
}

/** Linked is the answer of /v1/link. */
export interface Linked {
  /** the fragment, without # */
  readonly link: string;
}

/** Opened is the answer of /v1/open. */
export interface Opened {
  readonly spec: Spec;
  /** the canonical form of the link */
  readonly link: string;
  readonly receipt?: Receipt;
  readonly view: View;
  /** the pairs of the link with a key, or a value of the view, that this version does not know */
  readonly unknown: readonly string[];
  /** Sweep is what the link says of a sweep whose spec is Spec. Its pairs are not among Unknown. */
  readonly sweep?: SweepLink;
  /** Repaired says in a sentence how a mail, a chat or a document had changed the link, such as &amp; in place of &, and how it was read. It is absent if the link was whole. */
  readonly repaired?: string;
  readonly cost: Cost;
  /** the answer of /v1/check about the spec; absent: the spec is refused */
  readonly checked?: Checked;
}

/** Snapshot is the summary of the records so far. It counts only whole runs; until the first run is whole, its series show the unfinished run. */
export interface Snapshot {
  /** the number of records in whole runs */
  readonly records: number;
  /** the number of whole runs */
  readonly runs: number;
  readonly final: boolean;
  /** that of the whole runs; in the last snapshot */
  readonly fingerprint?: string;
  /** the one about cumulative regret; "" before the first whole run */
  readonly conclusion: string;
  /** one sentence for each measure that a record has */
  readonly conclusions: { readonly [key: string]: string };
  /** a sentence for each trapped agent; in the last snapshot */
  readonly warning?: string;
  /** Entry k of a series is that of episode k+1. Before the last snapshot numbers have 4 digits, because there are many and the page only draws them. */
  readonly series: readonly Series[];
  /** In the last snapshot, if there is a whole run: the difference of two agents by run */
  readonly paired?: readonly Series[];
  readonly discovery?: readonly Discovery[];
  readonly learned?: readonly Learned[];
  /** one sentence on how many runs have learned */
  readonly learnedIn?: string;
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
  /** The parts of the answer of /v1/check that a refused spec has, for a form to show. */
  readonly problem?: About;
  readonly fields?: readonly Field[];
  /** what the request could say so that /v1/convert reads its text */
  readonly lacked?: Lacked;
  /** What the columns of a refused table were taken for, for a form to change it. */
  readonly columns?: readonly Column[];
}

/** Chart describes a figure: curves of one measure, with the names and looks of their agents. Sizes are in CSS px; a size of 0 stands for that of a figure in a paper. */
export interface Chart {
  readonly measure: string;
  readonly lines: readonly Line[];
  /** "final" or "learned": each point is a run */
  readonly dots?: Band;
  /** the labels of all curves of other programs, in order; each has its look by its place here; absent: those of the lines */
  readonly others?: readonly string[];
  /** all agents of the experiment, in order; agents of the same look are told apart by their place here; absent: the agents of the lines */
  readonly agents?: readonly string[];
  /** the last episode on the axis; absent: the last one of the lines */
  readonly episodes?: number;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** the axis shows every interval, however wide */
  readonly whole?: boolean;
  /** the ends of the curves have no names */
  readonly nameless?: boolean;
  readonly title?: string;
  /** paragraphs below the plot; the first also says what is cut off */
  readonly notes?: readonly Note[];
  /** absent: light */
  readonly theme?: Theme;
  /** the SVG is a part of a page instead of a document */
  readonly inline?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** the size of the type */
  readonly type?: number;
}

/** Spread is the spread of a measure over the whole runs of records. */
export interface Spread {
  readonly measure: string;
  /** the number of whole runs */
  readonly runs: number;
  readonly quantiles: readonly Quantiles[];
  /** The lines of the first runs of each agent, as many as a figure can show, at some episodes: the number of runs of each agent among the lines */
  readonly drawn: number;
  readonly episodes: readonly number[];
  readonly lines: readonly RunLine[];
  readonly endings: readonly RunEnd[];
  /** where the runs of each agent ended */
  readonly ends: readonly End[];
  readonly learned: readonly Learned[];
  /** a sentence that says when an agent has learned */
  readonly learning: string;
}

/** Foreign is the results of another program, which were not computed here. */
export interface Foreign {
  /** a sentence that says so */
  readonly about: string;
  /** in the order of the file */
  readonly labels: readonly ForeignLabel[];
  /** by measure, then by label */
  readonly curves: readonly ForeignCurve[];
}

/** Sweep is the body of /v1/sweep: a spec and what varies, in the grammar of flags and links. The other members are for what is asked of it. */
export interface Sweep {
  readonly spec: Spec;
  readonly vary: string;
  /** For the receipt, and for a table or a figure of a whole sweep: the fingerprint of each setting's records, "" if it cannot run. */
  readonly fingerprints?: readonly string[];
  /** For a table or a figure: */
  readonly measure?: string;
  /** by setting, then agent */
  readonly ends?: readonly SweepEnd[];
  /** how many settings cannot run */
  readonly impossible?: number;
  /** the column along the axis */
  readonly x?: number;
  /** for a heat map, the column of its rows */
  readonly heat?: number;
  /** absent: light */
  readonly theme?: Theme;
  /** the SVG is a part of a page instead of a document */
  readonly inline?: boolean;
  readonly width?: number;
  /** the size of the letters */
  readonly type?: number;
}

/** SweepPlan says what a sweep would compute. */
export interface SweepPlan {
  /** in canonical form */
  readonly vary: string;
  /** the fragment, without #; absent if no link can hold the sweep */
  readonly link?: string;
  /** the line that computes the sweep in a shell */
  readonly command: string;
  /** the sweep in the format cpsrl/sweep */
  readonly document: string;
  /** what varies */
  readonly columns: readonly SweepColumn[];
  readonly settings: readonly SweepSetting[];
}

/** SweepReceipt is what a whole sweep has found. */
export interface SweepReceipt {
  readonly receipt: Receipt;
  /** the link of the sweep with the receipt; absent if none can hold the sweep */
  readonly link?: string;
}

/** Header is the first line of a records file. */
export interface Header {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  /** complete */
  readonly spec: Spec;
  /** ModelError says why the records have no model error, or is "". */
  readonly modelError?: string;
  /** Regret says why the records have no optimal, no value and no regret, or is "". */
  readonly regret?: string;
}

/** Figure is the curves of a records file in the format cpsrl/figure, version 1, which the page shows before anything has run. */
export interface Figure {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  readonly fingerprint: string;
  /** absent if no link can hold the experiment */
  readonly link?: string;
  readonly title: string;
  readonly runs: number;
  /** why the records have no regret, or "" */
  readonly regret?: string;
  readonly conclusion: string;
  readonly conclusions: { readonly [key: string]: string };
  /** the episodes that the series show */
  readonly episodes: readonly number[];
  readonly series: readonly Series[];
  readonly final: readonly Final[];
}

/** Trace is one episode of one agent in one run, moment by moment: sample, plan, act, update. Steps h count from 1; tables by h start with h = 1. Version 2 is of problems whose states no list holds: no policy is listed, and steps say what the search of each made of its actions. Other traces are of version 1. */
export interface Trace {
  readonly format: string;
  readonly version: number;
  readonly engine: number;
  readonly run: number;
  readonly agent: string;
  /** of ℱ_k; absent if it is sampled */
  readonly source?: Source;
  readonly episode: number;
  readonly horizon: number;
  readonly state: readonly Variable[];
  readonly action: readonly Variable[];
  /** Legal holds the joint actions that there are, ascending; absent if all are. Action a of a policy is entry a of the list. */
  readonly legal?: readonly (readonly number[])[];
  /** Allowed says which of these are legal in which states; absent if all are in each. */
  readonly allowed?: Allowed;
  /** Grid or View says how to draw the problem. Both are absent if it is drawn as a table. */
  readonly grid?: Grid;
  readonly view?: { readonly kind: "grid" | "chart" | "nodes" };
  /** ℱ_* and its optimal policy */
  readonly true: TraceModel;
  /** ℱ_k, which some agents do not sample, and the policy that is played */
  readonly sampled: TraceModel;
  /** the trajectory in ℱ_*, of at most H steps */
  readonly steps: readonly TraceStep[];
  /** End is the state in which an episode without a step began and ended. It is absent from any other. */
  readonly end?: readonly number[];
  /** Ending is the name of the kind of state in which the episode ended, or "" if it has none; absent if the episode ended because of its horizon. */
  readonly ending?: string;
  /** the edges that the agent is certain of; absent without a belief */
  readonly prior?: readonly (readonly number[])[];
  /** P_k, for each Y variable; absent without a belief */
  readonly before?: readonly TraceBelief[];
  /** P_{k+1} */
  readonly after?: readonly TraceBelief[];
  readonly record: Record;
}

/** Episode is a short form of one episode of one agent in one run: its steps and its record. A [Trace] also has the models, values and policies. States and points are indices of the space: 0 to S−1 and 0 to S·A−1. */
export interface Episode {
  /** x_1, x_2, …, at most H of them; absent if there is a Path */
  readonly points?: readonly number[];
  /** the state after the last step, or that in which an episode without a step began; 0 beside a Path */
  readonly end: number;
  /** Path has, where no list holds the states, the values of x_1, x_2, … and of the last state. */
  readonly path?: readonly (readonly number[])[];
  /** Ending is that of [Trace]. */
  readonly ending?: string;
  /** the reward of each step */
  readonly rewards: readonly number[];
  /** Before is P_k(X_i → Y_j), one row for each Y_j, to 4 decimals; absent without a belief. The belief after the episode is in the record. */
  readonly before?: readonly (readonly number[])[];
  readonly record: Record;
}

/** Posterior is the hyper-posterior over the parent sets of each variable, given transitions. */
export interface Posterior {
  /** Variables holds the parent sets of each Y variable, by name. The most probable set is first; ties are in the order of the prior. */
  readonly variables: { readonly [key: string]: readonly RankedSet[] };
  /** every edge from a variable with more than one value, by Y variable, then X variable */
  readonly edges: readonly RankedEdge[];
  /** What is said of a request to the engine: how a table was read, how many transitions there are, and whether they are few. The command says it on standard error. */
  readonly table?: Table;
  readonly transitions?: number;
  readonly caution?: Caution;
  /** The edges in the order of [Rank], and those of the prior that trusts each as much as it is probable, as [Answer.Stated] has it. */
  readonly uncertain?: readonly RankedEdge[];
  readonly certain?: readonly RankedEdge[];
  readonly excluded?: readonly RankedEdge[];
  readonly prior?: readonly Edge[];
  /** Contexts says, for tied rows, where each parent of the most probable sets matters. It is absent for rows that are not tied. */
  readonly contexts?: readonly RankedContext[];
}

/** Proposal is an appraisal with its problem and its policy as rules, as [Problem.Write] writes it. */
export interface Proposal {
  readonly horizon: number;
  readonly state: readonly Variable[];
  readonly action: readonly Variable[];
  /** in which model the policy is the best */
  readonly plan: string;
  /** that were drawn for the estimates; others were drawn to choose the policy */
  readonly models: number;
  /** Proposed is the value V^π of the policy, Logged that of the behaviour in the log, and Gain their difference, model by model. Best is the value of the best policy of each model, which nobody knows. */
  readonly proposed: ValueEstimate;
  readonly logged: ValueEstimate;
  readonly gain: ValueEstimate;
  /** the share of the models in which the policy is worth more than the behaviour */
  readonly better: number;
  readonly best: ValueEstimate;
  readonly coverage: Coverage;
  /** if the log says it of nine in ten of its episodes, and of at least ten */
  readonly earned?: Earned;
  /** if a policy was given */
  readonly given?: Given;
  /** absent if there are too many states */
  readonly rules?: readonly WrittenStage[];
  /** what was assumed, as sentences */
  readonly notes: readonly string[];
}

/** Begun is the answer of /v1/data: transitions that an experiment can start from. */
export interface Begun {
  /** what the spec's prior names as its data */
  readonly sha256: string;
  /** what a request holds in place of that */
  readonly steps: readonly Transition[];
  /** of the table, or the lines, that were used */
  readonly rows: number;
  readonly refused: number;
  /** of a table */
  readonly columns?: readonly Column[];
  readonly notes: readonly string[];
}

/** Started is the answer of /v1/posterior with as=start: a problem of a log, and the log as transitions that its agents start from. */
export interface Started {
  readonly model: unknown;
  /** Steps and SHA256 are as in [Begun]. They are absent if there are too many; the model's prior is then the graph as the log tells it. */
  readonly sha256?: string;
  readonly steps?: readonly Transition[];
  /** what is paid is learned of the log */
  readonly learned: boolean;
  /** what was assumed, as sentences */
  readonly notes: readonly string[];
}

/** BeliefEdges holds the probability and the value of each edge in the belief of an agent. */
export interface BeliefEdges {
  readonly run: number;
  readonly agent: string;
  /** the number of episodes that the agent has learned from */
  readonly episode: number;
  /** the number of models sampled from the belief */
  readonly samples: number;
  /** as in ModelEdges */
  readonly average: string;
  /** the mean over the samples of their optimal values */
  readonly value: number;
  /** every edge, the most valuable first; of equal value, the most probable */
  readonly edges: readonly BelievedEdge[];
}

/** Film is pictures of one agent in one run. Marks that several pictures share are written once. */
export interface Film {
  /** its name */
  readonly agent: string;
  /** counted from 0 */
  readonly run: number;
  /** of the run */
  readonly episodes: number;
  /** CSS px */
  readonly width: number;
  /** CSS px */
  readonly height: number;
  /** elements of SVG, in the colours of the page */
  readonly marks: readonly string[];
  readonly beliefs?: readonly Mind[];
  readonly frames: readonly Frame[];
}

/** Played is what has come of a run since the line before: pieces of its film, its records and its curves. */
export interface Played {
  readonly film?: Film;
  /** why there is no film; in the first line */
  readonly unfilmed?: string;
  /** as JSON Lines */
  readonly records?: string;
  /** the number of these records */
  readonly episodes: number;
  /** of all records so far */
  readonly snapshot?: Snapshot;
}

/** Kind says what a file is, by its beginning. The page opens a file accordingly, wherever it is dropped. */
export interface Kind {
  /** Kind is what follows cpsrl/ in a document of ours, such as "model" or "records", or one of the words below; "" if the beginning does not tell. */
  readonly kind: string;
}

/** Reading is the answer of /v1/prior: a prior as edges and as text. */
export interface Reading {
  readonly edges: readonly Edge[];
  /** of the lines of the text that are left out */
  readonly errors: readonly TextError[];
  /** how the text is read, if it may be taken for something else */
  readonly note?: string;
  readonly text: string;
  readonly dot: string;
  readonly tikz: string;
  readonly dagitty: string;
}

/** Normalised is the answer of /v1/normalise. */
export interface Normalised {
  /** the number of rows that did not sum to 1 */
  readonly rows: number;
  /** these rows, and by how much they differed */
  readonly words: string;
  /** with rows that do */
  readonly model: unknown;
}

/** Converted is the answer of /v1/convert. */
export interface Converted {
  /** in the format cpsrl/model */
  readonly model: unknown;
  /** sentences on what the model does not keep of the text */
  readonly notes: readonly string[];
}

/** Edited is the answer of /v1/edit. */
export interface Edited {
  /** complete; its problem is a model. Whether agents can play, /v1/check says */
  readonly spec: Spec;
  /** the model, for an editor */
  readonly form: ModelForm;
  /** sentences on what else changed */
  readonly notes: readonly string[];
  /** Drafts are the edits among those of the request that are still refused. The others were accepted together with the edit, or are gone with what they were about. */
  readonly drafts: readonly EditDraft[];
}

/** Edit is a change of a model. Its word, Edit, is one of [Words]; each needs some of the other fields. */
export interface Edit {
  readonly edit: string;
  /** a variable, whose law it may be */
  readonly of?: string;
  /** the number of a payoff or an end, from 0 */
  readonly at?: number;
  /** of a table, from 0 */
  readonly row?: number;
  /** a name, a formula, a number, a word or a list of values; instead of P, its numbers as a text */
  readonly to?: string;
  /** a row of probabilities, a mean, or the parameter of a fill */
  readonly p?: readonly number[];
  /** of a fill by chance */
  readonly seed?: number;
}

/** Facts is the data for a program that shows a chart, as JSON in [render.Picture.Data]: where the plot is in the picture, the values at its sides, and what it does not show. */
export interface Facts {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** episode */
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
  readonly logX: boolean;
  readonly logY: boolean;
  /** sentences that say what is left out or cut off, or "" */
  readonly hidden: string;
  /** the strokes and gaps of the agents, also of those without a line, if the request names all of them */
  readonly dashes?: { readonly [key: string]: readonly number[] };
}

/** StageView says which moment of a trace to show, and how. In JSON every field is optional. Unknown and duplicate fields and values out of range are refused. */
export interface StageView {
  /** CSS px; absent: 960 */
  readonly width?: number;
  /** CSS px; a picture may need more */
  readonly height?: number;
  /** absent: light */
  readonly theme?: Theme;
  /** ReducedMotion shows nothing between two steps. */
  readonly reducedMotion?: boolean;
  /** World leaves out the graph, where something else shows it. */
  readonly world?: boolean;
  /** the name of the agent; absent: its label */
  readonly agent?: string;
  /** absent: sample */
  readonly moment?: Moment;
  /** Step is the number of steps that are over in the moment act, from 0 to H. Its fraction is that of the next step. */
  readonly step?: number;
  /** Values and Policy are overlays of the world. Absent: shown in the moments plan and act. */
  readonly values?: boolean;
  readonly policy?: boolean;
  /** Model is the model of the overlays: "sampled" (if absent) or "true". */
  readonly model?: string;
  /** H is the step of the overlays, from 1; absent: the next step. */
  readonly h?: number;
  /** Passenger is the passenger of the overlays of a taxi's grid, "waiting" or "aboard"; absent: the present one. */
  readonly passenger?: string;
  /** whether the true graph is revealed */
  readonly truth?: boolean;
  readonly focus?: Focus;
  /** Worth is the value of each edge, what planning without it costs, by Y variable, then X variable. The widths of edges show these values; absent: their probabilities. */
  readonly worth?: readonly (readonly number[])[];
}

/** PresetEntry is a named spec and its link. */
export interface PresetEntry {
  readonly name: string;
  /** another name, or "" */
  readonly alias?: string;
  readonly title: string;
  /** the question that it answers */
  readonly question: string;
  /** complete */
  readonly spec: Spec;
  /** Gallery says that the preset shows a problem, and no figure of the paper. */
  readonly gallery?: boolean;
  readonly link: string;
}

/** Field is one parameter of a spec in a form. Whole numbers have Min and Max, words have Choices. A value with a notation of its own has Notation, Text and Choices; it may have other values than these choices. */
export interface Field {
  /** a JSON pointer into the spec */
  readonly pointer: string;
  /** in links and flags */
  readonly key: string;
  readonly section: Section;
  readonly label: string;
  readonly symbol?: string;
  /** the words for its value in a sentence: "_ runs" */
  readonly phrase: string;
  readonly help?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** the labels of the choices */
  readonly labels?: readonly string[];
  /** an int or a string: the value that Complete fills in */
  readonly default?: number | string;
  /** a description of the possible texts */
  readonly notation?: string;
  /** the text of the spec's value */
  readonly text?: string;
  /** the value is the name of one of the spec's priors */
  readonly named?: boolean;
  /** another choice starts the domain again, with its defaults */
  readonly restarts?: boolean;
}

/** DomainEntry is a kind of problem and the fields of its own parameters. */
export interface DomainEntry {
  /** its name in a spec: "taxi" */
  readonly key?: string;
  /** its name in a menu */
  readonly label?: string;
  /** its name in a sentence */
  readonly phrase?: string;
  /** PerRun says that each run has a true graph of its own. Otherwise all runs have the same true graph. */
  readonly perRun?: boolean;
  readonly fields: readonly Field[];
}

/** AgentKind is a kind of agent. A label of that kind is the key, or the key with parameters. */
export interface AgentKind {
  readonly key: string;
  /** Fields are the kind's parameters. The place of a field is / and the parameter's name. A parameter without a default is the spec's if it is not given. */
  readonly fields: readonly Field[];
}

/** AgentEntry is an agent with its names and its look. */
export interface AgentEntry {
  /** as in a spec */
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  /** a short name */
  readonly short: string;
  readonly gloss: string;
  readonly look: Look;
  /** whether it samples graphs */
  readonly graph: boolean;
  /** the rank among baselines; 0 for an agent that is not one */
  readonly baseline?: number;
  /** whether it is told the spec's prior; what another agent does depends on no edge of that prior */
  readonly told?: boolean;
}

/** Measure is what a curve shows, by episode: one row of [Measures]. */
export interface Measure {
  /** "model-error" */
  readonly key: string;
  /** the beginning of a sentence about it */
  readonly noun: string;
  /** the label of its axis in a figure */
  readonly axis: string;
  /** one sentence */
  readonly definition: string;
  /** the definition in symbols */
  readonly formula: string;
  /** the definition in a few words, to stand after the noun and a colon */
  readonly caption: string;
  /** Reading says in one sentence how to read a curve. It is "" if Definition is enough. */
  readonly reading?: string;
  /** Absent says why an agent may have no curve, or is "". */
  readonly absent?: string;
  readonly better?: Direction;
  /** the largest possible value, which figures show; 0 if there is none */
  readonly most?: number;
  /** Solved says that records have it only if the true model is solved. */
  readonly solved?: boolean;
  /** Switch names the switch of the spec without which records lack the measure. It is "" if no switch matters. */
  readonly switch?: string;
  /** End is 1 more than the index of the kind of end that the measure counts, or 0. */
  readonly end?: number;
}

/** StartingPoint is a template in a menu. */
export interface StartingPoint {
  readonly name: string;
  readonly title: string;
}

/** Fill is a way to fill the table of a law. */
export interface Fill {
  readonly name: string;
  /** as a menu has it */
  readonly label: string;
  /** Number says what P[0] of the edit is, or "" if the fill takes no number. Standard is what a form begins with. */
  readonly number?: string;
  readonly standard?: number;
  /** whether the edit's seed decides what is drawn */
  readonly seeded?: boolean;
}

/** About describes the problem of a run and its prior. */
export interface About {
  /** the name, cut after 100 bytes */
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
  /** a sentence that says what a step pays */
  readonly reward: string;
  /** the largest Z of a variable */
  readonly sparseness: number;
  /** the degree of prior knowledge η */
  readonly eta: number;
  /** one entry for each Y variable */
  readonly parents: readonly Factorizations[];
  /** |𝒵| = ∏_j |𝒵_j| */
  readonly consistent: string;
  /** if no edge were known */
  readonly consistentWithoutPrior: string;
  /** the terms of Theorem 1 and its proof; none if the theorem does not apply */
  readonly rate: readonly Term[];
  /** why the theorem does not apply */
  readonly rateSilent?: string;
  /** what agents do not see, and what that means */
  readonly caveat?: string;
  /** the names of the kinds of ends */
  readonly ends?: readonly string[];
  /** the domain's own prior */
  readonly suggested: readonly Edge[];
  /** its edges with a reason */
  readonly suggestions?: readonly Reason[];
  /** The page hides these until they are asked for: the true graph of the first run */
  readonly truth: readonly (readonly [string, string])[];
  /** known edges that are not true */
  readonly misspecified: readonly (readonly [string, string])[];
  /** true edges that are forbidden */
  readonly excluded?: readonly (readonly [string, string])[];
  /** G_0(η) for η = 0, 1, … up to the true graph */
  readonly revealed: readonly (readonly (readonly [string, string])[])[];
}

/** Cost is the estimated cost of a spec's runs. */
export interface Cost {
  readonly operations: number;
  /** approximate seconds of one worker of a browser */
  readonly seconds: number;
  /** the seconds of one episode of each agent, in the order of the spec */
  readonly episodes: readonly number[];
  /** whether the spec may run without being asked */
  readonly autorun: boolean;
  /** the seconds of one worker that may run without being asked */
  readonly budget: number;
}

/** Receipt names the records that the spec of a link gave. */
export interface Receipt {
  readonly engine: number;
  /** 64 lower-case hexadecimal digits */
  readonly fingerprint: string;
}

/** View says how a page shows the experiment of a link. The zero value is the view of an experiment that has just been opened. */
export interface View {
  /** the key of a measure; absent: the first */
  readonly measure?: string;
  /** episodes are on a logarithmic axis */
  readonly logX?: boolean;
  /** values are on a logarithmic axis */
  readonly logY?: boolean;
  /** what the curves show of the runs; absent: their means with intervals */
  readonly band?: Band;
  /** the chart shows the difference of two agents by run instead of their curves */
  readonly paired?: boolean;
  /** the labels of these two, of which the second is subtracted; absent: the page chooses */
  readonly pair?: readonly string[];
  /** labels of agents whose curves are hidden, in the order of the spec */
  readonly hidden?: readonly string[];
  /** what the stage shows; absent: it is closed */
  readonly watched?: Watched;
  /** the figure's title, in place of its own; plain text */
  readonly heading?: string;
  /** what is said above the figure; plain text */
  readonly note?: string;
}

/** SweepLink is what a link says of a sweep. */
export interface SweepLink {
  readonly vary: string;
  readonly receipt?: Receipt;
  /** the pairs of the link that say so */
  readonly pairs: readonly string[];
}

/** Series is one agent's curve of one measure or, with a base, of the difference agent − base by run. An agent without the measure has no series. */
export interface Series {
  readonly agent: string;
  readonly base?: string;
  readonly measure: string;
  readonly mean: readonly (number | null)[];
  /** null if n = 1 */
  readonly lo: readonly (number | null)[];
  /** null if n = 1 */
  readonly hi: readonly (number | null)[];
  /** A figure leaves these out: */
  readonly n?: readonly number[];
  /** of a difference */
  readonly conclusion?: string;
  /** of a difference of cumulative regrets, in plain words */
  readonly verdict?: string;
}

/** Discovery is the report on weak causal discovery (Corollary 1) for one agent: how much of the true graph the agent's graphs contain. */
export interface Discovery {
  readonly agent: string;
  readonly runs: number;
  /** over all runs */
  readonly episodes: number;
  /** the share of episodes with z_k ⊇ z_* */
  readonly superset: number;
  /** Random scores one sampled graph of each run, drawn uniformly from its episodes. */
  readonly random: DiscoveryScores;
  /** Best scores the most probable graph after the last episode of each run. */
  readonly best: DiscoveryScores;
}

/** Learned says in how many of its whole runs an agent has learned. */
export interface Learned {
  readonly agent: string;
  /** how many runs have learned */
  readonly runs: number;
  /** of so many */
  readonly of: number;
  /** "15 of 20 runs (51–91%)" */
  readonly words: string;
}

/** Lacked is what a request must say so that its text can be read, because the text does not. */
export interface Lacked {
  /** the parameter of the query */
  readonly option: string;
  /** what a form asks, or its button does */
  readonly label: string;
  /** with which the form begins, or which its button gives */
  readonly value: string;
  /** whether there is but one value */
  readonly button?: boolean;
  /** a sentence */
  readonly help: string;
}

/** Column says what a column of a table of transitions was taken for. */
export interface Column {
  readonly name: string;
  /** one of [Roles] */
  readonly role: string;
  /** the variable whose next value it holds */
  readonly of?: string;
  /** why it is left out, as in: has one value, "A" */
  readonly why?: string;
  /** Cuts are cut points that divide the numbers of a state or an action into parts of about as many rows, if they are not all whole and nobody has said cut points, with the number of rows in each part. */
  readonly cuts?: readonly number[];
  readonly rows?: readonly number[];
}

/** Line is a curve. A point is [episode, mean], [episode, mean, lo, hi] with an interval, or [episode, median, lo, hi, least, greatest] with the range of the runs. The episodes ascend. In a figure of dots a point is [run, value] with runs counted from 1. The value is the last one, or the number of episodes until the agent has learned, 0 if it has not. */
export interface Line {
  readonly agent?: string;
  /** for a difference agent − base */
  readonly base?: string;
  /** Foreign is the label of a curve of another program, in place of the agent. */
  readonly foreign?: string;
  /** absent: the name of the agent, or the names of agent and base */
  readonly name?: string;
  /** for a ghost, a thin line behind the others */
  readonly mark?: string;
  /** for the line of a single run, which is thin and has no name */
  readonly run?: number;
  /** looks like no other line, although another may be of the same agent */
  readonly apart?: boolean;
  readonly points: readonly (readonly number[])[];
}

/** Band is what a chart shows of the runs. */
export type Band = "interval" | "quantiles" | "runs" | "final" | "learned";

/** Note is a paragraph below the plot. */
export interface Note {
  readonly text: string;
  /** whether it is in smaller type */
  readonly fine?: boolean;
  /** where a click leads; absent: nowhere */
  readonly link?: string;
}

/** Theme is "light", "dark" or "page". */
export type Theme = "light" | "dark" | "page";

/** Quantiles are those of one agent. Entry k of a list is that of episode k+1. With one run all lists are equal. */
export interface Quantiles {
  readonly agent: string;
  readonly median: readonly (number | null)[];
  readonly q25: readonly (number | null)[];
  readonly q75: readonly (number | null)[];
  readonly least: readonly (number | null)[];
  readonly most: readonly (number | null)[];
}

/** RunLine is a measure of one agent in one run. Entry k of the values is that of episode k+1 or, if they are fewer, of the k-th episode that they are at. */
export interface RunLine {
  readonly agent: string;
  readonly run: number;
  readonly values: readonly (number | null)[];
}

/** RunEnd is the end of one agent's run. */
export interface RunEnd {
  readonly agent: string;
  readonly run: number;
  /** the measure after the last episode; null if the agent lacks it */
  readonly final: number | null;
  /** the number of episodes until the agent has learned; absent if it has not */
  readonly learned?: number;
}

/** End tells where the runs of one agent, or of a difference, ended: the mean, the median and the interquartile mean of the last values, each with a 95% interval. That of the mean is by Student's t, the others are by [Bootstrap]. */
export interface End {
  readonly agent: string;
  readonly mean: Estimate;
  readonly median: Estimate;
  readonly iqm: Estimate;
  /** the number of runs */
  readonly n: number;
}

/** ForeignLabel is the curves of one label. */
export interface ForeignLabel {
  readonly label: string;
  /** the label with what marks it as another program's */
  readonly name: string;
  readonly runs: number;
}

/** ForeignCurve is a measure of one label. Entry k of a list is that of episode k+1. Lo and hi are those of the mean's interval, null for one run. */
export interface ForeignCurve {
  readonly label: string;
  readonly measure: string;
  readonly mean: readonly (number | null)[];
  readonly lo: readonly (number | null)[];
  readonly hi: readonly (number | null)[];
  readonly median: readonly (number | null)[];
  readonly q25: readonly (number | null)[];
  readonly q75: readonly (number | null)[];
  readonly least: readonly (number | null)[];
  readonly most: readonly (number | null)[];
}

/** SweepEnd is the end of an agent's runs in a setting: the mean of the measure after the last episode. */
export interface SweepEnd {
  /** from 0 */
  readonly setting: number;
  readonly agent: string;
  readonly mean: number;
  /** the interval; absent for one run */
  readonly lo?: number;
  readonly hi?: number;
  /** the number of runs; 0 if the agent lacks the measure */
  readonly n: number;
  /** how many of them have learned; −1 if that is not known */
  readonly learned: number;
}

/** SweepColumn is a field that varies. */
export interface SweepColumn {
  readonly name: string;
  /** the words for it */
  readonly title: string;
  /** columns of one entry vary together */
  readonly entry: number;
}

/** SweepSetting is one experiment of a sweep. */
export interface SweepSetting {
  /** the same for the same spec */
  readonly id: string;
  readonly runs?: number;
  /** by column */
  readonly values: readonly string[];
  /** approximate seconds of one worker of a browser */
  readonly seconds?: number;
  /** why it cannot run; absent if it can */
  readonly reason?: string;
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

/** Source says how an agent comes to the model of an episode. */
export type Source = "estimated" | "told" | "assumed";

/** Variable is one state or action variable. */
export interface Variable {
  readonly name: string;
  /** number of values, at least 1 */
  readonly size: number;
  /** labels, one for each value; or none */
  readonly values?: readonly string[];
}

/** Allowed has, for each row of a table over state variables, the numbers of the joint actions that are legal there, ascending. */
export interface Allowed {
  readonly given: readonly string[];
  readonly actions: readonly (readonly number[])[];
}

/** Grid says how to draw the taxi. The first three state variables of the problem are the taxi's row, its column and whether the passenger is aboard. The values of its action are the moves, from [South] on. It is how traces of the taxi have said it since their first version; any other problem has a [View]. */
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

/** TraceModel is a model with a policy. */
export interface TraceModel {
  /** absent without a graph */
  readonly graph?: readonly (readonly number[])[];
  /** as in cpsrl/model; absent without factors */
  readonly transition?: readonly Factor[];
  /** Where has the edges that matter only in part, or not at all: rows of a sampled table repeat along them. It is absent without such an edge. The true model has its own only beside that of the sampled one. */
  readonly where?: readonly TraceWhere[];
  /** R(x), by x = s·A + a */
  readonly reward?: readonly number[];
  /** the value of the policy under μ, in this model */
  readonly value?: number;
  /** V_h(s), by h, then s */
  readonly v?: readonly (readonly number[])[];
  /** π_h(s), by h, then s */
  readonly policy?: readonly (readonly number[])[];
}

/** TraceStep is one step of the trajectory. */
export interface TraceStep {
  /** the state and the action */
  readonly x: readonly number[];
  /** the next state */
  readonly y: readonly number[];
  readonly reward: number;
  /** Tried has the actions that the search of the step liked best, the best one first, at most TopActions: in version 2, and absent if the agent did not search. */
  readonly tried?: readonly TraceAction[];
}

/** TraceBelief is the hyper-posterior over the parent sets of one Y variable. */
export interface TraceBelief {
  /** |𝒵_j| */
  readonly count: number;
  /** the most probable sets, at most TopSets */
  readonly sets: readonly TraceSet[];
  /** P(X_i → Y_j), for each X_i */
  readonly edges: readonly number[];
  /** in bits */
  readonly entropy: number;
}

/** Record describes one episode of one agent in one run. */
export interface Record {
  /** from 0 */
  readonly run: number;
  /** its label */
  readonly agent: string;
  /** k, from 1 */
  readonly episode: number;
  /** V_*(π_*) */
  readonly optimal?: number;
  /** V_*(π_k) */
  readonly value?: number;
  /** V_*(π_*) − V_*(π_k) */
  readonly regret?: number;
  /** the reward collected in the episode */
  readonly return: number;
  /** End is 0 if the episode lasted for the whole horizon, or else 1 more than the index of the kind of end that it reached. It is absent if the model has no ends. */
  readonly end?: number;
  /** ModelError is the mean over x of ‖p_*(·|x) − p_k(·|x)‖₁ over joint next states. It is absent if S²A exceeds fmdp.MaxJoint, and if what agents see is no MDP. */
  readonly modelError?: number;
  /** Promise is V_k(π_k), the value of the played policy in ℱ_k. It is absent before engine 2, and where the policy is not listed. */
  readonly promise?: number;
  /** Belief is absent for agents without a graph and without a belief about it (PSRL). */
  readonly belief?: Belief;
}

/** RankedSet is a parent set and its probability in a hyper-posterior. */
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

/** Table says how a table of transitions was read. */
export interface Table {
  /** as they were found, or as the prior says */
  readonly state: readonly Variable[];
  /** the same */
  readonly action: readonly Variable[];
  /** all of them, in their order */
  readonly columns: readonly Column[];
  /** that were used */
  readonly rows: number;
  /** in which a cell is missing */
  readonly refused: number;
  /** sentences on what was left out */
  readonly notes: readonly string[];
}

/** Caution says that transitions are few for the widest table that they weigh. */
export interface Caution {
  /** the Y variable */
  readonly of: string;
  /** of the table */
  readonly parents: readonly string[];
  readonly rows: number;
  /** the rows that a transition is in */
  readonly visited: number;
  readonly transitions: number;
  /** Σα over the table: it weighs as much as so many transitions */
  readonly imagined: number;
  /** the same as a sentence */
  readonly text: string;
}

/** RankedContext is the probability that an X variable matters for a Y variable in a context, given the most probable set of the Y variable's parents: that the distributions for its values are not all the same there. */
export interface RankedContext {
  /** a parent */
  readonly from: string;
  /** the Y variable */
  readonly to: string;
  /** the other parents */
  readonly given: readonly string[];
  /** their values */
  readonly where: readonly number[];
  readonly p: number;
}

/** ValueEstimate is the posterior of a number, by models that were drawn. */
export interface ValueEstimate {
  readonly mean: number;
  /** Lo, Median and Hi are the quantiles 5%, 50% and 95%. */
  readonly lo: number;
  readonly median: number;
  readonly hi: number;
}

/** Coverage says how far a log tells what a policy would meet. */
export interface Coverage {
  /** of a state and a legal action, without those in which an episode has ended */
  readonly pairs: number;
  /** that the log has */
  readonly seen: number;
  /** the mean number of steps of an episode of the policy, in the mean model */
  readonly steps: number;
  /** the share of these steps in pairs that the log does not have */
  readonly unseen: number;
  /** Top are the pairs that the log does not have and the policy meets most often, and Others is how many more it meets, in episodes that were simulated in the mean model. */
  readonly top: readonly UnseenPair[];
  readonly others: number;
}

/** Earned is what the episodes of the log were paid. */
export interface Earned {
  readonly episodes: number;
  readonly mean: number;
  /** Lo and Hi are the ends of the 90% confidence interval of the mean, by the normal distribution. */
  readonly lo: number;
  readonly hi: number;
  /** Off says that the models do not explain the mean: it is more than three standard deviations away from the value of the behaviour in the log, where both are uncertain. */
  readonly off: boolean;
}

/** Given says what a given policy is worth, in the same models. */
export interface Given {
  readonly value: ValueEstimate;
  /** over the behaviour in the log, model by model */
  readonly gain: ValueEstimate;
  /** the share of the models in which it is worth more than the behaviour */
  readonly better: number;
  /** how much more the proposed policy is worth, model by model */
  readonly short: ValueEstimate;
}

/** WrittenStage is a part of an episode in which a policy does not change. The first rule whose conditions all hold says the action; if none does, it is Otherwise. */
export interface WrittenStage {
  readonly from: number;
  readonly to: number;
  /** as in: Steps 1 to 5 */
  readonly steps?: string;
  readonly rules: readonly WrittenRule[];
  /** the value of each action variable */
  readonly otherwise: readonly number[];
  /** the same in words */
  readonly act?: string;
}

/** Transition is one observed step: the values of X, then those of Y. */
export interface Transition {
  readonly x: readonly number[];
  /** where agents start from transitions, [fmdp.Unseen] is a value that is not known */
  readonly y: readonly number[];
  /** Paid is what each payoff paid. It is absent if that is not known. */
  readonly paid?: readonly number[];
}

/** BelievedEdge is an edge, its probability and its value. */
export interface BelievedEdge {
  /** an X variable */
  readonly from: string;
  /** a Y variable */
  readonly to: string;
  /** P(X_i → Y_j) */
  readonly p: number;
  /** the mean of Δ_e over the samples; Δ_e is 0 if the edge is not sampled */
  readonly value: number;
  /** Δ_e in the true model; absent if the edge is not true */
  readonly true?: number;
}

/** Mind is what the agent believes of the graph, for a film of the world alone: pictures that follow each other share it. */
export interface Mind {
  /** the sampled one: the parents of each Y */
  readonly graph: readonly (readonly number[])[];
  /** the probability of each edge in percent, by Y, then X */
  readonly edges?: readonly (readonly number[])[];
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
  /** Belief is the film's belief at this picture, counted from 1; 0 for none. */
  readonly belief?: number;
}

/** TextError says what is wrong with a text of another program or with a line of the text form, and where. */
export interface TextError {
  /** the name of the file, if the text joins several */
  readonly file?: string;
  /** from 1; 0 if the reason is of the whole text */
  readonly line: number;
  /** from 1, in characters */
  readonly column: number;
  /** one sentence */
  readonly detail: string;
}

/** ModelForm is a model as an editor shows it. */
export interface ModelForm {
  readonly name: string;
  readonly horizon: number;
  readonly state: readonly VariableForm[];
  readonly action: readonly VariableForm[];
  /** of the state variables that are not noise */
  readonly laws: readonly LawForm[];
  /** their sum is the reward */
  readonly payoffs: readonly PayoffForm[];
  /** a formula, "uniform", or "" */
  readonly start: string;
  /** the number of states in which an episode can begin */
  readonly starts: number;
  readonly ends: readonly EndForm[];
  /** a formula, or "" */
  readonly legal: string;
  /** how many joint actions are legal, in words */
  readonly legals: string;
}

/** EditDraft is an edit that was refused, and waits for others with which it is valid. */
export interface EditDraft {
  /** as it is now: with a variable's new name, say */
  readonly edit: Edit;
  /** why it is refused now */
  readonly detail: string;
  /** to the place in the spec */
  readonly pointer: string;
}

/** Moment is one of the four moments of an episode. */
export type Moment = "sample" | "plan" | "act" | "update";

/** Focus is the edge X → Y, or all edges of one variable. */
export interface Focus {
  readonly x?: number;
  readonly y?: number;
}

/** Section is the part of a form that a parameter belongs to. */
export type Section = "domain" | "prior" | "size" | "switches" | "agents";

/** Look is how an agent's curves are drawn. Colours have a contrast of at least 3:1 on white and on #121212. Agents of different colours also differ in their dashes. */
export interface Look {
  /** #RRGGBB */
  readonly color: string;
  /** lengths of strokes and gaps at a line of width 2; empty for a solid line */
  readonly dash: readonly number[];
}

/** Direction says which values of a measure are better. */
export type Direction = "lower" | "higher";

/** Factorizations describes the possible parents of one Y variable. A variable in none of the lists is an unknown parent. Counts are exact. */
export interface Factorizations {
  readonly of: string;
  /** its Z, if variables have their own */
  readonly sparseness?: number;
  /** z_0,j */
  readonly known: readonly string[];
  /** parents with a probability */
  readonly likely?: readonly Likely[];
  /** variables that cannot be parents */
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
  /** whether Theorem 1 prints the term; the others are from its proof */
  readonly printed: boolean;
}

/** Reason says why an edge is in the domain's own prior. */
export interface Reason {
  readonly from: string;
  readonly to: string;
  readonly p: number;
  /** one sentence */
  readonly why: string;
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

/** Estimate is a statistic with its interval, which is null for one run. */
export interface Estimate {
  readonly value: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
}

/** Factor is the table of one variable, as in a trace. */
export interface Factor {
  readonly of: string;
  readonly given: readonly string[];
  readonly p: unknown;
  /** agents are told the law */
  readonly known?: boolean;
}

/** TraceWhere says in which contexts, or as which of its values, X_i matters to Y_j: "matters only where move is south or north". A context is an assignment of the other parents of Y_j. */
export interface TraceWhere {
  readonly x: number;
  readonly y: number;
  /** such as "matters only where move is south or north" */
  readonly text: string;
}

/** TraceAction is what a search made of a joint action. */
export interface TraceAction {
  /** its values */
  readonly action: readonly number[];
  /** the mean of what its trials paid, as far as they looked ahead */
  readonly value: number;
  readonly trials: number;
}

/** TraceSet is one parent set and its probability in a hyper-posterior. */
export interface TraceSet {
  readonly parents: readonly number[];
  readonly p: number;
  /** natural logarithm */
  readonly logEvidence: number;
}

/** Belief is the graph of an agent's model, and the agent's belief about the graph. An agent may lack one of the two. */
export interface Belief {
  /** z_k, the parent sets of ℱ_k, which most agents sample */
  readonly graph?: readonly (readonly number[])[];
  /** truth ⊆ sampled */
  readonly superset?: boolean;
  /** true edges found / true edges; 1 if there are none */
  readonly recall?: number;
  /** true edges found / edges sampled; 1 if there are none */
  readonly precision?: number;
  /** mean |z_j| over the Y variables that count */
  readonly parents?: number;
  /** LogTruth is ln P_k(z_*), the natural logarithm of the probability of the true graph before the episode: the sum over the variables with more than one value of the log probability of their true parents. It is absent before engine 2 and if the prior excludes the true graph. */
  readonly logTruth?: number;
  /** ValueRecall is Σ Δ_e over the true edges in z_k, divided by Σ Δ_e over all true edges, where Δ_e is what planning without the edge costs in the true model. It is absent before engine 2 and if these values would take long to compute. */
  readonly valueRecall?: number;
  /** Depth lists, if the spec asks for it, how deep Y variables are in the trap before the episode. A variable with one value, or whose prior leaves only parents that contain the true ones or only others, is left out. */
  readonly depth?: readonly Depth[];
  /** the most probable parent set of each Y_j; ties go to the first listed */
  readonly best?: readonly (readonly number[])[];
  /** P(X_i → Y_j), one row for each Y_j, to 4 decimals */
  readonly edges?: readonly (readonly number[])[];
  /** of the hyper-posterior, in bits, summed over the Y_j */
  readonly entropy?: number;
  /** Payoffs is the belief about the parents of each payoff whose scope is hidden and learned. */
  readonly payoffs?: readonly Payoff[];
}

/** UnseenPair is a state and an action that the log does not have, in words. */
export interface UnseenPair {
  readonly state: string;
  readonly action: string;
  /** of the policy's steps */
  readonly share: number;
}

/** WrittenRule is an action under conditions, with its words. */
export interface WrittenRule {
  readonly if: readonly WrittenCondition[];
  /** the value of each action variable */
  readonly then: readonly number[];
  /** the conditions, as in: soil = dry and sun = yes */
  readonly when?: string;
  /** as in: water = yes */
  readonly act?: string;
}

/** VariableForm is a variable with its values, as an edit has them. */
export interface VariableForm {
  readonly name: string;
  /** their number, or their labels */
  readonly values: string;
  /** "hidden" or "noise", if agents do not see it */
  readonly unseen?: string;
}

/** LawForm is the law of one variable. */
export interface LawForm {
  readonly of: string;
  readonly given: readonly string[];
  /** or "" */
  readonly formula: string;
  /** the labels of the values */
  readonly columns: readonly string[];
  /** the labels of the given values of each row, of the first rows */
  readonly rows: readonly (readonly string[])[];
  /** of these rows */
  readonly p: readonly (readonly number[])[];
  /** how many rows are not here */
  readonly more: number;
  /** agents are told it */
  readonly known: boolean;
}

/** PayoffForm is one payoff. */
export interface PayoffForm {
  readonly name: string;
  /** "fixed" or "bernoulli" */
  readonly kind: string;
  readonly given: readonly string[];
  /** or "" */
  readonly formula: string;
  readonly rows: readonly (readonly string[])[];
  readonly mean: readonly number[];
  readonly more: number;
}

/** EndForm is one kind of end. */
export interface EndForm {
  readonly name: string;
  /** or "" */
  readonly formula: string;
  /** what is listed, if there is no formula */
  readonly words: string;
}

/** Likely is a parent of a Y variable with a probability in the prior. */
export interface Likely {
  readonly name: string;
  readonly p: number;
}

/** Depth is the natural logarithm of the odds of the most probable parents of Y_j that contain the true ones, against the most probable others. Far below 0, when there are data, the agent is trapped without them. */
export interface Depth {
  /** j */
  readonly of: number;
  readonly logOdds: number;
}

/** Payoff is the belief about the parents of a learned payoff. */
export interface Payoff {
  readonly of: string;
  /** those of ℱ_k */
  readonly parents: readonly number[];
  /** the most probable parents, after the episode's update */
  readonly best: readonly number[];
  /** the probability of each X variable to be a parent, to 4 decimals */
  readonly edges: readonly number[];
  /** in bits */
  readonly entropy: number;
}

/** WrittenCondition is one on a state variable, of which it takes the values from Least to Most. */
export interface WrittenCondition {
  readonly variable: string;
  readonly least: number;
  readonly most: number;
}
