import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { openFasta } from "seqreg/fasta";
import { tableFromCsv } from "seqreg/tables";
import { diffLakes, schemaOf } from "seqreg/again";
import { Registry } from "seqreg";
import { closeLedger } from "../../../src/core/contract/ledger.ts";
import { RegistryResult } from "../../../src/core/registry/results/result.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";
import { ledgerView } from "../../../src/jupyter/notebook/ledger_view.ts";
import { live } from "../../../src/jupyter/notebook/live/live.ts";
import { show, viewOf, viewOfKnown } from "../../../src/jupyter/notebook/show.ts";
import { tableView } from "../../../src/jupyter/notebook/table_view.ts";
import { checkBundle, HOSTILE } from "./_views.ts";
import { noteEntry } from "../../../src/core/contract/ledger_entries.ts";

Deno.test("hostile values and names create nothing, in any view", async (t) => {
  for (const text of HOSTILE) {
    await t.step(JSON.stringify(text), async () => {
      checkBundle(
        tableView({
          caption: text,
          columns: [text, "b"],
          types: [text, text],
          rows: [[text, 1], [text.repeat(40), null]],
        }),
      );
      const entries = [noteEntry("page-short", text), noteEntry("unchanged", text)];
      checkBundle(ledgerView(closeLedger({ received: 1, missing: [text], entries })));
      checkBundle(await viewOf([{ [text]: text }], text));
      checkBundle(await viewOf(text));
      checkBundle(await viewOf({ [text]: [text] }));
    });
  }
});

Deno.test("lists that the toolkit gives show themselves as tables, other lists as they are", async () => {
  const problem = { row: 3, field: "Host Age", value: "37 years", reason: "no integer", kept: true };
  const definition = { name: "Country", alias: "country", type: "string", description: "", unit: "", example: "Peru" };
  const hit = { id: "1", score: null, source: { Country: "Peru" } };

  assertStringIncludes((await viewOfKnown([problem]))!["text/plain"], ": 1 row × 5 columns");
  assertStringIncludes((await viewOfKnown([problem]))!["text/plain"], "\nkept: whether the record or value is in the");
  assertStringIncludes((await viewOfKnown([definition]))!["text/plain"], "definitions: 1 row × 6 columns");
  assertStringIncludes((await viewOfKnown([hit]))!["text/plain"], "hits: 1 row × 3 columns");
  for (const other of [[{ a: 1 }], [], [1], "text", null, undefined, 3n, { complete: true }]) {
    assertEquals(await viewOfKnown(other), undefined);
  }
});

Deno.test("only the first 1,000 rows of a lazy frame are computed, and the rest is not counted", async () => {
  const { default: pl } = await import("nodejs-polars");
  const numbers = pl.DataFrame({ n: Array.from({ length: 2000 }, (_, index) => index) });

  assertStringIncludes(
    (await viewOf(numbers.lazy()))["text/plain"],
    "lazy frame: rows not counted × 1 column; the first 1,000 are here",
  );
  assertStringIncludes((await viewOf(numbers.head(3).lazy(), "few"))["text/plain"], "few: 3 rows × 1 column");
});

Deno.test("a column of a list may have the name of what every object inherits", async () => {
  const rows = [{ constructor: "Peru", toString: 1 }, JSON.parse('{ "n": 2, "__proto__": 3 }')];
  const lines = (await viewOf(rows))["text/plain"].split("\n").slice(1).map((line) => line.split(/ +/));

  assertEquals(lines, [["constructor", "toString", "n", "__proto__"], ["Peru", "1", "null", "null"], [
    "null",
    "null",
    "2",
    "3",
  ]]);
});

Deno.test("a value's own display wins", async () => {
  const value = { [DISPLAY]: () => ({ "text/plain": "mine" }) };

  assertEquals(await viewOf(value), { "text/plain": "mine" });
});

Deno.test("a list is a table only where own properties tell all of its objects", async () => {
  const { default: pl } = await import("nodejs-polars");
  class Hidden {
    #code = 7;
    toString() {
      return `hidden ${this.#code}`;
    }
  }
  const others: readonly unknown[] = [
    Temporal.PlainDate.from("2024-01-02"),
    new Error("no such record"),
    Object.assign(new Error("no such file"), { code: "ENOENT" }),
    new Map([["Kenya", 3]]),
    new Set(["Kenya"]),
    new Date(0),
    new URL("https://example.org/"),
    Promise.resolve("Kenya"),
    new Uint8Array([7]),
    /Kenya/,
    new Hidden(),
    { [DISPLAY]: () => ({ "text/plain": "mine" }), a: 1 },
    { [Symbol.for("Deno.customInspect")]: () => "mine", a: 1 },
    pl.Series("a", [1]),
    pl.DataFrame({ a: [1] }),
  ];
  for (const other of others) {
    for (const list of [[other], [{ a: 1 }, other], [...Array.from({ length: 1001 }, () => ({ a: 1 })), other]]) {
      const { "text/plain": text } = await viewOf(list);

      assertEquals(text, Deno.inspect(list, { depth: 4, strAbbreviateSize: 1000 }));
    }
  }
  assertEquals((await viewOf([{}, {}]))["text/plain"], "[ {}, {} ]");
  assertStringIncludes((await viewOf([{ a: 1 }, {}]))["text/plain"], "list: 2 rows × 1 column");
  assertStringIncludes((await viewOf([Object.assign(new Hidden(), { a: 1 })]))["text/plain"], "list: 1 row × 1 column");
  assertEquals((await viewOf([...Array.from({ length: 1001 }, () => ({ a: 1 })), null]))["text/plain"].at(0), "[");
});

