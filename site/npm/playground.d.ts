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
  /** A command was obeyed. */
  done: { readonly command: "state" | "run" | "pause" | "theme" };
  /** A command was not obeyed; one sentence says why. */
  refused: { readonly detail: string };
}

/** Attributes: preset, link, theme, ui, title, poster. */
export interface PlaygroundElement extends HTMLElement {
  /** Opens the playground if need be, and runs what is shown, or goes on after pause(). */
  run(): void;
  /** Computes no further until run(). */
  pause(): void;
  /** Opens the playground if need be, and shows an experiment: the fragment of a link. */
  show(link: string): void;
  setTheme(theme: "auto" | "light" | "dark"): void;
  addEventListener<K extends keyof PlaygroundEvents>(type: K, listener: (event: CustomEvent<PlaygroundEvents[K]>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
