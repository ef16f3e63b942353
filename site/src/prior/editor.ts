// The prior editor: one model, three views in step, its history, and what the
// engine says of it.

import { ask, detailOf } from "../engine";
import { byId, make, sentence, setText } from "../dom";
import type { Edge, About } from "../formats";
import { Latest } from "../latest";
import { Matrix } from "./matrix";
import { begin, edgeList, edgesOf, graphOf, moved, next, stepped, wordsOf, type Graph, type Known, type Line, type Look } from "./model";
import { Picture } from "./picture";
import { Text, type Reading } from "./text";
import { showWorth } from "./worth";

const views = ["matrix", "picture", "text"] as const;
type View = (typeof views)[number];

const edited = "edges";
const suggested = "suggested";

export class PriorEditor {
  /** The prior is another one. */
  onchange: () => void = () => {};
  /** The true graph is revealed, or hidden again. */
  onreveal: (revealed: boolean) => void = () => {};
  #line = begin(undefined);
  readonly #matrix = new Matrix(byId("prior-matrix", HTMLTableElement));
  readonly #picture = new Picture(byId("prior-picture", HTMLElement));
  readonly #text = new Text();
  readonly #from = byId("prior-from", HTMLSelectElement);
  readonly #undo = byId("prior-undo", HTMLButtonElement);
  readonly #redo = byId("prior-redo", HTMLButtonElement);
  readonly #revealButton = byId("prior-reveal", HTMLButtonElement);
  #problem: About | undefined;
  /** A spec of this problem, for the engine to know the variables. */
  #spec: object | undefined;
  #revealed = false;
  #truth = "";
  #view: View = "matrix";
  #sampled: Graph | undefined;
  #belief: readonly (readonly number[])[] | undefined;
  readonly #readings = new Latest();
  #reading: Promise<void> = Promise.resolve();
  /** The edges that the text shows. */
  #written = "";

