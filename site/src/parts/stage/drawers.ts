// The drawers of the stage: what is drawn, the steps, the plan and the beliefs, as tables.

import { signal } from "@preact/signals-core";
import { html, nothing } from "lit-html";
import type { Trace } from "../../formats";
import type { Playground } from "../../state/playground";
import { next } from "../prior/model";
import { menu, scroll } from "./controls";
import type { Acts } from "./acts";
import { layer, layers, type Showing, widths } from "./showing";
import { edgeTable, planTable, setTable, stateAfter, stepTable } from "./tables";

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns what draws the drawers. Step is the one that the table of steps marks. */
export function drawers(playground: Playground, showing: Showing, acts: Pick<Acts, "look">): (step: number) => unknown {
  const open = signal<ReadonlySet<string>>(new Set());

  /** A drawer. Its content is rendered only while it is open. */
  const drawer = (id: string, summary: string, content: () => unknown) => {
    const toggle = ({ target }: Event): void => {
      const ids = new Set(open.value);
      if ((target as HTMLDetailsElement).open) ids.add(id);
      else ids.delete(id);
      open.value = ids;
    };
    return html`<details id=${id} @toggle=${toggle}><summary>${summary}</summary>${open.value.has(id) ? content() : nothing}</details>`;
  };

  /** Why the edges are not as wide as they are valuable, or not yet. */
  const valuing = (): string => {
    const asked = showing.valued.value;
    const answer = asked && showing.worth.of(asked.spec, asked.learned);
    if (!asked || answer?.edges) return "";
    return answer?.failure ?? "Planning without each edge…";
  };

  const drawing = (trace: Trace | undefined) => {
    const overlays = showing.overlays.value;
    const set = (change: Partial<typeof overlays>): void => void (showing.overlays.value = { ...overlays, ...change });
    const variable = trace?.grid ? trace.state[layer] : undefined;
    const listed = trace?.sampled.v !== undefined; // else there is nothing to lay over the world
    return html`<div class="watch-fields" role="group" aria-label="Overlays">
        <label ?hidden=${!listed}><input type="checkbox" id="watch-values" .checked=${overlays.values} autocomplete="off" @change=${() => set({ values: !overlays.values })} /> Values</label>
        <label ?hidden=${!listed}><input type="checkbox" id="watch-policy" .checked=${overlays.policy} autocomplete="off" @change=${() => set({ policy: !overlays.policy })} /> Policy</label>
        <label for="watch-model" ?hidden=${!listed || !playground.shows("reveal")}>Model ${menu(
          "watch-model",
          [
            ["sampled", "sampled"],
            ["true", "true"],
          ],
          overlays.model,
          (model) => set({ model: model as "true" }),
        )}</label>
        <label for="watch-passenger" id="watch-passenger-field" ?hidden=${!variable}>${capital(variable?.name ?? "")}
          ${menu(
            "watch-passenger",
            [["", "as it is"], ...layers.map((name, value) => [name, variable?.values?.[value] ?? name] as const)],
            overlays.layer === undefined ? "" : layers[overlays.layer]!,
            (name) => set({ layer: name === "" ? undefined : layers.indexOf(name as "aboard") }),
          )}</label>
        <label for="watch-wide" ?hidden=${!trace?.before}>An edge’s width tells
          ${menu("watch-wide", Object.entries(widths), showing.wide.value, (what) => void (showing.wide.value = what as keyof typeof widths))}</label>
        <span id="watch-wide-words" class="help" role="status">${valuing()}</span>
      </div>`;
  };

  const plan = (trace: Trace) => {
    const moment = showing.moment.value;
    const passed = moment === "act" ? showing.step.value : moment === "update" ? trace.steps.length : 0;
    const h = moment === "plan" && showing.h.value !== undefined ? showing.h.value : Math.min(passed + 1, trace.horizon);
    const { model, layer: chosen } = showing.overlays.value;
    const at = trace.grid && { layer, value: chosen ?? stateAfter(trace, passed)[layer]! };
    return planTable(trace, model, h, at);
  };

  const beliefs = (trace: Trace) => {
    const belief = showing.moment.value === "update" ? trace.after : trace.before;
    const y = showing.y.value;
    const names = trace.state.map(({ name }, j) => [String(j), next(name)] as const);
    const choose = (value: string): void => {
      showing.y.value = value === "" ? undefined : Number(value);
      playground.watching.focus.value = showing.y.value === undefined ? undefined : { y: showing.y.value };
      acts.look();
    };
    const spec = showing.spec.value;
    const sets = !belief ? "This agent has no graph." : y === undefined ? "Choose a variable, or point at one on the stage." : setTable(trace, y, belief[y]!);
    return html`${belief ? scroll("watch-edge-table", "Sampled graph", edgeTable(trace, belief, playground.app.revealed.value)) : nothing}
      <label for="watch-y">Parents of ${menu("watch-y", [["", "choose"], ...names], String(y ?? ""), choose)}</label>
      ${scroll("watch-set-table", "Parent sets", sets)}
      ${belief && spec ? scroll("watch-worth", "What the edges are worth", showing.worth.content(spec, showing.learned(trace), playground.app.revealed.value)) : nothing}`;
  };

  return (step) => {
    const trace = showing.trace.value;
    return html`${drawer("watch-drawn", "What is drawn", () => drawing(trace))}
      ${drawer("watch-steps", "Steps", () => scroll("watch-step-table", "Steps of this episode", trace && stepTable(trace, showing.moment.value === "plan" ? 0 : step)))}
      ${drawer("watch-plan", "Plan", () => scroll("watch-plan-table", "Values and policy", trace && plan(trace)))}
      ${drawer("watch-belief", "Beliefs", () => trace && beliefs(trace))}`;
  };
}
