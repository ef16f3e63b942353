// A worker of the engine. It holds the compiled program and starts an instance for its
// request, which wire.Serve answers. One request can be a whole share of
// an experiment, or a batch of small requests. This script is bundled as a classic script and
// started from a blob, which works in sandboxed frames, too.

/// <reference path="./go.d.ts" />
import "wasm_exec";
import { kernelHost } from "../../../wasm/kernel/host.js";
import type { FromWorker, ToWorker } from "./messages";

type Request = Extract<ToWorker, { kind: "request" }>;

let module: WebAssembly.Module;
let kernel: WebAssembly.Module | null;
let input: ReadableStreamDefaultController<Uint8Array>;
let log = ""; // the output of the instance, which gives the reason if it ends too early

const scope = globalThis as typeof globalThis & GoHost;
scope.fs.writeSync = (_fd, bytes) => {
  log = (log + new TextDecoder().decode(bytes)).slice(0, 4096);
  return bytes.length;
};

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (postMessage as (message: unknown, transfer: Transferable[]) => void)(message, transfer);
}

globalThis.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "module":
      ({ module, kernel } = data);
      hold(data.lock);
      break;
    case "request":
      void answer(data);
      break;
    case "input":
      input.enqueue(data.bytes);
      break;
    case "question":
      input.enqueue(new TextEncoder().encode(`${JSON.stringify({ path: data.path, body: data.body })}\n`));
      break;
    case "end":
      input.close();
      break;
    case "pause":
      resume();
      going = data.paused ? new Promise((resolve) => (resume = resolve)) : Promise.resolve();
      break;
  }
};

/** Resolves when work may go on. The engine stops computing while nobody reads its answer. */
let going = Promise.resolve();
let resume = (): void => {};

const turn = new MessageChannel();

/** Lets messages from the page arrive. The engine leaves the worker no other time for them. */
function listen(): Promise<void> {
  return new Promise((heard) => {
    turn.port1.onmessage = () => heard();
    turn.port2.postMessage(null);
  });
}

/** Holds a lock until this worker ends, so that the page notices the end. */
function hold(lock: string): void {
  if (!("locks" in navigator)) return;
  const held = navigator.locks.request(lock, () => {
    post({ kind: "held" });
    return new Promise<never>(() => {});
  });
  held.catch(() => {}); // a frame without an origin has no locks
}

async function answer(request: Request): Promise<void> {
  const body = requestBody(request.body); // before anything else, because input may follow at once
  try {
    await going;
    const { binding, ended } = await start();
    const answered = binding.handleRequest!({ url: request.path, method: "POST", body });
    const response = await Promise.race([answered, ended]);
    await Promise.race([ended, deliver(request, response)]);
  } catch (error) {
    post({ kind: "failed", reason: reason(error) });
  }
}

function requestBody(body: Request["body"]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (body === "stream") {
        input = controller;
        return;
      }
      controller.enqueue(new TextEncoder().encode(body));
      controller.close();
    },
    pull() {
      if (body === "stream") post({ kind: "more" });
    },
  });
}

/** Starts an instance. `ended` rejects when it ends before its answer is complete. */
async function start(): Promise<{ binding: GoBinding; ended: Promise<never> }> {
  const binding: GoBinding = {};
  scope.context = { binding };
  log = "";
  const go = new Go();
  let code: number | undefined;
  go.exit = (of) => void (code = of);
  let signal!: () => void;
  const ready = new Promise<void>((resolve) => (signal = resolve));
  const host = kernelHost(kernel);
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, workers: { ready: () => signal() }, kernel: host.imports });
  host.bind(instance);
  scope.memory = instance.exports["mem"] as WebAssembly.Memory;
  const ended = go.run(instance).then(() => {
    retire(go);
    if (code !== 0) throw new Error("the engine stopped");
    return new Promise<never>(() => {}); // its answer is complete; it is read as soon as there is time
  });
  ended.catch(() => {});
  await Promise.race([ready, ended]);
  return { binding, ended };
}

/** Keeps timers of Go's runtime, and the stream, from calling an instance that has ended. */
function retire(go: Go): void {
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
  go._scheduledTimeouts.clear();
  go._resume = () => {};
}

/** Reads the whole body by its reader. Firefox reads json() and arrayBuffer() through the page's thread, which may be busy. */
async function bodyOf(response: Response): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}

async function deliver(request: Request, response: Response): Promise<void> {
  if (!response.ok) {
    const problem = JSON.parse(new TextDecoder().decode(await bodyOf(response)));
    post({ kind: "problem", problem });
    return;
  }
  if (request.answer === "whole") {
    const bytes = await bodyOf(response);
    post({ kind: "whole", bytes }, [bytes]);
    post({ kind: "done" });
    return;
  }
  const take = takerOf(request);
  const reader = response.body!.getReader();
  for (;;) {
    await listen();
    await going;
    const { done, value } = await reader.read();
    if (done) break;
    if (value.length > 0) take(value as Uint8Array<ArrayBuffer>);
  }
  post({ kind: "done" });
}

function takerOf({ answer, path }: Request): (bytes: Uint8Array<ArrayBuffer>) => void {
  if (answer === "records") return takeRecords();
  if (answer === "batch") return takeTexts("\0", passAnswer);
  const revive = /^\/v1\/(summary|difference|play)\b/.test(path) ? packCurves : undefined;
  return takeTexts("\n", (line) => post({ kind: "line", value: JSON.parse(line, revive) }));
}

const newline = 10;

/** Passes record lines on as bytes, without headers. An empty line ends the records of a spec. Only whole lines are passed on. */
function takeRecords(): (bytes: Uint8Array<ArrayBuffer>) => void {
  let inHeader = true;
  let rest = new Uint8Array(0);
  return (more) => {
    const bytes = new Uint8Array(rest.length + more.length);
    bytes.set(rest);
    bytes.set(more, rest.length);
    const whole = bytes.lastIndexOf(newline) + 1;
    rest = bytes.slice(whole);
    let from = 0; // where the records begin that are not passed on yet
    let lines = 0;
    const pass = (to: number): void => {
      if (to <= from) return;
      const part = bytes.slice(from, to);
      post({ kind: "records", bytes: part, lines }, [part.buffer]);
      lines = 0;
    };
    for (let at = 0; at < whole; ) {
      const next = bytes.indexOf(newline, at) + 1;
      if (inHeader) {
        inHeader = false;
        from = next;
      } else if (next === at + 1) {
        pass(at);
        post({ kind: "next" });
        inHeader = true;
        from = next;
      } else lines++;
      at = next;
    }
    pass(whole);
  };
}

/** The size in bytes from which an instance counts as grown. It never becomes smaller again. */
const large = 64 << 20;

/** Passes an answer of a batch on: its status, a space and its text. */
function passAnswer(answer: string): void {
  const text = answer.slice(answer.indexOf(" ") + 1);
  post({ kind: "answer", status: Number.parseInt(answer, 10), text, grown: scope.memory!.buffer.byteLength > large });
}

/** Passes on each text that ends with the separator. */
function takeTexts(separator: string, pass: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split(separator);
    rest = texts.pop() ?? "";
    texts.forEach(pass);
  };
}

const curves = ["mean", "lo", "hi", "n"];

/** Turns the curves of a snapshot or a difference into typed arrays. */
function packCurves(key: string, value: unknown): unknown {
  return curves.includes(key) && Array.isArray(value) ? Float64Array.from(value, (x) => x ?? NaN) : value;
}

function reason(error: unknown): string {
  const first = log.split("\n").find((line) => line.trim() !== "");
  return first ?? (error instanceof Error ? error.message : String(error));
}
