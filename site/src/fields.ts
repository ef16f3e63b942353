// The plain fields of a spec as form controls. Which there are, their ranges and
// their defaults come from the engine; only their names and a line of help are ours.

import { make, sentence } from "./dom";
import type { Field, Spec } from "./formats";

interface FieldText {
  readonly label: string;
  readonly symbol?: string;
  readonly help?: string;
  readonly choices?: Readonly<Record<string, string>>;
}

const texts: Readonly<Record<string, FieldText>> = {
  "/domain/grid": { label: "Grid", choices: { "3x3": "3 × 3", "5x5": "5 × 5" } },
  "/domain/stateVariables": { label: "State variables" },
  "/domain/actionVariables": { label: "Action variables" },
  "/domain/values": { label: "Values", symbol: "N" },
  "/domain/parents": { label: "True parents" },
  "/domain/horizon": { label: "Horizon", symbol: "H" },
  "/sparseness": { label: "Sparseness", symbol: "Z" },
  "/episodes": { label: "Episodes", symbol: "K" },
  "/firstRun": { label: "First run" },
  "/runs": { label: "Runs" },
  "/seed": { label: "Seed" },
  "/bound": {
    label: "Parents allowed",
    choices: { "at-most": "at most Z", "below": "fewer than Z" },
    help: "Algorithm 1 prints |z| < Z; its definition, counts and appendix say ≤, and so do we.",
  },
  "/update": {
    label: "Hyper-posterior",
    choices: { "exact": "exact", "printed": "as printed" },
    help: "Equation (4) prints (αᵢ + 1)/(Σα + 1); Bayes’ rule gives αᵢ/Σα, our choice.",
  },
  "/rewards": {
    label: "Rewards",
    choices: { "known": "known", "learned": "learned" },
    help: "Algorithm 1 samples no rewards, the analysis learns them; ours are known.",
  },
};

/** Where a field stands. */
type Place = "domain" | "prior" | "size" | "switches";

