// What a file is.

import type { Kind } from "../formats";
import { ask } from "./engine";

/** How many bytes of a file the engine looks at, and at how many if these do not tell. */
const heads = [64 << 10, 4 << 20];

/** What a file is, by its beginning; "" if that does not tell. */
export async function kindOf(file: Blob, signal?: AbortSignal): Promise<string> {
  for (const most of heads) {
    const { kind } = await ask<Kind>("/v1/kind", await file.slice(0, most).text(), signal);
    if (kind !== "" || file.size <= most) return kind;
  }
  return "";
}
