// What the panel of the stage and its drawers ask of Watch (watch.ts).

import type { Moment } from "../../formats";
import type { Speed } from "../../state/watching";
import type { Place } from "./traces";

export interface Acts {
  /** Loads the stage again after it has failed. */
  begin(): void;
  /** Shows another place, at the same moment. */
  go(to: Partial<Place>): void;
  /** Goes one episode on or back. */
  leap(by: 1 | -1): void;
  /** Goes one moment on or back. */
  walk(by: 1 | -1): void;
  turn(moment: Moment): void;
  /** Goes to a step of the moment. */
  slide(step: number): void;
  play(): void;
  rest(): void;
  hasten(speed: Speed): void;
  /** Draws the trace again, because what is highlighted has changed. */
  look(): void;
}
