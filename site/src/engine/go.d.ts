// The JavaScript side of Go's own runtime, $(go env GOROOT)/lib/wasm/wasm_exec.js.

declare module "wasm_exec";

declare class Go {
  readonly importObject: WebAssembly.Imports;
  exit: (code: number) => void;
  readonly _scheduledTimeouts: Map<number, number>;
  _resume: () => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface GoBinding {
  handleRequest?: (request: { url: string; method: string; body: ReadableStream<Uint8Array> | null }) => Promise<Response>;
}

interface GoHost {
  fs: { writeSync: (fd: number, bytes: Uint8Array) => number };
  context: { binding: GoBinding };
  memory?: WebAssembly.Memory;
}
