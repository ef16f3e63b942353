// The dialog Sweep: which fields vary, what that costs, and what has been found. Loaded when it is first opened.

import catalogue from "cpsrl:catalogue";
import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { standardOf, styleOf } from "../agents";
import { download, sentence, typeset } from "../dom";
import { detailOf, drawSweep } from "../engine/engine";
import type { Field, Receipt, SweepLink } from "../formats";
import { drawing } from "../markup";
import { duration } from "../state/duration";
import { isMenu } from "../state/form";
import { measureOf, measures, nounOf, usual } from "../state/measures";
import type { Playground } from "../state/playground";
import { runsWords } from "../state/results";
import { presetOf, textOf } from "../state/spec";
import { type Look, type Plan, settingsWords, Sweeping, variable } from "../state/sweep";
import { ownSite } from "../versions";
import { copyable } from "./copyable";
import { openDialog } from "./dialog";

/** From so many seconds on, the dialog says first that another machine could do it. */
const long = 600;

/** How many milliseconds a text stays the same before the engine is asked about it. */
const typing = 300;

/** Makes the dialog, and returns what opens it. Link: what a link says of a sweep; without it, what was chosen last is still there. */
export function sweepDialog(playground: Playground): (link?: SweepLink) => Promise<void> {
  const shown = new SweepDialog(playground);
  playground.sweep.value = shown.sweep;
  return async (link) => {
    await openDialog(playground.root, "sweep", "dialog sweep", (dialog) => shown.in(dialog));
    await (link ? shown.sweep.open(link) : shown.sweep.show());
  };
}

class SweepDialog {
  readonly sweep: Sweeping;
  readonly #measure = signal("");
  /** The column along the axis or, with two that are crossed, a heat map of both. */
  readonly #view = signal<number | "heat">(0);
  readonly #agent = signal<string | undefined>(undefined);
  readonly #svg = signal("");
  readonly #picture = computed(() => (this.#svg.value === "" ? nothing : drawing(this.#svg.value)));
  /** Why there is no figure, and why something was not saved or opened. */
  readonly #blank = signal("");
  readonly #fault = signal("");
  #wanted: string | undefined;
  #drawing = false;
  #dialog: HTMLDialogElement | undefined;

  constructor(private readonly playground: Playground) {
    this.sweep = new Sweeping(playground);
    const { measure } = playground.app.view.value;
    this.#measure.value = measure ?? usual(playground.app.checked.value?.header).key;
  }

