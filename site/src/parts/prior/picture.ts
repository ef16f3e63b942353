// The prior as a picture, with the variables on the left, their next values on the right, and
// a curve for each edge. A likely edge has its probability. One chooses a variable on the left,
// then one on the right.

import { html, nothing, render, svg, type TemplateResult } from "lit-html";
import { brief, type Look, type Mark, keyOf, markOf, next, statements, wordsOf } from "./model";

const rowHeight = 32;
const width = 96;

interface Acts {
  toggle(i: number, j: number): void;
  /** States the probability of an edge. Undefined: the edge is unknown. */
  state(i: number, j: number, p: number | undefined): void;
  /** Tells the visitor what to do next. */
  say(words: string): void;
}

type Side = "from" | "to";

/** Marks with higher numbers are drawn above the others. */
const order: Readonly<Record<Mark, number>> = { unknown: 1, forbidden: 1, missed: 1, likely: 2, known: 3, misspecified: 4, excluded: 4 };

export function picture(box: HTMLElement, { toggle, state, say }: Acts): (look: Look) => void {
  let shown: Look | undefined;
  let names = "";
  let chosen: number | undefined;
  /** The button of each side that is in the tab order. */
  let at: Readonly<Record<Side, number>> = { from: 0, to: 0 };

  const choose = (i: number | undefined): void => {
    chosen = i;
    draw();
    say(i === undefined ? "Choose a variable on the left." : `From ${shown!.x[i]!.name}: choose on the right where it leads.`);
  };
  const press = (side: Side, i: number): void => {
    if (side === "from") choose(chosen === i ? undefined : i);
    else if (chosen === undefined) say("Choose a variable on the left first.");
    else toggle(chosen, i);
  };
  const rove = (side: Side, i: number): void => {
    at = { ...at, [side]: i };
    draw();
  };
  const go = (side: Side, i: number): void => box.querySelectorAll<HTMLElement>(`button.${side}`)[i]?.focus();
  const key = (side: Side, i: number, event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = (side === "from" ? shown!.x.length : shown!.ySize) - 1;
    const steps: Readonly<Record<string, readonly [Side, number]>> = {
      ArrowUp: [side, Math.max(0, i - 1)],
      ArrowDown: [side, Math.min(last, i + 1)],
      Home: [side, 0],
      End: [side, last],
      ArrowLeft: ["from", at.from],
      ArrowRight: ["to", at.to],
    };
    const to = steps[event.key];
    if (side === "to" && chosen !== undefined && keyOf(event) in statements) {
      if (!event.repeat) state(chosen, i, statements[keyOf(event)]);
    } else if (to) go(...to);
    else if (event.key === "Escape" && chosen !== undefined) choose(undefined);
    else return;
    event.preventDefault();
  };
  const node = (side: Side, i: number, name: string, label: string, more: { pressed?: boolean; mark?: string }): TemplateResult =>
    html`<li><button type="button" class=${side} title=${name} tabindex=${at[side] === i ? 0 : -1} aria-label=${label} .ariaPressed=${more.pressed === undefined ? null : String(more.pressed)}
      data-mark=${more.mark ?? nothing} @click=${() => press(side, i)} @focus=${() => rove(side, i)} @keydown=${(event: KeyboardEvent) => key(side, i, event)}>${name}</button></li>`;

  function draw(): void {
    const look = shown!;
    const { x, ySize } = look;
    /** The words of the edge i → j, if it is stated. */
    const stated = (i: number, j: number, name: string): string[] => {
      const p = look.stated[j]!.get(i) ?? 0;
      return p === 0 ? [] : [p === 1 ? name : `${name} (${brief(p)})`];
    };
    const from = x.map(({ name }, i) => {
      const to = look.stated.flatMap((_, j) => stated(i, j, next(x[j]!.name)));
      return node("from", i, name, to.length === 0 ? `${name}, no known edge` : `${name}, leads to ${to.join(", ")}`, { pressed: i === chosen });
    });
    const to = x.slice(0, ySize).map((variable, j) => {
      const name = next(variable.name);
      const parents = x.flatMap(({ name }, i) => stated(i, j, name));
      const label =
        chosen === undefined
          ? `${name}, ${parents.length === 0 ? "no known parent" : `from ${parents.join(", ")}`}`
          : `${name}, from ${x[chosen]!.name}: ${wordsOf(look, chosen, j)}`;
      return node("to", j, name, label, { mark: chosen === undefined ? "" : markOf(look, chosen, j) });
    });
    box.style.setProperty("--rows", String(x.length));
    render(
      html`<ul aria-label="From: variables now">${from}</ul>
        <svg viewBox="0 0 ${width} ${rowHeight * x.length}" aria-hidden="true">${edges(look, chosen)}</svg>
        <ul aria-label="To: variables at the next step">${to}</ul>`,
      box,
    );
  }

  return (look) => {
    shown = look;
    const other = JSON.stringify([look.x, look.ySize]);
    if (other !== names) {
      names = other;
      chosen = undefined;
      at = { from: 0, to: 0 };
    }
    draw();
  };
}

/** The place on a curve for its number or cross. It is further along for later variables, so that curves that cross have theirs apart. */
function placeOn(from: number, to: number, share: number): readonly [x: number, y: number] {
  const t = 0.2 + 0.6 * share;
  const u = 1 - t;
  const at = ([a, b, c, d]: readonly [number, number, number, number]): number => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  return [at([2, width / 2, width / 2, width - 9]), at([from, from, to, to])];
}

function edges(look: Look, chosen: number | undefined): TemplateResult[] {
  const { x, ySize } = look;
  const list: { order: number; shapes: TemplateResult }[] = [];
  const numbers: TemplateResult[] = [];
  for (let j = 0; j < ySize; j++) {
    for (let i = 0; i < x.length; i++) {
      const mark = markOf(look, i, j);
      const sampled = look.sampled?.[j]?.has(i) === true;
      if (mark === "unknown" && !sampled) continue;
      const from = rowHeight * (i + 0.5);
      const to = (rowHeight * x.length * (j + 0.5)) / ySize;
      const faint = chosen !== undefined && chosen !== i ? " faint" : "";
      const middle = width / 2;
      const [left, top] = placeOn(from, to, (j + 1) / (ySize + 1));
      const shapes = svg`<path class="edge ${mark}${sampled ? " sampled" : ""}${faint}" d="M2 ${from}C${middle} ${from} ${middle} ${to} ${width - 9} ${to}" />
        <path class="head ${mark}${faint}" d="M${width - 2} ${to}l-8 -4v8z" />
        ${["misspecified", "forbidden", "excluded"].includes(mark) ? svg`<path class="cross ${mark}${faint}" d="M${left - 5} ${top - 5}l10 10m0 -10l-10 10" />` : null}`;
      if (mark === "likely") numbers.push(svg`<text class="p${faint}" x=${left} y=${top}>${brief(look.stated[j]!.get(i)!)}</text>`);
      list.push({ order: order[mark], shapes });
    }
  }
  return [...list.sort((a, b) => a.order - b.order).map(({ shapes }) => shapes), ...numbers];
}
