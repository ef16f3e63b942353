// The development loop: "npm run dev [-- PORT]" builds the site and serves it on
// loopback. After a change of a source it builds again and reloads the open pages. If a
// build fails, it says so here and goes on serving the last good one.

import { execFileSync, spawn } from "node:child_process";
import { watch } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const port = Number(process.argv[2] ?? 8080);
const events = "/dev-events";
const script = "/dev-reload.js";

/** Builds the site and returns whether that succeeded. */
function build() {
  try {
    execFileSync(join(root, "build.sh"), ["site"], { stdio: "inherit" });
    return true;
  } catch {
    console.error("The build failed; the last good one is still served.");
    return false;
  }
}

if (!build()) process.exit(1);
// The site's server, with its headers, on another port.
const inner = spawn("go", ["run", "./site", "-dir", "dist", "-port", "0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => inner.kill());
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
const origin = await new Promise((resolve) => createInterface({ input: inner.stdout }).once("line", resolve));

/** The connections of the open pages. @type {Set<import("node:http").ServerResponse>} */
const open = new Set();

createServer((asked, answer) => {
  const { pathname } = new URL(asked.url ?? "/", origin);
  if (pathname === events) {
    answer.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" }).write(": open\n\n");
    open.add(answer);
    answer.on("close", () => open.delete(answer));
  } else if (pathname === script) {
    answer.writeHead(200, { "Content-Type": "text/javascript" }).end(`new EventSource("${events}").onmessage = () => location.reload();`);
  } else if (pathname === "/sw.js") {
    answer.writeHead(404).end(); // pages that change all the time need no offline copy
  } else {
    const headers = { ...asked.headers, host: new URL(origin).host, "accept-encoding": "identity", "if-none-match": "" };
    const passed = request(new URL(asked.url ?? "/", origin), { method: asked.method, headers }, (got) => {
      const { "content-length": length, ...rest } = got.headers;
      const page = rest["content-type"]?.startsWith("text/html");
      answer.writeHead(got.statusCode ?? 500, page || !length ? rest : got.headers);
      got.on("end", () => answer.end(page ? `<script src="${script}" defer></script>` : undefined)).pipe(answer, { end: false });
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  }
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/ follows the sources`));

/** @type {NodeJS.Timeout | undefined} */
let waiting;
for (const folder of ["site", "core", "render", "wasm", "index.html"]) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name?.includes("node_modules") || name?.endsWith("~")) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (build()) for (const page of open) page.write("data: built\n\n");
    }, 200);
  });
}
