// The problem: its domain, from a menu or a file, and facts about it.

import catalogue from "cpsrl:catalogue";
import { effect } from "@preact/signals-core";
import { html, render } from "lit-html";
import { byId, say, sentence, takeDrops, utf8 } from "../../dom";
import { later } from "../../lost";
import { ask, bytes, detailOf, Refused } from "../../engine/engine";
import type { About, Checked, Converted, Reading } from "../../formats";
import type { Playground } from "../../state/playground";
import type { App } from "../../state/app";
import { draftOf, withValue } from "../../state/form";
import { stepped } from "../../state/history";
import { domainOf, presetOf } from "../../state/spec";
import { isForeign, isLog, nameOf, wordsOf } from "./foreign";
import { variables } from "./variables";

/** The other formats of the playground, for files that cannot be opened here. */
const others: Readonly<Record<string, string>> = {
  "cpsrl/records": "a records file, which “Open results…” at the chart shows",
  "cpsrl/figure": "a figure",
  "cpsrl/trace": "a trace",
};

const count = new Intl.NumberFormat("en");

export function problem(playground: Playground): void {
  const { root, app } = playground;
  const menu = byId(root, "domain", HTMLSelectElement);
  const file = byId(root, "domain-file", HTMLInputElement);
  const facts = byId(root, "problem", HTMLElement);
  menu.append(...catalogue.domains.map(({ key, label }) => new Option(label, key)));
  menu.addEventListener("change", () => {
    app.files.next();
    const name = menu.value;
    app.turn(name === "model" && app.model !== undefined ? { name, model: app.model } : { name });
  });
  byId(root, "domain-open", HTMLButtonElement).addEventListener("click", () => file.click());
  byId(root, "own-edit", HTMLButtonElement).addEventListener("click", () => void playground.edit());
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (chosen) void open(playground, chosen);
  });
  for (const id of ["settings", "prior"]) takeDrops(byId(root, id, HTMLElement), ([dropped]) => void open(playground, dropped!));

  effect(() => {
    const fault = app.fault.value;
    menu.value = app.form.value.domain.name;
    say(root, "domain-error", fault?.at === "domain" ? fault.detail : "");
    const modelMissing = fault?.pointer === "/domain/model" && app.form.value.domain["model"] === undefined;
    const detail = modelMissing
      ? "The model is missing: open a file with one, or drop it here. What it holds is in the docs, under “Formats”."
      : fault?.at === "file"
        ? fault.detail
        : "";
    say(root, "domain-file-error", app.untaken.value || detail);
    if (fault?.at === "domain") menu.setAttribute("aria-invalid", "true");
    else menu.removeAttribute("aria-invalid");
  });
  byId(root, "domain-normalise", HTMLButtonElement).addEventListener("click", () => {
    const { model } = app.normalised.value ?? {};
    app.files.next();
    app.untaken.value = "";
    app.normalised.value = undefined;
    app.turn({ name: "model", model }, JSON.stringify(model));
  });
  effect(() => {
    const offer = app.normalised.value;
    byId(root, "domain-mend", HTMLElement).hidden = offer === undefined;
    say(root, "domain-mend-help", offer ? sentence(offer.words) : "");
  });

  effect(() => {
    const label = domainOf(app.form.value)?.label ?? "";
    say(root, "problem-now", label);
  });
  effect(() => say(root, "problem-reward", app.about.value?.reward ?? ""));
  effect(() => say(root, "problem-caveat", app.about.value?.caveat ?? ""));
  effect(() => void render(factsOf(app.about.value, app.form.value.domain.name === "model"), facts));
}

async function open(playground: Playground, file: File): Promise<void> {
  const { app, links } = playground;
  app.untaken.value = "";
  app.normalised.value = undefined;
  app.dismiss("converted");
  const signal = app.files.next();
  try {
    const text = await utf8(file);
    if (signal.aborted) return;
    const json = parse(text);
    if (isLog(text, json)) {
      void later(() => import("../../dialogs/posterior")).then((made) => made?.openPosterior(playground, file));
      return;
    }
    if (isForeign(text, json)) {
      const read = await ask<Converted>(`/v1/convert?name=${encodeURIComponent(nameOf(file.name))}`, text, signal);
      if (signal.aborted) return;
      app.turn({ name: "model", model: read.model }, JSON.stringify(read.model));
      app.notify("converted", wordsOf(file.name, read));
      return;
    }
    const value = json ?? (await refuse(file, signal));
    const { format, sparseness } = isRecord(value) ? value : {};
    if (format === "cpsrl/model") app.turn({ name: "model", model: value }, text);
    else if (format === "cpsrl/prior") app.take((signal) => takePrior(app, text, sparseness, signal));
    else if (format === "cpsrl/spec") {
      const checked = await ask<Checked>("/v1/check", text, signal);
      if (signal.aborted) return;
      links.drop();
      app.begin();
      void app.show(checked.header.spec, { preset: presetOf(checked.link), checked });
    } else throw new Error(`it is ${others[String(format)] ?? "in no format of this page"}; here a model, a prior or a spec can be opened`);
  } catch (error) {
    if (signal.aborted) return;
    const pointer = error instanceof Refused ? (error.problem.pointer ?? "") : "";
    app.untaken.value = sentence(`“${file.name}” could not be read: ${pointer === "" ? "" : `${pointer.slice(1)}: `}${detailOf(error)}`);
  }
}

/** Takes the prior of a file, and its sparseness if that is one number. */
async function takePrior(app: App, text: string, sparseness: unknown, signal: AbortSignal): Promise<void> {
  const spec = app.known.value ?? draftOf(app.form.value);
  try {
    const { edges } = await ask<Reading>("/v1/prior", `{"spec":${JSON.stringify(spec)},"prior":${text}}`);
    if (signal.aborted) return;
    const form = typeof sparseness === "number" ? withValue(app.form.value, "/sparseness", sparseness) : app.form.value;
    app.form.value = { ...form, line: stepped(form.line, { edges }) };
    void app.check();
  } catch (error) {
    if (!signal.aborted) app.untaken.value = sentence(`The prior does not fit: ${detailOf(error)}`);
  }
}

function factsOf(about: About | undefined, named: boolean) {
  const facts = [
    ...(named && about?.name !== undefined ? [["Model", about.name]] : []),
    ["State", about ? variables(about.state) : "…"],
    ["Action", about ? variables(about.action) : "…"],
    ["States · actions", about ? `${count.format(about.states)} · ${count.format(about.actions)}` : "…"],
  ];
  return facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
}

function parse(text: string): unknown {
  // Records are JSON Lines. Their first line, the header, names the format.
  for (const part of [text, ...text.split("\n", 1)]) {
    try {
      return JSON.parse(part);
    } catch {}
  }
  return undefined;
}

/** Lets the engine say why a file is not JSON. It reads the bytes, which tell another encoding. */
async function refuse(file: File, signal: AbortSignal): Promise<never> {
  await bytes("/v1/check", file, signal);
  throw new Error("it is not JSON");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
