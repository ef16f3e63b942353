// The engine's measures. The first is shown by default.

import catalogue from "cpsrl:catalogue";
import type { Measure } from "../formats";

export const { measures } = catalogue;

export function measureOf(key: string): Measure {
  const found = measures.find((measure) => measure.key === key);
  if (!found) throw new Error(`there is no measure ${key}`);
  return found;
}
