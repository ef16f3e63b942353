// From a log to a problem and to a policy: what is paid, how long an episode is, and what comes out.

import { batch, signal } from "@preact/signals-core";
import { html, nothing } from "lit-html";
import { sentence } from "../dom";
import { detailOf } from "../engine/engine";
import type { Proposal, Started, Table, ValueEstimate } from "../formats";
import { hosted, site } from "../site";
import { Latest } from "../state/latest";

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const small = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** How many rules of a stage, and how many stages, are shown. */
const [shownRules, shownStages] = [40, 12];

/** What is decided about a log that was weighed. */
export class Decision {
  readonly reward = signal("");
  readonly horizon = signal("");
  /** On how many steps the next one depends; it is asked with the graph. */
  readonly lag = signal("");
  readonly words = signal("");
  readonly fault = signal("");
  readonly proposal = signal<Proposal | undefined>(undefined);
  readonly #latest = new Latest();

  /** Forgets what was found, because something else is asked. */
  clear(): void {
    this.#latest.next();
    batch(() => {
      this.words.value = this.fault.value = "";
      this.proposal.value = undefined;
    });
  }

  /** Asks for a problem or a policy. Undefined: it was refused, or something else is asked meanwhile. */
  async ask(form: "start" | "policy", name: string, as: (form: string) => Promise<string>): Promise<string | undefined> {
    this.clear();
    const { signal } = this.#latest;
    this.words.value = form === "policy" ? "Drawing models, and planning in each…" : "Making the problem…";
    const query = new URLSearchParams({ name, reward: this.reward.value.trim(), horizon: this.horizon.value.trim() });
    try {
      const text = await as(`${form}&${query}`);
      if (signal.aborted) return undefined;
      this.words.value = "";
      return text;
    } catch (error) {
      if (!signal.aborted) {
        this.words.value = "";
        this.fault.value = sentence(detailOf(error));
      }
      return undefined;
    }
  }

  async propose(name: string, as: (form: string) => Promise<string>): Promise<void> {
    const text = await this.ask("policy", name, as);
    if (text !== undefined) this.proposal.value = JSON.parse(text) as Proposal;
  }
}

/** The part of the dialog that decides. As: asks for a form of the answer; undefined: there is no answer. Make: opens the problem. */
export function decide(
  decision: Decision,
  { columns }: Pick<Table, "columns">,
  name: string,
  as: ((form: string) => Promise<string>) | undefined,
  make: (started: Started) => void,
) {
  const { reward, horizon, lag, words, fault, proposal } = decision;
  const paid = columns.filter(({ role }) => role === "reward").map(({ name }) => `“${name}”`);
  const typed =
    (into: { value: string }) =>
    ({ target }: Event): void => {
      into.value = (target as HTMLInputElement).value;
      decision.clear();
    };
  const problem = async (): Promise<void> => {
    const text = as && (await decision.ask("start", name, as));
    if (text !== undefined) make(JSON.parse(text) as Started);
  };
  /** Only the steps before change what was weighed. */
  const changed = (event: Event): void => {
    if ((event.target as HTMLElement).id !== "decide-lag") event.stopPropagation();
  };
  return html`<section class="decide" aria-labelledby="decide-title" @change=${changed}><h3 id="decide-title">What should be done?</h3>
    <div class="files">
      <label for="decide-reward">What a step pays</label>
      <input id="decide-reward" autocomplete="off" spellcheck="false" placeholder=${paid.length > 0 ? `as ${paid.join(" and ")} says` : "a formula over the columns"} .value=${reward.value} @input=${typed(reward)} />
      <label for="decide-horizon">Steps of an episode</label>
      <input id="decide-horizon" inputmode="numeric" autocomplete="off" placeholder="the most in the log" .value=${horizon.value} @input=${typed(horizon)} />
      <label for="decide-lag">Steps on which the next one depends</label>
      <input id="decide-lag" inputmode="numeric" autocomplete="off" placeholder="1, the present one" title="With 2, the values of the step before are variables, too." .value=${lag.value} @change=${({ target }: Event) => void ((lag.value = (target as HTMLInputElement).value))} />
    </div>
    <div class="bar">
      <button type="button" class="primary" title="A problem of your own: its laws are what the log says, and its agents start from the log." ?disabled=${as === undefined} @click=${() => void problem()}>Make it a problem</button>
      <button type="button" title="The policy that is the best in expectation, and what it is worth beside what the log did." ?disabled=${as === undefined} @click=${() => void (as && decision.propose(name, as))}>Propose a policy</button>
    </div>
    <p class="note" role="status">${words.value}</p>
    <p class="fault" role="alert" ?hidden=${fault.value === ""}>${fault.value}</p>
    ${proposal.value === undefined ? nothing : proposed(proposal.value)}</section>`;
}

