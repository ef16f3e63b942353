// The editor of a problem: variables, laws, payoffs, start, ends and allowed actions. Each control makes one edit;
// what the engine refuses stays in its cell with the reason. The true graph is drawn in the matrix of the prior.

import catalogue from "cpsrl:catalogue";
import fills from "cpsrl:fills";
import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { byId, download } from "../../dom";
import type { LawForm, ModelForm, PayoffForm, VariableForm } from "../../formats";
import { later } from "../../lost";
import { type Change, Own } from "../../state/own";
import type { Playground } from "../../state/playground";
import { styled } from "../../styles";

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Opens the editor, with the problem that is shown or with a template, and brings it into view. */
export async function edit(playground: Playground, template?: string): Promise<void> {
  const section = byId(playground.root, "own", HTMLElement);
  if (!(await later(() => styled(section, "own.css")))) return;
  const own = playground.own.peek() ?? make(playground, section);
  playground.app.engine.peek() === "loading" && (await playground.ready);
  const opened = await (template === undefined ? own.open() : own.begin({ template }));
  if (!opened) return void playground.app.notify("own", own.faults.value["open"]?.why ?? own.faults.value["begin"]?.why ?? "", "bad");
  section.scrollIntoView({ block: "start" });
  section.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
}

function make(playground: Playground, section: HTMLElement): Own {
  const own = new Own(playground.app);
  playground.own.value = own;
  editor(playground, own, section);
  return own;
}

