// Whether the visitor prefers reduced motion; it is read anew each time, because it may change.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
