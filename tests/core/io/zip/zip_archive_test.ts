/** ZIP archives: read whole, and refused when they are not. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { copyBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { openRandomBytes } from "../../../../src/core/io/bytes/random_bytes.ts";
import { openZip } from "../../../../src/core/io/zip/zip_archive.ts";
import { textFile } from "../../../../tools/packages/toolkit/packed_file.ts";
import { writeZip } from "../../../../tools/packages/wheel/zip.ts";

const LONG = Array.from({ length: 40_000 }, (_, index) => `${index * 7919 % 10_007}\n`).join("");
const FILES = { "short": "ACGT", "folder/long": LONG, "empty": "" };

async function makeZip(files: Readonly<Record<string, string>> = FILES): Promise<Uint8Array<ArrayBuffer>> {
  const entries = Object.entries(files).map(([path, text]) => textFile(path, text));
  return copyBytes(await Array.fromAsync(writeZip(entries)));
}

async function readAll(zip: Uint8Array): Promise<Record<string, string>> {
  using bytes = await openRandomBytes(zip);
  const archive = openZip(bytes, "a.zip");
  const found: Record<string, string> = {};
  for (const entry of archive.entries) {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of archive.read(entry)) text += decoder.decode(chunk, { stream: true });
    found[entry.name] = text;
  }
  return found;
}

/** Moves the sizes and the offset of a directory's only file, and the end record, to the extension for 4 GiB. */
function widened(zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const end = zip.length - 22;
  const [size, offset] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const header = zip.slice(offset, offset + size);
  const headerView = new DataView(header.buffer);
  const extra = new DataView(new ArrayBuffer(36));
  // Another field comes first, as other programs write them.
  extra.setUint16(0, 0x7075, true);
  extra.setUint16(2, 4, true);
  extra.setUint16(8, 1, true);
  extra.setUint16(10, 24, true);
  for (const [index, field] of [24, 20, 42].entries()) {
    extra.setBigUint64(12 + index * 8, BigInt(headerView.getUint32(field, true)), true);
    headerView.setUint32(field, 0xffffffff, true);
  }
  headerView.setUint16(30, 36, true);
  const record = new DataView(new ArrayBuffer(76));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(40, BigInt(size + 36), true);
  record.setBigUint64(48, BigInt(offset), true);
  record.setUint32(56, 0x07064b50, true);
  record.setBigUint64(64, BigInt(offset + size + 36), true);
  const last = zip.slice(end);
  last.fill(0xff, 8, 20);
  return copyBytes(
    [zip.slice(0, offset), header, extra, record, last].map((part) =>
      part instanceof DataView ? new Uint8Array(part.buffer) : part
    ),
  );
}

Deno.test("openZip() reads stored and compressed files, whatever is before and after the archive", async (t) => {
  const zip = await makeZip();
  const withComment = copyBytes([zip, new TextEncoder().encode("comment")]);
  withComment[zip.length - 2] = 7;
  const cases = { "as written": zip, "after other bytes": copyBytes([LONG_BYTES, zip]), "with a comment": withComment };
  for (const [what, bytes] of Object.entries(cases)) {
    await t.step(what, async () => assertEquals(await readAll(bytes), FILES));
  }
  await t.step("with the extension for 4 GiB", async () => {
    const files = { "folder/long": LONG };
    assertEquals(await readAll(widened(await makeZip(files))), files);
  });
});

const LONG_BYTES = new TextEncoder().encode(LONG);

Deno.test("openZip() refuses what is damaged or cut", async (t) => {
  const zip = await makeZip();
  await t.step("cut anywhere", async () => {
    for (let length = 0; length < zip.length; length += 397) {
      const error = await assertRejects(() => readAll(zip.subarray(0, length)), ParseError);
      assertStringIncludes(error.message, "it is not a whole ZIP archive");
    }
  });
  await t.step("one flipped bit", async () => {
    // What the directory does not hold twice, such as the time of a file, may change without harm.
    let refused = 0;
    for (let at = 0; at < zip.length; at += 197) {
      const flipped = zip.slice();
      flipped[at] ^= 1 << at % 8;
      try {
        assertEquals(Object.values(await readAll(flipped)), Object.values(FILES));
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        refused++;
      }
    }
    assertEquals(refused > zip.length / 197 * 0.95, true, `${refused} refused`);
  });
});

Deno.test("openZip() names the file that it cannot read", async (t) => {
  const zip = await makeZip({ "a": "ACGT" });
  const directory = zip.length - 22 - 47;
  const cases: Record<string, [at: number, value: number, says: string]> = {
    "an encrypted file": [directory + 8, 1, "Cannot read a in a.zip: it is encrypted"],
    "another compression": [directory + 10, 14, "Cannot read a in a.zip: its compression (method 14)"],
    "another checksum": [directory + 16, 1, "Cannot read a in a.zip: it is damaged"],
    "another size": [directory + 20, 1, "Cannot read a in a.zip: it is damaged"],
    "another offset": [directory + 42, 3, "Cannot read a in a.zip: it is damaged"],
  };
  for (const [what, [at, value, says]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const changed = zip.slice();
      changed[at] = value;
      await assertRejects(() => readAll(changed), ParseError, says);
    });
  }
  await t.step("a directory without its last file", async () => {
    const changed = zip.slice();
    changed[directory + 28] = 200;
    using bytes = await openRandomBytes(changed);
    assertThrows(() => openZip(bytes, "a.zip"), ParseError, "its directory is damaged");
  });
});
