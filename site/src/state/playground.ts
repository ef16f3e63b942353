// A playground without its document: its state, and what belongs to it while it lives.
// mount.ts gives it a root and shows its parts.

import { effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals-core";
import type { Address } from "../address";
import type { Root } from "../dom";
import { detailOf, load } from "../engine/engine";
import type { Figure, PresetEntry } from "../formats";
import { App } from "./app";
import type { EpisodeCache } from "./episode-cache";
import type { Lacking } from "./files";
import type { Own } from "./own";
import { Comparison } from "./comparison";
import { Links } from "./links";
import { Preview } from "./preview";
import { type Hearer, Runner } from "./run";
import { Watching } from "./watching";

/** What the figure on show gives away. Rejects with the reason if there is nothing. */
export interface Output {
  /** The document cpsrl/figure of the main result. */
  summary(): Promise<Figure>;
  /** The figure as the text of an SVG file. */
  svg(): Promise<string>;
}

/** How a sweep stands (sweep.ts). */
export interface Sweep {
  readonly running: ReadonlySignal<boolean>;
  /** The share that is done, while it runs. */
  readonly share: ReadonlySignal<number | undefined>;
}

export interface Playground {
  readonly root: Root;
  readonly app: App;
  readonly comparison: Comparison;
  readonly links: Links;
  readonly runner: Runner;
  readonly preview: Preview;
  readonly watching: Watching;
  // What is made when it is first needed
  readonly own: Signal<Own | undefined>;
  readonly sweep: Signal<Sweep | undefined>;
  /** The episodes that the stage and the map of beliefs go through. */
  readonly reel: Signal<EpisodeCache | undefined>;
  /** Undefined until the part that shows the figure is loaded. */
  readonly output: Signal<Output | undefined>;
  /** They are told the progress and the end of runs. */
  readonly hearers: Set<Hearer>;
  /** Whether nothing may play, because nobody sees the playground or its host has paused it. */
  readonly held: Signal<boolean>;
  /** Whether nobody sees the playground. It is held then, too. */
  readonly away: Signal<boolean>;
  /** They end what a part computes, for good. */
  readonly ends: Set<() => void>;
  /** Whether a part is shown, or something else that an embed may leave out is there (parts/index.ts). */
  readonly shows: (name: string) => boolean;
  /** Words of ui= that are no part and no detail. */
  readonly strange: readonly string[];
  /** Ends what runs and plays, for good. */
  readonly leave: () => void;
  /** Resolves when the engine is loaded and what the link asks for is shown. */
  readonly ready: Promise<void>;
  /** Opens the editor of problems, with the problem that is shown or with a template. */
  readonly edit: (template?: string) => Promise<void>;
  /** Opens files, whatever they are. */
  readonly open: (files: readonly File[]) => Promise<void>;
  /** Reads a file again that lacked what has been given now. */
  readonly readAgain: (lacking: Lacking) => Promise<void>;
}

/** All of a playground but what depends on its document. */
export type Heart = Omit<Playground, "root" | "strange" | "ready" | "edit" | "open" | "readAgain"> & {
  /** Loads the engine and has it asked about what is shown, as soon as the parts are there. */
  readonly begin: (parts: Promise<unknown>) => Promise<void>;
};

/** Makes the state of a playground. Own: the preset that it shows if the address names nothing. */
export function heartOf(own: PresetEntry, address: Address, shows: (name: string) => boolean): Heart {
  const app = new App(own);
  const comparison = new Comparison(app);
  const links = new Links(app, address);
  const hearers = new Set<Hearer>();
  const runner = new Runner(app, comparison, links, hearers);
  const ends = new Set<() => void>();
  const held = signal(false);
  // Nothing runs by itself where neither its results nor its controls are shown.
  if (shows("experiment") || shows("controls")) links.auto.run = () => void runner.begin(false);
  links.auto.controls = shows("controls");
  const start = links.preset ?? app.own;
  const left = links.preset && links.left;
  app.preset.value = left?.preset ?? start;
  app.fill(start.spec, left);
  if (links.preset) app.opened.value++;
  else app.waiting = "Opening the link…";
  effect(() => {
    if (app.opened.value > 0) untracked(() => void comparison.open(app.preset.value));
  });
  let recalled = -1;
  effect(() => {
    const [opened, checked] = [app.opened.value, app.checked.value];
    if (opened === recalled || !checked || app.spec.value !== checked.header.spec) return;
    recalled = opened;
    untracked(() => void runner.recall(checked));
  });
  const begin = async (parts: Promise<unknown>): Promise<void> => {
    try {
      await Promise.all([load(), parts]);
      await app.check();
      app.engine.value = "ready";
    } catch (error) {
      // The engine is asked again with the next edit.
      app.engine.value = "failed";
      app.fail("engine", detailOf(error));
    }
  };
  const leave = (): void => {
    links.leave();
    comparison.unrecall();
    void runner.stop();
    app.look({ watched: undefined });
    for (const end of ends) end();
  };
  const sweep = signal<Sweep | undefined>(undefined);
  const preview = new Preview(app, comparison, runner, sweep, shows("experiment") || shows("stage") ? held : signal(true));
  ends.add(() => preview.end());
  return {
    app,
    comparison,
    links,
    runner,
    preview,
    watching: new Watching(app),
    own: signal(undefined),
    sweep,
    reel: signal(undefined),
    output: signal(undefined),
    hearers,
    held,
    away: signal(false),
    ends,
    shows,
    leave,
    begin,
  };
}
