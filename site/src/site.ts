// What this site is, wherever its scripts run.

/** The site's own address: links are of it, never of a preset's page. */
export const site = new URL("../", import.meta.url).href;

/** A sandboxed frame of no origin: it has no storage, and no offline copy. */
export const sandboxed = self.origin === "null";
