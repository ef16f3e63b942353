// The element <cpsrl-playground>. Importing this module defines it.

/** The details of the element's events. Later versions may add members. */
export interface PlaygroundEvents {
  /** The element takes commands from now on. */
  ready: { readonly engine: number };
  /** Another experiment, or another view of it, is shown. */
  state: { readonly link: string; readonly seconds: number; readonly autorun: boolean };
  /** The number of finished episodes, of all agents and runs. */
  progress: { readonly done: number; readonly total: number };
  /** The experiment has ended. If runs are complete, there is a link, which carries their receipt: engine and fingerprint. */
  finished: { readonly runs: number; readonly stopped: boolean; readonly conclusion: string; readonly link?: string; readonly engine?: number; readonly fingerprint?: string };
  /** The stage shows another episode. */
  episode: { readonly agent: string; readonly run: number; readonly episode: number };
  /** The stage shows another moment or step of an episode, which the text describes. */
  moment: { readonly episode: number; readonly moment: Moment; readonly step: number; readonly text: string };
  /** The stage has begun or stopped playing. */
  play: { readonly playing: boolean };
  speed: { readonly speed: Speed };
  /** The true graph was revealed or hidden. */
  reveal: { readonly revealed: boolean };
  /** Another edge or variable is highlighted, by name, or none is. */
  highlight: { readonly from?: string; readonly to?: string };
  /** The chart shows something else. */
  view: { readonly view: Look & { readonly pair?: readonly string[] } };
  /** A command was obeyed. */
  done: { readonly command: Command["type"]; readonly id?: string | number };
  /** A command was not obeyed; one sentence says why. */
  refused: { readonly detail: string; readonly id?: string | number };
}

export type Moment = "sample" | "plan" | "act" | "update";
/** How fast the stage plays; "fast" shows one picture an episode. */
export type Speed = 0.5 | 1 | 2 | 4 | 8 | 16 | "fast";

/** What the chart shows and how it shows it. */
export interface Look {
  /** The key of a measure. */
  readonly measure?: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** How the chart shows the runs. */
  readonly band?: "interval" | "quantiles" | "runs" | "final" | "learned";
  /** Whether the chart shows the difference of two agents by run. */
  readonly paired?: boolean;
  /** The agents whose curves are hidden. */
  readonly hidden?: readonly string[];
}

/** A command to the element; its id comes back with done or refused. */
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

/** The element. Its attributes are preset, link, theme, ui, title and poster. */
export interface PlaygroundElement extends HTMLElement {
  /** Opens the playground if necessary, and runs the shown experiment or goes on after pause(). */
  run(): void;
  /** Stops computing until run(). */
  pause(): void;
  /** Opens the playground if necessary, and shows the experiment of a link's fragment. */
  show(link: string): void;
  setTheme(theme: "auto" | "light" | "dark"): void;
  /** Opens the playground if necessary, and gives it a command. */
  tell(command: Command): void;
  addEventListener<K extends keyof PlaygroundEvents>(type: K, listener: (event: CustomEvent<PlaygroundEvents[K]>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PlaygroundEvents>>(type: K, listener: (event: HTMLElementEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof PlaygroundEvents>(type: K, listener: (event: CustomEvent<PlaygroundEvents[K]>) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PlaygroundEvents>>(type: K, listener: (event: HTMLElementEventMap[K]) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
