// The episodes of one agent in one run in short, as the engine tells them in one go
// (/v1/episodes): what passes by on the stage, and what the belief's map is drawn of.

import { signal } from "@preact/signals-core";
import { detailOf, Refused, send } from "../engine/engine";
import type { Episode, Spec } from "../formats";
import type { Playground } from "../mount";
import { played } from "./view";

export class Reel {
  /** How many episodes are at hand, from the first on. */
  readonly count = signal(0);
  /** Why there are no more. */
  readonly failure = signal("");
  #episodes: Episode[] = [];
  #of = "";
  #end: AbortController | undefined;
  #held = false;
  /** What is to be told once nothing holds it up. */
  #waits: Parameters<Reel["open"]> | undefined;
  /** What the engine is telling. */
  #telling: Parameters<Reel["open"]> | undefined;

  /** Has the engine tell of an agent in a run, if it does not already. */
  open(spec: Spec, agent: string, run: number): void {
    const of = nameOf(spec, agent, run);
    if (of === this.#of) return;
    this.close();
    if (this.#held) {
      this.#waits = [spec, agent, run];
      return;
    }
    this.#of = of;
    this.#episodes = [];
    this.count.value = 0;
    this.failure.value = "";
    const end = (this.#end = new AbortController());
    this.#telling = [spec, agent, run];
    const path = `/v1/episodes?run=${run}&agent=${encodeURIComponent(agent)}&last=${spec.episodes}`;
    send(
      path,
      JSON.stringify(spec),
      "json",
      (message) => {
        if (message.kind !== "line" || end.signal.aborted) return;
        this.#episodes.push(message.value as Episode);
        this.count.value = this.#episodes.length;
      },
      end.signal,
    )
      .then(() => {
        if (!end.signal.aborted) this.#telling = undefined;
      })
      .catch((error: unknown) => {
        if (end.signal.aborted) return;
        this.close(); // the next wish tries again
        this.failure.value = error instanceof Refused ? detailOf(error) : `The run could not be played again: ${detailOf(error)}`;
      });
  }

  /** Whether it is of an agent in a run. */
  isOf(spec: Spec, agent: string, run: number): boolean {
    return this.#of === nameOf(spec, agent, run);
  }

  /** An episode, from 1, if it is at hand. */
  at(episode: number): Episode | undefined {
    return this.#episodes[episode - 1];
  }

  /** Nothing is computed where nobody sees it: what is not told to its end is told anew. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held && this.#waits) this.open(...this.#waits);
    else if (held && this.#telling) {
      const waits = this.#telling;
      this.close();
      this.#waits = waits;
    }
  }

  /** Has the engine tell no more. */
  close(): void {
    this.#end?.abort();
    this.#of = "";
    this.#waits = this.#telling = undefined;
  }
}

const nameOf = (spec: Spec, agent: string, run: number): string => JSON.stringify([played(spec), spec.episodes, agent, run]);

const reels = new WeakMap<Playground, Reel>();

/** The reel of a playground: the stage and the belief's map share it. */
export function reelOf(playground: Playground): Reel {
  let reel = reels.get(playground);
  if (!reel) {
    reels.set(playground, (reel = new Reel()));
    playground.ends.add(() => reel?.close());
    playground.holds.add((held) => reel?.hold(held));
  }
  return reel;
}