  in(dialog: HTMLDialogElement): void {
    if (this.#dialog === dialog) return;
    this.#dialog = dialog;
    const { ends, root } = this.playground;
    dialog.addEventListener("close", () => this.sweep.leave());
    ends.add(
      effect(() => {
        render(this.#content(), dialog);
        // The focus does not stay on a button that has just been disabled.
        const focused = (root as DocumentOrShadowRoot).activeElement;
        if (focused instanceof HTMLButtonElement && focused.disabled)
          (dialog.querySelector<HTMLButtonElement>("#sweep-stop:enabled, #sweep-run:enabled") ?? dialog.querySelector("button"))?.focus();
      }),
    );
    const figure = computed(() => {
      const width = Math.max(280, Math.min(820, (root instanceof Document ? innerWidth : 700) - 90));
      return this.sweep.figure(this.#measure.value, { ...this.#axes, theme: "page", inline: true, width, type: 13 });
    });
    ends.add(
      effect(() => {
        const asked = figure.value;
        untracked(() => void this.#draw(asked));
      }),
    );
  }

  get #axes(): Look {
    const view = this.#view.value;
    if (view === "heat" && crosses(this.sweep.plan.value)) return { x: 1, heat: 0 };
    return { x: view === "heat" || view >= (this.sweep.plan.value?.columns.length ?? 1) ? 0 : view };
  }

  /** Draws the newest figure; those that came while the engine drew are passed over. */
  async #draw(figure: string | undefined): Promise<void> {
    this.#wanted = figure;
    if (!figure) this.#svg.value = this.#blank.value = "";
    if (this.#drawing) return;
    this.#drawing = true;
    for (let drawn: string | undefined; this.#wanted && this.#wanted !== drawn; ) {
      drawn = this.#wanted;
      const [svg, blank] = await drawSweep(drawn).then(
        (made) => [made, ""],
        (error: unknown) => ["", `The figure could not be drawn: ${sentence(detailOf(error))}`],
      );
      if (this.#wanted) [this.#svg.value, this.#blank.value] = [svg!, blank!];
    }
    this.#drawing = false;
  }

  #content() {
    const { sweep, playground } = this;
    const { app } = playground;
    const { fault, planning, running, beyond, failed, receipt, expected, count, apart, left } = sweep;
    const plan = sweep.plan.value;
    const { possible, finished } = count.value;
    const close = html`<button type="button" @click=${() => this.#dialog?.close()}>Close</button>`;
    const lines =
      beyond.value === undefined
        ? [0, 1].map((k) => this.#row(k))
        : html`<p class="note">The link varies ${plan ? html`<code>${plan.vary}</code>` : "more than two fields"}. <button type="button" ?disabled=${running.value} @click=${() => sweep.choose(0, { key: "", text: "" })}>Choose fields instead</button></p>`;
    const said = planning.value
      ? "Checking the settings…"
      : plan
        ? planWords(plan, possible, finished)
        : fault.value === ""
          ? "Choose a field and write its values."
          : "";
    const rest = possible - finished;
    const again = html`The settings of the page are others now; this sweep keeps those that it began with. <button type="button" @click=${() => void sweep.prepare()}>Begin anew with the page’s</button>`;
    return html`<div class="dialog-head"><h2 id="sweep-title">Sweep</h2>${close}</div>
      <p class="note">One experiment in many settings. Choose one or two fields and write the values of each, separated by commas. All else is as in the settings of the page.</p>
      <div class="vary">${lines}</div>
      ${app.spec.value.prior && "edges" in app.spec.value.prior ? html`<p class="note">The prior lists its edges, so η replaces the list, and false edges and trust cannot vary. They can if Prior says “Suggested edges” or a degree η.</p>` : nothing}
      <p id="sweep-said" role="status">${running.value ? "" : said}</p>
      ${running.value ? html`<p><progress aria-label="Progress of the sweep" max="1" .value=${sweep.share.value ?? 0}></progress> ${sweep.stopping.value ? "Stopping…" : runningWords(finished, possible, left.value, app.run.value === "running")}</p>` : nothing}
      ${plan && apart.value && !running.value && finished > 0 ? html`<p class="note">${again}</p>` : nothing}
      <p class="fault" role="alert" ?hidden=${fault.value === ""}>${fault.value}</p>
      ${plan ? [refusedOf(plan), failedOf(plan, failed.value)] : nothing}
      <div class="bar">
        <button type="button" class="primary" id="sweep-run" ?disabled=${!plan || running.value || rest === 0} @click=${() => void sweep.run()}>${finished > 0 && rest > 0 ? "Go on" : "Run the sweep"}</button>
        <button type="button" id="sweep-stop" ?disabled=${!running.value || sweep.stopping.value} @click=${() => sweep.stop()}>Stop</button>
      </div>
      ${expected.value && plan ? verdictOf(expected.value, receipt.value?.receipt) : nothing}
      ${plan && finished > 0 ? this.#results(plan) : nothing}
      ${plan ? this.#outside(plan) : nothing}`;
  }

  #row(k: number) {
    const { sweep, playground } = this;
    const { app } = playground;
    const row = sweep.rows.value[k]!;
    const fields = variable(app.checked.value?.fields ?? []);
    const field = fields.find(({ key }) => key === row.key);
    const spec = app.spec.value;
    const choose = ({ target }: Event): void => {
      const { value: key } = target as HTMLSelectElement;
      const of = fields.find((other) => other.key === key);
      sweep.choose(k, { key, text: of ? beginning(of, spec) : "" });
    };
    const type = ({ target }: Event): void => sweep.choose(k, { key: row.key, text: (target as HTMLInputElement).value }, typing);
    const nth = k === 0 ? "First" : "Second";
    return html`<div class="row">
      <select id="sweep-field-${k}" aria-label="${nth} field" ?disabled=${sweep.running.value} @change=${choose}>
        <option value="" .selected=${live(row.key === "")}>${k === 0 ? "Choose a field" : "and, if you like, another"}</option>
        ${fields.map((of) => html`<option value=${of.key} .selected=${live(of.key === row.key)}>${titleOf(of)}</option>`)}
      </select>
      <input id="sweep-values-${k}" aria-label="${nth} field: values" aria-describedby="sweep-range-${k}" spellcheck="false" autocomplete="off" placeholder=${field ? "" : "2, 3, 4, 5"} ?disabled=${!field || sweep.running.value} .value=${live(row.text)} @input=${type} />
      <span class="help" id="sweep-range-${k}">${field ? rangeOf(field) : ""}</span>
    </div>`;
  }

  /** The link of the sweep, with its receipt once there is one, and the command that runs it elsewhere. */
  #outside(plan: Plan) {
    const { receipt } = this.sweep;
    const words = plan.seconds > long ? `This takes about ${duration(plan.seconds)} here; the same on a cluster` : "The same on the command line or a cluster";
    const save = (): void => download(new Blob([plan.document], { type: "application/json" }), "sweep.json");
    const link = receipt.value?.link ?? plan.link;
    return html`${
      link === undefined
        ? html`<p class="note">No link can hold this sweep. <button type="button" @click=${save}>Save sweep.json</button></p>`
        : copyable("sweep-link", receipt.value ? "Link to this sweep, with its receipt" : "Link to this sweep", `${ownSite}#${link}`)
    }
      ${copyable("sweep-command", words, plan.command, plan.command.includes("\n") ? 2 : 1)}
      <p class="note">A cluster runs the settings on many machines: <a href="${ownSite}docs/cluster.html" target="_blank" rel="noopener">Sweeps and clusters</a>.</p>`;
  }

  #results(plan: Plan) {
    const { app } = this.playground;
    const measure = this.#measure;
    const view = this.#view;
    /** Saves what is made, or says why it could not be. */
    const save = (name: string, type: string, made: () => Promise<string>) => async (): Promise<void> => {
      this.#fault.value = "";
      try {
        download(new Blob([await made()], { type }), name);
      } catch (error) {
        this.#fault.value = sentence(detailOf(error));
      }
    };
    const record = save("sweep.json", "application/json", async () => plan.document);
    const table = save(`sweep-${measure.value}.csv`, "text/csv", () => this.sweep.table(measure.value));
    const figure = save(`sweep-${measure.value}.svg`, "image/svg+xml", () => drawSweep(this.sweep.figure(measure.value, this.#axes) ?? ""));
    const choose = ({ target }: Event): void => {
      const { value } = target as HTMLSelectElement;
      view.value = value === "heat" ? "heat" : Number(value);
    };
    return html`<div class="bar">
        <select id="sweep-measure" aria-label="Measure" @change=${({ target }: Event) => void ((measure.value = (target as HTMLSelectElement).value))}>
          ${measures.map((of) => html`<option value=${of.key} .selected=${live(of.key === measure.value)}>${nounOf(of, app.about.value?.ends)}</option>`)}
        </select>
        <select id="sweep-view" aria-label="View" @change=${choose}>
          ${plan.columns.map(({ title }, k) => html`<option value=${k} .selected=${live(view.value === k)}>Curves by ${title}</option>`)}
          ${crosses(plan) ? html`<option value="heat" .selected=${live(view.value === "heat")}>Heat map</option>` : nothing}
        </select>
      </div>
      <p class="fault" role="alert" ?hidden=${this.#blank.value === ""}>${this.#blank.value}</p>
      <div id="sweep-figure" class="scroll" role="region" aria-label="Figure of the sweep" tabindex="0" translate="no">${this.#picture.value}</div>
      ${this.#cells(plan)}
      <div class="bar">
        <button type="button" id="sweep-save" @click=${() => void table()}>Save the table</button>
        <button type="button" @click=${() => void figure()}>Save the figure</button>
        <button type="button" @click=${() => void record()}>Save the sweep</button>
      </div>
      <p class="fault" role="alert" ?hidden=${this.#fault.value === ""}>${this.#fault.value}</p>`;
  }

  /** The agent that the table shows. */
  #agentOf({ spec }: Plan): string {
    const { value } = this.#agent;
    return value !== undefined && spec.agents.includes(value) ? value : standardOf(spec.agents);
  }

  /** A cell for each setting, which leads to its experiment. The last column of what varies goes across. */
  #cells(plan: Plan) {
    const { found, at } = this.sweep;
    const agent = this.#agentOf(plan);
    const measure = this.#measure.value;
    const last = plan.columns.length - 1;
    const across = plan.columns[last]!;
    const titles = plan.columns.slice(0, -1).map(({ title }) => title);
    const heads = [...new Set(plan.settings.map(({ values }) => values[last]!))];
    const rows = new Map<string, number[]>(); // the settings by their other values
    for (const [k, { values }] of plan.settings.entries()) {
      const key = JSON.stringify(values.slice(0, -1));
      rows.set(key, [...(rows.get(key) ?? []), k]);
    }
    const cell = (k: number | undefined) => {
      const setting = k === undefined ? undefined : plan.settings[k];
      if (k === undefined || !setting) return nothing;
      if (setting.reason !== undefined) return html`<span title=${sentence(setting.reason)}>cannot run</span>`;
      const end = found.value
        .get(setting.id)
        ?.ends.get(measure)
        ?.find((other) => other.agent === agent);
      const words = found.value.has(setting.id) && !end?.n ? "none" : end ? written.format(end.mean) : "–";
      const progress = at.value?.id === setting.id ? ` ${at.value.runs}/${setting.runs}` : "";
      const name = plan.columns.map(({ title }, i) => `${title} = ${setting.values[i]}`).join(", ");
      return html`<button type="button" aria-label="${name}: ${words}${progress}, open" @click=${() => void this.#lead(plan, k)}>${words}${progress === "" ? nothing : html`<small>${progress}</small>`}</button>`;
    };
    const noun = nounOf(measureOf(measure), this.playground.app.about.value?.ends);
    const agents =
      plan.spec.agents.length === 1
        ? nothing
        : html`<select id="sweep-agent" aria-label="Agent of the table" @change=${({ target }: Event) => void ((this.#agent.value = (target as HTMLSelectElement).value))}>
            ${plan.spec.agents.map((of) => html`<option value=${of} .selected=${live(of === agent)}>${styleOf(of).name}</option>`)}
          </select>`;
    return html`<div class="bar">${agents}</div><div class="scroll" role="region" aria-label="Settings" tabindex="0"><table class="cells">
      <caption>${typeset(styleOf(agent).name)}: ${noun.toLowerCase()} after the last episode. A cell opens its experiment.</caption>
      <thead><tr>${titles.length === 0 ? html`<th scope="row">${across.title}</th>` : titles.map((title) => html`<th scope="col">${title}</th>`)}${heads.map((value) => html`<th scope="col">${titles.length === 0 ? "" : `${across.title} = `}${value}</th>`)}</tr></thead>
      <tbody translate="no">${[...rows].map(([key, of]) => {
        const values = JSON.parse(key) as string[];
        return html`<tr>${values.length === 0 ? html`<td></td>` : values.map((value) => html`<th scope="row">${value}</th>`)}${heads.map((head) => html`<td>${cell(of.find((k) => plan.settings[k]!.values[last] === head))}</td>`)}</tr>`;
      })}</tbody>
    </table></div>`;
  }

  /** Shows a setting's experiment in the page, which shows the runs that this browser has kept. */
  async #lead(plan: Plan, k: number): Promise<void> {
    const { app, links } = this.playground;
    try {
      const checked = await this.sweep.checked(plan, k);
      this.#dialog?.close();
      links.drop();
      app.begin();
      await app.show(checked.header.spec, { preset: presetOf(checked.link), view: app.view.value, checked });
    } catch (error) {
      this.#fault.value = sentence(detailOf(error));
    }
  }
}

const written = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

const titleOf = ({ label, symbol = "" }: Field): string => `${label} ${symbol}`.trim();

/** Whether two fields are crossed, so that a heat map can show them. */
const crosses = (plan: Plan | undefined): boolean => plan?.columns.length === 2 && plan.columns[0]!.entry !== plan.columns[1]!.entry;

/** What a row begins with: the choices of a menu, or the value of the page. */
const beginning = (field: Field, spec: Parameters<typeof textOf>[0]): string =>
  isMenu(field) ? (field.choices ?? []).join(", ") : (textOf(spec, field) ?? field.text ?? String(field.default ?? ""));

function rangeOf(field: Field): string {
  if (field.notation !== undefined) return field.notation;
  return field.min === undefined ? "" : `from ${field.min} to ${field.max}`;
}

/** How many runs, in words; settings may differ in it. */
function runsOf({ settings }: Plan): string {
  const runs = settings.flatMap((setting) => setting.runs ?? []);
  const [least, most] = [Math.min(...runs), Math.max(...runs)];
  return least === most ? runsWords(most) : `${least} to ${runsWords(most)}`;
}

function planWords(plan: Plan, possible: number, finished: number): string {
  if (possible === 0) return "No setting can run.";
  if (finished === possible) return `Finished: ${settingsWords(possible)}.`;
  const { agents } = plan.spec;
  const words = `${settingsWords(possible)}; ${agents.length === 1 ? "1 agent" : `${agents.length} agents`}, ${runsOf(plan)} each`;
  return finished > 0 ? `${words}; ${finished} finished.` : `${words}; about ${duration(plan.seconds)} in this tab.`;
}

function runningWords(finished: number, possible: number, left: number | undefined, paused: boolean): string {
  const words = `${finished} of ${settingsWords(possible)} finished`;
  return paused ? `${words}. Paused, because the page runs its experiment.` : left === undefined ? `${words}.` : `${words}, about ${duration(left)} left.`;
}

const valuesOf = ({ columns }: Plan, values: readonly string[]): string => columns.map(({ title }, k) => `${title} = ${values[k]}`).join(", ");

/** The settings that cannot run, with the engine's sentences. */
function refusedOf(plan: Plan) {
  const list = plan.settings.filter(({ reason }) => reason !== undefined);
  if (list.length === 0) return nothing;
  return html`<details class="impossible"><summary>${settingsWords(list.length)} cannot run</summary><ul>${list.map(({ values, reason = "" }) => html`<li>${valuesOf(plan, values)}: ${sentence(reason)}</li>`)}</ul></details>`;
}

/** The settings that have failed, and why. */
function failedOf(plan: Plan, failed: ReadonlyMap<string, string>) {
  const list = plan.settings.filter(({ id }) => failed.has(id));
  return list.map(({ id, values }) => html`<p class="fault" role="alert">${valuesOf(plan, values)} has failed: ${failed.get(id)}</p>`);
}

/** Whether the sweep has met the receipt of its link. */
function verdictOf(expected: Receipt, receipt: Receipt | undefined) {
  if (!receipt) return html`<p class="note">The link carries a receipt. Run the sweep to compare.</p>`;
  if (expected.fingerprint === receipt.fingerprint) return html`<p class="note good">Reproduced bit for bit: the sweep has the receipt of its link.</p>`;
  const versions =
    expected.engine === receipt.engine ? "" : ` The link’s is of engine ${expected.engine}, and this is engine ${catalogue.engine}, whose records may differ.`;
  const print = ({ fingerprint }: Receipt): string => `${fingerprint.slice(0, 12)}…`;
  return html`<p class="note bad">Not reproduced: the receipt is ${print(receipt)} here and ${print(expected)} in the link.${versions}</p>`;
}
