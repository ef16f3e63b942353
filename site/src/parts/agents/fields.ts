// The plain fields of a spec as form controls. The catalogue lists them with their names,
// words and sections; their ranges and defaults come from the engine.

import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { Field } from "../../formats";
import type { App } from "../../state/app";
import { isMenu, fieldText, withValue } from "../../state/form";
import { wordOf } from "../../state/spec";

const count = new Intl.NumberFormat("en");

/** How many milliseconds after the last letter the form is checked. */
const rest = 300;

/**
 * Shows the fields of a section in a box. When other fields come and go, each field keeps
 * its element, and with it the focus and what is being typed. (lit-html's repeat would do
 * that, too, but adds 700 bytes to the first paint.)
 */
export function showFields(app: App, section: Field["section"], box: HTMLElement): void {
  const elements: Record<string, HTMLElement> = {};
  effect(() => {
    const shown = app.form.value.fields
      .filter((field) => field.section === section)
      .map((field) => {
        const element = (elements[field.pointer] ??= document.createElement("div"));
        element.className = "field";
        render(row(app, field), element);
        return element;
      });
    for (const element of Object.values(elements)) if (!shown.includes(element)) element.remove();
    shown.forEach((element, at) => {
      if (box.children[at] !== element) box.insertBefore(element, box.children[at]!);
    });
  });
}

function row(app: App, field: Field): TemplateResult {
  const { pointer, label, symbol, help, choices = [], default: standard, restarts } = field;
  const id = pointer.slice(pointer.lastIndexOf("/") + 1);
  const value = fieldText(app.form.value, field);
  const fault = app.fault.value?.pointer === pointer ? app.fault.value.detail : "";
  const described = `${help === undefined ? "" : `${id}-help `}${id}-hint ${id}-error`;
  const invalid = fault === "" ? nothing : "true";
  const edit = ({ target }: Event): void =>
    app.edit(withValue(app.form.value, pointer, (target as HTMLInputElement).value), rest, isMenu(field) ? undefined : pointer);
  const turn = ({ target }: Event): void => {
    const { value } = target as HTMLSelectElement;
    app.form.value = withValue(app.form.value, pointer, value);
    app.turn({ name: app.form.value.domain.name, [pointer.slice("/domain/".length)]: value });
  };
  const options = choices.includes(value) ? choices : [...choices, value];
  const control = isMenu(field)
    ? html`<select id=${id} autocomplete="off" aria-describedby=${described} aria-invalid=${invalid} @input=${restarts ? null : edit} @change=${restarts ? turn : null}>
        ${options.map((choice) => html`<option value=${choice} .selected=${live(choice === value)}>${wordOf(field, choice)}</option>`)}
      </select>`
    : html`<input id=${id} inputmode=${field.choices ? "text" : field.notation ? "decimal" : "numeric"} spellcheck="false" autocomplete="off" aria-describedby=${described}
        aria-invalid=${invalid} ?readonly=${field.min !== undefined && field.min === field.max} .value=${live(value)} @input=${edit} @change=${() => app.typed()} />`;
  const hint = isMenu(field) ? (standard === undefined ? "" : `Default ${wordOf(field, standard)}`) : range(field);
  return html`<label for=${id}>${label}${symbol === undefined ? nothing : html` <i>${symbol}</i>`}</label>
    <div class="value">${control}<p class="hint" id="${id}-hint">${hint}</p></div>
    ${help === undefined ? nothing : html`<p class="help" id="${id}-help">${help}</p>`}
    <p class="error" id="${id}-error" ?hidden=${fault === ""}>${fault}</p>`;
}

/** A field's range and default in words. Empty until the engine has said them. */
function range(field: Field): string {
  const { min = 0, max, choices = [], default: standard, notation } = field;
  if (max === undefined) return standard === undefined ? "" : `${notation}; default ${standard}`;
  if (min === max) return `${count.format(min)}, as the model says`;
  const values = [`${count.format(min)} to ${count.format(max)}`, ...choices.map((choice) => wordOf(field, choice))].join(" or ");
  return standard === undefined ? values : `${values}; default ${typeof standard === "number" ? count.format(standard) : wordOf(field, standard)}`;
}
