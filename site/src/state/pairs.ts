// Which two lines a difference is of: agents of the main result, or of one that is pinned.

import { styleOf } from "../agents";
import type { Pin } from "./comparison";
import type { Result } from "./results";

/** A line: the label of an agent of the main result; "A c-psrl" for that of the result pinned as A. */
export type Ref = string;

export type Pair = readonly [agent: Ref, base: Ref];

/** The mark of a line, "" for the main result, and its label. */
export function parsed(ref: Ref): { readonly mark: string; readonly label: string } {
  const [, mark = "", label = ref] = /^(\w) (.*)$/.exec(ref) ?? [];
  return { mark, label };
}

/** Two labels in one line: whether a curve is their difference. */
export const isOf = ({ agent, base }: { readonly agent: string; readonly base?: string | undefined }, pair: Pair): boolean =>
  agent === pair[0] && base === pair[1];

/** The lines of which any two have a difference: there are records of them. */
export function refsOf(main: Result, pins: readonly Pin[]): Ref[] {
  if (!main.records) return [];
  const kept = pins.filter(({ result }) => result.records && result !== main);
  return [...main.spec.agents, ...kept.flatMap(({ mark, result }) => result.spec.agents.map((label) => `${mark} ${label}`))];
}

/** The difference that is shown: that which is asked for, if there is one, or the first that came with the result, or that of the last line and the first. */
export function pairOf(main: Result, pins: readonly Pin[], asked: readonly Ref[] | undefined): Pair | undefined {
  const refs = refsOf(main, pins);
  const [agent, base] = asked ?? [];
  if (agent !== undefined && base !== undefined && agent !== base) {
    const pair: Pair = [agent, base];
    if ((refs.includes(agent) && refs.includes(base)) || main.differences.some((curve) => isOf(curve, pair))) return pair;
  }
  const [first] = main.differences;
  if (first) return [first.agent, first.base!];
  return refs.length > 1 ? [refs.at(-1)!, refs[0]!] : undefined;
}

/** What a line is called: "C-PSRL · A". */
export function nameOfRef(ref: Ref): string {
  const { mark, label } = parsed(ref);
  return styleOf(label).name + (mark && ` · ${mark}`);
}

export const nameOfPair = ([agent, base]: Pair): string => `${nameOfRef(agent)} − ${nameOfRef(base)}`;
