// The contents of the form as plain data, with functions that return the next form or the
// spec that the engine is asked about.

import catalogue from "cpsrl:catalogue";
import { asksFor, isTold } from "../agents";
import type { Draft, Field, Prior, Spec } from "../formats";
import { begin, type Known, knownOf, type Line, stepped } from "./history";
import { fieldsOf, held, textOf, type Value } from "./spec";

export type Domain = Spec["domain"];

export interface Form {
  /** The spec that Reset returns to. */
  readonly base: Spec;
  readonly domain: Domain;
  readonly fields: readonly Field[];
  /** The text of each field, by its pointer. Undefined until the engine has said it. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** The values of the spec whose texts only the engine can say, by pointer: they stand until it has said them. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly agents: readonly string[];
  /** The priors that agents ask for by name. */
  readonly priors: Readonly<Record<string, Prior>>;
  /** The named prior that is being edited. The edit began with the version `begun` of the page's prior, which had `after` earlier versions. */
  readonly editing?: { readonly name: string; readonly after: number; readonly begun: Known } | undefined;
  readonly line: Line;
  /** The name of the transitions that the agents start from. */
  readonly data?: string | undefined;
}

/** Fields with a control elsewhere on the page. */
const elsewhere = ["/domain/name", "/prior/eta"];

export function formOf(spec: Spec, base = spec, line = begin(knownOf(spec))): Form {
  const fields = plain(fieldsOf(spec));
  const values = Object.fromEntries(fields.map((field) => [field.pointer, textOf(spec, field)]));
  const own = Object.fromEntries(fields.map(({ pointer }) => [pointer, held(spec, pointer)] as const).filter(([, value]) => typeof value === "object"));
  return { base, domain: spec.domain, fields, values, own, agents: spec.agents, priors: spec.priors ?? {}, line, data: spec.prior?.data };
}

const plain = (fields: readonly Field[]): readonly Field[] => fields.filter(({ pointer }) => !elsewhere.includes(pointer));

/** The form with the fields, ranges and defaults from the engine. New fields get their defaults. */
export function described(form: Form, fields: readonly Field[]): Form {
  const shown = plain(fields);
  const values = Object.fromEntries(shown.map(({ pointer, text, default: standard = "" }) => [pointer, form.values[pointer] ?? text ?? String(standard)]));
  return { ...form, fields: shown, values };
}

/** The name of a field of the prior, if it is one. Its value is part of the prior, in the line. */
const ofPrior = (pointer: string): string | undefined => /^\/prior\/(.*)/.exec(pointer)?.[1];

export function fieldText({ line, values }: Form, { pointer, default: standard = "" }: Field): string {
  const name = ofPrior(pointer);
  if (name === undefined) return values[pointer] ?? "";
  return String((line.now as Readonly<Record<string, Value>> | undefined)?.[name] ?? standard);
}

/** The form with another text in a field. For a field of the prior this is a step that can be undone. */
export function withValue(form: Form, pointer: string, value: Value): Form {
  const field = form.fields.find((other) => other.pointer === pointer);
  const name = ofPrior(pointer);
  if (!field) return form;
  if (name === undefined) return { ...form, values: { ...form.values, [pointer]: String(value) } };
  const before: Readonly<Record<string, unknown>> = { ...form.line.now };
  const now = { ...before, [name]: String(value).trim() === String(field.default) ? undefined : numeric(String(value)) };
  const next = ["eta", "trust", "false"].flatMap((key) => (now[key] === undefined ? [] : [[key, now[key]]]));
  return { ...form, line: stepped(form.line, next.length === 0 ? undefined : (Object.fromEntries(next) as Prior), pointer) };
}

/** The form with an agent added or removed. Agents of the base keep their order; others follow in the order of the list. */
export function withAgent(form: Form, label: string, checked: boolean, listed: readonly string[]): Form {
  const now = checked ? [...form.agents, label] : form.agents.filter((other) => other !== label);
  const order = [...new Set([...form.base.agents, ...listed, ...now])];
  return { ...form, agents: order.filter((other) => now.includes(other)) };
}

/** The name of the prior that is edited: it follows the page's prior, until Undo leads to before that began. */
export function editedIn({ editing, line: { past, now } }: Form): string | undefined {
  return editing && [...past, now][editing.after] === editing.begun ? editing.name : undefined;
}

/** The named priors, with what has been edited. */
export function priorsOf(form: Form): Form["priors"] {
  const name = editedIn(form);
  return name !== undefined && form.line.now ? { ...form.priors, [name]: form.line.now } : form.priors;
}

