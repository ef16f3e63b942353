// The prior editor: three views of the prior, Undo and Redo, and what the engine says about it.

import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { byId, say, typeset } from "../../dom";
import { later, once } from "../../lost";
import type { Playground } from "../../state/playground";
import { domainOf } from "../../state/spec";
import { styled } from "../../styles";
import { edgesOf } from "../../state/edges";
import { moved } from "../../state/history";
import { recall, remember } from "../../session";
import { matrix } from "./matrix";
import { fits } from "./graph";
import { graphsLeft, keyOf, type Look, lookOf, priorOf, reasonsOf, sentenceOf, statedOf, summaryOf, untold, withActions, withLearned } from "./model";
import { picture } from "./picture";
import { Text } from "./text";

const views = ["picture", "matrix", "text"] as const;
type View = (typeof views)[number];

const invitations = { matrix: "Choose a cell to mark.", picture: "Click an edge to say that you know it.", text: "" };
/** What is remembered: the view that was chosen, and that the graph was touched, so that nothing invites to it any more. */
const [viewed, touched] = ["prior-view", "graph-touched"];
/** The probabilities that a click can state, with their names. */
const pens = [
  ["1", "known"],
  ["0.99", "likely, .99"],
  ["0.9", "likely, .9"],
  ["0.7", "likely, .7"],
  ["0.3", "unlikely, .3"],
  ["0.1", "unlikely, .1"],
  ["0", "forbidden"],
] as const;
const edited = "edges";
const suggested = "suggested";

