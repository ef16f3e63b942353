// The prior as a graph. An edge is stated by a press on it, or by its variables: one chooses a variable on the left, then one on the right.

import { html, nothing, render, type TemplateResult } from "lit-html";
import { onResize } from "../../dom";
import { draw as put } from "../../markup";
import { brief } from "../../state/edges";
import { type Emphasis, edges, nearest, type Size, usualSize } from "./graph";
import { type Look, keyOf, markOf, next, statements, wordsOf } from "./model";
import { named } from "./named";
import { fronts } from "./names";

/** How far from an edge a mouse and a finger may press, in px. */
const [mouse, finger] = [14, 24];

interface Acts {
  toggle(i: number, j: number): void;
  /** States the probability of an edge. Undefined: the edge is unknown. */
  state(i: number, j: number, p: number | undefined): void;
  /** An edge is pointed at. */
  point(i: number, j: number): void;
  /** Tells the visitor what to do next. */
  say(words: string): void;
}

type Side = "from" | "to";

/** What is drawn: the prior, with what is sampled and believed beside it; and what is emphasised. */
export type Draw = (look: Look, drawn: Look, emphasis: Emphasis | undefined) => void;

export function picture(box: HTMLElement, { toggle, state, point, say }: Acts): Draw {
  let shown: Look | undefined;
  let drawn: Look | undefined;
  let emphasis: Emphasis | undefined;
  let names = "";
  let chosen: number | undefined;
  let pointed: readonly [i: number, j: number] | undefined;
  let size: Size = usualSize;
  /** The button of each side that is in the tab order. */
  let at: Readonly<Record<Side, number>> = { from: 0, to: 0 };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("preserveAspectRatio", "none");

  const near = ({ clientX, clientY }: MouseEvent, reach: number): readonly [number, number] | undefined => {
    const { left, top } = svg.getBoundingClientRect();
    return drawn && nearest(drawn, size, [clientX - left, clientY - top], reach);
  };
  const hover = (to: typeof pointed): void => {
    if (to?.join() === pointed?.join()) return;
    pointed = to;
    svg.classList.toggle("near", to !== undefined);
    if (to) point(...to);
    paint();
  };
  svg.addEventListener("pointermove", (event) => event.pointerType !== "touch" && hover(near(event, mouse)));
  svg.addEventListener("pointerleave", () => hover(undefined));
  svg.addEventListener("click", (event) => {
    const edge = pointed ?? near(event, "pointerType" in event && event.pointerType === "touch" ? finger : mouse);
    if (edge) toggle(...edge);
  });
  onResize(({ contentRect: { width, height } }) => {
    if (width === 0 || height === 0) return;
    size = { width, height };
    paint();
  }, svg);

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
  const node = (side: Side, i: number, name: string, front: string, label: string, more: { pressed?: boolean; mark?: string }): TemplateResult =>
    html`<li><button type="button" class=${side} title=${name} tabindex=${at[side] === i ? 0 : -1} aria-label=${label} .ariaPressed=${more.pressed === undefined ? null : String(more.pressed)}
      data-mark=${more.mark || nothing} @click=${() => press(side, i)} @focus=${() => rove(side, i)} @keydown=${(event: KeyboardEvent) => key(side, i, event)}>${named(name, front)}</button></li>`;

  function paint(): void {
    if (!drawn) return;
    svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    put(svg, edges(drawn, size, chosen, pointed ? { x: pointed[0], y: pointed[1] } : emphasis));
  }

  function draw(): void {
    const look = shown!;
    const { x, ySize } = look;
    const shared = fronts(x.map(({ name }) => name));
    /** The words of the edge i → j, if it is stated. */
    const stated = (i: number, j: number, name: string): string[] => {
      const p = look.stated[j]!.get(i) ?? 0;
      return p === 0 ? [] : [p === 1 ? name : `${name} (${brief(p)})`];
    };
    const from = x.map(({ name }, i) => {
      const to = look.stated.flatMap((_, j) => stated(i, j, next(x[j]!.name)));
      return node("from", i, name, shared[i]!, to.length === 0 ? `${name}, no known edge` : `${name}, leads to ${to.join(", ")}`, { pressed: i === chosen });
    });
    const to = x.slice(0, ySize).map((variable, j) => {
      const name = next(variable.name);
      const parents = x.flatMap(({ name }, i) => stated(i, j, name));
      const label =
        chosen === undefined
          ? `${name}, ${parents.length === 0 ? "no known parent" : `from ${parents.join(", ")}`}`
          : `${name}, from ${x[chosen]!.name}: ${wordsOf(look, chosen, j)}`;
      return node("to", j, name, shared[j]!, label, { mark: chosen === undefined ? "" : markOf(look, chosen, j) });
    });
    render(
      html`<ul aria-label="From: variables now">${from}</ul>
        <div>${svg}</div>
        <ul aria-label="To: variables at the next step">${to}</ul>`,
      box,
    );
    paint();
  }

  return (look, believed, of) => {
    if (!shown) box.replaceChildren(); // lit-html adds to what is there
    const other = JSON.stringify([look.x, look.ySize]);
    const same = look === shown && other === names;
    [shown, drawn, emphasis] = [look, believed, of];
    if (other !== names) {
      names = other;
      chosen = pointed = undefined;
      at = { from: 0, to: 0 };
    }
    if (same) paint();
    else draw();
  };
}
