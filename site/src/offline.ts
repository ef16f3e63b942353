// Keeps a copy of the site for offline use: site/src/sw.ts.

import { sandboxed, site, worker } from "./site";

/** Asks the browser to keep a copy, unless this is a sandboxed frame or the person saves data. */
export async function keepOffline(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (worker === "" || sandboxed || !isSecureContext || connection?.saveData) return;
  try {
    await navigator.serviceWorker.register(worker, { scope: site, updateViaCache: "none" });
  } catch {
    // A browser that keeps nothing, as in a private window: the site works online.
  }
}
