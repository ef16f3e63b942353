// The fonts of exported pictures: the page brings them, so a picture does not depend
// on what a machine has. They have the widths of Helvetica and Arial.

import { root } from "./link";

/** The files by weight, filled in by build.mjs. */
declare const FONTS: Readonly<Record<"400" | "700", string>>;

/** For programs that have no Go fonts, others of the same widths come next. */
export const family = "Go, 'Liberation Sans', Arial, Helvetica, sans-serif";

interface Font {
  readonly weight: string;
  readonly file: Blob;
}

let loaded: Promise<readonly Font[]> | undefined;

/** Loads the fonts for measuring and drawing; after a failure it tries again. */
export function load(): Promise<readonly Font[]> {
  loaded ??= Promise.all(Object.entries(FONTS).map(fetchFont)).catch((error: unknown) => {
    loaded = undefined;
    throw new Error("The fonts of the picture could not be loaded.", { cause: error });
  });
  return loaded;
}

async function fetchFont([weight, name]: [string, string]): Promise<Font> {
  const response = await fetch(new URL(`assets/${name}`, root));
  if (!response.ok) throw new Error(`status ${response.status}`);
  const file = await response.blob();
  document.fonts.add(await new FontFace("Go", await file.arrayBuffer(), { weight }).load());
  return { weight, file };
}

/** The fonts as rules of a style sheet that needs no other file. */
export async function rules(): Promise<string> {
  const all = (await load()).map(async ({ weight, file }) => `@font-face{font-family:Go;font-weight:${weight};src:url(${await dataOf(file)})}`);
  return (await Promise.all(all)).join("");
}

function dataOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("no data"));
    reader.readAsDataURL(file);
  });
}
