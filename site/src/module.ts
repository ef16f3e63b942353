// The element as a module: that of a site, and the npm package.

import { Playground } from "./playground";

export { embed } from "./client";
export { agent, world } from "./lend";

export const PlaygroundElement = globalThis.customElements?.get("cpsrl-playground") ?? Playground;