/** Begins to edit a named prior: in the new form it is the page's prior. Without a name, the edit ends. */
export function editing(form: Form, name?: string): Form {
  const done = { ...form, priors: priorsOf(form), editing: undefined };
  if (name === undefined) return done;
  const line = { ...stepped(done.line, done.priors[name]), group: undefined };
  return { ...done, line, editing: { name, after: line.past.length, begun: line.now } };
}

/** The agent that has the form's own prior. */
export const unnamed = "c-psrl";

/** The form in which someone is told its own prior. If all who are told a prior have named ones, the plain agent joins, so that an edit of the prior is seen. */
export function heard(form: Form): Form {
  const first = form.agents.findIndex((label) => asksFor(label));
  const some = form.agents.some((label) => isTold(label) && !asksFor(label));
  return first < 0 || some || editedIn(form) !== undefined ? form : { ...form, agents: form.agents.toSpliced(first, 0, unnamed) };
}

/** The agents among these that a reader can choose, each once. An agent that asks for a missing named prior is there only if it is already chosen. */
export function offered({ agents, priors }: Form, labels: readonly string[]): string[] {
  const names = Object.keys(priors);
  return [...new Set(labels)].filter((label) => agents.includes(label) || !asksFor(label) || names.some((name) => asksFor(label, name)));
}

/** The form with a named prior added. Without a prior, that name and the agents that ask for it are removed. */
export function withPrior(form: Form, name: string, prior: Prior | undefined): Form {
  if (editedIn(form) === name) form = editing(form);
  const { [name]: _before, ...others } = form.priors;
  if (prior) return { ...form, priors: { ...others, [name]: prior } };
  return { ...form, priors: others, agents: form.agents.filter((label) => !asksFor(label, name)) };
}

/** The form of another domain, with its own defaults, sparseness and prior, and no named priors and no data. Without fields it has those of the catalogue. A text that was only the default of the domain before gives way to the new default. */
export function turned(form: Form, domain: Domain, fields: readonly Field[] | undefined): Form {
  const shown = plain(fields ?? fieldsOf({ domain }));
  const kept = {
    ...form,
    domain,
    editing: undefined,
    agents: form.agents.filter((label) => !asksFor(label)),
    priors: {},
    own: {},
    line: begin(undefined),
    data: undefined,
  };
  if (!fields) return { ...kept, fields: shown, values: Object.fromEntries(shown.map(({ pointer }) => [pointer, form.values[pointer]])) };
  const values = shown.map(({ pointer, section, default: standard }) => {
    const own = pointer.startsWith("/domain/") ? domain[pointer.slice("/domain/".length)] : undefined;
    const before = form.fields.find((field) => field.pointer === pointer)?.default;
    const chosen = form.values[pointer] === String(before) ? undefined : form.values[pointer];
    const value = section === "domain" || section === "prior" ? (own ?? standard) : (chosen ?? standard);
    return [pointer, String(value ?? "")] as const;
  });
  return { ...kept, fields: shown, values: Object.fromEntries(values) };
}

export function draftOf(form: Form): Draft {
  const { base, domain, fields, values, own, agents, line, data } = form;
  const priors = priorsOf(form);
  const { prior: _prior, priors: _priors, sparseness: _sparseness, ...rest } = base;
  const draft: Record<string, unknown> = { ...rest, version: catalogue.spec, domain: { ...domain }, agents };
  for (const field of fields) {
    if (ofPrior(field.pointer) !== undefined) continue;
    const path = field.pointer.slice(1).split("/");
    const last = path.pop()!;
    const into = path.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, draft);
    const text = values[field.pointer];
    const value = text === undefined ? own[field.pointer] : isMenu(field) ? text : numeric(text);
    if (value !== undefined) into[last] = value;
  }
  if (line.now) draft["prior"] = line.now;
  if (data !== undefined) draft["prior"] = { ...line.now, data };
  if (Object.keys(priors).length > 0) draft["priors"] = priors;
  return draft as unknown as Draft;
}

/** Whether a field of words has a menu. A field of numbers or with its own notation has a text box. */
export const isMenu = ({ min, choices }: Field): boolean => min === undefined && choices !== undefined;

/** Whether a switch is not at its default. */
export const switched = ({ fields, values }: Form): boolean =>
  fields.some(({ pointer, section, default: standard }) => section === "switches" && values[pointer] !== String(standard));

/** A number, if the text is exactly how that number is written. Any other text goes to the engine as it is, which judges it. */
export function numeric(text: string): Value {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}
