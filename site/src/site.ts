// What the scripts know about the site that they belong to.

import { here } from "./address";
export { hosted, site, versions, worker } from "cpsrl:edition";

/** Whether this is a sandboxed frame without an origin, which has no storage and no offline copy. */
export const sandboxed = self.origin === "null" && !here.file;
