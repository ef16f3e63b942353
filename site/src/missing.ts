// The page that a host serves for an address without a page (404.html). It says what is missing
// and lists what there is. In a frame it also tells the page around it how high it is.

import { hasLink, inPath, isLink } from "./address";

/** The presets to choose from, and their titles. */
declare const PRESETS: readonly (readonly [name: string, title: string])[];

const { hash, pathname, search } = location;
const query = new URLSearchParams(search);
const embedded = query.get("embed") === "1";
const theme = query.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;

/** The link of the address, as what stands behind the site's own address; "" if there is none. The # of a link may have become a part of the path, and the link the query. */
const part = inPath(pathname);
const experiment = isLink(hash) ? search + hash : part !== "" ? `${search}#${part}` : hasLink(search) ? search + hash : "";
const path = part === "" ? pathname : pathname.slice(0, pathname.length - part.length).replace(/%(25)*23$/, "");

/** The last name in the address: "taxi7" in /cpsrl/taxi7/. */
function named(): string {
  const last = /([^/]*)\/?$/.exec(path)![1]!;
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // it has a % that encodes nothing
  }
}

/** The engine that the address names, and the name of its page: "9" and "fig1" for /cpsrl/v9/fig1/, "9" and "" for /cpsrl/v9/. */
const [, engine, page = ""] = /\/v([1-9]\d*)(?:\/([^/]*))?\/?$/.exec(path) ?? [];
const whose = engine === undefined ? "" : ` of engine ${engine}`;
const what = engine !== undefined && page === "" ? `pages${whose}` : `${embedded ? "preset" : "page"} “${named()}”${whose}`;
const fault =
  part === "" ? `The C-PSRL playground has no ${what}` : "In this address, the # before the experiment has become a part of the path, so it names no page";
const said = `${fault}${embedded ? ", so this frame shows none" : ""}.`;

/** Where the site begins: the nearest folder above that has the manifest, or else the folder of the missing page. */
async function findSite(): Promise<string> {
  const folders = path.split("/").slice(0, -1);
  for (let depth = folders.length; depth > 0; depth--) {
    const folder = `${folders.slice(0, depth).join("/")}/`;
    const found = await fetch(`${folder}manifest.webmanifest`, { method: "HEAD" }).catch(() => undefined); // a frame without an origin may not ask
    if (found?.ok) return folder;
  }
  return path.replace(/[^/]*\/?$/, "");
}

function link(href: string, text: string, apart = false): HTMLElement {
  const item = document.createElement("li");
  item.append(Object.assign(document.createElement("a"), { href, textContent: text }, apart ? { target: "_blank", rel: "noopener" } : {}));
  return item;
}

/** Tells the page around this one how high it is. */
function tell(): void {
  parent.postMessage({ cpsrl: 1, type: "height", height: Math.ceil(document.documentElement.getBoundingClientRect().height) }, "*");
}

async function show(): Promise<void> {
  document.getElementById("said")!.textContent = said;
  const site = await findSite();
  const list = document.createElement("ul");
  // A link holds the whole experiment, so the missing page adds nothing to it.
  if (experiment !== "") list.append(link(site + experiment, "The experiment of this address"));
  for (const [preset, title] of PRESETS) list.append(link(`${site}${preset}/${search}`, title));
  list.append(link(site, "The playground", embedded));
  document.getElementById("ways")!.append(Object.assign(document.createElement("p"), { textContent: "It has these:" }), list);
  if (!embedded || parent === window) return;
  parent.postMessage({ cpsrl: 1, type: "refused", detail: said }, "*");
  new ResizeObserver(tell).observe(document.body);
}

void show();
