// The differences between two specs, in words.

import type { Edge, Field, PresetEntry, Prior, Spec } from "../formats";
import { knownOf } from "./history";
import { domainOf, fieldsOf, fieldValue, wordOf } from "./spec";

/** Says how a spec differs from another one, such as "Z = 3 instead of 5". The list is empty if they are the same. */
export function differences(spec: Spec, other: Spec): string[] {
  const sameDomain = spec.domain.name === other.domain.name;
  const list = fieldsOf(spec).flatMap((field) => {
    const { pointer, phrase } = field;
    const compared = sameDomain || !pointer.startsWith("/domain/") || pointer === "/domain/name";
    if (!compared || pointer.startsWith("/prior/")) return [];
    const [a, b] = [words(spec, field), words(other, field)];
    return a === b ? [] : [`${phrase.replace("_", () => a)} instead of ${b}`];
  });
  if (sameDomain && JSON.stringify(spec.domain["model"]) !== JSON.stringify(other.domain["model"])) list.push("another model");
  const [data, before] = [dataWords(spec), dataWords(other)];
  if (data !== before) list.push(`${data} instead of ${before}`);
  const priors = JSON.stringify(knownOf(spec)) === JSON.stringify(knownOf(other)) ? "" : prior(spec, other);
  return priors === "" ? list : [...list, priors];
}

/** Whether two specs are of the same experiment. */
export function alike(spec: Spec, other: Spec): boolean {
  const rest = ({ agents, priors = {} }: Spec) => JSON.stringify([agents, priors]);
  return differences(spec, other).length === 0 && rest(spec) === rest(other);
}

/** The value of a field, as it stands in a sentence. */
function words(spec: Spec, field: Field): string {
  return (field.pointer === "/domain/name" && domainOf(spec)?.phrase) || wordOf(field, fieldValue(spec, field));
}

/** The name of a spec's problem: that of its model, or of its domain. */
export const problemOf = (spec: Spec): string =>
  (spec.domain["model"] as { readonly name?: string } | undefined)?.name ?? domainOf(spec)?.label ?? spec.domain.name;

/** Whether two specs are of one problem, perhaps with other parameters or after an edit. */
export const sameProblem = (spec: Spec, other: Spec): boolean => spec.domain.name === other.domain.name && problemOf(spec) === problemOf(other);

/** What the agents start from, in a few words. */
const dataWords = ({ prior }: Spec): string => (prior?.data === undefined ? "no data" : `data ${prior.data.slice(0, 8)}`);

const most = 3;

/** How the priors differ; "" if they have the same edges in another order. */
function prior(spec: Spec, other: Spec): string {
  const mine: Prior = knownOf(spec) ?? {};
  const theirs: Prior = knownOf(other) ?? {};
  if (!("edges" in mine && "edges" in theirs)) return `prior: ${priorWords(mine)} instead of ${priorWords(theirs)}`;
  const only = (a: readonly Edge[], b: readonly Edge[]) => {
    const edges = a
      .filter((e) => !b.some((f) => f.every((part, k) => part === e[k]) && f.length === e.length))
      .map(([x, y, p]) => `${p === 0 ? "no " : ""}${x} → ${y}${p ? ` at ${p}` : ""}`);
    return edges.length > most ? `${edges.length} edges` : edges.join(", ");
  };
  const more = only(mine.edges, theirs.edges);
  const less = only(theirs.edges, mine.edges);
  return more || less ? ["prior", more && `with ${more}`, less && `without ${less}`].filter(Boolean).join(" ") : "";
}

/** What a prior says, in a few words. */
export function priorWords(prior: Prior): string {
  const counted = (n: number | string, what: string): string => `${n} ${what}${String(n) === "1" ? "" : "s"}`;
  if ("edges" in prior) return prior.edges.length === 0 ? "no edges" : counted(prior.edges.length, "edge");
  const { eta, trust, false: wrong } = prior;
  const more = [trust !== undefined && `trust ${trust}`, wrong !== undefined && counted(wrong, "false edge")].filter(Boolean);
  return [eta === undefined ? "suggested edges" : `η = ${eta}`, ...more].join(", ");
}

/** The names of a spec for files, for a heading and for a menu, in relation to the nearest preset. A model has its own name. */
export function titleOf(spec: Spec, { name, title, spec: own }: PresetEntry, model?: string): { name: string; title: string; short: string } {
  const changes = differences(spec, own).map((words) => words.replace(/ instead of .*/, ""));
  if (changes.length === 0) return { name, title, short: title };
  if (spec.domain.name === own.domain.name) return { name: `${name}-changed`, title: `${title}, with ${listed(changes)}`, short: `${title}, changed` };
  const words = (spec.domain.name === "model" && model) || (domainOf(spec)?.label ?? spec.domain.name);
  return { name: spec.domain.name, title: words, short: words };
}

/** Joins words as a list: "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
