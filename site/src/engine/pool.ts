// The number of workers.

import type { Spec } from "../formats";

export function workers({ runs, agents }: Spec): number {
  return Math.min(8, cores(navigator), runs * agents.length);
}

/**
 * The number of cores to use. So that sites cannot tell machines apart, WebKit says 4 on every machine with fewer than 8.
 * With more workers than cores, WebKit's compiler starves, and everything takes several times as long.
 */
export function cores({ hardwareConcurrency, vendor }: Pick<Navigator, "hardwareConcurrency" | "vendor">): number {
  const said = hardwareConcurrency || 2;
  return /^Apple/.test(vendor) && said < 8 ? Math.min(2, said) : said;
}
