// The pages of engine versions: each has an address of its own, vN/, on the site that has
// kept it (site/versions.mjs).

import catalogue from "cpsrl:catalogue";
import { site, versions } from "./site";

/** The site's address of this version. An earlier version that a site has kept lies there itself. */
export const ownSite: string = versions === "" || site.endsWith(`/v${catalogue.engine}/`) ? site : `${site}v${catalogue.engine}/`;

/** The address of the page of an engine. Undefined: the site has none, or cannot be asked. */
export async function pageOf(engine: number): Promise<string | undefined> {
  if (versions === "") return undefined;
  try {
    const answer = await fetch(versions);
    const { pages } = (await answer.json()) as { readonly pages: Readonly<Record<string, string>> };
    return pages[engine] === undefined ? undefined : new URL(pages[engine], versions).href;
  } catch {
    return undefined;
  }
}
