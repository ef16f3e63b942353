// Checks the links of the built site: node links.mjs DIST [BASE]. Each link within the site must lead to a file
// and, if it has a fragment, to an element of it. The documents for other programs (manifest, sitemap, oEmbed)
// must name existing files and have the form that these programs expect. A host may keep the files under assets/ for
// ever, so their names must hold the hash of their content.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const dist = resolve(process.argv[2] ?? "dist");
const base = process.argv[3] ?? "https://site.invalid/";

/** The faults that were found. @type {string[]} */
const faults = [];
let links = 0;
let cards = 0;

/** The file behind an address of the site. @param {URL} url */
function fileOf(url) {
  const file = join(dist, decodeURIComponent(url.pathname.slice(new URL(base).pathname.length)));
  return existsSync(file) && statSync(file).isDirectory() ? join(file, "index.html") : file;
}

/**
 * Checks that an address leads somewhere.
 * @param {string} page the path of the file that names it
 * @param {string} address
 */
function follow(page, address) {
  if (/^(data|mailto):/.test(address)) return;
  const url = new URL(address, new URL(page.replace(/index\.html$/, ""), base));
  if (!url.href.startsWith(base)) {
    if (url.protocol !== "https:" && !url.href.startsWith("http://www.w3.org/")) faults.push(`${page}: ${address} is not an https address`);
    return;
  }
  links++;
  const file = fileOf(url);
  if (!existsSync(file)) faults.push(`${page}: ${address} leads to no file`);
  else if (url.hash.length > 1 && !/^#v=\d/.test(url.hash) && !new RegExp(` id="${url.hash.slice(1)}"`).test(readFileSync(file, "utf8"))) faults.push(`${page}: ${address} leads to no element of its page`);
}

/** @param {string} text */
const plain = (text) => text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const page = relative(dist, join(entry.parentPath, entry.name));
  if (!entry.isFile() || !page.endsWith(".html")) continue;
  const text = readFileSync(join(dist, page), "utf8");
  const tags = text.replaceAll(/<(script|style)\b([^>]*)>[\s\S]*?<\/\1>/g, "<$1$2>").match(/<[a-z][^>]*>/g) ?? [];
  for (const [, address = ""] of tags.join("").matchAll(/ (?:href|src|srcset|poster)="([^"]*)"/g)) follow(page, plain(address));
  for (const [, address = ""] of text.matchAll(/<meta property="og:(?:url|image)" content="([^"]*)"/g)) follow(page, plain(address));
  for (const [, data = ""] of text.matchAll(/<script type="application\/ld\+json">([^<]*)/g)) {
    const { "@context": context, "@type": type, name, url, image } = JSON.parse(data);
    if (context !== "https://schema.org" || !type || !name) faults.push(`${page}: its linked data are not in the vocabulary of schema.org`);
    for (const address of [url, image]) if (address) follow(page, address);
  }
  for (const [, address = ""] of text.matchAll(/type="application\/json\+oembed" href="([^"]*)"/g)) {
    cards++;
    const { version, type, html, width, height, provider_url, thumbnail_url } = JSON.parse(readFileSync(fileOf(new URL(plain(address))), "utf8"));
    const [, frame = ""] = /^<iframe src="([^"]+)"[^<]*><\/iframe>$/.exec(html) ?? [];
    if (version !== "1.0" || type !== "rich" || !(width > 0 && height > 0) || !/^v\d+\/\w/.test(frame.slice(base.length)) || !frame.startsWith(base)) faults.push(`${page}: its oEmbed document does not follow version 1.0`);
    for (const named of [frame, provider_url, ...(thumbnail_url ? [thumbnail_url] : [])]) follow(page, plain(named));
  }
}

// esbuild names scripts and styles by a hash of its own.
for (const name of readdirSync(join(dist, "assets"))) {
  const [, hash = "", made] = /-([0-9A-Z]{8})\.(?:(js|css)|\w+)$/.exec(name) ?? [];
  const content = createHash("sha256").update(readFileSync(join(dist, "assets", name))).digest("hex");
  if (hash === "" || (!made && hash !== content.slice(0, 8).toUpperCase())) faults.push(`assets/${name} is not named by the hash of its content`);
}

const robots = readFileSync(join(dist, "robots.txt"), "utf8");
if (!/^User-agent: \*\nAllow: \/\n/.test(robots)) faults.push("robots.txt does not let robots in");
if (process.argv[3] && !robots.includes(`Sitemap: ${base}sitemap.xml\n`)) faults.push("robots.txt does not name the sitemap");
for (const page of ["paper/index.html", "docs/cite.html"]) {
  const text = readFileSync(join(dist, page), "utf8");
  for (const name of ["title", "author", "publication_date", "conference_title", "abstract_html_url"]) if (!new RegExp(`<meta name="citation_${name}" content="[^"]`).test(text)) faults.push(`${page} has no citation_${name}`);
}

const manifest = JSON.parse(readFileSync(join(dist, "manifest.webmanifest"), "utf8"));
for (const { src } of manifest.icons) follow("manifest.webmanifest", src);
for (const key of ["id", "start_url", "scope"]) follow("manifest.webmanifest", manifest[key]);
if (process.argv[3]) {
  const listed = [...readFileSync(join(dist, "sitemap.xml"), "utf8").matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => plain(address));
  for (const address of listed) {
    follow("sitemap.xml", address);
    if (existsSync(fileOf(new URL(address))) && !readFileSync(fileOf(new URL(address)), "utf8").includes('<script type="application/ld+json">')) faults.push(`${address} has no linked data`);
  }
  if (new Set(listed).size !== listed.length || listed.length < 10) faults.push(`sitemap.xml lists ${listed.length} pages`);
  if (cards < 10) faults.push(`only ${cards} pages name an oEmbed document`);
}

if (links < 100) faults.push(`only ${links} links were found`);
for (const fault of faults) console.error(fault);
console.log(`${links} links`);
process.exitCode = faults.length > 0 ? 1 : 0;
