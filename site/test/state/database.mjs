// As much of IndexedDB as the page uses, in memory: object stores with keys beside their values, and
// transactions that come one after the other and change all or nothing. A browser's own is met by experiment.test.mjs.

/** @typedef {Map<string, Map<string, any>>} Stores */

/**
 * How a browser's storage behaves: it answers; it is denied, so that the call fails; opening it fails; another tab blocks it; it is
 * mute and answers nothing, at all or once it is open; nothing can be changed, or nothing can be put.
 * @typedef {"answers" | "denied" | "failing" | "blocked" | "mute" | "mute when open" | "closed" | "no put"} Mood
 */

export class Database {
  /** @type {Stores} */
  stores = new Map();
  /** What the next writes are refused with, if they are. @type {((bytes: number) => boolean) | undefined} */
  full;
  /** @type {Mood} */
  mood = "answers";
  /** Resolves after a while: each answer waits for it. @type {(() => Promise<void>) | undefined} */
  late;
  /** What is not answered. @type {(() => void)[]} */
  #held = [];
  /** How often a browser has opened it. */
  opened = 0;
  #last = Promise.resolve();

  /** Answers again, also what was not answered. */
  wake() {
    this.mood = "answers";
    for (const answer of this.#held.splice(0)) answer();
  }

  /** @param {string} _name @param {number} _version */
  open(_name, _version) {
    this.opened++;
    if (this.mood === "denied") throw new Error("the operation is insecure");
    const database = {
      createObjectStore: (/** @type {string} */ name) => void this.stores.set(name, new Map()),
      transaction: () => this.#transaction(),
      close() {},
    };
    const request = /** @type {any} */ ({ result: database });
    const answer = () => {
      if (this.stores.size === 0) request.onupgradeneeded();
      request.onsuccess();
    };
    queueMicrotask(async () => {
      await this.late?.();
      if (this.mood === "failing") {
        request.error = new Error("the profile is damaged");
        request.onerror();
      } else if (this.mood === "mute" || this.mood === "blocked") {
        this.#held.push(answer);
        if (this.mood === "blocked") request.onblocked();
      } else answer();
    });
    return request;
  }

  #transaction() {
    if (this.mood === "closed") throw Object.assign(new Error("the connection is closing"), { name: "InvalidStateError" });
    /** @type {(() => void)[]} */
    const waiting = [];
    /** @type {Stores | undefined} */
    let stores;
    const change = /** @type {any} */ ({ oncomplete() {}, onabort() {} });
    /** @param {(store: Map<string, any>) => unknown} act @param {string} name */
    const ask = (name, act) => {
      const request = /** @type {any} */ ({});
      waiting.push(() => {
        request.result = act(/** @type {Stores} */ (stores).get(name) ?? new Map());
        request.onsuccess?.();
      });
      return request;
    };
    let bytes = 0;
    let aborted = false;
    change.abort = () => void (aborted = true);
    change.objectStore = (/** @type {string} */ name) => ({
      get: (/** @type {string} */ key) => ask(name, (store) => structuredClone(store.get(key))),
      getAll: () => ask(name, (store) => structuredClone([...store.values()])),
      getAllKeys: () => ask(name, (store) => [...store.keys()]),
      put: (/** @type {any} */ value, /** @type {string} */ key) => {
        if (this.mood === "no put") throw Object.assign(new Error("there is no room"), { name: "QuotaExceededError" });
        const copy = structuredClone(value);
        bytes += copy.length ?? 0;
        return ask(name, (store) => store.set(key, copy));
      },
      delete: (/** @type {string} */ key) => ask(name, (store) => store.delete(key)),
      clear: () => ask(name, (store) => store.clear()),
    });
    this.#last = this.#last.then(async () => {
      if (this.mood === "mute when open") await new Promise((answer) => this.#held.push(() => answer(undefined)));
      stores = new Map([...this.stores].map(([name, store]) => [name, new Map(store)]));
      for (let idle = 0; idle < 20; ) {
        const next = waiting.shift();
        if (next) await this.late?.();
        if (next) next();
        idle = next ? 0 : idle + 1;
        await null;
      }
      await this.late?.();
      if (aborted || this.full?.(bytes)) {
        change.error = new Error(aborted ? "AbortError" : "QuotaExceededError");
        change.onabort();
        return;
      }
      this.stores = stores;
      change.oncomplete();
    });
    return change;
  }
}
