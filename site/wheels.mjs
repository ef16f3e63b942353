// Makes the wheels of the command and the client for Python: node wheels.mjs PROGRAMS OUT. PROGRAMS has, for each system, a folder
// such as cpsrl-linux-amd64 with the program, as build.sh unpacks a release. OUT gets a wheel for each of them and, as
// cpsrl-VERSION/, the sources of the client for a machine that has the program already. The same programs give the same bytes.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipped } from "./bundle.mjs";

const [programs = "", out = ""] = process.argv.slice(2);
if (!out) throw new Error("usage: node wheels.mjs PROGRAMS OUT");
const root = fileURLToPath(new URL("..", import.meta.url));
const citation = readFileSync(join(root, "CITATION.cff"), "utf8");
const version = /^version: (.*)$/m.exec(citation)?.[1];
const author = /^ {2}- name: (.*)$/m.exec(citation)?.[1];

/**
 * The systems, as wheels name them. The programs need no C library, so that glibc's and musl's systems are one; Go says how old a
 * system may be.
 * @type {Record<string, string[]>}
 */
const tags = {
  "linux-amd64": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
  "linux-arm64": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
  "darwin-amd64": ["macosx_12_0_x86_64"],
  "darwin-arm64": ["macosx_12_0_arm64"],
  "windows-amd64": ["win_amd64"],
  "windows-arm64": ["win_arm64"],
};

const readme = readFileSync(join(root, "site/python/README.md"), "utf8");
const client = join(root, "site/python/cpsrl.py");
const metadata = `Metadata-Version: 2.1
Name: cpsrl
Version: ${version}
Summary: Reinforcement learning by posterior sampling with a causal graph prior (C-PSRL)
Author: ${author}
License: MIT
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Requires-Python: >=3.9
Description-Content-Type: text/markdown

${readme}`;

/** @typedef {[Uint8Array, import("fflate").ZipOptions]} Packed */

/** A file of a wheel, with the rights of Unix. @param {string | Uint8Array} content @returns {Packed} */
const packed = (content, program = false) => [Buffer.from(content), { os: 3, attrs: (program ? 0o100755 : 0o100644) * 0x10000 }];

mkdirSync(out, { recursive: true });
for (const folder of readdirSync(programs).sort()) {
  const system = folder.replace(/^cpsrl-/, "");
  const platforms = tags[system];
  if (!platforms) throw new Error(`${folder} is the folder of no system that wheels name: ${Object.keys(tags).join(", ")}`);
  const program = system.startsWith("windows") ? "cpsrl.exe" : "cpsrl";
  const info = `cpsrl-${version}.dist-info`;
  /** @type {Record<string, Packed>} */
  const files = {
    "cpsrl.py": packed(readFileSync(client)),
    [`cpsrl-${version}.data/scripts/${program}`]: packed(readFileSync(join(programs, folder, program)), true),
    [`${info}/METADATA`]: packed(metadata),
    [`${info}/WHEEL`]: packed(`Wheel-Version: 1.0\nGenerator: cpsrl ${version}\nRoot-Is-Purelib: false\n${platforms.map((tag) => `Tag: py3-none-${tag}\n`).join("")}`),
    ...Object.fromEntries(["LICENSE", "licences.txt"].map((name) => [`${info}/${name}`, packed(readFileSync(join(programs, folder, name)))])),
  };
  const hashed = Object.entries(files).map(([path, [content]]) => `${path},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}\n`);
  const wheel = zipped({ ...files, [`${info}/RECORD`]: packed(`${hashed.join("")}${info}/RECORD,,\n`) });
  writeFileSync(join(out, `cpsrl-${version}-py3-none-${platforms.join(".")}.whl`), wheel);
}

const sources = join(out, `cpsrl-${version}`);
mkdirSync(sources);
writeFileSync(join(sources, "PKG-INFO"), metadata);
writeFileSync(join(sources, "README.md"), readme);
copyFileSync(client, join(sources, "cpsrl.py"));
copyFileSync(join(root, "LICENSE"), join(sources, "LICENSE"));
writeFileSync(join(sources, "pyproject.toml"), `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "cpsrl"
version = "${version}"
description = "Reinforcement learning by posterior sampling with a causal graph prior (C-PSRL)"
readme = "README.md"
requires-python = ">=3.9"
license = { text = "MIT" }

[tool.setuptools]
py-modules = ["cpsrl"]
`);
