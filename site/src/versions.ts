// The pages of engine versions. A site that keeps version N has its pages under vN/
// (site/versions.mjs).

import catalogue from "cpsrl:catalogue";
import { site, versions } from "./site";

/** The address of this version on the site. The pages of an earlier version are already below that address. */
export const ownSite: string = versions === "" || site.endsWith(`/v${catalogue.engine}/`) ? site : `${site}v${catalogue.engine}/`;

/** The address of the page of an engine version. Undefined if the site has no such page or cannot be asked. */
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
