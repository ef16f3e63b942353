// The controls of which the stage's panel is made.

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";

const textOf = ({ target }: Event): string => (target as HTMLInputElement).value;

/** A menu of values with their words. */
export function menu(id: string, options: readonly (readonly [string, string])[], value: string, choose: (value: string) => void) {
  return html`<select id=${id} autocomplete="off" @change=${(event: Event) => choose(textOf(event))}>
    ${options.map(([name, label]) => html`<option value=${name} .selected=${live(name === value)}>${label}</option>`)}
  </select>`;
}

/** A slider, with words for its value beside it. */
export function slider(
  id: string,
  [min, max]: readonly [number, number],
  value: number,
  words: string,
  disabled: boolean,
  move: (value: number) => void,
  label?: string,
) {
  return html`<input type="range" id=${id} aria-label=${label ?? nothing} min=${min} max=${max} .value=${live(String(value))} ?disabled=${disabled} autocomplete="off" aria-valuetext=${words}
      @input=${(event: Event) => move(Number(textOf(event)))} />
    <output id="${id}-shown" for=${id}>${words}</output>`;
}

/** A box in which a wide table scrolls. */
export const scroll = (id: string, label: string, content: unknown) =>
  html`<div id=${id} class="scroll" role="region" aria-label=${label} tabindex="0">${content}</div>`;