const places: readonly (readonly [pointer: RegExp, place: Place])[] = [
  [/^\/domain\//, "domain"],
  [/^\/sparseness$/, "prior"],
  [/^\/(episodes|firstRun|runs|seed)$/, "size"],
  [/^/, "switches"],
];

/** Fields that have a control of their own elsewhere. */
const elsewhere = ["/domain/name", "/prior/eta"];

type Value = number | string;

interface Control {
  readonly row: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  readonly hint: HTMLElement;
  readonly error: HTMLElement;
}

const count = new Intl.NumberFormat("en");

export class Fields {
  readonly #controls = new Map<string, Control>();

  constructor(private readonly boxes: Readonly<Record<Place, HTMLElement>>) {}

  /** Shows the values of a complete spec. */
  fill(spec: Spec): void {
    const values = flatten(spec);
    for (const pointer of this.#controls.keys()) if (!values.has(pointer) && pointer.startsWith("/domain/")) this.#remove(pointer);
    for (const [pointer, value] of values) {
      const control = this.#controls.get(pointer) ?? this.#add(pointer, typeof value === "string" && pointer !== "/domain/parents");
      set(control.input, value, texts[pointer]?.choices);
    }
    this.clear();
  }

  /** Takes the fields, ranges and defaults from the engine. New fields have their defaults. */
  describe(fields: readonly Field[]): void {
    const pointers = fields.map(({ pointer }) => pointer).filter((pointer) => !elsewhere.includes(pointer));
    for (const pointer of this.#controls.keys()) if (!pointers.includes(pointer)) this.#remove(pointer);
    for (const field of fields) {
      const { pointer, min, max, choices } = field;
      if (!pointers.includes(pointer)) continue;
      let control = this.#controls.get(pointer);
      if (!control) {
        control = this.#add(pointer, min === undefined);
        set(control.input, field.default ?? "");
      }
      if (control.input instanceof HTMLSelectElement) {
        options(control.input, choices ?? [], texts[pointer]?.choices);
        control.hint.textContent = field.default === undefined ? "" : `Default ${texts[pointer]?.choices?.[field.default] ?? field.default}`;
      } else {
        control.input.readOnly = min === max;
        control.hint.textContent = range(field);
      }
    }
    // In the engine's order; what is in its place stays, and keeps the focus.
    const next = new Map<HTMLElement, number>();
    for (const pointer of pointers) {
      const box = this.boxes[placeOf(pointer)];
      const at = next.get(box) ?? 0;
      const { row } = this.#controls.get(pointer)!;
      if (box.children[at] !== row) box.insertBefore(row, box.children[at] ?? null);
      next.set(box, at + 1);
    }
  }

  /** Whether a switch is not at its default. */
  switched(fields: readonly Field[]): boolean {
    return fields.some(({ pointer, default: standard }) => !elsewhere.includes(pointer) && placeOf(pointer) === "switches" && this.value(pointer) !== String(standard));
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
    if (control) set(control.input, value, texts[pointer]?.choices);
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

  #add(pointer: string, words: boolean): Control {
    const { label, symbol, help }: FieldText = texts[pointer] ?? { label: pointer.slice(pointer.lastIndexOf("/") + 1) };
    const id = pointer.slice(pointer.lastIndexOf("/") + 1);
    const error = make("p", { className: "error", id: `${id}-error`, hidden: true });
    const hint = make("p", { className: "hint", id: `${id}-hint` });
    const helpLine = help === undefined ? [] : [make("p", { className: "help", id: `${id}-help` }, help)];
    const input = words ? make("select", { id }) : make("input", { id, inputMode: pointer === "/domain/parents" ? "text" : "numeric", spellcheck: false });
    input.autocomplete = "off";
    input.setAttribute("aria-describedby", [...helpLine.map((line) => line.id), hint.id, error.id].join(" "));
    const name = make("label", { htmlFor: id }, label, ...(symbol === undefined ? [] : [" ", make("i", {}, symbol)]));
    const row = make("div", { className: "field" }, name, make("div", { className: "value" }, input, hint), ...helpLine, error);
    this.boxes[placeOf(pointer)].append(row);
    const control = { row, input, hint, error };
    this.#controls.set(pointer, control);
    return control;
  }

  #remove(pointer: string): void {
    this.#controls.get(pointer)?.row.remove();
    this.#controls.delete(pointer);
  }
}

function placeOf(pointer: string): Place {
  return places.find(([pattern]) => pattern.test(pointer))![1];
}

/** The plain values of a spec by their pointers. */
function flatten(spec: Spec): Map<string, Value> {
  const values = new Map<string, Value>();
  const put = (place: string, fields: object): void => {
    for (const [name, value] of Object.entries(fields)) {
      const pointer = `${place}/${name}`;
      if ((typeof value === "number" || typeof value === "string") && !elsewhere.includes(pointer)) values.set(pointer, value);
    }
  };
  put("/domain", spec.domain);
  const { format: _format, version: _version, episodes, runs, ...rest } = spec;
  // A zero is left out where it is the default.
  put("", { episodes, firstRun: 0, runs, seed: 0, ...rest });
  return values;
}

/** Sets a value; a menu that does not know it yet learns it. */
function set(input: HTMLInputElement | HTMLSelectElement, value: Value, names: Readonly<Record<string, string>> = {}): void {
  const text = String(value);
  if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === text)) input.add(new Option(names[text] ?? text, text));
  input.value = text;
}

function options(menu: HTMLSelectElement, choices: readonly string[], names: Readonly<Record<string, string>> = {}): void {
  const wanted = choices.map((choice) => `${choice}\n${names[choice] ?? choice}`).join("\n");
  if (menu.dataset["options"] === wanted) return;
  const { value } = menu;
  menu.dataset["options"] = wanted;
  menu.replaceChildren(...choices.map((choice) => new Option(names[choice] ?? choice, choice)));
  if (value !== "") set(menu, value, names);
}

/** A field's range and default in words. */
function range({ min = 0, max = 0, choices = [], default: standard }: Field): string {
  const values = min === max ? `${count.format(min)}, as the model says` : [`${count.format(min)} to ${count.format(max)}`, ...choices].join(" or ");
  return standard === undefined || min === max ? values : `${values}; default ${typeof standard === "number" ? count.format(standard) : standard}`;
}

/** A number where the text is one; the text itself otherwise, for the engine to refuse. */
export function whole(text: string): Value {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}
