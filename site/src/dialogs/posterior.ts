// The dialog in which recorded transitions yield a posterior over graphs, with its edges
// ranked. Loaded when the dialog is first opened.

import { batch, effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { download, sentence, takeDrops } from "../dom";
import { keepData } from "../engine/data";
import { ask, detailOf, Refused, text } from "../engine/engine";
import { textOf } from "../engine/file";
import { kindOf } from "../engine/kind";
import type { About, Begun, Column, Posterior, RankedEdge, Spec, Started, Table } from "../formats";
import { later } from "../lost";
import { fit } from "../state/fit";
import { draftOf, withValue } from "../state/form";
import { Latest } from "../state/latest";
import type { Playground } from "../state/playground";
import { Decision, decide } from "./decide";
import { openDialog } from "./dialog";
import { graphOf } from "./graph";

/** How many bytes the first line may have to be recognised as a prior. */
const mostHeader = 1 << 20;
/** The largest file with a prior or a model, in bytes. */
const mostPrior = 32 << 20;
/** The largest file to start from, in bytes. A table may be longer than what it says. */
const mostData = 16 << 20;
/** How many parent sets the page shows for each variable, how many edges of a group, how many columns, so many at most without a press, and how many values of one. */
const [shownSets, shownEdges, shownColumns, shownOpen, shownValues] = [3, 200, 200, 12, 6];

const count = new Intl.NumberFormat("en");
const probability = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** How tables are weighed, as a part of the query. */
const laws = [
  ["", ""], // as the prior says
  ["dirichlet=0.1&tables=rows", "independent, α = 0.1"],
  ["dirichlet=mix:0.01:0.1:1&tables=tied", "may be tied, α mixed"],
  ["dirichlet=mix:0.01:0.1:1&tables=trees", "decision trees, α mixed"],
] as const;

/** What a column may be taken for, in words. */
const roles = [
  ["episode", "episode"],
  ["step", "step"],
  ["state", "state"],
  ["action", "action"],
  ["next", "next value"],
  ["reward", "reward"],
  ["end", "end of an episode"],
  ["nothing", "left out"],
] as const;

/** The forms in which the answer is saved. */
const forms = [
  ["csv", "Edges as CSV", "text/csv"],
  ["dot", "DOT", "text/vnd.graphviz"],
  ["json", "JSON", "application/json"],
] as const;

interface Answer {
  readonly said: Posterior;
  /** The page's spec when the question was asked. */
  readonly spec: Spec;
  /** Asks the same for another form. */
  readonly as: (form: string) => Promise<string>;
}

/** What was read of a table: of a refused one, only what its columns were taken for. */
type Read = Pick<Table, "columns"> & Partial<Table>;

/** What a file was asked, with its answer. */
interface Asked {
  readonly transitions: File | undefined;
  readonly roles: ReadonlyMap<string, string>;
  readonly cuts: ReadonlyMap<string, string>;
  readonly whose: "page" | "line" | "table";
  readonly table: Read | undefined;
  readonly words: string;
  readonly answer: Answer | undefined;
  /** Whether that is the answer to all of this, and not to what was asked before. */
  readonly answered: boolean;
}

/** What is asked in a playground, and the answer. It stays until the dialog is opened again. */
class Question {
  readonly transitions = signal<File | undefined>(undefined);
  /** A file with the variables and the prior. Without it, those of the page are used, or those of a table. */
  readonly prior = signal<File | undefined>(undefined);
  /** Whose variables and prior are used. */
  readonly whose = signal<"page" | "line" | "table">("page");
  /** The table, as it was read last, also if it was refused. */
  readonly table = signal<Read | undefined>(undefined);
  /** What the visitor has said that columns are taken for. */
  roles: ReadonlyMap<string, string> = new Map();
  /** The cut points that the visitor has given columns, as texts. */
  cuts: ReadonlyMap<string, string> = new Map();
  readonly law = signal("");
  readonly top = signal("10");
  readonly words = signal("");
  readonly fault = signal("");
  readonly answer = signal<Answer | undefined>(undefined);
  readonly decision = new Decision();
  readonly #latest = new Latest();
  #answered = false;

  constructor(readonly playground: Playground) {}

  /** Whether the answer is to what is asked now, about this spec. */
  answers(spec: Spec): boolean {
    return this.#answered && this.answer.value?.spec === spec;
  }

  /** The file that was answered before the present one, as long as that is not answered. */
  #before: Asked = nothingAsked;

  /** Takes another file, about which nothing has been asked. */
  take(file: File): void {
    const { transitions, roles, cuts, whose, table, words, answer } = this;
    this.decision.lag.value = "";
    if (answer.value)
      this.#before = {
        transitions: transitions.value,
        roles,
        cuts,
        whose: whose.value,
        table: table.value,
        words: words.value,
        answer: answer.value,
        answered: this.#answered,
      };
    this.#show({ ...nothingAsked, transitions: file });
  }

  #show({ transitions, roles, cuts, whose, table, words, answer, answered }: Asked): void {
    this.#answered = answered;
    batch(() => {
      this.transitions.value = transitions;
      this.roles = roles;
      this.cuts = cuts;
      this.whose.value = whose;
      this.table.value = table;
      this.words.value = words;
      this.answer.value = answer;
      this.fault.value = "";
    });
  }

  /** Asks about the chosen transitions, if there are any. */
  async weigh(): Promise<void> {
    const file = this.transitions.value;
    const signal = this.#latest.next();
    this.#answered = false;
    this.fault.value = "";
    this.decision.clear();
    if (!file) return;
    this.words.value = `Reading “${file.name}”…`;
    try {
      if (this.playground.links.awaiting.value) {
        await this.#deliver(file, signal);
        return;
      }
      const spec = this.playground.app.spec.value;
      const head = await file.slice(0, mostHeader).text();
      const [first = ""] = head.split("\n", 1);
      const own = parsed(first)?.format === "cpsrl/prior";
      const bare = !own && !this.prior.value && /^[^{]/.test(head.trimStart());
      this.whose.value = own ? "line" : bare ? "table" : "page";
      const body = own || bare ? file : new Blob([await told(spec, this.prior.value, signal), file]);
      const { update = "exact", bound = "at-most" } = spec as { update?: string; bound?: string };
      const query = new URLSearchParams(this.law.value);
      for (const [key, value] of Object.entries({ top: this.top.value, update, bound })) query.set(key, value);
      if (!own) query.set("prior", bare ? "none" : "apart");
      for (const column of this.#columns()) query.append("column", column);
      for (const [name, points] of this.cuts) if (points.trim() !== "") query.append("cut", `${name}=${points}`);
      if (bare && this.decision.lag.value.trim() !== "") query.set("lag", this.decision.lag.value.trim());
      const as = (form: string): Promise<string> => text(`/v1/posterior?${query}&as=${form}`, body);
      const said = JSON.parse(await text(`/v1/posterior?${query}`, body, signal)) as Posterior;
      if (signal.aborted) return;
      this.table.value = said.table;
      this.answer.value = { said, spec, as };
      this.#answered = true;
      this.#before = nothingAsked;
      this.words.value = readWords(said.transitions ?? 0, said.table);
    } catch (error) {
      if (signal.aborted) return;
      this.answer.value = undefined;
      this.#fail(error);
    }
  }

  /** Gives the page the transitions that the link in the address names, and opens the link again. */
  async #deliver(file: File, signal: AbortSignal): Promise<void> {
    const { links } = this.playground;
    const spec = links.awaiting.value!;
    const wanted = spec.prior?.data;
    const begun = await begin(file, spec, this.#columns(), signal);
    if (signal.aborted) return;
    if (begun.sha256 !== wanted)
      throw new Error(`“${file.name}” is not what the link needs: the SHA-256 of its transitions is ${begun.sha256}, and not ${wanted}`);
    keepData(begun.sha256, begun.steps);
    this.transitions.value = undefined;
    this.words.value = "";
    this.playground.root.querySelector<HTMLDialogElement>("#posterior-dialog")?.close();
    await links.again();
  }

  /** Has every agent of the page observe the transitions before its first episode. True: the page has them. */
  async start(): Promise<boolean> {
    const { app } = this.playground;
    const file = this.transitions.value;
    if (!file) return false;
    const signal = this.#latest.next();
    this.fault.value = "";
    try {
      const begun = await begin(file, app.known.value ?? draftOf(app.form.value), this.#columns(), signal);
      if (signal.aborted) return false;
      keepData(begun.sha256, begun.steps);
      app.edit({ ...app.form.value, data: begun.sha256 });
      app.announce(`Every agent starts from ${readWords(begun.steps.length, begun.columns && begun)}`);
      return true;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return false;
    }
  }

  /** What the visitor has said that columns are taken for, as the engine reads it. */
  #columns(): string[] {
    return [...this.roles].map(([name, role]) => `${name}=${role}`);
  }

  #fail(error: unknown): void {
    this.words.value = "";
    if (error instanceof Refused && error.problem.columns) this.table.value = { columns: error.problem.columns };
    const pointer = error instanceof Refused && error.problem.pointer ? `${error.problem.pointer.slice(1)}: ` : "";
    this.fault.value = sentence(`${pointer}${detailOf(error)}`);
  }

  /** Cancels a question without an answer. The file before it is there again, with its answer. */
  drop(): void {
    if (this.answer.value) return;
    this.#latest.next();
    this.#show(this.#before);
    this.#before = nothingAsked;
  }
}

