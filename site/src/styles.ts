// Styles that are loaded together with the parts that need them.

import { addressOf } from "cpsrl:edition";
import { make } from "./dom";

/** Loads a style sheet into an element. */
export async function styled(place: HTMLElement, file: string): Promise<HTMLLinkElement> {
  const href = await addressOf(file);
  return new Promise((resolve, reject) => {
    const onload = (): void => resolve(link);
    const onerror = (): void => {
      link.remove();
      reject(new Error(`the style ${file} could not be loaded`));
    };
    const link = make("link", { rel: "stylesheet", onload, onerror, href });
    place.prepend(link);
  });
}
