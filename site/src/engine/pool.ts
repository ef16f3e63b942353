// The number of workers, and of instances of the engine.

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

/** How many instances may work at the same time. WebKit gives four of a process fast memory; on a machine with many cores more are faster all the same. */
export function mostInstances({ hardwareConcurrency, vendor }: Pick<Navigator, "hardwareConcurrency" | "vendor">): number {
  return /^Apple/.test(vendor) && (hardwareConcurrency || 2) < 8 ? 4 : Infinity;
}

/** The instances that live: the desk, a preview, an aggregator and its workers, a sweep's, an agent of the page. */
let living = 0;

/** Counts an instance that begins, until the function that it returns is called. */
export function enter(): () => void {
  living++;
  let left = false;
  return () => {
    if (!left) living--;
    left = true;
  };
}

/** How many more instances the browser bears. */
export const room = (): number => mostInstances(navigator) - living;
