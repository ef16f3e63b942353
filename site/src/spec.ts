// What a complete spec holds, field by field, in the words of the catalogue.

import catalogue from "cpsrl:catalogue";
import type { DomainEntry, Field, Spec } from "./formats";

export type Value = number | string;

/** The row of a spec's domain. */
export const domainOf = ({ domain }: Pick<Spec, "domain">): DomainEntry | undefined => catalogue.domains.find(({ key }) => key === domain.name);

/** The fields of a spec's domain, then those that every spec has. They have no largest values and defaults. */
export const fieldsOf = (spec: Pick<Spec, "domain">): readonly Field[] => [...(domainOf(spec)?.fields ?? []), ...catalogue.fields];

/** The value of a field, by its pointer. A complete spec leaves out nothing but zeros. */
export function fieldValue(spec: Spec, pointer: string): Value {
  const value = pointer
    .slice(1)
    .split("/")
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], spec);
  return typeof value === "string" || typeof value === "number" ? value : 0;
}

/** What a form calls a value of a field. */
export function wordOf({ choices = [], labels = [] }: Field, value: Value): string {
  return labels[choices.indexOf(String(value))] ?? String(value);
}
