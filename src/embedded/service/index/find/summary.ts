/** Counts the rows that hold a condition, and takes their facets. */
import { facetOf } from "../format/facet_fields.ts";
import { CodesCondition, type Condition } from "./_condition.ts";
import type { FindContext } from "./find_context.ts";
import type { IndexFiles } from "./index_files.ts";
import { blockBatches } from "./row_batches.ts";
import type { Summary } from "../format/types.ts";

/** Counts the rows, and takes the facets. */
export async function summarise(context: FindContext, condition: Condition): Promise<Summary> {
  const { files } = context;
  const known = condition instanceof CodesCondition ? await addTables(context, condition) : undefined;
  if (known !== undefined) return summaryOf(files, condition.most, known);
  const counts = files.manifest.groups.map(({ codes }) => new Uint32Array(codes));
  let total = 0;
  for await (const { block, positions, count } of blockBatches(context, condition)) {
    total += count;
    for (const [group, sums] of counts.entries()) {
      const codes = files.joint(group, block);
      for (let at = 0; at < count; at++) sums[codes[positions[at]]]++;
    }
  }
  return summaryOf(files, total, counts);
}

/** Adds up what was counted beforehand for the values of a facet field; `undefined` when nothing was. */
async function addTables(
  { files, turns }: FindContext,
  { field, holds }: CodesCondition,
): Promise<Uint32Array[] | undefined> {
  const { facetFields, groups } = files.manifest;
  const at = facetFields.findIndex(({ index }) => index === field);
  if (at === -1) return undefined;
  const sums: Uint32Array[] = [];
  for (const [group, { codes }] of groups.entries()) {
    const name = `table-${at}-${group}`;
    if (!files.has(name)) return undefined;
    const sum = new Uint32Array(codes);
    for (let code = 0; code < holds.length; code++) {
      if (holds[code] === 0) continue;
      const counts = files.whole(name, code * codes, (code + 1) * codes);
      for (let joint = 0; joint < codes; joint++) sum[joint] += counts[joint];
      if (turns.over) await turns.next();
    }
    sums.push(sum);
  }
  return sums;
}

/** Takes combinations apart into the values of each field. */
function summaryOf(files: IndexFiles, total: number, counts: readonly Uint32Array[]): Summary {
  const { facetFields, groups } = files.manifest;
  const byField = facetFields.map(({ values }) => new Float64Array(values.length));
  for (const [group, { members }] of groups.entries()) {
    const sums = counts[group];
    for (const member of members) {
      const values = files.whole(`tuples-${group}-${member}`);
      const field = byField[member];
      for (let joint = 0; joint < sums.length; joint++) if (sums[joint] > 0) field[values[joint]] += sums[joint];
    }
  }
  return { total, facets: facetFields.map((field, at) => facetOf(field, byField[at].entries())) };
}
