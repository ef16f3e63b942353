// What the page and its workers say to each other.

import type { Details } from "../formats";

/** Page → worker. A worker answers one request at a time. It holds the lock as long as it lives. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module; readonly kernel: WebAssembly.Module | null; readonly lock: string }
  | {
      readonly kind: "request";
      readonly path: string;
      /** The body of the POST request: a text; or "stream", and the body follows as messages input and end. The worker says more whenever it has read what came. */
      readonly body: string | "stream";
      /**
       * The form of the answer: record lines as bytes without headers, spec by spec; parsed JSON, line by line; the answers of
       * a batch; or all of the answer as bytes.
       */
      readonly answer: "records" | "json" | "batch" | "whole";
    }
  | { readonly kind: "input"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A request of a batch, as input. */
  | { readonly kind: "question"; readonly path: string; readonly body: string }
  /** Pauses the worker at its next records, or lets it go on. */
  | { readonly kind: "pause"; readonly paused: boolean }
  | { readonly kind: "end" };

/**
 * Worker → page. Held comes once, if the browser has locks. For each request there is any number of records, lines or answers, or
 * the whole, and then one of done, problem and failed. If there are many specs, next follows the records of each.
 */
export type FromWorker =
  | { readonly kind: "held" }
  | { readonly kind: "records"; readonly bytes: Uint8Array<ArrayBuffer>; readonly lines: number }
  | { readonly kind: "next" }
  | { readonly kind: "line"; readonly value: unknown }
  /** An answer of a batch. Grown says that the instance has become so large that it should get no more requests. */
  | { readonly kind: "answer"; readonly status: number; readonly text: string; readonly grown: boolean }
  | { readonly kind: "more" }
  | { readonly kind: "whole"; readonly bytes: ArrayBuffer }
  | { readonly kind: "done" }
  | { readonly kind: "problem"; readonly problem: Details }
  | { readonly kind: "failed"; readonly reason: string };
