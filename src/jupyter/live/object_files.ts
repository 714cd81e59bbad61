/**
 * Files of a live table in an object store: DuckDB reads them, and nothing else, as whom the environment says.
 *
 * Objects of a lake are never written over: a table that is built again has others, and the old ones are removed.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { allowObjects } from "@seqreg/core/engine/local/object_sql";
import { messageOf } from "@seqreg/core/errors";
import {
  below,
  formatObjectAddress,
  isObjectAddress,
  parseObjectAddress,
} from "@seqreg/core/io/objects/object_address";
import { findStoreAccess } from "@seqreg/core/io/objects";
import { LAKE_OBJECT, parseLakeObject } from "@seqreg/core/tables/lake/build/object_manifest";
import { objectFiles } from "@seqreg/core/tables/lake/objects/object_table";
import type { LakeManifest } from "@seqreg/core/tables";
import { quoteText } from "./column_sql.ts";
import type { LiveFile } from "./live_question.ts";

export function areObjects(files: readonly LiveFile[]): boolean {
  return files.length > 0 && isObjectAddress(files[0].path);
}

/**
 * Lets DuckDB read some objects.
 *
 * @throws {RegistryError} With code `object-store` if DuckDB's extension is not found.
 * @throws {ObjectStoreError} If the environment has no key.
 */
export async function allowObjectFiles(connection: DuckDBConnection, addresses: readonly string[]): Promise<void> {
  const access = await findStoreAccess(addresses[0]);
  await allowObjects(connection, addresses, access);
  // A lake's objects do not change, so each is asked once how large it is.
  await connection.run("SET enable_http_metadata_cache = true");
}

/** Whether an error of DuckDB's says that an object is gone. */
export function isObjectGone(cause: unknown): boolean {
  return /HTTP (?:GET|HEAD) error[^\n]*404|\(HTTP 404\)|HTTP code 404|NoSuchKey|404 \(Not Found\)/i.test(
    messageOf(cause),
  );
}

/** Describes the objects of a table of a lake as the lake is now; `undefined` if it has no such table any more. */
export async function findObjectFiles(
  lake: string,
  table: string,
): Promise<{ readonly files: LiveFile[]; readonly manifest: LakeManifest } | undefined> {
  const place = parseObjectAddress(lake);
  const list = formatObjectAddress(below(place, LAKE_OBJECT));
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await allowObjectFiles(connection, [list]);
    await connection.run("SET enable_external_access = false");
    const found = await connection.runAndReadAll(`SELECT content FROM read_text(${quoteText(list)})`);
    const listed = parseLakeObject(new TextEncoder().encode(String(found.getRows()[0][0])), list)
      .find(({ manifest }) => manifest.table === table);
    if (listed === undefined) return undefined;
    return { files: objectFiles(place, listed).map(fileOf), manifest: listed.manifest };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function fileOf({ address, bytes }: { readonly address: string; readonly bytes: number }): LiveFile {
  return { path: address, bytes, modified: 0 };
}
