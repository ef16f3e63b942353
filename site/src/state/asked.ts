// What the engine says of the records of results: each thing is asked once.

import { type Signal, signal, untracked } from "@preact/signals-core";
import { sentence } from "../dom";
import { detailOf, send } from "../engine/engine";
import type { Result } from "./results";

/** An answer, or why there is none. Neither: it is on its way. */
export interface Said<T> {
  readonly answer?: T;
  readonly failure?: string;
}

export class Asked<T> {
  readonly #known = new WeakMap<Result, Map<string, Signal<Said<T>>>>();

  /** What is said of a result for now; who reads it hears of more. The path and the body are sent the first time that this key of the result is asked for. */
  of(result: Result, key: string, ask: () => { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }): Said<T> {
    const of = this.#known.get(result) ?? new Map<string, Signal<Said<T>>>();
    this.#known.set(result, of);
    const said = of.get(key) ?? untracked(() => this.#send(ask()));
    of.set(key, said);
    return said.value;
  }

  #send({ path, body, made }: { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }): Signal<Said<T>> {
    const said = signal<Said<T>>({});
    void send(path, body, "json", (message) => {
      if (message.kind === "line") said.value = { answer: made(message.value) };
    }).catch((error: unknown) => {
      said.value = { failure: sentence(detailOf(error)) };
    });
    return said;
  }
}
