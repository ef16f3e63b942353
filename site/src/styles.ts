// Styles that are loaded with what they are for.

import { addressOf } from "cpsrl:edition";
import { make } from "./dom";
import { tellLost } from "./lost";

/** Loads a style into a place. False: it did not come. */
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