Deno.test("a list has the columns of all its rows", async () => {
  const late = Array.from({ length: 1200 }, (_, index) => index < 1001 ? { a: index } : { a: index, reason: "late" });
  const view = await viewOf(late);

  assertStringIncludes(view["text/plain"], "list: 1,200 rows × 2 columns");
  assertStringIncludes(view["text/html"]!, ">reason</th>");
  const keyed = Array.from({ length: 6000 }, (_, index) => ({ [`vj${index}`]: index }));
  assertEquals((await viewOf(keyed))["text/plain"], Deno.inspect(keyed, { depth: 4, strAbbreviateSize: 1000 }));
});

Deno.test("lists with holes are shown as the console shows them", async () => {
  for (const list of [new Array(5), [, { id: "1", score: null, source: {} }], [{ a: 1 }, , { a: 2 }]]) {
    assertEquals(await viewOfKnown(list), undefined);
    assertStringIncludes((await viewOf(list))["text/plain"], "empty item");
  }
});

Deno.test("a caption that is no text is refused in the caller's words", async () => {
  const error = await assertRejects(() => show([{ a: 1 }], { rows: 3 } as never), TypeError);
  assertStringIncludes(error.message, 'argument "caption" of show() must be a text');
});

Deno.test("what the toolkit gives says what it holds, and what to do with it", async (t) => {
  const folder = await Deno.makeTempDir();
  await using registry = await Registry.open("zika", { cacheFolder: folder });
  const [fasta, csv, other] = ["a.fasta", "a.csv", "b.csv"].map((name) => `${folder}/${name}`);
  await (await registry.sequences({ query: "*" })).toFasta(fasta);
  await (await registry.metadata({ query: "*" })).toCSV(csv);
  await Deno.writeTextFile(other, (await Deno.readTextFile(csv)).replace("2016-12-XX", "2015-12-XX"));
  await using file = await openFasta(fasta);
  await using diff = await diffLakes(csv, other);
  const lake = await registry.lake();
  const values: Record<string, readonly [value: unknown, ...expected: string[]]> = {
    "every match": [registry.searchAll("country:Brazil"), "every record that matches country:Brazil: await .result()"],
    "a generator": [diff.records(), "for await (const value of …), or await Array.fromAsync(…)"],
    "an export": [
      await registry.download({ query: "*" }, { information: "metadata", fileType: "csv" }),
      "the export of metadata: read its bytes(), then its ledger()",
    ],
    "an indexed FASTA": [file, "a.fasta: 34 records by its index (made)", 'await ….get("vj0000000000'],
    "a comparison": [diff, "34 records → 34, by Registry Accession: 0 added, 0 removed, 1 changed", "2015-12-XX"],
    "a table of a lake": [
      await lake.table(),
      "table of 34 rows, await .frame() is its frame, await live(table) shows its rows; columns: ",
      "Collection Date",
      "Complete: received 34",
    ],
    "a schema": [await schemaOf(csv), "alias", "distinct"],
  };
  for (const [name, [value, ...expected]] of Object.entries(values)) {
    await t.step(name, async () => {
      const view = await viewOfKnown(value);
      for (const text of expected) assertStringIncludes(view?.["text/plain"] ?? "", text);
    });
  }
  await lake.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a result of which not all rows are sent offers live(), which takes it; lists, which it refuses, do not", async () => {
  const words = Array.from({ length: 60_000 }, (_, row) => (row * 2654435761 % 2 ** 32).toString(36).repeat(3));
  const resultOf = async (rows: readonly string[]) => {
    const csv = new TextEncoder().encode(`Registry Accession,Word\n${rows.map((word) => `,${word}\n`).join("")}`);
    const table = await tableFromCsv(csv);
    const at = "2026-01-31T23:59:59.000Z";
    const provenance = { operation: "metadata", registry: null, request: null, bytes: 0, sha256: null, toolkit: "t" };
    return new RegistryResult({
      table,
      ledger: table.ledger,
      provenance: { ...provenance, started: at, finished: at },
    });
  };
  const long = await resultOf(words);
  const short = await resultOf(words.slice(0, 10));

  assertMatch(
    (await viewOf(long))["text/html"] ?? "",
    /of 60,000 rows are searched; await live\(result\) shows all rows/,
  );
  assertEquals((await viewOf(short))["text/html"]?.includes("await live("), false);
  assertStringIncludes((await (await live(long))[DISPLAY]())["text/plain"], "table: 60,000 rows × 2 columns");
  const list = await viewOf(words.map((word) => ({ word })));
  assertStringIncludes(list["text/html"] ?? "", "of 60,000 rows are searched");
  assertEquals(list["text/html"]?.includes("await live("), false);
  await assertRejects(() => live([{ word: "a" }] as never), TypeError, "expected a lake");
});