const nothingAsked: Asked = {
  transitions: undefined,
  roles: new Map(),
  cuts: new Map(),
  whose: "page",
  table: undefined,
  words: "",
  answer: undefined,
  answered: false,
};

/** Reads a file as transitions of a spec's problem. */
async function begin(file: File, spec: object, columns: readonly string[], signal: AbortSignal): Promise<Begun> {
  if (file.size > mostData)
    throw new Error(`“${file.name}” is larger than ${mostData >> 20} MB; “cpsrl run -data” takes it if it has at most 100,000 transitions`);
  return ask<Begun>("/v1/data", { spec, text: await textOf(file, signal), columns }, signal);
}

/** What was read, in a sentence. */
function readWords(transitions: number, table: Pick<Table, "rows" | "refused" | "notes"> | undefined): string {
  const plural = (n: number, what: string): string => `${count.format(n)} ${what}${n === 1 ? "" : "s"}`;
  const refused = table && table.refused > 0 ? `; ${plural(table.refused, "row")} with a missing cell left out` : "";
  const notes = (table?.notes ?? []).map((note) => ` ${sentence(note)}`).join("");
  return `${plural(transitions, "transition")}${table ? ` of ${plural(table.rows, "row")}` : ""}${refused}.${notes}`;
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
  const document = await textOf(file, signal);
  const value = parsed(document);
  if (value === undefined) await text("/v1/check", file, signal); // the engine says why it is not JSON
  const format = value?.format;
  if (format === "cpsrl/prior") return onOneLine(document);
  if (format === "cpsrl/model")
    return priorOf(`{"format":"cpsrl/spec","version":3,"domain":{"name":"model","model":${document}},"prior":{"eta":0},"agents":["c-psrl"]}`, signal);
  throw new Error(`“${file.name}” is neither a prior nor a model`);
}

