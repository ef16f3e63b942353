// Models in the formats of other programs.

import type { Converted } from "../../formats";
import { sentence } from "../../dom";

/** Whether a file may be a model of another program, which the engine reads: a text that is not JSON, or JSON of a format that is not ours. A text with U+FFFD or U+0000 comes from a file that is not UTF-8, and is none: the engine says what it is. Value: what the text is as JSON. */
export const isForeign = (text: string, value: unknown): boolean => {
  if (value === undefined) return !/^\s*[[{]|\ufffd|\0/.test(text);
  const { format } = (value ?? {}) as { readonly format?: unknown };
  return typeof format === "string" && !format.startsWith("cpsrl/");
};

/** Whether a file holds transitions: JSON Lines of x and y, or a table that begins with the columns episode and t or has a next value beside a column. */
export function isLog(text: string, value: unknown): boolean {
  if (typeof value === "object" && value !== null) return "x" in value && "y" in value;
  const [, line = ""] = /^\s*([^\n]*[,;\t][^\n]*)\n/.exec(text) ?? [];
  const header = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  return /^episode t$/i.test(header.slice(0, 2).join(" ")) || header.some((name) => name !== "" && nexts.some((next) => header.includes(name + next)));
}

const nexts = ["′", "'", "’", "_next"];

/** The name of a model from a file: that of the file, without its ending. */
export const nameOf = (file: string): string => file.replace(/(?<=.)\.[^.]*$/, "");

/** What the page says about a model that it has read. */
export const wordsOf = (file: string, { notes }: Pick<Converted, "notes">): string => [`“${file}” is read as a model.`, ...notes.map(sentence)].join(" ");
