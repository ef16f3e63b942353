// What the page and its workers say to each other.

import type { Details } from "../formats";

/** Page → worker. A worker answers one request at a time. It holds the lock for as long as it lives. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module; readonly kernel: WebAssembly.Module | null; readonly lock: string }
  | {
      readonly kind: "request";
      readonly method: "GET" | "POST";
      readonly path: string;
      /** A text, or "stream": the body then follows as input and end, and the worker says more when it has read what came; "fed": an input or the end for each time that it says more. */
      readonly body: string | "stream" | "fed" | null;
      /** Record lines as bytes without their headers, each spec's in turn; parsed JSON, line by line; texts that each end with a zero byte, as lines; or all of it, as bytes. */
      readonly answer: "records" | "json" | "texts" | "whole";
    }
  | { readonly kind: "input"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Computes no further, from the next records on, until told so. */
  | { readonly kind: "pause"; readonly paused: boolean }
  | { readonly kind: "end" };

/**
 * Worker → page: held once, where there are locks; for each request any number of records or lines or the whole, then one of done, problem and failed.
 * Of many specs the records of each end with next.
 */
export type FromWorker =
  | { readonly kind: "held" }
  | { readonly kind: "records"; readonly bytes: Uint8Array<ArrayBuffer>; readonly lines: number }
  | { readonly kind: "next" }
  | { readonly kind: "line"; readonly value: unknown }
  | { readonly kind: "more" }
  | { readonly kind: "whole"; readonly bytes: ArrayBuffer }
  | { readonly kind: "done" }
  | { readonly kind: "problem"; readonly problem: Details }
  | { readonly kind: "failed"; readonly reason: string };
