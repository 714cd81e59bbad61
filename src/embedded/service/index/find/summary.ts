/** Counts the rows that hold a condition, and takes their facets. */
import { facetOf } from "../format/facet_fields.ts";
import { CodesCondition, type Condition, EveryRow } from "./_condition.ts";
import type { FindContext } from "./find_context.ts";
import type { IndexFiles } from "./index_files.ts";
import { blockBatches, type BlockRows } from "./row_batches.ts";
import type { Summary } from "../format/types.ts";

/** Returns what was counted beforehand; `undefined` when the rows have to be read. */
export async function knownSummary(context: FindContext, condition: Condition): Promise<Summary | undefined> {
  const { manifest } = context.files;
  if (condition instanceof EveryRow) return { total: manifest.recordCount, facets: manifest.facets };
  const counts = condition instanceof CodesCondition ? await addTables(context, condition) : undefined;
  return counts && summaryOf(context.files, condition.most, counts);
}

/** Counts rows that are shown to it, each once, and takes their facets. */
export class FacetCounter {
  readonly #files: IndexFiles;
  readonly #counts: readonly Uint32Array[];
  #total = 0;

  constructor(files: IndexFiles) {
    this.#files = files;
    this.#counts = files.manifest.groups.map(({ codes }) => new Uint32Array(codes));
  }

  /** Counts rows of a block. */
  add({ block, positions, count }: BlockRows): void {
    this.#total += count;
    for (const [group, sums] of this.#counts.entries()) {
      const codes = this.#files.joint(group, block);
      for (let at = 0; at < count; at++) sums[codes[positions[at]]]++;
    }
  }

  /** Counts every row that holds a condition. */
  async addAll(context: FindContext, condition: Condition): Promise<void> {
    for await (const rows of blockBatches(context, condition)) this.add(rows);
  }

  /** Number and facets of the rows so far. */
  summary(): Summary {
    return summaryOf(this.#files, this.#total, this.#counts);
  }
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
