// What the prior is worth: the graphs and parent sets that it leaves, the rate of Theorem 1,
// and what transitions say of it.

import { effect } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { byId } from "../../dom";
import type { About } from "../../formats";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import { next, untold } from "./model";

const count = new Intl.NumberFormat("en");
type Shown = TemplateResult | string;

export function worth(playground: Playground): void {
  const { root, app } = playground;
  const box = byId(root, "worth", HTMLElement);
  const ask = (): void => void later(() => import("../../dialogs/posterior")).then((made) => made?.openPosterior(playground));
  const fact = (name: string, value: Shown) => html`<dt>${name}</dt><dd>${value}</dd>`;
  const term = ({ name, formula, value }: About["rate"][number]) =>
    fact(name.charAt(0).toUpperCase() + name.slice(1), html`<span class="formula">${typesetFormula(formula)}</span> ≈ ${scientific(value)}`);
  effect(() => {
    const about = app.about.value;
    if (!about) return;
    const { eta, consistent, consistentWithoutPrior, parents, rate, rateSilent } = about;
    render(
      html`<dl id="prior-facts" class="facts">
          ${fact("Prior knowledge η", String(eta))}${fact("Graphs left", grouped(consistent))}${fact("Without the prior", grouped(consistentWithoutPrior))}
        </dl>
        <p class="help">${untold(about)}</p>
        <button type="button" id="transitions" @click=${ask}>What do transitions say about the graph?…</button>
        <details open>
          <summary>Parent sets left for each</summary>
          <div class="scroll" role="region" aria-label="Parent sets left for each variable" tabindex="0">
            <table class="counts">
              <thead><tr><th scope="col">Of</th><th scope="col">Known</th><th scope="col">|𝒵<sub>j</sub>|</th><th scope="col">No prior</th></tr></thead>
              <tbody translate="no" id="prior-counts">
                ${parents.map(
                  (y) =>
                    html`<tr><th scope="row" title=${next(y.of)}>${next(y.of)}</th><td>${y.known.length}</td><td>${grouped(y.count)}</td><td>${grouped(y.countWithoutPrior)}</td></tr>`,
                )}
              </tbody>
            </table>
          </div>
          <p class="help">The number of sets of at most <i>Z</i> parents that contain the known ones; “graphs left” is the product of these numbers.</p>
        </details>
        <details open>
          <summary>What Theorem 1 promises</summary>
          <p class="help">The mean regret over environments drawn from the prior grows at most like the sum of the first two terms, constants and logarithms left out. The regret of one environment, such as the taxi, can grow faster. The other terms are of the proof.</p>
          <dl id="prior-rate" class="rate">${rateSilent ? fact("No rate", rateSilent) : rate.map(term)}</dl>
          <p class="help">Each step of η halves what is under the root of the second term. In a small domain that hardly matters, as the paper’s appendix says of its random FMDP: “this domain is extremely small, so that the regret rate is actually dominated by the first term”.</p>
        </details>`,
      box,
    );
  });
}

/** All digits of a number, in groups, or only the first digits if there are many. */
function grouped(digits: string): Shown {
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

/** Sets a^b, a^(b) and a_b as superscripts and subscripts. */
function typesetFormula(formula: string): Shown[] {
  return formula.split(/(\^\([^)]*\)|\^\w|_\w)/).map((part) => {
    if (part.startsWith("^")) return html`<sup>${typesetFormula(part.slice(1).replace(/^\((.*)\)$/, "$1"))}</sup>`;
    return part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part;
  });
}
