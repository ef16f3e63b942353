// The prior as a grid with a row for each X and a column for each Y. One cell is in the tab
// order; the arrow keys, Home and End lead to the others. Of a large problem the grid shows a part, which follows the cell that is
// chosen, and says so: 65,280 cells of 256 variables would hold the page up at each change.

import { html, nothing, render } from "lit-html";
import { byId, type Root } from "../../dom";
import { hasNumber, isLong, keyOf, type Look, markOf, mostShown, next, partOf, statements, windowTo, wordsOf } from "./model";
import { brief } from "../../state/edges";

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
  /** The first row and column that are shown. */
  let from: Place = [0, 0];
  let last: Look | undefined;
  let cells: readonly (readonly HTMLTableCellElement[])[] = [];

  const placeOf = (target: EventTarget | null): Place | undefined => {
    const cell = target instanceof Element ? target.closest("td") : null;
    if (!(cell?.parentElement instanceof HTMLTableRowElement)) return undefined;
    const place: Place = [from[0] + cell.parentElement.sectionRowIndex, from[1] + cell.cellIndex - 1];
    return cellAt(place) === cell ? place : undefined;
  };
  const cellAt = ([i, j]: Place): HTMLTableCellElement | undefined => cells[i - from[0]]?.[j - from[1]];
  const rove = (place: Place): void => {
    const before = cellAt(at);
    if (before) before.tabIndex = -1;
    at = place;
    cellAt(at)!.tabIndex = 0;
  };
  /** Shows a part of the grid that has a cell. */
  const bring = (place: Place): void => {
    const { x, ySize } = last!;
    const to: Place = [windowTo(place[0], from[0], x.length), windowTo(place[1], from[1], ySize)];
    if (to[0] === from[0] && to[1] === from[1]) return;
    from = to;
    at = place;
    draw(last!);
  };
  /** Shows the next rows or columns, after the last ones the first. */
  const turn = (rows: boolean): void => {
    const { x, ySize } = last!;
    const [k, of] = rows ? [from[0], x.length] : [from[1], ySize];
    const first = k + mostShown < of ? k + mostShown : 0;
    // First the last cell of the new part, then its first, so that the part is as full as can be.
    const end = Math.min(first + mostShown, of) - 1;
    bring(rows ? [end, from[1]] : [from[0], end]);
    bring(rows ? [first, from[1]] : [from[0], first]);
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
  // A page that scrolls under a mouse at rest lets nobody point at another edge.
  on("pointermove", (place, { movementX, movementY }) => {
    if (movementX !== 0 || movementY !== 0) point(...place);
  });
  on("keydown", ([i, j], event) => {
    if (event.altKey || event.metaKey) return;
    const [rows, columns, far] = [last!.x.length - 1, last!.ySize - 1, event.ctrlKey];
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
    const place: Place = [within(to[0], rows), within(to[1], columns)];
    bring(place);
    const cell = cellAt(place)!;
    if (cell.matches(":focus")) cell.blur(); // the element stands for another edge than before, and says so
    cell.focus();
  });

  const draw = (look: Look): void => {
    last = look;
    if (cells.length === 0) table.replaceChildren(); // lit-html adds to what is there
    const { x, ySize } = look;
    const other = JSON.stringify([x, ySize]);
    if (other !== names) at = from = [0, 0];
    names = other;
    const ys = x.slice(from[1], Math.min(ySize, from[1] + mostShown));
    const cut = x.length > mostShown || ySize > mostShown;
    table.dataset["long"] = String(isLong(look));
    for (const [name, count] of [
      ["aria-rowcount", x.length + 1],
      ["aria-colcount", ySize + 1],
    ] as const) {
      if (cut) table.setAttribute(name, String(count));
      else table.removeAttribute(name);
    }
    const cell = (i: number, j: number) =>
      html`<td role="gridcell" aria-colindex=${cut ? j + 2 : nothing} tabindex=${i === at[0] && j === at[1] ? 0 : -1} aria-label=${wordsOf(look, i, j)} data-mark=${markOf(look, i, j)}
        ?data-sampled=${look.sampled?.[j]?.has(i) === true}>${hasNumber(markOf(look, i, j)) ? brief(look.stated[j]!.get(i)!) : nothing}</td>`;
    render(
      html`${
        cut
          ? html`<caption>Shown: ${partOf(from[0], x.length, "rows")}${x.length > mostShown ? html` <button type="button" @click=${() => turn(true)}>Next rows</button>` : nothing},
            ${partOf(from[1], ySize, "columns")}${ySize > mostShown ? html` <button type="button" @click=${() => turn(false)}>Next columns</button>` : nothing}.
            The arrow keys lead to all cells, and Text has all edges.</caption>`
          : nothing
      }<thead role="rowgroup"><tr role="row" aria-rowindex=${cut ? 1 : nothing}><td role="presentation"></td>${ys.map(
        ({ name }, k) =>
          html`<th scope="col" role="columnheader" aria-colindex=${cut ? from[1] + k + 2 : nothing} title=${next(name)}><span>${next(name)}</span></th>`,
      )}</tr></thead>
      <tbody role="rowgroup">${x
        .slice(from[0], from[0] + mostShown)
        .map(
          ({ name }, k) =>
            html`<tr role="row" aria-rowindex=${cut ? from[0] + k + 2 : nothing}><th scope="row" role="rowheader" aria-colindex=${cut ? 1 : nothing} title=${name}><span>${name}</span></th>${ys.map((_, j) => cell(from[0] + k, from[1] + j))}</tr>`,
        )}</tbody>`,
      table,
    );
    cells = Array.from(table.tBodies[0]!.rows, (row) => Array.from(row.querySelectorAll("td")));
    for (const [i, row] of cells.entries()) {
      for (const [j, cell] of row.entries()) {
        const belief = look.belief?.[from[1] + j]?.[from[0] + i];
        if (belief === undefined) cell.style.removeProperty("--belief");
        else cell.style.setProperty("--belief", String(belief));
      }
    }
  };
  return draw;
}
