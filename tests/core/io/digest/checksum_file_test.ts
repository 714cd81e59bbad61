import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ParseError } from "../../../../src/core/errors.ts";
import {
  ChecksumFileError,
  checksumText,
  findChecksum,
  parseChecksums,
} from "../../../../src/core/io/digest/checksum_file.ts";
import { testWithPrograms } from "../../../_needs.ts";

const ARCHIVE = "registryv1_full_dataset_metadata.csv.gz";
/** Digest of the three bytes `abc`. */
const DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const SPELLINGS: Readonly<Record<string, string>> = {
  "text mode": `${DIGEST}  ${ARCHIVE}\n`,
  "binary mode": `${DIGEST} *${ARCHIVE}\n`,
  "one space": `${DIGEST} ${ARCHIVE}\n`,
  "a tab": `${DIGEST}\t${ARCHIVE}\n`,
  "spaces before": `  ${DIGEST}  ${ARCHIVE}\n`,
  "a tab before": `\t${DIGEST}  ${ARCHIVE}\n`,
  "upper case": `${DIGEST.toUpperCase()}  ${ARCHIVE}\n`,
  "CRLF": `${DIGEST}  ${ARCHIVE}\r\n`,
  "no final newline": `${DIGEST}  ${ARCHIVE}`,
  "empty lines": `\n${DIGEST}  ${ARCHIVE}\n\n`,
  "BSD tag": `SHA256 (${ARCHIVE}) = ${DIGEST}\n`,
  "BSD tag, upper case": `SHA256 (${ARCHIVE}) = ${DIGEST.toUpperCase()}\n`,
  "BSD tag, no spaces": `SHA256(${ARCHIVE})=${DIGEST}\n`,
  "BSD tag, spaces before": `  SHA256 (${ARCHIVE}) = ${DIGEST}\n`,
  "BSD tag, CRLF": `SHA256 (${ARCHIVE}) = ${DIGEST}\r\n`,
  "BSD tag, escaped": `\\SHA256 (${ARCHIVE}) = ${DIGEST}\n`,
  "escaped": `\\${DIGEST}  ${ARCHIVE}\n`,
  "comment before": `# made by hand\n${DIGEST}  ${ARCHIVE}\n`,
  "leading ./": `${DIGEST}  ./${ARCHIVE}\n`,
  "said twice": `${DIGEST}  ${ARCHIVE}\n${DIGEST}  ${ARCHIVE}\n`,
};

/** Text, line and words of the error, and whether `sha256sum --check --strict` fails too. */
const REFUSALS: Readonly<Record<string, [text: string, line: number, says: string]>> = {
  "empty file": ["", 1, "no entry"],
  "comments alone": ["# nothing\n", 1, "no entry"],
  "63 digits": [`${DIGEST.slice(1)}  ${ARCHIVE}`, 1, "64 hexadecimal digits"],
  "65 digits": [`0${DIGEST}  ${ARCHIVE}`, 1, "64 hexadecimal digits"],
  "MD5": [`${DIGEST.slice(32)}  ./${ARCHIVE}`, 1, "a digest of MD5, not SHA-256: check the files by md5sum --check"],
  "SHA-512": [`${DIGEST}${DIGEST} *${ARCHIVE}`, 1, "a digest of SHA512, not SHA-256: check the files by sha512sum"],
  "BSD tag of MD5": [`MD5 (${ARCHIVE}) = ${DIGEST.slice(32)}`, 1, "a digest of MD5, not SHA-256"],
  "byte order mark": [`\uFEFF${DIGEST}  ${ARCHIVE}`, 1, "byte order mark"],
  "digest alone": [`${DIGEST}\n`, 1, "64 hexadecimal digits"],
  "a page of HTML": ["<!doctype html>\n<title>Not found</title>", 1, "64 hexadecimal digits"],
  "a line of blanks": [`   \n${DIGEST}  ${ARCHIVE}`, 1, "64 hexadecimal digits"],
  "a comment after a blank": [` # by hand\n${DIGEST}  ${ARCHIVE}`, 1, "64 hexadecimal digits"],
  "BSD tag, lower case": [`sha256 (${ARCHIVE}) = ${DIGEST}`, 1, "64 hexadecimal digits"],
  "BSD tag of another digest": [`SHA512 (${ARCHIVE}) = ${DIGEST}`, 1, "64 hexadecimal digits"],
  "BSD tag, blank after": [`SHA256 (${ARCHIVE}) = ${DIGEST} `, 1, "64 hexadecimal digits"],
  "another archive": [`${DIGEST}  reftax1_to_reftax2_map.csv.gz`, 1, "expected"],
  "a folder above": [`${DIGEST}  ../${ARCHIVE}`, 1, "expected"],
  "an absolute path": [`${DIGEST}  /etc/passwd`, 1, "expected"],
  "a trailing space": [`${DIGEST}  ${ARCHIVE} `, 1, "expected"],
  "three spaces": [`${DIGEST}   ${ARCHIVE}`, 1, "expected"],
  "two answers": [`${DIGEST}  ${ARCHIVE}\n${"0".repeat(64)}  ${ARCHIVE}`, 2, "contradicts line 1"],
  "unknown escape": [`\\${DIGEST}  a\\tb`, 1, "unknown escape"],
};

