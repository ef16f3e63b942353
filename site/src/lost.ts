// What to say when a part of the site does not come that is fetched when it is
// asked for: the site has another version now, or the network is gone.

import { sentence } from "./dom";
import { notify } from "./notice";

/** Says that the site has changed, and offers to reload the page. Returns the words, for a sentence. */
export function tellChanged(): string {
  const words = "the site has changed since this page was opened.";
  notify("changed", sentence(words), "bad", { label: "Reload", act: () => location.reload() }, { label: "Not now", act: () => {} });
  return words;
}

export const unreachable = "the site cannot be reached.";

/** Imports a module of the site. Undefined: it did not come, and the page says why. */
export async function later<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch {
    await tellLost();
    return undefined;
  }
}

/** Says why a part of the site did not come. */
export async function tellLost(): Promise<void> {
  const there = await fetch(location.href, { method: "HEAD", mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
  if (there) tellChanged();
  else notify("changed", sentence(unreachable), "bad");
}
