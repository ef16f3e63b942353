// The chart of one measure: the engine draws it (POST /v1/chart), this module asks
// for it and marks an episode on it.

import { styleOf } from "../../agents";
import type { MeasureKey } from "../../formats";
import { nearest, type Curve } from "../../state/results";

/** A curve to draw. A marked one is a ghost: thin, without a band, its mark after its name. */
export interface Line {
  readonly curve: Curve;
  readonly mark: string;
  /** Of a line that is a single run's. */
  readonly run?: number;
  /** It has no band. */
  readonly bare?: boolean;
}

/** Whose line or dot it is, of which run if it is one's, and to which episode it leads if that is one alone. */
export type Whose = { readonly agent: string; readonly run?: number | undefined; readonly episode?: number };

/** A dot for each run in the place of curves (./dots). */
export interface Dotted {
  readonly of: "final" | "learned";
  /** What is asked of the engine in the place of lines. */
  readonly request: object;
  /** How many runs of each agent have a dot, if not all. */
  readonly few: number | undefined;
  readonly chart: (document: string) => Chart;
  readonly table: () => unknown;
}

/** What a chart shows. */
export interface Picture {
  readonly measure: MeasureKey;
  readonly lines: readonly Line[];
  /** The last episode of the horizontal axis. */
  readonly episodes: number;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly dots?: Dotted | undefined;
}

/** How it looks: the rest of a request. Sizes are in CSS px. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly type: number;
  readonly theme: "light" | "dark" | "page";
  /** A part of a page, not a document of its own. */
  readonly inline?: boolean;
  /** No names beside the ends of the curves. */
  readonly nameless?: boolean;
  /** The axis holds every band, however wide. */
  readonly whole?: boolean;
  readonly title?: string;
  readonly notes?: readonly { readonly text: string; readonly fine?: boolean; readonly link?: string }[];
}

/** The figure as the engine wants it, in JSON. */
export function figureOf({ lines, dots, ...picture }: Picture, look: Look): string {
  const curves = () => ({ lines: lines.filter(({ curve }) => curve.mean.length > 0).map((line) => points(line, 2 * look.width)) });
  return JSON.stringify({ ...picture, ...look, ...(dots?.request ?? curves()) });
}

function points({ curve, mark, run, bare = false }: Line, limit: number): object {
  const { agent, base, name, episodes, mean, lo, hi, least, most } = curve;
  const band = (k: number): number[] => (bare || Number.isNaN(lo[k]) ? [] : [lo[k]!, hi[k]!, ...(least && most && mark === "" ? [least[k]!, most[k]!] : [])]);
  const kept = thinned(mean, limit).filter((k) => !Number.isNaN(mean[k]));
  return { agent, base, name, mark, run, points: kept.map((k) => [episodes[k], mean[k], ...band(k)]) };
}

/** The indices to draw: of more points than the screen can show, the least and the greatest of each stretch. */
function thinned(values: Float64Array, most: number): number[] {
  const n = values.length;
  if (n <= most) return Array.from({ length: n }, (_, k) => k);
  const step = Math.ceil((2 * n) / most);
  const kept = new Set([0]);
  for (let from = 0; from < n; from += step) {
    let least = from;
    let greatest = from;
    for (let k = from; k < Math.min(n, from + step); k++) {
      if (values[k]! < values[least]!) least = k;
      if (values[k]! > values[greatest]!) greatest = k;
    }
    kept.add(Math.min(least, greatest)).add(Math.max(least, greatest));
  }
  return [...kept.add(n - 1)];
}

/** What the engine says of a chart: where its plot is, the values at the sides, and what it does not show. */
interface Facts {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly hidden: string;
}

/** How near to a curve a press has to be, in the chart's px. */
const reach = 14;

/** A chart on the page. */
export class Chart {
  readonly element: SVGSVGElement;
  /** It has dots, and no episodes to go through. */
  readonly dotted: boolean = false;
  readonly hint: string = "Click the chart, or press Enter on it, to watch the run at that episode.";
  protected readonly facts: Facts;
  protected readonly cursor = svg("g", { class: "cursor", "pointer-events": "none" });
  readonly #watched = svg("line", { class: "watched", "pointer-events": "none" });

