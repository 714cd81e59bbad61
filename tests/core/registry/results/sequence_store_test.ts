import { assert, assertEquals } from "@std/assert";
import { closeLedger } from "../../../../src/core/contract/ledger.ts";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { readPaged } from "../../../../src/core/registry/results/read_paged.ts";
import { SequenceStore } from "../../../../src/core/registry/results/sequence_store.ts";
import { SequencesResult } from "../../../../src/core/registry/results/sequences_result.ts";
import { inFolder } from "../../../_files.ts";

const COLUMNS = ["Registry Accession", "Country", "length", "gc", "ambiguous", "sequence"];
const MEASURES = { length: "integer", gc: "float", ambiguous: "integer" } as const;

function fastaOf(records: number): Uint8Array {
  const bases = (row: number) => "ACGTN".repeat(row % 7) + "ACGGT".slice(0, row % 5);
  const lines = Array.from(
    { length: records },
    (_, row) =>
      `>vj${String(row + 1).padStart(12, "0")}|${["Kenya", "Côte d'Ivoire, west", ""][row % 3]}\n${bases(row)}\n`,
  );
  return new TextEncoder().encode(`;fields=registry_accession|country\n${lines.join("")}`);
}

async function resultOf(fasta: Uint8Array, spillCharacters: number, pageRows: number): Promise<SequencesResult> {
  using store = new SequenceStore({ spillCharacters });
  for await (const record of readFasta(fasta)) {
    store.add(record);
    if (store.isFull) await store.settle();
  }
  assertEquals(store.isInMemory, spillCharacters === Infinity);
  const definitions = Object.entries(MEASURES).map(([name, type]) => ({
    name,
    alias: name,
    type,
    description: "",
    unit: "",
    example: "",
  }));
  const table = await store.table(COLUMNS, { definitions, columns: COLUMNS });
  const entries = readPaged(table, (from, count) => {
    const sequences = table.texts("sequence", count, from);
    return table.texts(COLUMNS[0], count, from).map((accession, row) => ({
      accession: accession ?? "",
      sequence: sequences[row] ?? "",
    }));
  }, pageRows);
  const ledger = closeLedger({ received: table.rows });
  const provenance = {
    operation: "sequences",
    registry: "https://registry.example",
    request: {},
    bytes: 0,
    sha256: null,
    started: "2026-01-31T10:00:00.000Z",
    finished: "2026-01-31T10:00:00.000Z",
    toolkit: "seqreg",
  };
  return new SequencesResult({ table, ledger, provenance, entries, route: "export", fields: ["Country"], pageRows });
}

Deno.test("sequences in a temporary folder are those in memory: rows, entries, frame and FASTA", async () => {
  const fasta = fastaOf(500);
  await inFolder(async (folder) => {
    const held = await resultOf(fasta, Infinity, 1000);
    const spilled = await resultOf(fasta, 2000, 64);
    for (const [name, result] of Object.entries({ held, spilled })) {
      await result.toFasta(`${folder}/${name}`, { wrap: 7 });
    }

    assertEquals([...spilled.rows], [...held.rows]);
    assertEquals([...spilled.entries], [...held.entries]);
    assertEquals((await spilled.frame()).toRecords(), (await held.frame()).toRecords());
    assertEquals(await Deno.readTextFile(`${folder}/spilled`), await Deno.readTextFile(`${folder}/held`));
    assertEquals(spilled.get("vj000000000400"), held.entries[399].sequence);
    assertEquals(spilled.get("vj000000000999"), undefined);
    assert(Array.isArray(spilled.entries));
  });
});
