// How the address follows what is shown, as a pure function: a state, an event, and the
// state after it, with what is to be written and said. links.ts sends the events.
//
// An example. Someone opens the link v=1&domain=taxi&watch=0,5&receipt=2-1d9c. Its plain
// link, which holds the spec alone, is v=1&domain=taxi. While the engine reads the link, the
// address stays as it is (reading, then opened). Now the visitor changes the seed: the engine
// accepts another plain link, by another edit than the last entry's, so the address gets a
// new entry (accepted). Later the visitor watches another episode: the plain link stays the
// same, so the new link takes the place of the old one (looked).

import { sentence } from "../dom";
import type { Opened } from "../formats";

/** A link that was read, with its plain link. */
export type Read = Opened & { readonly plain: string };

export interface Entries {
  /** The link in the address. */
  readonly link: string;
  /** The plain link of what the last entry is about. Undefined: the page does not know it yet. */
  readonly plain?: string | undefined;
  /** The last edit with an entry. */
  readonly edit: number;
  /** What the link says that was opened last. */
  readonly opened?: Read | undefined;
  /**
   * Why the address does not follow. Due: its link has still to be opened, at the start or after the engine did not answer; if the
   * form has been edited since, it is not. Reading: a link is being read. Refused: its link cannot be opened and stays, so that
   * it can be corrected, as long as the same is shown beside it.
   */
  readonly waits?:
    | { readonly for: "due"; readonly form?: object }
    | { readonly for: "reading" }
    | { readonly for: "refused"; readonly beside: string }
    | undefined;
}

export type Event =
  | { readonly type: "reading" }
  | { readonly type: "opened"; readonly read: Read; readonly edit: number }
  /** Answered: the engine has read the link and refused it. There: the link is the one in the address. Beside: the plain link of what is shown. */
  | {
      readonly type: "refused";
      readonly why: string;
      readonly answered: boolean;
      readonly there: boolean;
      readonly beside: string;
      readonly form: object;
    }
  /** The engine has accepted what an edit has led to; or it was asked for by something else, and then the edit has an entry already. */
  | { readonly type: "accepted"; readonly link: string; readonly plain: string; readonly edit: number }
  /** The view has changed. */
  | { readonly type: "looked"; readonly link: string; readonly plain: string; readonly edit: number }
  /** Someone has gone back or forward, or has edited the address. */
  | { readonly type: "moved"; readonly link: string; readonly edit: number }
  /** Something else is shown than what the address asks for. */
  | { readonly type: "dropped" };

export interface Step {
  readonly state: Entries;
  /** The link to write: as a new entry, or over the last one. */
  readonly write?: { readonly link: string; readonly push: boolean };
  /** What to say about the link; "" if nothing is to be said any more. */
  readonly notice?: string;
}

/** Whether the address stays as it is although something is shown. */
export const waits = ({ waits }: Entries, plain: string): boolean => waits?.for === "reading" || (waits?.for === "refused" && waits.beside === plain);

export function step(state: Entries, event: Event): Step {
  switch (event.type) {
    case "reading":
      return { state: { ...state, waits: { for: "reading" } }, notice: "" };
    case "opened":
      return { state: { ...state, plain: event.read.plain, edit: event.edit, opened: event.read, waits: undefined } };
    case "refused": {
      const { why, answered, there, beside, form } = event;
      const notice = `This link ${answered ? "cannot be" : "was not"} opened. ${sentence(why)}${there ? " What you see below is not from the link." : ""}`;
      return { state: { ...state, waits: there ? (answered ? { for: "refused", beside } : { for: "due", form }) : undefined }, notice };
    }
    case "accepted":
    case "looked": {
      const { link, plain, edit } = event;
      if (waits(state, plain)) return { state };
      const other = plain !== state.plain;
      const push = other && state.plain !== undefined && edit !== state.edit && link !== state.link;
      return { state: { ...state, link, plain, edit: other ? edit : state.edit, waits: undefined }, write: { link, push }, notice: "" };
    }
    case "moved":
      return {
        state: {
          ...state,
          link: event.link,
          edit: event.edit,
          plain: state.plain === undefined ? undefined : event.link,
          ...(event.link === "" && { opened: undefined, waits: undefined }),
        },
      };
    case "dropped":
      return { state: state.waits?.for === "refused" ? state : { ...state, waits: undefined } };
  }
}
