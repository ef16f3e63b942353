// The element's home in the npm package, which has no pages to put into frames.

import { posters } from "cpsrl:posters";

export const site = new URL("about:blank");
export const pictureOf = (preset: string): string => posters[preset]!;
export const load = (): Promise<typeof import("../guest")> => import("../guest");
export const lend = (): Promise<typeof import("../agent")> => import("cpsrl:agent");
