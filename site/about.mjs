// What machines read of a page: what it is, which paper it is about, and how to embed it.

import { fileURLToPath } from "node:url";
import { readCFF } from "cffjs";

const { "preferred-citation": cited, license } = readCFF(fileURLToPath(new URL("../CITATION.cff", import.meta.url)));
if (!cited) throw new Error("CITATION.cff names no paper");

/** @param {string} text */
export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The paper, as CITATION.cff has it. */
const paper = {
  title: cited.title,
  authors: cited.authors.map((author) => "family-names" in author ? { family: `${author["family-names"]}`, given: `${author["given-names"]}` } : { family: "", given: "" }),
  year: `${cited.year}`,
  conference: `${cited.conference?.name}`,
  url: `${cited.url}`,
};

/** What reference managers read: the paper. It is for pages that tell how to cite, or what the paper says. */
export const citation = [
  ["title", paper.title],
  ...paper.authors.map(({ family, given }) => ["author", `${family}, ${given}`]),
  ["publication_date", paper.year],
  ["conference_title", paper.conference],
  ["abstract_html_url", paper.url],
].map(([name, content]) => `<meta name="citation_${name}" content="${escaped(/** @type {string} */ (content))}">`).join("\n");

/**
 * What search engines read, in the words of schema.org.
 * @param {{type: "WebApplication" | "TechArticle", title: string, description: string, url?: string | undefined, image?: string | undefined}} of
 */
export function linkedData({ type, title, description, url, image }) {
  const article = {
    "@type": "ScholarlyArticle", name: paper.title, url: paper.url, datePublished: paper.year,
    author: paper.authors.map(({ family, given }) => ({ "@type": "Person", familyName: family, givenName: given })),
  };
  const data = {
    "@context": "https://schema.org", "@type": type, name: title, description,
    ...(url ? { url } : {}), ...(image ? { image } : {}),
    ...(type === "WebApplication" ? { applicationCategory: "EducationalApplication", operatingSystem: "Any", isAccessibleForFree: true } : {}),
    license: `https://spdx.org/licenses/${license}`,
    [type === "WebApplication" ? "citation" : "about"]: article,
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}
