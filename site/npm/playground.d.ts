// The element <cpsrl-playground>. Importing this module defines it.

import type { Command, PlaygroundEvents, Theme } from "./messages.js";

export * from "./messages.js";

/** The element. Its attributes are preset, link, theme, ui, title and poster. */
export interface PlaygroundElement extends HTMLElement {
  /** Opens the playground if necessary, and runs the shown experiment or goes on after pause(). */
  run(): void;
  /** Stops computing until run(). */
  pause(): void;
  /** Opens the playground if necessary, and shows the experiment of a link's fragment. */
  show(link: string): void;
  setTheme(theme: Theme): void;
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
