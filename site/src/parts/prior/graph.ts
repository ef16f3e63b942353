// The drawing of the graph: a curve for each edge between the variables on the left and their next values on the right. The build
// draws it, too, so that it stands in the page before any script runs.

import { brief } from "../../state/edges";
import { hasNumber, type Look, type Mark, markOf } from "./model";

/** The size of the drawing in CSS px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is emphasised: an edge, all edges of a variable, or nothing. */
export interface Emphasis {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** A graph of at most so many variables is the first view of the prior, and each of its possible edges is drawn. */
export const fits = ({ x, ySize }: Pick<Look, "x" | "ySize">): boolean => x.length <= 10 && ySize <= 8;

/** The size of a drawing that nobody has measured yet. It may be drawn between half and twice as high. */
export const usualSize: Size = { width: 168, height: 420 };

/** Marks with higher numbers are drawn above the others. */
const order: Readonly<Record<Mark, number>> = { unknown: 1, forbidden: 2, missed: 2, likely: 3, known: 4, misjudged: 5, misspecified: 5, excluded: 5 };

/** The curve of an edge. The curves of a variable begin and end one below the other. */
function curveOf({ x, ySize }: Look, i: number, j: number, { width, height }: Size): readonly [from: number, to: number, middle: number] {
  const place = (k: number, of: number, port: number, ports: number): number =>
    (height / of) * (k + 0.5) + ((port + 0.5) / ports - 0.5) * Math.min(20, (0.6 * height) / of);
  return [place(i, x.length, j, ySize), place(j, ySize, i, x.length), width / 2];
}

/** A point of a curve. */
function pointOf([from, to]: readonly [number, number, number], t: number, { width }: Size): readonly [x: number, y: number] {
  const u = 1 - t;
  return [width * (1.5 * t * u + t * t * t), from * (u * u * u + 3 * u * u * t) + to * (3 * u * t * t + t * t * t)];
}

/** The edge nearest to a point, if one is within reach. */
export function nearest(look: Look, size: Size, [left, top]: readonly [number, number], reach: number): readonly [i: number, j: number] | undefined {
  let best: readonly [number, number] | undefined;
  let least = reach * reach;
  for (let j = 0; j < look.ySize; j++) {
    for (let i = 0; i < look.x.length; i++) {
      const curve = curveOf(look, i, j, size);
      for (let k = 0; k <= 32; k++) {
        const [x, y] = pointOf(curve, k / 32, size);
        const far = (x - left) ** 2 + (y - top) ** 2;
        if (far < least) [best, least] = [[i, j], far];
      }
    }
  }
  return best;
}

/** Where the number of an edge stands on its curve: as near as can be to its place, but away from the numbers that are there. */
function placeOf(
  curve: readonly [number, number, number],
  t: number,
  size: Size,
  taken: readonly (readonly [number, number])[],
): readonly [x: number, y: number] {
  const away = ([x, y]: readonly [number, number]): number =>
    Math.min(...taken.map(([left, top]) => Math.max(Math.abs(x - left) / 24, Math.abs(y - top) / 14)));
  const places = steps
    .map((step) => t + step)
    .filter((at) => at > 0.1 && at < 0.9)
    .map((at) => pointOf(curve, at, size));
  return places.find((place) => away(place) >= 1) ?? places.reduce((a, b) => (away(b) > away(a) ? b : a));
}

/** How far from its place a number may stand on its curve, the nearest first. */
const steps = [0, ...Array.from({ length: 24 }, (_, k) => (k % 2 === 0 ? 1 : -1) * 0.03 * (1 + (k >> 1)))];

const round = (x: number): number => Math.round(10 * x) / 10;

/** The edges as elements of SVG. Chosen: the variable on the left whose edges stand out. All: unknown edges are drawn, too. */
export function edges(look: Look, size: Size, chosen?: number, emphasis: Emphasis = {}, all = fits(look)): string {
  const { x, ySize } = look;
  const emphasised = (i: number, j: number): boolean =>
    (emphasis.x !== undefined || emphasis.y !== undefined) && (emphasis.x ?? i) === i && (emphasis.y ?? j) === j;
  const list: { readonly order: number; readonly shapes: string }[] = [];
  let numbers = "";
  const taken: (readonly [number, number])[] = [];
  for (let j = 0; j < ySize; j++) {
    for (let i = 0; i < x.length; i++) {
      const mark = markOf(look, i, j);
      const sampled = look.sampled?.[j]?.has(i) === true;
      const hot = emphasised(i, j);
      if (mark === "unknown" && !sampled && !all && i !== chosen && !hot) continue;
      const curve = curveOf(look, i, j, size);
      const [from, to, middle] = curve;
      const names = `${mark}${sampled ? " sampled" : ""}${chosen !== undefined && chosen !== i ? " faint" : ""}${hot ? " hot" : ""}`;
      const belief = look.belief?.[j]?.[i];
      const width = mark !== "known" && belief !== undefined ? ` stroke-width="${round(0.6 + 3.4 * belief)}"` : "";
      const own = 0.2 + (0.6 * (j + 1)) / (ySize + 1);
      const place = hasNumber(mark) ? placeOf(curve, own, size, taken) : pointOf(curve, own, size);
      if (hasNumber(mark)) taken.push(place);
      const [left, top] = place.map(round) as [number, number];
      const cross = ["misspecified", "forbidden", "excluded"].includes(mark)
        ? `<path class="cross ${names}" d="M${left - 5} ${top - 5}l10 10m0 -10l-10 10"/>`
        : "";
      const shapes = `<path class="edge ${names}"${width} d="M0 ${round(from)}C${round(middle)} ${round(from)} ${round(middle)} ${round(to)} ${round(size.width)} ${round(to)}"/>${cross}`;
      list.push({ order: order[mark] + (sampled ? 0.5 : 0) + (hot ? 9 : 0), shapes });
      if (hasNumber(mark))
        numbers += `<text class="p ${names}" x="${left}" y="${top}">${brief(look.stated[j]!.get(i)!)}${mark === "misjudged" ? "\u2009✕" : ""}</text>`;
    }
  }
  return (
    list
      .sort((a, b) => a.order - b.order)
      .map(({ shapes }) => shapes)
      .join("") + numbers
  );
}
