// The fonts of exported pictures. They come with the page, so a picture does not depend on
// the fonts of a machine. They have the widths of Helvetica and Arial.

import { fetchFile } from "../engine/engine";
import { remembered } from "../remembered";

const fonts = { 400: "go-regular.ttf", 700: "go-bold.ttf" };

/** The fonts as rules for a style sheet that needs no other file. */
export const rules = remembered(() =>
  Promise.all(Object.entries(fonts).map(rule)).then(
    (all) => all.join(""),
    (error: unknown) => {
      throw new Error("The fonts of the picture could not be loaded.", { cause: error });
    },
  ),
);

async function rule([weight, name]: [string, string]): Promise<string> {
  const file = await fetchFile(name);
  return `@font-face{font-family:Go;font-weight:${weight};src:url(${await dataOf(await file.blob())})}`;
}

function dataOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("no data"));
    reader.readAsDataURL(file);
  });
}
