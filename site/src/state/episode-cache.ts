// All episodes of one agent in one run, in short form, as the engine writes them in one
// pass (/v1/episodes). Fast forward on the stage and the map of beliefs show them.

import { signal } from "@preact/signals-core";
import * as engine from "../engine/engine";
import { enough } from "../engine/stopwatch";
import type { Episode, Spec } from "../formats";
import type { App } from "./app";
import { limited, Overdue, secondsTo } from "./budget";
import { duration, projected } from "./duration";
import { played } from "./view";

export class EpisodeCache {
  /** How many episodes have arrived, from the first on. */
  readonly count = signal(0);
  /** Why no more episodes will arrive. */
  readonly failure = signal("");
  /** The seconds that the episodes take, if that is too long to begin, or to go on, without being asked. Least: they take more. */
  readonly asks = signal<{ readonly seconds: number; readonly least?: boolean } | undefined>(undefined);
  #episodes: Episode[] = [];
  #of = "";
  #end: AbortController | undefined;
  #held = false;
  /** The request to send when nothing holds the reel any more. */
  #waits: Parameters<EpisodeCache["open"]> | undefined;
  /** The request that the engine is answering. */
  #telling: Parameters<EpisodeCache["open"]> | undefined;

  constructor(
    private readonly app: Pick<App, "checked">,
    private readonly send: typeof engine.send = engine.send,
  ) {}

  /** Asks the engine for the episodes of an agent in a run, unless the reel already has them. What takes long has to be pressed for. */
  open(spec: Spec, agent: string, run: number, pressed = false): void {
    const of = nameOf(spec, agent, run);
    if (of === this.#of && !(pressed && this.asks.peek() !== undefined)) return;
    this.close();
    if (this.#held) {
      this.#waits = [spec, agent, run, pressed];
      return;
    }
    this.#of = of;
    this.#episodes = [];
    this.count.value = 0;
    this.failure.value = "";
    const checked = this.app.checked.peek();
    const budget = pressed || !checked ? Infinity : checked.cost.budget;
    const seconds = checked ? secondsTo(checked, agent, spec.episodes) : 0;
    if (seconds > budget) {
      this.asks.value = { seconds };
      return;
    }
    const end = (this.#end = new AbortController());
    this.#telling = [spec, agent, run, pressed];
    const path = `/v1/episodes?run=${run}&agent=${encodeURIComponent(agent)}&last=${spec.episodes}`;
    const take = (episode: Episode): void => {
      if (!end.signal.aborted) this.count.value = this.#episodes.push(episode);
    };
    const share = (): number => this.count.peek() / spec.episodes;
    const whole = (seconds: number): number => projected(seconds, share());
    limited(
      (end) => this.send(path, JSON.stringify(spec), "json", take, end),
      end.signal,
      (seconds) => whole(seconds) > budget,
    )
      .then(() => {
        if (!end.signal.aborted) this.#telling = undefined;
      })
      .catch((error: unknown) => {
        if (end.signal.aborted) return;
        if (error instanceof Overdue) {
          this.#telling = undefined;
          this.asks.value = { seconds: whole(error.seconds), least: share() < enough };
          return;
        }
        this.close(); // the next request tries again
        this.failure.value = error instanceof engine.Refused ? engine.detailOf(error) : `The run could not be played again: ${engine.detailOf(error)}`;
      });
  }

  /** Whether the reel has the episodes of this agent in this run. */
  isOf(spec: Spec, agent: string, run: number): boolean {
    return this.#of === nameOf(spec, agent, run);
  }

  /** An episode, counted from 1, if it has arrived. */
  at(episode: number): Episode | undefined {
    return this.#episodes[episode - 1];
  }

  /** Stops the engine while nobody sees the playground. A request that was not answered to its end is sent again afterwards. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held && this.#waits) this.open(...this.#waits);
    else if (held && this.#telling) {
      const waits = this.#telling;
      this.close();
      this.#waits = waits;
    }
  }

  /** What the episodes ask for, in words, or "". */
  get asking(): string {
    const asks = this.asks.value;
    return asks ? `These episodes take ${asks.least ? "more than" : "about"} ${duration(asks.seconds)} of computing in this tab` : "";
  }

  close(): void {
    this.#end?.abort();
    this.#of = "";
    this.asks.value = undefined;
    this.#waits = this.#telling = undefined;
  }
}

const nameOf = (spec: Spec, agent: string, run: number): string => JSON.stringify([played(spec), spec.episodes, agent, run]);
