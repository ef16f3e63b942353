// Keeps a copy of the site for offline use, by the service worker (sw.ts).

import { scriptAddress } from "./markup";
import { sandboxed, site, worker } from "./site";

/** Asks the browser to keep a copy, unless this is a sandboxed frame or the visitor saves data. */
export async function keepOffline(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (worker === "" || sandboxed || !isSecureContext || connection?.saveData) return;
  try {
    await navigator.serviceWorker.register(scriptAddress(worker), { scope: site, updateViaCache: "none" });
  } catch {
    // Some browsers keep nothing, for example in a private window. The site then works online only.
  }
}