/** What a policy is worth, and the policy as rules. */
function proposed({ horizon, models, proposed, logged, gain, better, best, coverage, earned, rules, notes }: Proposal) {
  const row = (what: string, { mean, lo, hi }: ValueEstimate) =>
    html`<tr><th scope="row">${what}</th><td>${number.format(mean)}</td><td>${number.format(lo)} to ${number.format(hi)}</td></tr>`;
  return html`<div class="scroll" role="region" aria-label="What the policy is worth" tabindex="0"><table>
      <caption>What an episode of ${count.format(horizon)} ${horizon === 1 ? "step" : "steps"} pays, over ${count.format(models)} models that the log leaves possible</caption>
      <thead><tr><th scope="col">Policy</th><th scope="col">Mean</th><th scope="col">90% of the models</th></tr></thead>
      <tbody>${row("The proposed policy", proposed)}${row("What the log did", logged)}${row("Gain", gain)}${row("The best in each model", best)}</tbody>
    </table></div>
    <p class="note">The policy pays more than what the log did in ${percent.format(better)} of the models. The log has ${count.format(coverage.seen)} of ${count.format(coverage.pairs)} pairs of a state and an action; ${percent.format(coverage.unseen)} of the policy’s steps are in the others.${notes.map((note) => ` ${sentence(note)}`)}</p>
    ${earned && html`<p class="note">The ${count.format(earned.episodes)} episodes of the log were paid ${number.format(earned.mean)} on average (90% interval: ${number.format(earned.lo)} to ${number.format(earned.hi)}).</p>`}
    ${
      earned?.off
        ? html`<p class="caution"><b>Caution:</b> the value of what the log did does not fit that, so do not trust these values. What is paid, or where an episode ends, may depend on more than the models know, such as the next state or more than Z variables; or who acted changed, or saw more.</p>`
        : nothing
    }
    ${
      coverage.top.length === 0
        ? nothing
        : html`<details><summary>What the policy does most that the log does not have</summary>
          <div class="scroll" role="region" aria-label="Pairs that the log does not have" tabindex="0"><table>
            <thead><tr><th scope="col">State</th><th scope="col">Action</th><th scope="col">Share of the steps</th></tr></thead>
            <tbody>${coverage.top.map(({ state, action, share }) => html`<tr><th scope="row">${state}</th><td>${action}</td><td>${small.format(share)}</td></tr>`)}</tbody>
          </table>${coverage.others > 0 ? html`<p class="note">and ${count.format(coverage.others)} more</p>` : nothing}</div></details>`
    }
    <p class="caution"><b>Caution:</b> if something that the log lacks moved both its actions and what came of them, these numbers are off, and the log cannot show it. ${hosted ? html`<a href="${site}docs/findings.html#what-a-log-lacks" target="_blank" rel="noopener">How far off</a>` : nothing}</p>
    ${
      rules === undefined
        ? html`<p class="note">There are too many states for rules; “cpsrl policy -as csv” lists the policy.</p>`
        : html`<div class="rules">${rules
            .slice(0, shownStages)
            .map(
              ({ steps, rules: list, act }) =>
                html`<h4>${steps}</h4><ul>${list
                  .slice(0, shownRules)
                  .map(
                    (rule) => html`<li>if ${rule.when}: <b>${rule.act}</b></li>`,
                  )}${list.length > shownRules ? html`<li>… ${count.format(list.length - shownRules)} more rules</li>` : nothing}<li>${list.length === 0 ? "always" : "otherwise"}: <b>${act}</b></li></ul>`,
            )}${rules.length > shownStages ? html`<p class="note">… and ${count.format(rules.length - shownStages)} more stages; “cpsrl policy” lists them.</p>` : nothing}</div>`
    }`;
}
