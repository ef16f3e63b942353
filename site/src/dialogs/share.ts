// The dialogs Share and Embed, which show links and code to copy.

import catalogue from "cpsrl:catalogue";
import { html, nothing, render } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { live } from "lit-html/directives/live.js";
import { sentence } from "../dom";
import { detailOf } from "../engine/engine";
import type { Checked, View } from "../formats";
import { problemOf, sameProblem } from "../state/differences";
import type { Playground } from "../state/playground";
import { type Detail, details, type Part, parts, usual } from "../parts/index";
import { hosted, site } from "../site";
import { ownSite } from "../versions";
import { Latest } from "../state/latest";
import { presetOf } from "../state/spec";
import { changed, linkable, longestWords, tidy } from "../state/view";
import { type Theme, themes } from "../theme";
import { copyable } from "./copyable";
import { openDialog } from "./dialog";

function show(dialog: HTMLDialogElement, name: string, title: string, content: unknown): void {
  const close = html`<button type="button" @click=${() => dialog.close()}>Close</button>`;
  render(html`<div class="dialog-head"><h2 id="${name}-title">${title}</h2>${close}</div>${content}`, dialog);
  for (const said of dialog.querySelectorAll(".said")) said.textContent = "";
}

interface Made {
  readonly checked: Checked;
  readonly link: string;
}

/** The link to what is shown, with the last edit. Undefined: there is none, and the dialog says why. */
async function linkFor({ root, app, links }: Playground, name: string, title: string): Promise<Made | undefined> {
  const checked = (await app.check()) ?? app.checked.value;
  if (!checked) return undefined;
  try {
    return { checked, link: await links.now() };
  } catch (error) {
    await openDialog(root, name, "dialog", (dialog) =>
      show(dialog, name, title, html`<p>${sentence(detailOf(error))} After a run, Export saves the spec.</p>`),
    );
    return undefined;
  }
}

const written = new Latest();

/** The fields for what stands above the figure. The page shows it at once. Again: shows the dialog with the new link. */
function words(name: string, { app, links }: Playground, checked: Checked, again: () => Promise<void>) {
  const { spec } = checked.header;
  const names = ["heading", "note"] as const;
  /** Takes what both fields say, because a press may lead from one to the other while the engine is asked. */
  const write = async ({ target }: Event): Promise<void> => {
    const box = (target as HTMLElement).closest(".words")!;
    const change = Object.fromEntries(names.map((member) => [member, tidy(box.querySelector<HTMLInputElement>(`#${name}-${member}`)!.value) || undefined]));
    const signal = written.next();
    const said = await links.of(spec, undefined, linkable(changed(app.view.value, change), spec)).then(
      () => "",
      (error: unknown) => sentence(detailOf(error)),
    );
    if (signal.aborted) return;
    box.querySelector(".said")!.textContent = said;
    if (said !== "") return;
    app.look(change);
    await again();
  };
  // The fields hold what the view says now. They are not rendered anew while someone types.
  const field = (member: (typeof names)[number], label: string, empty: string) =>
    html`<label for="${name}-${member}">${label}</label><input id="${name}-${member}" maxlength=${longestWords[member]} autocomplete="off" placeholder=${empty} .value=${app.view.value[member] ?? ""} @input=${write} />`;
  const fields = [field("heading", "Title above the figure", app.title.value.title), field("note", "Note below the title", "")];
  return keyed({}, html`<div class="copyable words">${fields}<p class="said" role="status"></p></div>`);
}

export async function openShare(playground: Playground): Promise<void> {
  const made = await linkFor(playground, "share", "Share");
  if (!made) return;
  let again = async (): Promise<void> => {};
  const fields = words("share", playground, made.checked, () => again());
  const content = await sharing(playground, made, fields);
  await openDialog(playground.root, "share", "dialog", (dialog) => {
    show(dialog, "share", "Share", content);
    again = async () => show(dialog, "share", "Share", await sharing(playground, { ...made, link: await playground.links.now() }, fields));
  });
}

/** The end of an address that names the engine. */
const version = `/v${catalogue.engine}/`;

