// What a host serves besides the pages: the manifest and its icons, robots.txt and the sitemap, the
// oEmbed 1.0 document of each preset, and the page for addresses that do not exist.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { escaped } from "./about.mjs";
import { integrityOf } from "./bundle.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));

/** Whether only robots, hosts and other sites ask for a file, so that no copy for offline use needs it. @param {string} path */
export const forOthers = (path) => /^(robots\.txt|sitemap\.xml|404\.html)$|(^|\/)oembed\.json$/.test(path);

/** The manifest of the site as an application. @param {string} description */
const manifest = (description) => JSON.stringify({
  name: "C-PSRL playground", short_name: "C-PSRL", description, id: "./", start_url: "./", scope: "./",
  display: "minimal-ui", background_color: "#ffffff", theme_color: "#ffffff", // the page names a dark one, too
  icons: [
    { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
    ...[192, 512].flatMap((size) => ["any", "maskable"].map((purpose) => ({ src: `icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose }))),
  ],
}, null, 1);

/**
 * The oEmbed document, which tells another site how to embed a preset. Its frame names the engine's version, so that it
 * keeps its records when the site has a newer engine.
 * @param {string} base
 * @param {number} engine
 * @param {{name: string, title: string}} preset
 * @param {string | undefined} image
 */
function oembed(base, engine, { name, title }, image) {
  const [width, height] = [800, 640];
  const html = `<iframe src="${escaped(`${base}v${engine}/${name}/?embed=1`)}" title="${escaped(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy" allow="clipboard-write"></iframe>`;
  return JSON.stringify({
    version: "1.0", type: "rich", title, provider_name: "C-PSRL playground", provider_url: base, html, width, height,
    ...(image ? { thumbnail_url: base + image, thumbnail_width: 1200, thumbnail_height: 630 } : {}),
  }, null, 1);
}

/**
 * The page that a host serves for an address that does not exist. The address may have any depth, so
 * the page needs no other file, and its script finds where the site begins.
 * @param {{presets: readonly {name: string, title: string}[], icon: string}} of
 */
async function missing({ presets, icon }) {
  const [script = "", style = ""] = await Promise.all(["src/missing.ts", "css/missing.css"].map(async (entry) => {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: site, entryPoints: [entry], bundle: true, minify: true, write: false, format: "iife", target: "es2022",
      define: { PRESETS: JSON.stringify(presets.filter(({ name }) => !name.endsWith("-quick")).map(({ name, title }) => [name, title])) },
    });
    return (outputFiles[0]?.text ?? "").trim();
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${integrityOf(script)}'; style-src '${integrityOf(style)}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Nothing is here · C-PSRL playground</title>
${icon}
<style>${style}</style>
</head>
<body>
<main>
<h1>Nothing is here</h1>
<p id="said">The C-PSRL playground has no page at this address.</p>
<div id="ways"></div>
</main>
<script>${script}</script>
</body>
</html>
`;
}

/**
 * Writes all these files. Those with absolute addresses need a base.
 * @param {{
 *   base: string | undefined, engine: number, icon: string, description: string,
 *   presets: readonly {name: string, title: string, image?: string | undefined}[], documents: readonly string[],
 *   picture: (name: string) => Uint8Array, write: (path: string, content: string | Uint8Array) => void,
 * }} of documents by their paths
 */
export async function hosted({ base, engine, icon, description, presets, documents, picture, write }) {
  write("manifest.webmanifest", manifest(description));
  const [, own = ""] = /href="data:image\/svg\+xml,([^"]*)"/.exec(icon) ?? [];
  if (!own) throw new Error("index.html has no icon");
  write("icon.svg", decodeURIComponent(own));
  for (const size of [192, 512]) write(`icon-${size}.png`, picture(`icon-${size}.png`));
  write("404.html", await missing({ presets, icon }));
  write("robots.txt", `User-agent: *\nAllow: /\n${base ? `Sitemap: ${base}sitemap.xml\n` : ""}`);
  if (!base) return;
  for (const preset of presets) write(join(preset.name, "oembed.json"), oembed(base, engine, preset, preset.image));
  const pages = ["", ...presets.map(({ name }) => `${name}/`), ...documents].map((path) => `<url><loc>${escaped(base + path)}</loc></url>`);
  write("sitemap.xml", `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages.join("\n")}\n</urlset>\n`);
}
