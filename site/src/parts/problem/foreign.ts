// Models in the formats of other programs.

import type { Converted } from "../../formats";
import { sentence } from "../../dom";

/** Whether a file may be a model of another program, which the engine reads: a text that is not JSON, or Gymnasium's P. A file that is not UTF-8, whose text has U+FFFD or U+0000, is none: the engine says what it is. Value: what the text is as JSON. */
export const isForeign = (text: string, value: unknown): boolean =>
  value === undefined ? !/^\s*[[{]|\ufffd|\0/.test(text) : (value as { readonly format?: unknown } | null)?.format === "gymnasium/P";

/** The name of a model from a file: that of the file, without its ending. */
export const nameOf = (file: string): string => file.replace(/(?<=.)\.[^.]*$/, "");

/** What the page says about a model that it has read. */
export const wordsOf = (file: string, { notes }: Pick<Converted, "notes">): string => [`“${file}” is read as a model.`, ...notes.map(sentence)].join(" ");
