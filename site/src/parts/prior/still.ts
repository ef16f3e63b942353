// The graph of a preset as the build puts it into the page, or the matrix of a large one, where it stands until the script draws its own
// (picture.ts, matrix.ts).

import type { About, Edge, Film } from "../../formats";
import { believed } from "../../state/believed";
import { brief } from "../../state/edges";
import { edges, fits, usualSize } from "./graph";
import { hasNumber, isLong, type Look, lookOf, markOf, next } from "./model";
import { fronts } from "./names";

/** What the build knows of a problem (site/pictures.go). Why: whether the problem says why its edges are suggested. */
export type Drawn = Pick<About, "state" | "action"> & { readonly edges: readonly Edge[]; readonly why: boolean };

/** The first view of a prior as markup. */
export interface Still {
  readonly graph?: string;
  readonly matrix?: { readonly rows: string; readonly long: boolean };
  readonly why: boolean;
}

/** The graph with what the film's first picture shows of it, or the matrix. */
export function still({ edges: known, why, ...problem }: Drawn, film: Film, escaped: (text: string) => string): Still {
  const first = film.frames[0];
  const look = lookOf({ edges: known }, { ...problem, suggested: [], truth: [] } as unknown as About, false, first && believed(film, first));
  return fits(look) ? { graph: graph(look, escaped), why } : { matrix: { rows: matrix({ ...look, sampled: undefined }, escaped), long: isLong(look) }, why };
}

function graph(look: Look, escaped: (text: string) => string): string {
  const { width, height } = usualSize;
  const shared = fronts(look.x.map(({ name }) => name));
  const list = (side: string, names: readonly string[]): string =>
    `<ul>${names.map((name, i) => `<li><button type="button" class="${side}" tabindex="-1">${nameOf(name, shared[i]!, escaped)}</button></li>`).join("")}</ul>`;
  return `${list(
    "from",
    look.x.map(({ name }) => name),
  )}<div><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${edges(look, usualSize)}</svg></div>${list(
    "to",
    look.x.slice(0, look.ySize).map(({ name }) => next(name)),
  )}`;
}

/** A name as the script shows it (named.ts). */
function nameOf(name: string, front: string, escaped: (text: string) => string): string {
  return front === "" ? escaped(name) : `<span class="name"><span>${escaped(front)}</span><span>${escaped(name.slice(front.length))}</span></span>`;
}

function matrix(look: Look, escaped: (text: string) => string): string {
  const { x, ySize } = look;
  const ys = x.slice(0, ySize);
  const cell = (i: number, j: number): string => {
    const mark = markOf(look, i, j);
    return `<td data-mark="${mark}">${hasNumber(mark) ? brief(look.stated[j]!.get(i)!) : ""}</td>`;
  };
  const head = ys.map(({ name }) => `<th scope="col"><span>${escaped(next(name))}</span></th>`).join("");
  return `<thead><tr><td></td>${head}</tr></thead><tbody>${x
    .map(({ name }, i) => `<tr><th scope="row"><span>${escaped(name)}</span></th>${ys.map((_, j) => cell(i, j)).join("")}</tr>`)
    .join("")}</tbody>`;
}
