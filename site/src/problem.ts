// The problem panel: which domain, from a menu or a file, and what it is like.

import catalogue from "cpsrl:catalogue";
import { ask, detailOf, Refused } from "./engine";
import { byId, make, sentence, setText } from "./dom";
import type { Edge, About, Details, Spec } from "./formats";
import { Latest } from "./latest";
import { domainOf } from "./spec";

/** What else is in a format of ours. */
const others: Readonly<Record<string, string>> = {
  "cpsrl/records": "a records file, which “Open results…” at the chart shows",
  "cpsrl/figure": "a figure",
  "cpsrl/trace": "a trace",
};

const count = new Intl.NumberFormat("en");

export type Domain = Spec["domain"];

export class ProblemPanel {
  /** Another domain is chosen; its other parameters are the engine's to say. */
  onchoose: (domain: Domain) => void = () => {};
  /** A file holds a model, as its text and as its value. */
  onmodel: (text: string, model: unknown) => void = () => {};
  /** A file holds a spec, in this text. */
  onspec: (text: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  /** A file holds a prior. */
  onprior: (text: string, sparseness: unknown) => void = () => {};
  /** The files that are opened, and what has taken their place. */
  readonly files = new Latest();
  readonly #menu = byId("domain", HTMLSelectElement);
  readonly #file = byId("domain-file", HTMLInputElement);
  /** The model that was held last. */
  #model: unknown;
  /** Whether the last file was not taken. */
  #untaken = false;

  constructor(panel: HTMLElement) {
    this.#menu.append(...catalogue.domains.map(({ key, label }) => new Option(label, key)));
    this.#menu.addEventListener("change", () => {
      this.files.next();
      const name = this.#menu.value;
      this.onchoose(name === "model" && this.#model !== undefined ? { name, model: this.#model } : { name });
    });
    byId("domain-open", HTMLButtonElement).addEventListener("click", () => this.#file.click());
    this.#file.addEventListener("change", () => {
      const [file] = this.#file.files ?? [];
      this.#file.value = "";
      if (file) void this.#open(file);
    });
    const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    panel.addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      panel.dataset["drop"] = "";
    });
    panel.addEventListener("dragleave", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && panel.contains(relatedTarget))) delete panel.dataset["drop"];
    });
    panel.addEventListener("drop", (event) => {
      delete panel.dataset["drop"];
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      event.stopPropagation();
      void this.#open(file);
    });
  }

  fill({ name, model }: Domain): void {
    if (model !== undefined) this.#model = model;
    this.#menu.value = name;
    this.#showFacts(undefined);
    this.#untaken = false;
    this.clear();
  }

  describe(problem: About): void {
    this.#showFacts(problem);
  }

  refuse({ detail, pointer = "" }: Details): HTMLElement {
    const inModel = pointer.startsWith("/domain/model");
    if (inModel) this.#untaken = false;
    const where = pointer.slice("/domain/model/".length);
    this.#showError(inModel ? "domain-file" : "domain", inModel && where ? `${where}: ${detail}` : sentence(detail));
    if (!inModel) this.#menu.setAttribute("aria-invalid", "true");
    return inModel ? byId("domain-open", HTMLElement) : this.#menu;
  }

  /** Takes the errors away, but not what is said of a file that was not taken: that is not about the form. */
  clear(): void {
    this.#menu.removeAttribute("aria-invalid");
    byId("domain-error", HTMLElement).hidden = true;
    if (!this.#untaken) byId("domain-file-error", HTMLElement).hidden = true;
  }

  /** Says why a file was not taken. */
  refuseFile(detail: string): void {
    this.#untaken = true;
    this.#showError("domain-file", sentence(detail));
  }

  #showError(id: string, words: string): void {
    const place = byId(`${id}-error`, HTMLElement);
    place.textContent = words;
    place.hidden = false;
  }

  async #open(file: File): Promise<void> {
    this.#untaken = false;
    this.clear();
    const signal = this.files.next();
    try {
      const text = await file.text();
      if (signal.aborted) return;
      const value = parse(text);
      const { format, sparseness } = isRecord(value) ? value : {};
      if (format === "cpsrl/model") this.onmodel(text, value);
      else if (format === "cpsrl/prior") this.onprior(text, sparseness);
      else if (format === "cpsrl/spec") await this.onspec(text, signal);
      else throw new Error(`it is ${others[String(format)] ?? "in no format of this page"}; here a model, a prior or a spec can be opened`);
    } catch (error) {
      if (signal.aborted) return;
      const pointer = error instanceof Refused ? (error.problem.pointer ?? "") : "";
      this.refuseFile(`“${file.name}” could not be read: ${pointer === "" ? "" : `${pointer.slice(1)}: `}${detailOf(error)}`);
    }
  }

  #showFacts(problem: About | undefined): void {
    const facts: [string, string][] = problem
      ? [
          ...(problem.name !== undefined && this.#menu.value === "model" ? [["Model", problem.name] as [string, string]] : []),
          ["State", variables(problem.state)],
          ["Action", variables(problem.action)],
          ["States · actions", `${count.format(problem.states)} · ${count.format(problem.actions)}`],
        ]
      : [
          ["State", "…"],
          ["Action", "…"],
          ["States · actions", "…"],
        ];
    byId("problem", HTMLElement).replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    setText(
      "prior-note",
      domainOf({ domain: { name: this.#menu.value } })?.perRun
        ? "Each run draws a true graph of its own; this is the first run’s. Edges edited by hand are taken as known in every run."
        : "",
    );
  }
}

function parse(text: string): unknown {
  // Of records, which are JSON Lines, the header says what they are.
  for (const part of [text, ...text.split("\n", 1)]) {
    try {
      return JSON.parse(part);
    } catch {}
  }
  throw new Error("it is not JSON");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names with their numbers of values, or how many there are if they are alike. */
function variables(list: About["state"]): string {
  const [first] = list;
  if (first && list.length > 2 && list.every(({ size }) => size === first.size)) {
    return first.size === 2 ? `${list.length} binary variables` : `${list.length} variables of ${first.size} ${first.size === 1 ? "value" : "values"}`;
  }
  if (list.length > 12) return `${list.length} variables`;
  return list.map(({ name, size }) => `${name} ${size}`).join(list.length > 8 ? " · " : "\n");
}

/** Asks the engine which edges a prior file holds. */
export async function readPrior(text: string, spec: object): Promise<readonly Edge[]> {
  const { edges } = await ask<{ edges: readonly Edge[] }>("POST", "/v1/prior", `{"spec":${JSON.stringify(spec)},"prior":${text}}`);
  return edges;
}
