// The messages between a page and a playground. Written by site/host-api.mjs from site/host-api.schema.json.

/** The details of the events. Later versions may add members. */
export interface PlaygroundEvents {
  /** The page of the frame is there, and loads the engine. */
  loading: {  };
  /** Commands are obeyed from now on. */
  ready: { readonly engine: number; };
  /** What is shown now, be it by the reader or by a command. `seconds` are of one worker; `autorun`: within the budget of links. */
  state: { readonly link: string; readonly seconds: number; readonly autorun: boolean; };
  /** Episodes done, of all agents and runs; at most four times a second. */
  progress: { readonly done: number; readonly total: number; };
  /** A run has ended or failed, with so many whole runs. If there is one, the link carries their receipt: engine and fingerprint. */
  finished: { readonly runs: number; readonly stopped: boolean; readonly conclusion: string; readonly link?: string; readonly engine?: number; readonly fingerprint?: string; };
  /** The stage has painted another episode; in fast forward, not all of them. */
  episode: { readonly agent: string; readonly run: number; readonly episode: number; };
  /** The stage has painted another moment or step of an episode, and says so in a sentence. */
  moment: { readonly episode: number; readonly moment: Moment; readonly step: number; readonly text: string; };
  /** The stage has begun to play, or rests. */
  play: { readonly playing: boolean; };
  /** The stage plays at another speed. */
  speed: { readonly speed: Speed; };
  /** The true graph was revealed or hidden. */
  reveal: { readonly revealed: boolean; };
  /** Another edge is picked out, or all edges of one variable; without both names, none. */
  highlight: { readonly from?: string; readonly to?: string; };
  /** The chart shows something else; what is at its default is absent. */
  view: { readonly view: Look & { readonly pair?: readonly string[]; }; };
  /** A command was obeyed. */
  done: { readonly command: CommandName; readonly id?: string | number; readonly summary?: Figure; readonly svg?: string; readonly belief?: Belief; };
  /** A command was not obeyed; `detail` is the reason in one sentence. */
  refused: { readonly detail: string; readonly id?: string | number; };
}

/** A command; its id comes back with done or refused. */
export type Command = { readonly id?: string | number } & (
  /** Shows an experiment: that of a link, of a spec or of a preset. A link also says how it is viewed, and `heading` is the title of the figure unless the link has one. Nothing runs yet, and an open stage stays open. */
  | { readonly type: "state"; readonly link: string; readonly heading?: string; }
  | { readonly type: "state"; readonly spec: object; readonly heading?: string; }
  | { readonly type: "state"; readonly preset: string; readonly heading?: string; }
  /** Runs what is shown, or goes on after `pause`. Waits for an earlier `state`, and until the frame is on screen. Done when the run has begun. Refused above the budget of links (the frame then says what the experiment asks for), while the frame asks its reader whether a run that turned out to be larger may go on, where `ui` leaves out both `experiment` and `controls`, and if nothing can be started, as with refused settings. */
  | { readonly type: "run"; }
  /** Computes no further, also in the middle of a run, until `run`. */
  | { readonly type: "pause"; }
  /** Shows the frame in this theme. */
  | { readonly type: "theme"; readonly theme: Theme; }
  /** Shows an episode on the stage, which it opens. Absent: run and agent as they are, or the first run and the agent that the page chooses; moment as it is. Done when the episode is painted. Refused if it cannot be shown, if another one is asked for before, or if it takes longer than a link may run by itself: then the reader is asked. Off screen, it waits. */
  | { readonly type: "episode"; readonly episode: number; readonly run?: number; readonly agent?: string; readonly moment?: Moment; }
  /** Goes to a moment of the episode on the stage; acting is played. */
  | { readonly type: "moment"; readonly moment: Moment; }
  /** Plays the stage on from where it is, while it is on screen and not paused; with `playing` false, it rests. Refused if fast forward would take longer than a link may run by itself. */
  | { readonly type: "play"; readonly playing?: boolean; }
  /** How fast the stage plays; `auto`, the default, begins slowly and quickens; `fast` is one picture an episode. A speed that the host or the reader chooses stays. */
  | { readonly type: "speed"; readonly speed: Speed; }
  /** Reveals the true graph, or hides it. */
  | { readonly type: "reveal"; readonly revealed: boolean; }
  /** Picks out an edge of the graph on the stage by the names of the variable now and of the next one; with one name, all edges of that variable; without names, nothing. */
  | { readonly type: "highlight"; readonly from?: string; readonly to?: string; }
  /** Changes how the chart shows what it shows; members that are absent stay. A link says all of it. To say which two agents `paired` compares, use `state` with `paired=AGENT,BASE` in the link. */
  | { readonly type: "view"; readonly view: Look; }
  /** Asks for the result that the chart shows: agents, episodes, means and intervals. Done with the member `summary`. Refused during a run, and if there is no result. */
  | { readonly type: "summary"; }
  /** Asks for the figure on show as the text of an SVG file. Done with the member `svg`. Refused if there is none. */
  | { readonly type: "svg"; }
  /** Asks what an agent believes after an episode of a run whose records the page has. Absent: what the stage shows, or else the last episode, the first run and the agent that the page chooses. Done with the member `belief`, which is absent if the agent has no graph. Refused if the page has no such records. */
  | { readonly type: "belief"; readonly episode?: number; readonly run?: number; readonly agent?: string; }
);

export type Theme = "auto" | "light" | "dark";

/** A moment of an episode. */
export type Moment = "sample" | "plan" | "act" | "update";

/** How fast the stage plays; `auto`, the default, begins slowly and quickens; `fast` is one picture an episode. */
export type Speed = "auto" | 0.5 | 1 | 2 | 4 | 8 | 16 | "fast";

/** What the chart shows, and how. */
export interface Look {
  /** The key of a measure; by default the first, `cumulative-regret`, or `return` where there is no regret. */
  readonly measure?: string;
  /** Episodes on a logarithmic axis. */
  readonly logX?: boolean;
  /** Values on a logarithmic axis. */
  readonly logY?: boolean;
  /** What is shown of the runs. */
  readonly band?: "interval" | "quantiles" | "runs" | "final" | "learned";
  /** The difference of two agents by run. */
  readonly paired?: boolean;
  /** The agents whose curves are hidden. */
  readonly hidden?: readonly string[];
}

/** What an agent believes after an episode. Data can tell nothing of variables with one value, so that their edges are left out. */
export interface Belief {
  /** Its label. */
  readonly agent: string;
  readonly run: number;
  readonly episode: number;
  /** The edges of the graph that the agent sampled for the episode: the names of the variable now, and of the next one or of the payoff. */
  readonly graph?: readonly (readonly string[])[];
  /** The probability of each edge after the episode. */
  readonly edges?: readonly { readonly from: string; readonly to: string; readonly p: number; }[];
}

export type CommandName = "state" | "run" | "pause" | "theme" | "episode" | "moment" | "play" | "speed" | "reveal" | "highlight" | "view" | "summary" | "svg" | "belief";

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