export async function openPosterior(playground: Playground, file?: File): Promise<void> {
  await openDialog(playground.root, "posterior", "dialog posterior", (dialog) => {
    const question = questions.get(dialog) ?? put(new Question(playground), dialog);
    if (file) question.take(file);
    if (file || !question.answers(playground.app.spec.value)) void question.weigh();
  });
}

/** Takes a log that is dropped on the dialog. What is something else is opened as that. */
async function drop(question: Question, files: readonly File[]): Promise<void> {
  const [file] = files;
  if (files.length > 1 || !["", "transitions"].includes(await kindOf(file!).catch(() => ""))) {
    void question.playground.open(files);
    return;
  }
  question.take(file!);
  void question.weigh();
}

function put(question: Question, dialog: HTMLDialogElement): Question {
  questions.set(dialog, question);
  effect(() => void render(content(question, dialog), dialog));
  takeDrops(dialog, (files) => void drop(question, files));
  dialog.addEventListener("change", () => void question.weigh());
  dialog.addEventListener("close", () => question.drop());
  return question;
}

function content(question: Question, dialog: HTMLDialogElement) {
  const { playground, transitions, prior, whose, table, law, top, words, fault, answer } = question;
  const { app, links } = playground;
  const chosen =
    (act: (file: File) => void) =>
    (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      if (file) act(file);
      input.value = ""; // so that the same file can be chosen again
    };
  const open = (id: string) => (): void => dialog.querySelector<HTMLInputElement>(`#${id}`)?.click();
  const withdraw = (): void => {
    prior.value = undefined;
    dialog.dispatchEvent(new Event("change"));
  };
  const needs = links.awaiting.value?.prior?.data;
  const told = { line: "the first line of the file", table: "the table itself", page: `this page: ${app.title.value.short}` }[whose.value];
  const made = answer.value;
  return html`<div class="dialog-head"><h2 id="posterior-title">What do transitions say about the graph?</h2><button type="button" @click=${() => dialog.close()}>Close</button></div>
    ${needs === undefined ? html`<p class="note">Open a log as a table (CSV), or as one <code>{"x":[state and action],"y":[next state]}</code> a line. It weighs the parent sets of each variable, and stays on this machine. <a href="docs/formats.html#transitions-as-a-table" target="_blank">What a table has</a></p>` : html`<p class="note">The link in the address starts from transitions with the SHA-256 <code>${needs}</code>. Open that file, and the link opens.</p>`}
    <div class="files">
      <span>Transitions</span> <b>${transitions.value?.name ?? "none yet"}</b>
      <button type="button" id="posterior-open" class="primary" @click=${open("posterior-file")}>Choose transitions…</button>
      <span>Variables, prior</span> <b>${prior.value && whose.value === "page" ? prior.value.name : told}</b>
      <span>${prior.value ? html`<button type="button" @click=${withdraw}>This page’s</button> ` : nothing}<button type="button" @click=${open("posterior-prior")}>Choose a prior or a model…</button></span>
      <input type="file" id="posterior-file" accept=".csv,.tsv,.jsonl,.json,.txt" aria-label="Transitions as a table or JSON Lines" hidden @change=${chosen((file) => question.take(file))} />
      <input type="file" id="posterior-prior" accept=".json,application/json" aria-label="A prior or a model as JSON" hidden @change=${chosen((file) => void (prior.value = file))} />
    </div>
    <p class="note" role="status">${words.value}</p>
    <p class="fault" role="alert" ?hidden=${fault.value === ""}>${fault.value}</p>
    ${table.value === undefined ? nothing : columns(table.value, question)}
    ${(made && graphOf(made.said)) ?? nothing}
    ${made === undefined ? nothing : tables(made.said, marksOf(playground, made.said))}
    ${made?.said.caution === undefined ? nothing : html`<p class="caution"><b>Caution:</b> ${made.said.caution.text}. Tables that are weighed with α = 0.1, or that may be tied, are less strict.</p>`}
    <details>
      <summary>How tables are weighed</summary>
      <div class="files">
        <label for="posterior-law">Rows of tables</label>
        <select id="posterior-law" autocomplete="off" @change=${({ target }: Event) => void ((law.value = (target as HTMLSelectElement).value))}>${laws.map(
          ([value, name]) =>
            html`<option value=${value} .selected=${value === law.value}>${value !== "" ? name : whose.value === "table" ? "independent, α = 1" : "as the prior says"}</option>`,
        )}</select>
        <label for="posterior-top">Parent sets listed for each variable</label>
        <input id="posterior-top" inputmode="numeric" autocomplete="off" .value=${top.value} @change=${({ target }: Event) => void ((top.value = (target as HTMLInputElement).value))} />
      </div>
    </details>
    ${made === undefined ? nothing : acts(question, made, dialog)}
    ${
      whose.value !== "table" || table.value === undefined || (made === undefined && question.decision.lag.value === "")
        ? nothing
        : decide(question.decision, table.value, nameOf(question), made?.as, (started) => void openProblem(question, made!, started, dialog))
    }`;
}

