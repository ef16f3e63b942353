// Traces, which the engine replays from the seed. A worker computes one at a time. A
// newer request replaces the one that is being computed.

import * as engine from "../../engine/engine";
import type { Spec, Trace } from "../../formats";
import { limited } from "../../state/budget";
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

/** A trace that is being computed, or waits until it may be. */
interface Request {
  readonly path: string;
  readonly taken: Promise<Taken>;
  /** Settle taken. */
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
  /** The seconds that it may take. */
  budget: number;
  /** Ends what is computed for it. Undefined: nothing is, because nobody sees the page. */
  end: AbortController | undefined;
}

export class Traces {
  #spec = "";
  /** The part of the spec on which the trajectories depend. */
  #play = "";
  readonly #kept = new Map<string, Taken>();
  #request: Request | undefined;
  /** Whether a new request waits, because nobody sees the page. */
  #away = false;

  constructor(private readonly compute: (path: string, spec: string, signal: AbortSignal) => Promise<ArrayBuffer> = engine.bytes) {}

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

  /** The trace of a place. If another trace is being computed, that ends, and its promise rejects. Within so many seconds it comes, or its promise rejects. */
  async take(place: Place, budget = Infinity): Promise<Taken> {
    const path = pathOf(place);
    const kept = this.#kept.get(path);
    if (kept) return kept;
    if (this.#request?.path === path) this.#request.budget = Math.max(budget, this.#request.budget);
    else {
      this.stop();
      this.#ask(path, budget);
    }
    return this.#request!.taken;
  }

  /** Computes a trace in advance, if nothing else is being computed. */
  prepare(place: Place, budget: number): void {
    const path = pathOf(place);
    if (!this.#request && !this.#kept.has(path)) this.#ask(path, budget);
  }

  /** Ends what is computed while the page is held; it begins anew afterwards. While nobody sees the page (away), nothing new begins either. */
  hold(held: boolean, away = held): void {
    this.#away = away;
    const request = this.#request;
    if (!request) return;
    if (held) {
      request.end?.abort();
      request.end = undefined;
    } else if (!request.end) this.#compute(request);
  }

  stop(): void {
    const request = this.#request;
    this.#request = undefined;
    request?.end?.abort();
    request?.reject(new Error("another episode is wanted"));
  }

  #ask(path: string, budget: number): void {
    let [resolve, reject]: [Request["resolve"], Request["reject"]] = [() => {}, () => {}];
    const taken = new Promise<Taken>((...settle) => ([resolve, reject] = settle));
    const request: Request = (this.#request = { path, taken, resolve, reject, budget, end: undefined });
    const over = (): void => {
      if (this.#request === request) this.#request = undefined;
    };
    taken.then(over, over);
    if (!this.#away) this.#compute(request);
  }

  #compute(request: Request): void {
    const { path, resolve, reject } = request;
    const { signal } = (request.end = new AbortController());
    const computed = limited(
      (end) => this.compute(path, this.#spec, end),
      signal,
      (seconds) => seconds > request.budget,
    );
    computed
      .then((buffer) => {
        const bytes = new Uint8Array(buffer);
        const answer = { bytes, trace: JSON.parse(new TextDecoder().decode(bytes)) as Trace };
        if (!signal.aborted) this.#keep(path, answer);
        return answer;
      })
      .then(
        (answer) => signal.aborted || resolve(answer),
        (error: unknown) => signal.aborted || reject(error),
      );
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
