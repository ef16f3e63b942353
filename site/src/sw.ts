// The service worker. It keeps a copy of the whole site, from one build. It fetches every
// file with the hash that the file had when the site was built, so a copy is never a mix
// of two builds. A newer copy takes over between two visits, never during one.

/// <reference lib="es2023" />
/** The hash of the build; build.mjs fills it in. */
declare const BUILD: string;
/** The hash of each file by its path. */
declare const FILES: Readonly<Record<string, string>>;
/** The same for large files, which are kept only after someone has asked for them. */
declare const LATER: Readonly<Record<string, string>>;

interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}
interface Asking {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Client {
  postMessage(message: string): void;
}
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly { readonly frameType: string; readonly url: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Asking) => void): void;
  addEventListener(type: "message", listener: (event: Waiting & { readonly data: unknown; readonly source: Client | null }) => void): void;
}

const worker = self as unknown as Scope;
const base = worker.registration.scope;
const family = `cpsrl ${base} `;
const copy = family + BUILD;

/** The message with which this copy tells a newer copy, which waits, to take over. */
const takeOver = "take over";
/** The question of the page in between: whether no other page of the site is open. */
const alone = "alone?";
/** A cache of this name says that the worker that waits was told to take over. If it still waits, it never will: it is empty, or another program's. Each new copy removes it. */
const told = `${family}told`;
/** Whether this copy answers the next visit, although a newer one waits. */
let stay = false;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .delete(told)
      .then(() => caches.open(copy))
      .then((cache) => cache.addAll(Object.entries(FILES).map(([path, integrity]) => exactly(path, integrity))))
      .catch(async (error: unknown) => {
        await caches.delete(copy);
        throw error;
      }),
  );
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(family) && name !== copy));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

worker.addEventListener("message", (event) => {
  if (event.data === takeOver) void worker.skipWaiting();
  if (event.data === alone) event.waitUntil(change(event.source));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method === "GET" && path !== undefined) event.respondWith(answer(request, path));
});

/** Asks for a file as it was when the site was built. */
function exactly(path: string, integrity: string): Request {
  return new Request(new URL(path, base), { integrity, cache: path.startsWith("assets/") ? "default" : "no-cache", credentials: "same-origin" });
}

/** The path of an address below the scope, if this build has such a file. */
function pathOf(url: string): string | undefined {
  const { href } = Object.assign(new URL(url), { search: "", hash: "" });
  if (!href.startsWith(base)) return undefined;
  const path = decodeURI(href.slice(base.length)).replace(/(^|\/)index\.html$/, "$1");
  if (Object.hasOwn(FILES, path) || Object.hasOwn(LATER, path)) return path;
  return Object.hasOwn(FILES, `${path}/`) ? `${path}/` : undefined;
}

async function answer(request: Request, path: string): Promise<Response> {
  const visit = request.mode === "navigate";
  const url = new URL(path, base);
  if (visit) {
    const next = request.destination === "document" && /(^|\/|\.html)$/.test(path) ? await newer() : undefined; // neither for a frame nor for a download
    if (next) return next;
    const asked = new URL(request.url);
    if (!asked.pathname.endsWith("/") && url.href.endsWith("/")) return Response.redirect(url.href + asked.search, 302);
  }
  const integrity = FILES[path] ?? LATER[path]!;
  const cache = await caches.open(copy);
  const kept = await cache.match(url);
  if (kept && (await hashOf(kept.clone())) === integrity) return kept;
  // The file was never kept, or its bytes are damaged.
  try {
    const response = await fetch(exactly(path, integrity));
    if (response.ok) await cache.put(url, response.clone()).catch(() => {}); // a full disk
    return response;
  } catch {
    // The network is gone, or the site has another version of this file.
    return fetch(request).catch(() => (visit ? new Response(damaged, { status: 503 }) : Response.error()));
  }
}

const damaged = "The copy of this page on this device is damaged, and the site cannot be reached.";

/** The hash of a file, in the notation of FILES. */
async function hashOf(file: Response): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return `sha256-${btoa(String.fromCharCode(...hash))}`;
}

/** Counts the tabs in which a page of the site is open. Other sites may have the same origin. */
async function tabs(): Promise<number> {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return open.filter(({ frameType, url }) => frameType === "top-level" && url.startsWith(base)).length;
}

/**
 * Returns a page in between if a newer copy waits and at most one tab is open. The tab that asks may still hold the page that
 * it is leaving, which counts as open. The page in between replaces that page. Then it asks whether it is alone, and reloads
 * itself when the newer copy has taken over or has to wait. A worker that was told in vain is not told again.
 */
async function newer(): Promise<Response | undefined> {
  const { waiting } = worker.registration;
  if (!waiting || stay || (await caches.has(told)) || (await tabs()) > 1) {
    stay = false;
    return undefined;
  }
  const nonce = crypto.randomUUID();
  const between = `<!doctype html><meta name="color-scheme" content="light dark"><script nonce="${nonce}">
    const { serviceWorker } = navigator;
    serviceWorker.oncontrollerchange = serviceWorker.onmessage = () => location.reload();
    serviceWorker.controller.postMessage("${alone}");
    setTimeout(() => location.reload(), 5000);</script>`;
  return new Response(between, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
    },
  });
}

/** Answers a page in between. The newer copy takes over if no other page is open. */
async function change(page: Client | null): Promise<void> {
  const { waiting } = worker.registration;
  if (waiting && (await tabs()) === 1) {
    await caches.open(told).catch(() => (stay = true)); // on a full disk, at least the next visit remembers it
    waiting.postMessage(takeOver);
    return;
  }
  stay = waiting !== null;
  page?.postMessage("stay");
}
