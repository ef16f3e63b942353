// A problem of the visitor's own, which the engine changes edit by edit. An edit that would not give a valid
// problem is refused: its text stays in its cell with the reason, and the last valid problem stays at work.

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

/** The cell of the matrix, when it draws the true graph. */
const drawn = "truth";

/** A problem, to be compared: its model by identity, all else as a text. */
const problemOf = ({ model, ...rest }: Form["domain"]): readonly [unknown, string] => [model, JSON.stringify(rest)];

/** How many steps can be undone. */
const mostSteps = 200;

export class Own {
  /** The problem as the editor shows it. Undefined: the editor is closed. */
  readonly form = signal<ModelForm | undefined>(undefined);
  /** Why the text of a cell was refused, and that text. */
  readonly faults = signal<Readonly<Record<Cell, { readonly text?: string | undefined; readonly why: string }>>>({});
  /** What else the last edit changed. */
  readonly notes = signal("");
  readonly past = signal<readonly Form[]>([]);
  readonly future = signal<readonly Form[]>([]);
  #queue: Promise<unknown> = Promise.resolve();
  /** Grows when what is asked for is no longer wanted: with Undo, Redo and Close. */
  #turn = 0;
  /** The problem that the editor shows. */
  #problem: readonly [model: unknown, rest: string] = [undefined, ""];
  /** The form of the page as it was seen last, with the number of its edit. */
  #seen: { readonly form: Form; readonly edits: number };

  constructor(private readonly app: App) {
    this.#seen = { form: app.form.peek(), edits: app.edits };
    effect(() => {
      const form = app.form.value;
      untracked(() => this.#watch(form));
    });
  }

  /** Opens the editor with the problem of the page. */
  open = (): Promise<boolean> => this.#do("open", {});

  /** Begins anew. Other work is kept for Undo. */
  begin = (from: { readonly template: string } | { readonly spec: object }): Promise<boolean> => this.#do("begin", from);

  /** Changes the problem. Text: what the cell holds, if it may be refused. Resolves to whether the engine has accepted it. */
  change = (cell: Cell, edit: Change, text?: string): Promise<boolean> => this.#do(cell, { edit }, text);

  close(): void {
    this.#turn++;
    batch(() => {
      this.form.value = undefined;
      this.faults.value = {};
      this.notes.value = "";
      this.past.value = this.future.value = [];
      this.app.truth.value = undefined;
      this.app.drawing.value = false;
    });
  }

  undo = (): void => this.#move(this.past, this.future);
  redo = (): void => this.#move(this.future, this.past);

  /** Says why a text is refused that the engine need not be asked about. */
  refuse(cell: Cell, text: string | undefined, why: string): void {
    this.faults.value = { ...this.faults.value, [cell]: { text, why } };
  }

  /** Forgets a text that was refused. */
  forget(cell: Cell): void {
    const { [cell]: fault, ...others } = this.faults.value;
    if (fault) this.faults.value = others;
  }

  readonly #draw = (from: string, to: string): void => void this.change(drawn, { edit: "parent", of: to, to: from });

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
      const { domain } = app.form.value;
      const asked = draftOf(app.form.value);
      const edited = await ask<Edited>("/v1/edit", { spec: asked, ...what });
      if (turn !== this.#turn) return false;
      if (app.form.value.domain !== domain) return false; // the edit was of another problem
      if (JSON.stringify(draftOf(app.form.value)) !== JSON.stringify(asked)) return this.#ask(cell, what, text, turn); // of the prior or the settings, say
      batch(() => {
        const opens = Object.keys(what).length === 0;
        const problem = problemOf(opens ? (draftOf(app.form.value).domain as Form["domain"]) : edited.spec.domain);
        const [model] = this.#problem;
        // The page has been told the horizon, say, of a model that the editor shows: refused texts and notes stay.
        if (!opens || model === undefined || problem[0] !== model) {
          this.#followed(cell, what);
          this.notes.value = edited.notes.map(sentence).join(" ");
        }
        this.#problem = problem;
        const opened = this.form.value === undefined;
        if (!opens) app.adopt(edited.spec, !("edit" in what));
        this.form.value = edited.form;
        if (opened) this.#seen = { form: app.form.value, edits: app.edits };
        app.truth.value = this.#draw;
      });
      if (cell === drawn) app.dismiss(drawn);
      return true;
    } catch (error) {
      if (turn !== this.#turn) return false;
      if (cell === "open" && this.form.value !== undefined) this.close(); // what it shows is no longer there
      const { pointer = "" } = error instanceof Refused ? error.problem : {};
      const why = sentence(this.#where(pointer) + detailOf(error));
      this.refuse(cell, text, why);
      if (cell === drawn) app.notify(drawn, why, "bad");
      else app.announce(why);
      return false;
    }
  }

  /** Forgets the texts whose cells are no longer what they were after an accepted edit. */
  #followed(cell: Cell, what: Ask): void {
    const { edit = "", of = "" } = "edit" in what && what.edit ? what.edit : {};
    const gone = (other: Cell): boolean => {
      if (other === cell || !edit) return true;
      if (edit.startsWith("remove-")) return other.startsWith(`${edit.slice("remove-".length)} `);
      if (edit === "rename" || edit === "remove" || edit === "values") return true; // names and values may be in any cell
      return (
        ["law", "fill", "parent", "row"].includes(edit) &&
        (other.startsWith(`row ${of} `) || other === `fill ${of}` || (other === `law ${of}` && edit !== "row"))
      );
    };
    this.faults.value = Object.fromEntries(Object.entries(this.faults.value).filter(([other]) => !gone(other)));
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
  #watch(form: Form): void {
    const { app } = this;
    const before = this.#seen;
    this.#seen = { form, edits: app.edits };
    if (this.form.value === undefined) return;
    if (app.edits !== before.edits && form !== before.form) {
      this.past.value = [...this.past.value, before.form].slice(-mostSteps);
      this.future.value = [];
    }
    const [model, rest] = problemOf(draftOf(form).domain as Form["domain"]);
    if (model !== this.#problem[0] || rest !== this.#problem[1]) void this.open(); // by Back, a file, another preset, or Undo
  }

  #move(from: Own["past"], to: Own["future"]): void {
    const form = from.value.at(-1);
    if (!form) return;
    const { app } = this;
    this.#turn++;
    batch(() => {
      to.value = [...to.value, app.form.value];
      from.value = from.value.slice(0, -1);
      this.faults.value = {};
      this.notes.value = "";
      this.#seen = { form, edits: app.edits + 1 }; // a step back is an edit for the address, and none to be undone
      app.edit(form);
    });
  }
}
