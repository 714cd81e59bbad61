/** Metadata joined to sequences by accession, and what has no partner on either side. */
import { countOf } from "../../../contract/count_of.ts";
import type { LazyDataFrame } from "nodejs-polars";
import { closeLedger, listSome } from "../../../contract/ledger.ts";
import { scanTable } from "./_lake_table.ts";
import type { Polars } from "../../types/polars.ts";
import type { BuiltTable } from "../build/lake_layout.ts";
import type { LakeJoin } from "./lake.ts";
import type { LakeManifest } from "../build/lake_manifest.ts";
import { noteEntry } from "../../../contract/ledger_entries.ts";
import { exactColumn } from "../../../engine/frames/frame_members.ts";

/** Rows of a table whose accessions the other one lacks. */
interface Unpaired {
  readonly ids: readonly string[];
  /** How many have no accession. */
  readonly unnamed: number;
}

/** Joins two tables of a lake. */
export async function joinSequences(
  pl: Polars,
  tables: { readonly metadata: BuiltTable; readonly sequences: BuiltTable },
  sequence: "keep" | "drop" = "drop",
): Promise<LakeJoin> {
  const metadata = tables.metadata.manifest;
  const sequences = tables.sequences.manifest;
  const [left, right] = [idOf(metadata), idOf(sequences)];
  const ids = (table: BuiltTable, id: string) => scanTable(pl, table).select(exactColumn(pl, id).alias("id"));
  const without = async (one: LazyDataFrame, other: LazyDataFrame): Promise<Unpaired> => {
    const found = [...(await one.join(other, { on: "id", how: "anti" }).collect()).getColumn("id").toArray()];
    const ids = found.map((id) => String(id ?? "")).filter((id) => id.trim() !== "");
    return { ids, unnamed: found.length - ids.length };
  };
  const [ofMetadata, ofSequences] = [ids(tables.metadata, left), ids(tables.sequences, right)];
  const withoutSequence = await without(ofMetadata, ofSequences);
  const withoutMetadata = await without(ofSequences, ofMetadata);
  const kept = sequences.columns.filter(({ name }, index) =>
    name !== right && (sequence === "keep" || index !== sequences.columns.length - 1)
  );
  const scan = () =>
    scanTable(pl, tables.metadata).join(
      scanTable(pl, tables.sequences).select(
        exactColumn(pl, right).alias(left),
        ...kept.map(({ name }) => exactColumn(pl, name)),
      ),
      // As a FASTA whose header has a field `length`.
      { on: left, how: "inner", suffix: " (computed)" },
    );
  const pairs = Number((await scan().select(pl.len().alias("n")).collect()).getColumn("n").toArray()[0] ?? 0);
  const note = (code: "without-sequence" | "without-metadata", { ids, unnamed }: Unpaired, what: string) => {
    const count = ids.length + unnamed;
    if (count === 0) return [];
    const have = count === 1 ? what.replace("have ", "has ") : what;
    const named = [
      ...ids.length > 0 ? [listSome(ids, 20)] : [],
      ...unnamed > 0 ? [`${unnamed} without accession`] : [],
    ];
    return [noteEntry(code, `${countOf(count, "record")} ${have}: ${named.join(", ")}`, { count, ids })];
  };
  const ledger = closeLedger({
    received: pairs,
    entries: [
      ...note("without-sequence", withoutSequence, "have metadata and no sequence"),
      ...note("without-metadata", withoutMetadata, "have a sequence and no metadata"),
    ],
  });
  return { scan, withoutSequence: withoutSequence.ids, withoutMetadata: withoutMetadata.ids, ledger };
}

/** The sequence table that belongs to a metadata table: of the same archive set, else the only one. */
export function partnerOf({ table }: LakeManifest, all: readonly LakeManifest[]): string {
  const sequences = all.filter(({ kind }) => kind === "sequence");
  const same = sequences.find((other) => other.table === table.replace(/metadata$/, "sequence"));
  const partner = same ?? (sequences.length === 1 ? sequences[0] : undefined);
  if (partner !== undefined) return partner.table;
  throw new RangeError(
    `Cannot join ${table} to sequences: name one of ${listSome(sequences.map((s) => s.table), 20) || "none"}`,
  );
}

/** Column of a table's accessions. */
export function idOf({ table, idField }: LakeManifest): string {
  if (idField !== null) return idField;
  throw new RangeError(`Cannot join ${table}: it has no column of accessions`);
}
