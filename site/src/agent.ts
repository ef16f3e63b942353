// An agent for a simulator in a page, and a world for an agent in a page: each a session in a worker of its own. The messages to
// an agent are described in docs/agent.md.

import type {
  AgentBelief,
  AgentEpisode,
  AgentModel,
  AgentReady,
  AgentSpec,
  AgentTask,
  SavedAgent,
  Step,
  WorldEpisode,
  WorldReady,
  WorldScore,
  WorldSpec,
  WorldStep,
} from "../npm/playground";
import { type EngineWorker, type Program, start } from "./engine/engine";

/** An answer is one member, named by its kind, or an error with its place in the message. */
type Answer = { readonly error?: string; readonly at?: string } & Readonly<Record<string, unknown>>;

interface Waiting {
  readonly name: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (why: Error) => void;
}

const encoder = new TextEncoder();

/** A session in a worker of its own: messages, and an answer to each. */
class Conversation {
  readonly #worker: Promise<EngineWorker>;
  readonly #waiting: Waiting[] = [];
  readonly #closed: string;
  #over: Error | undefined;

  constructor(program: Program, path: string, what: string) {
    this.#closed = `the ${what} is closed`;
    this.#worker = start(program).then((worker) => {
      worker.onmessage = (message) => {
        if (message.kind === "line") this.#hear(message.value as Answer);
        else if (message.kind === "problem") this.#end(new Error(message.problem.detail));
        else if (message.kind === "failed") this.#end(new Error(`The ${what} failed: ${message.reason}`));
        else if (message.kind === "done") this.#end(new Error(this.#closed));
      };
      if (this.#over) worker.terminate();
      else worker.send({ kind: "request", path, body: "stream", answer: "json" });
      return worker;
    });
    this.#worker.catch((error: Error) => this.#end(error));
  }

  /** Sends the first message. If it is refused, the session is over. */
  protected begin<T>(message: string, value: unknown): Promise<T> {
    const ready = this.ask<T>(message, value, "ready");
    ready.catch((error: Error) => {
      this.#end(error);
      this.close();
    });
    return ready;
  }

  /** Ends the worker. What has not been answered is refused. */
  close(): void {
    this.#end(new Error(this.#closed));
    void this.#worker.then(
      (worker) => worker.terminate(),
      () => {},
    );
  }

  protected ask<T>(message: string, value: unknown, name: string): Promise<T> {
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

/** An agent for a simulator: a session of the program agent.wasm. */
export class Lent extends Conversation {
  /** What the program said at first. */
  readonly ready: Promise<AgentReady>;

  constructor(spec: AgentSpec | AgentTask | { readonly saved: SavedAgent }) {
    super("agent.wasm", "/v1/agent", "agent");
    if ("saved" in spec) {
      this.ready = this.begin("load", spec.saved);
    } else if ("state" in spec) {
      this.ready = this.begin("hello", { format: "cpsrl/agent", version: 2, ...spec });
    } else {
      const { prior, payoffs = [{}], ...more } = spec;
      const document = { format: "cpsrl/prior", version: 3, edges: [], ...prior };
      this.ready = this.begin("hello", { format: "cpsrl/agent", version: 1, prior: document, payoffs, ...more });
    }
  }

  async episode(): Promise<AgentEpisode> {
    return this.ask("episode", {}, "episode");
  }

  async model(): Promise<AgentModel> {
    return this.ask("episode", { model: true }, "episode");
  }

  async policy(): Promise<number[][]> {
    return (await this.ask<{ policy: number[][] }>("episode", { policy: true }, "episode")).policy;
  }

  async act(h: number, state: readonly number[]): Promise<number[]> {
    return this.ask("act", { h, state }, "action");
  }

  async observe(transitions: readonly Step[]): Promise<AgentBelief> {
    return this.ask("transitions", transitions, "belief");
  }

  async belief(): Promise<AgentBelief> {
    return this.ask("belief", {}, "belief");
  }

  async save(): Promise<SavedAgent> {
    return this.ask("save", {}, "saved");
  }
}

/** The world of an experiment for an agent of the page: a session of the engine. The messages are described in docs/world.md. */
export class Met extends Conversation {
  readonly ready: Promise<WorldReady>;

  constructor(spec: WorldSpec) {
    super("engine.wasm", "/v1/world", "world");
    this.ready = this.begin("hello", { format: "cpsrl/world", version: 1, ...spec });
  }

  async task(graph = false): Promise<AgentTask> {
    return this.ask("task", { graph }, "task");
  }

  async reset(run?: number, { leave }: { readonly leave?: boolean } = {}): Promise<WorldEpisode> {
    return this.ask("reset", { run, leave }, "episode");
  }

  async step(action: readonly number[]): Promise<WorldStep> {
    return this.ask("step", { action }, "step");
  }

  async score(table?: readonly (readonly number[])[], { reference }: { readonly reference?: boolean } = {}): Promise<WorldScore> {
    return this.ask("policy", table ? { table } : { played: true, reference }, "scored");
  }
}
