// Asks the engine about the records of results, once for each question.

import { type Signal, signal, untracked } from "@preact/signals-core";
import { sentence } from "../dom";
import { detailOf, Refused, send } from "../engine/engine";
import type { Result } from "./results";

/** An answer, or why there is none. While it has neither, the answer is on its way. */
export interface Said<T> {
  readonly answer?: T;
  readonly failure?: string;
}

export class Asked<T> {
  readonly #known = new WeakMap<Result, Map<string, Signal<Said<T>>>>();

  /**
   * The present answer about a result; reading it subscribes to changes. The request is sent when this key of the result is asked for
   * the first time. If the engine failed, it is sent again when the answer is wanted again after nobody has wanted it.
   */
  of(result: Result, key: string, ask: () => { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }): Said<T> {
    const of = this.#known.get(result) ?? new Map<string, Signal<Said<T>>>();
    this.#known.set(result, of);
    const said = of.get(key) ?? untracked(() => this.#send(ask(), () => of.delete(key)));
    of.set(key, said);
    return said.value;
  }

  #send({ path, body, made }: { readonly path: string; readonly body: Blob; readonly made: (line: unknown) => T }, forget: () => void): Signal<Said<T>> {
    let failed = false;
    const said = signal<Said<T>>({}, { unwatched: () => failed && forget() });
    send(path, body, "json", (line) => void (said.value = { answer: made(line) })).catch((error: unknown) => {
      failed = !(error instanceof Refused); // the engine would refuse it again
      said.value = { failure: sentence(detailOf(error)) };
    });
    return said;
  }
}
