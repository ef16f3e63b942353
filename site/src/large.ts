// A problem that no link can hold is kept in this browser, so that a reload does not lose it.

import { effect, untracked } from "@preact/signals-core";
import type { Spec } from "./formats";
import type { Playground } from "./state/playground";

const store = "problems";
const last = "last";

/** Opens the store, does something with it, and closes it. Rejects if the browser keeps nothing for this site. */
async function using<T>(mode: IDBTransactionMode, act: (problems: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open("cpsrl-problems", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const database = await settled(opening);
  try {
    const change = database.transaction(store, mode);
    const made = settled(act(change.objectStore(store)));
    await new Promise<void>((resolve, reject) => {
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error("nothing was kept"));
    });
    return await made;
  } finally {
    database.close();
  }
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("nothing was kept"));
  });

const forget = (): Promise<unknown> => using("readwrite", (problems) => problems.delete(last)).catch(() => {});

/** Offers the problem that was kept last, and keeps each one that no link can hold. */
export async function large({ app, links }: Playground): Promise<void> {
  const spec = await using<Spec | undefined>("readonly", (problems) => problems.get(last)).catch(() => undefined);
  if (spec) {
    const { name } = (spec.domain["model"] ?? {}) as { readonly name?: string };
    const open = (): void => {
      links.drop();
      app.begin();
      void app.show(spec);
    };
    app.notify(
      "kept",
      `The problem ${name ? `“${name}” ` : ""}is too large for a link and is kept in this browser.`,
      "plain",
      { label: "Open it", act: open },
      { label: "Forget it", act: () => void forget() },
    );
  }
  effect(() => {
    const { spec, why } = links.homeless.value ?? {};
    if (!spec || why === undefined) return;
    untracked(() => {
      using("readwrite", (problems) => problems.put(spec, last)).then(
        () => {
          app.dismiss("kept"); // another problem has taken its place
          app.notify("link", `${why} The problem is kept in this browser. To share it, save it as a file: Edit… under Problem, then “Save the file”.`);
        },
        () => app.notify("link", `${why} To share the problem, save it as a file: Edit… under Problem, then “Save the file”.`),
      );
    });
  });
}
