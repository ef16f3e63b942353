// The state of a playground: what is asked for, what the engine has said about it, and
// what is computed. Parts show these signals and call these methods. No part asks
// another part, and none reads the document to learn something.

import catalogue from "cpsrl:catalogue";
import { batch, computed, type Signal, signal } from "@preact/signals-core";
import { learn } from "../agents";
import { sentence } from "../dom";
import { ask, detailOf, Refused } from "../engine/engine";
import type { About, Checked, Details, Normalised, PresetEntry, Spec, View } from "../formats";
import type { Notice } from "../lost";
import type { Theme } from "../theme";
import { titleOf } from "./differences";
import { Files } from "./files";
import { described, type Domain, draftOf, type Form, formOf, heard, switched, turned, withValue } from "./form";
import { begin, type Known, knownOf, type Line, stepped } from "./history";
import { Latest } from "./latest";
import { fieldsOf, fieldValue } from "./spec";
import { type Change, changed, elsewhere, fitted, played } from "./view";

/** Whether the engine can be asked. */
export type Readiness = "loading" | "ready" | "failed";

/** How a run stands, or ended. */
export type Running = "running" | "finished" | "stopped" | "failed";

/** What an agent believes: its sampled graph, the parents of each Y by index, and the probability of each edge by Y, then X. */
export interface Sampled {
  readonly graph: readonly (readonly number[])[];
  readonly belief?: readonly (readonly number[])[] | undefined;
}

/** What an entry of the history keeps besides the link: what Reset returns to, and what Undo and Redo go to. */
export interface Left {
  readonly preset: PresetEntry;
  readonly base: Spec;
  readonly line: Line;
}

/** How a spec is shown that did not come from the form. */
export interface Way {
  /** The preset that it is exactly. Absent: the nearest one. */
  readonly preset?: PresetEntry | undefined;
  /** Its history, if it was left before. */
  readonly left?: Left | undefined;
  /** How the chart shows it. Absent: as now, but with all its lines. */
  readonly view?: View | undefined;
  /** What the engine has said about it. Absent: the engine is asked. */
  readonly checked?: Checked | undefined;
}

/** The control that a refusal is about. */
export type Fault = { readonly at: "field" | "domain" | "file" | "prior" | "agents"; readonly pointer: string; readonly detail: string };

export class App {
  // What is asked for
  readonly preset: Signal<PresetEntry>;
  readonly form: Signal<Form>;
  readonly view = signal<View>({});
  readonly theme = signal<Theme>("auto");
  readonly revealed = signal(false);

  // What the engine says about it
  /** The engine's answer to the last form that it accepted. */
  readonly checked = signal<Checked | undefined>(undefined);
  /** Why the form is refused now. */
  readonly refusal = signal<Details | undefined>(undefined);
  /** The problem of the form, once the engine has described it. */
  readonly about = signal<About | undefined>(undefined);
  /** A spec whose variables the engine has described. */
  readonly known = signal<object | undefined>(undefined);

  // What is computed
  readonly engine = signal<Readiness>("loading");
  /** The present run, or the last one of this experiment. */
  readonly run = signal<Running | undefined>(undefined);
  readonly phase = computed(() => this.run.value ?? this.engine.value);
  /** The share of the current run that is done. */
  readonly progress = signal(0);

  /** Whether someone has pressed Stop, and the run has still to end. */
  readonly stopping = signal(false);