/** The name of the file, without its ending. */
const nameOf = ({ transitions }: Question): string => (transitions.value?.name ?? "log").replace(/\.[^.]*$/, "");

/** Opens the problem of a log. Its agents start from the log or, if that is too long, from the prior that it tells. */
async function openProblem(question: Question, { said }: Answer, { model, sha256, steps, learned, notes }: Started, dialog: HTMLDialogElement): Promise<void> {
  const name = nameOf(question);
  dialog.close();
  const { playground } = question;
  const { app } = playground;
  await playground.open([new File([JSON.stringify(model)], `${name}.json`, { type: "application/json" })]);
  const fits = await fit(app);
  if (fits === undefined) return;
  // What the log was weighed with, so that what agents believe at first is what it says.
  const weighed = new URLSearchParams(question.law.value);
  const fields = { dirichlet: weighed.get("dirichlet") ?? "1", tables: weighed.get("tables") ?? "rows", ...(learned ? { rewards: "learned" } : {}) };
  let form = app.form.value;
  for (const [field, value] of Object.entries(fields)) form = withValue(form, `/${field}`, value);
  if (steps && sha256) {
    keepData(sha256, steps);
    form = { ...form, data: sha256 };
  }
  app.edit(form);
  if (!steps) app.know({ edges: said.prior ?? [] });
  const done = [...fits, ...((await fit(app)) ?? [])]; // learned payoffs make tables larger
  const edit = async (): Promise<void> => void (await later(() => import("../parts/problem/own")))?.edit(playground);
  app.notify(
    "converted",
    `“${name}” is a problem of your own: its laws are what the log says on average, and ${steps ? "its agents start from the log" : "its prior trusts each edge as the log does"}.${steps ? "" : notes.map((note) => ` ${sentence(note)}`).join("")}${done.map((words) => ` ${words}`).join("")}`,
    "plain",
    { label: "Edit the problem", act: () => void edit() },
  );
}

