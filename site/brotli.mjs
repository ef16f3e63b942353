// Compresses a site for its host: node brotli.mjs DIST writes FILE.br beside each file that Brotli makes smaller, at quality 11,
// which takes a minute for the programs. So what was compressed is kept, by the hash of its content, and a file that did not
// change is not compressed again.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const folder = fileURLToPath(new URL("node_modules/.cache/cpsrl-brotli", import.meta.url));
const compress = promisify(brotliCompress);

/** What is compressed is forgotten when no build has used it for so many days. */
const days = 14;

/** Compresses a content at quality 11, or takes it from what is kept. @param {Uint8Array} content @returns {Promise<Uint8Array>} */
export async function brotlied(content) {
  const kept = join(folder, createHash("sha256").update(content).update(process.versions.brotli ?? "").digest("hex"));
  try {
    const found = readFileSync(kept);
    utimesSync(kept, new Date(), new Date());
    return found;
  } catch {
    const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_SIZE_HINT: size } = constants;
    const made = await compress(content, { params: { [quality]: 11, [window]: 24, [size]: content.length } });
    mkdirSync(folder, { recursive: true });
    const part = `${kept}.${process.pid}`;
    writeFileSync(part, made);
    renameSync(part, kept); // another build may run beside this one
    return made;
  }
}

/** The names of files that a browser asks for and that are not compressed yet. The earlier engines' sites, too, have such files. */
const compressible = /\.(css|csv|html|js|json|mjs|svg|ttf|txt|wasm|webmanifest)$/;

/** The size in bytes from which it is worth a file of its own. */
const least = 1024;

/** Compresses the files of a site, several at a time. @param {string} dist */
async function compressSite(dist) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, size: statSync(file).size }))
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size);
  const next = files.values();
  let [before, after] = [0, 0];
  await Promise.all(Array.from({ length: 4 }, async () => { // as many as Node's threads
    for (const { file, size } of next) {
      const small = await brotlied(readFileSync(file));
      if (small.length >= size) continue;
      writeFileSync(`${file}.br`, small);
      before += size;
      after += small.length;
    }
  }));
  console.log(`${relative(".", dist)}: ${(before / 1e6).toFixed(1)} MB, ${(after / 1e6).toFixed(1)} MB by Brotli`);
  for (const name of readdirSync(folder)) if (Date.now() - statSync(join(folder, name)).mtimeMs > days * 864e5) rmSync(join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [dist] = process.argv.slice(2);
  if (!dist) throw new Error("usage: node brotli.mjs DIST");
  await compressSite(dist);
}