  constructor(private readonly root: HTMLElement) {
    this.#matrix.ontoggle = (i, j) => this.#toggle(i, j);
    this.#matrix.onlook = (i, j) => this.#say(this.#wordsOf(i, j));
    this.#picture.ontoggle = (i, j) => this.#toggle(i, j);
    this.#picture.onsay = (words) => {
      this.#say(words);
      setText("live", words);
    };
    this.#text.onread = (text) => void (this.#reading = this.#read(text));
    this.#undo.addEventListener("click", () => this.#move("undo"));
    this.#redo.addEventListener("click", () => this.#move("redo"));
    byId("prior-clear", HTMLButtonElement).addEventListener("click", () => this.#step({ edges: [] }));
    this.#from.addEventListener("change", () => {
      if (this.#from.value === edited) return;
      this.#step(this.#from.value === suggested ? undefined : { eta: Number(this.#from.value) });
    });
    this.#revealButton.addEventListener("click", () => this.reveal(!this.#revealed));
    root.addEventListener("keydown", (event) => this.#shortcut(event));
    for (const view of views) {
      const tab = byId(`prior-tab-${view}`, HTMLButtonElement);
      tab.addEventListener("click", () => this.#open(view));
      tab.addEventListener("keydown", (event) => this.#walk(event));
    }
    this.#showHistory();
    // Where there is room.
    const wide = matchMedia("(min-width: 52rem)").matches;
    for (const details of root.querySelectorAll<HTMLDetailsElement>(".worth")) details.open = wide;
  }

  /** The prior, as a spec has it. */
  get prior(): Known {
    return this.#line.now;
  }

  /** The same with its past and its future. */
  get line(): Line {
    return this.#line;
  }

  get revealed(): boolean {
    return this.#revealed;
  }

  /** Shows another prior, of another problem perhaps. */
  fill(line: Line): void {
    this.#line = line;
    this.#text.drop();
    this.#readings.next();
    this.showGraph(null);
    this.reveal(false);
    this.#showHistory();
    this.#fillMenu();
    this.#render();
  }

  /** Another prior, as one step that can be undone. */
  set(prior: Known): void {
    this.#step(prior);
  }

  /** What the engine says of the problem; the spec is one that it could read. */
  describe(problem: About, spec: object): void {
    const truth = JSON.stringify([problem.state, problem.action, problem.truth]);
    if (truth !== this.#truth) {
      this.#truth = truth;
      this.reveal(false);
      this.#sampled = this.#belief = undefined;
    }
    this.#problem = problem;
    this.#spec = spec;
    this.root.hidden = false;
    showWorth(problem);
    this.#fillMenu();
    this.#render();
  }

  /** There is no problem whose prior could be shown. */
  leave(): void {
    this.#problem = undefined;
    this.root.hidden = true;
  }

  /** Resolves when all that was typed is in the prior. */
  async settled(): Promise<void> {
    this.#text.flush();
    await this.#reading;
  }

  reveal(revealed: boolean): void {
    if (revealed === this.#revealed) return;
    this.#revealed = revealed;
    this.#revealButton.ariaPressed = String(revealed);
    this.#render();
    this.onreveal(revealed);
  }

  /**
   * Marks what an agent believes beside what is known, read-only: its sampled
   * graph (the parents of each Y by index) and the probability of each edge (by
   * Y, then X). Null: nothing.
   */
  showGraph(graph: readonly (readonly number[])[] | null, edges?: readonly (readonly number[])[]): void {
    this.#sampled = graph?.map((parents) => new Set(parents));
    this.#belief = graph === null ? undefined : edges;
    this.#render();
  }

  // Changing

  #step(prior: Known, group?: string): void {
    const line = stepped(this.#line, prior, group);
    if (line === this.#line) return;
    this.#line = line;
    if (group !== "text") {
      this.#readings.next();
      this.#text.drop();
    }
    this.#changed();
  }

  #move(by: "undo" | "redo"): void {
    const line = moved(this.#line, by);
    if (line === this.#line) return;
    this.#line = line;
    this.#readings.next();
    this.#text.drop();
    this.#changed();
    setText("live", `${by === "undo" ? "Undone" : "Redone"}: ${this.#summary()}`);
  }

  #changed(): void {
    this.#showHistory();
    this.#fillMenu();
    this.#render();
    this.onchange();
  }

  #toggle(i: number, j: number): void {
    const problem = this.#problem;
    if (!problem) return;
    const known = graphOf(edgesOf(this.prior, problem), problem);
    if (!known[j]!.delete(i)) known[j]!.add(i);
    this.#step({ edges: edgeList(known, [...problem.state, ...problem.action]) });
    const words = this.#wordsOf(i, j);
    this.#say(words);
    setText("live", words);
  }

  async #read(text: string): Promise<void> {
    const signal = this.#readings.next();
    try {
      const reading = await ask<Reading>("POST", "/v1/prior", { spec: this.#spec, text }, signal);
      if (signal.aborted) return;
      this.#written = JSON.stringify(reading.edges);
      this.#text.refuse(reading);
      this.#step({ edges: reading.edges }, "text");
    } catch (error) {
      if (!signal.aborted)
        this.#text.refuse({ edges: [], text: "", dot: "", tikz: "", dagitty: "", errors: [{ line: 1, column: 1, detail: detailOf(error) }] });
    }
  }

  // Showing

  #look(problem: About): Look {
    return {
      x: [...problem.state, ...problem.action],
      ySize: problem.state.length,
      known: graphOf(edgesOf(this.prior, problem), problem),
      truth: this.#revealed ? graphOf(problem.truth, problem) : undefined,
      sampled: this.#sampled,
      belief: this.#belief,
    };
  }

  #render(): void {
    const problem = this.#problem;
    if (!problem) return;
    const look = this.#look(problem);
    if (this.#view === "matrix") this.#matrix.show(look);
    if (this.#view === "picture") this.#picture.show(look);
    if (this.#view === "text") void this.#write(edgesOf(this.prior, problem));
    setText("prior-summary", this.#summary());
    byId("prior-legend", HTMLElement).hidden = this.#view === "text" || !(this.#revealed || this.#sampled);
    for (const part of byId("prior-legend", HTMLElement).querySelectorAll<HTMLElement>("[data-for]")) {
      part.hidden = !{ truth: this.#revealed, sampled: this.#sampled !== undefined, belief: this.#belief !== undefined }[part.dataset["for"] as "truth"];
    }
  }

  /** Has the engine write the prior in its text forms. */
  async #write(edges: readonly Edge[]): Promise<void> {
    const wanted = JSON.stringify(edges);
    if (wanted === this.#written && this.#text.typed) return;
    this.#written = wanted;
    this.#text.wait();
    try {
      const reading = await ask<Reading>("POST", "/v1/prior", { spec: this.#spec, edges });
      if (wanted === this.#written) this.#text.show(reading);
    } catch (error) {
      if (wanted === this.#written) this.refuse(detailOf(error));
    }
  }

  /** Shows what is wrong with the prior. */
  refuse(detail: string): HTMLElement {
    const place = byId("prior-error", HTMLElement);
    place.textContent = sentence(detail);
    place.hidden = false;
    return this.#from;
  }

  clear(): void {
    byId("prior-error", HTMLElement).hidden = true;
  }

  #say(words: string): void {
    setText("prior-readout", words);
  }

  #wordsOf(i: number, j: number): string {
    const problem = this.#problem;
    if (!problem) return "";
    const look = this.#look(problem);
    const [x, y] = [look.x[i]!, look.x[j]!];
    const trivial = [x, y].find(({ size }) => size === 1);
    const note = trivial ? ` (${trivial.name} has one value only: no data can tell)` : "";
    return `${x.name} → ${next(y.name)}: ${wordsOf(look, i, j)}${note}`;
  }

  #summary(): string {
    const problem = this.#problem;
    if (!problem) return "";
    const look = this.#look(problem);
    const count = look.known.reduce((sum, parents) => sum + parents.size, 0);
    const size = count === 0 ? "No edge is known: every graph that Z allows is possible." : `${count} known ${count === 1 ? "edge" : "edges"}`;
    if (!look.truth) return count === 0 ? size : `${size}.`;
    const wrong = look.known.reduce((sum, parents, j) => sum + [...parents].filter((i) => !look.truth![j]!.has(i)).length, 0);
    const missed = look.truth.reduce((sum, parents, j) => sum + [...parents].filter((i) => !look.known[j]!.has(i)).length, 0);
    const parts = `${wrong} misspecified; ${missed} true ${missed === 1 ? "edge is" : "edges are"} not known.`;
    return count === 0 ? `${size} ${parts}` : `${size}, ${parts}`;
  }

  /** The priors to start from, and which of them it is. */
  #fillMenu(): void {
    const problem = this.#problem;
    if (!problem) return;
    const { prior } = this;
    const last = problem.revealed.length - 1;
    const degrees = problem.revealed.map((_, eta) =>
      option(
        String(eta),
        eta === 0
          ? "Nothing (η = 0)"
          : eta === last
            ? `The whole true graph (η = ${eta})`
            : `${eta} random true ${eta === 1 ? "edge" : "edges"} into each (η = ${eta})`,
      ),
    );
    const value = prior === undefined ? suggested : "edges" in prior ? edited : String(prior.eta);
    if (value !== suggested && value !== edited && Number(value) > last) degrees.push(option(value, `The whole true graph (η = ${value})`));
    const own = option(edited, "Edited by hand");
    own.hidden = own.disabled = value !== edited;
    this.#from.replaceChildren(option(suggested, "The domain’s suggestion"), ...degrees, own);
    this.#from.value = value;
  }

  #showHistory(): void {
    // Not disabled, which would take the focus away.
    this.#undo.ariaDisabled = String(this.#line.past.length === 0);
    this.#redo.ariaDisabled = String(this.#line.future.length === 0);
  }

  // Keys

  #open(view: View): void {
    if (this.#view === "text" && view !== "text") this.#text.flush();
    this.#view = view;
    for (const name of views) {
      const tab = byId(`prior-tab-${name}`, HTMLButtonElement);
      tab.ariaSelected = String(name === view);
      tab.tabIndex = name === view ? 0 : -1;
      byId(`prior-panel-${name}`, HTMLElement).hidden = name !== view;
    }
    this.#say({ matrix: "Choose a cell to say what you know.", picture: "Choose a variable on the left.", text: "" }[view]);
    this.#render();
  }

  #walk(event: KeyboardEvent): void {
    const at = views.indexOf(this.#view);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[event.key];
    const view = to === undefined ? undefined : views[(to + views.length) % views.length];
    if (view === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#open(view);
    byId(`prior-tab-${view}`, HTMLButtonElement).focus();
  }

  #shortcut(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const by = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : undefined;
    const field = event.target instanceof HTMLTextAreaElement ? this.#text.typed : event.target instanceof HTMLInputElement;
    if (by === undefined || field) return; // typing has its own undo
    event.preventDefault();
    this.#move(by);
  }
}

function option(value: string, text: string): HTMLOptionElement {
  return make("option", { value }, text);
}
