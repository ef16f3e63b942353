// The versions of a prior, for Undo and Redo. Each entry of the browser's history keeps
// its line of versions, so Back, Undo and Reset agree.

import type { Prior, Spec } from "../formats";

/** The prior of a spec, without its data. Undefined: the domain's suggestion. */
export type Known = Prior | undefined;

export function knownOf({ prior }: Pick<Spec, "prior">): Known {
  if (prior?.data === undefined) return prior;
  const { data: _data, ...known } = prior;
  return Object.keys(known).length === 0 ? undefined : known;
}

export interface Line {
  readonly past: readonly Known[];
  readonly now: Known;
  readonly future: readonly Known[];
  readonly group?: string | undefined;
}

// What the browser has kept is anybody's: it is taken only if it has the shape in which the page left it. The engine judges the rest.

const all = (list: unknown, are: (of: unknown) => boolean): boolean => Array.isArray(list) && list.every(are);
const isText = (of: unknown): boolean => typeof of === "string";
const isNumber = (of: unknown): boolean => typeof of === "number";
const isPrior = (of: unknown): boolean =>
  of instanceof Object && all((of as { edges?: unknown }).edges ?? [], (edge) => all(edge, (part) => isText(part) || isNumber(part)));
const isKnown = (of: unknown): boolean => of === undefined || isPrior(of);

export function isLine(of: unknown): of is Line {
  const { past, now, future } = (of ?? {}) as Partial<Line>;
  return all(past, isKnown) && all(future, isKnown) && isKnown(now);
}

export function isSpec(of: unknown): of is Spec {
  const { domain, agents, episodes, runs, prior, priors } = (of ?? {}) as { readonly [member in keyof Spec]?: unknown };
  const { name, model = {} } = (domain ?? {}) as { readonly [member: string]: unknown };
  const { reward = [] } = (model ?? {}) as { readonly reward?: unknown };
  return (
    isText(name) &&
    all([episodes, runs], isNumber) &&
    all(agents, isText) &&
    all(reward, isPrior) &&
    isKnown(prior) &&
    all(Object.values(priors ?? {}), isPrior)
  );
}

export const begin = (now: Known): Line => ({ past: [], now, future: [] });

/** A step forward. Steps of one group in a row are undone together. If the prior stays the same, the line does, too. */
export function stepped(line: Line, now: Known, group?: string): Line {
  if (JSON.stringify(now) === JSON.stringify(line.now)) return line;
  const past = group === undefined || group !== line.group ? [...line.past, line.now] : line.past;
  return { past, now, future: [], group };
}

/** A step back or forth. If there is nothing to go to, the line stays the same. */
export function moved(line: Line, by: "undo" | "redo"): Line {
  const { past, now, future } = line;
  if (by === "undo") return past.length === 0 ? line : { past: past.slice(0, -1), now: past.at(-1), future: [...future, now] };
  return future.length === 0 ? line : { past: [...past, now], now: future.at(-1), future: future.slice(0, -1) };
}
