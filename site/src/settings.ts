// The form: what is asked of the engine, and what the engine says of it.

import { paperAgents, styleOf, variantAgents } from "./agents";
import { byId, make } from "./dom";
import type { Checked, Draft, ProblemDetail, Spec } from "./formats";

/** The fields with a place for their error, by the pointers that lead to them. */
const fields: readonly (readonly [pointer: RegExp, field: string])[] = [
  [/^\/episodes/, "episodes"],
  [/^\/(firstRun|runs)/, "runs"],
  [/^\/seed/, "seed"],
  [/^\/domain\/horizon/, "horizon"],
  [/^\/agents/, "agents"],
  [/^\/(domain|prior|sparseness|bound|update|rewards)/, "problem"],
];

const numbers = ["episodes", "runs", "horizon", "seed"] as const;

const domains: Readonly<Record<string, string>> = {
  "random-fmdp": "Random FMDP",
  "taxi": "Taxi",
  "figure1": "Figure 1’s example",
  "model": "A model of your own",
};

const count = new Intl.NumberFormat("en");

export class Settings {
  onchange: () => void = () => {};
  onsubmit: () => void = () => {};
  #spec!: Spec;
  #refused: string | undefined;
  readonly #inputs = Object.fromEntries(numbers.map((name) => [name, byId(name, HTMLInputElement)])) as Record<(typeof numbers)[number], HTMLInputElement>;

  constructor(form: HTMLFormElement) {
    let pause: ReturnType<typeof setTimeout>;
    form.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(() => this.onchange(), 300);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pause);
      this.onsubmit();
    });
    byId("new-seed", HTMLButtonElement).addEventListener("click", () => {
      this.#inputs.seed.value = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
      this.onchange();
    });
    byId("reset", HTMLButtonElement).addEventListener("click", () => {
      const seed = this.#inputs.seed.value;
      this.fill(this.#spec);
      this.#inputs.seed.value = seed;
      this.onchange();
    });
  }

  /** Shows a complete spec. */
  fill(spec: Spec): void {
    this.#spec = spec;
    this.#inputs.episodes.value = String(spec.episodes);
    this.#inputs.runs.value = String(spec.runs);
    this.#inputs.horizon.value = String(spec.domain["horizon"]);
    this.#inputs.seed.value = String(spec.seed ?? 0);
    const paper = [...paperAgents];
    const variants = [...new Set([...variantAgents, ...spec.agents])].filter((label) => !paper.includes(label));
    byId("paper-agents", HTMLElement).replaceChildren(...paper.map((label) => this.#choice(label)));
    byId("variant-agents", HTMLElement).replaceChildren(...variants.map((label) => this.#choice(label)));
    byId("variants", HTMLDetailsElement).open = spec.agents.some((label) => variants.includes(label));
    this.#showProblem(undefined);
    this.#clear();
  }

  /** What the form holds. The preset's agents keep their order; others follow. */
  draft(): Draft {
    const { domain, agents, ...rest } = this.#spec;
    const checked = [...document.querySelectorAll<HTMLInputElement>("#agents input:checked")].map(({ value }) => value);
    return {
      ...rest,
      domain: { ...domain, horizon: whole(this.#inputs.horizon.value) },
      agents: [...agents.filter((label) => checked.includes(label)), ...checked.filter((label) => !agents.includes(label))],
      episodes: whole(this.#inputs.episodes.value),
      runs: whole(this.#inputs.runs.value),
      seed: whole(this.#inputs.seed.value),
    };
  }

  accept(checked: Checked): void {
    this.#clear();
    this.#showProblem(checked);
  }

  /** Shows an error at its field. False: it has none here. */
  refuse({ detail, pointer = "" }: ProblemDetail): boolean {
    this.#clear();
    const field = fields.find(([pattern]) => pattern.test(pointer))?.[1];
    if (field === undefined) return false;
    this.#refused = field;
    const place = byId(`${field}-error`, HTMLElement);
    place.textContent = sentence(detail);
    place.hidden = false;
    document.getElementById(field)?.setAttribute("aria-invalid", "true");
    return true;
  }

  /** Moves the focus to the field that was refused last. */
  focusRefused(): void {
    if (this.#refused === undefined) return;
    const place = document.getElementById(this.#refused);
    (place instanceof HTMLFieldSetElement ? place.querySelector("input") : place)?.focus();
  }

  #clear(): void {
    this.#refused = undefined;
    for (const [, field] of fields) {
      const place = byId(`${field}-error`, HTMLElement);
      place.textContent = "";
      place.hidden = true;
      document.getElementById(field)?.removeAttribute("aria-invalid");
    }
  }

  #choice(label: string): HTMLLabelElement {
    const { name, color, dash } = styleOf(label);
    const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    swatch.setAttribute("width", "40");
    swatch.setAttribute("height", "8");
    swatch.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", "M0 4H40");
    line.setAttribute("stroke", color);
    line.setAttribute("stroke-width", "2");
    line.setAttribute("stroke-dasharray", dash);
    swatch.append(line);
    return make("label", {}, make("input", { type: "checkbox", value: label, checked: this.#spec.agents.includes(label) }), name, swatch);
  }

  #showProblem(checked: Checked | undefined): void {
    const { domain, sparseness } = this.#spec;
    const problem = checked?.problem;
    const grid = typeof domain["grid"] === "string" ? ` ${domain["grid"].replace("x", " × ")}` : "";
    const facts: [string, string][] = [
      ["Domain", problem?.name && domain.name === "model" ? problem.name : (domains[domain.name] ?? domain.name) + grid],
      ["State", problem ? variables(problem.state) : "…"],
      ["Action", problem ? variables(problem.action) : "…"],
      ["States · actions", problem ? `${count.format(problem.states)} · ${count.format(problem.actions)}` : "…"],
      ["Sparseness Z", String(checked?.header.spec.sparseness ?? sparseness ?? "…")],
      ["Prior knowledge η", problem ? String(problem.eta) : "…"],
      ["Consistent graphs", problem ? grouped(problem.consistent) : "…"],
    ];
    byId("problem", HTMLElement).replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  }
}

/** A number where the text is one; the text itself otherwise, for the engine to refuse. */
function whole(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}

/** The names with their numbers of values, or how many there are if they are alike. */
function variables(list: Checked["problem"]["state"]): string {
  const [first] = list;
  if (first && list.length > 2 && list.every(({ size }) => size === first.size)) {
    return first.size === 2 ? `${list.length} binary variables` : `${list.length} variables of ${first.size} values`;
  }
  return list.map(({ name, size }) => `${name} ${size}`).join(list.length > 8 ? " · " : "\n");
}

/** Groups the digits of an exact count. */
function grouped(digits: string): string {
  return digits.length > 15 ? `${digits[0]}.${digits.slice(1, 3)} × 10^${digits.length - 1}` : count.format(BigInt(digits));
}

function sentence(detail: string): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1) + (/[.!?]$/.test(detail) ? "" : ".");
}
