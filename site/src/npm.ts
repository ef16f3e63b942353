// The entry of the npm package.

import "./playground";

export const PlaygroundElement = customElements.get("cpsrl-playground")!;
