// The element <cpsrl-playground>. Importing this module defines it.

/** What the element tells: the detail of its events. Later versions may add members. */
export interface PlaygroundEvents {
  /** Commands are heard from now on. */
  ready: { readonly engine: number };
  /** Another experiment, or another view of it, is shown. */
  state: { readonly link: string; readonly seconds: number; readonly autorun: boolean };
  /** Episodes done, of all agents and runs. */
  progress: { readonly done: number; readonly total: number };
  /** A run has ended. With whole runs there is a link, which carries their receipt: engine and fingerprint. */
  finished: { readonly runs: number; readonly stopped: boolean; readonly conclusion: string; readonly link?: string; readonly engine?: number; readonly fingerprint?: string };
  /** The stage shows another episode. */
  episode: { readonly agent: string; readonly run: number; readonly episode: number };
  /** The stage shows another moment or step of an episode, and says so in a sentence. */
  moment: { readonly episode: number; readonly moment: Moment; readonly step: number; readonly text: string };
  /** The stage has begun to play, or rests. */
  play: { readonly playing: boolean };
  speed: { readonly speed: Speed };
  /** The true graph was revealed or hidden. */
  reveal: { readonly revealed: boolean };
  /** Another edge or variable is picked out, by name; or none. */
  highlight: { readonly from?: string; readonly to?: string };
  /** The chart shows something else. */
  view: { readonly view: Look & { readonly pair?: readonly string[] } };
  /** A command was obeyed. */
  done: { readonly command: Command["type"]; readonly id?: string | number };
  /** A command was not obeyed; one sentence says why. */
  refused: { readonly detail: string; readonly id?: string | number };
}

export type Moment = "sample" | "plan" | "act" | "update";
/** How fast the stage plays; fast is one picture an episode. */
export type Speed = 0.5 | 1 | 2 | 4 | 8 | 16 | "fast";

/** What the chart shows, and how. */
export interface Look {
  /** The key of a measure. */
  readonly measure?: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** What is shown of the runs. */
  readonly band?: "interval" | "quantiles" | "runs" | "final" | "learned";
  /** The difference of two agents by run. */
  readonly paired?: boolean;
  /** The agents whose curves are hidden. */
  readonly hidden?: readonly string[];
}

/** What the element can be told; an id comes back with done or refused. */
export type Command = { readonly id?: string | number } & (
  | { readonly type: "state"; readonly link: string }
  | { readonly type: "run" | "pause" }
  | { readonly type: "theme"; readonly theme: "auto" | "light" | "dark" }
  | { readonly type: "episode"; readonly episode: number; readonly run?: number; readonly agent?: string; readonly moment?: Moment }
  | { readonly type: "moment"; readonly moment: Moment }
  | { readonly type: "play"; readonly playing?: boolean }
  | { readonly type: "speed"; readonly speed: Speed }
  | { readonly type: "reveal"; readonly revealed: boolean }
  | { readonly type: "highlight"; readonly from?: string; readonly to?: string }
  | { readonly type: "view"; readonly view: Look }
);

/** Attributes: preset, link, theme, ui, title, poster. */
export interface PlaygroundElement extends HTMLElement {
  /** Opens the playground if need be, and runs what is shown, or goes on after pause(). */
  run(): void;
  /** Computes no further until run(). */
  pause(): void;
  /** Opens the playground if need be, and shows an experiment: the fragment of a link. */
  show(link: string): void;
  setTheme(theme: "auto" | "light" | "dark"): void;
  /** Tells the playground a command, and opens it if need be. */
  tell(command: Command): void;
  addEventListener<K extends keyof PlaygroundEvents>(type: K, listener: (event: CustomEvent<PlaygroundEvents[K]>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
