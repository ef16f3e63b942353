// Keeps a copy of the site for offline use: site/src/sw.ts.

import { embedded, sandboxed } from "./embed";
import { root } from "./link";

/** Asks the browser to keep a copy, unless this is a frame or the person saves data. */
export async function keepOffline(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (sandboxed || embedded || !isSecureContext || connection?.saveData) return;
  try {
    await navigator.serviceWorker.register(`${root}sw.js`, { scope: root, updateViaCache: "none" });
  } catch {
    // A browser that keeps nothing, as in a private window: the site works online.
  }
}
