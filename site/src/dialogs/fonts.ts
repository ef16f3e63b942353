// The fonts of exported pictures. They come with the page, so a picture does not depend on
// the fonts of a machine. They have the widths of Helvetica and Arial.

import { addressOf } from "cpsrl:edition";

const fonts = { 400: "go-regular.ttf", 700: "go-bold.ttf" };

let made: Promise<string> | undefined;

/** The fonts as rules for a style sheet that needs no other file. After a failure the next call tries again. */
export function rules(): Promise<string> {
  made ??= Promise.all(Object.entries(fonts).map(rule)).then(
    (all) => all.join(""),
    (error: unknown) => {
      made = undefined;
      throw new Error("The fonts of the picture could not be loaded.", { cause: error });
    },
  );
  return made;
}

async function rule([weight, name]: [string, string]): Promise<string> {
  const response = await fetch(await addressOf(name));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return `@font-face{font-family:Go;font-weight:${weight};src:url(${await dataOf(await response.blob())})}`;
}

function dataOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("no data"));
    reader.readAsDataURL(file);
  });
}
