// The name of a variable where there may be too little room.

import { html, type TemplateResult } from "lit-html";

/** A name of which the front (names.ts) gives way first. The build writes the same (still.ts). */
export const named = (name: string, front: string): string | TemplateResult =>
  front === "" ? name : html`<span class="name"><span>${front}</span><span>${name.slice(front.length)}</span></span>`;
