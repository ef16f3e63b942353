// The single file. It contains all other files, compressed, in script elements that hold no code.

import { home } from "cpsrl:home-page";
import { here } from "../address";
import { remembered } from "../remembered";
import { fill } from "../markup";
import { stagePage } from "./stage-page";

export const site: string = home || here.site.replace(/[?#].*/, "");
export const hosted: boolean = home !== "";
export const versions: string = "";
export const worker: string = "";

const holder = (name: string): HTMLElement | null => document.getElementById(`file:${name}`);
export const has = (name: string): boolean => holder(name) !== null;

export const addressOf = remembered(async (name: string): Promise<string> => {
  const file = holder(name)!;
  const packed = Uint8Array.from(atob(file.textContent), (letter) => letter.charCodeAt(0));
  file.replaceChildren(); // the text of a script element is for policies of Trusted Types only
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return URL.createObjectURL(await new Response(bytes, { headers: { "Content-Type": file.dataset["type"]! } }).blob());
});

const licences = document.querySelector<HTMLAnchorElement>('a[download="licences.txt"]');
if (licences) void addressOf("licences.txt").then((href) => (licences.href = href));

export const openStage = async (frame: HTMLIFrameElement): Promise<void> => fill(frame, await stagePage(addressOf));
export const pageOf = (): Promise<{ readonly text: string; readonly address: string }> =>
  Promise.reject(new Error("this edition is a page, and has no element"));
