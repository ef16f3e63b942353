// The static pages: the playground's page, one for each preset, and the documents, which are
// written in Markdown.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";
import { citation, escaped, linkedData } from "./about.mjs";

export { escaped };

/**
 * Replaces a text that a page has exactly once.
 * @param {string} page
 * @param {string} from
 * @param {string} to
 */
export function replace(page, from, to) {
  if (page.split(from).length !== 2) throw new Error(`a page has ${from} ${page.split(from).length - 1} times instead of once`);
  return page.replace(from, () => to);
}

/**
 * The tags from which other sites make a preview of a page. Absolute addresses need a base, so without one there are none.
 * @param {{base: string | undefined, path: string, title: string, description: string, image?: string | undefined, type?: "WebApplication" | "TechArticle", embeds?: boolean}} about
 */
function card({ base, path, title, description, image, type = "TechArticle", embeds = false }) {
  const tags = [
    ["og:type", "website"],
    ["og:title", title],
    ["og:description", description],
    ...(base ? [["og:url", base + path]] : []),
    ...(base && image ? [["og:image", base + image], ["og:image:alt", title], ["og:image:width", "1200"], ["og:image:height", "630"]] : []),
  ].map(([property, content]) => `<meta property="${property}" content="${escaped(/** @type {string} */ (content))}">`);
  if (base) tags.push(`<link rel="canonical" href="${escaped(base + path)}">`);
  if (base && image) tags.push(`<meta name="twitter:card" content="summary_large_image">`);
  if (base && embeds) tags.push(`<link rel="alternate" type="application/json+oembed" href="${escaped(`${base}${path}oembed.json`)}" title="${escaped(title)}">`);
  tags.push(linkedData({ type, title, description, url: base && base + path, image: base && image && base + image }));
  return tags.join("\n");
}

/** A sentence in which the names of agents do not break. @param {string} words */
const unbroken = (words) => escaped(words.replaceAll("-PSRL", "\u2011PSRL"));

/** The playground's icon, for the other pages. @param {string} template */
export const iconOf = (template) => /<link rel="icon"[^>]*>/.exec(template)?.[0] ?? "";

/**
 * The playground's page, or the page of a preset, which is one folder down.
 * @param {string} template index.html
 * @param {{up?: string, style: string, bare: string, script: string, imports: readonly string[], engine: string, base: string | undefined, path?: string,
 *   preset?: {name: string, title: string} | undefined, question?: string | undefined, heading?: string | undefined, answer?: string | undefined, image?: string | undefined, poster?: string | undefined, film?: {folder: string, name: string, width: number, height: number} | undefined, prior?: import("./src/parts/prior/still").Still | undefined, domain?: string | undefined, sizes: Pick<typeof import("./src/still"), "isLong" | "isLongName">, spec?: {agents: readonly string[], episodes: number, runs: number} | undefined, still?: {source: string, svg: string, conclusion?: string} | undefined, conclusion?: string | undefined}} of
 */
