// The chart of one measure: curves by episode with their 95% bands, over the
// thinner lines of other results. Loaded after the first paint.

import { areaY, axisX, axisY, dot, gridX, gridY, line, plot, ruleY, text, type Markish } from "@observablehq/plot";
import { nice } from "d3";
import { styleOf } from "./agents";
import type { Measure } from "./formats";
import { measureOf } from "./measures";
import { labelOf, rowOf } from "./readout";
import { nearest, type Curve } from "./results";

/** A curve to draw. A marked one is a ghost: thin, without a band, its mark after its name. */
export interface Line {
  readonly curve: Curve;
  readonly mark: string;
}

export interface Picture {
  readonly measure: Measure;
  /** Of the vertical axis. */
  readonly title: string;
  readonly lines: readonly Line[];
  /** The last episode of the horizontal axis. */
  readonly episodes: number;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly width: number;
  readonly height?: number;
  /** What ink and paper are; the page's own by default. */
  readonly colors?: Colors;
  /** The fonts; the page's own by default. */
  readonly family?: string;
}

export interface Colors {
  readonly ink: string;
  readonly muted: string;
  readonly paper: string;
}

export interface Chart {
  readonly element: SVGSVGElement;
  /** What the logarithmic axis cannot show, in one sentence; or nothing. */
  readonly leftOut: string;
  /** Marks an episode, or none. */
  point(episode: number | undefined): void;
  /** The episode at a horizontal place of the screen. */
  episodeAt(clientX: number): number;
}

/** The class of Plot's own <style>, whose hash the page's policy allows. */
const className = "plot";

export const fontSize = 13;
const marginTop = 34;
const marginBottom = 44;
const labelHeight = 17;

const pageColors: Colors = { ink: "currentColor", muted: "var(--muted)", paper: "var(--paper)" };

