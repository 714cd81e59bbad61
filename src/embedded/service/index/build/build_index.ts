/** Builds an index from what was written of its records. */
import { join } from "node:path";
import { chooseFacetFields, facetOf } from "../format/facet_fields.ts";
import { buildCodes, type BuiltCodes } from "./_build_codes.ts";
import { buildFacets } from "./_build_facets.ts";
import { buildOrder } from "./_build_order.ts";
import { type BuildState, STATE_FILE } from "./build_state.ts";
import { buildTokens } from "./build_tokens.ts";
import { ValueTokens } from "./_build_value_tokens.ts";
import { viewCodes } from "../format/codes.ts";
import { columnFiles } from "./column_writer.ts";
import { SectionWriter } from "../format/container.ts";
import { SUMS_ENDING } from "../../files/block_sums.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import {
  ARRAYS_FILE,
  type ColumnEntry,
  FREQUENT_FILE,
  INDEX_FILE,
  INDEX_VERSION,
  RARE_FILE,
  writeIndexFile,
} from "../format/index_file.ts";
import { Turns } from "../../schedule/turns.ts";
import { startSharedWork } from "../../schedule/work.ts";
import type { FinishOptions, IndexSummary } from "../format/types.ts";

/** Builds the index in the folder, and removes what it was built from. */
export async function buildIndex(
  folder: string,
  state: BuildState,
  { signal, onProgress, turnMs }: FinishOptions = {},
): Promise<IndexSummary> {
  const { recordCount, accessionField, fields, bounds, hashKey, columns } = state;
  const turns = new Turns(signal, { turnMs, work: startSharedWork(true) });
  let done = 0;
  const step = () => onProgress?.(++done, fields.length + 3);
  const arrays = new FileWriter(join(folder, ARRAYS_FILE), { sums: true });
  const out = new SectionWriter(arrays);
  const entries: ColumnEntry[] = [];
  const built: (BuiltCodes | undefined)[] = [];
  const valueTokens = new ValueTokens(hashKey);

  for (const [index, column] of columns.entries()) {
    if (column.kind === "few") {
      const codes = await buildCodes(folder, state, index, { column, out, turns });
      const firstValue = await valueTokens.add(fields[index], codes.values, turns);
      const { width, groups, hasNone } = codes;
      entries.push({ kind: "few", values: codes.values.length, width, groups, hasNone, firstValue });
      built.push(codes);
    } else {
      const order = await buildOrder(folder, state, fields[index], { column, out, turns });
      entries.push({ kind: "many", texts: column.texts, ...order });
      built.push(undefined);
    }
    step();
  }

  const [firsts, seconds, ids] = valueTokens.finish();
  out.add("value-firsts", firsts);
  out.add("value-seconds", seconds);
  out.add("value-ids", ids);
  step();

  arrays.flush();
  const facetFields = chooseFacetFields(fields, built, { accessionField, records: recordCount });
  using reader = new FileReader(join(folder, ARRAYS_FILE));
  const groups = await buildFacets({
    facetFields,
    recordCount,
    blockRows: bounds.blockRows,
    jointCodes: bounds.jointCodes,
    tableRecords: bounds.tableRecords,
    codesOf(field, from, to) {
      const width = built[field]?.width ?? 1;
      const { position } = out.sections[`codes-${field}`];
      return viewCodes(reader.read(position + from * width, (to - from) * width), width);
    },
    out,
    turns,
  });
  step();

  const tokens = await buildTokens(folder, state, turns);
  out.add("rare-fences", tokens.fences);
  out.add("frequent", tokens.frequent);
  step();
  arrays.close();
  writeIndexFile(folder, {
    version: INDEX_VERSION,
    recordCount,
    accessionField,
    bounds,
    hashKey,
    columns: entries,
    sections: out.sections,
    facetFields,
    facets: facetFields.map((field) => facetOf(field, built[field.index]?.counts.entries() ?? [])),
    groups,
    rareTokens: tokens.rare,
  });
  const names = [INDEX_FILE, ARRAYS_FILE, RARE_FILE, FREQUENT_FILE];
  for (const [index, { kind }] of entries.entries()) {
    if (kind === "many") names.push(columnFiles("", index).texts);
  }
  const files: Record<string, number> = {};
  for (const name of names.flatMap((name) => [name, name + SUMS_ENDING])) {
    files[name] = await makeLasting(join(folder, name));
  }
  // Without it nothing resumes: so it goes first.
  await Deno.remove(join(folder, STATE_FILE));
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".building")) await Deno.remove(join(folder, name));
  }
  return { files };
}

/** Puts a file on the disk; gives its size. */
async function makeLasting(path: string): Promise<number> {
  using file = await Deno.open(path, { write: true });
  await file.syncData();
  return (await file.stat()).size;
}
