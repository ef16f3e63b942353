// The panel below the picture of the stage: what is said about it, the transport, the
// sliders and the menus. It draws what Showing says and calls Watch.

import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { knowsTruth, styleOf } from "../../agents";
import { byId } from "../../dom";
import type { Playground } from "../../state/playground";
import { moments } from "../../state/view";
import { type Speed, speeds } from "../../state/watching";
import type { Acts } from "./acts";
import { menu, slider } from "./controls";
import { drawers } from "./drawers";
import type { Showing } from "./showing";

const nameOf = (speed: Speed): string =>
  speed === "auto" ? "Slow, then quicker" : speed === Infinity ? "One picture an episode" : speed === 0.5 ? "½×" : `${speed}×`;

export function panel(playground: Playground, showing: Showing, acts: Acts): void {
  const { root, app, watching } = playground;
  const place = byId(root, "watch", HTMLElement);
  const box = byId(root, "watch-body", HTMLElement);
  const drawn = drawers(playground, showing, acts);

  const pace = () =>
    html`<label for="watch-speed">Speed ${menu(
      "watch-speed",
      speeds.map((speed) => [String(speed), nameOf(speed)]),
      String(watching.speed.value),
      (name) => acts.hasten(speeds.find((speed) => String(speed) === name)!),
    )}</label>`;
  const reveal = () =>
    html`<button type="button" id="watch-reveal" @click=${() => {
      app.revealed.value = !app.revealed.value;
    }}>${app.revealed.value ? "Hide" : "Reveal"} the true graph</button>`;

  const menus = () => {
    const spec = showing.spec.value;
    const { agent, run } = showing.place.value;
    const { agents = [], firstRun = 0, runs = 0 } = spec ?? {};
    const names = Array.from({ length: runs }, (_, k) => String(firstRun + k));
    return html`<label for="watch-agent">Agent ${menu(
      "watch-agent",
      agents.filter((label) => label === agent || playground.shows("reveal") || !knowsTruth(label)).map((label) => [label, styleOf(label).name]),
      agent,
      (to) => acts.go({ agent: to }),
    )}</label>
      <label for="watch-run">Run ${menu(
        "watch-run",
        names.map((name) => [name, name]),
        String(run),
        (to) => acts.go({ run: Number(to) }),
      )}</label>
      ${playground.shows("speed") ? pace() : nothing}
      <button type="button" id="watch-close" @click=${() => app.look({ watched: undefined })}>Hide</button>`;
  };

  const body = () => {
    const [state, trace, moment, spec] = [showing.state.value, showing.trace.value, showing.moment.value, showing.spec.value];
    const [episodes, episode] = [showing.episodes, watching.episode.value ?? showing.place.value.episode];
    const computing = showing.awaited.value?.episode;
    const asks = showing.asks.value;
    const stale = showing.stale.value;
    const refused = { words: "The settings are refused, so this is still a run with the last settings that were accepted.", tone: "bad" };
    const note = stale && trace ? refused : showing.note.value;
    const words = note.words || showing.still.value;
    const wait = stale && !spec ? "The settings are refused; the stage waits for others." : showing.wait.value;
    const planning = moment === "plan";
    const horizon = trace?.horizon ?? 1;
    const steps = trace?.steps.length ?? 1;
    const step = planning ? (showing.h.value ?? 1) : moment === "act" ? showing.step.value : moment === "update" ? steps : 0;
    const icon = (path: string) => html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d=${path} /></svg>`;
    const walk = (id: string, label: string, path: string, act: () => void, disabled?: boolean) =>
      html`<button type="button" id=${id} aria-label=${label} title=${label} .ariaDisabled=${disabled === undefined ? null : String(disabled)} @click=${act}>${icon(path)}</button>`;
    const asking = asks && html`<span>${asks.words}</span> <button type="button" @click=${asks.press}>${asks.label}</button>`;
    return html`<div id="watch-stage" class="watch-stage" aria-busy=${computing === undefined || asks ? nothing : "true"} ?data-asks=${asks !== undefined}>
        <p class="empty" id="watch-wait" ?hidden=${state === "showing"}>
          ${state === "failed" ? html`<span>${wait}</span><button type="button" @click=${() => acts.begin()}>Try again</button>` : (asking ?? wait)}
        </p>
        <div id="watch-world" class="world"></div>
        <p class="watch-computing" id="watch-computing">${computing === undefined ? "" : (asking ?? `Playing the run again, up to episode ${computing}…`)}</p>
      </div>
      <div class="player">
        <button type="button" id="watch-play" @click=${() => (watching.playing.value ? acts.rest() : acts.play())}>${watching.playing.value ? "Pause" : "Play"}</button>
        ${slider("watch-episode", [1, episodes], episode, `${episode} of ${episodes}`, false, (to) => watching.seek(to), "Episode")}
      </div>
      <div class="watch-bar">
        <div class="watch-buttons" role="group" aria-label="Transport">
          ${walk("watch-previous", "Previous episode", "M3 3h2v10H3zM13.5 3v10L6 8z", () => acts.leap(-1), episode <= 1)}
          ${walk("watch-back", "One moment back", "M11.5 2.5v11L3.5 8z", () => acts.walk(-1))}
          <button type="button" id="watch-step" @click=${() => acts.walk(1)}>Next moment</button>
          ${walk("watch-next", "Next episode", "M11 3h2v10h-2zM2.5 3v10L10 8z", () => acts.leap(1), episode >= episodes)}
        </div>
        <div id="watch-moments" class="watch-moments" role="group" aria-label="Moment">
          ${moments.map(
            (name) =>
              html`<button type="button" value=${name} aria-current=${name === moment && trace ? "step" : nothing} @click=${() => acts.turn(name)}>${name.charAt(0).toUpperCase()}${name.slice(1)}</button>`,
          )}
        </div>
      </div>
      <div class="watch-slides">
        <label for="watch-h">Step</label>
        ${slider("watch-h", [planning ? 1 : 0, planning ? horizon : steps], step, trace ? `${step} of ${planning ? horizon : steps}` : "", !planning && moment !== "act", (to) => acts.slide(to))}
      </div>
      <p id="watch-text" class="watch-text">${showing.text.value}</p>
      <p id="watch-note" class="watch-note ${note.tone}" ?hidden=${words === ""}>${words}</p>
      <div id="watch-follow" class="watch-fields">${menus()}</div>
      <div class="watch-drawers">
        ${drawn(step)}
        ${playground.shows("reveal") && !playground.shows("prior") ? reveal() : nothing}
      </div>`;
  };

  effect(() => {
    const state = showing.state.value;
    place.dataset["watch"] = state;
    box.hidden = state === "closed";
    byId(root, "watch-invite", HTMLElement).hidden = state === "showing" || state === "failed"; // the film stays until the stage shows something
    render(body(), box);
  });
}
