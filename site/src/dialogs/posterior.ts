// What transitions say about the graph: a file of them in, a ranked bigraph out. Loaded
// when it is first asked for.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { download, sentence, takeDrops } from "../dom";
import { ask, detailOf, Refused, text } from "../engine/engine";
import type { Posterior } from "../formats";
import type { Playground } from "../mount";
import { Latest } from "../state/latest";
import { dialogOf, dressed } from "./dialog";
import { rankedEdges } from "./ranked";

/** The longest first line that is looked at, in bytes. */
const mostHeader = 1 << 20;
/** The largest file that says what the variables are, in bytes. */
const mostPrior = 32 << 20;
/** How many parent sets the page shows of each variable. */
const shownSets = 3;

const count = new Intl.NumberFormat("en");
const probability = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** Whether the file of transitions begins with a prior. */
const alone = signal(false);
/** What is asked, and what came of it. It stays for the next time. */
const transitions = signal<File | undefined>(undefined);
const prior = signal<File | undefined>(undefined);
const top = signal("10");
const words = signal("");
const fault = signal("");
const answer = signal<{ readonly said: Posterior; readonly file: Blob; readonly name: string } | undefined>(undefined);
const latest = new Latest();

/** A document of a line. */
const line = (document: string): string => `${document.trim().replaceAll(/\s*\n\s*/g, " ")}\n`;

const parsed = (text: string): { readonly format?: unknown } | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The prior of a spec, on one line. */
const priorOf = (spec: string, signal: AbortSignal): Promise<string> =>
  ask<object>("POST", "/v1/export?as=prior", `{"spec":${spec}}`, signal).then((document) => `${JSON.stringify(document)}\n`);

/** The variables and the prior, on one line: those of the page, or of a file. */
async function told({ app }: Playground, signal: AbortSignal): Promise<string> {
  const file = prior.value;
  if (!file) return priorOf(JSON.stringify(app.spec.value), signal);
  if (file.size > mostPrior) throw new Error(`“${file.name}” is larger than ${mostPrior >> 20} MB`);
  const document = await file.text();
  const format = parsed(document)?.format;
  if (format === "cpsrl/prior") return line(document);
  if (format === "cpsrl/model")
    return priorOf(`{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":${document}},"prior":{"eta":0},"agents":["c-psrl"]}`, signal);
  throw new Error(`“${file.name}” is neither a prior nor a model`);
}

/** Weighs the transitions that are chosen, if any are. */
async function weigh(playground: Playground): Promise<void> {
  const file = transitions.value;
  const signal = latest.next();
  fault.value = "";
  answer.value = undefined;
  alone.value = false;
  if (!file) return;
  words.value = `Reading “${file.name}”…`;
  try {
    const [first = ""] = (await file.slice(0, mostHeader).text()).split("\n", 1);
    const own = parsed(first)?.format === "cpsrl/prior";
    alone.value = own;
    const body = own ? file : new Blob([await told(playground, signal), file]);
    const { update = "exact", bound = "at-most" } = playground.app.spec.value as { update?: string; bound?: string };
    const query = new URLSearchParams({ top: top.value, update, bound, ...(own ? {} : { prior: "apart" }) });
    const bytes = await text(`/v1/posterior?${query}`, body, signal);
    if (signal.aborted) return;
    const said = JSON.parse(new TextDecoder().decode(bytes)) as Posterior;
    answer.value = { said, file: new Blob([bytes], { type: "application/json" }), name: `${file.name.replace(/\.[^.]*$/, "")}-posterior.json` };
    words.value = "";
  } catch (error) {
    if (signal.aborted) return;
    words.value = "";
    const pointer = error instanceof Refused && error.problem.pointer ? `${error.problem.pointer.slice(1)}: ` : "";
    fault.value = sentence(`${pointer}${detailOf(error)}`);
  }
}

export async function openPosterior(playground: Playground): Promise<void> {
  const dialog = dialogOf(playground.root, "posterior");
  const fresh = dialog.className === "";
  dialog.className = "dialog";
  if (!(await dressed(dialog))) return;
  if (fresh) {
    effect(() => void render(content(playground, dialog), dialog));
    takeDrops(dialog, (file) => {
      transitions.value = file;
      void weigh(playground);
    });
    dialog.addEventListener("change", () => void weigh(playground));
    dialog.addEventListener("close", () => {
      if (answer.value) return;
      latest.next();
      transitions.value = undefined;
      words.value = fault.value = "";
    });
  }
  dialog.showModal();
}

