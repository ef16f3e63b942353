// What the page and the stage say to each other over a MessagePort. The stage keeps
// nothing: whenever it says that it is ready, for example after a lost WebGL context,
// the page sends it the trace and the view again. A view without a theme is drawn in the
// theme that the system prefers.

import type { Episode, Focus, Moment, StageView } from "./engine-types";

/** Page → stage. */
export type ToStage =
  /** The bytes of a cpsrl/trace. */
  | { readonly kind: "trace"; readonly trace: Uint8Array<ArrayBuffer>; readonly view: StageView }
  | { readonly kind: "view"; readonly view: StageView }
  /** Shows the end of an episode of the trace's agent and run, until another trace comes or the stage plays. */
  | { readonly kind: "episode"; readonly episode: Episode }
  /** Plays on to the end of the moment or (if absent) the episode. */
  | { readonly kind: "play"; readonly speed?: number; readonly until?: "moment" | "episode" }
  | { readonly kind: "pause" }
  /** Asks for the present picture, or for the number of pictures painted. */
  | { readonly kind: "picture" }
  | { readonly kind: "stats" };

/** How many traces the stage had been sent when it said something about one. What it says of an earlier trace may come after a later one was sent. */
export interface OfTrace {
  readonly traces: number;
}

/** Stage → page. */
export type FromStage =
  /** The stage listens. Still: it draws SVG instead of painting a canvas; the sentence says why. */
  | { readonly kind: "ready"; readonly still?: string }
  /** The picture changes, in the next frame if it is of another episode: the moment and step it shows, its sentence, and its height in CSS px. */
  | ({
      readonly kind: "moment";
      readonly moment: Moment;
      readonly step: number;
      readonly text: string;
      readonly height: number;
      readonly playing: boolean;
    } & OfTrace)
  /** An episode that passes by is painted in the next frame: its sentence, and its height in CSS px. */
  | ({ readonly kind: "passed"; readonly episode: number; readonly text: string; readonly height: number } & OfTrace)
  /** What the pointer or the keyboard has reached or chosen. Without focus: nothing. */
  | { readonly kind: "focus" | "select"; readonly focus?: Focus; readonly name?: string }
  /** Playing has ended. */
  | ({ readonly kind: "done" } & OfTrace)
  | { readonly kind: "picture"; readonly svg: string }
  | { readonly kind: "stats"; readonly frames: number }
  /** The stage refused a message; the pointer names the place in it. */
  | { readonly kind: "refused"; readonly detail: string; readonly pointer?: string }
  /** The WebGL context is lost, and the stage starts anew. */
  | { readonly kind: "lost" }
  /** The canvas has no font for letters of the picture, and the stage starts anew. */
  | { readonly kind: "letters" }
  /** There will be no stage; the sentence says why. */
  | { readonly kind: "unavailable"; readonly detail: string };

/** The first message in each direction: from the stage to its parent, and from the parent, together with the port. */
export const hello = "cpsrl-stage";
/** The parent's first messages to a stage that has to do without WebGL, because contexts were lost or the canvas lacks letters. */
export const helloStill = "cpsrl-stage still";
export const helloLetters = "cpsrl-stage letters";
