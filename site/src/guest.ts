// The entry through which the element loads a playground into another page.

import type { Message } from "./embed";
import type { Get, Inlined } from "./inline";
import { mount } from "./mount";
import { chosen } from "./theme";

/** Shows a playground in an empty shadow root of another page. */
export const inline = async (root: ShadowRoot, get: Get, say: (message: Message) => void): Promise<Inlined> =>
  (await import("./inline")).inline(mount, { parts: get("ui").split(","), theme: chosen(get("theme")) ?? "auto" }, root, get, say);
