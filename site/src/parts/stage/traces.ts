// Traces, which the engine replays from the seed. A worker computes one at a time. A
// newer request replaces the one that is being computed.

import * as engine from "../../engine/engine";
import type { Spec, Trace } from "../../formats";
import { played } from "../../state/view";

/** An episode, counted from 1, of an agent in a run, counted from 0. */
export interface Place {
  readonly agent: string;
  readonly run: number;
  readonly episode: number;
}

export interface Taken {
  readonly trace: Trace;
  /** The same trace, as the engine wrote it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const mostKept = 16;

export class Traces {
  #spec = "";
  /** The part of the spec on which the trajectories depend. */
  #play = "";
  readonly #kept = new Map<string, Taken>();
  #request: { readonly path: string; readonly end: AbortController; readonly taken: Promise<Taken> } | undefined;

  /** Takes traces from this spec from now on. Returns false if its trajectories are those of the spec before, so that the kept traces stay. */
  open(spec: Spec): boolean {
    this.#spec = JSON.stringify(spec);
    const play = played(spec);
    if (play === this.#play) return false;
    this.#play = play;
    this.stop();
    this.#kept.clear();
    return true;
  }

  kept(place: Place): Taken | undefined {
    return this.#kept.get(pathOf(place));
  }

  /** The trace of a place. If another trace is being computed, that ends, and its promise rejects. */
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

  /** Computes a trace in advance, if nothing else is being computed. */
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
    const taken = engine.bytes(path, this.#spec, end.signal).then((buffer) => {
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
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept) this.#kept.delete(oldest!);
  }
}

function pathOf({ agent, run, episode }: Place): string {
  return `/v1/trace?run=${run}&agent=${encodeURIComponent(agent)}&episode=${episode}`;
}
