// Mounts a playground in a root: the document of its page, or the shadow root of an element.
// The page, the embed and the element all call mount. Every playground has its own state,
// so one document can hold several.

import catalogue from "cpsrl:catalogue";
import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { type Address, MemoryAddress } from "./address";
import { byId, hostOf, keepPage, make, onResize, takeDrops, type Root } from "./dom";
import { detailOf } from "./engine/engine";
import type { PresetEntry } from "./formats";
import { boards, later, type Notice } from "./lost";
import { chosen, type Chosen, has, parts } from "./parts/index";
import { sandboxed } from "./site";
import type { SweepLink } from "./formats";
import type { Lacking } from "./state/files";
import { isQuick } from "./state/figures";
import { heartOf, type Playground } from "./state/playground";
import { nextTheme, type Theme } from "./theme";

// A browser that translates the page puts each text into a <font>, on which lit-html then sets the text's data.
Object.defineProperty(HTMLFontElement.prototype, "data", {
  configurable: true,
  set(this: HTMLElement, words: string) {
    this.replaceWith(words);
  },
});

/** How the values of the menu begin that start a problem of one's own. */
const begins = "new:";

export interface Options {
  /** The fragment of a link. Absent: the preset, or the one that the page opens with. */
  readonly link?: string;
  readonly preset?: string;
  /** The words of ui=: which parts are shown. Absent: all parts, as on the playground's own page. */
  readonly parts?: readonly string[] | undefined;
  readonly theme?: Theme;
  /** Where the link to what is shown is written. Absent: it is only remembered. */
  readonly address?: Address;
}

export function mount(root: Root, { link = "", preset, parts: words, theme = "auto", address = new MemoryAddress(link) }: Options): Playground {
  const shown = words && chosen(words);
  const own = catalogue.presets.find(({ name, alias }) => preset !== undefined && (name === preset || alias === preset));
  const standard = catalogue.presets.find(({ name }) => name === "fig2c") ?? catalogue.presets[0]!;
  address.begin((own ?? standard).link);
  const { begin, ...heart } = heartOf(own ?? standard, address, (name) => has(shown, name));
  const { app, ends } = heart;
  app.theme.value = theme;
  const ready = new Promise<void>((resolve) => {
    // The engine is loaded after the first paint.
    requestAnimationFrame(() => setTimeout(() => void begin(showing).then(resolve)));
  });
  const board = ({ name, text, tone, actions }: Notice): void => app.notify(name, text, tone, ...actions);
  boards.add(board);
  ends.add(() => boards.delete(board));
  const edit = async (template?: string): Promise<void> => (await later(() => import("./parts/problem/own")))?.edit(playground, template);
  const door = () => later(() => import("./door"));
  const open = async (files: readonly File[]): Promise<void> => (await door())?.openFiles(playground, files);
  const readAgain = async (lacking: Lacking): Promise<void> => (await door())?.readAgain(playground, lacking);
  const playground: Playground = { root, ...heart, strange: shown?.strange ?? [], ready, edit, open, readAgain };
  frame(playground, shown);
  const showing = Promise.all(parts.map((part) => part.show(playground)));
  return playground;
}