async function sharing({ links }: Playground, { checked, link }: Made, fields: unknown) {
  const run = links.auto.last.value;
  const preset = hosted ? presetOf(link) : undefined;
  const receipt = run && (await links.of(run.spec, run.receipt).catch(() => undefined)); // the run may have been of a large model
  const runs = run?.spec.runs === 1 ? "one run" : `${run?.spec.runs} runs`;
  const other = run && !sameProblem(run.spec, checked.header.spec) ? ` of “${problemOf(run.spec)}”` : "";
  const since = other !== "" ? ", before this problem was opened" : run?.asked === checked.link ? "" : ", before the settings were changed";
  const about =
    run && receipt
      ? `The receipt is the engine’s version and the fingerprint of the ${runs}${other} that this tab finished last${since}. Anyone who opens the link can compute the same and compare.`
      : "After a run there is also a link with its receipt: the engine’s version and the fingerprint of the records, for others to compare.";
  return html`${copyable("share-link", "Link to this experiment", `${ownSite}#${link}`)}
      ${preset ? copyable("share-preset", "Short link, with a preview picture", `${ownSite}${preset.name}/`) : nothing}
      ${receipt === undefined ? nothing : copyable("share-receipt", `Link with receipt${other}`, `${ownSite}#${receipt}`)}
      ${fields}
      <p class="note">${about}</p>
      <p class="note">The link holds the whole experiment and how it is shown; no server keeps it.${ownSite.endsWith(version) ? ` Its address names engine ${catalogue.engine} (${version}), which later versions of this site keep; without that it leads to the newest.` : ""}</p>`;
}

/** Choices of parts that go well together. */
const readySets = [
  { title: "Figure", parts: ["experiment"], without: ["toolbar"] },
  { title: "Figure to run", parts: usual, without: [] },
  { title: "Prior and stage", parts: ["prior", "stage"], without: [] },
  { title: "Quiz", parts: ["prior", "stage"], without: ["reveal", "open"] },
  { title: "Everything", parts: parts.map(({ name }) => name), without: [] },
];

/** The width of the preview, and the height of its frame until it has said its own, in CSS px. */
const [usualWidth, usualHeight] = [680, 700];

/** The height that the preview has asked for. */
let measured = usualHeight;

/** The least and the greatest size of a frame, in CSS px. */
const [least, greatest] = [200, 4000];

/** What is chosen in the dialog Embed. Without a width, the frame is as wide as its place; without a height, as high as its parts. */
const chosen: { theme: Theme; parts: readonly string[] | undefined; without: readonly string[]; width: number | undefined; height: number | undefined } = {
  theme: "auto",
  parts: undefined,
  without: [],
  width: undefined,
  height: undefined,
};

/** The proposal at which the parts were chosen. */
let met = "";

/** The parts that show what a link says: the stage if it watches an episode, an edited prior, and the figure unless the link is about the stage alone. */
function proposed({ header }: Checked, { watched, heading: _heading, note: _note, ...chart }: View): readonly string[] {
  const { prior } = header.spec;
  const figure = !watched || Object.keys(chart).length > 0;
  return parts
    .map(({ name }) => name)
    .filter((name) => (name === "stage" ? watched : name === "prior" ? prior && "edges" in prior : usual.includes(name) && figure));
}

export async function openEmbed(playground: Playground): Promise<void> {
  const made = await linkFor(playground, "embed", "Embed");
  if (!made) return;
  let { link } = made;
  const proposal = proposed(made.checked, playground.app.view.value);
  // What was chosen for a link of another kind may not show what this one says.
  if (met !== proposal.join()) Object.assign(chosen, { parts: undefined, without: [], height: undefined });
  met = proposal.join();
  await openDialog(playground.root, "embed", "dialog", (dialog) => {
    const fill = (): void => show(dialog, "embed", "Embed", embedding(link, playground.app.view.value, proposal, fields, fill));
    const fields = words("embed", playground, made.checked, async () => {
      link = await playground.links.now();
      fill();
    });
    fill();
    // The frame proposes the height that its preview needs.
    const hear = ({ source, data }: MessageEvent<{ cpsrl?: number; type?: string; height?: number } | undefined>): void => {
      if (data?.cpsrl !== 1 || data.type !== "height" || source !== dialog.querySelector<HTMLIFrameElement>("#embed-preview")?.contentWindow) return;
      measured = data.height ?? usualHeight;
      // What is being typed stays, and so does what has been refused.
      const field = dialog.querySelector<HTMLInputElement>(".sizes input:is(:focus, :invalid)");
      if (field) field.onblur = () => void (field.validity.valid && fill());
      else fill();
    };
    addEventListener("message", hear);
    // The preview must not go on computing when the dialog is closed.
    dialog.onclose = () => {
      removeEventListener("message", hear);
      render(nothing, dialog);
    };
  });
}

function embedding(link: string, { heading }: View, proposal: readonly string[], fields: unknown, fill: () => void) {
  const { theme, width } = chosen;
  const shown = chosen.parts ?? proposal;
  const height = chosen.height ?? Math.max(least, Math.min(measured, greatest));
  const preset = presetOf(link);
  const title = heading ?? `C-PSRL playground${preset ? `: ${preset.title}` : ""}`;
  const without = chosen.without.filter((name) => details[name]!.of.some((part) => shown.includes(part)));
  const ui = (shown.join() === usual.join() && without.length === 0) || shown.length === 0 ? "" : [...shown, ...without.map((name) => `-${name}`)].join();
  const query = `?embed=1${theme === "auto" ? "" : `&theme=${theme}`}${ui && `&ui=${ui}`}`;
  const place = preset ? `${ownSite}${preset.name}/` : ownSite;
  const fragment = preset ? "" : `#${link}`;
  const fallback = `<a href="${attribute(`${place}${fragment}`)}">${content(title)}</a>`;
  const frame = `<iframe src="${attribute(`${place}${query}${fragment}`)}" title="${attribute(title)}" width="${width ?? "100%"}" height="${height}" style="border:0" loading="lazy" allow="clipboard-write">${fallback}</iframe>\n<p>${fallback}</p>`;
  const what = preset ? `preset="${preset.name}"` : `link="${attribute(link)}"`;
  const options = `${theme === "auto" ? "" : ` theme="${theme}"`}${ui && ` ui="${ui}"`}${width === undefined ? "" : ` style="width:${width}px"`}`;
  const tag = `<script src="${attribute(`${ownSite}playground.js`)}" defer></script>\n<cpsrl-playground ${what}${options}>${fallback}</cpsrl-playground>`;
  const change = (to: Partial<typeof chosen>): void => {
    Object.assign(chosen, to);
    fill();
  };
  const sets = readySets.map((set) => {
    const pressed = set.parts.join() === shown.join() && set.without.join() === without.join();
    return html`<button type="button" aria-pressed=${pressed} @click=${() => change({ parts: set.parts, without: set.without, height: undefined })}>${set.title}</button>`;
  });
  const box = ({ name, title }: Part) =>
    html`<label><input type="checkbox" value=${name} .checked=${live(shown.includes(name))} @change=${({ target }: Event) =>
      change({
        parts: parts.map((part) => part.name).filter((other) => (other === name ? (target as HTMLInputElement).checked : shown.includes(other))),
      })} />${title}</label>`;
  const detail = ([name, { title, of }]: [string, Detail]) =>
    html`<label><input type="checkbox" value=${name} ?disabled=${!of.some((part) => shown.includes(part))} .checked=${live(!chosen.without.includes(name))} @change=${({
      target,
    }: Event) =>
      change({
        without: Object.keys(details).filter((other) => (other === name ? !(target as HTMLInputElement).checked : chosen.without.includes(other))),
      })} />${title}</label>`;
  const turn = ({ target }: Event): void => change({ theme: (target as HTMLSelectElement).value as Theme });
  const size = (name: "width" | "height", label: string) => {
    const typed = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      if (input.reportValidity()) change({ [name]: input.value === "" ? undefined : input.valueAsNumber });
    };
    return html`<p class="field"><label for="embed-${name}">${label}</label><input id="embed-${name}" type="number" min=${least} max=${greatest} step="1" ?required=${name === "height"} placeholder="100%" .value=${live(String((name === "height" ? height : width) ?? ""))} @change=${typed} /></p>`;
  };
  return html`<div class="options">
      <div class="sets" role="group" aria-label="Ready sets">${sets}</div>
      <fieldset class="choices"><legend>Parts</legend>${parts.map(box)}${Object.entries(details).map(detail)}</fieldset>
      <div class="sizes">
        <p class="field"><label for="embed-theme">Theme</label><select id="embed-theme" @change=${turn}>${themes.map((name) => html`<option value=${name} .selected=${name === theme}>${name}</option>`)}</select></p>
        ${size("width", "Width, px")} ${size("height", "Height, px")}
      </div>
      ${fields}
    </div>
    <div class="preview" role="region" aria-label="Preview" tabindex="0"><iframe id="embed-preview" title="Preview: ${title}" src="${place}${query}${fragment}" width=${width ?? usualWidth} height=${height}></iframe></div>
    ${copyable("embed-frame", "Frame", frame, 5)}
    ${copyable("embed-element", "Element: a picture first, the playground on click; as high as it needs to be", tag, 5)}
    ${copyable("embed-alone", "Link to the frame by itself, for a class", `${place}${query}${fragment}`)}
    <p class="note">A frame tells its page its height and takes commands: <a href="${site}docs/host.html">the host API</a>.</p>`;
}

/** Escapes a text for a quoted attribute. */
const attribute = (text: string): string => content(text).replaceAll('"', "&quot;");

/** Escapes a text between tags. */
const content = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
