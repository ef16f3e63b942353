// What to say when a part of the site does not come that is fetched when it is
// asked for: the site has another version now, or the network is gone.

import { here } from "./address";
import { sentence } from "./dom";

/** One sentence below the header, until it is closed or no longer true. It is text, never HTML. */
export interface Notice {
  readonly name: string;
  readonly text: string;
  readonly tone: "plain" | "good" | "bad";
  /** Each closes the notice. One without actions can be closed. */
  readonly actions: readonly { readonly label: string; readonly act: () => void }[];
}

/** Every playground of this document, for the site is lost to all of them. */
export const boards = new Set<(notice: Notice) => void>();

const tell = (text: string, actions: Notice["actions"]): void => {
  for (const show of boards) show({ name: "changed", text, tone: "bad", actions });
};

/** Says that the site has changed, and offers to reload the page. Returns the words, for a sentence. */
export function tellChanged(): string {
  const words = "the site has changed since this page was opened.";
  tell(sentence(words), [
    { label: "Reload", act: () => here.reload() },
    { label: "Not now", act: () => {} },
  ]);
  return words;
}

export const unreachable = "the site cannot be reached.";

/** Imports a module of the site. Undefined: it did not come, and every playground says why. */
export async function later<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch {
    await tellLost();
    return undefined;
  }
}

/** A wish for a part of the site: the first loads it and hands it on, the others do nothing unless it did not come. */
export function once<T>(load: () => Promise<T | undefined>, use: (made: T) => void): () => void {
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

/** Says why a part of the site did not come. */
export async function tellLost(): Promise<void> {
  const there = await fetch(here.site, { method: "HEAD", mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
  if (there) tellChanged();
  else tell(sentence(unreachable), []);
}
