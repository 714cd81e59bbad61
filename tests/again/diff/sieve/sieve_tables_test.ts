import { assert, assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { compare, type DiffOptions } from "../../../../src/again/diff/diff.ts";
import { hashRows, pickRows } from "../../../../src/again/diff/sieve/_hash_rows.ts";
import { drawSecrets } from "../../../../src/again/diff/sieve/_row_hasher.ts";
import { sieveTables } from "../../../../src/again/diff/sieve/sieve_tables.ts";
import { inFolder } from "../../../_files.ts";
import { openFilesIn } from "../../../_open_files.ts";

/** More rows than are kept whatever they are. */
const ROWS = 3000;

/** A table with cells that are quoted, span lines, are empty, or are long, and the lines of a later version. */
function makeVersions(): readonly [string[], string[]] {
  const cells = (row: number) =>
    ["Peru", '"a, b"', '"say ""so"""', '"two\nlines"', "", "x".repeat(row % 70), "7"][row % 7];
  const line = (row: number, text = cells(row)) => `${row % 5 === 0 ? `"k${row}"` : `k${row}`},${text},${row % 97}`;
  const before = Array.from({ length: ROWS }, (_, row) => line(row));
  const after = before.flatMap((text, row) => {
    if (row % 100 === 3) return [line(row, "changed")];
    if (row % 500 === 7) return [];
    if (row % 700 === 9) return [text, line(ROWS + row)];
    // The same cells in another form.
    return [row % 250 === 11 ? text.replace(/^k(\d+)/, '"k$1"') : text];
  });
  before.push(",no key,1", line(2999, "twice"));
  return [before, after.toReversed()];
}

/** Everything that a comparison says of records. */
async function describe(paths: readonly [string, string], options: DiffOptions & { readonly leastBytes: number }) {
  await using diff = await compare(paths, options);
  const [table] = diff.tables;
  const records = await Array.fromAsync(diff.records());
  return { counts: diff.counts, records, entries: diff.entries, sources: diff.sources, table };
}

const FORMS: Readonly<Record<string, (lines: readonly string[], version: number) => string | Uint8Array>> = {
  "lines as they stand": (lines, version) => `id,Country,n\n${lines.join("\n")}${version === 0 ? "\n" : ""}`,
  "gzip, CRLF, empty lines": (lines) => gzipSync(`id,Country,n\r\n\r\n${lines.join("\r\n")}\r\n\r\n`),
  "a mark at the beginning, rows of another width": (lines, version) =>
    `\ufeffid,Country,n\n${lines.join("\n")}\n${version === 0 ? "k5,too,many,cells\n" : ""}`,
};

Deno.test("tables whose equal rows are left out first are compared as whole ones are", async (t) => {
  const folder = await Deno.makeTempDir();
  const versions = makeVersions();
  for (const [form, write] of Object.entries(FORMS)) {
    await t.step(form, async () => {
      const paths = ["old.csv", "new.csv"].map((name) => `${folder}/${name}`);
      for (const [version, path] of paths.entries()) {
        const content = write(versions[version], version);
        await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
      }
      const whole = await describe([paths[0], paths[1]], { leastBytes: Infinity });
      const sieved = await describe([paths[0], paths[1]], { leastBytes: 0 });
      assertEquals(sieved, whole);
      assertEquals([whole.counts.changed, whole.counts.removed, whole.counts.keyless], [30, 6, 1]);
      const scratch = await Deno.makeTempDir({ dir: folder });
      const { same = 0, versions: small } = await sieveTables([paths[0], paths[1]], {
        folder: scratch,
        leastBytes: 0,
        chooseKey: ([first]) => first,
      }) ?? {};
      assert(same > 900, `${same} rows were left out`);
      assertEquals((await Deno.readTextFile(small![0].path)).split("\n")[0], "id,Country,n");
    });
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a comparison that is stopped ends with the signal's reason", async () => {
  const folder = await Deno.makeTempDir();
  const paths = ["old.csv", "new.csv"].map((name) => `${folder}/${name}`);
  for (const [version, path] of paths.entries()) {
    await Deno.writeTextFile(path, `id,Country,n\n${makeVersions()[version].join("\n")}\n`);
  }
  const stop = new AbortController();
  const reason = new Error("enough");
  const scratch = await Deno.makeTempDir({ dir: folder });
  await assertRejects(
    () =>
      sieveTables([paths[0], paths[1]], {
        folder: scratch,
        leastBytes: 0,
        chooseKey: ([first]) => first,
        onProgress: () => stop.abort(reason),
        signal: stop.signal,
      }),
    Error,
    "enough",
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test({ name: "versions and their hashes are closed", ignore: Deno.build.os !== "linux" }, async (t) => {
  await inFolder(async (folder) => {
    const secrets = drawSecrets();
    const text = `id,Country\n${Array.from({ length: 9 }, (_, row) => `${row},Kenya\n`).join("")}`;
    for (const [form, bytes] of Object.entries({ plain: new TextEncoder().encode(text), gzip: gzipSync(text) })) {
      await t.step(form, async () => {
        const [path, hashes] = [`${folder}/${form}.csv`, `${folder}/${form}.hashes`];
        await Deno.writeFile(path, new Uint8Array(bytes));
        const { rowBytes } = await hashRows({ path, hashes, column: 0, secrets }, () => {});
        const bits = Uint8Array.of(0b101, 0);
        await pickRows({ path, hashes, bits, into: `${folder}/${form}`, ...rowBytes !== undefined && { rowBytes } });
        assertEquals(await Deno.readTextFile(`${folder}/${form}`), "id,Country\n0,Kenya\n2,Kenya\n");
        await assertRejects(
          () => pickRows({ path, hashes, bits, into: `${folder}/${form}` }),
          Deno.errors.AlreadyExists,
        );
        assertEquals(await openFilesIn(folder), []);
      });
    }
  });
});
