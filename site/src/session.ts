// What the page remembers as long as its tab is open. Where the browser keeps nothing, it is forgotten at once.

import type { Root } from "./dom";

/** What was remembered under a name. A playground in another page remembers nothing there. */
export function recall(root: Root, name: string): string | null {
  try {
    return root instanceof Document ? sessionStorage.getItem(name) : null;
  } catch {
    return null;
  }
}

export function remember(root: Root, name: string, value: string): void {
  try {
    if (root instanceof Document) sessionStorage.setItem(name, value);
  } catch {
    // The browser keeps nothing.
  }
}
