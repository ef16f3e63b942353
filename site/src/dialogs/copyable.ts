// A text to copy, with its label and a button.

import { html } from "lit-html";
import { copy } from "../dom";

export function copyable(id: string, label: string, text: string, rows = 1) {
  const field =
    rows > 1
      ? html`<textarea id=${id} rows=${rows} readonly spellcheck="false" .value=${text}></textarea>`
      : html`<input id=${id} readonly spellcheck="false" .value=${text} />`;
  const press = async ({ currentTarget }: Event): Promise<void> => {
    const box = (currentTarget as HTMLElement).parentElement!;
    const said = await copy(text, box.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea"));
    box.querySelector(".said")!.textContent = said;
  };
  return html`<div class="copyable"><label for=${id}>${label}</label>${field}<button type="button" aria-label="Copy: ${label}" @click=${press}>Copy</button><p class="said" role="status"></p></div>`;
}
