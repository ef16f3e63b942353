// Results that are compared, and how their lines are told apart: by what differs.

import { keysOf } from "../engine/jobs";
import type { Field, Spec } from "../formats";
import { priorWords } from "./differences";
import { fieldsOf, fieldValue, wordOf } from "./spec";

/** So many differences are named. */
const most = 2;

/** The words that tell two specs apart, one for each, such as "no edges" and "7 edges"; "" if nothing does. */
export function apart(spec: Spec, other: Spec): readonly [string, string] {
  const lists: [string[], string[]] = [[], []];
  const tell = (mine: string, theirs: string): void => {
    if (mine === theirs) return;
    lists[0].push(mine);
    lists[1].push(theirs);
  };
  tell(priorOf(spec), priorOf(other));
  if (spec.domain.name === other.domain.name) {
    for (const field of fieldsOf(spec)) if (!field.pointer.startsWith("/prior/") && field.pointer !== "/runs") tell(said(spec, field), said(other, field));
  } else tell(`${spec.domain.name}`, `${other.domain.name}`);
  return [lists[0].slice(0, most).join(", "), lists[1].slice(0, most).join(", ")];
}

/** What a spec says in a field, such as "K = 60". */
export const said = (spec: Spec, field: Field): string => field.phrase.replace("_", () => wordOf(field, fieldValue(spec, field)));

const priorOf = ({ prior = {} }: Spec): string => priorWords(prior) + (prior.data === undefined ? "" : `, data ${prior.data.slice(0, 8)}`);

/** Whether an agent's records are the same in two specs, as far as both have the runs. */
export function sameLine(spec: Spec, other: Spec, label: string): boolean {
  const key = (of: Spec): string | undefined => keysOf({ ...of, agents: [label], runs: 1 })[0];
  const runs = ({ firstRun = 0, runs }: Spec): string => `${firstRun} ${runs}`;
  return runs(spec) === runs(other) && spec.agents.includes(label) && other.agents.includes(label) && key(spec) === key(other);
}
