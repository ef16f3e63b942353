// For which words the figure has room. The build asks, too, so that nothing moves when the script takes over.

/** So many characters fit into one of the two lines above the chart, where it has its usual width. */
const longest = 62;

/** Whether the two parts of what stands above the chart follow each other, because one has no room in a line of its own. */
export const isLong = (...parts: readonly string[]): boolean => parts.some(({ length }) => length > longest);

/** Whether an agent's name has room for two lines in the table of values. A shorter one has one line at every width. */
export const isLongName = (name: string): boolean => name.length > 16;
