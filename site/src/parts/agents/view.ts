// The choice of agents, and the plain fields of all sections: the sizes of the experiment,
// its switches, and the fields of the domain and of the prior.

import { effect, signal } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { kinds, styleOf, swatch } from "../../agents";
import { byId, say } from "../../dom";
import type { Playground } from "../../state/playground";
import { once } from "../../lost";
import { fieldText, offered, withAgent, withValue } from "../../state/form";
import { showFields } from "./fields";

const boxes = { domain: "domain-fields", prior: "sparseness-field", size: "size-fields", switches: "switch-fields" } as const;

/** How many milliseconds after the last tick the form is checked. */
const rest = 300;

export function agents(playground: Playground): void {
  const { root, app } = playground;
  for (const [section, id] of Object.entries(boxes)) {
    showFields(app, section as keyof typeof boxes, byId(root, id, HTMLElement));
  }
  byId(root, "new-seed", HTMLButtonElement).addEventListener("click", () => {
    app.edit(withValue(app.form.value, "/seed", crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000));
  });
  const reset = byId(root, "reset", HTMLButtonElement);
  reset.addEventListener("click", () => void app.reset());
  effect(() => void reset.classList.toggle("idle", app.unchanged.value && app.refusal.value === undefined));

  /** The agents that were added by hand. They stay in the list when they are not chosen. */
  const added = signal<readonly string[]>([]);
  const choices = byId(root, "agent-choices", HTMLElement);
  const choice = (label: string): TemplateResult => {
    const toggle = ({ target }: Event): void =>
      app.edit(withAgent(app.form.value, label, (target as HTMLInputElement).checked, [...kinds, ...added.value]), rest);
    const checked = app.form.value.agents.includes(label);
    return html`<label><input type="checkbox" value=${label} .checked=${live(checked)} @change=${toggle} />${styleOf(label).name}${swatch(label)}</label>`;
  };
  effect(() => {
    const form = app.form.value;
    void app.checked.value; // the engine may have named agents
    render(offered(form, [...kinds, ...form.base.agents, ...form.agents, ...added.value]).map(choice), choices);
  });
  /** Lists beside the name of a drawer what it holds. */
  const summarise = (id: string, words: readonly string[]): void => void (byId(root, id, HTMLElement).textContent = words.join(", "));
  effect(() => {
    summarise("agents-now", [String(app.form.value.agents.length)]);
  });
  effect(() => {
    const form = app.form.value;
    const sizes = form.fields.filter((field) => field.section === "size" && field.pointer !== "/seed" && fieldText(form, field) !== "0");
    summarise(
      "size-now",
      sizes.map((field) => `${field.label.toLowerCase()} ${fieldText(form, field)}`),
    );
  });
  const add = (label: string): void => {
    added.value = [...new Set([...added.value, label])];
    if (!app.form.value.agents.includes(label)) app.edit(withAgent(app.form.value, label, true, [...kinds, ...added.value]));
  };
  const wantArm = once(
    () => import("./arm"),
    (made) => made.another(byId(root, "arm", HTMLElement), () => Object.keys(app.form.value.priors), add),
  );
  const wantNamed = once(
    () => import("./named"),
    (made) => made.named(playground),
  );
  byId(root, "named", HTMLElement).hidden = !playground.shows("reveal");
  byId(root, "named", HTMLElement).closest("details")!.addEventListener("toggle", wantNamed);
  byId(root, "another-agent", HTMLDetailsElement).addEventListener("toggle", wantArm);
  effect(() => {
    const fault = app.fault.value;
    say(root, "agents-error", fault?.at === "agents" ? fault.detail : "");
  });
  effect(() => {
    if (app.unfolded.value > 0) byId(root, "switches", HTMLDetailsElement).open = true;
  });
}
