// An agent for a simulator in a page: a session of the program agent.wasm in a worker of its own. The messages are
// described in docs/agent.md.

import type { AgentBelief, AgentEpisode, AgentReady, AgentSpec, SavedAgent, Step } from "../npm/playground";
import { type EngineWorker, start } from "./engine/engine";

const closed = "the agent is closed";

/** An answer is one member, named by its kind, or an error with its place in the message. */
type Answer = { readonly error?: string; readonly at?: string } & Readonly<Record<string, unknown>>;

interface Waiting {
  readonly name: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (why: Error) => void;
}

const encoder = new TextEncoder();

export class Lent {
  /** What the program said at first. */
  readonly ready: Promise<AgentReady>;
  readonly #worker: Promise<EngineWorker>;
  readonly #waiting: Waiting[] = [];
  #over: Error | undefined;

  constructor(spec: AgentSpec | { readonly saved: SavedAgent }) {
    this.#worker = start("agent.wasm").then((worker) => {
      worker.onmessage = (message) => {
        if (message.kind === "line") this.#hear(message.value as Answer);
        else if (message.kind === "problem") this.#end(new Error(message.problem.detail));
        else if (message.kind === "failed") this.#end(new Error(`The agent failed: ${message.reason}`));
        else if (message.kind === "done") this.#end(new Error(closed));
      };
      if (this.#over) worker.terminate();
      else worker.send({ kind: "request", path: "/v1/agent", body: "stream", answer: "json" });
      return worker;
    });
    this.#worker.catch((error: Error) => this.#end(error));
    if ("saved" in spec) {
      this.ready = this.#ask("load", spec.saved, "ready");
    } else {
      const { prior, payoffs = [{}], ...more } = spec;
      const document = { format: "cpsrl/prior", version: 3, edges: [], ...prior };
      this.ready = this.#ask("hello", { format: "cpsrl/agent", version: 1, prior: document, payoffs, ...more }, "ready");
    }
    this.ready.catch((error: Error) => {
      this.#end(error);
      this.close();
    });
  }

  async episode(): Promise<AgentEpisode> {
    return this.#ask("episode", {}, "episode");
  }

  async policy(): Promise<number[][]> {
    return (await this.#ask<{ policy: number[][] }>("episode", { policy: true }, "episode")).policy;
  }

  async act(h: number, state: readonly number[]): Promise<number[]> {
    return this.#ask("act", { h, state }, "action");
  }

  async observe(transitions: readonly Step[]): Promise<AgentBelief> {
    return this.#ask("transitions", transitions, "belief");
  }

  async belief(): Promise<AgentBelief> {
    return this.#ask("belief", {}, "belief");
  }

  async save(): Promise<SavedAgent> {
    return this.#ask("save", {}, "saved");
  }

  /** Ends the worker. What has not been answered is refused. */
  close(): void {
    this.#end(new Error(closed));
    void this.#worker.then(
      (worker) => worker.terminate(),
      () => {},
    );
  }

  #ask<T>(message: string, value: unknown, name: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#over) throw this.#over;
      const bytes = encoder.encode(`${JSON.stringify({ [message]: value })}\n`);
      this.#waiting.push({ name, resolve: resolve as Waiting["resolve"], reject });
      void this.#worker.then(
        (worker) => worker.send({ kind: "input", bytes }),
        () => {},
      );
    });
  }

  /** Takes an answer: that of the first message that waits for one. */
  #hear(answer: Answer): void {
    const { name, resolve, reject } = this.#waiting.shift()!;
    if (answer.error === undefined) resolve(answer[name]);
    else reject(new Error(answer.at ? `${answer.at}: ${answer.error}` : answer.error));
  }

  #end(why: Error): void {
    this.#over ??= why;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#over);
  }
}
