// The page's side of the engine: it is fetched and compiled once, and sent to workers.

import { addressOf } from "cpsrl:edition";
import type { Details } from "../formats";
import { tellChanged, unreachable } from "../lost";
import { scriptAddress } from "../markup";
import { remembered } from "../remembered";
import { withData } from "./data";
import type { FromWorker, ToWorker } from "./messages";
import { enter } from "./pool";

/** The engine has refused a request. The message is the engine's own. */
export class Refused extends Error {
  constructor(readonly problem: Details) {
    super(problem.detail);
  }
}

/** What went wrong, in one sentence. */
export function detailOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Why a worker failed. A worker that may not even start has no message. */
export const reasonOf = ({ message }: Partial<ErrorEvent>): string =>
  message || "the browser starts no worker here; if this page has a policy, it must allow them (worker-src blob:)";

/** A running worker of the engine. After a message of the kind "failed" it is useless. */
export class EngineWorker {
  onmessage: (message: FromWorker) => void = () => {};
  readonly #worker: Worker;
  readonly #lock = `cpsrl worker ${performance.timeOrigin} ${Math.random()}`;
  readonly #over = new AbortController();
  readonly #leave = enter();

  constructor({ url, module, kernel }: Loaded) {
    this.#worker = new Worker(scriptAddress(url));
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => (data.kind === "held" ? this.#awaitEnd() : this.onmessage(data));
    this.#worker.onerror = (event) => this.onmessage({ kind: "failed", reason: reasonOf(event) });
    this.send({ kind: "module", module, kernel, lock: this.#lock });
  }

  /** Waits for the worker's lock, which becomes free when the worker ends. */
  #awaitEnd(): void {
    const ended = () => this.onmessage({ kind: "failed", reason: "the worker has ended" });
    navigator.locks.request(this.#lock, { signal: this.#over.signal }, ended).catch(() => {});
  }

  send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  terminate(): void {
    this.#leave();
    this.#over.abort();
    this.#worker.terminate();
  }
}

/** What a worker starts from. Without a kernel the engine computes the same bits in Go. */
interface Loaded {
  readonly url: string;
  readonly module: WebAssembly.Module;
  readonly kernel: WebAssembly.Module | null;
}

/** A program that runs in the engine's workers: the engine itself, or the agents of a page. */
export type Program = "engine.wasm" | "agent.wasm";

/** Fetches and compiles a program, once. */
export const load = remembered((program: Program = "engine.wasm") =>
  fetchProgram(program).catch((error: unknown) => {
    throw new Error(`The engine could not be loaded: ${detailOf(error)}`);
  }),
);

async function fetchProgram(program: Program): Promise<Loaded> {
  if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly.");
  if (typeof Worker === "undefined") throw new Error("this browser has no Web Workers.");
  const [script, module, kernel] = await Promise.all([
    fetchFile("worker.js").then((file) => file.text()),
    compile(program),
    compile("kernel.wasm").catch(() => null), // a browser without SIMD cannot compile it
  ]);
  return { url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })), module, kernel };
}

