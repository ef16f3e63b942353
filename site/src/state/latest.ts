// The one guard against answers that come too late: of several wishes the newest counts.

export class Latest {
  #wish = new AbortController();

  /** The newest wish: its signal is aborted by the next. */
  get signal(): AbortSignal {
    return this.#wish.signal;
  }

  /** A new wish takes the place of the one before. */
  next(): AbortSignal {
    this.#wish.abort();
    this.#wish = new AbortController();
    return this.#wish.signal;
  }
}