/** Sets up what is around the parts: the header, the notices, and the attributes on which the styles depend. */
function frame(playground: Playground, shown: Chosen | undefined): void {
  const { root, app, links } = playground;
  const host = hostOf(root);
  if (shown) host.dataset["embed"] = shown.parts.join(" ");
  // In a frame, these are no landmarks, so a screen reader does not meet them again for each figure of the host page.
  if (parent !== window) for (const part of root.querySelectorAll(".top, .foot, #notices, #told")) part.setAttribute("role", "group");
  for (const element of root.querySelectorAll<HTMLElement>("[data-part], [data-detail]")) {
    const { part, detail } = element.dataset;
    element.toggleAttribute("data-off", !has(shown, part ?? detail!));
  }
  const panels = byId(root, "panels", HTMLElement);
  panels.querySelector("main")!.setAttribute("aria-labelledby", "experiment-title"); // so that a screen reader can tell the embeds of one page apart
  // Where the page is one screen, it scrolls the contents of an opened drawer into view as they arrive.
  panels.addEventListener("click", ({ target }) => {
    const drawer = target instanceof Element && target.closest("summary")?.parentElement;
    if (!drawer || getComputedStyle(panels).overflowY !== "auto") return;
    const grows = onResize(() => drawer.scrollIntoView({ block: "nearest" }), drawer);
    setTimeout(() => grows.disconnect(), 1000);
  });

  const menu = byId(root, "preset", HTMLSelectElement);
  menu.replaceChildren(); // lit-html adds to what is there
  menu.addEventListener("change", () => {
    const chosen = catalogue.presets.find(({ name }) => name === menu.value);
    const template = catalogue.templates.find(({ name }) => `${begins}${name}` === menu.value);
    if (chosen) links.choose(chosen);
    else if (template) void playground.edit(template.name);
  });
  effect(() => {
    const [preset, checked] = [app.preset.value, app.checked.value];
    const changed = app.spec.value === checked?.header.spec && checked.link !== preset.link ? app.title.value.short : undefined;
    const value = changed === undefined ? preset.name : "";
    const groupOf = ({ gallery, question }: PresetEntry): string => (gallery ? "Gallery" : question);
    // A quick preset is its full one in other sizes. Links lead to it; the menu has it only while it is shown.
    const offered = catalogue.presets.filter(({ name }) => name === value || !isQuick(name));
    const groups = new Set(offered.map(groupOf));
    render(
      [
        changed === undefined ? nothing : html`<option value="" .selected=${true}>${changed}</option>`,
        ...[...groups].map(
          (group) =>
            html`<optgroup label=${group}>${offered
              .filter((preset) => groupOf(preset) === group)
              .map(({ name, title }) => html`<option value=${name} .selected=${name === value}>${title}</option>`)}</optgroup>`,
        ),
        playground.shows("problem")
          ? html`<optgroup label="A problem of your own">${catalogue.templates.map(({ name, title }) => html`<option value=${begins + name}>${title}</option>`)}</optgroup>`
          : nothing,
      ],
      menu,
    );
    menu.value = value;
  });

  effect(() => {
    const { heading, note } = app.view.value;
    const told = byId(root, "told", HTMLElement);
    told.hidden = (heading ?? note) === undefined;
    render([heading === undefined ? nothing : html`<h2>${heading}</h2>`, note === undefined ? nothing : html`<p>${note}</p>`], told);
  });

  const theme = byId(root, "theme", HTMLButtonElement);
  effect(() => {
    host.dataset["theme"] = app.theme.value;
    theme.replaceChildren(make("span", { textContent: "Theme: " }), app.theme.value);
  });
  theme.addEventListener("click", () => void (app.theme.value = nextTheme(app.theme.value)));
  const more = byId(root, "menu", HTMLDetailsElement);
  more.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    more.open = false;
    more.querySelector("summary")!.focus();
  });
  root.addEventListener("click", ({ target }) => {
    if (target !== theme && !(target instanceof Element && target.closest("#menu > summary"))) more.open = false;
  });

  byId(root, "sandboxed", HTMLElement).hidden = !sandboxed;
  if (sandboxed) submitByHand(byId(root, "settings", HTMLFormElement), byId(root, "run", HTMLButtonElement));
  if (shown) for (const drawer of root.querySelectorAll<HTMLDetailsElement>("#settings > details:not(#switches)")) drawer.open = true; // the host page has asked for these parts

  const board = byId(root, "notices", HTMLElement);
  /** Closes a notice. If the focus was in it, the focus goes to the next notice or to Run, and during a run to Stop. */
  const close = (name: string): void => {
    const focused = board.contains(root.activeElement);
    app.dismiss(name);
    if (focused) (board.querySelector("button") ?? root.querySelector<HTMLElement>("#run:enabled, #stop:enabled"))?.focus({ preventScroll: true });
  };
  effect(
    () =>
      void render(
        app.notices.value.map((notice) => noticeOf(notice, close)),
        board,
      ),
  );

  const share = (): Promise<typeof import("./dialogs/share") | undefined> => later(() => import("./dialogs/share"));
  let opens: ReturnType<typeof import("./dialogs/sweep").sweepDialog> | undefined;
  const sweep = async (link?: SweepLink): Promise<void> => {
    const made = await later(() => import("./dialogs/sweep"));
    await (opens ??= made?.sweepDialog(playground))?.(link);
  };
  for (const [id, open] of [
    ["tour", async () => (await later(() => import("./dialogs/tour")))?.openTour(playground)],
    ["share", async () => (await share())?.openShare(playground)],
    ["embed", async () => (await share())?.openEmbed(playground)],
    ["sweep", () => sweep()],
  ] as const) {
    byId(root, id, HTMLButtonElement).addEventListener("click", () => {
      app.fail(id);
      open().catch((error: unknown) => app.fail(id, detailOf(error)));
    });
  }
  effect(() => {
    const link = links.swept.value;
    if (!link) return;
    untracked(() => sweep(link)).catch((error: unknown) => app.fail("sweep", detailOf(error)));
  });
  // A file may be dropped anywhere, where a part shows what it may be.
  if (["problem", "prior", "experiment"].some((part) => playground.shows(part))) takeDrops(host, (files) => void playground.open(files));
  else keepPage(host);
}

/** A sandboxed frame cannot submit a form, so this dispatches the submit event for the clicks and keys that would submit it. */
function submitByHand(form: HTMLFormElement, button: HTMLButtonElement): void {
  const submit = (event: Event): void => {
    event.preventDefault();
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
  };
  button.addEventListener("click", submit);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && !event.defaultPrevented && !button.disabled) submit(event);
  });
}

/** A notice. Each action closes it. One that asks nothing, and offers at most one thing, has a close button. */
function noticeOf({ name, text, tone, actions }: Notice, close: (name: string) => void) {
  const asks = actions.length > (tone === "bad" ? 0 : 1);
  return html`<div class="notice ${tone}" data-notice=${name}>
    <p>${text}</p>
    ${actions.map(
      ({ label, act }) =>
        html`<button type="button" @click=${() => {
          close(name);
          act();
        }}>${label}</button>`,
    )}
    ${asks ? nothing : html`<button type="button" class="close" aria-label="Close this notice" @click=${() => close(name)}>×</button>`}
  </div>`;
}