  // What is said
  /** What is awaited while the engine is loading. */
  waiting = "Loading the engine…";
  /** What is said about a run or a file; "" if nothing is. */
  readonly said = signal("");
  readonly status = computed(() => this.said.value || { loading: this.waiting, ready: "Ready.", failed: "Not ready." }[this.engine.value]);
  /** What went wrong and is still so, by its place. */
  readonly #failures = signal<Readonly<Record<string, string>>>({});
  /** What went wrong last. */
  readonly failure = computed(() => Object.values(this.#failures.value).at(-1) ?? "");
  /** What a screen reader announces. */
  readonly live = signal("");
  readonly notices = signal<readonly Notice[]>([]);

  /** The spec that the playground is about: the last one that the engine accepted, or the preset's. */
  readonly spec = computed(() => this.#fresh.value ?? this.checked.value?.header.spec ?? this.preset.value.spec);
  /** Whether the spec is that of the preset. */
  readonly unchanged = computed(() => this.spec.value === this.preset.value.spec || this.checked.value?.link === this.preset.value.link);
  readonly title = computed(() => titleOf(this.spec.value, this.preset.value, this.#fresh.value ? undefined : this.checked.value?.problem.name));
  /** Where the refusal is shown. Undefined: there is no refusal, or no control that it is about. */
  readonly fault = computed(() => faultOf(this.refusal.value, this.form.value));
  /** Filled counts the specs that have filled the form. Unfolded counts those among them that change a switch from its default. */
  readonly filled = signal(0);
  readonly unfolded = signal(0);
  /** Counts the presets and links that were opened. The chart belongs to the last one. */
  readonly opened = signal(0);
  /** The experiment whose trajectories the stage shows. */
  readonly experiment = computed(() => played(this.spec.value));
  /** What the watched agent believes, if it is an agent of this experiment. */
  readonly sampled = computed(() => (this.#believed.value?.experiment === this.experiment.value ? this.#believed.value : undefined));
  /** What the agent of the film believes at the picture that is shown. */
  readonly filmed = signal<Sampled | undefined>(undefined);
  /** The number of the edit that led to checked. The edits of a person are counted; changes of one place in a row are one edit. */
  edited = 0;

  /** The spec that was just shown, until the engine has checked it. */
  readonly #fresh = signal<Spec | undefined>(undefined);
  readonly #believed = signal<(Sampled & { readonly experiment: string }) | undefined>(undefined);
  #filled = false;
  #edits = 0;
  /** The place of the last edit, while it may go on. */
  #place: string | undefined;
  /** The form that checked is about. */
  #answered: Form | undefined;
  /** Whether the watched episode came with the spec, as in a link. */
  #watchedArrives = false;
  readonly #checks = new Latest();
  #checking: Promise<Checked | undefined> = Promise.resolve(undefined);
  #pause: ReturnType<typeof setTimeout> | undefined;
  readonly #turns = new Latest();
  #turning: Promise<void> = Promise.resolve();
  /** Each puts something into the form that a check has to wait for, such as text that is being read. */
  readonly settling = new Set<() => Promise<unknown>>();
  /** Files that are being opened. Filling the form cancels that. */
  readonly files = new Files();
  /** The last model that the form held. */
  model: unknown;

  constructor(
    /** The preset that is shown if the address names nothing. */
    readonly own: PresetEntry,
  ) {
    this.preset = signal(own);
    this.form = signal(formOf(own.spec));
  }

  // Words

  /** Announces words, also if they are the same as before: then they end with a space more, or less. */
  announce(words: string): void {
    this.live.value = words === this.live.peek() ? `${words}\u00a0` : words;
  }

  /** Says what went wrong in a place. Without words, nothing is wrong there any more. */
  fail(place: string, words = ""): void {
    const { [place]: before = "", ...others } = this.#failures.peek();
    if (words !== "" || before !== "") this.#failures.value = words === "" ? others : { ...others, [place]: words };
  }

  /** Shows a notice, which replaces any of the same name. Each action closes it; a notice without actions has a close button. */
  notify(name: string, text: string, tone: Notice["tone"] = "plain", ...actions: Notice["actions"]): void {
    this.notices.value = [...this.notices.value.filter((other) => other.name !== name), { name, text, tone, actions }];
  }

  /** Whether something runs, or is about to. */
  get runs(): boolean {
    return this.run.peek() === "running";
  }

  /** Resolves when nothing runs, or the signal is aborted. */
  ended(signal: AbortSignal): Promise<void> {
    if (!this.runs || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.run.subscribe((run) => {
        if (run !== "running") end();
      });
      const end = (): void => {
        queueMicrotask(() => stop());
        resolve();
      };
      signal.addEventListener("abort", end);
    });
  }

  /** Clears what is said about a run that has ended, or about a file. */
  rest(): void {
    if (this.runs) return;
    batch(() => {
      this.run.value = undefined;
      this.said.value = "";
      this.progress.value = 0;
      this.fail("run");
      this.fail("file");
    });
  }

  dismiss(...names: string[]): void {
    this.notices.value = this.notices.value.filter(({ name }) => !names.includes(name));
  }

  // Showing

  /** Shows a spec, and has it checked unless it was. */
  show(spec: Spec, { preset, left, view = elsewhere(this.view.value), checked }: Way = {}): Promise<Checked | undefined> {
    const before = this.preset.value;
    return batch(() => {
      this.preset.value = left?.preset ?? preset ?? nearest(spec) ?? this.preset.value;
      this.fill(spec, left);
      if (!left || this.preset.value !== before || this.opened.value === 0) this.opened.value++;
      this.#watchedArrives = view.watched !== undefined && view.watched !== this.view.value.watched;
      // A link that does not mention the stage leaves it open.
      this.view.value = changed(view, { watched: view.watched ?? this.view.value.watched });
      // The form may have the same prior with its edges in another order, and then so have its results.
      const same = JSON.stringify(this.form.value.line.now) === JSON.stringify(knownOf(spec));
      return checked && same ? this.#take(checked) : this.check();
    });
  }

  fill(spec: Spec, left?: Pick<Left, "base" | "line">): void {
    this.typed();
    this.#turns.next();
    this.files.leave();
    this.#filled = true;
    batch(() => {
      this.filled.value++;
      this.form.value = formOf(spec, left?.base, left?.line);
      this.#fresh.value = spec;
      this.#another(spec.domain);
    });
  }

  /** Forgets what was said about the problem before this one. */
  #another(domain: Domain): void {
    this.model = domain["model"] ?? this.model;
    this.about.value = this.#believed.value = this.refusal.value = undefined;
    this.files.clear();
    this.revealed.value = false;
  }

  get left(): Left {
    const { base, line } = this.form.value;
    return { preset: this.preset.value, base, line };
  }

  look(change: Change): void {
    this.view.value = changed(this.view.value, change);
  }

  /** Shows in the views of the prior what an agent believes. */
  believe(experiment: string, sampled: Sampled | undefined): void {
    this.#believed.value = sampled && { ...sampled, experiment };
  }

  // Editing

  get edits(): number {
    return this.#edits;
  }

  /** Counts an edit that a person begins. A change of the place that was changed last belongs to the last edit. */
  begin(place?: string): void {
    if (place === undefined || place !== this.#place) this.#edits++;
    this.#place = place;
  }

  /** Ends an edit of a place: what is changed there next is another one. */
  typed(): void {
    this.#place = undefined;
  }

  /** Changes the form and has it checked, at once or after it has stayed the same for so many milliseconds. Place: where someone is typing. */
  edit(form: Form, wait = 0, place?: string): void {
    if (form === this.form.value) return;
    this.begin(place);
    this.form.value = form.line === this.form.value.line ? form : heard(form);
    clearTimeout(this.#pause);
    if (wait === 0) void this.check();
    else this.#pause = setTimeout(() => void this.check(), wait);
  }

  /** Takes another prior, as a step that can be undone. Steps of one group in a row are undone together. */
  know(prior: Known, group?: string): void {
    const form = this.form.value;
    const line = stepped(form.line, prior, group);
    if (line !== form.line) this.edit({ ...form, line }, 0, group);
  }

  /** Returns to the base, except for the seed if the engine takes it. The prior's versions stay if the domain is the same. */
  async reset(): Promise<void> {
    const { base, domain, line, values } = this.form.value;
    this.begin();
    this.fill(base, { base, line: domain.name === base.domain.name ? stepped(line, knownOf(base)) : begin(knownOf(base)) });
    this.form.value = withValue(this.form.value, "/seed", values["/seed"] ?? "");
    await this.check();
    if (this.refusal.value?.pointer === "/seed") this.edit(withValue(this.form.value, "/seed", String(base.seed)));
  }

  /** Takes another domain with its own defaults, sparseness and prior. The text of a model file is sent to the engine unchanged. */
  turn(domain: Domain, model?: string): void {
    this.begin();
    this.#turning = this.#turn(this.#turns.next(), domain, model);
  }

  async #turn(signal: AbortSignal, domain: Domain, model: string | undefined): Promise<void> {
    const { format } = this.form.value.base;
    const version = catalogue.spec;
    const body =
      model === undefined
        ? JSON.stringify({ format, version, domain })
        : `${JSON.stringify({ format, version, domain: { name: "model" } }).slice(0, -2)},"model":${model}}}`;
    let fields: Checked["fields"] | undefined;
    let scaled: string | undefined;
    try {
      ({ fields, scaled } = await ask<Checked>("/v1/check", body, signal));
    } catch (error) {
      if (signal.aborted) return;
      const refusal = error instanceof Refused ? error.problem : undefined;
      fields = refusal?.fields;
      if (!fields && model !== undefined) {
        const [, where] = /^\/domain\/model\/(.+)/.exec(refusal?.pointer ?? "") ?? [];
        this.files.refuse(where ? `${where}: ${detailOf(error)}` : sentence(detailOf(error)));
        const other = await ask<Normalised>("/v1/normalise", model, signal).catch(() => undefined);
        if (!signal.aborted && other && other.rows > 0) this.files.offer(other);
        return;
      }
    }
    if (signal.aborted) return;
    batch(() => {
      this.#another(domain);
      this.form.value = turned(this.form.value, domain, fields);
    });
    if (scaled !== undefined) this.notify("scaled", `Scaled ${scaled}.`);
    void this.check();
  }

  /** Takes a spec whose problem is another model. Fresh: nothing is known of it yet. What the engine has said about the one before stays in view until it has described this one. */
  adopt(spec: Spec, fresh: boolean): void {
    this.begin();
    const { base, line } = this.form.value;
    this.model = spec.domain["model"];
    this.form.value = formOf(spec, base, fresh ? begin(spec.prior) : stepped(line, spec.prior));
    void this.check();
  }

  /** Lets something change the form, unless another domain is taken meanwhile. The next check waits for it. */
  take(change: (signal: AbortSignal) => Promise<void>): void {
    this.begin();
    this.#turning = change(this.#turns.signal);
  }

  // Asking

  /** Asks the engine about the form. If the form changes before the answer comes, the answer is about the newer form. Undefined: it was refused. */
  check(): Promise<Checked | undefined> {
    clearTimeout(this.#pause);
    this.#checking = this.#ask(this.#checks.next());
    return this.#checking;
  }

  /** Resolves when the form holds everything that was chosen, opened or typed. */
  async settle(): Promise<void> {
    await this.#turning;
    for (const settled of this.settling) await settled();
  }

  async #ask(signal: AbortSignal): Promise<Checked | undefined> {
    try {
      await this.settle();
      signal.throwIfAborted();
      const edits = this.#edits;
      const form = this.form.value;
      if (form === this.#answered) return this.checked.value;
      const checked = await ask<Checked>("/v1/check", draftOf(form), signal);
      signal.throwIfAborted();
      this.#accept(checked, edits, form === this.form.value);
      return checked;
    } catch (error) {
      if (signal.aborted) return this.#checking;
      batch(() => this.#refuse(error));
      return undefined;
    }
  }

  /** Takes the engine's answer about the spec that fills the form. */
  #take(checked: Checked): Promise<Checked> {
    clearTimeout(this.#pause);
    this.#checks.next();
    this.#accept(checked, this.#edits, true);
    this.#checking = Promise.resolve(checked);
    return Promise.resolve(checked);
  }

  /** Same: whether the form is still the one that the answer is about. */
  #accept(checked: Checked, edits: number, same: boolean): void {
    const { agents, fields, header, problem } = checked;
    learn(agents);
    batch(() => {
      this.form.value = described(this.form.value, fields);
      this.#answered = same ? this.form.value : undefined;
      this.#describe(problem, header.spec);
      this.refusal.value = undefined;
      this.#fresh.value = undefined;
      this.view.value = fitted(this.view.value, header.spec, this.#watchedArrives ? undefined : this.checked.peek()?.header.spec);
      this.#watchedArrives = false;
      this.edited = edits;
      this.checked.value = checked;
      this.fail("check");
      if (this.engine.peek() === "failed") this.engine.value = "ready"; // it can be asked after all
      this.fail("engine");
      if (this.#filled && switched(this.form.value)) this.unfolded.value++;
      this.#filled = false;
    });
  }

  #refuse(error: unknown): void {
    if (!(error instanceof Refused)) {
      this.fail("check", detailOf(error));
      return;
    }
    const { problem, fields, detail } = error.problem;
    if (fields) this.form.value = described(this.form.value, fields);
    if (problem) this.#describe(problem, draftOf(this.form.value));
    this.refusal.value = error.problem;
    this.fail("check", this.fault.value ? "" : detail);
    if (this.fault.value?.at === "file") this.files.refuse("");
  }

  #describe(problem: About, spec: object): void {
    const graph = ({ state, action, truth }: About): string => JSON.stringify([state, action, truth]);
    const before = this.about.peek();
    if (before && graph(before) !== graph(problem)) {
      this.revealed.value = false;
      this.#believed.value = undefined;
    }
    this.about.value = problem;
    this.known.value = spec;
  }
}

/** A preset of the same domain with the same choices from its menus: the first with the same agents, or else the first. */
function nearest(spec: Spec): PresetEntry | undefined {
  const menus = fieldsOf(spec).filter(({ pointer, min }) => pointer.startsWith("/domain/") && min === undefined);
  const near = catalogue.presets.filter((preset) => menus.every((field) => fieldValue(preset.spec, field) === fieldValue(spec, field)));
  return near.find((preset) => preset.spec.agents.join() === spec.agents.join()) ?? near[0];
}

function faultOf(refusal: Details | undefined, { fields }: Form): Fault | undefined {
  if (!refusal) return undefined;
  const { detail, pointer = "" } = refusal;
  if (fields.some((field) => field.pointer === pointer)) return { at: "field", pointer, detail: sentence(detail) };
  if (pointer.startsWith("/domain/model")) return { at: "file", pointer, detail: sentence(detail) };
  for (const at of ["domain", "prior", "agents"] as const) if (pointer.startsWith(`/${at}`)) return { at, pointer, detail: sentence(detail) };
  return undefined;
}
