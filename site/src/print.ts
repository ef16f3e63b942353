// The boot script of the worker that writes a picture as PDF. It starts the Go program
// wasm/print, hands it the picture and the fonts, and passes its document on. A worker
// writes one document. Like the engine's worker, it is bundled as a classic script and
// started from a blob.

/// <reference path="./engine/go.d.ts" />
import "wasm_exec";

export interface ToPrint {
  readonly module: WebAssembly.Module;
  /** The picture as the engine writes it (/v1/chart?as=sheet). */
  readonly sheet: Uint8Array;
  /** The fonts, as TrueType. */
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

export type FromPrint = { readonly document: Uint8Array<ArrayBuffer> } | { readonly failed: string };

/** What the Go program finds as cpsrlPrint. */
interface Host extends Omit<ToPrint, "module"> {
  done(document: Uint8Array<ArrayBuffer>): void;
  failed(reason: string): void;
}

const scope = globalThis as typeof globalThis & GoHost & { cpsrlPrint: Host };
const post = (message: FromPrint): void => (postMessage as (message: FromPrint) => void)(message);

let log = ""; // the program's output, which gives the reason if it ends without a document
scope.fs.writeSync = (_fd, bytes) => {
  log = (log + new TextDecoder().decode(bytes)).slice(0, 4096);
  return bytes.length;
};

globalThis.onmessage = async ({ data }: MessageEvent<ToPrint>) => {
  const { module, ...given } = data;
  let answer: FromPrint | undefined;
  scope.cpsrlPrint = { ...given, done: (document) => void (answer = { document }), failed: (reason) => void (answer = { failed: reason }) };
  try {
    const go = new Go();
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    answer ??= { failed: String(error) };
  }
  post(answer ?? { failed: log.split("\n").find((line) => line.trim() !== "") ?? "the program ended without a document" });
};
