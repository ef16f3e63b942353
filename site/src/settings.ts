// The form: what is asked of the engine, and what the engine says of it.

import { kinds, learn, styleOf, swatch, variants } from "./agents";
import { ask, detailOf, Refused } from "./engine";
import { byId, make, sentence } from "./dom";
import { Fields } from "./fields";
import type { Checked, Draft, Field, Prior, About, Details, Spec } from "./formats";
import { Latest } from "./latest";
import { PriorEditor } from "./prior/editor";
import { begin, stepped, type Line } from "./prior/model";
import { ProblemPanel, readPrior, type Domain } from "./problem";

/** Where a form began, and the past of its prior. */
export interface Origin {
  readonly base: Spec;
  readonly line: Line;
}

export class Settings {
  onchange: () => void = () => {};
  onsubmit: () => void = () => {};
  /** A file holds a spec; what is wrong with it is thrown. */
  onspec: (text: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  readonly prior = new PriorEditor(byId("prior", HTMLElement));
  readonly #problem: ProblemPanel;
  readonly #fields = new Fields({
    domain: byId("domain-fields", HTMLElement),
    prior: byId("sparseness-field", HTMLElement),
    size: byId("size-fields", HTMLElement),
    switches: byId("switch-fields", HTMLElement),
  });
  /** The spec that Reset returns to. */
  #base!: Spec;
  #domain!: Domain;
  /** A spec whose variables the engine knows. */
  #known: object | undefined;
  /** The agents beside the kinds, as they are offered. */
  #offered = "";
  #refused: HTMLElement | undefined;
  /** Whether a spec is shown that the engine has not yet answered. */
  #filled = false;
  readonly #turns = new Latest();
  #turning: Promise<void> = Promise.resolve();

  constructor(form: HTMLFormElement) {
    let pause: ReturnType<typeof setTimeout>;
    form.addEventListener("input", ({ target }) => {
      // The domain, its grid and the prior's controls say so themselves.
      if (!(target instanceof HTMLElement) || target.closest("#prior-views, #prior-from, #domain") || this.#turnsOn(target)) return;
      clearTimeout(pause);
      pause = setTimeout(() => this.onchange(), 300);
    });
    form.addEventListener("change", ({ target }) => {
      const pointer = this.#turnsOn(target);
      if (pointer !== undefined) this.#choose({ name: this.#domain.name, [pointer.slice("/domain/".length)]: this.#fields.value(pointer) });
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pause);
      this.onsubmit();
    });
    byId("new-seed", HTMLButtonElement).addEventListener("click", () => {
      this.#fields.set("/seed", crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
      this.onchange();
    });
    byId("reset", HTMLButtonElement).addEventListener("click", () => {
      const seed = this.#fields.value("/seed");
      const { line } = this.prior;
      const { domain, prior } = this.#base;
      this.fill(this.#base, this.#base, domain.name === this.#domain.name ? stepped(line, prior) : undefined);
      this.#fields.set("/seed", seed);
      this.onchange();
    });
    this.#problem = new ProblemPanel(form);
    this.#problem.onchoose = (domain) => this.#choose(domain);
    this.#problem.onmodel = (text, model) => this.#choose({ name: "model", model }, text);
    this.#problem.onspec = (text, signal) => this.onspec(text, signal);
    this.#problem.onprior = (text, sparseness) => (this.#turning = this.#takePrior(text, sparseness));
    this.prior.onchange = () => this.onchange();
  }

  /** What a history keeps of the form beside its spec. */
  get origin(): Origin {
    return { base: this.#base, line: this.prior.line };
  }

  /** Shows a complete spec. Where it has been before, it comes with what Reset returned to and with the prior's past. */
  fill(spec: Spec, base = spec, line = begin(spec.prior)): void {
    this.#turns.next();
    this.#problem.files.next();
    this.#filled = true;
    this.#base = base;
    this.#domain = spec.domain;
    this.#problem.fill(spec.domain);
    this.#fields.fill(spec);
    this.prior.fill(line);
    byId("paper-agents", HTMLElement).replaceChildren(...kinds.map((label) => choice(label, spec.agents.includes(label))));
    this.#offered = "";
    this.#offer([...variants, ...spec.agents], spec.agents);
    byId("variants", HTMLDetailsElement).open = spec.agents.some((label) => !kinds.includes(label));
    this.#clear();
  }

  /** What the form holds. The preset's agents keep their order; others follow. */
  draft(): Draft {
    const { agents, prior: _prior, sparseness: _sparseness, ...rest } = this.#base;
    const checked = checkedAgents();
    const draft: Record<string, unknown> & { domain: Domain; prior?: Prior } = {
      ...rest,
      domain: { ...this.#domain },
      agents: [...agents.filter((label) => checked.includes(label)), ...checked.filter((label) => !agents.includes(label))],
    };
    this.#fields.write(draft);
    if (this.prior.prior) draft.prior = this.prior.prior;
    return draft as unknown as Draft;
  }

  /** Resolves when all that was typed or opened is in the draft. */
  async settled(): Promise<void> {
    await this.#turning;
    await this.prior.settled();
  }

  accept({ fields, agents, problem, header }: Checked): void {
    this.#clear();
    this.#describe(fields, problem, header.spec);
    learn(agents);
    this.#offer([...agents.map(({ label }) => label), ...this.#base.agents], checkedAgents());
    if (this.#filled && this.#fields.switched(fields)) byId("switches", HTMLDetailsElement).open = true;
    this.#filled = false;
  }

  /** Shows an error at its field. False: it has none here. */
  refuse(refusal: Details): boolean {
    const { detail, pointer = "", fields, problem } = refusal;
    this.#clear();
    this.#describe(fields, problem, this.draft());
    if (pointer === "/domain/model" && this.#domain["model"] === undefined) this.prior.leave();
    this.#refused = this.#fields.refuse(pointer, detail);
    if (this.#refused) unfold(this.#refused);
    else if (pointer.startsWith("/domain")) this.#refused = this.#problem.refuse(refusal);
    else if (pointer.startsWith("/prior")) this.#refused = this.prior.refuse(detail);
    else if (pointer.startsWith("/agents")) {
      const place = byId("agents-error", HTMLElement);
      place.textContent = sentence(detail);
      place.hidden = false;
      this.#refused = byId("agents", HTMLElement).querySelector("input") ?? undefined;
    }
    return this.#refused !== undefined;
  }

  /** Moves the focus to the field that was refused last. */
  focusRefused(): void {
    unfold(this.#refused);
    this.#refused?.focus();
  }

  /** Marks a sampled graph and the belief in each edge in the prior's views, read-only. */
  showGraph(graph: readonly (readonly number[])[] | null, edges?: readonly (readonly number[])[]): void {
    this.prior.showGraph(graph, edges);
  }

  #describe(fields: readonly Field[] | undefined, problem: About | undefined, spec: object): void {
    if (fields) this.#fields.describe(fields);
    if (problem) {
      this.#known = spec;
      this.#problem.describe(problem);
      this.prior.describe(problem, spec);
    }
  }

  #clear(): void {
    this.#refused = undefined;
    this.#fields.clear();
    this.#problem.clear();
    this.prior.clear();
    byId("agents-error", HTMLElement).hidden = true;
  }

  /** Offers variants of the agents beside the kinds. */
  #offer(labels: readonly string[], checked: readonly string[]): void {
    const others = [...new Set([...labels, ...checked])].filter((label) => !kinds.includes(label));
    const offered = JSON.stringify(others.map((label) => [label, styleOf(label)]));
    if (offered === this.#offered) return;
    this.#offered = offered;
    byId("variant-agents", HTMLElement).replaceChildren(...others.map((label) => choice(label, checked.includes(label))));
  }

  // Another problem

  /** The pointer of a menu of the domain that changes the domain's defaults. */
  #turnsOn(target: EventTarget | null): string | undefined {
    const pointer = target instanceof HTMLSelectElement ? this.#fields.pointerOf(target) : undefined;
    return pointer?.startsWith("/domain/") ? pointer : undefined;
  }

  /** Takes a domain with its own defaults, sparseness and prior. The text of a model file is checked as it stands. */
  #choose(domain: Domain, model?: string): void {
    this.#turning = this.#turn(this.#turns.next(), domain, model);
  }

  async #turn(signal: AbortSignal, domain: Domain, model: string | undefined): Promise<void> {
    const { format, version } = this.#base;
    const body =
      model === undefined
        ? JSON.stringify({ format, version, domain })
        : `${JSON.stringify({ format, version, domain: { name: "model" } }).slice(0, -2)},"model":${model}}}`;
    let fields: readonly Field[] | undefined;
    try {
      ({ fields } = await ask<Checked>("POST", "/v1/check", body, signal));
    } catch (error) {
      if (signal.aborted) return;
      const refusal = error instanceof Refused ? error.problem : undefined;
      fields = refusal?.fields;
      if (!fields && model !== undefined) {
        if (refusal) this.#refused = this.#problem.refuse({ ...refusal, pointer: refusal.pointer || "/domain/model" });
        else this.#problem.refuseFile(detailOf(error));
        return;
      }
    }
    if (signal.aborted) return;
    this.#domain = domain;
    this.#problem.fill(domain);
    if (fields) {
      this.#fields.describe(fields);
      for (const { pointer, section, default: standard } of fields) {
        const value = pointer.startsWith("/domain/") ? (domain[pointer.slice("/domain/".length)] ?? standard) : standard;
        if ((section === "domain" || section === "prior") && (typeof value === "number" || typeof value === "string")) this.#fields.set(pointer, value);
      }
    } else {
      this.#fields.offer({ domain }); // a field of the domain before would be refused first
    }
    this.prior.fill(begin(undefined));
    this.onchange();
  }

  async #takePrior(text: string, sparseness: unknown): Promise<void> {
    const { signal } = this.#turns;
    try {
      const edges = await readPrior(text, this.#known ?? this.draft());
      if (signal.aborted) return;
      if (typeof sparseness === "number") this.#fields.set("/sparseness", sparseness);
      this.prior.set({ edges });
      this.onchange();
    } catch (error) {
      if (!signal.aborted) this.#problem.refuseFile(`The prior does not fit: ${detailOf(error)}`);
    }
  }
}

/** Where the columns lie one below the other, the settings begin folded: the figure comes first. */
export function foldSettings(): void {
  const fold = byId("settings-fold", HTMLDetailsElement);
  const narrow = matchMedia("(max-width: 52rem)");
  const fit = (): void => {
    fold.querySelector("summary")!.tabIndex = narrow.matches ? 0 : -1;
    if (!narrow.matches) fold.open = true;
  };
  narrow.addEventListener("change", fit);
  fit();
  fold.open = !narrow.matches;
}

/** Opens all that an element is folded in. */
function unfold(element: HTMLElement | undefined): void {
  for (let at = element?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
}

function checkedAgents(): string[] {
  return [...document.querySelectorAll<HTMLInputElement>("#agents input:checked")].map(({ value }) => value);
}

function choice(label: string, checked: boolean): HTMLLabelElement {
  return make("label", {}, make("input", { type: "checkbox", value: label, checked }), styleOf(label).name, swatch(label));
}
