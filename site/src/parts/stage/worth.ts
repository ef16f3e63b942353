// The value of edges: what planning without each of them costs. That takes many plans, so
// the engine is asked only on request. The table and the stage's graph show the same answer.

import { signal } from "@preact/signals-core";
import { html, nothing } from "lit-html";
import { sentence } from "../../dom";
import { detailOf, text } from "../../engine/engine";
import type { BeliefEdges, Spec, Trace } from "../../formats";
import { limited, Overdue } from "../../state/budget";
import { Latest } from "../../state/latest";
import { next } from "../prior/model";
import { columns, probability } from "./tables";
import type { Place } from "./traces";

/** How many edges the table lists at most. The most valuable come first. */
const most = 40;

/** The values of the edges at one place, or why there are none. While it has neither, the values are being computed. */
interface Answer {
  readonly edges?: BeliefEdges;
  readonly failure?: string;
}

/** The episode of the place is the last one that the agent has learned from. */
const pathOf = ({ agent, run, episode }: Place): string => `/v1/edges?${new URLSearchParams({ run: String(run), agent, episode: String(episode) })}`;

export class Worth {
  readonly #last = signal<(Answer & { readonly of: string }) | undefined>(undefined);
  readonly #latest = new Latest();

  /** The answer for a place. Undefined: nobody has asked. */
  of(spec: Spec, place: Place): Answer | undefined {
    const last = this.#last.value;
    return last?.of === pathOf(place) + JSON.stringify(spec) ? last : undefined;
  }

  /** The table for a place, or a button that computes it. */
  content(spec: Spec, place: Place, revealed: boolean) {
    const answer = this.of(spec, place);
    if (answer?.edges) return worthTable(answer.edges, revealed);
    const words =
      answer?.failure ??
      (answer
        ? "Planning without each edge, in models sampled from the belief…"
        : "What does planning lose without an edge? A probable edge may be worth nothing.");
    const computing = answer !== undefined && answer.failure === undefined;
    const press = async ({ target }: Event): Promise<void> => {
      if (computing) return;
      const region = (target as HTMLElement).closest<HTMLElement>("[role=region]");
      await this.ask(spec, place);
      if (document.activeElement === document.body) region?.focus({ preventScroll: true }); // the table has taken the button's place
    };
    return html`<p id="watch-worth-words" role="status">${words}</p>
      <button type="button" id="watch-worth-ask" aria-disabled=${String(computing)} @click=${press}>What are the edges worth?</button>`;
  }

  stop(): void {
    this.#latest.next();
    if (!this.#last.peek()?.edges) this.#last.value = undefined;
  }

  /** Says why the values are not computed by themselves. */
  decline(spec: Spec, place: Place): void {
    this.stop();
    this.#last.value = { of: pathOf(place) + JSON.stringify(spec), failure: "Under Beliefs, press What are the edges worth? This takes long." };
  }

  /** Computes the values for a place, within so many seconds. A computation for another place ends. */
  async ask(spec: Spec, place: Place, budget = Infinity): Promise<void> {
    const asked = this.#latest.next();
    const path = pathOf(place);
    const of = path + JSON.stringify(spec);
    this.#last.value = { of };
    try {
      const answer = limited(
        (end) => text(path, JSON.stringify(spec), end),
        asked,
        (seconds) => seconds > budget,
      );
      const edges = JSON.parse(await answer) as BeliefEdges;
      if (!asked.aborted) this.#last.value = { of, edges };
    } catch (error) {
      if (asked.aborted) return;
      if (error instanceof Overdue) this.decline(spec, place);
      else this.#last.value = { of, failure: sentence(detailOf(error)) };
    }
  }
}

/** The values by Y variable, then X variable, as the stage draws them. */
export function worthOf({ edges }: BeliefEdges, { state, action }: Trace): number[][] {
  const values = new Map(edges.map(({ from, to, value }) => [JSON.stringify([from, to]), value]));
  return state.map((y) => [...state, ...action].map((x) => values.get(JSON.stringify([x.name, y.name])) ?? 0));
}

/** A value in three digits. A value that is not 0 is not rounded to 0. */
const worth = (value: number): string => (value > 0 && value < 0.0005 ? "<0.001" : value.toFixed(3));

/** The table of all edges that are probable, valuable or, if the true graph is revealed, true. */
function worthTable({ episode, samples, value, edges }: BeliefEdges, revealed: boolean) {
  const told = edges.filter((edge) => edge.p >= 0.005 || edge.value > 0 || (revealed && edge.true !== undefined));
  const rows = told
    .slice(0, most)
    .map(
      (edge) =>
        html`<tr><th scope="row">${edge.from} → ${next(edge.to)}</th><td>${probability(edge.p)}</td><td>${worth(edge.value)}</td>${
          revealed ? html`<td>${edge.true === undefined ? "no edge" : worth(edge.true)}</td>` : nothing
        }</tr>`,
    );
  const part = told.length > most ? ` The ${most} most valuable of ${told.length}.` : "";
  return html`<table>
    <caption>Edges after ${episode === 1 ? "1 episode" : `${episode} episodes`}. Valuable: how much reward planning without the edge costs in an episode, as a mean over ${samples} models sampled from the belief. In these models the best policies earn ${worth(value)}.${part}</caption>
    <thead><tr>${columns(["Edge", "Probable", "Valuable", ...(revealed ? ["In truth"] : [])])}</tr></thead>
    <tbody translate="no">${rows}</tbody>
  </table>`;
}
