// The form for another agent: a kind with its own parameters. The catalogue lists the kinds and
// parameters, with their words. The engine checks the label and says what it means.

import catalogue from "cpsrl:catalogue";
import { effect, signal } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { rankOf, styleOf } from "../../agents";
import type { AgentKind, Field } from "../../formats";

type Values = Readonly<Record<string, string>>;

/** What a parameter shows that the agent shares with all others. */
const shared = "as for all";

const nameOf = ({ pointer }: Field): string => pointer.slice(1);

/** The label of an agent of a kind with these parameters. A prior that is not among the named ones any more is left out, as in the form. */
export function labelOf({ key, fields }: AgentKind, values: Values, named: readonly string[]): string {
  const list = fields.flatMap((field) => {
    const value = values[nameOf(field)]?.trim() ?? "";
    return value === "" || (field.named && !named.includes(value)) || value === String(field.default ?? "") ? [] : [`${nameOf(field)}=${value}`];
  });
  return list.length === 0 ? key : `${key}:${list.join(",")}`;
}

/** Shows the form in a box. Named: the names of the spec's priors. */
export function another(box: HTMLElement, named: () => readonly string[], add: (label: string) => void): void {
  const kind = signal(catalogue.kinds.findLast(({ key }) => rankOf(key) === 0)!); // C-PSRL, not a baseline
  const values = signal<Values>({});
  const finish = (): void => {
    add(labelOf(kind.value, values.value, named()));
    values.value = {};
  };
  const take = ({ target }: Event): void => {
    kind.value = catalogue.kinds.find(({ key }) => key === (target as HTMLSelectElement).value)!;
    values.value = {};
  };
  const row = (field: Field): TemplateResult | typeof nothing => {
    const name = nameOf(field);
    const id = `arm-${name}`;
    const value = values.value[name] ?? "";
    const edit = ({ target }: Event): void => void (values.value = { ...values.value, [name]: (target as HTMLInputElement).value });
    const choices = field.named ? named() : (field.choices ?? []);
    if (field.named && choices.length === 0) return nothing;
    const worded = choices.length > 0 && (field.named || field.notation === undefined);
    const own = String(field.default ?? "");
    const control = worded
      ? html`<select id=${id} @change=${edit}>
          ${own === "" ? html`<option value="" .selected=${live(value === "")}>${shared}</option>` : nothing}
          ${choices.map((choice, k) => html`<option value=${choice} .selected=${live(choice === (value || own))}>${field.labels?.[k] ?? choice}</option>`)}
        </select>`
      : html`<input id=${id} placeholder=${shared} spellcheck="false" autocomplete="off" aria-describedby="${id}-hint" .value=${live(value)} @input=${edit} />`;
    const hint = worded ? "" : (field.notation ?? (field.max === undefined ? "" : `${field.min ?? 0} to ${field.max}`));
    return html`<div class="field">
      <label for=${id}>${field.label}${field.symbol === undefined ? nothing : html` <i>${field.symbol}</i>`}</label>
      <div class="value">${control}<p class="hint" id="${id}-hint">${hint}</p></div>
    </div>`;
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    finish();
  };
  effect(() => {
    render(
      html`<div class="fields" @keydown=${enter}>
        <div class="field">
          <label for="arm-kind">Agent</label>
          <div class="value"><select id="arm-kind" @change=${take}>
            ${catalogue.kinds.map(({ key }) => html`<option value=${key} .selected=${live(key === kind.value.key)}>${styleOf(key).name}</option>`)}
          </select></div>
        </div>
        ${kind.value.fields.map(row)}
      </div>
      <div class="actions"><button type="button" id="arm-add" @click=${finish}>Add</button></div>`,
      box,
    );
  });
}
