// The one guard against stale answers: of several requests only the newest counts.

export class Latest {
  #request = new AbortController();

  /** The signal of the newest request. The next request aborts it. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  next(): AbortSignal {
    this.#request.abort();
    this.#request = new AbortController();
    return this.#request.signal;
  }
}
