// The databases of the browser, as the page uses them. What they keep is a help and no more, and some browsers leave a
// request without any answer: whoever asks waits for about a second without a sign, and goes on without what is kept.

/** After so many milliseconds without a sign nobody waits any more. */
export const patience = 1000;

/** How often somebody looks, in milliseconds. A page that was busy or asleep has looked seldom, and so it waits for longer. */
const often = 250;

/** The database says nothing. */
export class Silent extends Error {
  constructor() {
    super("the browser’s storage does not answer");
  }
}

/** The browser keeps nothing for this page: its visitor, or the page around it, wants it so. */
export class Denied extends Error {
  constructor() {
    super("this browser keeps nothing for this site");
  }
}

/** Why nothing is kept, as the end of a sentence. */
export function whyNot(error: unknown): string {
  const { name = "", message = "" } = error instanceof Error ? error : {};
  if (/QuotaExceeded/.test(`${name} ${message}`)) return "the browser’s storage is full";
  return message || name || "the browser’s storage has failed";
}

/** Resolves to what a request of a transaction finds. */
export type Ask = <T>(request: IDBRequest<T>) => Promise<T>;

/** Somebody who waits for signs. */
class Watch {
  readonly silence: Promise<never>;
  #over = false;
  #looks: number;
  #give!: () => void;

  constructor(private readonly most: number) {
    this.#looks = most / often;
    this.silence = new Promise((_, reject) => {
      const timer = setInterval(() => {
        if (--this.#looks <= 0) this.#give();
      }, often);
      this.#give = () => {
        clearInterval(timer);
        this.#over = true;
        reject(new Silent());
      };
    });
    this.silence.catch(() => {});
  }

  get over(): boolean {
    return this.#over;
  }

  sign(): void {
    this.#looks = this.most / often;
  }

  /** Waits no longer. */
  end(): void {
    this.#give();
  }
}

/** A database with these stores, whose keys are beside their values. It is opened when it is first asked. */
export class Database {
  #connection: Promise<IDBDatabase> | undefined;
  readonly #watches = new Set<Watch>();
  /** What was not answered in time. As long as there is any, nobody waits again. */
  readonly #late = new Set<Promise<unknown>>();

  constructor(
    private readonly name: string,
    private readonly stores: readonly string[],
  ) {}

  #connect(): Promise<IDBDatabase> {
    if (this.#connection) return this.#connection;
    const connection = new Promise<IDBDatabase>((resolve, reject) => {
      let request: IDBOpenDBRequest;
      try {
        request = indexedDB.open(this.name, 1);
      } catch {
        reject(new Denied());
        return;
      }
      request.onupgradeneeded = () => {
        for (const name of this.stores) request.result.createObjectStore(name);
      };
      // Another tab does not let go of it. Nobody has to wait for that; it may be there later.
      request.onblocked = () => {
        for (const watch of this.#watches) watch.end();
      };
      request.onerror = () => reject(request.error?.name === "SecurityError" ? new Denied() : (request.error ?? new Error("it cannot be opened")));
      request.onsuccess = () => {
        const { result } = request;
        result.onversionchange = () => {
          result.close(); // a later version of the page wants it
          lost();
        };
        result.onclose = lost;
        resolve(result);
      };
    });
    const lost = (): void => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    connection.catch(lost);
    return (this.#connection = connection);
  }

  /** Resolves when nothing is late any more. */
  async answers(): Promise<void> {
    while (this.#late.size > 0) await Promise.allSettled(this.#late);
  }

  /** Reads or changes the stores, all of it or nothing. Rejects after so many milliseconds without a sign, and at once while an earlier request has no answer. */
  async change<T>(mode: IDBTransactionMode, act: (stores: readonly IDBObjectStore[], ask: Ask) => Promise<T>, most = patience): Promise<T> {
    if (this.#late.size > 0) throw new Silent();
    const watch = new Watch(most);
    this.#watches.add(watch);
    const work = this.#perform(mode, act, watch);
    try {
      return await Promise.race([work, watch.silence]);
    } catch (error) {
      if (error instanceof Silent) {
        this.#late.add(work);
        const heard = (): unknown => this.#late.delete(work);
        work.then(heard, heard);
      }
      throw error;
    } finally {
      watch.end();
      this.#watches.delete(watch);
    }
  }

  async #perform<T>(mode: IDBTransactionMode, act: (stores: readonly IDBObjectStore[], ask: Ask) => Promise<T>, watch: Watch): Promise<T> {
    const database = await this.#connect();
    if (watch.over) throw new Silent(); // whoever asked has gone on without it
    watch.sign();
    const change = this.#begin(database, mode);
    const done = new Promise<void>((resolve, reject) => {
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error("the browser kept nothing"));
    });
    done.catch(() => {}); // if act has failed before
    const ask: Ask = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => {
          watch.sign();
          resolve(request.result);
        };
        request.onerror = () => reject(request.error ?? new Error("the browser kept nothing"));
      });
    let made: T;
    try {
      made = await act(
        this.stores.map((name) => change.objectStore(name)),
        ask,
      );
    } catch (error) {
      try {
        change.abort();
      } catch {
        // it has ended already
      }
      throw error;
    }
    await done;
    return made;
  }

  #begin(database: IDBDatabase, mode: IDBTransactionMode): IDBTransaction {
    try {
      return database.transaction(this.stores as string[], mode);
    } catch (error) {
      database.close();
      this.#connection = undefined; // the next request opens it again
      // Another page of this origin has made a database of this name for something else.
      if (error instanceof Error && error.name === "NotFoundError") indexedDB.deleteDatabase(this.name);
      throw error;
    }
  }
}
