// The site: its files lie beside its scripts, and each preset has a page of its own.
// What differs between the editions of the playground is here and in the files beside
// this one; the build says which of them "cpsrl:edition" is.

import { files } from "cpsrl:files";

/** Where links of what is shown lead, to the playground's own page: never to a preset's. "": nowhere. */
export const site: string = new URL("../", import.meta.url).href;

/** Whether that place has a page for each preset, the element and the documents. */
export const hosted: boolean = true;

/** Where it is written which versions the site has kept, or "". */
export const versions: string = `${site}versions.json`;

/** The address of the service worker, or "". */
export const worker: string = `${site}sw.js`;

/** Whether there is a file of that name, before the build gave it a hash. */
export const has = (name: string): boolean => name in files;

/** The address of a file. */
export const addressOf = async (name: string): Promise<string> => files[name]!;

/** Opens the stage's page in a frame. */
export const openStage = async (frame: HTMLIFrameElement): Promise<void> => void (frame.src = `${site}stage.html`);

/** The playground's page with a preset, for a playground in another page; what it refers to is relative to the address. */
export async function pageOf(preset: string): Promise<{ readonly text: string; readonly address: string }> {
  const address = `${site}${preset ? `${preset}/` : ""}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${address}`);
  return { text: await answer.text(), address };
}
