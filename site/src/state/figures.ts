// The precomputed figures: our own runs of the presets, computed by the command line.

import type { PresetEntry } from "../formats";
import { ofFigure, type Result } from "./results";
import catalogue from "cpsrl:catalogue";
import { addressOf, has } from "cpsrl:edition";

const quick = "-quick";

/** The preset whose figure a preset opens with: its own, or for a quick preset that of the full one. */
function sourceOf({ name }: PresetEntry): PresetEntry | undefined {
  const owner = has(`${name}.json`) ? name : name.endsWith(quick) ? name.slice(0, -quick.length) : name;
  return has(`${owner}.json`) ? catalogue.presets.find((preset) => preset.name === owner) : undefined;
}

/** The name of the preset whose figure a preset opens with. */
export const figureName = (preset: PresetEntry): string | undefined => sourceOf(preset)?.name;

const loaded = new Map<string, Promise<Result | undefined>>();

/** Loads the figure of a preset. Undefined: it has none, or the figure could not be loaded. */
export function loadFigure(preset: PresetEntry): Promise<Result | undefined> {
  const source = sourceOf(preset);
  if (!source) return Promise.resolve(undefined);
  const known = loaded.get(source.name);
  if (known) return known;
  const loading = load(source);
  loaded.set(source.name, loading);
  void loading.then((result) => result ?? loaded.delete(source.name)); // the next call tries again
  return loading;
}

export const hasFigure = (preset: PresetEntry): boolean => sourceOf(preset) !== undefined;

async function load({ name, title, spec }: PresetEntry): Promise<Result | undefined> {
  try {
    const response = await fetch(await addressOf(`${name}.json`));
    return response.ok ? ofFigure(await response.text(), spec, { source: "figure", name, title }) : undefined;
  } catch {
    return undefined;
  }
}
