// As much of IndexedDB as the page uses, in memory: object stores with keys beside their values, and
// transactions that come one after the other and change all or nothing. A browser's own is met by experiment.test.mjs.

/** @typedef {Map<string, Map<string, any>>} Stores */

export class Database {
  /** @type {Stores} */
  stores = new Map();
  /** What the next writes are refused with, if they are. @type {((bytes: number) => boolean) | undefined} */
  full;
  /** How often a browser has opened it. */
  opened = 0;
  #last = Promise.resolve();

  /** @param {string} _name @param {number} _version */
  open(_name, _version) {
    this.opened++;
    const database = {
      createObjectStore: (/** @type {string} */ name) => void this.stores.set(name, new Map()),
      transaction: () => this.#transaction(),
      close() {},
    };
    const request = /** @type {any} */ ({ result: database });
    queueMicrotask(() => {
      if (this.stores.size === 0) request.onupgradeneeded();
      request.onsuccess();
    });
    return request;
  }

  #transaction() {
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
    change.objectStore = (/** @type {string} */ name) => ({
      get: (/** @type {string} */ key) => ask(name, (store) => structuredClone(store.get(key))),
      getAll: () => ask(name, (store) => structuredClone([...store.values()])),
      getAllKeys: () => ask(name, (store) => [...store.keys()]),
      put: (/** @type {any} */ value, /** @type {string} */ key) => {
        const copy = structuredClone(value);
        bytes += copy.length ?? 0;
        return ask(name, (store) => store.set(key, copy));
      },
      delete: (/** @type {string} */ key) => ask(name, (store) => store.delete(key)),
      clear: () => ask(name, (store) => store.clear()),
    });
    this.#last = this.#last.then(async () => {
      stores = new Map([...this.stores].map(([name, store]) => [name, new Map(store)]));
      for (let idle = 0; idle < 20; ) {
        const next = waiting.shift();
        if (next) next();
        idle = next ? 0 : idle + 1;
        await null;
      }
      if (this.full?.(bytes)) {
        change.error = new Error("QuotaExceededError");
        change.onabort();
        return;
      }
      this.stores = stores;
      change.oncomplete();
    });
    return change;
  }
}
