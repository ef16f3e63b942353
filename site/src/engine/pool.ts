// How many workers there are.

import type { Spec } from "../formats";

/** How many workers share the runs. */
export function workers({ runs, agents }: Spec): number {
  return Math.min(8, cores(navigator), runs * agents.length);
}

/**
 * The cores that may be used. WebKit names 4 wherever there are fewer than 8, so as not to tell machines apart; with more
 * workers than cores its compiler starves, and all takes several times as long.
 */
export function cores({ hardwareConcurrency, vendor }: Pick<Navigator, "hardwareConcurrency" | "vendor">): number {
  const said = hardwareConcurrency || 2;
  return /^Apple/.test(vendor) && said < 8 ? Math.min(2, said) : said;
}