export function playground(template, { up = "", style, bare, script, imports, engine, base, path = "", preset, heading, question, answer, image, poster, film, prior, domain, sizes, spec, still, conclusion }) {
  const title = preset ? `${preset.title} · C-PSRL playground` : "C-PSRL playground";
  const own = /<meta name="description" content="([^"&]*)">/.exec(template)?.[1] ?? "";
  const description = preset && conclusion ? `Run it in your browser. ${conclusion}` : own;
  let page = replace(template, '"page.css"', `"${up}assets/${style}"`);
  page = replace(page, '"first.js"', `"${up}first.js" data-early="${up}assets/${engine}"`);
  page = replace(page, '"noscript.css"', `"${up}assets/${bare}"`);
  page = replace(page, '<script type="module" src="page.js">', `${imports.map((file) => `<link rel="modulepreload" href="${up}assets/${file}">\n`).join("")}<script type="module" src="${up}assets/${script}">`);
  page = replace(page, `content="${own}"`, `content="${escaped(description)}"`);
  page = replace(page, "<title>C-PSRL playground</title>", `<title>${escaped(title)}</title>\n${card({ base, path, title, description, image, type: "WebApplication", embeds: preset !== undefined })}`);
  if (preset) page = replace(page, '<html lang="en"', `<html lang="en" data-preset="${preset.name}"`);
  page = page.replaceAll(/ href="(docs\/|paper\/|gallery\/|licences\.txt|source\.zip|manifest\.webmanifest)/g, ` href="${up}$1`);
  if (still) page = replace(page, '<div id="chart" translate="no" class="chart"><p class="empty" id="empty"></p></div>', `<div id="chart" translate="no" class="chart" data-still="${still.source}">${still.svg}<p class="empty" id="empty" hidden></p></div>`);
  if (heading) page = replace(page, '<h2 id="experiment-title">Experiment</h2>', `<h2 id="experiment-title">${escaped(heading)}</h2>`);
  if (sizes.isLong(question ?? "", answer ?? "")) page = replace(page, '<div id="line" class="question">', '<div id="line" class="question" data-long>');
  if (question) page = replace(page, '<p id="question" hidden></p>', `<p id="question">${unbroken(question)}</p>`);
  if (answer) page = replace(page, '<p id="answer" hidden></p>', `<p id="answer">${unbroken(answer)}</p>`);
  if (film) page = replace(page, '<figure id="film" class="film" aria-label="A recorded run"></figure>', `<figure id="film" class="film" aria-label="A recorded run" data-film="${film.name}">${recorded(up, film)}</figure>`);
  if (prior?.graph) page = replace(page, '<div id="prior-picture" translate="no" class="picture"></div>', `<div id="prior-picture" translate="no" class="picture">${prior.graph}</div>`);
  if (prior?.matrix) {
    page = replace(page, '<table id="prior-matrix"', `<table id="prior-matrix" data-long="${prior.matrix.long}"`);
    page = replace(page, 'aria-describedby="prior-summary"></table>', `aria-describedby="prior-summary">${prior.matrix.rows}</table>`);
    page = replace(page, 'aria-labelledby="prior-tab-picture">', 'aria-labelledby="prior-tab-picture" hidden>');
    page = replace(page, 'aria-labelledby="prior-tab-matrix" hidden>', 'aria-labelledby="prior-tab-matrix">');
    page = replace(page, 'aria-controls="prior-panel-picture" aria-selected="true"', 'aria-controls="prior-panel-picture" aria-selected="false" tabindex="-1"');
    page = replace(page, 'aria-controls="prior-panel-matrix" aria-selected="false" tabindex="-1"', 'aria-controls="prior-panel-matrix" aria-selected="true"');
    page = replace(page, "Click an edge to say that you know it.", "Choose a cell to mark.");
  }
  if (prior?.why) page = replace(page, '<details id="prior-why" hidden>', '<details id="prior-why">');
  // What the script fills in at once has its size before.
  if (spec) {
    if (domain) page = replace(page, '<span id="problem-now"></span>', `<span id="problem-now">${escaped(domain)}</span>`);
    page = replace(page, '<span id="agents-now"></span>', `<span id="agents-now">${spec.agents.length}</span>`);
    page = replace(page, '<span id="size-now"></span>', `<span id="size-now">episodes ${spec.episodes}, runs ${spec.runs}</span>`);
  }
  const shown = preset?.title ?? heading;
  if (shown) page = replace(page, '<select id="preset" autocomplete="off"></select>', `<select id="preset" autocomplete="off"><option>${escaped(shown)}</option></select>`);
  if (still && conclusion) page = replace(page, 'class="readout" hidden></table>', `class="readout" data-still="${still.source}">${numbers(still.conclusion ?? conclusion, sizes)}</table>`);
  const words = [
    preset ? `<h2>${escaped(preset.title)}</h2>` : "",
    poster ? `<p><img src="${up}${poster}" alt="${escaped(preset?.title ?? "")}" width="720" height="405"></p>` : "",
    conclusion ? `<p>${escaped(conclusion)}</p>` : "",
    `<p><a href="${up}docs/">What C-PSRL does</a></p>`,
  ];
  return replace(page, '<noscript><p class="error">', `<noscript>${words.filter((word) => word !== "").join("\n")}\n<p class="error">`);
}

/**
 * A page whose policy names the origin of its site beside 'self', because 'self' matches nothing in a sandboxed
 * frame in some versions of WebKit: bugs.webkit.org/316847. If the policy named an origin before, it was that of another site.
 * @param {string} page
 * @param {string | undefined} base
 */
export const atHome = (page, base) =>
  base === undefined ? page : page.replace(/(<meta http-equiv="Content-Security-Policy" content=")([^"]*)/, (_, tag, policy) => tag + policy.replaceAll(/'self'( https?:\/\/[^ ;]+)?/g, `'self' ${new URL(base).origin}`));

/**
 * The first picture of a film.
 * @param {string} up
 * @param {{folder: string, name: string, width: number, height: number}} film
 */
const recorded = (up, { folder, name, width, height }) => `<div class="world"><img src="${up}${folder}/${name}.film.svg" width="${width}" height="${height}" alt=""></div>`;

/** The numbers at the end of a figure's curves, from its conclusion, such as "…: PSRL 189.9 ± 4.4, F-PSRL 57.5 ± 1.8 (30% of PSRL).". @param {string} conclusion @param {Pick<typeof import("./src/still"), "isLongName">} sizes */
function numbers(conclusion, { isLongName }) {
  const rows = conclusion.replace(/^.*?: (?=\S+ [^:]*$)|\.$/g, "").split(/, (?=[A-Z])/).map((part) => /^(.*?) (-?[\d.]+)(?: ±| \(\d+%|$)/.exec(part) ?? ["", part, ""]);
  return `<thead><tr><th scope="col">Episode</th><th scope="col"></th></tr></thead><tbody>${rows.map(([, name = "", mean = ""]) => `<tr${isLongName(name) ? " data-long" : ""}><th scope="row"><label><span>${escaped(name)}</span></label></th><td><span>${escaped(mean)}</span></td></tr>`).join("")}</tbody>`;
}

/** The documents and their names in the navigation. */
export const documents = /** @type {const} */ ([
  ["index", "What C-PSRL does"],
  ["guide", "The page"],
  ["gallery", "The gallery"],
  ["findings", "Findings"],
  ["choices", "Choices"],
  ["cluster", "Sweeps"],
  ["formats", "Formats"],
  ["engine", "Engine"],
  ["agent", "Your simulator"],
  ["world", "Your agent"],
  ["python", "Python"],
  ["embed", "In your page"],
  ["host", "Host API"],
  ["cite", "Cite"],
]);

/** @param {string} text */
const slug = (text) => text.toLowerCase().replaceAll(/<[^>]*>|&[^;]*;/g, "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");

let tables = 0;

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
    },
    table(token) {
      const cells = (/** @type {any[]} */ row, /** @type {string} */ tag) =>
        row.map((cell) => `<${tag}${tag === "th" ? ' scope="col"' : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
      const head = `<thead><tr>${cells(token.header, "th")}</tr></thead>`;
      const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      const label = escaped(token.header.map((cell) => cell.text).join(", ").replaceAll(/[`*_]/g, ""));
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}: ${label}"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
    },
  },
});

/**
 * The last mean of an agent in a precomputed figure, with its interval unless all runs agree, from the figure's
 * conclusion. The measure is the cumulative regret unless another is named.
 * @param {string} root
 * @param {string} preset
 * @param {string | undefined} measure
 * @param {string} agent
 */
function resultOf(root, preset, measure, agent) {
  const { conclusions } = JSON.parse(readFileSync(join(root, "site/figures", `${preset}.json`), "utf8"));
  const parts = (conclusions[measure ?? "cumulative-regret"] ?? "").replace(/^.*?: |\.$/g, "").split(/, (?=[A-Z]-?)/);
  const result = parts.map((/** @type {string} */ part) => part.startsWith(`${agent} `) ? part.slice(agent.length + 1) : "").find((/** @type {string} */ rest) => /^-?\d/.test(rest));
  if (result === undefined) throw new Error(`the figure ${preset} has no ${measure ?? "regret"} of ${agent}`);
  return result.replace(/ \([^)]*\)$/, "").replace(/ ± 0$/, "");
}

/**
 * A document as a page. {{PRESET AGENT}} or {{PRESET MEASURE AGENT}} stands for a result of a precomputed figure.
 * The article has its own folder and the whole width of the page.
 * @param {{root: string, name: string, title: string, style: string, more: string, script: string, icon: string, base: string | undefined}} of
 */
export function document(of) {
  const { root, name } = of;
  const article = name === "paper";
  const source = readFileSync(join(root, "site/docs", `${name}.md`), "utf8")
    .replaceAll(/\{\{([\w-]+)(?: ([a-z][a-z-]*))? ([A-Z][^}]*)\}\}/g, (_, preset, measure, agent) => resultOf(root, preset, measure, agent));
  tables = 0;
  const body = /** @type {string} */ (markdown.parse(source)).replaceAll(/&(?!#?\w+;)/g, "&amp;"); // in the links of HTML elements
  const description = (/^(?!#)(?!\s)(.+?\.)\s/m.exec(source)?.[1] ?? of.title).replaceAll(/[*_`]/g, "");
  const path = article ? "paper/" : name === "index" ? "docs/" : `docs/${name}.html`;
  const links = [["../paper/", "C-PSRL, explained"], ...documents.map(([file, label]) => [file === "index" ? "./" : `${file}.html`, label, file === name])].map(
    ([href, label, current]) => `<a href="${href}"${current ? ' aria-current="page"' : ""}>${label}</a>`).join("\n    ");
  return framed({ ...of, path, description, head: article || name === "cite" ? citation : "", kind: article ? "article" : "", nav: article ? "" : links, body });
}

/** What the page of the gallery says of itself. */
const aboutGallery = "Problems beside those of the paper: from medicine, planning competitions and textbooks, with what their own graphs are worth to C-PSRL.";

/**
 * The page of the gallery: a card for each problem.
 * @param {{style: string, more: string, script: string, icon: string, base: string | undefined}} of
 * @param {readonly {name: string, title: string, question: string, answer?: string | undefined, variables: number, states: number, actions: number, text: string}[]} cards
 */
export function gallery(of, cards) {
  const count = new Intl.NumberFormat("en");
  /** @param {number} n @param {string} noun */
  const counted = (n, noun) => `${count.format(n)} ${noun}${n === 1 ? "" : "s"}`;
  const items = cards.map(({ name, title, question, answer, variables, states, actions, text }) => `<li>
<img src="../figures/gallery-${name}.svg" width="400" height="208" alt="${escaped(text)}" loading="lazy">
<h2 id="${name}">${escaped(title)}</h2>
<p>${escaped(question)}${answer ? ` <strong>${unbroken(answer)}</strong>` : ""}</p>
<p class="size">${counted(variables, "variable")}, ${counted(states, "state")}, ${counted(actions, "action")}</p>
<p><a class="button" href="../${name}/" aria-label="Open: ${escaped(title)}">Open</a></p>
</li>`);
  const body = `<h1>Gallery</h1>
<p>${aboutGallery} The curves are our own runs; each page runs them again in your browser. Numbers are the regret at the end, unless they say otherwise: the reward missed over all episodes, in the problem’s own unit. Less is better. Where no list holds the states, it is what an agent gets in a mean episode, and more is better. A picture has the true graph, from the variables and actions (rings) to their next values: black edges are stated, green ones have to be learned, dashed ones are false. Beside it are the curves of the agents: PSRL orange, F-PSRL blue, C-PSRL green, C-PSRL without an edge violet, random play grey. <a href="../docs/gallery.html">Sources, and all numbers</a></p>
<ul class="cards">
${items.join("\n")}
</ul>`;
  return framed({ ...of, name: "gallery", title: "Gallery", path: "gallery/", description: aboutGallery, head: "", kind: "gallery", nav: "", body });
}

/**
 * A page around a text.
 * @param {{title: string, name: string, path: string, description: string, head: string, kind: string, nav: string, body: string, style: string, more: string, script: string, icon: string, base: string | undefined}} of
 */
function framed({ title, path, description, head, kind, nav, body, style, more, script, icon, base }) {
  const docs = nav === "" ? "../docs/" : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; object-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#121212">
<meta name="description" content="${escaped(description)}">
<title>${escaped(title)} · C-PSRL playground</title>
${card({ base, path, title, description })}${head && `\n${head}`}
${icon}
<link rel="manifest" href="../manifest.webmanifest">
<script src="../first.js"></script>
<link rel="stylesheet" href="../assets/${style}">
<link rel="stylesheet" href="../assets/${more}">
<script src="../assets/${script}" defer></script>
<script src="../playground.js" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header class="top">
  <div class="title">
    <p class="site"><a href="../">C-PSRL playground</a></p>
    <p>Posterior sampling with a causal graph prior, computed in a tab.</p>
  </div>
  <div class="tools">
    <button type="button" id="theme" hidden>Theme: auto</button>
    <a class="button" href="../">Playground</a>
  </div>
</header>
<div class="docs${kind && ` ${kind}`}">
${nav && `  <nav aria-label="Documents">\n    ${nav}\n  </nav>\n`}  <main id="text" tabindex="-1">
${body}
  </main>
</div>
<footer class="foot"><nav aria-label="About"><a href="${docs}cite.html">How to cite</a>${docs && ` <a href="${docs}">Documentation</a>`}${kind === "gallery" ? "" : ' <a href="../gallery/">Gallery</a>'} <a href="../source.zip">Source</a> <a href="../licences.txt">Licences</a></nav></footer>
</body>
</html>
`;
}
