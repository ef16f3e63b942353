// A problem of the visitor's own, which the engine changes edit by edit. An edit that would not give a valid
// problem is refused: its text stays in its cell with the reason, and the last valid problem stays at work. Such
// drafts wait for each other: each later edit tries them again, together.

import { batch, effect, signal, untracked } from "@preact/signals-core";
import { sentence } from "../dom";
import { ask, detailOf, Refused } from "../engine/engine";
import type { Edit, Edited, ModelForm } from "../formats";
import type { App } from "./app";
import { draftOf, type Form } from "./form";

/** Where an edit is made: a text that names the control. */
export type Cell = string;

/** A change of the model, without the members that are not needed. */
export type Change = Pick<Edit, "edit"> & Partial<Edit>;

/** What is made of the problem: an edit, a beginning from a template or from another spec, or only its form. */
type Ask = { readonly edit?: Change } | { readonly template: string } | { readonly spec: object };

/** Why what a cell holds was refused. With an edit it is a draft, which waits; its text is in the cell. */
export interface Fault {
  readonly text?: string | undefined;
  readonly why: string;
  readonly edit?: Change | undefined;
}

type Faults = Readonly<Record<Cell, Fault>>;

/** What Undo and Redo go to: a form of the page, and what was refused beside it. */
interface Step {
  readonly form: Form;
  readonly faults: Faults;
}

/** The cell of a text that makes an edit. */
function cellOf({ edit, of = "", at = 0, row = 0 }: Change): Cell {
  switch (edit) {
    case "rename":
      return `variable ${of} name`;
    case "values":
      return `variable ${of} values`;
    case "law":
      return `law ${of}`;
    case "row":
      return `row ${of} ${row}`;
    case "payoff":
    case "end":
      return `${edit} ${at}`;
    case "payoff-name":
      return `payoff ${at} name`;
    case "mean":
      return `payoff ${at} mean ${row}`;
    case "end-name":
      return `end ${at} name`;
    default: // there is one cell for it: name, horizon, start, legal
      return edit;
  }
}

/** The cell of the matrix, when it draws the true graph. */
const drawn = "truth";

/** A problem, to be compared: its model by identity, all else as a text. */
interface Problem {
  readonly name: string;
  readonly model: unknown;
  readonly rest: string;
}

const problemOf = ({ model, ...rest }: Form["domain"]): Problem => ({ name: rest.name, model, rest: JSON.stringify(rest) });
const shownIn = (form: Form): Problem => problemOf(draftOf(form).domain as Form["domain"]);
/** Whether two problems are one, perhaps with other parameters. */
const same = (a: Problem, b: Problem): boolean => a.model === b.model && (a.model !== undefined || a.name === b.name);

/** How many steps can be undone. */
const mostSteps = 200;

export class Own {
  /** The problem as the editor shows it. Undefined: the editor is closed. */
  readonly form = signal<ModelForm | undefined>(undefined);
  /** What was refused, by its cell: the drafts in the order in which they were typed. */
  readonly faults = signal<Faults>({});
  /** Whether a click in the matrix is about the true graph. */
  readonly drawing = signal(false);
  /** What else the last edit changed. */
  readonly notes = signal("");
  readonly past = signal<readonly Step[]>([]);
  readonly future = signal<readonly Step[]>([]);
  #queue: Promise<unknown> = Promise.resolve();
  /** Grows when what is asked for is no longer wanted: with Undo, Redo, Close and another problem. */
  #turn = 0;
  /** The problem that the editor shows. */
  #problem: Problem = { name: "", model: undefined, rest: "" };
  /** The problem to which Undo or Redo has led, with what was refused beside it, until the editor shows it. */
  #returned: Problem | undefined;
  /** The form of the page and what was refused as they were seen last, with the number of the form's edit. */
  #seen: Step & { readonly edits: number };

  constructor(private readonly app: App) {
    this.#seen = { form: app.form.peek(), faults: {}, edits: app.edits };
    effect(() => {
      const [form, faults] = [app.form.value, this.faults.value];
      untracked(() => this.#watch(form, faults));
    });
  }

  /** Opens the editor with the problem of the page. */
  open = (): Promise<boolean> => this.#do("open", {});

  /** Begins anew. Other work is kept for Undo. */
  begin = (from: { readonly template: string } | { readonly spec: object }): Promise<boolean> => this.#do("begin", from);

  /** Changes the problem. Text: what the cell holds, if it waits there when it is refused. Resolves to whether the engine has accepted it. */
  change = (cell: Cell, edit: Change, text?: string): Promise<boolean> => this.#do(cell, { edit }, text);

  close(): void {
    this.#turn++;
    batch(() => {
      this.form.value = undefined;
      this.faults.value = {};
      this.notes.value = "";
      this.past.value = this.future.value = [];
      this.drawing.value = false;
    });
  }

  undo = (): void => this.#move(this.past, this.future);
  redo = (): void => this.#move(this.future, this.past);

  /** Says why something is refused. With an edit, it waits. */
  refuse(cell: Cell, text: string | undefined, why: string, edit?: Change): void {
    const { [cell]: _before, ...others } = this.faults.value;
    this.faults.value = { ...others, [cell]: { text, why, ...(edit && { edit }) } };
  }

  /** Forgets what was refused in a cell. */
  forget(cell: Cell): void {
    const { [cell]: fault, ...others } = this.faults.value;
    if (fault) this.faults.value = others;
  }

  readonly draw = (from: string, to: string): void => void this.change(drawn, { edit: "parent", of: to, to: from });

  #do(cell: Cell, what: Ask, text?: string): Promise<boolean> {
    const turn = this.#turn;
    const done = this.#queue.then(() => this.#ask(cell, what, text, turn));
    this.#queue = done;
    return done;
  }

