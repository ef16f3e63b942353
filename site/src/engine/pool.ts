// How many workers there are.

import type { Spec } from "../formats";

/** How many workers share the runs. */
export function workers({ runs, agents }: Spec): number {
  return Math.min(8, navigator.hardwareConcurrency || 2, runs * agents.length);
}