  constructor(
    document: string,
    private readonly lines: readonly Line[],
  ) {
    const parsed = new DOMParser().parseFromString(document, "image/svg+xml");
    this.element = window.document.importNode(parsed.documentElement, true) as unknown as SVGSVGElement;
    this.facts = JSON.parse(this.element.dataset["facts"]!) as Facts;
    this.element.append(this.#watched, this.cursor);
  }

  /** What the axes cannot show, in sentences; or nothing. */
  get hidden(): string {
    return this.facts.hidden;
  }

  /** Marks an episode, or none, and a run on it. */
  point(episode: number | undefined, whose?: Whose): void {
    this.cursor.replaceChildren();
    if (episode === undefined) return;
    const { top, bottom } = this.facts;
    const at = this.#x(episode);
    this.cursor.append(svg("line", { x1: at, x2: at, y1: top, y2: bottom, stroke: "currentColor", "stroke-opacity": 0.5 }));
    for (const line of this.lines) {
      const held = line.run !== undefined && line.run === whose?.run && line.curve.agent === whose.agent;
      const place = line.run === undefined || held ? this.#placeOf(line.curve, episode) : undefined;
      if (!place) continue;
      if (held) {
        const right = place.cx > (this.facts.left + this.facts.right) / 2;
        this.cursor.append(this.label(`run ${line.run}`, place.cx + (right ? -9 : 9), place.cy - 7, right));
      }
      const { color } = styleOf(line.curve.agent);
      this.cursor.append(svg("circle", { ...place, r: line.mark === "" ? 4 : 2.5, fill: color, stroke: "var(--paper)", "stroke-width": 1.5 }));
    }
  }

  /** Words beside a place. */
  protected label(words: string, x: number, y: number, right: boolean): SVGElement {
    const look = { fill: "currentColor", stroke: "var(--paper)", "stroke-width": 4, "paint-order": "stroke", "font-size": 13 };
    const label = svg("text", { x, y, "text-anchor": right ? "end" : "start", ...look });
    label.textContent = words;
    return label;
  }

  /** Has the line of the watched episode stand at it, or nowhere. Returns the foot of the line in the element's own CSS px. */
  stand(episode: number | undefined): { readonly x: number; readonly y: number } | undefined {
    const { top, bottom, first, last } = this.facts;
    const shown = episode !== undefined && episode >= first && episode <= last;
    this.#watched.toggleAttribute("hidden", !shown);
    if (!shown) return undefined;
    const x = this.#x(episode);
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: top, y2: bottom })) this.#watched.setAttribute(name, String(value));
    const scale = this.element.getBoundingClientRect().width / this.element.viewBox.baseVal.width;
    return { x: x * scale, y: bottom * scale };
  }

  /** Whose line is at a place of the screen, if one is near. Ghosts count for none. */
  whoseAt(clientX: number, clientY: number): Whose | undefined {
    const box = this.element.getBoundingClientRect();
    const scale = this.element.viewBox.baseVal.width / (box.width || 1);
    const y = (clientY - box.top) * scale;
    const episode = this.episodeAt(clientX);
    const near = this.lines.flatMap(({ curve, mark, run }) => {
      const place = mark === "" && curve.base === undefined ? this.#placeOf(curve, episode) : undefined;
      const far = place ? Math.abs(place.cy - y) : Infinity;
      return far <= reach ? [{ agent: curve.agent, run, far }] : [];
    });
    return near.toSorted((a, b) => a.far - b.far)[0];
  }

  /** The runs on the chart at an episode, from the highest line to the lowest, with their values, or what is said of these. */
  runsAt(episode: number): readonly (Whose & { readonly run: number; readonly value: number; readonly words?: string })[] {
    const list = this.lines.flatMap(({ curve, run }) => {
      const place = run === undefined ? undefined : this.#placeOf(curve, episode);
      return place && run !== undefined ? [{ agent: curve.agent, run, value: curve.mean[nearest(curve, episode)]!, ...place }] : [];
    });
    return list.toSorted((a, b) => a.cy - b.cy);
  }

  #x(episode: number): number {
    const { left, right, first, last, logX } = this.facts;
    return left + share(episode, first, last, logX) * (right - left);
  }

  /** Where a curve is at an episode, or the next one to it that it has. */
  #placeOf(curve: Curve, episode: number): { readonly cx: number; readonly cy: number } | undefined {
    const { top, bottom, low, high, logY } = this.facts;
    const k = nearest(curve, episode);
    const value = curve.mean[k];
    if (value === undefined || Number.isNaN(value) || (logY && value <= 0)) return undefined;
    return { cx: this.#x(curve.episodes[k]!), cy: bottom - share(value, low, high, logY) * (bottom - top) };
  }

  /** The episode at a horizontal place of the screen. */
  episodeAt(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    const { left, right } = this.facts;
    const place = ((clientX - box.left) / (box.width || 1)) * this.element.viewBox.baseVal.width;
    return this.#episodeOf((place - left) / (right - left));
  }

  /** Where the plot is across, in the element's own CSS px, and which episode is at a share of its width. */
  get across(): { readonly left: number; readonly width: number; readonly episodeOf: (part: number) => number } {
    const { left, right } = this.facts;
    const scale = this.element.getBoundingClientRect().width / this.element.viewBox.baseVal.width;
    return { left: left * scale, width: (right - left) * scale, episodeOf: (part) => this.#episodeOf(part) };
  }

  #episodeOf(part: number): number {
    const { first, last, logX } = this.facts;
    const episode = logX ? first * (last / first) ** part : first + part * (last - first);
    return Math.round(Math.min(last, Math.max(1, episode)));
  }
}

/** Where a value lies between two others, from 0 to 1. */
const share = (value: number, low: number, high: number, log: boolean): number =>
  log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);

export function svg(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
