// The element <cpsrl-playground>, which importing this module defines, and a client of it.

import type { Belief, Command, Figure, PlaygroundEvents, Theme } from "./messages.js";

export * from "./messages.js";

/** What the element says besides the messages of the playground. */
export interface ElementEvents extends PlaygroundEvents {
  /** The element shows no playground; one sentence says why: an unknown preset, a wrong link, or a playground that could not be loaded. */
  error: { readonly detail: string };
  /** The element has left its playground: stop() was called, the element was removed, or other attributes make a new one. */
  closed: object;
}

/** The element. Each attribute is a property of the same name. */
export interface PlaygroundElement extends HTMLElement {
  preset: string;
  link: string;
  theme: string;
  ui: string;
  heading: string;
  poster: string;
  inline: boolean;
  /** Opens the playground, and runs nothing that its link would not. */
  open(): void;
  /** Frees what the playground holds, and shows the picture again. */
  stop(): void;
  /** Opens the playground if necessary, and runs the shown experiment or goes on after pause(). */
  run(): void;
  /** Stops computing until run(). */
  pause(): void;
  /** Opens the playground if necessary, and shows the experiment of a link's fragment. */
  show(link: string): void;
  setTheme(theme: Theme): void;
  /** Opens the playground if necessary, and gives it a command. */
  tell(command: Command): void;
  addEventListener<K extends keyof ElementEvents>(type: K, listener: (event: CustomEvent<ElementEvents[K]>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof ElementEvents>>(type: K, listener: (event: HTMLElementEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ElementEvents>(type: K, listener: (event: CustomEvent<ElementEvents[K]>) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof ElementEvents>>(type: K, listener: (event: HTMLElementEventMap[K]) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** An experiment: a link's fragment, a spec (cpsrl/spec) or a preset. The heading is the title of the figure. */
export type Shown = ({ readonly link: string } | { readonly spec: object } | { readonly preset: string }) & { readonly heading?: string };

export interface EmbedOptions {
  readonly preset?: string;
  readonly link?: string;
  /** A document cpsrl/spec. */
  readonly spec?: object;
  /** The words of ui=. */
  readonly parts?: readonly string[];
  readonly theme?: Theme;
  readonly heading?: string;
  /** What a screen reader calls the frame. */
  readonly title?: string;
  readonly inline?: boolean;
}

/** Each form of a command, without its id, which is the client's own. */
export type WithoutId<C> = C extends unknown ? Omit<C, "id"> : never;

/** A playground in a page. Each promise rejects with an Error whose message says why: the playground has refused, or is gone. */
export interface Embedded {
  readonly element: PlaygroundElement;
  /** What is shown: the last event state. */
  readonly state: PlaygroundEvents["state"] | undefined;
  /** Shows another experiment: a link's fragment, or one of link, spec and preset. */
  show(what: string | Shown): Promise<void>;
  /** Runs what is shown, and resolves at the end of the run. It begins when the playground is on screen. */
  run(): Promise<PlaygroundEvents["finished"]>;
  /** The result that the chart shows: agents, episodes, means and intervals. */
  summary(): Promise<Figure>;
  /** The figure on show as the text of an SVG file. */
  svg(): Promise<string>;
  /** What an agent believes after an episode, by default the one on the stage or else the last of the first run. Null: the agent has no graph. */
  belief(of?: { readonly episode?: number; readonly run?: number; readonly agent?: string }): Promise<Belief | null>;
  /** Gives any command, and resolves when it is obeyed. */
  tell(command: WithoutId<Command>): Promise<PlaygroundEvents["done"]>;
  /** Listens to an event, and returns what ends that. */
  on<K extends keyof ElementEvents>(type: K, listener: (detail: ElementEvents[K]) => void): () => void;
  /** Removes the playground and frees what it holds. */
  stop(): void;
}

/** Puts a playground into an element of the page, in place of what is in it. Resolves when it takes commands. */
export declare function embed(place: Element, options: EmbedOptions): Promise<Embedded>;

type AgentEdge = readonly [string, string] | readonly [string, string, number];

/** Which agent it is, and its random streams. */
interface AgentArrangement {
  /** The true graph, for agents that are told it. */
  readonly graph?: readonly (readonly [string, string])[];
  /** A label: c-psrl (the default), f-psrl:graph=prior, psrl, greedy, … */
  readonly agent?: string;
  readonly seed?: number;
  readonly run?: number;
  readonly bound?: "at-most" | "below";
  readonly update?: "exact" | "printed";
}

/** What an agent is told of a problem: a hello of the format cpsrl/agent, whose members are those of a model (docs/agent.html#hello). Values are counted from 0. */
export interface AgentTask extends AgentArrangement {
  readonly horizon: number;
  readonly state: readonly AgentVariable[];
  readonly action: readonly AgentVariable[];
  /** The joint actions that there are, or the rule that says them. */
  readonly legal?: readonly (readonly number[])[] | { readonly formula: string } | { readonly maxNonDefault: number; readonly default: readonly number[] };
  /** The laws that the agent is told. */
  readonly transition?: readonly { readonly of: string; readonly given?: readonly string[]; readonly p?: readonly (readonly number[])[] | object; readonly formula?: string; readonly known?: boolean }[];
  readonly reward: readonly (Omit<AgentPayoff, "edges" | "mean"> & {
    readonly mean?: readonly number[] | object;
    readonly formula?: string;
    readonly kind?: "fixed" | "bernoulli";
    readonly scale?: number;
  })[];
  readonly terminal?: readonly { readonly name?: string; readonly given?: readonly string[]; readonly is?: readonly (readonly number[])[]; readonly formula?: string }[];
  readonly prior: AgentPrior & { readonly sparseness: number | string | object };
  /** Priors for agents that name one: c-psrl:prior=mine. */
  readonly priors?: Readonly<Record<string, AgentPrior>>;
  readonly dirichlet?: number | string | object;
  readonly tables?: "rows" | "tied" | "trees";
}

/** A prior: edges, also to payoffs whose parents are hidden; several may share a reason. */
export interface AgentPrior {
  readonly sparseness?: number | string | object;
  readonly edges: readonly (AgentEdge | { readonly why?: string; readonly p: number; readonly edges: readonly (readonly [string, string])[] })[];
}

/** What an agent is told of a problem, as version 1 of a hello says it: the variables stand in the prior. Values are counted from 0. */
export interface AgentSpec extends AgentArrangement {
  /** A document cpsrl/prior; format, version and edges may be absent. */
  readonly prior: {
    readonly state: readonly AgentVariable[];
    readonly action: readonly AgentVariable[];
    readonly sparseness: number | string | object;
    /** [X name, Y name], with a probability or without. */
    readonly edges?: readonly AgentEdge[];
    readonly [member: string]: unknown;
  };
  /** The most steps of an episode. */
  readonly horizon: number;
  /** The parts of the reward; by default one from 0 to 1 that may depend on everything. */
  readonly payoffs?: readonly AgentPayoff[];
  /** The states in which episodes end; without it, the agent learns them. */
  readonly terminal?: readonly { readonly given: readonly string[]; readonly is: readonly (readonly number[])[] }[];
}

export interface AgentVariable {
  readonly name: string;
  readonly size: number;
  readonly values?: readonly string[];
}

/** A part of the reward. One of given, of and scope says what it depends on; by default, on all variables. */
export interface AgentPayoff {
  readonly name?: string;
  /** The least and the largest payoff; by default 0 and 1. */
  readonly range?: readonly [number, number];
  /** Names of variables; "row'" is the row of the next state. */
  readonly given?: readonly string[];
  /** A state variable whose parents it shares. */
  readonly of?: string;
  /** The agent learns what it depends on. It then has a name. */
  readonly scope?: "hidden";
  readonly edges?: readonly AgentEdge[];
  /** The agent is told what is paid on average, by row. */
  readonly mean?: readonly number[];
}

/** A step of the simulator: the state and the action, the next state, what each payoff paid, and whether the episode ended there. */
export interface Step {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly paid?: readonly number[];
  readonly ended?: boolean;
}

export interface AgentReady {
  readonly engine: number;
  /** The canonical label. */
  readonly agent: string;
  readonly name: string;
  readonly states: number;
  readonly actions: number;
  readonly horizon: number;
  /** Whether policy() works. */
  readonly table: boolean;
  readonly episodes: number;
  readonly transitions: number;
}

export interface AgentEpisode {
  /** From 1. */
  readonly number: number;
  /** The edges of the sampled graph, if the agent has one. */
  readonly graph?: readonly (readonly [string, string])[];
}

export interface AgentModel extends AgentEpisode {
  /** The sampled tables, in the words of a model. */
  readonly model: {
    readonly transition: readonly { readonly of: string; readonly given: readonly string[]; readonly p: readonly (readonly number[])[] }[];
    /** What is expected. The parts add up. */
    readonly reward: readonly { readonly given: readonly string[]; readonly mean: readonly number[]; readonly name?: string }[];
  };
}

export interface AgentBelief {
  readonly transitions: number;
  /** In bits. Absent, as edges and best, if the agent has no graph. */
  readonly entropy?: number;
  readonly edges?: readonly { readonly from: string; readonly to: string; readonly p: number }[];
  /** The edges of the most probable graph. */
  readonly best?: readonly (readonly [string, string])[];
}

/** A document cpsrl/agent-saved. */
export type SavedAgent = object;

/** An agent for a simulator in the page. Each promise rejects with an Error: the program has refused a message, and the session goes on, or the agent is closed. */
export interface Agent {
  readonly ready: Promise<AgentReady>;
  /** Begins an episode: samples a model and plans in it. */
  episode(): Promise<AgentEpisode>;
  /** Begins an episode for a planner of your own: samples a model and does not plan in it. */
  model(): Promise<AgentModel>;
  /** Begins an episode, and resolves to its policy: for each step the number of the action in each state, row-major. */
  policy(): Promise<number[][]>;
  /** The action of the episode's policy at step h = 1, 2, …: the value of each action variable. */
  act(h: number, state: readonly number[]): Promise<number[]>;
  /** Lets the agent learn. */
  observe(transitions: readonly Step[]): Promise<AgentBelief>;
  belief(): Promise<AgentBelief>;
  /** A document from which agent({ saved }) goes on exactly there. */
  save(): Promise<SavedAgent>;
  /** Ends the agent's worker. */
  close(): void;
}

/** Lends an agent to a simulator of the page. Its program (1.3 MB) is loaded at the first call. */
export declare function agent(spec: AgentTask | AgentSpec | { readonly saved: SavedAgent }): Agent;

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}

/** The experiment whose world it is, by one of preset, spec, link and model, and the name of your agent in its records. */
export interface WorldSpec {
  readonly label: string;
  readonly preset?: string;
  /** A document cpsrl/spec. */
  readonly spec?: object;
  readonly link?: string;
  /** A document cpsrl/model. */
  readonly model?: object;
}

export interface WorldReady {
  readonly engine: number;
  /** The fingerprint of problem, seed and engine. */
  readonly world: string;
  readonly title: string;
  readonly link: string;
  readonly horizon: number;
  readonly state: readonly AgentVariable[];
  readonly action: readonly AgentVariable[];
  readonly legal?: readonly (readonly number[])[] | { readonly formula: string };
  readonly states: number;
  readonly actions: number;
  /** Whether agents learn what is paid. */
  readonly learned: boolean;
  /** Whether score() takes a table. */
  readonly table: boolean;
  /** Why V* is not known. */
  readonly regret?: string;
  readonly firstRun: number;
  readonly runs: number;
  /** Of each run. */
  readonly episodes: number;
}

export interface WorldEpisode {
  readonly run: number;
  /** From 1. */
  readonly number: number;
  readonly state: number[];
  /** The episode has no more steps. */
  readonly over: boolean;
}

export interface WorldStep {
  readonly state: number[];
  readonly reward: number;
  /** What each payoff paid, for transitions of an agent of ours, if it learns that. */
  readonly paid?: number[];
  /** By a state in which episodes end. */
  readonly ended: boolean;
  readonly over: boolean;
}

export interface WorldScore {
  /** A line of a file that cpsrl summary -with reads. */
  readonly record: { readonly label: string; readonly run: number; readonly episode: number; readonly regret?: number; readonly return?: number; readonly world: string };
  readonly return: number;
  readonly optimal?: number;
  /** Of the table. */
  readonly value?: number;
  /** The return of the agent that plans in the true model, where V* is not known. */
  readonly reference?: number;
}

/** A world for an agent in the page (docs/world.html). Each promise rejects with an Error: the program has refused a message, and the session goes on, or the world is closed. */
export interface World {
  readonly ready: Promise<WorldReady>;
  /** What our agents are told of the run: agent({ ...task, agent: "c-psrl" }). */
  task(graph?: boolean): Promise<AgentTask>;
  /** Begins the next episode, or the first one of a run. With leave, an episode that is not scored is given up. */
  reset(run?: number, options?: { readonly leave?: boolean }): Promise<WorldEpisode>;
  /** Acts: a value for each action variable. */
  step(action: readonly number[]): Promise<WorldStep>;
  /** Scores the episode by its policy, the number of an action for each step and state, or by what it was paid. A reference takes a search; reference: false leaves it out. */
  score(table?: readonly (readonly number[])[], options?: { readonly reference?: boolean }): Promise<WorldScore>;
  /** Ends the world's worker. */
  close(): void;
}

/** Lends the world of an experiment to an agent of the page. The engine is loaded at the first call. */
export declare function world(spec: WorldSpec): World;
