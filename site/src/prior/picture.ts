// The prior as a picture: variables on the left, their next values on the right,
// curves between them. Choose one on the left, then one on the right.

import { make } from "../dom";
import { markOf, next, wordsOf, type Look, type Mark } from "./model";

const rowHeight = 32;
const width = 64;

export class Picture {
  ontoggle: (i: number, j: number) => void = () => {};
  /** Says what to do next, or what is so. */
  onsay: (words: string) => void = () => {};
  readonly #left = make("ul");
  readonly #right = make("ul");
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #look: Look | undefined;
  #names = "";
  #chosen: number | undefined;
  /** The place in the tab order of each side. */
  #at = [0, 0];

  constructor(private readonly box: HTMLElement) {
    this.#left.setAttribute("aria-label", "From: variables now");
    this.#right.setAttribute("aria-label", "To: variables at the next step");
    this.#svg.setAttribute("aria-hidden", "true");
    box.replaceChildren(this.#left, this.#svg, this.#right);
    box.addEventListener("click", ({ target }) => {
      const place = this.#placeOf(target);
      if (place) this.#press(...place);
    });
    box.addEventListener("focusin", ({ target }) => {
      const place = this.#placeOf(target);
      if (place) this.#rove(...place);
    });
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  show(look: Look): void {
    this.#look = look;
    const names = JSON.stringify([look.x, look.ySize]);
    if (names !== this.#names) {
      this.#names = names;
      this.#chosen = undefined;
      this.#build(look);
    }
    this.#draw(look);
  }

  #build({ x, ySize }: Look): void {
    const node = (side: number, name: string) =>
      make("li", {}, make("button", { type: "button", tabIndex: -1, className: side === 0 ? "from" : "to", title: name }, name));
    this.#left.replaceChildren(...x.map(({ name }) => node(0, name)));
    this.#right.replaceChildren(...x.slice(0, ySize).map(({ name }) => node(1, next(name))));
    const height = rowHeight * x.length;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.box.style.setProperty("--rows", String(x.length));
    this.#at = [0, 0];
    for (const side of [0, 1]) this.#node(side, 0)!.tabIndex = 0;
  }

  #draw(look: Look): void {
    const { x, ySize } = look;
    const chosen = this.#chosen;
    const edges: { mark: Mark; order: number; path: SVGPathElement[] }[] = [];
    for (let j = 0; j < ySize; j++) {
      for (let i = 0; i < x.length; i++) {
        const mark = markOf(look, i, j);
        const sampled = look.sampled?.[j]?.has(i) === true;
        if (mark === "unknown" && !sampled) continue;
        const from = rowHeight * (i + 0.5);
        const to = (rowHeight * x.length * (j + 0.5)) / ySize;
        const faint = chosen !== undefined && chosen !== i ? " faint" : "";
        const line = shape("path", {
          d: `M2 ${from}C${width / 2} ${from} ${width / 2} ${to} ${width - 9} ${to}`,
          class: `edge ${mark}${sampled ? " sampled" : ""}${faint}`,
        });
        const head = shape("path", { d: `M${width - 2} ${to}l-8 -4v8z`, class: `head ${mark}${faint}` });
        const parts = [line, head];
        if (mark === "misspecified") {
          const at = [width / 2, (from + to) / 2];
          parts.push(shape("path", { d: `M${at[0]! - 5} ${at[1]! - 5}l10 10m0 -10l-10 10`, class: `cross${faint}` }));
        }
        edges.push({ mark, order: mark === "known" ? 2 : mark === "misspecified" ? 3 : 1, path: parts });
      }
    }
    edges.sort((a, b) => a.order - b.order);
    this.#svg.replaceChildren(...edges.flatMap(({ path }) => path));
    for (const [i, { name }] of x.entries()) {
      const to = look.known.flatMap((parents, j) => (parents.has(i) ? [next(x[j]!.name)] : []));
      const button = this.#node(0, i)!;
      button.ariaPressed = String(i === chosen);
      button.ariaLabel = to.length === 0 ? `${name}, no known edge` : `${name}, leads to ${to.join(", ")}`;
    }
    for (let j = 0; j < ySize; j++) {
      const name = next(x[j]!.name);
      const button = this.#node(1, j)!;
      const from = [...look.known[j]!].map((i) => x[i]!.name);
      button.dataset["mark"] = chosen === undefined ? "" : markOf(look, chosen, j);
      button.ariaLabel =
        chosen === undefined
          ? `${name}, ${from.length === 0 ? "no known parent" : `from ${from.join(", ")}`}`
          : `${name}, from ${x[chosen]!.name}: ${wordsOf(look, chosen, j)}`;
    }
  }

  #node(side: number, at: number): HTMLButtonElement | undefined {
    return (side === 0 ? this.#left : this.#right).children[at]?.firstElementChild as HTMLButtonElement | undefined;
  }

  #placeOf(target: EventTarget | null): [side: number, at: number] | undefined {
    const item = target instanceof Element ? target.closest("li") : null;
    if (!item?.parentElement) return undefined;
    return [item.parentElement === this.#left ? 0 : 1, [...item.parentElement.children].indexOf(item)];
  }

  #rove(side: number, at: number): void {
    this.#node(side, this.#at[side]!)!.tabIndex = -1;
    this.#at[side] = at;
    this.#node(side, at)!.tabIndex = 0;
  }

  #press(side: number, at: number): void {
    const look = this.#look!;
    if (side === 0) this.#choose(this.#chosen === at ? undefined : at);
    else if (this.#chosen === undefined) this.onsay("Choose a variable on the left first.");
    else this.ontoggle(this.#chosen, at);
    if (side === 0 && this.#chosen !== undefined) this.onsay(`From ${look.x[at]!.name}: choose on the right where it leads.`);
  }

  #choose(i: number | undefined): void {
    this.#chosen = i;
    this.#draw(this.#look!);
    if (i === undefined) this.onsay("Choose a variable on the left.");
  }

  #key(event: KeyboardEvent): void {
    const place = this.#placeOf(event.target);
    if (!place || event.ctrlKey || event.altKey || event.metaKey) return;
    const [side, at] = place;
    const last = (side === 0 ? this.#left : this.#right).children.length - 1;
    const go = (toSide: number, to: number) => this.#node(toSide, to)?.focus();
    switch (event.key) {
      case "ArrowUp":
        go(side, Math.max(0, at - 1));
        break;
      case "ArrowDown":
        go(side, Math.min(last, at + 1));
        break;
      case "Home":
        go(side, 0);
        break;
      case "End":
        go(side, last);
        break;
      case "ArrowLeft":
        go(0, this.#at[0]!);
        break;
      case "ArrowRight":
        go(1, this.#at[1]!);
        break;
      case "Escape":
        if (this.#chosen === undefined) return;
        this.#choose(undefined);
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

function shape(name: "path", attributes: Readonly<Record<string, string>>): SVGPathElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
