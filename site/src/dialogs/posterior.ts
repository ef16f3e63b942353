// The dialog in which a file of transitions yields a posterior over graphs, with its edges
// ranked. Loaded when the dialog is first opened.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { download, sentence, takeDrops, utf8 } from "../dom";
import { detailOf, Refused, text } from "../engine/engine";
import type { Posterior, Spec } from "../formats";
import type { Playground } from "../state/playground";
import { Latest } from "../state/latest";
import { openDialog } from "./dialog";
import { rankedEdges } from "./ranked";

/** How many bytes the first line may have to be recognised as a prior. */
const mostHeader = 1 << 20;
/** The largest file with a prior or a model, in bytes. */
const mostPrior = 32 << 20;
/** How many parent sets the page shows for each variable. */
const shownSets = 3;

const count = new Intl.NumberFormat("en");
const probability = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** What is asked in a playground, and the answer. It stays until the dialog is opened again. */
class Question {
  readonly transitions = signal<File | undefined>(undefined);
  /** A file with the variables and the prior. Without it, those of the page are used. */
  readonly prior = signal<File | undefined>(undefined);
  /** Whether the file of transitions begins with a prior. */
  readonly selfContained = signal(false);
  readonly top = signal("10");
  readonly words = signal("");
  readonly fault = signal("");
  /** The answer, and the page's spec when the question was asked. */
  readonly answer = signal<{ readonly said: Posterior; readonly file: Blob; readonly name: string; readonly spec: Spec } | undefined>(undefined);
  readonly #latest = new Latest();

  constructor(readonly playground: Playground) {}

  /** Asks about the chosen transitions, if there are any. */
  async weigh(): Promise<void> {
    const file = this.transitions.value;
    const signal = this.#latest.next();
    this.fault.value = "";
    this.answer.value = undefined;
    this.selfContained.value = false;
    if (!file) return;
    this.words.value = `Reading “${file.name}”…`;
    try {
      const spec = this.playground.app.spec.value;
      const [first = ""] = (await file.slice(0, mostHeader).text()).split("\n", 1);
      const own = parsed(first)?.format === "cpsrl/prior";
      this.selfContained.value = own;
      const body = own ? file : new Blob([await told(spec, this.prior.value, signal), file]);
      const { update = "exact", bound = "at-most" } = spec as { update?: string; bound?: string };
      const query = new URLSearchParams({ top: this.top.value, update, bound, ...(own ? {} : { prior: "apart" }) });
      const answer = await text(`/v1/posterior?${query}`, body, signal);
      if (signal.aborted) return;
      const said = JSON.parse(answer) as Posterior;
      const name = `${file.name.replace(/\.[^.]*$/, "")}-posterior.json`;
      this.answer.value = { said, file: new Blob([answer], { type: "application/json" }), name, spec };
      this.words.value = "";
    } catch (error) {
      if (signal.aborted) return;
      this.words.value = "";
      const pointer = error instanceof Refused && error.problem.pointer ? `${error.problem.pointer.slice(1)}: ` : "";
      this.fault.value = sentence(`${pointer}${detailOf(error)}`);
    }
  }

  /** Cancels a question without an answer. */
  drop(): void {
    if (this.answer.value) return;
    this.#latest.next();
    this.transitions.value = undefined;
    this.words.value = this.fault.value = "";
  }
}

const questions = new WeakMap<HTMLDialogElement, Question>();

const onOneLine = (document: string): string => `${document.trim().replaceAll(/\s*\n\s*/g, " ")}\n`;

const parsed = (text: string): { readonly format?: unknown } | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The prior of a spec, on one line. */
const priorOf = (spec: string, signal: AbortSignal): Promise<string> => text("/v1/export?as=prior", `{"spec":${spec}}`, signal).then(onOneLine);

/** The variables and the prior of the page or of a file, on one line. */
async function told(spec: Spec, file: File | undefined, signal: AbortSignal): Promise<string> {
  if (!file) return priorOf(JSON.stringify(spec), signal);
  if (file.size > mostPrior) throw new Error(`“${file.name}” is larger than ${mostPrior >> 20} MB`);
  const document = await utf8(file);
  const value = parsed(document);
  if (value === undefined) await text("/v1/check", file, signal); // the engine says why it is not JSON
  const format = value?.format;
  if (format === "cpsrl/prior") return onOneLine(document);
  if (format === "cpsrl/model")
    return priorOf(`{"format":"cpsrl/spec","version":3,"domain":{"name":"model","model":${document}},"prior":{"eta":0},"agents":["c-psrl"]}`, signal);
  throw new Error(`“${file.name}” is neither a prior nor a model`);
}

export async function openPosterior(playground: Playground): Promise<void> {
  await openDialog(playground.root, "posterior", "dialog", (dialog) => {
    const question = questions.get(dialog) ?? put(new Question(playground), dialog);
    if (question.answer.value?.spec !== playground.app.spec.value) void question.weigh();
  });
}

function put(question: Question, dialog: HTMLDialogElement): Question {
  questions.set(dialog, question);
  effect(() => void render(content(question, dialog), dialog));
  takeDrops(dialog, (file) => {
    question.transitions.value = file;
    void question.weigh();
  });
  dialog.addEventListener("change", () => void question.weigh());
  dialog.addEventListener("close", () => question.drop());
  return question;
}

function content({ playground: { app }, transitions, prior, selfContained, top, words, fault, answer }: Question, dialog: HTMLDialogElement) {
  const choose =
    (into: typeof prior) =>
    ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      into.value = input.files?.[0] ?? into.value;
      input.value = ""; // so that the same file can be chosen again
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
      <span>Variables, prior</span> <b>${selfContained.value ? "the first line of the file" : (prior.value?.name ?? `this page: ${app.title.value.short}`)}</b>
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
