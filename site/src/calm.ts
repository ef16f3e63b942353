// Whether someone wants less motion, now and whenever it changes.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
