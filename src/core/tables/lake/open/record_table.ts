/** Records of any number to a table. */
import type { Problem } from "../../../contract/ledger.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import type { RecordStore } from "../../types/record_store.ts";
import type { TableOptions, TypedTable } from "../../types/table.ts";
import { definitionFinder, definitionOfList, makeTable } from "../../types/typed_table.ts";

/** Bytes of CSV in one part: a third of what a lake has, since records were in this process's memory before. */
const PART_BYTES = 8 * 1024 * 1024;

/** What is known of records besides their texts. */
export interface RecordFindings {
  /** Whether the source says which fields there are, even without a record. */
  readonly hasHeader: boolean;
  /** What a field is called in the table; as in the records by default. Fields of the same name are joined by `;`. */
  readonly nameOf?: (field: string) => string;
  /** Records that could not be read. */
  readonly unparsed?: number;
  /** Faults of records and values. */
  readonly problems?: readonly Problem[];
  /** Names of fields of which some record holds several values. */
  readonly lists?: ReadonlySet<string>;
}

/**
 * Makes a table of records: in memory where they are, else read from Parquet in a temporary folder.
 *
 * @param store The records; the table no longer needs them.
 * @param options Definitions, naming, columns. `asked` is only followed for a store that never leaves memory.
 */
export async function recordTable(
  store: RecordStore,
  findings: RecordFindings,
  options: TableOptions,
): Promise<TypedTable> {
  const { nameOf = (field: string) => field, lists = new Set<string>(), ...found } = findings;
  if (!store.isSpilled) {
    const columns = findings.nameOf === undefined ? store.columns : store.columns.renamed(nameOf);
    return makeTable({ columns, lists, ...found }, options);
  }
  const header = [...new Set(store.fields.map(nameOf))];
  const find = definitionFinder(options.definitions ?? []);
  const named = (name: string): FieldDefinition | undefined => {
    const definition = definitionOfList(find(name), name, lists);
    return definition === undefined ? undefined : { ...definition, name };
  };
  const fields = [...new Set([...header, ...options.columns ?? []])];
  const definitions = fields.map(named).filter((definition) => definition !== undefined);
  const { spooledTable } = await import("./spooled_table.ts");
  await releaseFrames();
  const chunks = store.chunks(header, nameOf);
  const table = await spooledTable(chunks, { ...options, definitions, header, partBytes: PART_BYTES, ...found });
  await releaseFrames();
  return table;
}
