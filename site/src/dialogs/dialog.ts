// What the dialogs share. A playground has one dialog of each name, made when it is first opened.

import { hostOf, type Root } from "../dom";
import { styled } from "../styles";

const made = new WeakMap<Root, Map<string, HTMLDialogElement>>();

/** The dialog of that name in a root, into which its content is rendered. A click on the backdrop closes it. */
export function dialogOf(root: Root, name: string): HTMLDialogElement {
  const dialogs = made.get(root) ?? new Map<string, HTMLDialogElement>();
  made.set(root, dialogs);
  const known = dialogs.get(name);
  if (known) return known;
  const dialog = document.createElement("dialog");
  dialog.id = `${name}-dialog`;
  dialog.setAttribute("aria-labelledby", `${name}-title`);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  (root instanceof Document ? root.body : hostOf(root)).append(dialog);
  dialogs.set(name, dialog);
  return dialog;
}

const loading = new WeakMap<HTMLDialogElement, Promise<boolean>>();

/** Resolves when a dialog has its style. False: the style could not be loaded, and the page says so; the next call tries again. */
export function dressed(dialog: HTMLDialogElement): Promise<boolean> {
  const known = loading.get(dialog);
  if (known) return known;
  const style = styled(dialog, "dialogs.css").then((loaded) => {
    if (!loaded) loading.delete(dialog);
    return loaded;
  });
  loading.set(dialog, style);
  return style;
}
