// The chart of one measure. The engine draws it (POST /v1/chart); this module writes the
// request and marks an episode on the picture.

import { styleOf } from "../../agents";
import type { Chart as Request, Facts } from "../../formats";
import { drawing } from "../../markup";
import { nearest, type Curve } from "../../state/results";

/** A curve to draw. A curve with a mark is a ghost: thin, without a band, with its mark after its name. */
export interface Line {
  readonly curve: Curve;
  readonly mark: string;
  /** The run, if the line is that of a single run. */
  readonly run?: number;
  /** Whether the curve is drawn without its band. */
  readonly bare?: boolean;
}

/** What a line or a dot belongs to: an agent; a run, if it shows a single run; and an episode, if a press on it chooses that episode. */
export type Whose = { readonly agent: string; readonly run?: number | undefined; readonly episode?: number };

/** A chart with a dot for each run instead of curves (dots.ts). */
export interface Dotted {
  readonly of: "final" | "learned";
  /** The part of the request that replaces the lines. */
  readonly request: object;
  /** How many runs of each agent have a dot. Undefined: all. */
  readonly few: number | undefined;
  readonly chart: (document: string) => Chart;
  readonly table: () => unknown;
}

export interface Picture {
  readonly measure: string;
  /** All agents of the results, also those whose lines are hidden, so that each keeps its look. */
  readonly agents: readonly string[];
  /** The labels of all curves of other programs. */
  readonly others: readonly string[];
  readonly lines: readonly Line[];
  /** The last episode of the horizontal axis. */
  readonly episodes: number;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly dots?: Dotted | undefined;
}

/** The layout, which is the rest of a request. Sizes are in CSS px. */
export type Look = Required<Pick<Request, "width" | "height" | "type" | "theme">> & Pick<Request, "inline" | "nameless" | "whole" | "title" | "notes">;

export function figureOf({ lines, dots, ...picture }: Picture, look: Look): string {
  const curves = () => ({ lines: lines.filter(({ curve }) => curve.mean.length > 0).map((line) => points(line, 2 * look.width)) });
  return JSON.stringify({ ...picture, ...look, ...(dots?.request ?? curves()) });
}

function points({ curve, mark, run, bare = false }: Line, limit: number): object {
  const { agent, base, name, foreign, episodes, mean, lo, hi, least, most } = curve;
  const band = (k: number): number[] => (bare || Number.isNaN(lo[k]) ? [] : [lo[k]!, hi[k]!, ...(least && most && mark === "" ? [least[k]!, most[k]!] : [])]);
  const kept = thinned(mean, limit).filter((k) => !Number.isNaN(mean[k]));
  const drawn = kept.map((k) => [episodes[k], mean[k], ...band(k)]);
  return foreign === undefined ? { agent, base, name, mark, run, points: drawn } : { foreign, points: drawn };
}

/** The indices to draw. If there are more points than the screen can show, each stretch keeps its least and greatest value. */
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

/** How far from a curve a press may be, in the chart's px. */
const reach = 14;

export class Chart {
  readonly element: SVGSVGElement;
  /** Whether it has dots, and so no episodes to go through. */
  readonly dotted: boolean = false;
  /** What a click does, if it does something else than on a chart of curves. */
  readonly hint?: string;
  protected readonly facts: Facts;
  protected readonly cursor = svg("g", { class: "cursor", "pointer-events": "none" });
  readonly #watched = svg("line", { class: "watched", "pointer-events": "none" });

