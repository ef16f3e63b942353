// Figures as PDF. The program that writes them shares its code with the command; it is
// loaded when someone asks for the first PDF.

import { has } from "cpsrl:edition";
import { compile, detailOf, fetchFile, reasonOf } from "../engine/engine";
import { scriptAddress } from "../markup";
import type { FromPrint, ToPrint } from "../print";
import { remembered } from "../remembered";

/** Whether this edition has the program. It would make the single file too large. */
export const offered: boolean = has("print.wasm");

type Loaded = Omit<ToPrint, "sheet"> & { readonly url: string };

/** Fetches the program and the fonts, once. */
const load = remembered(() =>
  fetchAll().catch((error: unknown) => {
    throw new Error(`The program that writes PDF could not be loaded: ${detailOf(error)}`);
  }),
);

async function fetchAll(): Promise<Loaded> {
  const bytes = async (name: string) => new Uint8Array(await (await fetchFile(name)).arrayBuffer());
  const [script, module, regular, bold] = await Promise.all([
    fetchFile("print.js").then((file) => file.text()),
    compile("print.wasm"),
    bytes("go-regular.ttf"),
    bytes("go-bold.ttf"),
  ]);
  return { url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })), module, regular, bold };
}

/** Writes a figure, which the engine has drawn as a sheet, as PDF. Each PDF has its own worker. */
export async function write(sheet: string): Promise<Blob> {
  const { url, ...given } = await load();
  const worker = new Worker(scriptAddress(url));
  try {
    const answer = await new Promise<FromPrint>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<FromPrint>) => resolve(data);
      worker.onerror = (event) => resolve({ failed: reasonOf(event) });
      worker.postMessage({ ...given, sheet: new TextEncoder().encode(sheet) } satisfies ToPrint);
    });
    if ("failed" in answer) throw new Error(`The PDF could not be written: ${answer.failed}`);
    return new Blob([answer.document], { type: "application/pdf" });
  } finally {
    worker.terminate();
  }
}
