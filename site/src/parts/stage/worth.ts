// How valuable edges are, beside how probable: what planning without each costs. That
// takes many plans, so the engine is asked when a person wants to know. The table and the
// stage's graph show the same answer.

import { signal } from "@preact/signals-core";
import { html, nothing } from "lit-html";
import { sentence } from "../../dom";
import { detailOf, text } from "../../engine/engine";
import type { BeliefEdges, Spec, Trace } from "../../formats";
import { Latest } from "../../state/latest";
import { next } from "../prior/model";
import { columns, probability } from "./tables";
import type { Place } from "./traces";

/** The most edges that the table lists; the most valuable are first. */
const most = 40;

/** What is known of the edges of one place; while it is neither, it is being computed. */
interface Answer {
  readonly edges?: BeliefEdges;
  readonly failure?: string;
}

/** The episodes are those that the agent has learned from. */
const pathOf = ({ agent, run, episode }: Place): string => `/v1/edges?${new URLSearchParams({ run: String(run), agent, episode: String(episode) })}`;

export class Worth {
  readonly #last = signal<(Answer & { readonly of: string }) | undefined>(undefined);
  readonly #latest = new Latest();

  /** What is known of a place; undefined: nobody has asked. */
  of(spec: Spec, place: Place): Answer | undefined {
    const last = this.#last.value;
    return last?.of === pathOf(place) + JSON.stringify(spec) ? last : undefined;
  }

  /** The table of a place, or the offer to compute it. */
  content(spec: Spec, place: Place, revealed: boolean) {
    const answer = this.of(spec, place);
    if (answer?.edges) return worthTable(answer.edges, revealed);
    const words =
      answer?.failure ??
      (answer
        ? "Planning without each edge, in models sampled from the belief…"
        : "What does planning lose without an edge? A probable edge may be worth nothing.");
    return html`<p id="watch-worth-words" role="status">${words}</p>
      <button type="button" id="watch-worth-ask" ?disabled=${answer !== undefined && answer.failure === undefined} @click=${() => void this.ask(spec, place)}>What are the edges worth?</button>`;
  }

  /** What is being computed ends. */
  stop(): void {
    this.#latest.next();
    if (!this.#last.peek()?.edges) this.#last.value = undefined;
  }

  /** Computes the values of a place. What is being computed of another ends. */
  async ask(spec: Spec, place: Place): Promise<void> {
    const asked = this.#latest.next();
    const path = pathOf(place);
    const of = path + JSON.stringify(spec);
    this.#last.value = { of };
    try {
      const edges = JSON.parse(new TextDecoder().decode(await text(path, JSON.stringify(spec), asked))) as BeliefEdges;
      if (!asked.aborted) this.#last.value = { of, edges };
    } catch (error) {
      if (!asked.aborted) this.#last.value = { of, failure: sentence(detailOf(error)) };
    }
  }
}

/** The values by Y variable, then X variable, as the stage draws them. */
export function worthOf({ edges }: BeliefEdges, { state, action }: Trace): number[][] {
  const values = new Map(edges.map(({ from, to, value }) => [JSON.stringify([from, to]), value]));
  return state.map((y) => [...state, ...action].map((x) => values.get(JSON.stringify([x.name, y.name])) ?? 0));
}

/** A value; what is not 0 does not look like it. */
export const worth = (value: number): string => (value > 0 && value < 0.0005 ? "<0.001" : value.toFixed(3));

/** Every edge that is probable, valuable or, if the true graph is revealed, true. */
export function worthTable({ episode, samples, value, edges }: BeliefEdges, revealed: boolean) {
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
    <caption>Edges after ${episode === 1 ? "1 episode" : `${episode} episodes`}. Valuable: the reward of an episode that planning without the edge costs, a mean over ${samples} models sampled from the belief; their best policies earn ${worth(value)}.${part}</caption>
    <thead><tr>${columns(["Edge", "Probable", "Valuable", ...(revealed ? ["In truth"] : [])])}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;
}
