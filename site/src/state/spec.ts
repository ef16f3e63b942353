// The fields of a complete spec, in the words of the catalogue.

import catalogue from "cpsrl:catalogue";
import type { DomainEntry, Field, PresetEntry, Spec } from "../formats";

export type Value = number | string;

export const domainOf = ({ domain }: Pick<Spec, "domain">): DomainEntry | undefined => catalogue.domains.find(({ key }) => key === domain.name);

/** The fields of a spec's domain, then those of every spec. The catalogue knows no largest values and no defaults. */
export const fieldsOf = (spec: Pick<Spec, "domain">): readonly Field[] => [...(domainOf(spec)?.fields ?? []), ...catalogue.fields];

/** The value of a spec at a pointer. */
export const held = (spec: Spec, pointer: string): unknown =>
  pointer
    .slice(1)
    .split("/")
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], spec);

/** The text of a field that is a number or a word. Undefined: only the engine can say it. A complete spec leaves out zeros. */
export function textOf(spec: Spec, { pointer, min }: Field): string | undefined {
  const value = held(spec, pointer) ?? (min === undefined ? undefined : 0);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The value of a field for comparisons and sentences. If the spec leaves the field out, it is the first choice, the default. A value with a notation of its own is JSON. */
export function fieldValue(spec: Spec, field: Field): Value {
  const value = held(spec, field.pointer);
  return textOf(spec, field) ?? (value === undefined ? (field.choices?.[0] ?? "") : JSON.stringify(value));
}

/** The word that a form uses for a value of a field. */
export function wordOf({ choices = [], labels = [] }: Field, value: Value): string {
  return labels[choices.indexOf(String(value))] ?? String(value);
}

/** Whether rewards reveal something about the graph: they are known, and their scopes are the true parents of variables. The engine has the same rule for figures. */
export function leaks({ rewards, domain }: Spec): boolean {
  const { reward = [] } = (domain["model"] ?? {}) as { readonly reward?: readonly { readonly of?: string }[] };
  const tied = domain.name === "figure1" || domain["rewardScopes"] === "tied" || reward.some(({ of }) => of !== undefined);
  return rewards === "known" && tied;
}

export const presetOf = (link: string): PresetEntry | undefined => catalogue.presets.find((preset) => preset.link === link);
