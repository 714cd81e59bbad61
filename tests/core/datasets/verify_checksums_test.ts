import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ChecksumFileError } from "../../../src/core/io/digest/checksum_file.ts";
import { verifyArchive, verifyChecksums, verifyChecksumsIn } from "../../../src/core/datasets/verify_checksums.ts";
import { ParseError, RegistryError } from "../../../src/core/errors.ts";
import type { ProgressEvent } from "../../../src/core/io/tasks/progress.ts";
import { testWithPrograms } from "../../_needs.ts";
import { CHECKSUM, NAME, withFolder } from "./_archive.ts";
import { inFolder } from "../../_files.ts";

/** Digest of the three bytes `abc`. */
const DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

async function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await Deno.writeFile(
      `${folder}/${name}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
}

Deno.test("verifyChecksums() proves the archive beside the checksum file", async () => {
  await withFolder(async (folder) => {
    await write(folder, { [NAME]: "abc", [CHECKSUM]: `${DIGEST}  ${NAME}\n` });
    assertEquals(await verifyChecksums(`${folder}/${CHECKSUM}`), [{
      name: NAME,
      ok: true,
      reason: "",
      unread: false,
      expected: DIGEST,
      actual: DIGEST,
      bytes: 3,
    }]);
    assertEquals((await verifyArchive(`${folder}/${NAME}`)).ok, true);
  });
});

Deno.test("verifyChecksums() says which archive is damaged or missing, and does not throw", async () => {
  await withFolder(async (folder) => {
    await write(folder, { [NAME]: "abd", [CHECKSUM]: `${DIGEST}  ${NAME}\n` });
    const [damaged] = await verifyChecksums(`${folder}/${CHECKSUM}`);
    assertEquals([damaged.ok, damaged.unread], [false, false]);
    for (const says of [`expected SHA-256 ${DIGEST}, got a52d159f`, "left as it is", "Likely causes:", "fetch both"]) {
      assertStringIncludes(damaged.reason, says);
    }
    await Deno.remove(`${folder}/${NAME}`);
    const [missing] = await verifyChecksums(`${folder}/${CHECKSUM}`);
    assertEquals([missing.ok, missing.unread, missing.actual], [false, true, null]);
    assertStringIncludes(missing.reason, "the file does not exist");
    await Deno.mkdir(`${folder}/${NAME}`);
    assertEquals((await verifyChecksums(`${folder}/${CHECKSUM}`))[0].unread, true);
  });
});

Deno.test("verifyChecksums() opens no file but the expected one, in the same folder", async (t) => {
  const cases: Readonly<Record<string, [file: string, text: string, says: string]>> = {
    "another archive": ["a.sha256", `${DIGEST}  b.csv.gz\n`, 'expected "a.csv.gz" or "a.csv.zst" or "a"'],
    "a folder above": ["a.sha256", `${DIGEST}  ../a.csv.gz\n`, "expected"],
    "a folder above, in a list": ["SHA256SUMS", `${DIGEST}  ../a.csv.gz\n`, "plain file name"],
    "an absolute path, in a list": ["SHA256SUMS", `${DIGEST}  /etc/passwd\n`, "plain file name"],
    "a backslash, in a list": ["SHA256SUMS", `${DIGEST}  ..\\a\n`, "plain file name"],
    "an empty list": ["SHA256SUMS", "# nothing\n", "no entry"],
    "one name too many": ["a.sha256", `${DIGEST}  a.csv.gz\n${DIGEST}  b.csv.gz\n`, "expected"],
    "a page of HTML": ["a.sha256", "<!doctype html>", "an HTML page"],
    "the archive itself": ["a.csv.gz", "\x1f\u008b\b", "looks like"],
    "the folder, in a list": ["SHA256SUMS", `${DIGEST}  .\n`, "plain file name"],
    "the folder above alone, in a list": ["SHA256SUMS", `${DIGEST}  ..\n`, "plain file name"],
    "a byte order mark": ["a.sha256", `\uFEFF${DIGEST}  a.csv.gz\n`, "byte order mark"],
    "a huge file": ["a.sha256", "# x\n".repeat(300_000), "larger than"],
  };
  for (const [fault, [file, text, says]] of Object.entries(cases)) {
    await t.step(fault, () =>
      withFolder(async (folder) => {
        await write(folder, { [file]: text });
        await assertRejects(() => verifyChecksums(`${folder}/${file}`), ChecksumFileError, says);
      }));
  }
});

Deno.test("verifyChecksums() reads a list of several plain names, and a name that is the stem itself", async () => {
  await withFolder(async (folder) => {
    await write(folder, {
      "a.csv.gz": "abc",
      "b.csv.gz": "abd",
      SHA256SUMS: `${DIGEST}  a.csv.gz\n${DIGEST}  b.csv.gz\n`,
      "a.csv.gz.sha256": `${DIGEST}  a.csv.gz\n`,
    });
    assertEquals((await verifyChecksums(`${folder}/SHA256SUMS`)).map(({ ok }) => ok), [true, false]);
    assertEquals((await verifyChecksums(`${folder}/a.csv.gz.sha256`))[0].ok, true);
  });
});

Deno.test("a checksum file called .sha256 is a list, since it names no stem", async () => {
  await withFolder(async (folder) => {
    await write(folder, { "a.csv.gz": "abc", ".sha256": `${DIGEST}  a.csv.gz\n` });
    assertEquals((await verifyChecksums(`${folder}/.sha256`)).map(({ ok }) => ok), [true]);
  });
});

Deno.test("verifyChecksums() refuses bytes that are not UTF-8", async () => {
  await withFolder(async (folder) => {
    const text = new TextEncoder().encode(`${DIGEST}  a\u00e9.csv.gz\n`);
    await write(folder, { SHA256SUMS: text.filter((_, at) => at !== DIGEST.length + 3) });
    await assertRejects(() => verifyChecksums(`${folder}/SHA256SUMS`), ParseError, "not valid UTF-8");
  });
});

Deno.test("verifyChecksumsIn() looks in the folder that it is given", async () => {
  await withFolder(async (folder) => {
    await write(folder, { "a.csv.gz": "abc" });
    const sums = new TextEncoder().encode(`${DIGEST}  a.csv.gz\n${DIGEST}  b.csv.gz\n`);
    const found = await verifyChecksumsIn(sums, folder);
    assertEquals(found.map(({ name, ok, unread }) => [name, ok, unread]), [
      ["a.csv.gz", true, false],
      ["b.csv.gz", false, true],
    ]);
    assertStringIncludes(found[1].reason, `${folder}/b.csv.gz: the file does not exist`);
  });
});

Deno.test("a checksum file that has no end is read to its limit", async () => {
  let chunks = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++chunks > 1000) controller.error(new Error("read on and on"));
      else controller.enqueue(new TextEncoder().encode("# x\n".repeat(10_000)));
    },
  });
  await assertRejects(() => verifyChecksumsIn(endless, "."), ChecksumFileError, "larger than");
});

Deno.test("a checksum file of exactly one mebibyte is read", async () => {
  const line = `${DIGEST}  a.csv.gz\n`;
  const sums = `${line}#${"x".repeat((1 << 20) - line.length - 2)}\n`;
  assertEquals((await verifyChecksumsIn(new TextEncoder().encode(sums), "no-such-folder")).length, 1);
});

