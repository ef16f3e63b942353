// Where the name of a variable is cut if there is too little room: what it shares with other names gives way first.

/**
 * What each name shares at its front with every name of the same first word, up to a separator or to the word's end: "running_" of
 * "running_c1" and "running_c2". The stage cuts names at the same place (render/names.go).
 */
export function fronts(names: readonly string[]): readonly string[] {
  const words = names.map((name) => /^\p{L}*/u.exec(name)![0]);
  const shared = new Map<string, string>();
  for (const [k, name] of names.entries()) shared.set(words[k]!, common(shared.get(words[k]!) ?? name, name));
  return words.map((word) => {
    if (words.indexOf(word) === words.lastIndexOf(word)) return "";
    return /^.*[^\p{L}\p{N}]/su.exec(shared.get(word)!)?.[0] ?? word;
  });
}

/** What two texts have in common at the front, in whole characters. */
function common(a: string, b: string): string {
  const [left, right] = [[...a], [...b]];
  const end = left.findIndex((letter, k) => letter !== right[k]);
  return end === -1 ? a : left.slice(0, end).join("");
}
