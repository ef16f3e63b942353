// The host's side of package kernel, for the worker and for tests in Node.

/**
 * Returns the imports for a Go instance that is about to be made, and a function
 * to call with the instance: Go exports its memory only then.
 * @param {WebAssembly.Module | null} module the assembled kernel.wat, or null
 */
export function kernelHost(module) {
  /** @type {Function} */
  let bound = () => {
    throw new Error("the kernel is not bound");
  };
  return {
    imports: {
      available: () => (module ? 1 : 0),
      mul: (/** @type {number[]} */ ...args) => bound(...args),
    },
    /** @param {WebAssembly.Instance} instance */
    bind(instance) {
      if (!module) return;
      const mem = /** @type {WebAssembly.Memory} */ (instance.exports["mem"]);
      bound = /** @type {Function} */ (new WebAssembly.Instance(module, { go: { mem } }).exports["mul"]);
    },
  };
}
