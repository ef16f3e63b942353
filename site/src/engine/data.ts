// The transitions that experiments start from. A spec names them by their SHA-256; what is
// asked of the engine holds them in place of the name. They stay as long as the page is open.

/** The list of the transitions as JSON, by its name. */
const kept = new Map<string, string>();

export const keepData = (name: string, steps: readonly unknown[]): void => void kept.set(name, JSON.stringify(steps));

export const hasData = (name: string): boolean => kept.has(name);

/** These answers do not depend on the transitions. */
const without = ["/v1/link", "/v1/prior", "/v1/data"];

/** JSON with the transitions that it names, as far as the page has them. In a text within JSON, the quotes are escaped. */
export function withData(path: string, json: string): string {
  if (kept.size === 0 || without.includes(path)) return json;
  return json.replaceAll(/"data":"([0-9a-f]{64})"/g, (name, of: string) => (kept.has(of) ? `"data":${kept.get(of)}` : name));
}
