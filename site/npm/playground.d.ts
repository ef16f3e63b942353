// The element <cpsrl-playground>. Importing this module defines it.

import type { Command, PlaygroundEvents, Theme } from "./messages.js";

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

export declare const PlaygroundElement: { new (): PlaygroundElement };

declare global {
  interface HTMLElementTagNameMap {
    "cpsrl-playground": PlaygroundElement;
  }
}