function editor(playground: Playground, own: Own, section: HTMLElement): void {
  const { app } = playground;
  /** The tables that are unfolded, by their cells. */
  const unfolded = signal<ReadonlySet<string>>(new Set());
  /** The fills as they are chosen, by law. */
  const chosen = new Map<string, string>();
  const body = document.createElement("div");
  section.append(body);
  const gallery = catalogue.presets.filter((preset) => preset.gallery);

  const why = (cell: string) => {
    const fault = own.faults.value[cell];
    return fault ? html`<p class="error" role="alert" id=${idOf(cell)}>${fault.why}</p>` : nothing;
  };
  /** The fields in which someone has typed, until what they hold has made an edit. */
  const typed = new WeakMap<Field, boolean>();
  /** What a field does: it makes an edit when it is left, or by Enter. What was refused is tried again, also if it is typed as it was. */
  const doing = (cell: string, make: (field: Field) => void) => {
    const take = (field: Field): void => {
      typed.set(field, false);
      make(field);
    };
    const refused = (): boolean => own.faults.value[cell] !== undefined;
    return {
      input: ({ currentTarget }: Event) => void typed.set(currentTarget as Field, true),
      change: ({ currentTarget }: Event) => typed.get(currentTarget as Field) !== false && take(currentTarget as Field),
      left: ({ currentTarget }: Event) => typed.get(currentTarget as Field) === true && refused() && take(currentTarget as Field),
      key: (event: KeyboardEvent) => {
        const field = event.currentTarget as Field;
        if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLTextAreaElement || refused())) return;
        event.preventDefault();
        take(field);
      },
    };
  };
  const writing = (cell: string, value: string, edit: (text: string) => Change) =>
    doing(cell, (field) => {
      const to = field.value.trim();
      if (to !== value) return void own.change(cell, edit(to), field.value);
      field.value = value;
      own.forget(cell);
    });
  /** A text that makes an edit. */
  const text = (cell: string, label: string, value: string, edit: (text: string) => Change, kind = "") => {
    const fault = own.faults.value[cell];
    const on = writing(cell, value, edit);
    return html`<input class=${kind} spellcheck="false" autocapitalize="off" autocomplete="off" aria-label=${label} aria-invalid=${fault ? "true" : nothing}
      aria-describedby=${fault ? idOf(cell) : nothing} .value=${fault?.text ?? value} @input=${on.input} @change=${on.change} @blur=${on.left} @keydown=${on.key} />`;
  };
  /** text for a formula, which may be longer than a line. */
  const formula = (cell: string, label: string, value: string, edit: (text: string) => Change) => {
    const fault = own.faults.value[cell];
    const on = writing(cell, value, edit);
    return html`<textarea class="formula" rows="1" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label=${label} aria-invalid=${fault ? "true" : nothing}
      aria-describedby=${fault ? idOf(cell) : nothing} .value=${fault?.text ?? value} @input=${on.input} @change=${on.change} @blur=${on.left} @keydown=${on.key}></textarea>`;
  };
  const button = (label: string, title: string, act: () => void, off = false) =>
    html`<button type="button" class="small" title=${title} aria-label=${title} aria-disabled=${off} @click=${() => !off && act()}>${label}</button>`;

  const variable = ({ name, values, unseen }: VariableForm, at: number, { length }: readonly VariableForm[], kind: string) => {
    const cell = `variable ${name}`;
    const fixed = unseen === "noise";
    return html`<tr>
      <th scope="row">${kind}${unseen ? html` <span class="help">${unseen}</span>` : nothing}</th>
      <td>${text(`${cell} name`, `Name of ${name}`, name, (to) => ({ edit: "rename", of: name, to }), "name")}</td>
      <td>${fixed ? values : text(`${cell} values`, `Values of ${name}`, values, (to) => ({ edit: "values", of: name, to }))}</td>
      <td class="acts">
        ${button("↑", `Move ${name} up`, () => void own.change(cell, { edit: "move", of: name, to: "-1" }), fixed || at === 0)}
        ${button("↓", `Move ${name} down`, () => void own.change(cell, { edit: "move", of: name, to: "1" }), fixed || at === length - 1)}
        ${button("×", `Remove ${name}`, () => void own.change(cell, { edit: "remove", of: name }), fixed)}
      </td>
    </tr>${[`${cell} name`, `${cell} values`, cell].map((part) => (own.faults.value[part] ? html`<tr><td colspan="4">${why(part)}</td></tr>` : nothing))}`;
  };

  const unfold = (cell: string, summary: string, content: () => unknown) => {
    const toggle = ({ currentTarget }: Event): void => {
      const { open } = currentTarget as HTMLDetailsElement;
      const next = new Set(unfolded.value);
      if (open) next.add(cell);
      else next.delete(cell);
      if (next.size !== unfolded.value.size) unfolded.value = next;
    };
    return html`<details @toggle=${toggle}><summary>${summary}</summary>${unfolded.value.has(cell) ? content() : nothing}</details>`;
  };

  /** One probability of a row, which is sent as a whole. In a row of two the other one follows. */
  const probability = (law: LawForm, row: number, column: number) => {
    const cell = `row ${law.of} ${row}`;
    return doing(cell, ({ value }) => {
      const p = (own.faults.value[cell]?.text?.split(" ") ?? law.p[row]!.map(String)).with(column, value.replaceAll(/\s/g, "") || "0");
      const rest = 1 - Number(p[column]);
      if (p.length === 2 && !Number.isNaN(rest)) p[1 - column] = String(rest);
      void own.change(cell, { edit: "row", of: law.of, row, to: p.join(" ") }, p.join(" "));
    });
  };

  const table = (law: LawForm) => {
    const fillOf = (name: string | undefined) => fills.find((fill) => fill.name === name) ?? fills[0]!;
    const { name: kind, number, standard = "", seeded } = fillOf(chosen.get(law.of));
    const cell = `fill ${law.of}`;
    const fill = ({ currentTarget }: Event): void => {
      const box = (currentTarget as HTMLElement).parentElement!;
      const value = box.querySelector<HTMLInputElement>('[name="number"]')?.value ?? "";
      const seed = box.querySelector<HTMLInputElement>('[name="seed"]')?.value ?? "0";
      const p = number === undefined ? [] : [Number(value)];
      if (p.some(Number.isNaN) || !Number.isSafeInteger(Number(seed))) own.refuse(cell, undefined, "A number was expected.");
      else void own.change(cell, { edit: "fill", of: law.of, to: kind, p, seed: Number(seed) });
    };
    return html`<div class="fill">
        <label>Fill <select aria-label=${`How to fill the table of ${law.of}`} autocomplete="off" @change=${({ currentTarget }: Event) => {
          chosen.set(law.of, (currentTarget as HTMLSelectElement).value);
          unfolded.value = new Set(unfolded.value);
        }}>${fills.map(({ name, label }) => html`<option value=${name} .selected=${name === kind}>${label}</option>`)}</select></label>
        ${number === undefined ? nothing : html`<label>${number} <input name="number" inputmode="decimal" .value=${String(standard)} /></label>`}
        ${seeded ? html`<label>seed <input name="seed" inputmode="numeric" .value=${"1"} /></label>` : nothing}
        <button type="button" @click=${fill}>Fill</button>
      </div>${why(cell)}
      <div class="scroll" role="region" aria-label=${`The table of ${law.of}`} tabindex="0"><table class="law">
        <thead><tr>${law.given.map((name) => html`<th scope="col">${name}</th>`)}${law.columns.map((value) => html`<th scope="col" class="p"><span class="help">P(${law.of}′ =</span> ${value}<span class="help">)</span></th>`)}</tr></thead>
        <tbody>${law.rows.map((labels, row) => {
          const fault = own.faults.value[`row ${law.of} ${row}`];
          const texts = fault?.text?.split(" ");
          return html`<tr>${labels.map((label) => html`<th scope="row">${label}</th>`)}${law.columns.map((value, column) => {
            const on = probability(law, row, column);
            return html`<td><input inputmode="decimal" aria-invalid=${fault ? "true" : nothing} aria-describedby=${fault ? idOf(`row ${law.of} ${row}`) : nothing}
              aria-label=${`P(${law.of}′ = ${value}${labels.length > 0 ? ` | ${labels.map((label, k) => `${law.given[k]} = ${label}`).join(", ")}` : ""})`}
              .value=${texts?.[column] ?? shown(law.p[row]![column]!)} @input=${on.input} @change=${on.change} @blur=${on.left} @keydown=${on.key} /></td>`;
          })}</tr>${fault ? html`<tr><td colspan=${labels.length + law.columns.length}>${why(`row ${law.of} ${row}`)}</td></tr>` : nothing}`;
        })}</tbody></table></div>
      ${law.more > 0 ? html`<p class="help">${law.more} more rows. A formula or a fill changes all of them.</p>` : nothing}
      ${law.formula === "" ? nothing : html`<p class="help">A change of the table takes the place of the formula.</p>`}`;
  };

  const law = (law: LawForm) => {
    const cell = `law ${law.of}`;
    const from = law.given.length === 0 ? "nothing" : law.given.join(", ");
    return html`<li>
      <div class="head"><b translate="no">${law.of}′</b> <span class="help" translate="no">← ${from}${law.known ? " · agents are told it" : ""}</span></div>
      ${formula(cell, `The law of ${law.of}`, law.formula, (to) => ({ edit: "law", of: law.of, to }))}${why(cell)}
      ${unfold(cell, law.formula === "" ? `Table, ${law.rows.length + law.more} rows` : `The table that it gives, ${law.rows.length + law.more} rows`, () => table(law))}
    </li>`;
  };

  const payoff = ({ name, kind, formula: written, given, rows, mean, more }: PayoffForm, at: number) => {
    const cell = `payoff ${at}`;
    return html`<li>
      <div class="head">
        ${text(`${cell} name`, `Name of payoff ${at + 1}`, name, (to) => ({ edit: "payoff-name", at, to }), "name")}
        <select aria-label=${`Kind of payoff ${at + 1}`} autocomplete="off" @change=${({ currentTarget }: Event) =>
          void own.change(`${cell} kind`, { edit: "payoff-kind", at, to: (currentTarget as HTMLSelectElement).value }).then((done) => {
            if (!done) (currentTarget as HTMLSelectElement).value = kind;
          })}>
          <option value="fixed" .selected=${kind === "fixed"}>pays this</option><option value="bernoulli" .selected=${kind === "bernoulli"}>pays with this probability</option>
        </select>
        ${button("×", `Remove payoff ${at + 1}`, () => void own.change(`${cell} gone`, { edit: "remove-payoff", at }))}
      </div>
      ${formula(cell, `Formula of payoff ${at + 1}`, written, (to) => ({ edit: "payoff", at, to }))}${[cell, `${cell} name`, `${cell} kind`, `${cell} gone`].map(why)}
      ${unfold(
        cell,
        written === "" ? `Table, ${rows.length + more} rows` : `The table that it gives, ${rows.length + more} rows`,
        () =>
          html`<div class="scroll" role="region" aria-label=${`The table of payoff ${at + 1}`} tabindex="0"><table class="law"><thead><tr>${given.map((of) => html`<th scope="col">${of}</th>`)}<th scope="col">payoff</th></tr></thead>
          <tbody>${rows.map((labels, row) => {
            const place = `${cell} mean ${row}`;
            const fault = own.faults.value[place];
            const on = writing(place, shown(mean[row]!), (to) => ({ edit: "mean", at, row, to }));
            return html`<tr>${labels.map((label) => html`<th scope="row">${label}</th>`)}<td><input inputmode="decimal" aria-label=${`Payoff for ${labels.map((label, k) => `${given[k]} = ${label}`).join(", ")}`}
            aria-invalid=${fault ? "true" : nothing} aria-describedby=${fault ? idOf(place) : nothing}
            .value=${fault?.text ?? shown(mean[row]!)} @input=${on.input} @change=${on.change} @blur=${on.left} @keydown=${on.key} /></td></tr>${fault ? html`<tr><td colspan=${labels.length + 1}>${why(place)}</td></tr>` : nothing}`;
          })}</tbody></table></div>${more > 0 ? html`<p class="help">${more} more rows.</p>` : nothing}`,
      )}
    </li>`;
  };

  const fileName = (name: string): string =>
    `${
      name
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
        .replaceAll(/^-|-$/g, "") || "problem"
    }.json`;
  const save = (): void => {
    const { domain } = app.form.value;
    if (domain["model"] !== undefined && own.form.value)
      download(new Blob([`${JSON.stringify(domain["model"], undefined, 1)}\n`], { type: "application/json" }), fileName(own.form.value.name));
  };
  const startFrom = ({ currentTarget }: Event): void => {
    const menu = currentTarget as HTMLSelectElement;
    const preset = gallery.find(({ name }) => name === menu.value);
    void own.begin(preset ? { spec: preset.spec } : { template: menu.value });
    menu.value = "";
  };

  const view = (form: ModelForm) => html`
    <div class="line">
      <h2 id="own-title" tabindex="-1">Your problem</h2>
      <div class="bar">
        <button type="button" aria-keyshortcuts="Control+Z" aria-disabled=${own.past.value.length === 0} @click=${own.undo}>Undo</button>
        <button type="button" aria-keyshortcuts="Control+Shift+Z" aria-disabled=${own.future.value.length === 0} @click=${own.redo}>Redo</button>
        <button type="button" aria-disabled=${app.form.value.domain.name !== "model"} @click=${save}>Save the file</button>
        <button type="button" @click=${() => own.close()}>Close</button>
      </div>
    </div>
    <div class="first">
      <label>Start from <select aria-label="Start from" autocomplete="off" @change=${startFrom}><option value="">…</option>
        <optgroup label="Templates">${catalogue.templates.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}</optgroup>
        <optgroup label="Gallery">${gallery.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}</optgroup></select></label>
      <label>Name ${text("name", "Name of the problem", form.name, (to) => ({ edit: "name", to }))}</label>
      <label>Steps of an episode ${text("horizon", "Steps of an episode", String(form.horizon), (to) => ({ edit: "horizon", to }), "short")}</label>
    </div>
    ${why("begin")}${why("name")}${why("horizon")}
    <p class="notes" role="status" ?hidden=${own.notes.value === ""}>${own.notes.value}</p>

    <h3>Variables and actions</h3>
    <table class="variables">
      <thead><tr><th scope="col"><span class="hidden">Kind</span></th><th scope="col">Name</th><th scope="col">Values: a number, or labels</th><th><span class="hidden">Change</span></th></tr></thead>
      <tbody>${form.state.map((v, at, all) => variable(v, at, all, "State"))}${form.action.map((v, at, all) => variable(v, at, all, "Action"))}</tbody>
    </table>
    <div class="bar">
      <button type="button" @click=${() => void own.change("add", { edit: "add-state" })}>Add a state variable</button>
      <button type="button" @click=${() => void own.change("add", { edit: "add-action" })}>Add an action</button>
    </div>${why("add")}

    <h3>What happens next</h3>
    <p class="help"><code>next = min(3, stock + order)</code>, <code>next = stock with 0.9, 0</code>, or <code>p = 0.2 + 0.6*season</code>: the chance of the values from 1. The variables that a formula names are the parents. <a href="docs/formats.html#formulas">All of the language</a></p>
    <ul class="laws">${form.laws.map(law)}</ul>

    <h3>What a step pays</h3>
    <p class="help">The sum of these. <code>stock'</code> is the next value.</p>
    <ul class="laws">${form.payoffs.map(payoff)}</ul>
    <div class="bar"><button type="button" @click=${() => void own.change("add payoff", { edit: "add-payoff" })}>Add a payoff</button></div>${why("add payoff")}

    <h3>Start, end, allowed actions</h3>
    <div class="rules">
      <label>An episode begins where ${formula("start", "Where an episode begins", form.start, (to) => ({ edit: "start", to }))}</label>
      <p class="help">${form.start === "" ? `As the file says: ${form.starts} states.` : form.start === "uniform" ? "In any state." : `${form.starts} ${form.starts === 1 ? "state" : "states"}, each as likely; “uniform” stands for any state.`}</p>${why("start")}
      ${form.ends.map(
        (
          { name, formula: written, words },
          at,
        ) => html`<div class="head"><label>It ends where ${formula(`end ${at}`, `Where an episode ends, ${at + 1}`, written, (to) => ({ edit: "end", at, to }))}</label>
          <label>Name ${text(`end ${at} name`, `Name of end ${at + 1}`, name, (to) => ({ edit: "end-name", at, to }), "name")}</label>${button("×", `Remove end ${at + 1}`, () => void own.change(`end ${at} gone`, { edit: "remove-end", at }))}</div>
          ${written === "" ? html`<p class="help">${words}</p>` : nothing}${[`end ${at}`, `end ${at} name`, `end ${at} gone`].map(why)}`,
      )}
      <div class="bar"><button type="button" @click=${() => void own.change("add end", { edit: "add-end" })}>Add an end</button></div>
      <label>Actions are allowed where ${formula("legal", "Which joint actions are allowed", form.legal, (to) => ({ edit: "legal", to }))}</label>
      <p class="help">${form.legals}</p>${why("legal")}
    </div>`;

  effect(() => {
    const form = own.form.value;
    section.hidden = form === undefined;
    if (form) render(view(form), body);
  });
  section.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return; // a field has its own undo
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) own.redo();
    else own.undo();
  });
}

/** A number as a cell holds it. */
const shown = (value: number): string => String(Number(value.toPrecision(12)));

const idOf = (cell: string): string => `own-${encodeURIComponent(cell)}`;