Deno.test("verification reports its progress in bytes, and its end once", async () => {
  await withFolder(async (folder) => {
    await write(folder, { [NAME]: "abc", [CHECKSUM]: `${DIGEST}  ${NAME}\n` });
    const events: ProgressEvent[] = [];
    await verifyChecksums(`${folder}/${CHECKSUM}`, { onProgress: (event) => events.push(event) });
    const event = { task: `verifying ${NAME}`, done: 3, total: 3, unit: "bytes" } as const;
    assertEquals(events, [event, { ...event, finished: true }]);
  });
});

Deno.test("an unknown option is refused under the name of the function", async () => {
  const options: object = { no: 1 };
  await assertRejects(() => verifyChecksums("a", options), TypeError, "verifyChecksums()");
  await assertRejects(() => verifyChecksumsIn("a", ".", options), TypeError, "verifyChecksumsIn()");
  await assertRejects(() => verifyArchive("a", options), TypeError, "verifyArchive()");
});

Deno.test("a file that cannot be read is a row with the reason", async () => {
  await withFolder(async (folder) => {
    await write(folder, { SHA256SUMS: `${DIGEST}  ab\n` });
    await Deno.symlink(`${folder}/ab`, `${folder}/ab`);
    const [row] = await verifyChecksums(`${folder}/SHA256SUMS`);
    assertEquals([row.ok, row.unread, row.actual, row.bytes], [false, true, null, 0]);
    assert(row.reason.startsWith(`${folder}/ab: `), row.reason);
    await Deno.remove(`${folder}/ab`);
    await Deno.mkdir(`${folder}/ab`);
    const [other] = await verifyChecksums(`${folder}/SHA256SUMS`);
    assert(other.reason.startsWith(`Cannot verify ${folder}/ab: `), other.reason);
  });
});

Deno.test("verifyChecksums() says which checksum file is absent; verifyArchive() wants an archive", async () => {
  const error = await assertRejects(() => verifyChecksums("no/such.sha256"), RegistryError, "no/such.sha256");
  assertEquals(error.code, "disk");
  await assertRejects(() => verifyArchive("no/such.csv"), RangeError, ".csv.gz");
});

Deno.test("verifyChecksums() stops with the signal's reason", async () => {
  await withFolder(async (folder) => {
    await write(folder, { [NAME]: "abc", [CHECKSUM]: `${DIGEST}  ${NAME}\n` });
    const stop = new AbortController();
    const reason = new Error("enough");
    const options = { signal: stop.signal, onProgress: () => stop.abort(reason) };
    assertEquals(await assertRejects(() => verifyChecksums(`${folder}/${CHECKSUM}`, options)), reason);
  });
});

testWithPrograms(
  ["mkfifo"],
  "verifyChecksums() refuses what is not a regular file, and waits for nothing",
  async () => {
    await inFolder(async (folder) => {
      assertEquals((await new Deno.Command("mkfifo", { args: [`${folder}/map.csv.gz`] }).output()).success, true);
      await Deno.writeTextFile(`${folder}/map.sha256`, `${"0".repeat(64)}  map.csv.gz\n`);
      const [pipe] = await verifyChecksums(`${folder}/map.sha256`);
      assertEquals([pipe.ok, pipe.unread], [false, true]);
      assertStringIncludes(pipe.reason, "not a regular file");
    });
  },
);
