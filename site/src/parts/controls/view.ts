// Run and Stop, the progress of a run, and what went wrong.

import { computed, effect, untracked } from "@preact/signals-core";
import { byId, hostOf, say } from "../../dom";
import type { Playground } from "../../state/playground";

export function controls({ root, app, runner }: Playground): void {
  const run = byId(root, "run", HTMLButtonElement);
  const stop = byId(root, "stop", HTMLButtonElement);
  const progress = byId(root, "progress", HTMLProgressElement);
  stop.addEventListener("click", () => void runner.stop());
  byId(root, "settings", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void runner.begin(true).then((begun) => begun || focusRefused());
  });
  /** The control that was refused. */
  const refused = (): HTMLElement | null => {
    const fault = app.fault.value;
    if (!fault) return null;
    const field = fault.pointer.slice(fault.pointer.lastIndexOf("/") + 1);
    const id = { field, domain: "domain", file: "domain-open", prior: "prior-from", agents: "agents" }[fault.at];
    const control = root.getElementById(id);
    return fault.at === "agents" ? control!.querySelector("input") : control;
  };
  const focusRefused = (): void => {
    unfold(refused());
    refused()?.focus();
  };
  // Once for each place, so that a person can close its drawer while the refusal lasts.
  const place = computed(() => app.fault.value?.pointer);
  effect(() => void (place.value && untracked(() => unfold(refused()))));
  effect(() => void (app.untaken.value && unfold(root.getElementById("domain-open"))));
  effect(() => {
    const phase = app.phase.value;
    hostOf(root).dataset["state"] = phase;
    stop.disabled = phase !== "running";
    run.disabled = phase === "running";
  });
  effect(() => void (run.textContent = `Run ${app.spec.value.runs}`));
  effect(() => void (progress.value = app.progress.value));
  const status = byId(root, "status", HTMLElement);
  effect(() => void (status.textContent = app.status.value));
  const live = byId(root, "live", HTMLElement);
  effect(() => void (live.textContent = app.live.value));
  effect(() => say(root, "failure", app.failure.value));
}

function unfold(element: HTMLElement | null): void {
  for (let at = element?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
}
