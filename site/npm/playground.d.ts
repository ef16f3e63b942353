// The element <cpsrl-playground>, which importing this module defines, and a client of it.

import type { Command, Figure, PlaygroundEvents, Theme } from "./messages.js";

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
  /** Gives any command, and resolves when it is obeyed. */
  tell(command: WithoutId<Command>): Promise<PlaygroundEvents["done"]>;
  /** Listens to an event, and returns what ends that. */
  on<K extends keyof ElementEvents>(type: K, listener: (detail: ElementEvents[K]) => void): () => void;
  /** Removes the playground and frees what it holds. */
  stop(): void;
}

/** Puts a playground into an element of the page, in place of what is in it. Resolves when it takes commands. */
export declare function embed(place: Element, options: EmbedOptions): Promise<Embedded>;

/** What an agent is told of a problem: the hello of the format cpsrl/agent. Values are counted from 0. */
export interface AgentSpec {
  /** A document cpsrl/prior; format, version and edges may be absent. */
  readonly prior: {
    readonly state: readonly AgentVariable[];
    readonly action: readonly AgentVariable[];
    readonly sparseness: number | string | object;
    /** [X name, Y name], with a probability or without. */
    readonly edges?: readonly (readonly [string, string] | readonly [string, string, number])[];
    readonly [member: string]: unknown;
  };
  /** The most steps of an episode. */
  readonly horizon: number;
  /** The parts of the reward; by default one from 0 to 1 that may depend on everything. */
  readonly payoffs?: readonly AgentPayoff[];
  /** The states in which episodes end; without it, the agent learns them. */
  readonly terminal?: readonly { readonly given: readonly string[]; readonly is: readonly (readonly number[])[] }[];
  /** The true graph, for agents that are told it. */
  readonly graph?: readonly (readonly [string, string])[];
  /** A label: c-psrl (the default), f-psrl:graph=prior, psrl, greedy, … */
  readonly agent?: string;
  readonly seed?: number;
  readonly run?: number;
  readonly bound?: "at-most" | "below";
  readonly update?: "exact" | "printed";
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
  readonly edges?: readonly (readonly [string, string] | readonly [string, string, number])[];
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

/** Lends an agent to a simulator of the page. Its program (2.1 MB) is loaded at the first call. */
export declare function agent(spec: AgentSpec | { readonly saved: SavedAgent }): Agent;

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
