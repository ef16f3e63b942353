// What this site is, wherever its scripts run.

import { here } from "./address";
export { hosted, site, versions, worker } from "cpsrl:edition";

/** A sandboxed frame of no origin: it has no storage, and no offline copy. */
export const sandboxed = self.origin === "null" && !here.file;
