// Reads a file that a visitor has chosen.

import { text } from "./engine";

/** The text of a file. What is not UTF-8 is refused in the words of the engine, which says what it is. */
export async function textOf(file: Blob, signal?: AbortSignal): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text("/v1/check", file, signal); // no text is valid for the engine that is not for the decoder
  }
}