Deno.test("findChecksum() reads every spelling that sha256sum --check reads", async (t) => {
  for (const [spelling, text] of Object.entries(SPELLINGS)) {
    await t.step(spelling, () => assertEquals(findChecksum(text, ARCHIVE).sha256, DIGEST));
  }
});

Deno.test("findChecksum() refuses what is malformed or points elsewhere, and names the position", async (t) => {
  for (const [fault, [text, line, says]] of Object.entries(REFUSALS)) {
    await t.step(fault, () => {
      const error = assertThrows(() => findChecksum(text, ARCHIVE), ChecksumFileError, says);
      assert(error instanceof ParseError);
      assertEquals(error.line, line);
    });
  }
});

Deno.test("findChecksum() takes one of several expected names, and only one", () => {
  const names = ["a", "a.csv.gz"];
  assertEquals(findChecksum(`${DIGEST}  a\n`, names).name, "a");
  assertThrows(() => findChecksum(`${DIGEST}  a\n${DIGEST}  a.csv.gz\n`, names), ChecksumFileError, "expected");
});

Deno.test("checksumText() writes a line as sha256sum does, escaped only where it must be", () => {
  assertEquals(checksumText(DIGEST, "a.gz"), `${DIGEST}  a.gz\n`);
  assertEquals(checksumText(DIGEST, "a\nb\rc\\d"), `\\${DIGEST}  a\\nb\\rc\\\\d\n`);
});

Deno.test("parseChecksums() undoes the escapes of a line that is marked as escaped, and of no other", () => {
  const names = (text: string) => parseChecksums(text).map(({ name }) => name);
  assertEquals(names(`\\${DIGEST}  a\\nb\n${DIGEST}  a\\nb\n`), ["a\nb", "a\\nb"]);
  assertEquals(names(`\\SHA256 (a\\nb) = ${DIGEST}\nSHA256 (a\\nb) = ${DIGEST}\n`), ["a\nb", "a\\nb"]);
  assertEquals(parseChecksums(`# x\n\n${DIGEST}  a`), [{ sha256: DIGEST, name: "a", line: 3 }]);
});

Deno.test("the error of a checksum file shows 100 characters of a line", () => {
  for (const [length, shown] of [[100, "x".repeat(100)], [101, `${"x".repeat(100)}…`]] as const) {
    const error = assertThrows(() => parseChecksums("x".repeat(length)), ChecksumFileError, `got "${shown}"`);
    assertEquals(error.name, "ChecksumFileError");
  }
});

Deno.test("findChecksum() reads back what checksumText() wrote, whatever the name", () => {
  const digests = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
  const names = fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !name.startsWith("./"));
  fc.assert(
    fc.property(digests, names, (digest, name) => {
      const entry = findChecksum(checksumText(digest, name), name);
      assertEquals([entry.sha256, entry.name], [digest, name]);
    }),
    { examples: [["0".repeat(64), "a\u2028b\u2029c\u0085"], ["f".repeat(64), "a\r\n\\b"]] },
  );
});

testWithPrograms(
  ["sha256sum"],
  "sha256sum --check reads every spelling that findChecksum() reads, and refuses what it refuses",
  async (t) => {
    const folder = await Deno.makeTempDir();
    const accepts = async (text: string) => {
      await Deno.writeTextFile(`${folder}/sums`, text);
      const args = ["--check", "--strict", "--status", "sums"];
      const { code } = await new Deno.Command("sha256sum", { args, cwd: folder, stderr: "null" }).output();
      return code === 0;
    };
    try {
      await Deno.writeTextFile(`${folder}/${ARCHIVE}`, "abc");
      for (const [spelling, text] of Object.entries(SPELLINGS)) {
        await t.step(spelling, async () => assert(await accepts(text)));
      }
      for (const [fault, [text]] of Object.entries(REFUSALS)) {
        await t.step(`${fault}: refused`, async () => assert(!await accepts(text)));
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
