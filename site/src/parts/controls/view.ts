// Run and Stop, the progress of a run, and what went wrong.

import { computed, effect, untracked } from "@preact/signals-core";
import { byId, hostOf, say } from "../../dom";
import type { Playground } from "../../state/playground";

/** For so many milliseconds after a run, a press on Run is one that was meant for Stop, which was there. */
const moment = 500;

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
  effect(() => void ((app.files.untaken.value || app.files.lacking.value || app.files.normalised.value) && unfold(root.getElementById("domain-open"))));
  let late: ReturnType<typeof setTimeout> | undefined;
  /** Whether the focus came from Stop, as the pointer did. */
  let followed = false;
  const linger = (focused: boolean): void => {
    followed = focused;
    run.ariaDisabled = "true";
    clearTimeout(late);
    late = setTimeout(() => (run.ariaDisabled = null), moment);
  };
  // A key in a field is no press on Run.
  const meant = (event: MouseEvent): boolean => run.ariaDisabled === null || (event.detail === 0 && !followed);
  const drop = (event: MouseEvent): void => {
    if (meant(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  run.addEventListener("click", drop, { capture: true });
  effect(() => {
    const phase = app.phase.value;
    hostOf(root).dataset["state"] = phase;
    // Run becomes Stop in its place, and Stop becomes Run: the focus goes with it.
    const [from, to] = phase === "running" ? [run, stop] : [stop, run];
    const focused = root.activeElement === from;
    if (run.disabled && from === stop) linger(focused);
    stop.disabled = phase !== "running" || app.stopping.value;
    run.disabled = phase === "running";
    if (focused) to.focus({ preventScroll: true });
  });
  effect(() => void (run.textContent = `Run ${app.spec.value.runs}`));
  effect(() => void (progress.value = app.progress.value));
  const status = byId(root, "status", HTMLElement);
  effect(() => {
    status.textContent = app.status.value;
    status.classList.toggle("hidden", app.phase.value === "ready" && app.said.value === ""); // that all is well goes without saying
  });
  const live = byId(root, "live", HTMLElement);
  effect(() => void (live.textContent = app.live.value));
  effect(() => say(root, "failure", app.failure.value));
}

function unfold(element: HTMLElement | null): void {
  for (let at = element?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
}
