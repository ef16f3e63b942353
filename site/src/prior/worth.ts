// What the prior is worth, as the engine counts it.

import { byId, make } from "../dom";
import type { About } from "../formats";
import { next } from "./model";

const count = new Intl.NumberFormat("en");

export function showWorth(problem: About): void {
  const { eta, consistent, consistentWithoutPrior, parents, rate } = problem;
  const facts: [string, Node | string][] = [
    ["Prior knowledge η", String(eta)],
    ["Graphs left", grouped(consistent)],
    ["Without the prior", grouped(consistentWithoutPrior)],
  ];
  byId("prior-facts", HTMLElement).replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  const cell = (text: Node | string) => make("td", {}, text);
  byId("prior-counts", HTMLElement).replaceChildren(
    ...parents.map((y) =>
      make(
        "tr",
        {},
        make("th", { scope: "row", title: next(y.of) }, next(y.of)),
        cell(String(y.known.length)),
        cell(grouped(y.count)),
        cell(grouped(y.countWithoutPrior)),
      ),
    ),
  );
  byId("prior-rate", HTMLElement).replaceChildren(
    ...rate.flatMap(({ name, formula, value }) => [
      make("dt", {}, name.charAt(0).toUpperCase() + name.slice(1)),
      make("dd", {}, make("span", { className: "formula" }, ...typesetFormula(formula)), " ≈ ", scientific(value)),
    ]),
  );
}

/** Exact digits in groups, or the leading ones where there are many. */
export function grouped(digits: string): Node | string {
  if (digits.length <= 15) return count.format(BigInt(digits));
  const value = make("span", { title: digits }, ...power(`${digits[0]}.${digits.slice(1, 3)}`, digits.length - 1));
  return value;
}

function scientific(value: number): Node | string {
  if (!Number.isFinite(value)) return "too large to say";
  if (value < 1e6) return count.format(Number(value.toPrecision(3)));
  const [mantissa = "", exponent = ""] = value.toExponential(1).split("e+");
  return make("span", {}, ...power(mantissa, Number(exponent)));
}

function power(mantissa: string, exponent: number): (Node | string)[] {
  return [`${mantissa} × 10`, make("sup", {}, String(exponent))];
}

/** Sets a^b, a^(b) and a_b with raised and lowered letters. */
function typesetFormula(formula: string): (Node | string)[] {
  return formula.split(/(\^\([^)]*\)|\^\w|_\w)/).map((part) => {
    if (part.startsWith("^")) return make("sup", {}, ...typesetFormula(part.slice(1).replace(/^\((.*)\)$/, "$1")));
    if (part.startsWith("_")) return make("sub", {}, part.slice(1));
    return part;
  });
}