export function prior(playground: Playground): void {
  const { root, app, links, watching, own } = playground;
  /** Whether a click is about the true graph. */
  const drawing = computed(() => own.value?.drawing.value === true);
  const section = byId(root, "prior", HTMLElement);
  const kept = recall(root, viewed);
  /** The view that was chosen. Undefined: the graph is shown, or the matrix if the graph is large. */
  const picked = signal<View | undefined>(views.find((view) => view === kept));
  /** The view with which the page came. */
  const still: View = byId(root, "prior-panel-matrix", HTMLElement).hidden ? "picture" : "matrix";
  const shown = computed<View>(() => picked.value ?? (look.value ? (fits(look.value) ? "picture" : "matrix") : still));
  const said = byId(root, "prior-readout", HTMLElement);
  const tell = (words: string): void => void (said.textContent = words);
  const look = computed(() => {
    const about = app.about.value;
    return about && lookOf(app.form.value.line.now, about, app.revealed.value || drawing.value, app.sampled.value);
  });
  const text = new Text(
    root,
    app,
    computed(() => shown.value === "text"),
  );
  /** The edge that is pointed at or was changed. */
  const pair = signal<readonly [i: number, j: number] | undefined>(undefined);
  /** Whether a mouse points at that edge of the graph, so that the words follow the film, too. */
  const pointing = signal(false);
  /** The graph: what is known, with what the stage shows of it or, while the stage is closed, the film. */
  const filmed = computed(() => {
    const of = look.value;
    const film = app.filmed.value;
    return of && film && !of.sampled && film.graph.length === of.ySize && (film.belief ?? []).every((row) => row.length === of.x.length)
      ? { ...of, sampled: film.graph.map((parents) => new Set(parents)), belief: film.belief }
      : of;
  });

  const touch = (i: number, j: number): void => {
    pair.value = [i, j];
    pointing.value = false;
    if (shown.value === "picture") remember(root, touched, "yes");
  };
  const invite = (view: View): void => tell(view === "picture" && recall(root, touched) ? "" : invitations[view]);
  /** Adds an edge of the visitor's own true graph, or removes it. */
  const draw = (i: number, j: number): void => {
    touch(i, j);
    const [from, to] = [look.value?.x[i]?.name, look.value?.x[j]?.name];
    if (from !== undefined && to !== undefined) own.value?.draw(from, to);
  };
  /** States the probability of an edge. Undefined: the edge is unknown. */
  const state = (i: number, j: number, p: number | undefined): void => text.afterwards(() => put(i, j, p));
  const put = (i: number, j: number, p: number | undefined): void => {
    const about = app.about.value;
    if (!about) {
      const wait = "These are the edges of the last problem. The prior can be edited once the engine has described the new one.";
      pair.value = undefined;
      tell(wait);
      app.announce(wait);
      return;
    }
    const stated = statedOf(edgesOf(app.form.value.line.now, about), about);
    if (p === undefined) stated[j]!.delete(i);
    else stated[j]!.set(i, p);
    app.know(priorOf(stated, about));
    touch(i, j);
    app.announce(sentenceOf(look.value!, i, j));
  };
  const pen = byId(root, "prior-pen", HTMLSelectElement);
  pen.append(...pens.map(([p, name]) => new Option(name, p)));
  /** States what the menu says about an edge, or takes it back. */
  const toggle = (i: number, j: number): void =>
    text.afterwards(() => {
      if (drawing.value) return draw(i, j);
      const p = Number(pen.value);
      put(i, j, look.value?.stated[j]?.get(i) === p ? undefined : p);
    });
  const move = (by: "undo" | "redo"): void =>
    text.afterwards(() => {
      const form = app.form.value;
      const line = moved(form.line, by);
      if (line === form.line) return;
      app.edit({ ...form, line });
      if (look.value) app.announce(`${by === "undo" ? "Undone" : "Redone"}: ${summaryOf(look.value)}`);
    });
  const show = (view: View): void => {
    if (shown.value === "text" && view !== "text") text.flush();
    picked.value = view;
    remember(root, viewed, view);
    pair.value = undefined;
    invite(view);
  };

  const cells = matrix(root, { toggle, state, point: (i, j) => (pair.value = [i, j]) });
  const graph = picture(byId(root, "prior-picture", HTMLElement), {
    toggle,
    state,
    point: (i, j) => {
      pair.value = [i, j];
      pointing.value = true;
    },
    say: (words) => {
      pair.value = undefined;
      tell(words);
      app.announce(words);
    },
  });
  let before: Look | undefined;
  effect(() => {
    // Until the engine has described a new problem, the one before stays in view, with nothing revealed.
    before = look.value ?? (before && { ...before, truth: undefined, sampled: undefined, belief: undefined });
    if (before && shown.value === "matrix") cells(before);
    const film = look.value ? filmed.value : undefined;
    if (before && shown.value === "picture") graph(before, film ?? before, watching.focus.value);
  });
  effect(() => {
    const at = pair.value;
    const of = pointing.value ? filmed.value : look.value;
    if (of && at && at[0] < of.x.length && at[1] < of.ySize) tell(sentenceOf(of, ...at));
  });
  let invited: View | undefined;
  effect(() => {
    const view = shown.value;
    if (view !== invited) untracked(() => invite(view));
    invited = view;
  });
  let sized = "";
  effect(() => {
    // The graph that was chosen for a small problem is not imposed on a large one.
    const of = look.value;
    if (!of || sized === `${of.x.length} ${of.ySize}`) return;
    sized = `${of.x.length} ${of.ySize}`;
    if (!fits(of) && picked.peek() === "picture") picked.value = undefined;
  });
  effect(() => {
    const left = app.about.value && graphsLeft(app.about.value);
    byId(root, "prior-summary", HTMLElement).textContent = look.value ? [summaryOf(look.value), left].join(" ") : "";
    const legend = byId(root, "prior-legend", HTMLElement);
    const of = shown.value === "picture" ? filmed.value : look.value;
    const stated = look.value?.stated.flatMap((parents) => [...parents.values()]) ?? [];
    const has = {
      truth: app.revealed.value,
      likely: stated.some((p) => p > 0 && p < 1),
      misjudged: app.revealed.value && stated.some((p) => p > 0 && p < 1),
      forbidden: stated.includes(0),
      sampled: of?.sampled !== undefined,
      belief: of?.belief !== undefined,
      edge: shown.value === "picture" && !app.revealed.value,
      possible: shown.value === "picture" && of?.belief === undefined && !playground.shows("stage"), // with the world come probabilities
    };
    legend.hidden = shown.value === "text"; // else it has its room, also without a mark
    for (const part of legend.querySelectorAll<HTMLElement>("[data-for]")) part.hidden = !has[part.dataset["for"] as keyof typeof has];
  });

  // The menu of what is known

  const from = byId(root, "prior-from", HTMLSelectElement);
  from.addEventListener("change", () => {
    const chosen = from.value;
    if (chosen === edited) return;
    text.afterwards(() => {
      const now = app.form.value.line.now ?? {};
      const { eta: _eta, ...rest } = "edges" in now ? {} : now;
      const next = chosen === suggested ? rest : { eta: Number(chosen), ...rest };
      app.know(Object.keys(next).length === 0 ? undefined : next);
    });
  });
  let filled = false;
  effect(() => {
    const about = app.about.value;
    const { now } = app.form.value.line;
    if (!about) {
      if (now === undefined || !("edges" in now || now.eta !== undefined)) from.value = suggested;
      return;
    }
    const last = about.revealed.length - 1;
    const value =
      now === undefined ? suggested : "edges" in now ? (now.edges.length === 0 ? "0" : edited) : now.eta === undefined ? suggested : String(now.eta);
    // Whoever may not see the true graph is offered none of its edges but those that are there.
    const offers = (name: string): boolean => playground.shows("reveal") || name === "0" || name === value;
    const degrees = about.revealed.map((_, eta) => String(eta)).filter(offers);
    if (value !== suggested && value !== edited && Number(value) > last) degrees.push(value);
    const wordsOf = (eta: number): string =>
      eta === 0
        ? "Nothing (η = 0)"
        : eta >= last
          ? `The whole true graph (η = ${eta})`
          : `${eta} random true ${eta === 1 ? "edge" : "edges"} into each (η = ${eta})`;
    const option = (name: string, label: string, hidden = false) =>
      html`<option value=${name} ?hidden=${hidden} ?disabled=${hidden} .selected=${live(name === value)}>${label}</option>`;
    if (!filled) from.replaceChildren(); // lit-html adds to what is there
    filled = true;
    render(
      [
        option(suggested, about.suggested.length === 0 ? "Suggested edges: none" : "Suggested edges", !offers(suggested)),
        degrees.map((eta) => option(eta, wordsOf(Number(eta)))),
        option(edited, "Edited by hand", value !== edited),
      ],
      from,
    );
  });

  // The buttons

  const undo = byId(root, "prior-undo", HTMLButtonElement);
  const redo = byId(root, "prior-redo", HTMLButtonElement);
  undo.addEventListener("click", () => move("undo"));
  redo.addEventListener("click", () => move("redo"));
  byId(root, "prior-clear", HTMLButtonElement).addEventListener("click", () => text.afterwards(() => app.know({ edges: [] })));
  const actions = byId(root, "prior-actions", HTMLButtonElement);
  const offered = computed(() => {
    const about = app.about.value;
    return about && withActions(app.form.value.line.now, about);
  });
  actions.addEventListener("click", () =>
    text.afterwards(() => {
      if (!offered.value) return;
      app.know(offered.value);
      if (look.value) app.announce(summaryOf(look.value));
    }),
  );
  effect(() => {
    // It stays, and can have the focus, until the problem changes.
    actions.hidden = app.about.value === undefined || app.about.value.suggested.length > 0;
    actions.ariaDisabled = String(offered.value === undefined);
  });
  const learned = byId(root, "prior-learned", HTMLButtonElement);
  /** What the agent on the stage or in the film believes, as a prior. */
  const taught = computed(() => {
    const [about, belief] = [app.about.value, filmed.value?.belief];
    return about && belief && withLearned(app.form.value.line.now, belief, about);
  });
  learned.addEventListener("click", () =>
    text.afterwards(() => {
      if (!taught.value) return;
      app.know(taught.value);
      if (look.value) app.announce(summaryOf(look.value));
    }),
  );
  effect(() => void (learned.ariaDisabled = String(taught.value === undefined)));
  const openData = (): void => void later(() => import("../../dialogs/posterior")).then((made) => made?.openPosterior(playground));
  byId(root, "prior-data", HTMLButtonElement).addEventListener("click", openData);
  const begun = byId(root, "prior-begun", HTMLElement);
  byId(root, "prior-forget", HTMLButtonElement).addEventListener("click", () => app.edit({ ...app.form.value, data: undefined }));
  effect(() => {
    const { data } = app.form.value;
    begun.hidden = data === undefined;
    begun.firstElementChild!.textContent = `Every agent has observed the data ${data?.slice(0, 8)}… before its first episode.`;
  });
  effect(() => {
    const awaiting = links.awaiting.value !== undefined;
    untracked(() => {
      if (awaiting) app.notify("data", "The data of this link are a file that the page does not have.", "plain", { label: "Open that file…", act: openData });
      else app.dismiss("data");
    });
  });
  effect(() => {
    // A disabled button would lose the focus.
    const { past, future } = app.form.value.line;
    undo.ariaDisabled = String(past.length === 0);
    redo.ariaDisabled = String(future.length === 0);
  });
  const reveal = byId(root, "prior-reveal", HTMLButtonElement);
  reveal.addEventListener("click", () => void (app.revealed.value = !app.revealed.value));
  effect(() => {
    reveal.textContent = `${app.revealed.value || drawing.value ? "Hide" : "Reveal"} the true graph`;
    reveal.ariaDisabled = String(drawing.value);
  });
  const drawn = byId(root, "prior-draw", HTMLButtonElement);
  drawn.addEventListener("click", () => void (own.value && (own.value.drawing.value = !own.value.drawing.value)));
  effect(() => {
    drawn.hidden = own.value?.form.value === undefined;
    drawn.ariaPressed = String(drawing.value);
  });
  const keys = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = keyOf(event);
    const by = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : undefined;
    const field = event.target instanceof HTMLTextAreaElement ? text.typed : event.target instanceof HTMLInputElement;
    if (by === undefined || field) return; // a field has its own undo
    event.preventDefault();
    move(by);
  };
  section.addEventListener("keydown", keys);
  // A click on an edge leaves the focus with the page.
  if (root instanceof Document) root.addEventListener("keydown", (event) => event.target === root.body && keys(event));

  // The tabs

  const tabs = views.map((view) => byId(root, `prior-tab-${view}`, HTMLButtonElement));
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => show(views[at]!));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      const next = (to + views.length) % views.length;
      event.preventDefault();
      show(views[next]!);
      tabs[next]!.focus();
    });
  });
  effect(() => {
    views.forEach((view, at) => {
      const open = view === shown.value;
      tabs[at]!.ariaSelected = String(open);
      tabs[at]!.tabIndex = open ? 0 : -1;
      byId(root, `prior-panel-${view}`, HTMLElement).hidden = !open;
    });
  });

  // What the engine says

  effect(() => {
    const fault = app.fault.value;
    say(root, "prior-error", fault?.at === "prior" ? fault.detail : text.failure.value);
    const { domain } = app.form.value;
    section.hidden = app.refusal.value?.pointer === "/domain/model" && domain["model"] === undefined; // without a model there is no prior to show
    const now = app.form.value.line.now ?? {};
    byId(root, "prior-note", HTMLElement).textContent = [
      drawing.value ? "A click adds an edge to the true graph of your problem, or removes it." : "",
      app.checked.value?.told === false ? typeset("No agent of this experiment uses these edges; C-PSRL would.") : "",
      domainOf({ domain })?.perRun ? "Each run draws its own true graph; this is the first run’s. Edges edited by hand hold in every run." : "",
      app.revealed.value && app.about.value ? untold(app.about.value) : "",
      "false" in now ? "Each run draws its own false edges; these are the first run’s." : "",
    ]
      .filter((words) => words !== "")
      .join(" ");
  });
  effect(() => {
    if (!app.about.value) return; // those of the problem before stay
    const reasons = reasonsOf(app.about.value.suggestions ?? []);
    byId(root, "prior-why", HTMLElement).hidden = reasons.length === 0;
    render(
      reasons.map(({ why, edges }) => html`<li>${why} <span translate="no">${edges}</span></li>`),
      byId(root, "prior-reasons", HTMLElement),
    );
  });
  const more = byId(root, "prior-more", HTMLDetailsElement);
  const fill = once(
    () => styled(more, "worth.css").then(() => import("./worth")),
    (made) => made.worth(playground),
  );
  more.addEventListener("toggle", () => more.open && fill());
  if (more.open) fill(); // it was opened before this module had loaded
}
