// A chart as a picture that stands alone: its styles are attributes, its title,
// caption and origin are in it.

import type { Colors, draw, Picture } from "./chart";
import { family } from "./fonts";
import { labelOf } from "./readout";

export interface Sheet {
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  readonly caption: string;
  /** A character after _ is a subscript. */
  readonly formula: string;
  readonly notes: readonly string[];
  readonly made: string;
  readonly link: string;
}

const width = 760;
const chartHeight = 400;
const margin = 28;
const smallSize = 11.5;
const tinySize = 9.5;
const lineHeight = 16.5;

const namespace = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** The fonts have to be loaded. */
export function pictureOf(sheet: Sheet, picture: Omit<Picture, "width"> & { readonly colors: Colors }, drawChart: typeof draw): string {
  const { ink, muted, paper } = picture.colors;
  const inner = width - 2 * margin;
  const chart = drawChart({ ...picture, family, width: inner, height: chartHeight }).element;
  const parts: SVGElement[] = [];
  let y = margin + 14;
  const say = (lines: readonly string[], attributes: Attributes, height = lineHeight) => {
    for (const line of lines) {
      const text = element("text", { x: margin, y, ...attributes });
      subscripted(text, line);
      parts.push(text);
      y += height;
    }
  };
  say(wrapped(sheet.title, inner, 17, 600), { "font-size": 17, "font-weight": 600, fill: ink }, 22);

  const plot = element("g", { transform: `translate(${margin},${y - 6})`, "font-size": 13, "text-anchor": "middle", fill: ink });
  plot.append(...[...chart.childNodes].filter((node) => !(node instanceof SVGStyleElement)));
  plot.querySelector(".cursor")?.remove();
  numberClips(plot);
  for (const node of plot.querySelectorAll("*")) {
    node.removeAttribute("class");
    for (const { name, value } of [...node.attributes]) if (value === "currentColor") node.setAttribute(name, ink);
  }
  parts.push(plot);
  y += chartHeight + 14;

  const small: Attributes = { "font-size": smallSize, fill: muted };
  say(wrapped(sheet.caption, inner, smallSize), small);
  say(wrapped(sheet.formula, inner, smallSize), small);
  for (const note of sheet.notes) say(wrapped(note, inner, smallSize), small);
  y += 4;
  const tiny: Attributes = { "font-size": tinySize, fill: muted };
  say(broken(sheet.made, inner, tinySize), tiny, 13.5);
  const before = parts.length;
  say(broken(sheet.link, inner, tinySize), tiny, 13.5);
  if (sheet.link.startsWith("http")) parts.push(element("a", { href: sheet.link }, ...parts.splice(before)));

  const height = Math.ceil(y + margin - 10);
  const root = element(
    "svg",
    { xmlns: namespace, width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "title desc", "font-family": family },
    element("title", { id: "title" }, `${sheet.title}: ${sheet.subtitle}`),
    element("desc", { id: "desc" }, [sheet.description, `Curves: ${picture.lines.map(({ curve, mark }) => labelOf(curve, mark, false)).join(", ")}.`].join(" ")),
    element("rect", { width, height, fill: paper }),
    ...parts,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

/** Plot numbers its clip paths through the life of a page; here they count from one. */
function numberClips(plot: SVGElement): void {
  for (const [i, clip] of plot.querySelectorAll("clipPath").entries()) {
    for (const clipped of plot.querySelectorAll(`[clip-path="url(#${clip.id})"]`)) clipped.setAttribute("clip-path", `url(#clip-${i + 1})`);
    clip.id = `clip-${i + 1}`;
  }
}

/** Sets a character after _, or what is between braces, lower and smaller. */
function subscripted(text: SVGElement, line: string): void {
  let lowered = false;
  for (const [part, group, single] of line.matchAll(/_(?:\{([^}]*)\}|(\p{L}(?:,\p{L})?))|[^_]+|_/gu)) {
    const sub = group ?? single;
    const shift: Attributes = sub !== undefined ? { dy: 3, "font-size": "75%" } : lowered ? { dy: -3 } : {};
    text.append(Object.keys(shift).length > 0 ? element("tspan", shift, sub ?? part) : part);
    lowered = sub !== undefined;
  }
}

const pencil = document.createElement("canvas").getContext("2d")!;

/** How wide a text is. */
function widthOf(words: string, size: number, weight = 400): number {
  pencil.font = `${weight} ${size}px ${family}`;
  return pencil.measureText(words).width;
}

function wrapped(words: string, room: number, size: number, weight = 400): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && widthOf(longer, size, weight) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Breaks a text without spaces, after an & if it can. */
function broken(text: string, room: number, size: number): string[] {
  let most = text.length;
  while (most > 1 && widthOf(text.slice(0, most), size) > room) most = Math.min(most - 1, Math.ceil((most * room) / widthOf(text.slice(0, most), size)));
  if (most === text.length) return [text];
  const cut = text.lastIndexOf("&", most - 1) + 1 || most;
  return [text.slice(0, cut), ...broken(text.slice(cut), room, size)];
}
