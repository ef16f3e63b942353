// What the dialogs share. A playground has one dialog of each name, made when it is first opened.

import { hostOf, make, type Root } from "../dom";
import { later } from "../lost";
import { styled } from "../styles";

/** The element that holds a root's dialogs and its tour. */
export const placeIn = (root: Root): HTMLElement => (root instanceof Document ? root.body : hostOf(root));

const styles = new WeakMap<Root, HTMLLinkElement>();

/** Adds the style of the dialogs to a root, once. False: it could not be loaded, and the page says so; the next call tries again. */
export async function dressed(root: Root): Promise<boolean> {
  const style = styles.get(root) ?? (await later(() => styled(placeIn(root), "dialogs.css")));
  if (style) styles.set(root, style);
  return style !== undefined;
}

/** Opens the dialog of that name in a root, if its style can be loaded. Fill renders its content. A click on the backdrop closes it. */
export async function openDialog(root: Root, name: string, className: string, fill: (dialog: HTMLDialogElement) => void): Promise<void> {
  if (!(await dressed(root))) return;
  const dialog = dialogIn(root, `${name}-dialog`);
  dialog.className = className;
  dialog.setAttribute("aria-labelledby", `${name}-title`);
  fill(dialog);
  if (!dialog.open) dialog.showModal();
}

function dialogIn(root: Root, id: string): HTMLDialogElement {
  const known = root.getElementById(id);
  if (known instanceof HTMLDialogElement) return known;
  const dialog = make("dialog", { id });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  placeIn(root).append(dialog);
  return dialog;
}
