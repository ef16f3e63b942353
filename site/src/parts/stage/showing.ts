// What the stage shows: a place, a moment of it, and how they are drawn. Watch (watch.ts)
// writes these signals; the panel (panel.ts) and the frame (host.ts) draw them.

import { computed, signal } from "@preact/signals-core";
import { styleOf } from "../../agents";
import type { Moment, Spec, StageView, Trace } from "../../formats";
import type { Playground } from "../../state/playground";
import { played } from "../../state/view";
import type { Place } from "./traces";
import { Worth, worthOf } from "./worth";

/**
 * The overlay of a grid is drawn for one value of the variable that follows row and column. Layer is the index of that variable;
 * layers are the names that the package render has for its values.
 */
export const layer = 2;
export const layers = ["waiting", "aboard"] as const;

/** What the width of an edge on the stage can tell. */
export const widths = { probable: "how probable it is", valuable: "how valuable it is" };

export class Showing {
  readonly state = signal<"closed" | "loading" | "showing" | "failed">("closed");
  /** Why there is no picture, or no picture yet. */
  readonly wait = signal("");
  /** The sentence about the picture. */
  readonly text = signal("");
  readonly note = signal<{ readonly words: string; readonly tone: string }>({ words: "", tone: "" });
  /** Why the stage is drawn as SVG, if it is. */
  readonly still = signal("");
  /** The place whose trace is being computed. */
  readonly awaited = signal<(Place & { readonly moment: Moment }) | undefined>(undefined);
  /** What has to be pressed before the awaited episode is computed, because it takes long. */
  readonly asks = signal<{ readonly words: string; readonly label: string; readonly press: () => void } | undefined>(undefined);
  readonly spec = signal<Spec | undefined>(undefined);
  readonly place = signal<Place>({ agent: "", run: 0, episode: 1 });
  readonly trace = signal<Trace | undefined>(undefined);
  /** The experiment of the trace. */
  experiment = "";
  /** Whether the stage shows an episode that passed by instead of the trace. */
  passed = false;
  readonly moment = signal<Moment>("sample");
  readonly step = signal(0);
  /** The step h whose values are shown in the moment "plan". Undefined: the first. */
  readonly h = signal<number | undefined>(undefined);
  /** The variable whose parent sets are listed. */
  readonly y = signal<number | undefined>(undefined);
  readonly overlays = signal({ values: true, policy: true, model: "sampled" as "sampled" | "true", layer: undefined as number | undefined });
  readonly wide = signal<keyof typeof widths>("probable");
  readonly worth = new Worth();
  /** Whether the form has been refused since. */
  readonly stale = computed(() => this.playground.app.refusal.value !== undefined);
  /** The place whose edges are to be as wide as they are valuable. Undefined: edges are as wide as they are probable. */
  readonly valued = computed(() => {
    const [trace, spec] = [this.trace.value, this.spec.value];
    const passes = this.playground.watching.passing.value !== undefined;
    if (this.wide.value === "probable" || !trace?.before || !spec || passes || !this.hasPlace) return undefined;
    return { spec, trace, learned: this.learned(trace) };
  });
  /** The values of these edges, once they are known. */
  readonly values = computed(() => {
    const asked = this.valued.value;
    const edges = asked && this.worth.of(asked.spec, asked.learned)?.edges;
    return edges && worthOf(edges, asked.trace);
  });
  readonly #updated = computed(() => this.moment.value === "update");

  constructor(private readonly playground: Playground) {}

  say(words: string, tone = ""): void {
    this.note.value = { words, tone };
  }

  get episodes(): number {
    return this.spec.value?.episodes ?? 1;
  }

  /** Whether the trace is of the experiment that is shown. */
  get isOwn(): boolean {
    return this.spec.value !== undefined && this.experiment === played(this.spec.value);
  }

  /** Whether the stage has the trace of the place, although an episode that passes by may be in front of it. */
  get hasPlace(): boolean {
    const { agent, run, episode } = this.place.value;
    const trace = this.trace.value;
    return trace !== undefined && this.isOwn && trace.episode === episode && trace.run === run && trace.agent === agent;
  }

  /** Whether the stage shows the trace of the place. */
  get showsPlace(): boolean {
    return this.hasPlace && !this.passed;
  }

  /** The place whose beliefs are shown. Its episode is the last one that the agent has learned from. */
  learned({ agent, run, episode }: Trace): Place {
    return { agent, run, episode: this.#updated.value ? episode : episode - 1 };
  }

  /** How the frame draws the trace. */
  view(): StageView {
    const { app, watching } = this.playground;
    const [trace, theme, overlays] = [this.trace.value, app.theme.value, this.overlays.value];
    return {
      ...(trace && { agent: styleOf(trace.agent).name }),
      ...(this.playground.shows("prior") && { world: true }), // the prior's graph is that of the stage
      moment: this.moment.value,
      step: this.step.value,
      ...(theme !== "auto" && { theme }),
      ...(!overlays.values && { values: false }),
      ...(!overlays.policy && { policy: false }),
      model: overlays.model,
      ...(this.moment.value === "plan" && this.h.value !== undefined && { h: this.h.value }),
      ...(overlays.layer !== undefined && trace?.grid && { passenger: layers[overlays.layer] }),
      truth: app.revealed.value,
      ...(watching.focus.value && { focus: watching.focus.value }),
      ...(this.values.value && { worth: this.values.value }),
    };
  }
}