export function draw({ measure, title, lines, episodes, logX, logY, width, height: fixed, colors = pageColors, family }: Picture): Chart {
  const textWidth = measurer(family ?? getComputedStyle(document.body).fontFamily);
  /** How far the marks are from where the name begins. */
  const besides = (name: string): number => (name === "" ? 0 : textWidth(name, 600) + 8);
  const narrow = width < 520;
  const height = fixed ?? Math.round(Math.min(460, Math.max(280, width * 0.54)));
  const shapes = lines.map((one) => shape(one, episodes, logY, width));
  const main = shapes.filter(({ mark }) => mark === "");
  const [low, high] = logY ? logExtent(measure, shapes) : extent(measure, shapes);
  const yTicks = logY ? logTicks(low, high, narrow ? 6 : 9) : undefined;
  const xTicks = logX ? logTicks(1, Math.max(2, episodes), narrow ? 4 : 8) : undefined;
  const floor = (y: number) => (logY ? Math.max(y, low) : y);

  const place = (y: number) => {
    const part = logY ? Math.log(high / y) / Math.log(high / low) : (high - y) / (high - low);
    return marginTop + part * (height - marginTop - marginBottom);
  };
  const ends = shapes.flatMap(({ curve, mark, x, y }) => {
    const value = y.findLast((v) => !Number.isNaN(v));
    return value === undefined ? [] : [{ curve, mark, x: x.at(-1)!, y: value, at: place(value) }];
  });
  const labels = spread(gathered(ends, narrow), marginTop, height - marginBottom - 2);
  const marginRight = 20 + Math.max(0, ...labels.map(({ name, marks }) => besides(name) + textWidth(marks, 400)));

  const marks: Markish[] = [
    gridY({ ticks: yTicks ?? 5, stroke: colors.ink, strokeOpacity: 0.12 }),
    ...(xTicks ? [gridX({ ticks: xTicks, stroke: colors.ink, strokeOpacity: 0.06 })] : []),
    axisY({
      ticks: yTicks ?? 5, ...(yTicks ? { text: plain } : {}), tickSize: 0, tickPadding: 8, color: colors.ink,
      label: title, labelArrow: "none", labelAnchor: "top", labelOffset: 0, textAnchor: "end",
    }),
    axisX({
      ticks: xTicks ?? (narrow ? 4 : 8), ...(xTicks ? { text: plain } : {}), tickSize: 4, color: colors.ink,
      label: logX ? "Episode (log)" : "Episode", labelArrow: "none", labelAnchor: "center",
    }),
    ruleY([low], { stroke: colors.ink, strokeOpacity: 0.5 }),
    ...(low < 0 ? [ruleY([0], { stroke: colors.ink, strokeOpacity: 0.7 })] : []),
    ...main.map(({ curve, x, lo, hi }) =>
      areaY(hi, { x, y1: lo.map(floor), y2: hi, fill: styleOf(curve.agent).color, fillOpacity: main.length > 3 ? 0.1 : 0.16, clip: true }),
    ),
    ...shapes.toSorted((a, b) => Number(a.mark === "") - Number(b.mark === "")).flatMap(({ curve, mark, x, y }) => {
      const { color, dash } = styleOf(curve.agent);
      const ghost = mark !== "";
      const alone = y.flatMap((v, k) => (!Number.isNaN(v) && !(y[k - 1]! > -Infinity) && !(y[k + 1]! > -Infinity) ? [k] : []));
      return [
        line(y, { className: ghost ? "ghost" : "curve", x, y, stroke: color, strokeWidth: ghost ? 1 : 2, strokeDasharray: dash, clip: true }),
        // A point between two that are left out is no line.
        ...(alone.length > 0 ? [dot(alone, { x: (k: number) => x[k], y: (k: number) => y[k], r: ghost ? 0.75 : 1.25, fill: color })] : []),
      ];
    }),
    ...labels.flatMap(({ name, marks, to, at, ...end }) => {
      const common = { x: "x", y: "y", dy: to - at, textAnchor: "start", stroke: colors.paper, strokeWidth: 4 } as const;
      return [
        text(marks === "" ? [] : [end], { ...common, text: () => marks, dx: 8 + besides(name), fill: colors.muted }),
        text(name === "" ? [] : [end], { ...common, text: () => name, dx: 8, fontWeight: 600, fill: colors.ink }),
      ];
    }),
  ];
  const element = plot({
    className, width, height, marginTop, marginBottom, marginLeft: narrow ? 44 : 56, marginRight,
    style: { fontSize: `${fontSize}px`, fontFamily: "inherit", background: "none" },
    x: { type: logX ? "log" : "linear", domain: [logX ? 1 : 0, Math.max(episodes, logX ? 2 : 1)] },
    y: { type: logY ? "log" : "linear", domain: [low, high] },
    marks,
  }) as SVGSVGElement & { scale(name: string): { apply(value: number): number; invert(place: number): number } | undefined };
  // The box around it has the name and the words; its parts have none of their own.
  element.setAttribute("aria-hidden", "true");
  for (const part of element.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");

  const xScale = element.scale("x")!;
  const yScale = element.scale("y")!;
  const cursor = svg("g", { class: "cursor", "pointer-events": "none" });
  element.append(cursor);
  return {
    element,
    leftOut: logY ? leftOut(shapes) : "",
    point(episode) {
      cursor.replaceChildren();
      if (episode === undefined) return;
      const at = String(xScale.apply(Math.max(episode, logX ? 1 : 0)));
      cursor.append(svg("line", { x1: at, x2: at, y1: String(marginTop), y2: String(height - marginBottom), stroke: colors.ink, "stroke-opacity": "0.5" }));
      for (const { curve, mark } of shapes) {
        const k = nearest(curve, episode);
        const y = curve.mean[k];
        if (y === undefined || Number.isNaN(y) || (logY && y <= 0)) continue;
        cursor.append(svg("circle", {
          cx: String(xScale.apply(curve.episodes[k]!)), cy: String(yScale.apply(y)), r: mark === "" ? "4" : "2.5",
          fill: styleOf(curve.agent).color, stroke: colors.paper, "stroke-width": "1.5",
        }));
      }
    },
    episodeAt(clientX) {
      const { left, width: shown } = element.getBoundingClientRect();
      const episode = xScale.invert(((clientX - left) / (shown || 1)) * width);
      return Math.round(Math.min(episodes, Math.max(1, episode)));
    },
  };
}

function svg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** What is drawn of a curve: NaN is not. */
interface Shape extends Line {
  readonly x: number[];
  readonly y: number[];
  readonly lo: number[];
  readonly hi: number[];
}

function shape({ curve, mark }: Line, last: number, logY: boolean, width: number): Shape {
  const beyond = curve.episodes.findIndex((episode) => episode > last);
  const kept = thinned(beyond < 0 ? curve.mean : curve.mean.subarray(0, beyond), 2 * width);
  const drawable = (y: number) => (logY && y <= 0 ? NaN : y);
  return {
    curve,
    mark,
    x: kept.map((k) => curve.episodes[k]!),
    y: kept.map((k) => drawable(curve.mean[k]!)),
    lo: kept.map((k) => curve.lo[k]!),
    hi: kept.map((k) => drawable(curve.hi[k]!)),
  };
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

/** How far beyond the means the axis follows a band. */
const headroom = 1.5;

/** The largest value of the measure, if it has one and no difference is shown. */
const mostOf = (measure: Measure, shapes: readonly Shape[]): number | undefined =>
  shapes.every(({ curve }) => curve.base === undefined) ? measureOf(measure).most : undefined;

/** The least and the greatest of the lists, passing over NaN. */
function range(lists: readonly (readonly number[])[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const y of list) {
      if (y < low) low = y;
      if (y > high) high = y;
    }
  }
  return [low, high];
}

/** The range of the vertical axis: from 0, or 0 to 1 for shares. A wide band of few runs does not squeeze the curves; it is cut off. */
function extent(measure: Measure, shapes: readonly Shape[]): [number, number] {
  const most = mostOf(measure, shapes);
  if (most !== undefined) return [0, most];
  const [least, greatest] = range(shapes.map(({ y }) => y));
  const bands = shapes.filter(({ mark }) => mark === "");
  const [lowest] = range(bands.map(({ lo }) => lo));
  const [, highest] = range(bands.map(({ hi }) => hi));
  const low = Math.min(0, least, least < 0 ? Math.max(headroom * least, lowest) : 0);
  const high = Math.max(0, greatest, Math.min(headroom * greatest, highest));
  const [niceLow, niceHigh] = nice(low, high === low ? low + 1 : high, 20);
  return [niceLow, niceHigh];
}

/** The range of a logarithmic axis: what is positive among the means. */
function logExtent(measure: Measure, shapes: readonly Shape[]): [number, number] {
  let [low, high] = range(shapes.map(({ y }) => y));
  if (!(high > 0)) return [0.1, 1];
  const [, highest] = range(shapes.filter(({ mark }) => mark === "").map(({ hi }) => hi));
  high = mostOf(measure, shapes) ?? Math.max(high, Math.min(headroom * high, highest));
  if (low >= high) low = high / 10;
  return [round(low, Math.floor), round(high, Math.ceil)];
}

/** Rounds to one digit. */
function round(y: number, how: (x: number) => number): number {
  const unit = 10 ** Math.floor(Math.log10(y));
  return how(Number((y / unit).toPrecision(6))) * unit;
}

/** At most so many round values: 1, 2, 5, 10 …, or every so many powers of ten. */
function logTicks(low: number, high: number, most: number): number[] {
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const inside = (list: number[]) => list.filter((y) => y >= low * 0.999 && y <= high * 1.001);
  const fine = inside(powers.flatMap((p) => [1, 2, 5].map((m) => Number(`${m}e${p}`))));
  if (fine.length <= most) return fine;
  const step = Math.ceil(powers.length / most);
  return inside(powers.filter((p) => (p - from) % step === 0).map((p) => Number(`1e${p}`)));
}

const superscripts: Readonly<Record<string, string>> = { "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹" };

function plain(y: number): string {
  if (y >= 1e-3 && y < 1e6) return y.toLocaleString("en", { maximumSignificantDigits: 3 });
  const [digits, power] = y.toExponential(0).split("e");
  const exponent = [...String(Number(power))].map((c) => superscripts[c]).join("");
  return `${digits === "1" ? "" : `${digits}·`}10${exponent}`;
}

/** Says how many points of which curves the logarithmic axis leaves out. */
function leftOut(shapes: readonly Shape[]): string {
  const parts = shapes.flatMap(({ curve, mark }) => {
    const n = curve.mean.reduce((sum, y) => sum + Number(y <= 0), 0);
    return n === 0 ? [] : [`${n} of ${curve.mean.length} points of ${labelOf(curve, mark, false)}`];
  });
  const bands = shapes.some(({ curve, mark }) => mark === "" && curve.lo.some((y) => y <= 0));
  if (parts.length === 0 && !bands) return "";
  const points = parts.length === 0 ? "" : `Left out, for a logarithmic axis has no zero: ${parts.join(", ")}.`;
  return [points, bands ? "Bands that reach zero are cut off at the axis." : ""].filter(Boolean).join(" ");
}

// Labels

const pencil = document.createElement("canvas").getContext("2d");

/** Measures texts in these fonts. */
const measurer = (family: string) => (words: string, weight: number): number => {
  if (!pencil) return 7.4 * words.length;
  pencil.font = `${weight} ${fontSize}px ${family}`;
  return pencil.measureText(words).width;
};

/** The end of a curve. */
interface End extends Line {
  readonly x: number;
  readonly y: number;
  /** From the top. */
  readonly at: number;
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  /** Where the label goes, from the top. */
  readonly to: number;
  /** Of the main curve, in ink; the marks of the ghosts beside it are not. */
  readonly name: string;
  readonly marks: string;
}

/** One label for the curves of one agent that end together: "C-PSRL  A ref". */
function gathered(ends: readonly End[], short: boolean): Omit<Label, "to">[] {
  const groups: End[][] = [];
  for (const end of ends.toSorted((a, b) => Number(a.mark !== "") - Number(b.mark !== ""))) {
    const group = groups.find(([first]) => rowOf(first!.curve) === rowOf(end.curve) && Math.abs(first!.at - end.at) < labelHeight && first!.x === end.x);
    if (group) group.push(end);
    else groups.push([end]);
  }
  return groups.map(([first, ...others]) => {
    const { curve, mark, x, y, at } = first!;
    const more = others.map((end) => end.mark);
    const name = labelOf(curve, "", short);
    return mark === "" ? { x, y, at, name, marks: more.join("  ") } : { x, y, at, name: "", marks: [labelOf(curve, mark, short), ...more].join("  ") };
  });
}

/** Moves labels apart, keeping their order, between top and bottom. Ghosts give way where there is no room for all. */
function spread(ends: readonly Omit<Label, "to">[], top: number, bottom: number): Label[] {
  const room = Math.max(1, Math.floor((bottom - top) / labelHeight));
  const chosen = ends.toSorted((a, b) => Number(a.name === "") - Number(b.name === "")).slice(0, room).sort((a, b) => a.at - b.at);
  const to = chosen.map(({ at }) => at);
  for (let round = 0; round < 100; round++) {
    let moved = false;
    for (let k = 1; k < to.length; k++) {
      const overlap = labelHeight - (to[k]! - to[k - 1]!);
      if (overlap > 0.01) {
        to[k - 1]! -= overlap / 2;
        to[k]! += overlap / 2;
        moved = true;
      }
    }
    if (!moved) break;
  }
  for (let k = 0; k < to.length; k++) to[k] = Math.max(to[k]!, k === 0 ? top : to[k - 1]! + labelHeight);
  for (let k = to.length - 1; k >= 0; k--) to[k] = Math.min(to[k]!, k === to.length - 1 ? bottom : to[k + 1]! - labelHeight);
  return chosen.map((end, k) => ({ ...end, to: to[k]! }));
}
