// Modules that the build makes.

/** The file of the npm package that lends agents. */
declare module "cpsrl:agent" {
  export const Lent: typeof import("../agent").Lent;
  export const Met: typeof import("../agent").Met;
}

declare module "cpsrl:catalogue" {
  const catalogue: Omit<import("../formats").Catalog, "fills">;
  export default catalogue;
}

/** The fills of the catalogue. */
declare module "cpsrl:fills" {
  const fills: import("../formats").Catalog["fills"];
  export default fills;
}

/** The rules for the members of each command, in each of its forms (host-api.mjs). */
declare module "cpsrl:commands" {
  const rules: Readonly<Record<string, readonly Readonly<Record<string, import("../commands").Rule>>[]>>;
  export default rules;
}

/** What the precomputed figure of a preset answers to the preset's question. */
declare module "cpsrl:answers" {
  const answers: Readonly<Record<string, string>>;
  export default answers;
}

/** The addresses of the files that the playground loads on demand, by their names without a hash. */
declare module "cpsrl:files" {
  export const files: Readonly<Record<string, string>>;
}

/** The address of the site that an edition links to, or "". */
declare module "cpsrl:home-page" {
  export const home: string;
}

/** The page of the playground, without a preset's figure. */
declare module "cpsrl:markup" {
  const markup: string;
  export default markup;
}

/** The addresses of the presets' pictures. */
declare module "cpsrl:posters" {
  export const posters: Readonly<Record<string, string>>;
}
