// The precomputed figures: our own runs of the presets, computed by the command line.

import type { PresetEntry } from "../formats";
import { remembered } from "../remembered";
import { ofFigure, type Result } from "./results";
import catalogue from "cpsrl:catalogue";
import { addressOf, has } from "cpsrl:edition";

const quick = "-quick";

/** Whether a preset is another one in small sizes. */
export const isQuick = (name: string): boolean => name.endsWith(quick);

/** The preset whose figure a preset opens with: its own, or for a quick preset that of the full one. */
function sourceOf({ name }: PresetEntry): PresetEntry | undefined {
  const owner = has(`${name}.json`) ? name : isQuick(name) ? name.slice(0, -quick.length) : name;
  return has(`${owner}.json`) ? catalogue.presets.find((preset) => preset.name === owner) : undefined;
}

/** The name of the preset whose figure a preset opens with. */
export const figureName = (preset: PresetEntry): string | undefined => sourceOf(preset)?.name;

export const hasFigure = (preset: PresetEntry): boolean => sourceOf(preset) !== undefined;

const load = remembered(async ({ name, title, spec }: PresetEntry): Promise<Result> => {
  const response = await fetch(await addressOf(`${name}.json`));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return ofFigure(await response.text(), spec, { source: "figure", name, title });
});

/** Loads the figure of a preset. Undefined: it has none, or the figure could not be loaded. */
export async function loadFigure(preset: PresetEntry): Promise<Result | undefined> {
  const source = sourceOf(preset);
  return source && load(source).catch(() => undefined);
}
