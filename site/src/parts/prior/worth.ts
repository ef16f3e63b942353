// What the prior is worth, as the engine counts it.

import { effect } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { byId, type Root } from "../../dom";
import type { App } from "../../state/app";
import { next } from "./model";

const count = new Intl.NumberFormat("en");
type Shown = TemplateResult | string;

export function worth(root: Root, app: App): void {
  const put = (id: string, content: unknown): void => void render(content, byId(root, id, HTMLElement));
  effect(() => {
    const about = app.about.value;
    if (!about) return;
    const { eta, consistent, consistentWithoutPrior, parents, rate, rateSilent } = about;
    const fact = (name: string, value: Shown) => html`<dt>${name}</dt><dd>${value}</dd>`;
    put("prior-facts", [
      fact("Prior knowledge η", String(eta)),
      fact("Graphs left", grouped(consistent)),
      fact("Without the prior", grouped(consistentWithoutPrior)),
    ]);
    put(
      "prior-counts",
      parents.map(
        (y) =>
          html`<tr><th scope="row" title=${next(y.of)}>${next(y.of)}</th><td>${y.known.length}</td><td>${grouped(y.count)}</td><td>${grouped(y.countWithoutPrior)}</td></tr>`,
      ),
    );
    put(
      "prior-rate",
      rateSilent
        ? fact("No rate", rateSilent)
        : rate.map(({ name, formula, value }) =>
            fact(name.charAt(0).toUpperCase() + name.slice(1), html`<span class="formula">${typesetFormula(formula)}</span> ≈ ${scientific(value)}`),
          ),
    );
  });
}

/** Exact digits in groups, or the leading ones where there are many. */
export function grouped(digits: string): Shown {
  if (digits.length <= 15) return count.format(BigInt(digits));
  return html`<span title=${digits}>${power(`${digits[0]}.${digits.slice(1, 3)}`, digits.length - 1)}</span>`;
}

function scientific(value: number): Shown {
  if (!Number.isFinite(value)) return "too large to say";
  if (value < 1e6) return count.format(Number(value.toPrecision(3)));
  const [mantissa = "", exponent = ""] = value.toExponential(1).split("e+");
  return html`<span>${power(mantissa, Number(exponent))}</span>`;
}

const power = (mantissa: string, exponent: number): TemplateResult => html`${mantissa} × 10<sup>${exponent}</sup>`;

/** Sets a^b, a^(b) and a_b with raised and lowered letters. */
function typesetFormula(formula: string): Shown[] {
  return formula.split(/(\^\([^)]*\)|\^\w|_\w)/).map((part) => {
    if (part.startsWith("^")) return html`<sup>${typesetFormula(part.slice(1).replace(/^\((.*)\)$/, "$1"))}</sup>`;
    return part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part;
  });
}
