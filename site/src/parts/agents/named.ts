// Named priors. The prior of the page is kept under a name, and an agent with that prior
// joins the experiment, so that one chart can compare priors.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { byId } from "../../dom";
import type { Playground } from "../../state/playground";
import type { About, Prior } from "../../formats";
import { priorWords } from "../../state/differences";
import { editedIn, editing, unnamed, priorsOf, withAgent, withPrior } from "../../state/form";
import type { Known } from "../../state/history";
import { domainOf } from "../../state/spec";
import { edgesOf } from "../../state/edges";

/** The names that the engine accepts. */
const names = /^[A-Za-z][A-Za-z0-9_-]{0,23}$/;
const rule = "A name has up to 24 letters, digits, - and _, and begins with a letter.";

/** Writes the prior out, also if it is the domain's suggestion. */
function writtenOut(prior: Known, about: About, perRun: boolean): Prior {
  if (prior) return prior;
  return perRun ? { eta: about.eta } : { edges: edgesOf(prior, about) };
}

export function named({ root, app }: Playground): void {
  const box = byId(root, "named", HTMLElement);
  const name = signal("");
  const fault = signal("");

  /** Whether the form, once it has all that was typed, is still that of the same experiment. */
  const settled = async (): Promise<boolean> => {
    const before = app.filled.value;
    await app.settle();
    return app.filled.value === before;
  };
  /** Begins to edit a named prior or, without a name, ends that. */
  const edit = async (name?: string): Promise<void> => void ((await settled()) && app.edit(editing(app.form.value, name)));
  const keep = async (): Promise<void> => {
    const chosen = name.value.trim();
    fault.value = names.test(chosen) ? "" : rule;
    if (fault.value || !(await settled())) return;
    const about = app.about.value;
    const form = app.form.value;
    if (!about) return;
    const prior = writtenOut(form.line.now, about, domainOf(form)?.perRun ?? false);
    const label = `${unnamed}:prior=${chosen}`;
    const next = withPrior(form, chosen, prior);
    const both = next.agents.includes(label) ? next : withAgent(next, label, true, next.agents);
    app.edit(withAgent(both, unnamed, false, both.agents)); // otherwise two lines have the same prior
    app.announce(`C-PSRL with the prior “${chosen}” is among the agents.`);
    name.value = "";
  };
  const typed = ({ target }: Event): void => {
    name.value = (target as HTMLInputElement).value;
    fault.value = "";
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void keep();
  };
  const remove = (key: string): void => {
    app.edit(withPrior(app.form.value, key, undefined));
    byId(root, "keep-name", HTMLInputElement).focus();
  };
  const row = ([key, prior]: readonly [string, Prior]) => {
    const edited = editedIn(app.form.value) === key;
    return html`<li>
    <span><b>${key}</b> <span class="help">${priorWords(prior)}${edited ? ", in the editor" : ""}</span></span>
    <button type="button" aria-label="${edited ? "End editing" : "Edit"} the prior ${key}" @click=${() => void edit(edited ? undefined : key)}>${edited ? "Done" : "Edit"}</button>
    <button type="button" aria-label="Remove the prior ${key}" @click=${() => remove(key)}>Remove</button>
  </li>`;
  };
  effect(() => {
    if (app.filled.value) fault.value = ""; // another experiment is shown
  });
  effect(() => {
    const priors = Object.entries(priorsOf(app.form.value));
    render(
      html`<p class="help">Compare priors: give the present prior a name. C-PSRL with it becomes a line of the chart; the next edit of the prior is another line.</p>
        ${priors.length === 0 ? nothing : html`<ul class="named">${priors.map(row)}</ul>`}
        <div class="keep">
          <label for="keep-name">Name</label>
          <input id="keep-name" spellcheck="false" autocomplete="off" placeholder="expert" aria-invalid=${fault.value ? "true" : nothing} aria-describedby="keep-error"
            .value=${live(name.value)} @input=${typed} @keydown=${enter} />
          <button type="button" id="keep" @click=${keep}>Add C-PSRL with this prior</button>
        </div>
        <p class="error" id="keep-error" ?hidden=${fault.value === ""}>${fault.value}</p>`,
      box,
    );
  });
}
