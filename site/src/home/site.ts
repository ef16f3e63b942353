// The element's home on a site, which has a page and a picture for each preset. The
// build chooses which file of this folder "cpsrl:home" is.

/** The module that shows a playground without a frame. */
declare const PAGE: string;
/** The module of agents. */
declare const AGENT: string;
/** The path from the script to the site's other files. The script may be one folder down. */
declare const UP: string;

// A classic script has no import.meta, and a module has no document.currentScript.
const script = (): Element | null => document.currentScript ?? document.querySelector('script[src*="playground.js"]');
const address = import.meta.url ?? (script() as HTMLScriptElement | null)?.src;
if (!address) throw new Error("cpsrl-playground: import playground.mjs instead");
export const site = new URL(".", address);

export const pictureOf = (preset: string): string => `${site}${UP}figures/${preset}.svg`;

/** The module that shows a playground in the page itself. */
export const load = (): Promise<typeof import("../guest")> => import(`${site}${UP}${PAGE}`);

/** The module that lends agents. */
export const lend = (): Promise<typeof import("../agent")> => import(`${site}${UP}${AGENT}`);
