// The two lines whose difference is shown. Each is an agent of the main result or of a kept one.

import { styleOf } from "../agents";
import type { Kept, Result } from "./results";

/** A line of the chart: an agent's label, or "A c-psrl" for c-psrl in the result kept as A. */
export type Ref = string;

export type Pair = readonly [agent: Ref, base: Ref];

/** The mark of a line's result, which is "" for the main result, and the agent's label. */
export function parsed(ref: Ref): { readonly mark: string; readonly label: string } {
  const [, mark = "", label = ref] = /^(\w) (.*)$/.exec(ref) ?? [];
  return { mark, label };
}

/** Whether a curve is the difference of the pair. */
export const isOf = ({ agent, base }: { readonly agent: string; readonly base?: string | undefined }, pair: Pair): boolean =>
  agent === pair[0] && base === pair[1];

/** The lines with records: any two of them have a difference. */
export function refsOf(main: Result, kept: readonly Kept[]): Ref[] {
  if (!main.records) return [];
  const others = kept.filter(({ result }) => result.records && result !== main);
  return [...main.spec.agents, ...others.flatMap(({ mark, result }) => result.spec.agents.map((label) => `${mark} ${label}`))];
}

/** The pair whose difference is shown: the one that is asked for, if it has a difference; or the first that came with the result; or the last line and the first. */
export function pairOf(main: Result, kept: readonly Kept[], asked: readonly Ref[] | undefined): Pair | undefined {
  const refs = refsOf(main, kept);
  const [agent, base] = asked ?? [];
  if (agent !== undefined && base !== undefined && agent !== base) {
    const pair: Pair = [agent, base];
    if ((refs.includes(agent) && refs.includes(base)) || main.differences.some((curve) => isOf(curve, pair))) return pair;
  }
  const [first] = main.differences;
  if (first) return [first.agent, first.base!];
  return refs.length > 1 ? [refs.at(-1)!, refs[0]!] : undefined;
}

/** The name of a line, such as "C-PSRL, A". */
export function nameOfRef(ref: Ref): string {
  const { mark, label } = parsed(ref);
  return styleOf(label).name + (mark && `, ${mark}`);
}

export const nameOfPair = ([agent, base]: Pair): string => `${nameOfRef(agent)} − ${nameOfRef(base)}`;
