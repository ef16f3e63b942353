// Styles that are loaded with what they are for. Their names are filled in by build.mjs.

import { make } from "./dom";
import { tellLost } from "./lost";

/** Loads a style into a place. False: it did not come. */
export const styled = (place: HTMLElement, file: string): Promise<boolean> =>
  new Promise((resolve) => {
    const onload = (): void => resolve(true);
    const onerror = (): void => {
      link.remove();
      void tellLost();
      resolve(false);
    };
    const link = make("link", { rel: "stylesheet", onload, onerror, href: new URL(file, import.meta.url).href });
    place.prepend(link);
  });
