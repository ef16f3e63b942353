// The host's side of core/internal/loops, for the worker and for tests in Node.

/**
 * Returns the imports for a Go instance that is about to be made, and a function
 * to call with the instance: Go exports its memory only then. The kernel is
 * instantiated before and after, as kernel.wat tells.
 * @param {WebAssembly.Module | null} module the assembled kernel.wat, or null
 */
export function kernelHost(module) {
  if (!module) {
    // Nothing of this is called where there is no kernel.
    const none = () => {};
    return { imports: { available: () => 0, mul: none, tally: none, fill: none, scale: none, joint: none, distance: none, improve: none, contend: none, halve: none }, bind: none };
  }
  const table = new WebAssembly.Table({ initial: 9, element: "anyfunc" });
  const over = (/** @type {WebAssembly.Memory} */ mem) => new WebAssembly.Instance(module, { go: { mem, table } });
  return {
    imports: { available: () => 1, ...over(new WebAssembly.Memory({ initial: 1 })).exports },
    /** @param {WebAssembly.Instance} instance */
    bind(instance) {
      over(/** @type {WebAssembly.Memory} */ (instance.exports["mem"]));
    },
  };
}