function content({ app }: Playground, dialog: HTMLDialogElement) {
  const choose =
    (into: typeof prior) =>
    ({ target }: Event): void => {
      into.value = (target as HTMLInputElement).files?.[0] ?? into.value;
    };
  const open = (id: string) => (): void => dialog.querySelector<HTMLInputElement>(`#${id}`)?.click();
  const withdraw = (): void => {
    prior.value = undefined;
    dialog.dispatchEvent(new Event("change"));
  };
  const made = answer.value;
  return html`<div class="dialog-head"><h2 id="posterior-title">What do transitions say about the graph?</h2><button type="button" @click=${() => dialog.close()}>Close</button></div>
    <p class="note">A file of transitions, one a line, weighs the parent sets of each variable: <code>{"x":[state and action],"y":[next state]}</code>. The first line may be a prior. The file stays on this machine.</p>
    <div class="files">
      <span>Transitions</span> <b>${transitions.value?.name ?? "none yet"}</b>
      <button type="button" id="posterior-open" class="primary" @click=${open("posterior-file")}>Choose transitions…</button>
      <span>Variables, prior</span> <b>${alone.value ? "the first line of the file" : (prior.value?.name ?? `this page: ${app.title.value.short}`)}</b>
      <span>${prior.value ? html`<button type="button" @click=${withdraw}>This page’s</button> ` : nothing}<button type="button" @click=${open("posterior-prior")}>Choose a prior or a model…</button></span>
      <label for="posterior-top">Parent sets listed for each variable</label>
      <input id="posterior-top" inputmode="numeric" autocomplete="off" .value=${top.value} @change=${({ target }: Event) => void ((top.value = (target as HTMLInputElement).value))} />
      <input type="file" id="posterior-file" accept=".jsonl,.json,.txt" aria-label="Transitions as JSON Lines" hidden @change=${choose(transitions)} />
      <input type="file" id="posterior-prior" accept=".json,application/json" aria-label="A prior or a model as JSON" hidden @change=${choose(prior)} />
    </div>
    <p class="note" role="status">${words.value}</p>
    <p class="fault" role="alert" ?hidden=${fault.value === ""}>${fault.value}</p>
    ${made === undefined ? nothing : tables(made.said)}
    ${made === undefined ? nothing : html`<div><button type="button" id="posterior-download" @click=${() => download(made.file, made.name)}>Download JSON</button></div>`}`;
}

function tables({ edges, variables }: Posterior) {
  const { shown, rest } = rankedEdges(edges);
  const names = (parents: readonly string[]): string => (parents.length === 0 ? "no parents" : parents.join(", "));
  return html`<div class="scroll" role="region" aria-label="Edges" tabindex="0"><table>
        <caption>Edges by posterior probability</caption>
        <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">P(edge)</th></tr></thead>
        <tbody>${shown.map(({ from, to, p }) => html`<tr><th scope="row">${from}</th><td>${to}′</td><td>${probability.format(p)}</td></tr>`)}</tbody>
      </table></div>
      ${rest.length === 0 ? nothing : html`<p class="note">${count.format(rest.length)} other ${rest.length === 1 ? "edge has" : "edges have"} a probability of at most ${probability.format(rest[0]!.p)}. The file has all.</p>`}
      <div class="scroll" role="region" aria-label="Parent sets" tabindex="0"><table>
        <caption>The most probable parent sets of each variable</caption>
        <thead><tr><th scope="col">Of</th><th scope="col">Parents</th><th scope="col">P(set)</th></tr></thead>
        <tbody>${Object.entries(variables).map(([of, sets]) =>
          sets
            .slice(0, shownSets)
            .map(
              ({ parents, p }, k) =>
                html`<tr>${k === 0 ? html`<th scope="rowgroup" rowspan=${Math.min(shownSets, sets.length)}>${of}′</th>` : nothing}<td>${names(parents)}</td><td>${probability.format(p)}</td></tr>`,
            ),
        )}</tbody>
      </table></div>`;
}
