// What the page and the stage say to each other, over a MessagePort. The stage
// keeps nothing: whenever it says that it is ready, be it after a lost WebGL
// context, the page tells it the trace and the view again.

import type { Episode } from "./engine-types";

export type Moment = "sample" | "plan" | "act" | "update";

/** An edge X → Y, or all edges of one variable; by index. */
export interface Focus {
  readonly x?: number;
  readonly y?: number;
}

/** Which moment of a trace to show, and how. The engine's render package checks it. */
export interface StageView {
  /** Absent: as the system prefers. */
  readonly theme?: "light" | "dark";
  readonly reducedMotion?: boolean;
  /** What to call the agent. Absent: its label. */
  readonly agent?: string;
  /** What draws the world, by the name in a domain's row. Absent: what suits the trace. */
  readonly scene?: string;
  /** Absent: sample. */
  readonly moment?: Moment;
  /** Steps made in the act moment, from 0 to H; the fraction of the next. */
  readonly step?: number;
  /** Overlays. Absent: while planning and acting. */
  readonly values?: boolean;
  readonly policy?: boolean;
  /** Whose values and policy. Absent: sampled. */
  readonly model?: "sampled" | "true";
  /** Of which step, from 1. Absent: the next. */
  readonly h?: number;
  /** For which passenger state. Absent: as it is. */
  readonly passenger?: "waiting" | "aboard";
  /** The true graph is revealed. */
  readonly truth?: boolean;
  readonly focus?: Focus;
  /** The value of each edge, by Y, then X: edges are as wide as they are valuable. Absent: as they are probable. */
  readonly worth?: readonly (readonly number[])[];
}

/** Page → stage. */
export type ToStage =
  /** The bytes of a cpsrl/trace. */
  | { readonly kind: "trace"; readonly trace: Uint8Array<ArrayBuffer>; readonly view: StageView }
  | { readonly kind: "view"; readonly view: StageView }
  /** Shows the end of an episode of the trace's agent and run, until there is a trace or it plays. */
  | { readonly kind: "episode"; readonly episode: Episode }
  /** Plays on to the end of the moment or (if absent) the episode. */
  | { readonly kind: "play"; readonly speed?: number; readonly until?: "moment" | "episode" }
  | { readonly kind: "pause" }
  /** Asks for the present picture, or for how many were painted. */
  | { readonly kind: "picture" }
  | { readonly kind: "stats" };

/** Stage → page. */
export type FromStage =
  /** It listens. Still: it draws SVG, not on a canvas, and one sentence says why. */
  | { readonly kind: "ready"; readonly still?: string }
  /** What is on show has changed: its place, its sentence, the height in CSS px that it takes. */
  | { readonly kind: "moment"; readonly moment: Moment; readonly step: number; readonly text: string; readonly height: number; readonly playing: boolean }
  /** An episode that passes by is painted: its sentence, and the height that it takes. */
  | { readonly kind: "passed"; readonly episode: number; readonly text: string; readonly height: number }
  /** What is pointed at or reached by the keyboard; without focus, nothing. */
  | { readonly kind: "focus" | "select"; readonly focus?: Focus; readonly name?: string }
  /** Playing has come to its end. */
  | { readonly kind: "done" }
  | { readonly kind: "picture"; readonly svg: string }
  | { readonly kind: "stats"; readonly frames: number }
  /** A message made no sense; the pointer leads into it. */
  | { readonly kind: "refused"; readonly detail: string; readonly pointer?: string }
  /** The WebGL context is gone; the stage starts anew. */
  | { readonly kind: "lost" }
  /** There will be no stage; one sentence says why. */
  | { readonly kind: "unavailable"; readonly detail: string };

/** The first words: the stage's to its parent, and the parent's, which come with the port. */
export const hello = "cpsrl-stage";
/** The parent's first words to a stage that shall do without WebGL. */
export const helloStill = "cpsrl-stage still";
