// The site. Its files are beside its scripts, and each preset has its own page. This file
// and those beside it hold all that differs between the editions of the playground; the
// build chooses which of them "cpsrl:edition" is.

import { files } from "cpsrl:files";

/** The address that links to an experiment begin with: the playground's own page, never a preset's. "": there is none. */
export const site: string = new URL("../", import.meta.url).href;

/** Whether that address has a page for each preset, the element and the documents. */
export const hosted: boolean = true;

/** The address of the list of versions that the site keeps, or "". */
export const versions: string = `${site}versions.json`;

/** The address of the service worker, or "". */
export const worker: string = `${site}sw.js`;

/** Whether there is a file of that name; names are without the build's hash. */
export const has = (name: string): boolean => name in files;

export const addressOf = async (name: string): Promise<string> => files[name]!;

export const openStage = async (frame: HTMLIFrameElement): Promise<void> => void (frame.src = `${site}stage.html`);

/** The playground's page, with a preset if one is named, for a playground in another page. Its links are relative to the address. */
export async function pageOf(preset: string): Promise<{ readonly text: string; readonly address: string }> {
  const address = `${site}${preset ? `${preset}/` : ""}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${address}`);
  return { text: await answer.text(), address };
}
