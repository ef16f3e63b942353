// The prior as text: one edge a line to write, and the languages of other tools
// to take away. The engine reads and writes them all.

import { byId, make, sentence, setText } from "../dom";
import type { Edge } from "../formats";

/** What POST /v1/prior answers. */
export interface Reading {
  readonly edges: readonly Edge[];
  readonly errors: readonly { readonly line: number; readonly column: number; readonly detail: string }[];
  readonly text: string;
  readonly dot: string;
  readonly tikz: string;
  readonly dagitty: string;
}

const files = {
  text: { name: "prior.txt", key: "text", type: "text/plain" },
  dot: { name: "prior.dot", key: "dot", type: "text/vnd.graphviz" },
  dagitty: { name: "prior.dagitty.txt", key: "dagitty", type: "text/plain" },
  tikz: { name: "prior.tex", key: "tikz", type: "application/x-tex" },
} as const;

const patience = 350; // ms after the last key

export class Text {
  /** The reader has typed: the text is to be read. */
  onread: (text: string) => void = () => {};
  readonly #area = byId("prior-text", HTMLTextAreaElement);
  readonly #format = byId("prior-format", HTMLSelectElement);
  readonly #errors = byId("prior-text-errors", HTMLElement);
  #reading: Reading | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** Since the engine last wrote it, the text has been typed in. */
  #typed = false;

  constructor() {
    this.#area.addEventListener("input", () => {
      this.#typed = true;
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.flush(), patience);
    });
    this.#area.addEventListener("change", () => this.flush());
    this.#format.addEventListener("change", () => this.#show());
    byId("prior-copy", HTMLButtonElement).addEventListener("click", () => void this.#copy());
    byId("prior-download", HTMLButtonElement).addEventListener("click", () => this.#download());
  }

  /** The text is as it was typed, and has its own undo. */
  get typed(): boolean {
    return this.#typed;
  }

  /** Reads at once what was typed last. */
  flush(): void {
    if (this.#pause === undefined) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.onread(this.#area.value);
  }

  /** Forgets what was typed: the prior has changed elsewhere. */
  drop(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#typed = false;
    this.#showErrors([]);
  }

  /** The text is not yet the prior's: nothing can be typed. */
  wait(): void {
    if (!this.#typed) this.#area.readOnly = true;
  }

  /** Shows the prior as the engine writes it, but leaves alone what is being typed. */
  show(reading: Reading): void {
    this.#reading = reading;
    if (!this.#typed) this.#show();
  }

  /** Shows what is wrong with what was typed. */
  refuse(reading: Reading): void {
    this.#reading = reading;
    this.#showErrors(reading.errors);
  }

  #showErrors(errors: Reading["errors"]): void {
    const lines = errors.map(({ line, column, detail }) => make("li", {}, `Line ${line}, column ${column}: ${sentence(detail)}`));
    this.#errors.replaceChildren(...(lines.length === 0 ? [] : [make("p", {}, "Left out of the prior:"), make("ul", {}, ...lines)]));
    this.#errors.hidden = lines.length === 0;
    if (lines.length === 0) this.#area.removeAttribute("aria-invalid");
    else this.#area.setAttribute("aria-invalid", "true");
  }

  #show(): void {
    const format = this.#format.value as keyof typeof files;
    const editable = format === "text";
    this.#area.readOnly = !editable;
    if (!editable) {
      // The right lines are the prior by now; the others are gone.
      this.flush();
      this.#typed = false;
      this.#showErrors([]);
    }
    if (this.#reading && this.#area.value !== this.#reading[files[format].key]) this.#area.value = this.#reading[files[format].key];
    setText("prior-said", "");
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#area.value);
      setText("prior-said", "Copied.");
    } catch {
      this.#area.focus();
      this.#area.select();
      setText("prior-said", "This frame may not copy by itself: the text is selected, press Ctrl+C.");
    }
  }

  #download(): void {
    const { name, type } = files[this.#format.value as keyof typeof files];
    const url = URL.createObjectURL(new Blob([this.#area.value], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    setText("prior-said", `Saved as ${name}, where downloads are allowed.`);
  }
}
