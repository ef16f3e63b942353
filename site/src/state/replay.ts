// Plays the run of a preview: draws its film, and computes its curves.

import { batch, type Signal } from "@preact/signals-core";
import { detailOf, send } from "../engine/engine";
import { ended, Experiment } from "../engine/experiment";
import { room } from "../engine/pool";
import { Stopwatch } from "../engine/stopwatch";
import type { Checked, Film, Header, Played, Spec } from "../formats";
import type { App } from "./app";
import { nothing, ofSnapshot, type Result } from "./results";
import type { Runner } from "./run";

/** So many seconds of one worker may go into a glimpse beside a run. */
const glance = 2;

/** How often the progress is looked at, in milliseconds. */
const often = 250;

/** One agent in one run of a spec. */
export interface Subject {
  readonly agent: string;
  readonly run: number;
  /** What its records depend on. */
  readonly key: string;
}

/** How a run is played: as long as its work is within the budget; whole, because someone has pressed; or its first episode, beside another run. */
export type How = "unasked" | "whole" | "glimpse";

/** Who shows the run. */
export interface Player {
  readonly app: Pick<App, "checked">;
  readonly runner: Pick<Runner, "known" | "keep">;
  /** The film of the run, as far as it has been drawn. Undefined: the preset's film shows the run. */
  readonly film: Signal<(Film & { readonly key: string }) | undefined>;
  /** The curves of the run, as far as it has been played. */
  readonly result: Signal<Result | undefined>;
  /** Why the run cannot be played. */
  readonly failure: Signal<string>;
  /** If the whole run takes longer than the page may play unasked: the number of episodes that were played. */
  readonly asks: Signal<number | undefined>;
  /** The key of a subject of which no film comes. */
  readonly none: Signal<string>;
}

/** Plays a run until the controller ends it. At most one instance of the engine works at a time. */
export function replay(preview: Player, subject: Subject, how: How, end: AbortController): void {
  const checked = preview.app.checked.peek()!;
  const { spec } = checked.header;
  const each = checked.cost.episodes[spec.agents.indexOf(subject.agent)] ?? 0;
  if (how === "glimpse") {
    if (each > glance || room() < 1) preview.none.value = subject.key;
    else void draw(preview, subject, spec, 1, end.signal);
    return;
  }
  // One episode of it may take as much as a whole run that starts by itself: then someone is asked first.
  const waits = how !== "whole" && each > checked.cost.budget;
  batch(() => {
    preview.result.value = undefined;
    preview.failure.value = "";
    preview.asks.value = waits ? 0 : undefined;
    preview.none.value = waits ? subject.key : "";
  });
  if (waits) return;
  if (preview.runner.known.has(subject.key)) void recall(preview, subject, checked, end.signal);
  else void play(preview, subject, checked, how, end);
}

const drawn = ({ film }: Player, { key }: Subject, { episodes }: Spec): boolean => film.peek()?.key === key && film.peek()?.frames.at(-1)?.episode === episodes;

/** Shows a film piece by piece. */
function projector(preview: Player, { key }: Subject): (piece: Film) => void {
  let film: (Film & { readonly key: string }) | undefined;
  return (piece) => {
    film = film
      ? {
          ...piece,
          key,
          marks: [...film.marks, ...piece.marks],
          beliefs: [...(film.beliefs ?? []), ...(piece.beliefs ?? [])],
          frames: [...film.frames, ...piece.frames],
        }
      : { ...piece, key };
    preview.film.value = film;
  };
}

/** Says why there is no film. */
const unfilmed = (preview: Player, { key }: Subject, reason: string): void =>
  batch(() => {
    preview.failure.value = reason;
    preview.none.value = key;
  });

const pathOf = (name: string, { run, agent }: Subject): string => `/v1/${name}?run=${run}&agent=${encodeURIComponent(agent)}`;

/** Draws the film without the curves. */
async function draw(preview: Player, subject: Subject, spec: Spec, last: number, signal: AbortSignal): Promise<void> {
  const add = projector(preview, subject);
  const take = (piece: Film): void => {
    if (!signal.aborted) add(piece);
  };
  preview.none.value = "";
  try {
    await send(`${pathOf("film", subject)}&last=${last}`, JSON.stringify(spec), "json", take, signal);
  } catch (error) {
    if (!signal.aborted) unfilmed(preview, subject, detailOf(error));
  }
}

/** The run as an experiment of its own, and its result before the first record. */
function alone({ header }: Checked, { agent, run }: Subject): { readonly own: Header; readonly empty: Result } {
  const own = { ...header, spec: { ...header.spec, agents: [agent], firstRun: run, runs: 1 } };
  return { own, empty: nothing(own, { source: "run", name: "preview", title: "" }) };
}

/** Shows a run whose records are known: its curves, then its film. */
async function recall(preview: Player, subject: Subject, checked: Checked, signal: AbortSignal): Promise<void> {
  const { own, empty } = alone(checked, subject);
  const experiment = new Experiment(own, preview.runner.known, { progress: () => {}, snapshot: () => {} });
  signal.addEventListener("abort", () => experiment.stop());
  const { outcome, error } = await ended(experiment);
  if (signal.aborted) return;
  if (outcome) preview.result.value = ofSnapshot(outcome.snapshot, own, empty);
  else preview.failure.value = detailOf(error);
  const { spec } = checked.header;
  if (!drawn(preview, subject, spec)) await draw(preview, subject, spec, spec.episodes, signal);
}

/** Plays the run for its film and its curves. Its records need not be computed again for Run. */
async function play(preview: Player, subject: Subject, checked: Checked, how: How, end: AbortController): Promise<void> {
  const { header, cost } = checked;
  const { own, empty } = alone(checked, subject);
  const add = drawn(preview, subject, header.spec) ? undefined : projector(preview, subject);
  const records: string[] = [];
  let done = 0;
  // As long as it is seen it goes on, more slowly on a slow machine. From its first record on, its own work may take as much as a run that starts by itself.
  let watch: Stopwatch | undefined;
  const timer = setInterval(() => {
    const worked = watch?.elapsed ?? 0; // the time is read in any case, so that no step of the clock is long
    if (how === "whole" || worked < 1000 * cost.budget) return;
    end.abort();
    preview.asks.value = done;
  }, often);
  const take = (piece: Played): void => {
    if (end.signal.aborted) return;
    batch(() => {
      if (piece.unfilmed) unfilmed(preview, subject, piece.unfilmed);
      if (piece.film) add?.(piece.film);
      if (piece.snapshot) preview.result.value = ofSnapshot(piece.snapshot, own, empty);
    });
    if (!piece.records) return;
    watch ??= new Stopwatch();
    records.push(piece.records);
    done += piece.episodes;
  };
  end.signal.addEventListener("abort", () => clearInterval(timer));
  try {
    await send(pathOf("play", subject), JSON.stringify(header.spec), "json", take, end.signal);
    preview.runner.keep(new Map([[subject.key, new Blob(records)]]));
  } catch (error) {
    if (!end.signal.aborted) unfilmed(preview, subject, detailOf(error));
  } finally {
    clearInterval(timer);
  }
}
