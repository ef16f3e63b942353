// What is made once: a function that remembers its results.

/** The same function, but for each argument, if it has one, it is called once, and again only after a failure. */
export function remembered<Of extends [of?: unknown], Made>(make: (...of: Of) => Promise<Made>): (...of: Of) => Promise<Made> {
  const known = new Map<unknown, Promise<Made>>();
  return (...of) => {
    const [key] = of;
    let made = known.get(key);
    if (!made) {
      made = make(...of);
      known.set(key, made);
      made.catch(() => known.delete(key));
    }
    return made;
  };
}
