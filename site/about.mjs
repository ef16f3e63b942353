// The metadata of pages, for machines: what a page is, and which paper it is about.

import { fileURLToPath } from "node:url";
import { readCFF } from "cffjs";

const { "preferred-citation": cited, license } = readCFF(fileURLToPath(new URL("../CITATION.cff", import.meta.url)));
if (!cited) throw new Error("CITATION.cff names no paper");

/** @param {string} text */
export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The paper, from CITATION.cff. */
const paper = {
  title: cited.title,
  authors: cited.authors.map((author) => "family-names" in author ? { family: `${author["family-names"]}`, given: `${author["given-names"]}` } : { family: "", given: "" }),
  year: `${cited.year}`,
  conference: `${cited.conference?.name}`,
  url: `${cited.url}`,
};

/** The paper for reference managers. The pages that say how to cite it and what it says have these tags. */
export const citation = [
  ["title", paper.title],
  ...paper.authors.map(({ family, given }) => ["author", `${family}, ${given}`]),
  ["publication_date", paper.year],
  ["conference_title", paper.conference],
  ["abstract_html_url", paper.url],
].map(([name, content]) => `<meta name="citation_${name}" content="${escaped(/** @type {string} */ (content))}">`).join("\n");

/**
 * A page's description for search engines, in the vocabulary of schema.org.
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
    ...(type === "WebApplication" ? { applicationCategory: "EducationalApplication", operatingSystem: "Any" } : {}),
    license: `https://spdx.org/licenses/${license}`,
    [type === "WebApplication" ? "citation" : "about"]: article,
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}
