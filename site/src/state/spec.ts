// What a complete spec holds, field by field, in the words of the catalogue.

import catalogue from "cpsrl:catalogue";
import type { DomainEntry, Field, PresetEntry, Spec } from "../formats";

export type Value = number | string;

/** The row of a spec's domain. */
export const domainOf = ({ domain }: Pick<Spec, "domain">): DomainEntry | undefined => catalogue.domains.find(({ key }) => key === domain.name);

/** The fields of a spec's domain, then those that every spec has. They have no largest values and defaults. */
export const fieldsOf = (spec: Pick<Spec, "domain">): readonly Field[] => [...(domainOf(spec)?.fields ?? []), ...catalogue.fields];

/** What a spec holds at a pointer. */
const held = (spec: Spec, pointer: string): unknown =>
  pointer
    .slice(1)
    .split("/")
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], spec);

/** The text of a field, where it is a number or a word. Undefined: the engine has to say it. A complete spec leaves out zeros. */
export function textOf(spec: Spec, { pointer, min }: Field): string | undefined {
  const value = held(spec, pointer) ?? (min === undefined ? undefined : 0);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The same, to be compared and said: of what is left out the default, which is the first choice; of what has a notation of its own, its document. */
export function fieldValue(spec: Spec, field: Field): Value {
  const value = held(spec, field.pointer);
  return textOf(spec, field) ?? (value === undefined ? (field.choices?.[0] ?? "") : JSON.stringify(value));
}

/** What a form calls a value of a field. */
export function wordOf({ choices = [], labels = [] }: Field, value: Value): string {
  return labels[choices.indexOf(String(value))] ?? String(value);
}

/** Whether rewards are known and their scopes are the true parents of variables, so that they tell of the graph: as the engine says of a figure. */
export function leaks({ rewards, domain }: Spec): boolean {
  const { reward = [] } = (domain["model"] ?? {}) as { readonly reward?: readonly { readonly of?: string }[] };
  const tied = domain.name === "figure1" || domain["rewardScopes"] === "tied" || reward.some(({ of }) => of !== undefined);
  return rewards === "known" && tied;
}

/** The preset that has this link. */
export const presetOf = (link: string): PresetEntry | undefined => catalogue.presets.find((preset) => preset.link === link);
