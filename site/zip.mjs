// Zip files (APPNOTE.TXT 6.3) whose bytes depend on nothing but the names and the contents.

import { deflateRawSync } from "node:zlib";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

/** @param {Uint8Array} content */
function checksum(content) {
  let sum = 0xffffffff;
  for (const byte of content) sum = (sum >>> 8) ^ /** @type {number} */ (table[(sum ^ byte) & 255]);
  return ~sum >>> 0;
}

/** The first day that a zip file knows, 1 January 1980. */
const day = 0x21;

/**
 * Packs files, in the order of their names.
 * @param {{name: string, content: Uint8Array}[]} files
 */
export function zip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let at = 0;
  for (const { name, content } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = Buffer.from(name);
    const data = deflateRawSync(content, { level: 9 });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0); // needs version 2.0
    about.writeUInt16LE(0x0800, 2); // names are UTF-8
    about.writeUInt16LE(8, 4); // deflated
    about.writeUInt16LE(day, 8);
    about.writeUInt32LE(checksum(content), 10);
    about.writeUInt32LE(data.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), about, path, data);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(0o100644 * 0x10000, 6); // a file that all may read
    entry.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), about, entry, path);
    at += 4 + about.length + path.length + data.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.reduce((sum, { length }) => sum + length, 0), 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), end]);
}
