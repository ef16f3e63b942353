// Asks the engine about the records of results, once for each question.

import { type Signal, signal, untracked } from "@preact/signals-core";
import { sentence } from "../dom";
import { detailOf, send } from "../engine/engine";
import type { Result } from "./results";

/** An answer, or why there is none. While it has neither, the answer is on its way. */
export interface Said<T> {
  readonly answer?: T;
  readonly failure?: string;
}

export class Asked<T> {
  readonly #known = new WeakMap<Result, Map<string, Signal<Said<T>>>>();

  /** The present answer about a result; reading it subscribes to changes. The request is sent when this key of the result is asked for the first time. */
  of(result: Result, key: string, ask: () => { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }): Said<T> {
    const of = this.#known.get(result) ?? new Map<string, Signal<Said<T>>>();
    this.#known.set(result, of);
    const said = of.get(key) ?? untracked(() => this.#send(ask()));
    of.set(key, said);
    return said.value;
  }

  #send({ path, body, made }: { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }): Signal<Said<T>> {
    const said = signal<Said<T>>({});
    send(path, body, "json", (line) => void (said.value = { answer: made(line) })).catch((error: unknown) => {
      said.value = { failure: sentence(detailOf(error)) };
    });
    return said;
  }
}
