// The engine as the page sees it: fetched and compiled once, posted to workers.

import type { ProblemDetail } from "./formats";
import type { FromWorker, ToWorker } from "./messages";

/** The engine refused a request, in its own words. */
export class Refused extends Error {
  constructor(readonly problem: ProblemDetail) {
    super(problem.detail);
  }
}

/** A running worker of the engine. */
export class EngineWorker {
  onmessage: (message: FromWorker) => void = () => {};
  readonly #worker: Worker;

  constructor(url: string, module: WebAssembly.Module) {
    this.#worker = new Worker(url);
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.onmessage(data);
    this.#worker.onerror = (event) => this.onmessage({ kind: "failed", reason: event.message });
    this.send({ kind: "module", module });
  }

  send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  terminate(): void {
    this.#worker.terminate();
  }
}

let loading: Promise<{ url: string; module: WebAssembly.Module }> | undefined;

/** Fetches and compiles the engine, once. */
export function load(): Promise<{ url: string; module: WebAssembly.Module }> {
  loading ??= fetchEngine().catch((error: unknown) => {
    loading = undefined; // the next call tries again
    throw new Error(`The engine could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  });
  return loading;
}

async function fetchEngine(): Promise<{ url: string; module: WebAssembly.Module }> {
  if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly.");
  if (typeof Worker === "undefined") throw new Error("this browser has no Web Workers.");
  const [script, module] = await Promise.all([fetchFile(WORKER_FILE).then((file) => file.text()), compile()]);
  return { url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })), module };
}

async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${name}.`);
  return response;
}

async function compile(): Promise<WebAssembly.Module> {
  const file = await fetchFile(ENGINE_FILE);
  if (file.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(file);
  return WebAssembly.compile(await file.arrayBuffer());
}

/** Starts a worker. */
export async function start(): Promise<EngineWorker> {
  const { url, module } = await load();
  return new EngineWorker(url, module);
}

let desk: Promise<EngineWorker> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Asks the engine for one JSON document; requests are answered in turn. */
export function ask<T>(method: "GET" | "POST", path: string, body: unknown): Promise<T> {
  const answer = last.then(async () => {
    desk ??= start();
    desk.catch(() => (desk = undefined));
    return document<T>(await desk, method, path, JSON.stringify(body));
  });
  last = answer.catch(() => {});
  return answer;
}

function document<T>(worker: EngineWorker, method: "GET" | "POST", path: string, body: string): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (message) => {
      switch (message.kind) {
        case "line":
          resolve(message.value as T);
          break;
        case "problem":
          reject(new Refused(message.problem));
          break;
        case "failed":
          reject(new Error(`The engine failed: ${message.reason}`));
      }
    };
    worker.send({ kind: "request", method, path, body, answer: "json" });
  });
}
