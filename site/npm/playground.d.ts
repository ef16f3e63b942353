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

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
