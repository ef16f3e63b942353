// The one place that makes markup, and the addresses of scripts, from text: by a policy of Trusted Types, where the browser
// has them. The page demands that policy (its Content-Security-Policy names it), so a text that comes to the
// document in another way throws there. Elsewhere, as in the page of a host without a policy, the same checks hold.

/** The policy's name, which a page that names its policies must allow, beside lit-html's own. */
const name = "cpsrl";

/** What a text is: a page of the playground, or a picture that the engine drew. */
type Kind = "page" | "picture";

interface Rules {
  createHTML(text: string, kind: Kind): string;
  createScriptURL(address: string): string;
}

/** The values of a tag's attributes. */
const values = /"[^"]*"|'[^']*'/g;

/** Whether a tag of a picture could do anything but draw. The engine escapes names, so no picture has such a tag. */
const acts = (tag: string): boolean =>
  /^<\/?(?:script|foreignobject|iframe|object|embed)\b/i.test(tag) ||
  /[\s"'/]on\w+\s*=/i.test(tag.replaceAll(values, '""')) ||
  /\bhref\s*=\s*["']?\s*javascript:/i.test(tag);

const rules: Rules = {
  createHTML(text, kind) {
    if (kind === "picture")
      for (const [tag] of text.matchAll(/<(?:[^<>"']|"[^"]*"|'[^']*')*>?/g))
        if (acts(tag)) throw new Error(`a picture holds ${tag.slice(0, 40)}, which does not draw`);
    return text;
  },
  createScriptURL(address) {
    const { protocol, origin } = new URL(address, document.baseURI);
    if (protocol !== "blob:" && origin !== location.origin) throw new Error(`${address} is no script of the playground`);
    return address;
  },
};

/** What the rest of the program gets in place of a text. The types of the document know only strings. */
let policy: Rules | undefined;

function trusted(): Rules {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } };
  try {
    policy ??= trustedTypes?.createPolicy(name, rules) ?? rules;
  } catch {
    throw new Error(`this page names the policies that it trusts; it must allow these (trusted-types ${name} lit-html)`);
  }
  return policy;
}

/** Parses the page of a playground. Nothing of it runs or is loaded. */
export const parsedPage = (text: string): Document => new DOMParser().parseFromString(trusted().createHTML(text, "page"), "text/html");

/** Makes a drawing that the engine has sent as a document. */
export const drawing = (text: string): Element =>
  document.importNode(new DOMParser().parseFromString(trusted().createHTML(text, "picture"), "image/svg+xml").documentElement, true);

/** Draws in an element what the engine has sent as a part of a picture. */
export function draw(element: Element, text: string): void {
  element.innerHTML = trusted().createHTML(text, "picture");
}

/** Opens a page of the playground's own in a frame. */
export function fill(frame: HTMLIFrameElement, page: string): void {
  frame.srcdoc = trusted().createHTML(page, "page");
}

/** The address of a script for a worker. */
export const scriptAddress = (address: string): string => trusted().createScriptURL(address);