/** Fetches a file of the playground. The message of an error is the end of a sentence. */
export async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(await addressOf(name)).catch(() => {
    throw new Error(unreachable);
  });
  if (response.status === 404) throw new Error(tellChanged());
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${name}.`);
  return response;
}

export async function compile(name: string): Promise<WebAssembly.Module> {
  const file = await fetchFile(name);
  if (file.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(file);
  return WebAssembly.compile(await file.arrayBuffer());
}

export async function start(program?: Program): Promise<EngineWorker> {
  return new EngineWorker(await load(program));
}

/**
 * A worker whose one instance answers small requests and draws figures, one after the other. So the instance stays warm, and
 * WebKit, which gives at most four instances a fast memory, has few. A new worker replaces one that fails or has grown large.
 */
class RequestQueue {
  #worker: EngineWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** How many requests have not been answered. */
  #open = 0;
  /** How many keep the worker. Undefined: nobody ever has, so it stays. */
  #kept: number | undefined;

  /** Resolves to the answer. A request that is aborted before its turn is dropped. */
  ask(path: string, body: string, signal?: AbortSignal): Promise<string> {
    const answer = this.#last.then(() => {
      signal?.throwIfAborted();
      return this.#next(path, body);
    });
    this.#open++;
    this.#last = answer
      .catch(() => {})
      .then(() => {
        this.#open--;
        if (this.#kept === 0) this.rest();
      });
    return answer;
  }

  /** Keeps the worker until the function that it returns is called. Once nobody keeps it, it ends after each last answer, a late one too. */
  keep(): () => void {
    this.#kept = (this.#kept ?? 0) + 1;
    return () => {
      if (--this.#kept! === 0) this.rest();
    };
  }

  /** Ends the worker as soon as it has nothing to do. The next request starts another. */
  rest(): void {
    if (this.#open > 0) {
      void this.#last.then(() => this.rest());
      return;
    }
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #next(path: string, body: string): Promise<string> {
    const worker = (this.#worker ??= await this.#start());
    const close = () => {
      worker.terminate();
      this.#worker = undefined;
    };
    return new Promise((resolve, reject) => {
      worker.onmessage = (message) => {
        if (message.kind === "more") return;
        if (message.kind !== "answer") {
          close();
          reject(new Error(`The engine failed: ${message.kind === "failed" ? message.reason : "the instance has ended"}`));
          return;
        }
        if (message.grown) close();
        if (message.status === 200) resolve(message.text);
        else reject(new Refused(JSON.parse(message.text)));
      };
      worker.send({ kind: "question", path, body });
    });
  }

  async #start(): Promise<EngineWorker> {
    const worker = await start();
    worker.send({ kind: "request", path: "/v1/batch", body: "stream", answer: "batch" });
    return worker;
  }
}

const desk = new RequestQueue();

/** Frees the memory that the engine holds while nobody asks it for anything. */
export const rest = (): void => desk.rest();

/** Keeps the memory of the engine until the function that it returns is called, as a playground in somebody's page does. */
export const keep = (): (() => void) => desk.keep();

/** The length of the longest body for the desk. A longer one gets an instance of its own, which ends with its answer. */
const longest = 1 << 22;

function answerTo(path: string, asked: string, signal?: AbortSignal): Promise<string> {
  const body = withData(path, asked);
  return body.length > longest ? text(path, body, signal) : desk.ask(path, body, signal);
}

/** Asks the engine for one JSON document. A body that is a text is already JSON. */
export async function ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return JSON.parse(await answerTo(path, typeof body === "string" ? body : JSON.stringify(body), signal));
}

/** Asks the engine for a figure. */
export const draw = (figure: string, as = "svg"): Promise<string> => answerTo(`/v1/chart?as=${as}`, figure);

/** Asks the engine for the figure of a sweep, as SVG. */
export const drawSweep = (sweep: string): Promise<string> => answerTo("/v1/sweep?as=svg", sweep);

/**
 * Sends a request to a new worker. The body is a text, or a file that is read bit by bit.
 * Take gets each line of the answer, or all of it as bytes. A signal ends the request at once.
 */
export async function send<T>(path: string, body: string | Blob, answer: "json" | "whole", take: (value: T) => void, signal?: AbortSignal): Promise<void> {
  const worker = await start();
  try {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      worker.onmessage = (message) => {
        if (message.kind === "done") resolve();
        else if (message.kind === "problem") reject(new Refused(message.problem));
        else if (message.kind === "failed") reject(new Error(`The engine failed: ${message.reason}`));
        else if (message.kind === "more") wanted.resolve();
        else if (message.kind === "line") take(message.value as T);
        else if (message.kind === "whole") take(message.bytes as T);
      };
      const wanted = { resolve: (): void => {} };
      if (typeof body === "string") {
        worker.send({ kind: "request", path, body: withData(path, body), answer });
      } else {
        worker.send({ kind: "request", path, body: "stream", answer });
        feed(worker, body, wanted).catch(reject);
      }
    });
  } finally {
    worker.terminate();
  }
}

/** Sends the worker a part of the file each time it asks for more. */
async function feed(worker: EngineWorker, file: Blob, wanted: { resolve: () => void }): Promise<void> {
  const reader = file.stream().getReader();
  for (;;) {
    await new Promise<void>((resolve) => (wanted.resolve = resolve));
    const { done, value } = await reader.read();
    if (done) break;
    worker.send({ kind: "input", bytes: value }, [value.buffer]);
  }
  worker.send({ kind: "end" });
}

/** Asks the engine for a whole answer, as bytes. */
export async function bytes(path: string, body: string | Blob, signal?: AbortSignal): Promise<ArrayBuffer> {
  let whole = new ArrayBuffer(0);
  await send<ArrayBuffer>(path, body, "whole", (bytes) => void (whole = bytes), signal);
  return whole;
}

export async function text(path: string, body: string | Blob, signal?: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await bytes(path, body, signal));
}
