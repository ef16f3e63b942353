// What the page says when a part of the site cannot be loaded: either the site has a newer
// version by now, or the network is gone.

import { here } from "./address";
import { sentence } from "./dom";

/** A sentence below the header. It stays until someone closes it or it is no longer true. It is text, never HTML. */
export interface Notice {
  readonly name: string;
  readonly text: string;
  readonly tone: "plain" | "good" | "bad";
  /** Each action also closes the notice. A notice without actions has a close button instead. */
  readonly actions: readonly { readonly label: string; readonly act: () => void }[];
}

/** Shows a notice in each playground of this document, because a lost site concerns all of them. */
export const boards = new Set<(notice: Notice) => void>();

const tell = (text: string, actions: Notice["actions"]): void => {
  for (const show of boards) show({ name: "changed", text, tone: "bad", actions });
};

/** Says that the site has changed, and offers to reload the page. Returns the words, as the end of a sentence. */
export function tellChanged(): string {
  const words = "the site has changed since this page was opened.";
  tell(sentence(words), [
    { label: "Reload", act: () => here.reload() },
    { label: "Not now", act: () => {} },
  ]);
  return words;
}

export const unreachable = "the site cannot be reached.";

/** Loads a part of the site: a module or a style. If that fails, every playground says why, and the result is undefined. */
export async function later<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch {
    await tellLost();
    return undefined;
  }
}

/** Returns a function that loads a part of the site at its first call and hands it on. Later calls do nothing, unless loading failed. */
export function once<T>(load: () => Promise<T>, use: (made: T) => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    void later(load).then((made) => {
      if (made === undefined) asked = false;
      else use(made);
    });
  };
}

/** Says why a part of the site could not be loaded. */
export async function tellLost(): Promise<void> {
  const there = await fetch(here.site, { method: "HEAD", mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
  if (there) tellChanged();
  else tell(sentence(unreachable), []);
}