/** What each column of a table was taken for. A visitor may say it otherwise. */
function columns({ columns, state = [], action = [] }: Read, question: Question) {
  const of = new Map([...state, ...action].map((variable) => [variable.name, variable]));
  /** Gives a column cut points, and asks again. */
  const cut = (name: string, points: string, of: Event): void => {
    question.cuts = new Map([...question.cuts, [name, points]]);
    of.target!.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const divided = ({ name, cuts, rows = [] }: Column) =>
    question.whose.value !== "table" || (cuts === undefined && !question.cuts.has(name))
      ? nothing
      : html`<input class="cuts" autocomplete="off" aria-label="Cut points of “${name}”" placeholder="cut points" .value=${question.cuts.get(name) ?? ""} @change=${({ target }: Event) => void ((question.cuts = new Map([...question.cuts, [name, (target as HTMLInputElement).value]])))} />${
          cuts === undefined
            ? nothing
            : html` <button type="button" @click=${(event: Event) => cut(name, cuts.join(), event)}>Cut at ${cuts.join(", ")}</button> into ${rows.map((n) => count.format(n)).join(", ")} rows`
        }`;
  const about = ({ name, role, why }: Column): string => {
    if (why !== undefined) return why;
    const { size = 0, values = [] } = (role === "state" || role === "action" ? of.get(name) : undefined) ?? {};
    if (values.length === 0) return size === 0 ? "" : size === 1 ? "0" : `0–${size - 1}`;
    return `${values.slice(0, shownValues).join(", ")}${values.length > shownValues ? `, … (${values.length})` : ""}`;
  };
  const choose = (name: string, { target }: Event): void => void (question.roles = new Map([...question.roles, [name, (target as HTMLSelectElement).value]]));
  const role = ({ name, role }: Column) =>
    name === ""
      ? "left out"
      : html`<select autocomplete="off" aria-label="“${name}” is taken for" @change=${(event: Event) => choose(name, event)}>${roles.map(
          ([value, words]) => html`<option value=${value} .selected=${value === (question.roles.get(name) ?? role)}>${words}</option>`,
        )}</select>`;
  const more = columns.length - shownColumns;
  return html`<details class="columns" ?open=${question.answer.value === undefined || columns.length <= shownOpen}><summary>What the ${columns.length === 1 ? "column is" : `${columns.length} columns are`} taken for</summary>
    <div class="scroll" role="region" aria-label="Columns" tabindex="0"><table>
      <thead><tr><th scope="col">Column</th><th scope="col">Taken for</th><th scope="col">Values, or why</th></tr></thead>
      <tbody>${columns.slice(0, shownColumns).map((column) => html`<tr><th scope="row">${column.name === "" ? "(no name)" : column.name}</th><td>${role(column)}</td><td>${about(column)} ${divided(column)}</td></tr>`)}</tbody>
    </table>${more > 0 ? html`<p class="note">${count.format(more)} more columns are not shown.</p>` : nothing}</div></details>`;
}

/** Says whether an edge is true in the page's problem. Undefined: the page may not say it, or the problem has other variables. */
function marksOf({ app, shows }: Playground, said: Posterior): ((edge: RankedEdge) => boolean) | undefined {
  const about = app.about.value;
  if (!about || !shows("reveal") || missing(about, said) !== undefined) return undefined;
  const truth = new Set(about.truth.map(([from, to]) => JSON.stringify([from, to])));
  return ({ from, to }) => truth.has(JSON.stringify([from, to]));
}

/** The first variable of an answer that a problem does not have. */
function missing({ state, action }: About, { variables, edges }: Posterior): string | undefined {
  const [states, all] = [new Set(state.map(({ name }) => name)), new Set([...state, ...action].map(({ name }) => name))];
  return Object.keys(variables).find((name) => !states.has(name)) ?? edges.find(({ from }) => !all.has(from))?.from;
}

/** What can be done with an answer. */
function acts(question: Question, { said, as }: Answer, dialog: HTMLDialogElement) {
  const { playground, fault } = question;
  const { app } = playground;
  const about = app.about.value;
  const stranger = about && missing(about, said);
  const use = (): void => {
    app.know({ edges: said.prior ?? [] });
    app.announce("The prior trusts each edge with its probability.");
    dialog.close();
  };
  const save = async (form: string, type: string): Promise<void> => {
    try {
      download(new Blob([await as(form)], { type }), `${nameOf(question)}-posterior.${form}`);
    } catch (error) {
      fault.value = sentence(detailOf(error));
    }
  };
  return html`${
    stranger === undefined
      ? nothing
      : html`<p class="note">The page’s problem has no variable “${stranger}”, so neither the edges nor the data can be used there.${said.table === undefined ? " Open their problem first, or save the edges." : " Make the log a problem of its own, below, or save the edges."}</p>`
  }
    <div class="bar">
      ${
        about === undefined || stranger !== undefined
          ? nothing
          : html`<button type="button" class="primary" title="Each edge is trusted with its probability, from .01 to .99. Undo takes it back." @click=${use}>Use as prior</button>
          <button type="button" title="Every agent observes these transitions before its first episode." @click=${async () => (await question.start()) && dialog.close()}>Start from these data</button>`
      }
      ${forms.map(([form, name, type]) => html`<button type="button" @click=${() => void save(form, type)}>Download ${name}</button>`)}
    </div>`;
}

function tables({ edges, variables, uncertain = [], certain = [], excluded = [] }: Posterior, isTrue: ((edge: RankedEdge) => boolean) | undefined) {
  const names = (parents: readonly string[]): string => (parents.length === 0 ? "no parents" : parents.join(", "));
  const mark = (edge: RankedEdge) =>
    isTrue?.(edge) ? html`<span role="img" aria-label="true">✓</span>` : html`<span role="img" aria-label="not true">✗</span>`;
  const table = (list: typeof edges, caption: string) => html`<table>
      <caption>${caption}</caption>
      <thead><tr><th scope="col">From</th><th scope="col">To</th>${isTrue ? html`<th scope="col">True</th>` : nothing}<th scope="col">P(edge)</th></tr></thead>
      <tbody>${list.slice(0, shownEdges).map((edge) => html`<tr><th scope="row">${edge.from}</th><td>${edge.to}′</td>${isTrue ? html`<td>${mark(edge)}</td>` : nothing}<td>${probability.format(edge.p)}</td></tr>`)}</tbody>
    </table>`;
  const n = (list: typeof edges, one: string, more: string): string => `${count.format(list.length)} ${list.length === 1 ? one : more}`;
  const missed = isTrue ? excluded.filter(isTrue).length : 0;
  return html`<div class="scroll" role="region" aria-label="Edges" tabindex="0">${
    uncertain.length === 0
      ? html`<p class="note">No edge is uncertain: none has a probability from .01 to .99.</p>`
      : table(uncertain, `Uncertain edges, from .01 to .99${isTrue ? "; ✓ is true in the page’s problem" : ""}`)
  }</div>
    ${
      certain.length === 0
        ? nothing
        : html`<details ?open=${uncertain.length === 0}><summary>${n(certain, "certain edge", "certain edges")}, above .99</summary>
          <div class="scroll" role="region" aria-label="Certain edges" tabindex="0">${table(certain, "Certain edges")}</div></details>`
    }
    ${excluded.length === 0 ? nothing : html`<p class="note">${n(excluded, "other edge is", "other edges are")} below .01${missed > 0 ? `, and ${missed} of them ${missed === 1 ? "is" : "are"} true` : ""}. The files have all.</p>`}
    <details>
      <summary>The most probable parent sets of each variable</summary>
      <div class="scroll" role="region" aria-label="Parent sets" tabindex="0"><table>
        <caption>Parent sets</caption>
        <thead><tr><th scope="col">Of</th><th scope="col">Parents</th><th scope="col">P(set)</th></tr></thead>
        <tbody>${Object.entries(variables).map(([of, sets]) =>
          sets
            .slice(0, shownSets)
            .map(
              ({ parents, p }, k) =>
                html`<tr>${k === 0 ? html`<th scope="rowgroup" rowspan=${Math.min(shownSets, sets.length)}>${of}′</th>` : nothing}<td>${names(parents)}</td><td>${probability.format(p)}</td></tr>`,
            ),
        )}</tbody>
      </table></div>
    </details>`;
}
