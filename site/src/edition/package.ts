// The npm package. Its files are beside its scripts, on a CDN or where a bundler puts
// them. It has no pages.

import { files } from "cpsrl:files";
import { home } from "cpsrl:home-page";
import { fill } from "../markup";
import { stagePage } from "./stage-page";

export const site: string = home;
export const hosted: boolean = home !== "";
export const versions: string = "";
export const worker: string = "";
export const has = (name: string): boolean => name in files;
export const addressOf = async (name: string): Promise<string> => files[name]!;
export const openStage = async (frame: HTMLIFrameElement): Promise<void> => fill(frame, await stagePage(addressOf));
export const pageOf = async (): Promise<{ readonly text: string; readonly address: string }> => ({
  text: (await import("cpsrl:markup")).default,
  address: home || document.baseURI,
});
