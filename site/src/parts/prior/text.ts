// The prior as text: an editable list with one edge a line, and the languages of other
// tools. The engine reads and writes all of them.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { byId, copy, download, type Root, sentence } from "../../dom";
import { ask, detailOf } from "../../engine/engine";
import type { Edge, Reading } from "../../formats";
import type { App } from "../../state/app";
import { edgesOf } from "../../state/edges";
import { Latest } from "../../state/latest";

const files = {
  text: { title: "Edges, to edit", name: "prior.txt", type: "text/plain" },
  dot: { title: "DOT", name: "prior.dot", type: "text/vnd.graphviz" },
  dagitty: { title: "DAGitty", name: "prior.dagitty.txt", type: "text/plain" },
  tikz: { title: "TikZ", name: "prior.tex", type: "application/x-tex" },
} as const;

/** How many milliseconds after the last letter the text is read. */
const rest = 350;

/** How many errors are listed. */
const most = 4;

/** Scrolls a text, whose lines are not wrapped, so far that the line with the caret is above its lower edge. */
function showCaret(area: HTMLTextAreaElement): void {
  const { lineHeight, paddingTop } = getComputedStyle(area);
  const lines = area.value.slice(0, area.selectionEnd).split("\n").length;
  area.scrollTop = Math.max(area.scrollTop, parseFloat(paddingTop) + lines * parseFloat(lineHeight) - area.clientHeight);
}

export class Text {
  /** Why the engine could not write the prior. */
  readonly failure = signal("");
  /** The prior, as the engine last wrote it. */
  readonly #written = signal<Reading | undefined>(undefined);
  /** What was typed since then. Undefined: nothing. */
  readonly #typed = signal<string | undefined>(undefined);
  readonly #errors = signal<Reading["errors"]>([]);
  readonly #format = signal<keyof typeof files>("text");
  readonly #area: HTMLTextAreaElement;
  readonly #said: HTMLElement;
  /** The edges that the text states. */
  #edges = "";
  #pause: ReturnType<typeof setTimeout> | undefined;
  readonly #asked = new Latest();
  #reading: Promise<boolean> | undefined;

  constructor(
    root: Root,
    private readonly app: App,
    shown: ReadonlySignal<boolean>,
  ) {
    const area = (this.#area = byId(root, "prior-text", HTMLTextAreaElement));
    const menu = byId(root, "prior-format", HTMLSelectElement);
    menu.append(...Object.entries(files).map(([format, { title }]) => new Option(title, format)));
    const errors = byId(root, "prior-text-errors", HTMLElement);
    const said = (this.#said = byId(root, "prior-said", HTMLElement));
    area.addEventListener("input", () => {
      this.#typed.value = area.value;
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.flush(), rest);
    });
    area.addEventListener("change", async () => {
      await this.flush();
      app.typed();
    });
    menu.addEventListener("change", () => {
      // The prior has taken the correct lines; the others are lost.
      this.flush();
      this.#format.value = menu.value as keyof typeof files;
      if (this.#format.value !== "text") this.#typed.value = undefined;
      this.#errors.value = [];
      said.textContent = "";
    });
    byId(root, "prior-copy", HTMLButtonElement).addEventListener("click", async () => void (said.textContent = await copy(area.value, area)));
    byId(root, "prior-download", HTMLButtonElement).addEventListener("click", () => {
      const { name, type } = files[this.#format.value];
      download(new Blob([area.value], { type }), name);
      said.textContent = `Saved as ${name}, where downloads are allowed.`;
    });
    app.settling.add(async () => await this.flush());
    effect(() => {
      if (app.filled.value > 0) untracked(() => this.drop());
    });
    effect(() => {
      const about = app.about.value;
      const { now } = app.form.value.line;
      const spec = app.known.value;
      const show = shown.value;
      if (!about) return;
      untracked(() => {
        const edges = edgesOf(now, about);
        const wanted = JSON.stringify(edges);
        if (wanted !== this.#edges) this.drop(); // the prior has changed elsewhere
        if (show && (wanted !== this.#edges || !(this.typed || this.#written.value))) void this.#write(edges, wanted, spec);
      });
    });
    effect(() => {
      const written = this.#written.value;
      const typed = this.#typed.value;
      area.readOnly = this.#format.value !== "text" || (typed === undefined && written === undefined);
      const text = typed ?? written?.[this.#format.value] ?? area.value;
      if (area.value !== text) area.value = text;
    });
    effect(() => {
      const list = this.#errors.value;
      errors.hidden = list.length === 0;
      if (list.length === 0) area.removeAttribute("aria-invalid");
      else area.setAttribute("aria-invalid", "true");
      const lines = list.slice(0, most).map(({ line, column, detail }) => html`<li>Line ${line}, column ${column}: ${sentence(detail)}</li>`);
      const more = list.length - lines.length;
      const others = more === 0 ? nothing : html`<li>${more} more ${more === 1 ? "line" : "lines"}.</li>`;
      render(list.length === 0 ? nothing : html`<p>Left out of the prior:</p><ul>${lines}${others}</ul>`, errors);
      if (list.length > 0) showCaret(area);
    });
  }

  /** Whether the text is as someone typed it, so that the field's own undo works. */
  get typed(): boolean {
    return this.#typed.value !== undefined;
  }

  /** Reads what was typed without waiting. The promise says whether the prior took it. Undefined: nothing is being read. */
  flush(): Promise<boolean> | undefined {
    if (this.#pause !== undefined) {
      clearTimeout(this.#pause);
      this.#pause = undefined;
      const reading = this.#read(this.#area.value).finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
      this.#reading = reading;
    }
    return this.#reading;
  }

  /** Does something that is about the prior, as soon as the prior has what was typed. If the prior does not take it, nothing is done. */
  afterwards(act: () => void): void {
    const reading = this.flush();
    if (reading) void reading.then((taken) => taken && act());
    else act();
  }

  drop(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#asked.next();
    this.#typed.value = undefined;
    this.#errors.value = [];
  }

  async #read(text: string): Promise<boolean> {
    const signal = this.#asked.next();
    try {
      const reading = await ask<Reading>("/v1/prior", { spec: this.app.known.value, text }, signal);
      if (signal.aborted) return false;
      this.#edges = JSON.stringify(reading.edges);
      this.#errors.value = reading.errors;
      this.#said.textContent = reading.note === undefined ? "" : sentence(reading.note);
      this.#written.value = reading;
      this.app.know({ edges: reading.edges }, "text");
      return true;
    } catch (error) {
      if (!signal.aborted) this.#errors.value = [{ line: 1, column: 1, detail: detailOf(error) }];
      return false;
    }
  }

  /** Asks the engine to write the prior in all text forms. */
  async #write(edges: readonly Edge[], wanted: string, spec: object | undefined): Promise<void> {
    const signal = this.#asked.next();
    this.#edges = wanted;
    this.#written.value = undefined;
    this.failure.value = "";
    try {
      const reading = await ask<Reading>("/v1/prior", { spec, edges }, signal);
      if (!signal.aborted) this.#written.value = reading;
    } catch (error) {
      if (!signal.aborted) this.failure.value = sentence(detailOf(error));
    }
  }
}