  constructor(
    document: string,
    private readonly lines: readonly Line[],
  ) {
    this.element = drawing(document) as SVGSVGElement;
    this.facts = JSON.parse(this.element.dataset["facts"]!) as Facts;
    this.element.append(this.#watched, this.cursor);
  }

  /** Names the picture for a screen reader. The engine leaves that to the page. */
  name(words: string): void {
    Object.assign(this.element, { role: "img", ariaHidden: null, ariaLabel: words });
  }

  /** The plot without its axes and words, to be stretched. */
  miniature(): Element {
    const copy = this.element.cloneNode(true) as SVGSVGElement;
    const { left, right, top, bottom } = this.facts;
    for (const text of copy.querySelectorAll("text, title")) text.remove();
    copy.removeAttribute("role");
    copy.setAttribute("aria-hidden", "true");
    copy.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    copy.setAttribute("preserveAspectRatio", "none");
    return copy;
  }

  /** The strokes and gaps of each agent's lines. */
  get dashes(): Facts["dashes"] {
    return this.facts.dashes;
  }

  /** What the axes cannot show, in sentences; "" if they show everything. */
  get hidden(): string {
    return this.facts.hidden;
  }

  /** Marks an episode, and the value of a run there. Undefined: marks nothing. */
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
        const right = this.inRightHalf(place.cx);
        this.cursor.append(this.label(`run ${line.run}`, place.cx + (right ? -9 : 9), place.cy - 7, right));
      }
      const { color } = styleOf(line.curve.agent);
      this.cursor.append(svg("circle", { ...place, r: line.mark === "" ? 4 : 2.5, fill: color, stroke: "var(--paper)", "stroke-width": 1.5 }));
    }
  }

  protected inRightHalf(x: number): boolean {
    return x > (this.facts.left + this.facts.right) / 2;
  }

  protected label(words: string, x: number, y: number, right: boolean): SVGElement {
    const look = { fill: "currentColor", stroke: "var(--paper)", "stroke-width": 4, "paint-order": "stroke", "font-size": 13 };
    const label = svg("text", { x, y, "text-anchor": right ? "end" : "start", ...look });
    label.textContent = words;
    return label;
  }

  /** Moves the line of the watched episode, or hides it. Returns the foot of the line in CSS px of the element. */
  stand(episode: number | undefined): { readonly x: number; readonly y: number } | undefined {
    const { top, bottom, first, last } = this.facts;
    const shown = episode !== undefined && episode >= first && episode <= last;
    this.#watched.toggleAttribute("hidden", !shown);
    if (!shown) return undefined;
    const x = this.#x(episode);
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: top, y2: bottom })) this.#watched.setAttribute(name, String(value));
    const scale = this.#scale;
    return { x: x * scale, y: bottom * scale };
  }

  /** The top of an episode's line, or the dot of a run, in CSS px of the element. Right: whether it is in the right half. */
  spot(episode: number, _whose?: Whose): { readonly x: number; readonly y: number; readonly right: boolean } | undefined {
    return this.spotAt(this.#x(episode), this.facts.top);
  }

  protected spotAt(x: number, y: number): { readonly x: number; readonly y: number; readonly right: boolean } {
    return { x: x * this.#scale, y: y * this.#scale, right: this.inRightHalf(x) };
  }

  /** CSS px of the element for each px of the chart. */
  get #scale(): number {
    return this.element.getBoundingClientRect().width / this.element.viewBox.baseVal.width;
  }

  /** A place of the screen in the chart's px. */
  protected placeAt(clientX: number, clientY: number): readonly [x: number, y: number] {
    const { left, top, width } = this.element.getBoundingClientRect();
    const scale = this.element.viewBox.baseVal.width / (width || 1);
    return [(clientX - left) * scale, (clientY - top) * scale];
  }

  /** Whose line is near a place of the screen, if any. Ghosts do not count. */
  whoseAt(clientX: number, clientY: number): Whose | undefined {
    const [, y] = this.placeAt(clientX, clientY);
    const episode = this.episodeAt(clientX);
    const near = this.lines.flatMap(({ curve, mark, run }) => {
      const place = mark === "" && curve.base === undefined && curve.foreign === undefined ? this.#placeOf(curve, episode) : undefined;
      const far = place ? Math.abs(place.cy - y) : Infinity;
      return far <= reach ? [{ agent: curve.agent, run, far }] : [];
    });
    return near.toSorted((a, b) => a.far - b.far)[0];
  }

  /** The runs on the chart at an episode, from the highest line to the lowest, with their values, or words in place of a value. */
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

  /** The place of a curve's point that is nearest to an episode. */
  #placeOf(curve: Curve, episode: number): { readonly cx: number; readonly cy: number } | undefined {
    const { top, bottom, low, high, logY } = this.facts;
    const k = nearest(curve, episode);
    const value = curve.mean[k];
    if (value === undefined || Number.isNaN(value) || (logY && value <= 0)) return undefined;
    return { cx: this.#x(curve.episodes[k]!), cy: bottom - share(value, low, high, logY) * (bottom - top) };
  }

  /** The episode at a horizontal position of the screen. */
  episodeAt(clientX: number): number {
    const { left, right } = this.facts;
    const [x] = this.placeAt(clientX, 0);
    return this.#episodeOf((x - left) / (right - left));
  }

  /** The plot's horizontal extent in CSS px of the element, and the episode at a share of its width. */
  get across(): { readonly left: number; readonly width: number; readonly episodeOf: (part: number) => number } {
    const { left, right } = this.facts;
    const scale = this.#scale;
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
