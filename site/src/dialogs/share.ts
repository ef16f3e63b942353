// The dialogs Share and Embed: texts to copy, made when they are asked for.

import { html, nothing, render } from "lit-html";
import { copy } from "../dom";
import type { Playground } from "../mount";
import type { Part } from "../parts/index";
import { hosted, site } from "../site";
import { ownSite } from "../versions";
import { presetOf } from "../state/spec";
import { type Theme, themes } from "../theme";
import { dialogOf, dressed } from "./dialog";

/** A text to copy: a field and its button. */
function copyable(id: string, label: string, text: string, rows = 1) {
  const field =
    rows > 1
      ? html`<textarea id=${id} rows=${rows} readonly spellcheck="false" .value=${text}></textarea>`
      : html`<input id=${id} readonly spellcheck="false" .value=${text} />`;
  const press = async ({ currentTarget }: Event): Promise<void> => {
    const box = (currentTarget as HTMLElement).parentElement!;
    const said = await copy(text, box.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea"));
    box.querySelector(".said")!.textContent = said;
  };
  return html`<div class="copyable"><label for=${id}>${label}</label>${field}<button type="button" aria-label="Copy: ${label}" @click=${press}>Copy</button><p class="said" role="status"></p></div>`;
}

/** Shows a dialog with this content. */
async function show({ root }: Playground, name: string, title: string, content: unknown): Promise<void> {
  const dialog = dialogOf(root, name);
  dialog.className = "dialog";
  if (!(await dressed(dialog))) return;
  const close = html`<button type="button" @click=${() => dialog.close()}>Close</button>`;
  render(html`<div class="dialog-head"><h2 id="${name}-title">${title}</h2>${close}</div>${content}`, dialog);
  for (const said of dialog.querySelectorAll(".said")) said.textContent = "";
  if (!dialog.open) dialog.showModal();
}

export async function openShare(playground: Playground): Promise<void> {
  const { app, links } = playground;
  const checked = app.checked.value;
  const run = links.last.value;
  if (!checked) return;
  const link = await links.now();
  const preset = hosted ? presetOf(link) : undefined;
  const receipt = run && (await links.of(run.spec, run.receipt));
  const runs = run?.spec.runs === 1 ? "one run" : `${run?.spec.runs} runs`;
  const about = run
    ? `The receipt is the engine’s version and the fingerprint of the ${runs} that this tab finished last${run.asked === checked.link ? "" : ", before the settings were changed"}. Anyone who opens the link can compute the same and compare.`
    : "After a run there is also a link with its receipt: the engine’s version and the fingerprint of the records, for others to compare.";
  await show(
    playground,
    "share",
    "Share",
    html`${copyable("share-link", "Link to this experiment", `${site}#${link}`)}
      ${preset ? copyable("share-preset", "Short link, with a preview picture", `${site}${preset.name}/`) : nothing}
      ${receipt === undefined ? nothing : copyable("share-receipt", "Link with receipt", `${ownSite}#${receipt}`)}
      <p class="note">${about}</p>
      <p class="note">The link holds the whole experiment and how it is shown; no server keeps it.</p>`,
  );
}

/** What the dialog Embed has been told. */
const chosen: { theme: Theme; parts: readonly string[] | undefined } = { theme: "auto", parts: undefined };

export async function openEmbed(playground: Playground, parts: readonly Part[]): Promise<void> {
  const { checked } = playground.app;
  if (!checked.value) return;
  const link = await playground.links.now();
  const fill = (): Promise<void> =>
    show(
      playground,
      "embed",
      "Embed",
      embedding(link, parts, () => void fill()),
    );
  await fill();
}

function embedding(link: string, parts: readonly Part[], fill: () => void) {
  const { theme } = chosen;
  const usual = parts.filter((part) => part.usual).map(({ name }) => name);
  const shown = chosen.parts ?? usual;
  const preset = presetOf(link);
  const title = `C-PSRL playground${preset ? `: ${preset.title}` : ""}`;
  const ui = shown.join() === usual.join() || shown.length === 0 ? "" : shown.join();
  const query = `?embed=1${theme === "auto" ? "" : `&theme=${theme}`}${ui && `&ui=${ui}`}`;
  const place = preset ? `${ownSite}${preset.name}/` : ownSite;
  const fragment = preset ? "" : `#${link}`;
  const fallback = `<a href="${attribute(`${place}${fragment}`)}">${content(title)}</a>`;
  const frame = `<iframe src="${attribute(`${place}${query}${fragment}`)}" title="${attribute(title)}" width="100%" height="640" style="border:0" loading="lazy" allow="clipboard-write">${fallback}</iframe>\n<p>${fallback}</p>`;
  const what = preset ? `preset="${preset.name}"` : `link="${attribute(link)}"`;
  const options = `${theme === "auto" ? "" : ` theme="${theme}"`}${ui && ` ui="${ui}"`}`;
  const tag = `<script src="${attribute(`${ownSite}playground.js`)}" defer></script>\n<cpsrl-playground ${what}${options}>${fallback}</cpsrl-playground>`;
  const choose = (name: string, on: boolean): void => {
    chosen.parts = parts.map((part) => part.name).filter((other) => (other === name ? on : shown.includes(other)));
    fill();
  };
  const box = ({ name, title }: Part) =>
    html`<label><input type="checkbox" value=${name} .checked=${shown.includes(name)} @change=${({ target }: Event) => choose(name, (target as HTMLInputElement).checked)} />${title}</label>`;
  const turn = ({ target }: Event): void => {
    chosen.theme = (target as HTMLSelectElement).value as Theme;
    fill();
  };
  return html`<div class="options">
      <fieldset class="choices"><legend>Parts</legend>${parts.map(box)}</fieldset>
      <p class="field"><label for="embed-theme">Theme</label><select id="embed-theme" @change=${turn}>${themes.map((name) => html`<option value=${name} .selected=${name === theme}>${name}</option>`)}</select></p>
    </div>
    ${copyable("embed-frame", "Frame", frame, 5)}
    ${copyable("embed-element", "Element: a picture first, the playground on click", tag, 5)}
    <p class="note">A frame tells its page its height and takes commands: <a href="${site}docs/host.html">the host API</a>.</p>`;
}

/** A text inside a quoted attribute. */
const attribute = (text: string): string => content(text).replaceAll('"', "&quot;");

/** A text between tags. */
const content = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
