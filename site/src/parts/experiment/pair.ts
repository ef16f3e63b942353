// The difference of two lines, taken run by run: the choice of the lines, and the curves.
// Loaded when a difference is first shown.

import { computed, effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { make, typeset } from "../../dom";
import type { Series } from "../../formats";
import type { Playground } from "../../state/playground";
import { Asked, type Said } from "../../state/asked";
import { isOf, nameOfPair, nameOfRef, type Pair, pairOf, parsed, type Ref, refsOf } from "../../state/pairs";
import { type Curve, curvesOf, type Result } from "../../state/results";

export type Pairing = ReturnType<typeof pairing>;

/** Puts the choice of the two lines after the toolbar. Shown: whether a difference is shown. */
export function pairing(
  { app, comparison, shows }: Playground,
  main: { readonly value: Result | undefined },
  shown: { readonly value: boolean },
  toolbar: HTMLElement,
) {
  const box = make("div", { id: "pair", hidden: true });
  toolbar.after(box);
  const pair = computed(() => main.value && pairOf(main.value, comparison.kept.value, app.view.value.pair));
  const marked = computed(() => pair.value?.some((ref) => parsed(ref).mark !== "") ?? false);

  // Taking

  const differences = new Asked<readonly Curve[]>();
  const resultOf = (ref: Ref): Result | undefined => {
    const { mark } = parsed(ref);
    return mark === "" ? main.value : comparison.kept.value.find((kept) => kept.mark === mark)?.result;
  };
  /** The difference of two lines, from two results or from the same. */
  const take = (first: Result, second: Result, [agent, base]: Pair): Said<readonly Curve[]> =>
    differences.of(first, JSON.stringify([agent, base, second.fingerprint]), () => {
      const [x, y] = [parsed(agent), parsed(base)];
      const other = first !== second;
      const query = new URLSearchParams({
        agent: x.label,
        base: y.label,
        ...(other && { split: String(first.records!.size), agentMark: x.mark, baseMark: y.mark }),
      });
      const name = other ? nameOfPair([agent, base]) : undefined;
      return {
        path: `/v1/difference?${query}`,
        body: new Blob(other ? [first.records!, second.records!] : [first.records!]),
        made: (line) => curvesOf(line as readonly Series[]).map((curve) => ({ ...curve, name })),
      };
    });
  const takenOf = (result: Result): Said<readonly Curve[]> => {
    const now = pair.value;
    if (!now) return {};
    if (marked.value) {
      const [first, second] = now.map(resultOf);
      return result === main.value && first?.records && second?.records ? take(first, second, now) : { answer: [] };
    }
    const own = result.differences.filter((curve) => isOf(curve, now));
    if (own.length > 0) return { answer: own };
    const { agents } = result.spec;
    if (!result.records || !now.every((label) => agents.includes(label))) return { answer: [] };
    return take(result, result, now);
  };

  // Choosing

  const choose = (at: 0 | 1, ref: Ref): void => {
    const [agent, base] = pair.value!;
    const other = at === 0 ? base : agent;
    // If the other menu has the chosen line, the two lines change places.
    const mine = at === 0 ? agent : base;
    const next = ref === other ? mine : other;
    app.look({ pair: at === 0 ? [ref, next] : [next, ref] });
  };
  /** What to say while there is no curve. */
  const words = computed(() => {
    const of = main.value;
    if (!of) return "";
    const { answer, failure } = takenOf(of);
    return failure ?? (answer ? "" : "Taking the difference, run by run…");
  });
  effect(() => {
    const of = main.value;
    const now = pair.value;
    box.hidden = !shown.value || !now || !of;
    if (box.hidden || !now || !of) return;
    const refs = refsOf(of, comparison.kept.value);
    const fixed = refs.length === 0;
    const list = fixed ? now : refs;
    const marks = [...new Set(list.map((ref) => parsed(ref).mark))];
    const why =
      of.source === "figure"
        ? `The precomputed figure holds this difference. ${shows("controls") ? "Press Run to choose any two lines." : ""}`
        : fixed
          ? "The records are too large to keep in a page, so this is the only difference."
          : "";
    const option = (ref: Ref, value: Ref) => html`<option value=${ref} .selected=${live(ref === value)}>${typeset(nameOfRef(ref))}</option>`;
    const options = (value: Ref) =>
      marks.map((mark) => {
        const own = list.filter((ref) => parsed(ref).mark === mark).map((ref) => option(ref, value));
        return mark === "" ? own : html`<optgroup label="Kept as ${mark}">${own}</optgroup>`;
      });
    const menu = (id: string, at: 0 | 1, label: string) =>
      html`<label for=${id}>${label} <select id=${id} autocomplete="off" ?disabled=${fixed}
        @change=${({ target }: Event) => choose(at, (target as HTMLSelectElement).value)}>${options(now[at])}</select></label>`;
    render(
      html`<div class="toolbar" role="group" aria-label="Difference of two lines">
          ${menu("pair-agent", 0, "Difference:")} ${menu("pair-base", 1, "minus")}
          <button type="button" id="pair-swap" ?disabled=${fixed} @click=${() => app.look({ pair: [now[1], now[0]] })}>Swap</button>
        </div>
        ${why === "" ? nothing : html`<p class="source">${why}</p>`}`,
      box,
    );
  });
  /** The difference in a result: the main one, or one beside it. */
  const of = (result: Result): readonly Curve[] => takenOf(result).answer ?? [];
  return { words, of };
}
