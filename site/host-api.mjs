// What is written from host-api.schema.json, the one declaration of the messages between a page and the
// playground in it: "node host-api.mjs" writes the types npm/messages.d.ts and the tables in docs/host.md,
// and the build puts the rules for commands into the page (cpsrl:commands). host-api.test.mjs holds the
// written files to the declaration.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @typedef {{ $ref?: string, title?: string, description?: string, const?: unknown, enum?: unknown[], type?: string | string[], minimum?: number, maxLength?: number, items?: Rule,
 *   properties?: Record<string, Rule>, required?: string[], unevaluatedProperties?: boolean, oneOf?: Rule[] }} Rule the part of JSON Schema that the declaration uses */
/** @typedef {Rule & { properties: Record<string, Rule>, required: string[] }} Message */

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");

/** @type {Record<string, Rule>} */
const defs = JSON.parse(read("host-api.schema.json")).$defs;

/** @param {Rule} rule */
const nameOf = (rule) => rule.$ref?.replace("#/$defs/", "") ?? "";

/** The messages of a kind with their types. @param {"command" | "event"} kind */
const messages = (kind) => /** @type {Message[]} */ (defs[kind]?.oneOf ?? []).map((message) => /** @type {const} */ ([String(message.properties["type"]?.const), message]));

/** The members of a message, apart from those that every message has. @param {Message} message */
const membersOf = ({ properties: { cpsrl, type, ...members } }) => members;

/** A message with a choice of members as several messages, each with one of them. @param {Message} message @returns {Message[]} */
function alternatives(message) {
  const names = (message.oneOf ?? []).map(({ required = [] }) => String(required[0]));
  if (names.length === 0) return [message];
  return names.map((name) => ({
    ...message,
    properties: Object.fromEntries(Object.entries(message.properties).filter(([other]) => other === name || !names.includes(other))),
    required: [...message.required, name],
  }));
}

// The rules for commands: by type, the members of each form of the command.

/** A rule with what it refers to, and without words for people. @param {Rule} rule @returns {Rule} */
function resolved({ $ref, description, ...rule }) {
  const { description: _, properties = {}, ...known } = $ref ? resolved(defs[nameOf({ $ref })] ?? {}) : {};
  const all = Object.entries({ ...properties, ...rule.properties }).map(([name, member]) => [name, resolved(member)]);
  return { ...known, ...rule, ...(all.length > 0 && { properties: Object.fromEntries(all) }) };
}

export const commands = Object.fromEntries(messages("command").map(([type, message]) => [type, alternatives(message).map((form) => {
  const { id, ...members } = membersOf(form);
  return Object.fromEntries(Object.entries(members).map(([name, rule]) => [name, { ...resolved(rule), ...(!form.required.includes(name) && { optional: true }) }]));
})]));

// Types.

/** @param {string} name */
const typeName = (name) => name.charAt(0).toUpperCase() + name.slice(1);
/** What has no type of its own name. */
const plain = ["id", "link", "spec", "command", "event"];
/** @param {string | undefined} words @param {string} indent */
const comment = (words, indent = "") => (words ? `${indent}/** ${words} */\n` : "");

/** @param {Rule} rule @returns {string} */
function typeOf(rule) {
  const name = nameOf(rule);
  const own = name && (plain.includes(name) ? typeOf(defs[name] ?? {}) : typeName(name));
  if (own) return rule.properties ? `${own} & ${typeOf({ properties: rule.properties })}` : own;
  if (rule.const !== undefined) return JSON.stringify(rule.const);
  if (rule.enum) return rule.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (rule.properties) return `{ ${fields(rule.properties, rule.required).join(" ")} }`;
  if (rule.type === "array") return `readonly ${typeOf(rule.items ?? {}).replace(/^readonly .*/, "($&)")}[]`;
  return [rule.type ?? "unknown"].flat().map((type) => (type === "integer" ? "number" : type)).join(" | ");
}

/** @param {Record<string, Rule>} properties @param {readonly string[]} required */
const fields = (properties, required = []) => Object.entries(properties).map(([name, rule]) => `readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(rule)};`);

