// Models in the formats of other programs.

import type { Converted } from "../../formats";
import { sentence } from "../../dom";

/** Whether a file may be a model of another program, which the engine reads: a text that is not JSON, or JSON of a format that is not ours. A text with U+FFFD or U+0000 comes from a file that is not UTF-8, and is none: the engine says what it is. Value: what the text is as JSON. */
export const isForeign = (text: string, value: unknown): boolean => {
  if (value === undefined) return !/^\s*[[{]|\ufffd|\0/.test(text);
  const { format } = (value ?? {}) as { readonly format?: unknown };
  return typeof format === "string" && !format.startsWith("cpsrl/");
};

/** The name of a model from a file: that of the file, without its ending. */
export const nameOf = (file: string): string => file.replace(/(?<=.)\.[^.]*$/, "");

/** What the page says about a model that it has read. */
export const wordsOf = (file: string, { notes }: Pick<Converted, "notes">): string => [`“${file}” is read as a model.`, ...notes.map(sentence)].join(" ");
