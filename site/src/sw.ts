// The service worker: one copy of the whole site, of one build. Every file is
// fetched with the hash it had when the site was built, so a copy is never a mix
// of two builds; a newer copy takes over between two visits, never within one.

/// <reference lib="es2023" />
/** The hash of the build, and of each of its files by its path; filled in by build.mjs. */
declare const BUILD: string;
declare const FILES: Readonly<Record<string, string>>;

interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}
interface Asking {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly { readonly frameType: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Asking) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
}

const worker = self as unknown as Scope;
const base = worker.registration.scope;
const family = `cpsrl ${base} `;
const copy = family + BUILD;
const takeOver = "take over";

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(copy)
      .then((cache) =>
        cache.addAll(
          Object.entries(FILES).map(
            ([path, integrity]) => new Request(new URL(path, base), { integrity, cache: path.startsWith("assets/") ? "default" : "no-cache", credentials: "same-origin" }),
          ),
        ),
      )
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

worker.addEventListener("message", ({ data }) => {
  if (data === takeOver) void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method === "GET" && path !== undefined) event.respondWith(answer(request, path));
});

/** The path below the scope of a file of this build. */
function pathOf(url: string): string | undefined {
  const { href } = Object.assign(new URL(url), { search: "", hash: "" });
  if (!href.startsWith(base)) return undefined;
  const path = decodeURI(href.slice(base.length)).replace(/(^|\/)index\.html$/, "$1");
  if (Object.hasOwn(FILES, path)) return path;
  return Object.hasOwn(FILES, `${path}/`) ? `${path}/` : undefined;
}

async function answer(request: Request, path: string): Promise<Response> {
  const visit = request.mode === "navigate";
  if (visit) {
    const next = await newer();
    if (next) return next;
    const { href } = new URL(path, base);
    const asked = new URL(request.url);
    if (!asked.pathname.endsWith("/") && href.endsWith("/")) return Response.redirect(href + asked.search, 302);
  }
  const cache = await caches.open(copy);
  return (await cache.match(new URL(path, base))) ?? fetch(request);
}

/** Lets a newer copy take over if no other page is open, and has this one asked for again. */
async function newer(): Promise<Response | undefined> {
  const { waiting } = worker.registration;
  if (!waiting) return undefined;
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.filter(({ frameType }) => frameType === "top-level").length > 1) return undefined;
  waiting.postMessage(takeOver);
  const nonce = crypto.randomUUID();
  const again = `<!doctype html><meta name="color-scheme" content="light dark"><script nonce="${nonce}">
    navigator.serviceWorker.oncontrollerchange = () => location.reload();
    setTimeout(() => location.reload(), 3000);</script>`;
  return new Response(again, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": `default-src 'none'; script-src 'nonce-${nonce}'` } });
}
