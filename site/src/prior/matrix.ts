// The prior as a grid of X by Y: a row for each variable, a column for each next
// value. One cell is in the tab order; arrows, Home and End lead to the others.

import { make } from "../dom";
import { markOf, next, wordsOf, type Look } from "./model";

export class Matrix {
  /** Asks for an edge to be added or removed. */
  ontoggle: (i: number, j: number) => void = () => {};
  /** A pair is pointed at or has the focus. */
  onlook: (i: number, j: number) => void = () => {};
  #cells: HTMLTableCellElement[][] = [];
  #names = "";
  #at: readonly [i: number, j: number] = [0, 0];

  constructor(private readonly table: HTMLTableElement) {
    table.addEventListener("click", ({ target }) => {
      const place = this.#placeOf(target);
      if (!place) return;
      this.#rove(...place);
      this.ontoggle(...place);
    });
    table.addEventListener("focusin", ({ target }) => {
      const place = this.#placeOf(target);
      if (!place) return;
      this.#rove(...place);
      this.onlook(...place);
    });
    table.addEventListener("pointerover", ({ target }) => {
      const place = this.#placeOf(target);
      if (place) this.onlook(...place);
    });
    table.addEventListener("keydown", (event) => this.#press(event));
  }

  show(look: Look): void {
    const names = JSON.stringify([look.x, look.ySize]);
    if (names !== this.#names) {
      this.#names = names;
      this.#build(look);
    }
    for (const [i, row] of this.#cells.entries()) {
      for (const [j, cell] of row.entries()) update(cell, look, i, j);
    }
  }

  #build({ x, ySize }: Look): void {
    this.#cells = x.map(() =>
      Array.from({ length: ySize }, () => {
        const cell = make("td", { tabIndex: -1 });
        cell.setAttribute("role", "gridcell");
        return cell;
      }),
    );
    const header = (text: string, scope: "row" | "col", title: string) => {
      const cell = make("th", { scope, title }, make("span", {}, text));
      cell.setAttribute("role", scope === "row" ? "rowheader" : "columnheader");
      return cell;
    };
    const row = (...cells: HTMLElement[]) => {
      const line = make("tr", {}, ...cells);
      line.setAttribute("role", "row");
      return line;
    };
    const corner = make("td");
    corner.setAttribute("role", "presentation");
    this.table.dataset["long"] = String(x.slice(0, ySize).some(({ name }) => [...name].length > 2));
    this.table.replaceChildren(
      make("thead", {}, row(corner, ...x.slice(0, ySize).map(({ name }) => header(next(name), "col", next(name))))),
      make("tbody", {}, ...this.#cells.map((cells, i) => row(header(x[i]!.name, "row", x[i]!.name), ...cells))),
    );
    for (const group of this.table.querySelectorAll("thead, tbody")) group.setAttribute("role", "rowgroup");
    this.#at = [0, 0];
    this.#cells[0]![0]!.tabIndex = 0;
  }

  #placeOf(target: EventTarget | null): [number, number] | undefined {
    const cell = target instanceof Element ? target.closest("td") : null;
    if (!(cell?.parentElement instanceof HTMLTableRowElement)) return undefined;
    const i = cell.parentElement.sectionRowIndex;
    const j = cell.cellIndex - 1;
    return this.#cells[i]?.[j] === cell ? [i, j] : undefined;
  }

  #rove(i: number, j: number): void {
    this.#cells[this.#at[0]]![this.#at[1]]!.tabIndex = -1;
    this.#at = [i, j];
    this.#cells[i]![j]!.tabIndex = 0;
  }

  #press(event: KeyboardEvent): void {
    const place = this.#placeOf(event.target);
    if (!place || event.altKey || event.metaKey) return;
    const [i, j] = place;
    const rows = this.#cells.length - 1;
    const columns = this.#cells[0]!.length - 1;
    const leap = 8;
    const far = event.ctrlKey;
    let to: readonly [number, number] | undefined;
    switch (event.key) {
      case "ArrowUp":
        to = [far ? 0 : i - 1, j];
        break;
      case "ArrowDown":
        to = [far ? rows : i + 1, j];
        break;
      case "ArrowLeft":
        to = [i, far ? 0 : j - 1];
        break;
      case "ArrowRight":
        to = [i, far ? columns : j + 1];
        break;
      case "Home":
        to = [far ? 0 : i, 0];
        break;
      case "End":
        to = [far ? rows : i, columns];
        break;
      case "PageUp":
        to = [i - leap, j];
        break;
      case "PageDown":
        to = [i + leap, j];
        break;
      case " ":
      case "Enter":
        if (!far && !event.repeat) this.ontoggle(i, j);
        event.preventDefault();
        return;
      default:
        return;
    }
    event.preventDefault();
    const within = (n: number, last: number) => Math.max(0, Math.min(n, last));
    this.#cells[within(to[0], rows)]![within(to[1], columns)]!.focus();
  }
}

/** Writes what is new. Words are the cell's name; its mark is drawn by the style. */
function update(cell: HTMLTableCellElement, look: Look, i: number, j: number): void {
  const words = wordsOf(look, i, j);
  if (cell.ariaLabel === words) return;
  cell.ariaLabel = words;
  cell.dataset["mark"] = markOf(look, i, j);
  cell.toggleAttribute("data-sampled", look.sampled?.[j]?.has(i) === true);
  const belief = look.belief?.[j]?.[i];
  if (belief === undefined) cell.style.removeProperty("--belief");
  else cell.style.setProperty("--belief", String(belief));
}
