// The prior as a grid with a row for each X and a column for each Y. One cell is in the tab
// order; the arrow keys, Home and End lead to the others.

import { html, nothing, render } from "lit-html";
import { byId, type Root } from "../../dom";
import { brief, keyOf, type Look, markOf, next, statements, wordsOf } from "./model";

interface Acts {
  /** States what the menu says about an edge, or takes it back. */
  toggle(i: number, j: number): void;
  /** States the probability of an edge. Undefined: the edge is unknown. */
  state(i: number, j: number, p: number | undefined): void;
  /** A pair is pointed at or has the focus. */
  point(i: number, j: number): void;
}

type Place = readonly [i: number, j: number];

/** How many rows PageUp and PageDown go. */
const leap = 8;

export function matrix(root: Root, { toggle, state, point }: Acts): (look: Look) => void {
  const table = byId(root, "prior-matrix", HTMLTableElement);
  let names = "";
  let at: Place = [0, 0];
  let cells: readonly (readonly HTMLTableCellElement[])[] = [];

  const placeOf = (target: EventTarget | null): Place | undefined => {
    const cell = target instanceof Element ? target.closest("td") : null;
    if (!(cell?.parentElement instanceof HTMLTableRowElement)) return undefined;
    const i = cell.parentElement.sectionRowIndex;
    const j = cell.cellIndex - 1;
    return cells[i]?.[j] === cell ? [i, j] : undefined;
  };
  const rove = (place: Place): void => {
    cells[at[0]]![at[1]]!.tabIndex = -1;
    at = place;
    cells[at[0]]![at[1]]!.tabIndex = 0;
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, act: (place: Place, event: HTMLElementEventMap[K]) => void): void =>
    table.addEventListener(type, (event) => {
      const place = placeOf(event.target);
      if (place) act(place, event);
    });
  on("click", (place) => {
    rove(place);
    toggle(...place);
  });
  on("focusin", (place) => {
    rove(place);
    point(...place);
  });
  on("pointerover", (place) => point(...place));
  on("keydown", ([i, j], event) => {
    if (event.altKey || event.metaKey) return;
    const [rows, columns, far] = [cells.length - 1, cells[0]!.length - 1, event.ctrlKey];
    if (event.key === " " || event.key === "Enter") {
      if (!far && !event.repeat) toggle(i, j);
      event.preventDefault();
      return;
    }
    if (!far && keyOf(event) in statements) {
      if (!event.repeat) state(i, j, statements[keyOf(event)]);
      event.preventDefault();
      return;
    }
    const steps: Readonly<Record<string, Place>> = {
      ArrowUp: [far ? 0 : i - 1, j],
      ArrowDown: [far ? rows : i + 1, j],
      ArrowLeft: [i, far ? 0 : j - 1],
      ArrowRight: [i, far ? columns : j + 1],
      Home: [far ? 0 : i, 0],
      End: [far ? rows : i, columns],
      PageUp: [i - leap, j],
      PageDown: [i + leap, j],
    };
    const to = steps[event.key];
    if (!to) return;
    event.preventDefault();
    const within = (n: number, last: number): number => Math.max(0, Math.min(n, last));
    cells[within(to[0], rows)]![within(to[1], columns)]!.focus();
  });

  return (look) => {
    const { x, ySize } = look;
    const ys = x.slice(0, ySize);
    const other = JSON.stringify([x, ySize]);
    if (other !== names) at = [0, 0];
    names = other;
    table.dataset["long"] = String(ys.some(({ name }) => [...name].length > 2));
    const cell = (i: number, j: number) =>
      html`<td role="gridcell" tabindex=${i === at[0] && j === at[1] ? 0 : -1} aria-label=${wordsOf(look, i, j)} data-mark=${markOf(look, i, j)}
        ?data-sampled=${look.sampled?.[j]?.has(i) === true}>${markOf(look, i, j) === "likely" ? brief(look.stated[j]!.get(i)!) : nothing}</td>`;
    render(
      html`<thead role="rowgroup"><tr role="row"><td role="presentation"></td>${ys.map(
        ({ name }) => html`<th scope="col" role="columnheader" title=${next(name)}><span>${next(name)}</span></th>`,
      )}</tr></thead>
      <tbody role="rowgroup">${x.map(
        ({ name }, i) => html`<tr role="row"><th scope="row" role="rowheader" title=${name}><span>${name}</span></th>${ys.map((_, j) => cell(i, j))}</tr>`,
      )}</tbody>`,
      table,
    );
    cells = Array.from(table.tBodies[0]!.rows, (row) => Array.from(row.querySelectorAll("td")));
    for (const [i, row] of cells.entries()) {
      for (const [j, cell] of row.entries()) {
        const belief = look.belief?.[j]?.[i];
        if (belief === undefined) cell.style.removeProperty("--belief");
        else cell.style.setProperty("--belief", String(belief));
      }
    }
  };
}
