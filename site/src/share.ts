// The dialogs Share and Embed: texts to copy, made when they are asked for.

import { parts, themes, usualParts } from "./embed";
import { make } from "./dom";
import { linkOf, presetOf, root, type Address } from "./link";

/** Makes a text to copy: a field and its button. */
class Copyable {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement | HTMLTextAreaElement;
  readonly #said = make("p", { className: "said" });

  constructor(id: string, label: string, rows = 1) {
    this.#field = rows > 1 ? make("textarea", { id, rows, readOnly: true }) : make("input", { id, readOnly: true });
    this.#field.spellcheck = false;
    this.#said.setAttribute("role", "status");
    const button = make("button", { type: "button", textContent: "Copy" });
    button.setAttribute("aria-label", `Copy: ${label}`);
    button.addEventListener("click", () => void this.#copy());
    this.element = make("div", { className: "copyable" }, make("label", { htmlFor: id, textContent: label }), this.#field, button, this.#said);
  }

  set text(text: string) {
    this.#field.value = text;
    this.#said.textContent = "";
  }

  /** Copies; where the browser does not allow it, selects the text for the person to copy. */
  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#field.value);
      this.#said.textContent = "Copied.";
    } catch {
      this.#field.focus();
      this.#field.select();
      const key = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘C" : "Ctrl+C";
      this.#said.textContent = `This frame or browser does not let the page copy. The text is selected: press ${key}.`;
    }
  }
}

/** Makes a dialog that is built once and filled each time it opens. */
function dialog(id: string, title: string, ...content: HTMLElement[]): HTMLDialogElement {
  const heading = make("h2", { id: `${id}-title`, textContent: title });
  const close = make("button", { type: "button", textContent: "Close" });
  const element = make("dialog", { id, className: "dialog" }, make("div", { className: "dialog-head" }, heading, close), ...content);
  element.setAttribute("aria-labelledby", heading.id);
  close.addEventListener("click", () => element.close());
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close(); // the backdrop
  });
  document.body.append(element);
  return element;
}

const note = (): HTMLParagraphElement => make("p", { className: "note" });

let share: ((address: Address) => Promise<void>) | undefined;

export async function openShare(address: Address): Promise<void> {
  await (share ??= makeShare())(address);
}

function makeShare(): (address: Address) => Promise<void> {
  const link = new Copyable("share-link", "Link to this experiment");
  const preset = new Copyable("share-preset", "Short link, with a preview picture");
  const receipt = new Copyable("share-receipt", "Link with receipt");
  const about = note();
  const privacy = note();
  privacy.textContent = "The link holds the whole experiment; no server keeps it.";
  const element = dialog("share-dialog", "Share", link.element, preset.element, receipt.element, about, privacy);
  return async (address) => {
    const { checked, last, unknown } = address;
    if (!checked) return;
    link.text = `${root}#${await address.link(checked)}`;
    const named = presetOf(checked.link);
    preset.element.hidden = named === undefined;
    if (named) preset.text = `${root}${named.name}/`;
    receipt.element.hidden = last === undefined;
    if (last) {
      receipt.text = `${root}#${await linkOf(last.spec, unknown, last.receipt)}`;
      const { runs } = last.spec;
      about.textContent =
        `The receipt is the engine’s version and the fingerprint of the ${runs === 1 ? "one run" : `${runs} runs`} that this tab finished last` +
        `${last.asked === checked.link ? "" : ", before the settings were changed"}. Who opens the link can compute the same and compare.`;
    } else {
      about.textContent = "After a run there is also a link with its receipt: the engine’s version and the fingerprint of the records, for others to compare.";
    }
    show(element);
  };
}

let embed: ((address: Address) => Promise<void>) | undefined;

export async function openEmbed(address: Address): Promise<void> {
  await (embed ??= makeEmbed())(address);
}

const partNames: Readonly<Record<(typeof parts)[number], string>> = {
  problem: "Problem",
  prior: "Prior",
  agents: "Agents and sizes",
  stage: "Stage",
  experiment: "Figure",
  controls: "Run and Stop",
};

function makeEmbed(): (address: Address) => Promise<void> {
  const frame = new Copyable("embed-frame", "Frame", 5);
  const tag = new Copyable("embed-element", "Element: a picture first, the playground on click", 5);
  const themeMenu = make("select", { id: "embed-theme" }, ...themes.map((theme) => new Option(theme, theme)));
  const boxes = parts.map((part) => make("input", { type: "checkbox", value: part, checked: usualParts.includes(part) }));
  const choices = make(
    "fieldset",
    { className: "choices" },
    make("legend", { textContent: "Parts" }),
    ...boxes.map((box) => make("label", {}, box, partNames[box.value as (typeof parts)[number]])),
  );
  const theme = make("p", { className: "field" }, make("label", { htmlFor: "embed-theme", textContent: "Theme" }), themeMenu);
  const help = note();
  help.append("A frame tells its page its height and takes commands: ", make("a", { href: `${root}docs/host.html`, textContent: "the host API" }), ".");
  const element = dialog("embed-dialog", "Embed", make("div", { className: "options" }, choices, theme), frame.element, tag.element, help);
  let link = "";
  let title = "";
  let name: string | undefined;
  const fill = (): void => {
    const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    const ui = chosen.join() === usualParts.join() || chosen.length === 0 ? "" : chosen.join();
    const query = `?embed=1${themeMenu.value === "auto" ? "" : `&theme=${themeMenu.value}`}${ui && `&ui=${ui}`}`;
    const place = name === undefined ? root : `${root}${name}/`;
    const fragment = name === undefined ? `#${link}` : "";
    const fallback = `<a href="${attribute(`${place}${fragment}`)}">${content(title)}</a>`;
    frame.text = `<iframe src="${attribute(`${place}${query}${fragment}`)}" title="${attribute(title)}" width="100%" height="640" style="border:0" loading="lazy" allow="clipboard-write">${fallback}</iframe>\n<p>${fallback}</p>`;
    const what = name === undefined ? `link="${attribute(link)}"` : `preset="${name}"`;
    const options = `${themeMenu.value === "auto" ? "" : ` theme="${themeMenu.value}"`}${ui && ` ui="${ui}"`}`;
    tag.text = `<script src="${attribute(`${root}playground.js`)}" defer></script>\n<cpsrl-playground ${what}${options}>${fallback}</cpsrl-playground>`;
  };
  themeMenu.addEventListener("change", fill);
  choices.addEventListener("change", fill);
  return async (address) => {
    const { checked } = address;
    if (!checked) return;
    link = await address.link(checked);
    const preset = presetOf(link);
    name = preset?.name;
    title = `C-PSRL playground${preset ? `: ${preset.title}` : ""}`;
    fill();
    show(element);
  };
}

function show(element: HTMLDialogElement): void {
  if (!element.open) element.showModal();
}

/** A text inside a quoted attribute. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** A text between tags. */
function content(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