  async #ask(cell: Cell, what: Ask, text: string | undefined, turn: number): Promise<boolean> {
    const { app } = this;
    try {
      await app.settle();
      if (turn !== this.#turn) return false;
      const asked = draftOf(app.form.value);
      const faults = this.faults.value;
      const drafts = Object.entries(faults).flatMap(([other, { edit }]) => (edit && other !== cell ? [edit] : []));
      const edited = await ask<Edited>("/v1/edit", { spec: asked, ...what, ...("edit" in what && drafts.length > 0 && { drafts }) });
      if (turn !== this.#turn) return false;
      const stays = faults === this.faults.value && JSON.stringify(draftOf(app.form.value)) === JSON.stringify(asked);
      if (!stays) return this.#ask(cell, what, text, turn); // the prior or the settings are others, say
      const { [cell]: _before, ...others } = faults;
      this.#seen = { ...this.#seen, faults: others }; // Undo brings back what waited elsewhere, and not what this edit takes the place of
      batch(() => {
        const opens = Object.keys(what).length === 0;
        const problem = opens ? shownIn(app.form.value) : problemOf(edited.spec.domain);
        const before = this.#problem;
        this.#problem = problem;
        const opened = this.form.value === undefined;
        if (!opens) app.adopt(edited.spec, !("edit" in what));
        this.form.value = edited.form;
        // The page has been told the horizon, say, of a model that the editor shows: what was refused and the notes stay.
        if (!opens || problem.model === undefined || !same(problem, before)) {
          if (!opens || !this.#returned || !same(problem, this.#returned)) this.faults.value = this.#waiting(edited);
          this.notes.value = edited.notes.map(sentence).join(" ");
        }
        this.#returned = undefined;
        if (opened) this.#seen = { form: app.form.value, faults: this.faults.value, edits: app.edits };
      });
      if (cell === drawn) app.dismiss(drawn);
      return true;
    } catch (error) {
      if (turn !== this.#turn) return false;
      if (cell === "open" && this.form.value !== undefined) this.close(); // what it shows is no longer there
      const { pointer = "" } = error instanceof Refused ? error.problem : {};
      const why = sentence(this.#where(pointer) + detailOf(error));
      this.refuse(cell, text, why, text !== undefined && "edit" in what ? what.edit : undefined);
      if (cell === drawn) app.notify(drawn, why, "bad");
      else app.announce(why);
      return false;
    }
  }

  /** What is still refused after an edit: drafts, in the cells that they have now. */
  #waiting({ drafts }: Edited): Faults {
    const faults = drafts.map(({ edit, detail, pointer }): [Cell, Fault] => [
      cellOf(edit),
      { text: edit.to ?? "", why: sentence(this.#where(pointer) + detail), edit },
    ]);
    return Object.fromEntries(faults);
  }

  /** The part of the problem that a pointer names, as the beginning of a sentence. */
  #where(pointer: string): string {
    const [, part, at] = /^\/spec\/domain\/model\/(transition|reward|terminal|initial|legal)(?:\/(\d+))?/.exec(pointer) ?? [];
    const form = this.form.value;
    switch (part) {
      case "transition":
        return `The law of ${form?.laws[Number(at)]?.of ?? "a variable"}: `;
      case "reward":
        return `Payoff ${Number(at) + 1}: `;
      case "terminal":
        return `End ${Number(at) + 1}: `;
      case "initial":
        return "The start: ";
      case "legal":
        return "The allowed actions: ";
      default: {
        const [, field] = /^\/spec\/(?!domain\/model)(.+)/.exec(pointer) ?? [];
        return field === undefined ? "" : `${field}: `;
      }
    }
  }

  /** Keeps what the form was before each edit, and follows a problem that comes from elsewhere. */
  #watch(form: Form, faults: Faults): void {
    const { app } = this;
    const before = this.#seen;
    const other = form !== before.form;
    this.#seen = { form, faults, edits: other ? app.edits : before.edits };
    if (this.form.value === undefined) return;
    if (other && app.edits !== before.edits) {
      this.past.value = [...this.past.value, { form: before.form, faults: before.faults }].slice(-mostSteps);
      this.future.value = [];
    }
    const problem = shownIn(form);
    if (same(problem, this.#problem) && problem.rest === this.#problem.rest) return;
    // By Back, a file, another preset, or Undo. An edit that is under way was of the problem before.
    if (!same(problem, this.#problem)) this.#turn++;
    void this.open();
  }

  #move(from: Own["past"], to: Own["future"]): void {
    const step = from.value.at(-1);
    if (!step) return;
    const { app } = this;
    this.#turn++;
    batch(() => {
      to.value = [...to.value, { form: app.form.value, faults: this.faults.value }];
      from.value = from.value.slice(0, -1);
      this.faults.value = step.faults;
      this.notes.value = "";
      this.#returned = shownIn(step.form);
      this.#seen = { ...step, edits: app.edits + 1 }; // a step back is an edit for the address, and none to be undone
      app.edit(step.form);
    });
  }
}
