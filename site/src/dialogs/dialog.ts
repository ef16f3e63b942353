// What the dialogs share: one of each in a playground, made when it is first opened.

import { hostOf, type Root } from "../dom";
import { styled } from "../styles";

const made = new WeakMap<Root, Map<string, HTMLDialogElement>>();

/** The dialog of that name in a root, whose content is rendered into it. It closes by its backdrop, too. */
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

const looks = new WeakMap<HTMLDialogElement, Promise<boolean>>();

/** Resolves when a dialog has its style. False: it did not come, which is said; the next wish tries again. */
export function dressed(dialog: HTMLDialogElement): Promise<boolean> {
  const known = looks.get(dialog);
  if (known) return known;
  const look = styled(dialog, "dialogs.css").then((came) => {
    if (!came) looks.delete(dialog);
    return came;
  });
  looks.set(dialog, look);
  return look;
}
