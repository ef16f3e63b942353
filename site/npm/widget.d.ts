// The playground as a widget of a notebook, by the protocol of anywidget. Its traits are preset, link and parts; and, as the
// playground says them, conclusion, fingerprint, summary, belief and refused. The message "run" runs what is shown.

declare const widget: {
  /** Shows the playground in an element, and returns what frees it. */
  render(context: { readonly model: object; readonly el: HTMLElement }): Promise<() => void>;
};
export default widget;
