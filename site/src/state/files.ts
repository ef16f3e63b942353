// The file that is being opened, and why it is not taken.

import { batch, type ReadonlySignal, signal } from "@preact/signals-core";
import type { Lacked, Normalised } from "../formats";
import { Latest } from "./latest";

/** A file of another program, what was given beside it, and what is lacked still. */
export interface Lacking {
  readonly file: string;
  readonly text: string;
  readonly given: Readonly<Record<string, string>>;
  readonly lacked: Lacked;
}

export class Files {
  readonly #untaken = signal("");
  readonly #normalised = signal<Normalised | undefined>(undefined);
  readonly #lacking = signal<Lacking | undefined>(undefined);
  readonly #requests = new Latest();

  /** Why the last file was not accepted. */
  readonly untaken: ReadonlySignal<string> = this.#untaken;
  /** That file's model with its rows normalised, if nothing else is wrong with it. */
  readonly normalised: ReadonlySignal<Normalised | undefined> = this.#normalised;
  /** The file of another program that lacks what the page asks for. */
  readonly lacking: ReadonlySignal<Lacking | undefined> = this.#lacking;

  /** Begins to open files. The signal ends with the next request, and when the form is filled. */
  begin(): AbortSignal {
    this.clear();
    return this.#requests.next();
  }

  /** Opens nothing that is still being read. */
  leave(): void {
    this.#requests.next();
  }

  /** Forgets what was said about the last file. */
  clear(): void {
    batch(() => {
      this.#untaken.value = "";
      this.#normalised.value = this.#lacking.value = undefined;
    });
  }

  /** Says why a file is not taken; "" takes that back. */
  refuse(why: string): void {
    this.#untaken.value = why;
  }

  /** Offers a model whose rows are normalised. */
  offer(model: Normalised): void {
    this.#normalised.value = model;
  }

  /** Asks for what a file lacks. */
  ask(lacking: Lacking | undefined): void {
    this.#lacking.value = lacking;
  }
}
