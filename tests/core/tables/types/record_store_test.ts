import { assert, assertEquals } from "@std/assert";
import { readCsvRows } from "../../../../src/core/io/csv/csv_rows.ts";
import { recordTable } from "../../../../src/core/tables/lake/open/record_table.ts";
import { RecordStore } from "../../../../src/core/tables/types/record_store.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import type { TypedTable } from "../../../../src/core/tables/types/table.ts";

const ACCESSION = "Registry Accession";
const DEFINITIONS: readonly FieldDefinition[] = [
  { name: "Length", alias: "len", type: "integer", description: "", unit: "", example: "" },
  { name: "Share", alias: "share", type: "float", description: "", unit: "", example: "" },
];

/** Records whose fields turn up one after the other, with values that CSV has to quote. */
async function fill(store: RecordStore, records = 200): Promise<RecordStore> {
  for (let row = 0; row < records; row++) {
    const record: [string, string | null][] = [[ACCESSION, `vj${String(row + 1).padStart(12, "0")}`]];
    if (row >= 20) record.push(["len", row % 7 === 0 ? "long" : String(row)]);
    if (row >= 90) record.unshift(["Share", row % 2 === 0 ? "0.5" : null]);
    record.push(["Note", ["plain", 'a "quote", a comma', "two\nlines", "", "\r\n"][row % 5]]);
    if (row === records - 1) record.push(["Last", "x"]);
    store.add(record);
    await store.settle();
  }
  return store;
}

async function contentOf(table: TypedTable) {
  const frame = await table.frame();
  return {
    columns: table.columns,
    rows: table.rows,
    records: frame.toRecords(),
    texts: table.columns.map(({ field }) => [table.texts(field), table.texts(field, 10), table.texts(field, 10, 75)]),
    beyond: table.texts(ACCESSION, 10, table.rows - 1),
    textRows: [table.textRows(table.columns.map(({ field }) => field), 10, 75), table.textRows([], 2)],
    problems: table.problems.map(({ row, field, value }) => ({ row, field, value })),
    received: table.ledger.received,
    unparsed: table.ledger.unparsed,
  };
}

Deno.test("recordTable() makes the same table of records in memory and in a temporary folder", async (t) => {
  const problem = { value: "?", reason: "is not an accession", kept: false };
  const cases: Record<string, Parameters<typeof recordTable>[2] & { readonly nameOf?: (field: string) => string }> = {
    "as they came": {},
    "typed, a field by its alias": { definitions: DEFINITIONS },
    "under other names": { definitions: DEFINITIONS, nameOf: (field) => field === "len" ? "Length" : field },
    "two fields of one name": { nameOf: (field) => field === "Share" ? "Note" : field },
    "columns asked for, one absent": { definitions: DEFINITIONS, columns: [ACCESSION, "Note", "Absent", "len"] },
  };
  for (const [name, { nameOf, ...options }] of Object.entries(cases)) {
    await t.step(name, async () => {
      const findings = { hasHeader: false, unparsed: 1, problems: [problem], ...nameOf && { nameOf } };
      using held = await fill(new RecordStore({ spillCharacters: Infinity }));
      using spilled = await fill(new RecordStore({ spillCharacters: 500 }));
      assert(!held.isSpilled && spilled.isSpilled);
      const [one, other] = [await recordTable(held, findings, options), await recordTable(spilled, findings, options)];

      assertEquals(await contentOf(other), await contentOf(one));
      assertEquals(other.ledger.reasons, one.ledger.reasons);
    });
  }
});

Deno.test("recordTable() makes lists of fields of which some record holds several values", async () => {
  for (const spillCharacters of [Infinity, 10]) {
    using store = new RecordStore({ spillCharacters });
    store.add([[ACCESSION, "vj000000000001"], ["Hosts", "a;b"]]);
    store.add([[ACCESSION, "vj000000000002"], ["Hosts", "c"]]);
    await store.settle();
    const table = await recordTable(store, { hasHeader: false, lists: new Set(["Hosts"]) }, {});

    assertEquals<unknown>((await table.frame()).getColumn("Hosts").toArray(), [["a", "b"], ["c"]]);
  }
});

Deno.test("RecordStore writes one column of empty values as rows, and fields that come late as empty", async () => {
  using store = new RecordStore({ fields: ["a"], spillCharacters: 2 });
  store.add([["a", ""]]);
  await store.settle();
  store.add([["a", null]]);
  await store.settle();
  store.add([["b", "1"]]);
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(store.chunks(["a", "b"]))) for (const { cells } of batch) rows.push(cells);

  assertEquals(rows, [["column 1", "column 2"], ["", ""], ["", ""], ["", "1"]]);
  assertEquals(store.rows, 3);
});
