// Reads the commands of a host by their rules in site/host-api.schema.json.

import rules from "cpsrl:commands";
import type { Command } from "../npm/messages";

/** The part of JSON Schema that the rules use. Title: what a sentence calls the member. */
export interface Rule {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly unevaluatedProperties?: boolean;
  readonly optional?: boolean;
}

/** Checks a command. A text says what is wrong with it. */
export function read(data: object): Command | string {
  const { cpsrl, type, id, ...rest } = data as Record<string, unknown>;
  if (cpsrl !== 1) return "the version is not 1";
  if (typeof type !== "string" || !Object.hasOwn(rules, type)) return `the type is none of ${Object.keys(rules).join(", ")}`;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") return "the id is neither a text nor a number";
  const forms = rules[type]!;
  const choice = forms.flatMap((form) => Object.keys(form).filter((name) => forms.some((other) => !Object.hasOwn(other, name))));
  if (choice.filter((name) => rest[name] !== undefined).length > 1) return `${type} takes only one of ${choice.join(", ")}`;
  const form = forms.find((form) => Object.entries(form).every(([name, { optional }]) => optional || rest[name] !== undefined)) ?? forms[0]!;
  return faultIn(type, form, rest) ?? ({ type, ...rest } as Command);
}

/** What is wrong with the members of something. */
function faultIn(what: string, rules: Readonly<Record<string, Rule>>, members: Readonly<Record<string, unknown>>): string | undefined {
  const extra = Object.keys(members).find((name) => !Object.hasOwn(rules, name));
  if (extra !== undefined) return `${what} has no member ${JSON.stringify(extra.slice(0, 40))}`;
  for (const [name, rule] of Object.entries(rules)) {
    const fault = members[name] === undefined && rule.optional ? undefined : faultOf(name, rule, members[name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is wrong with a member. */
function faultOf(name: string, rule: Rule, value: unknown): string | undefined {
  const what = rule.title ?? (rule.type === "boolean" ? name : `the ${name}`);
  if (rule.enum) return rule.enum.includes(value) ? undefined : `${what} is none of ${rule.enum.join(", ")}`;
  switch (rule.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : `${what} is not true or false`;
    case "integer":
      return Number.isSafeInteger(value) && (value as number) >= rule.minimum! ? undefined : `${what} is not a whole number from ${rule.minimum} on`;
    case "array":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : `${what} is not a list of texts`;
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return `${what} is not an object`;
      const optional = Object.entries(rule.properties ?? {}).map(([name, rule]) => [name, { ...rule, optional: true }]);
      return rule.unevaluatedProperties === false ? faultIn(what, Object.fromEntries(optional), value as Record<string, unknown>) : undefined;
    }
    default: {
      const { maxLength = Infinity } = rule;
      if (typeof value === "string" && value.length <= maxLength) return undefined;
      return `${what} is not a text${maxLength < Infinity ? ` of at most ${maxLength} characters` : ""}`;
    }
  }
}