/** The types of the engine's documents, which are written from Go. @param {...string} names */
const documents = (...names) => names.map((name) => new RegExp(`(?:/\\*\\*.*\\*/\\n)?export interface ${name} \\{\\n(?: .*\\n)*\\}\\n`).exec(read("src/engine-types.ts"))?.[0] ?? `${name} is missing`);

/** The text of npm/messages.d.ts. */
export function types() {
  const named = Object.entries(defs).filter(([name]) => !plain.includes(name) && name !== "figure").map(([name, { description, properties, ...rule }]) =>
    comment(description) + (properties
      ? `export interface ${typeName(name)} {\n${Object.entries(properties).map(([member, of]) => `${comment(of.description, "  ")}  ${fields({ [member]: of }, rule.required)[0]}\n`).join("")}}\n`
      : `export type ${typeName(name)} = ${typeOf(rule)};\n`));
  const events = messages("event").filter(([type]) => type !== "height") // the element follows it by itself
    .map(([type, message]) => `${comment(message.description, "  ")}  ${type}: { ${fields(membersOf(message), message.required).join(" ")} };\n`);
  const commands = messages("command").flatMap(([, message]) => alternatives(message).map((form, i) => {
    const { id, ...members } = membersOf(form);
    return `${comment(i === 0 ? message.description : "", "  ")}  | { ${fields({ type: form.properties["type"] ?? {}, ...members }, form.required).join(" ")} }\n`;
  }));
  return `// The messages between a page and a playground. Written by site/host-api.mjs from site/host-api.schema.json.

/** The details of the events. Later versions may add members. */
export interface PlaygroundEvents {
${events.join("")}}

/** A command; its id comes back with done or refused. */
export type Command = { readonly id?: ${typeOf(defs["id"] ?? {})} } & (
${commands.join("")});

${[...named, ...(defs["figure"] ? documents("Figure", "Series", "Final") : [])].join("\n")}`;
}

// Tables.

/** The values that a rule lists. @param {Rule} rule */
const values = (rule) => (resolved(rule).enum ?? []).map((value) => `\`${value}\``).join(", ");
/** A member with the values that it may have. @param {Record<string, Rule>} members @param {string} name */
const member = (members, name) => `\`${name}\`${nameOf(members[name] ?? {}) !== "commandName" && values(members[name] ?? {}) ? ` (${values(members[name] ?? {})})` : ""}`;

/** The members of a message: those that it must have, and then those that it may have. @param {Message} message */
function memberWords(message) {
  const members = membersOf(message);
  const choice = (message.oneOf ?? []).map(({ required = [] }) => String(required[0]));
  const needed = message.required.filter((name) => name in members).map((name) => member(members, name));
  if (choice.length > 0) needed.push(choice.map((name) => member(members, name)).join(" or "));
  const maybe = Object.keys(members).filter((name) => name !== "id" && !choice.includes(name) && !message.required.includes(name)).map((name) => member(members, name));
  return [needed.join(", "), maybe.length > 0 ? `maybe ${maybe.join(", ")}` : ""].filter(Boolean).join("; ");
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("").replaceAll("|  |", "| |").replaceAll("| --- ", "|---").replaceAll("--- |", "---|");

export const tables = /** @type {Record<string, string>} */ ({
  events: table(["type", "members", "when"], messages("event").map(([type, message]) => [`\`${type}\``, memberWords(message), message.description ?? ""])),
  commands: table(["type", "members", "meaning"], messages("command").map(([type, message]) => [`\`${type}\``, memberWords(message), message.description ?? ""])),
  view: table(["member of `view`", "meaning"], Object.entries(defs["look"]?.properties ?? {}).map(([name, rule]) => [member({ [name]: rule }, name), rule.description ?? ""])),
});

/** docs/host.md with its tables, each of which stands between two comments. */
export const page = () => read("docs/host.md").replaceAll(/(<!-- table (\w+)[^>]*-->\n).*?(<!-- end -->)/gs, (_, begin, name, end) => `${begin}\n${tables[name]}\n${end}`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("npm/messages.d.ts", import.meta.url), types());
  writeFileSync(new URL("docs/host.md", import.meta.url), page());
}
