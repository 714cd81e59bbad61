/** The tables of a lake as views of a Spark session, and the proof that Spark reads the files that were written. */
import { RegistryError } from "@seqreg/core/errors";
import { listSome } from "@seqreg/core/contract/ledger";
import type { EnginePart, EngineTable } from "@seqreg/core/engine/engine";
import { VALUE_TYPES } from "./plan_types.ts";
import { quotedName } from "../sql/dialect.ts";
import type { SqlTable } from "../sql/query_sql.ts";
import { sparkDialect } from "../sql/spark_dialect.ts";

/** Columns that the views of this session have in addition to those of their files. */
export const FILE_FIELDS = {
  "seqreg: file": "_metadata.file_name",
  "seqreg: row": "_metadata.row_index",
  "seqreg: bytes": "_metadata.file_size",
} as const;

/** Name of the view over a table's files, with {@linkcode FILE_FIELDS}: users' statements have views of their own. */
export function partsView(table: string): string {
  return `seqreg: files of ${table}`;
}

/** Where Spark reads a part. Objects are read by Hadoop's filesystem s3a, with the cluster's own key. */
export function sparkLocation({ location }: EnginePart): string {
  return location.replace(/^s3:/, "s3a:");
}

/** A table, as compiled statements name it. */
export function sqlTable({ name, rows, columns, parts }: EngineTable): SqlTable {
  return {
    name,
    rows,
    view: partsView(name),
    columns: new Map(columns.map((column) => [column.name, VALUE_TYPES[column.dtype]])),
    position: positionOf(parts),
  };
}

/**
 * Position of a row in its table, from 0: rows of the files before its file, and its row number in the file. A file is
 * found by the number in its name: Spark looks through a map from its first name on, for every row.
 */
function positionOf(parts: EngineTable["parts"]): string {
  if (parts.length === 1) return `"seqreg: row"`;
  let before = 0;
  const starts = parts.map(({ rows }) => {
    const start = before;
    before += rows;
    return sparkDialect.whole(start);
  });
  const index = `CAST(regexp_extract("seqreg: file", '[0-9]+', 0) AS INT)`;
  return `element_at(array(${starts.join(", ")}), ${index} + 1) + "seqreg: row"`;
}

/** The statement that counts the rows of each file of a table, and asks for its size. */
export function partsStatement(table: string): string {
  return `SELECT "seqreg: file" AS name, max("seqreg: bytes") AS bytes, count(*) AS n ` +
    `FROM ${quotedName(partsView(table))} GROUP BY "seqreg: file"`;
}

/** One file, as an engine found it. */
export interface FoundPart {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Compares the files that an engine read with those of the manifest.
 *
 * @throws {RegistryError} With code `damaged`: the message names files, and what was expected.
 */
export function checkParts(
  { name: table, rows, parts }: EngineTable,
  found: readonly FoundPart[],
  engine: string,
): void {
  const byName = new Map(found.map((part) => [part.name, part]));
  const faults = parts.flatMap((part) => {
    const read = byName.get(part.name);
    if (read === undefined) {
      return part.rows === 0 ? [] : [`${part.name} is missing, which has ${part.rows} rows in ${part.bytes} bytes`];
    }
    if (read.rows !== part.rows) return [`${part.name} has ${read.rows} rows instead of ${part.rows}`];
    return read.bytes === part.bytes ? [] : [`${part.name} has ${read.bytes} bytes instead of ${part.bytes}`];
  });
  faults.push(
    ...found.filter(({ name }) => !parts.some((part) => part.name === name)).map(({ name }) => `${name} is new`),
  );
  const read = found.reduce((sum, part) => sum + part.rows, 0);
  if (read !== rows) faults.unshift(`${read} rows instead of ${rows}`);
  if (faults.length === 0) return;
  throw new RegistryError(
    "damaged",
    `Cannot read ${table} on ${engine}: it is not what its manifest lists: ${listSome(faults, 5)}; ` +
      "build the lake again, or copy it again to where the engine reads it",
  );
}
