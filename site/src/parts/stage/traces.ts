// Traces, as the engine plays them again from the seed. One is computed at a
// time, by a worker of its own; what is asked for later comes first.

import * as engine from "../../engine/engine";
import type { Spec, Trace } from "../../formats";
import { played } from "../../state/view";

/** Which episode of which agent in which run, from 1 and from 0. */
export interface Place {
  readonly agent: string;
  readonly run: number;
  readonly episode: number;
}

export interface Taken {
  readonly trace: Trace;
  /** The same, as the engine wrote it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const mostKept = 16;

export class Traces {
  #spec = "";
  /** What the trajectories depend on. */
  #play = "";
  readonly #kept = new Map<string, Taken>();
  #request: { readonly path: string; readonly end: AbortController; readonly taken: Promise<Taken> } | undefined;

  /** From now on they are of this spec. False: those that were there are the same in it. */
  open(spec: Spec): boolean {
    this.#spec = JSON.stringify(spec);
    const play = played(spec);
    if (play === this.#play) return false;
    this.#play = play;
    this.stop();
    this.#kept.clear();
    return true;
  }

  /** The trace of a place, if it is at hand. */
  kept(place: Place): Taken | undefined {
    return this.#kept.get(pathOf(place));
  }

  /** The trace of a place. Whatever else is being computed ends, and its promise rejects. */
  async take(place: Place): Promise<Taken> {
    const path = pathOf(place);
    const kept = this.#kept.get(path);
    if (kept) return kept;
    if (this.#request?.path !== path) {
      this.stop();
      this.#ask(path);
    }
    return this.#request!.taken;
  }

  /** Computes a trace that will be asked for, if nothing else is being computed. */
  prepare(place: Place): void {
    const path = pathOf(place);
    if (!this.#request && !this.#kept.has(path)) this.#ask(path);
  }

  stop(): void {
    this.#request?.end.abort();
    this.#request = undefined;
  }

  #ask(path: string): void {
    const end = new AbortController();
    const taken = engine.text(path, this.#spec, end.signal).then((buffer) => {
      const bytes = new Uint8Array(buffer);
      const answer = { bytes, trace: JSON.parse(new TextDecoder().decode(bytes)) as Trace };
      this.#keep(path, answer);
      return answer;
    });
    const request = (this.#request = { path, end, taken });
    const over = (): void => {
      if (this.#request === request) this.#request = undefined;
    };
    taken.then(over, over);
  }

  #keep(path: string, taken: Taken): void {
    this.#kept.set(path, taken);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
  }
}

function pathOf({ agent, run, episode }: Place): string {
  return `/v1/trace?run=${run}&agent=${encodeURIComponent(agent)}&episode=${episode}`;
}
