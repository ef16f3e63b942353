// The problem: its domain, from a menu or a file, and facts about it.

import catalogue from "cpsrl:catalogue";
import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { byId, say, sentence } from "../../dom";
import type { About } from "../../formats";
import type { Playground } from "../../state/playground";
import { domainOf } from "../../state/spec";
import { variables } from "./variables";

const count = new Intl.NumberFormat("en");

export function problem(playground: Playground): void {
  const { root, app } = playground;
  const menu = byId(root, "domain", HTMLSelectElement);
  const file = byId(root, "domain-file", HTMLInputElement);
  const facts = byId(root, "problem", HTMLElement);
  menu.append(...catalogue.domains.map(({ key, label }) => new Option(label, key)));
  menu.addEventListener("change", () => {
    app.files.leave();
    const name = menu.value;
    app.turn(name === "model" && app.model !== undefined ? { name, model: app.model } : { name });
  });
  byId(root, "domain-open", HTMLButtonElement).addEventListener("click", () => file.click());
  byId(root, "own-edit", HTMLButtonElement).addEventListener("click", () => void playground.edit());
  file.addEventListener("change", () => {
    const chosen = [...(file.files ?? [])];
    file.value = "";
    if (chosen.length > 0) void playground.open(chosen);
  });

  effect(() => {
    const fault = app.fault.value;
    menu.value = app.form.value.domain.name;
    say(root, "domain-error", fault?.at === "domain" ? fault.detail : "");
    const modelMissing = fault?.pointer === "/domain/model" && app.form.value.domain["model"] === undefined;
    const detail = modelMissing
      ? "The model is missing: open a file with one, or drop it on the page. What it holds is in the docs, under “Formats”."
      : fault?.at === "file"
        ? fault.detail
        : "";
    say(root, "domain-file-error", app.files.untaken.value || detail);
    if (fault?.at === "domain") menu.setAttribute("aria-invalid", "true");
    else menu.removeAttribute("aria-invalid");
  });
  byId(root, "domain-normalise", HTMLButtonElement).addEventListener("click", () => {
    const { model } = app.files.normalised.value ?? {};
    app.files.begin();
    app.turn({ name: "model", model }, JSON.stringify(model));
  });
  effect(() => {
    const offer = app.files.normalised.value;
    byId(root, "domain-mend", HTMLElement).hidden = offer === undefined;
    say(root, "domain-mend-help", offer ? sentence(offer.words) : "");
  });

  const lacks = byId(root, "domain-lacks", HTMLElement);
  effect(() => {
    lacks.hidden = app.files.lacking.value === undefined;
    render(asked(playground), lacks);
  });

  effect(() => {
    const label = domainOf(app.form.value)?.label ?? "";
    say(root, "problem-now", label);
  });
  effect(() => say(root, "problem-reward", app.about.value?.reward ?? ""));
  effect(() => say(root, "problem-caveat", app.about.value?.caveat ?? ""));
  effect(() => void render(factsOf(app.about.value, app.form.value.domain.name === "model"), facts));
}

/** What a file lacks, as a field with a button, or as a button alone. */
function asked({ app, readAgain }: Playground) {
  const lacking = app.files.lacking.value;
  if (!lacking) return nothing;
  const { file, lacked } = lacking;
  const take = ({ currentTarget }: Event): void => {
    const field = (currentTarget as HTMLElement).closest("div")!.querySelector("input");
    void readAgain({ ...lacking, given: { ...lacking.given, [lacked.option]: field?.value.trim() ?? lacked.value } });
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    take(event);
  };
  return html`${
    lacked.button
      ? html`<button type="button" @click=${take} aria-describedby="domain-lacks-help">${lacked.label}</button>`
      : html`<label>${lacked.label} <input .value=${lacked.value} autocomplete="off" spellcheck="false" aria-describedby="domain-lacks-help" @keydown=${enter} /></label>
          <button type="button" @click=${take}>Read the file</button>`
  } <span id="domain-lacks-help" class="help">“${file}”: ${sentence(lacked.help)}</span>`;
}

function factsOf(about: About | undefined, named: boolean) {
  const facts = [
    ...(named && about?.name !== undefined ? [["Model", about.name]] : []),
    ["State", about ? variables(about.state) : "…"],
    ["Action", about ? variables(about.action) : "…"],
    ["States · actions", about ? `${count.format(about.states)} · ${count.format(about.actions)}` : "…"],
  ];
  return facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
}
