// The versions of a prior, to go back and forth on. A line travels with each entry
// of the browser's history, so Back, Undo and Reset agree.

import type { Prior } from "../formats";

/** The prior of a spec; undefined is the domain's suggestion. */
export type Known = Prior | undefined;

export interface Line {
  readonly past: readonly Known[];
  readonly now: Known;
  readonly future: readonly Known[];
  readonly group?: string | undefined;
}

export const begin = (now: Known): Line => ({ past: [], now, future: [] });

/** A step forward; steps of one group in a row are undone as one. The same line: the prior is what it was. */
export function stepped(line: Line, now: Known, group?: string): Line {
  if (JSON.stringify(now) === JSON.stringify(line.now)) return line;
  const past = group === undefined || group !== line.group ? [...line.past, line.now] : line.past;
  return { past, now, future: [], group };
}

/** The same line: there is nothing to go to. */
export function moved(line: Line, by: "undo" | "redo"): Line {
  const { past, now, future } = line;
  if (by === "undo") return past.length === 0 ? line : { past: past.slice(0, -1), now: past.at(-1), future: [...future, now] };
  return future.length === 0 ? line : { past: [...past, now], now: future.at(-1), future: future.slice(0, -1) };
}
