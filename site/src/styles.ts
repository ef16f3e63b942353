// Styles that are loaded together with the parts that need them.

import { addressOf } from "cpsrl:edition";
import { make } from "./dom";
import { tellLost } from "./lost";

/** Loads a style sheet into an element. Resolves to false if it could not be loaded. */
export async function styled(place: HTMLElement, file: string): Promise<boolean> {
  const href = await addressOf(file);
  return new Promise((resolve) => {
    const onload = (): void => resolve(true);
    const onerror = (): void => {
      link.remove();
      void tellLost();
      resolve(false);
    };
    const link = make("link", { rel: "stylesheet", onload, onerror, href });
    place.prepend(link);
  });
}
