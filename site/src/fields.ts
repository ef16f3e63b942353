// The plain fields of a spec as form controls. Which there are, their names, words
// and sections come from the catalogue, their ranges and defaults from the engine.

import { make, sentence } from "./dom";
import type { Field, Section, Spec } from "./formats";
import { fieldsOf, fieldValue, wordOf, type Value } from "./spec";

/** Fields that have a control of their own elsewhere. */
const elsewhere = ["/domain/name", "/prior/eta"];

interface Control {
  readonly field: Field;
  readonly row: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  readonly hint: HTMLElement;
  readonly error: HTMLElement;
}

const count = new Intl.NumberFormat("en");

export class Fields {
  readonly #controls = new Map<string, Control>();

  constructor(private readonly boxes: Readonly<Record<Section, HTMLElement>>) {}

  /** Has controls for the fields of a spec, in the order of the form. */
  offer(spec: Pick<Spec, "domain">): void {
    this.#arrange(fieldsOf(spec));
  }

  /** Shows the values of a complete spec. */
  fill(spec: Spec): void {
    this.offer(spec);
    for (const pointer of this.#controls.keys()) this.set(pointer, fieldValue(spec, pointer));
    this.clear();
  }

  /** Takes the fields, ranges and defaults from the engine. New fields have their defaults. */
  describe(fields: readonly Field[]): void {
    for (const { field, input, hint, isNew } of this.#arrange(fields)) {
      if (isNew) set(input, field.default ?? "", field);
      if (input instanceof HTMLSelectElement) {
        hint.textContent = field.default === undefined ? "" : `Default ${wordOf(field, field.default)}`;
      } else {
        input.readOnly = field.min === field.max;
        hint.textContent = range(field);
      }
    }
  }

  /** Whether a switch is not at its default. */
  switched(fields: readonly Field[]): boolean {
    return fields.some(({ pointer, section, default: standard }) => section === "switches" && this.value(pointer) !== String(standard));
  }

  /** Puts what the controls hold into a draft. */
  write(draft: Record<string, unknown>): void {
    for (const [pointer, { input }] of this.#controls) {
      const path = pointer.slice(1).split("/");
      const last = path.pop()!;
      const into = path.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, draft);
      into[last] = input instanceof HTMLSelectElement ? input.value : whole(input.value);
    }
  }

  value(pointer: string): string {
    return this.#controls.get(pointer)?.input.value ?? "";
  }

  set(pointer: string, value: Value): void {
    const control = this.#controls.get(pointer);
    if (control) set(control.input, value, control.field);
  }

  /** The pointer of a control's field. */
  pointerOf(input: EventTarget | null): string | undefined {
    return [...this.#controls].find(([, control]) => control.input === input)?.[0];
  }

  /** Shows an error at its field, and returns the field's control. */
  refuse(pointer: string, detail: string): HTMLElement | undefined {
    const control = this.#controls.get(pointer);
    if (!control) return undefined;
    control.error.textContent = sentence(detail);
    control.error.hidden = false;
    control.input.setAttribute("aria-invalid", "true");
    return control.input;
  }

  clear(): void {
    for (const { input, error } of this.#controls.values()) {
      error.textContent = "";
      error.hidden = true;
      input.removeAttribute("aria-invalid");
    }
  }

  /** Has controls for these fields, in this order. What is in its place stays, and keeps the focus. */
  #arrange(fields: readonly Field[]): (Control & { readonly isNew: boolean })[] {
    const shown = fields.filter(({ pointer }) => !elsewhere.includes(pointer));
    for (const [pointer, { field, row }] of this.#controls) {
      if (shown.some((other) => other.pointer === pointer && look(other) === look(field))) continue;
      row.remove();
      this.#controls.delete(pointer);
    }
    const next = new Map<HTMLElement, number>();
    return shown.map((field) => {
      const old = this.#controls.get(field.pointer);
      const control = { ...(old ?? create(field)), field };
      const { row, input } = control;
      this.#controls.set(field.pointer, control);
      if (input instanceof HTMLSelectElement) options(input, field);
      const box = this.boxes[field.section];
      const at = next.get(box) ?? 0;
      if (box.children[at] !== row) box.insertBefore(row, box.children[at] ?? null);
      next.set(box, at + 1);
      return { ...control, isNew: !old };
    });
  }
}

/** What of a field's control never changes. */
const look = ({ label, symbol, help, section, min }: Field): string => JSON.stringify([label, symbol, help, section, min === undefined]);

/** Makes the control of a field: a menu for words, a box for numbers. */
function create(field: Field): Control {
  const { pointer, label, symbol, help, min, choices } = field;
  const id = pointer.slice(pointer.lastIndexOf("/") + 1);
  const error = make("p", { className: "error", id: `${id}-error`, hidden: true });
  const hint = make("p", { className: "hint", id: `${id}-hint` });
  const helpLine = help === undefined ? [] : [make("p", { className: "help", id: `${id}-help` }, help)];
  const input = min === undefined ? make("select", { id }) : make("input", { id, inputMode: choices ? "text" : "numeric", spellcheck: false });
  input.autocomplete = "off";
  input.setAttribute("aria-describedby", [...helpLine.map((line) => line.id), hint.id, error.id].join(" "));
  const name = make("label", { htmlFor: id }, label, ...(symbol === undefined ? [] : [" ", make("i", {}, symbol)]));
  const row = make("div", { className: "field" }, name, make("div", { className: "value" }, input, hint), ...helpLine, error);
  return { field, row, input, hint, error };
}

/** Sets a value; a menu that does not know it learns it. */
function set(input: HTMLInputElement | HTMLSelectElement, value: Value, field: Field): void {
  const text = String(value);
  if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === text)) input.add(new Option(wordOf(field, value), text));
  input.value = text;
}

function options(menu: HTMLSelectElement, field: Field): void {
  const { choices = [] } = field;
  if ([...menu.options].map(({ value }) => value).join() === choices.join()) return;
  const { value } = menu;
  menu.replaceChildren(...choices.map((choice) => new Option(wordOf(field, choice), choice)));
  if (value !== "") set(menu, value, field);
}

/** A field's range and default in words. */
function range(field: Field): string {
  const { min = 0, max = 0, choices = [], default: standard } = field;
  const values =
    min === max
      ? `${count.format(min)}, as the model says`
      : [`${count.format(min)} to ${count.format(max)}`, ...choices.map((choice) => wordOf(field, choice))].join(" or ");
  return standard === undefined || min === max
    ? values
    : `${values}; default ${typeof standard === "number" ? count.format(standard) : wordOf(field, standard)}`;
}

/** A number where the text is one; the text itself otherwise, for the engine to refuse. */
export function whole(text: string): Value {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}
