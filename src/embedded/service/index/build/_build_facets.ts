/**
 * Builds what facets are counted with.
 *
 * Values of facet fields go together: a genus has one family. So fields are joined, as long as the combinations that
 * occur are few, and each record has one code for all fields of a group: counting a result counts these. And for every
 * value of a facet field the records of each combination are counted beforehand, so that a condition on one such field
 * is answered without looking at records.
 */
import type { FacetField } from "../format/facet_fields.ts";
import type { Codes } from "../format/codes.ts";
import type { SectionWriter } from "../format/container.ts";
import type { Turns } from "../../schedule/turns.ts";

/** Most counts of one table: 64 MB. */
const TABLE_COUNTS = 1 << 24;

/** A group of fields whose combined values have codes. */
export interface FacetGroup {
  /** Indices in the list of facet fields. */
  readonly members: readonly number[];
  /** Number of combinations. */
  readonly codes: number;
}

/** What groups are built from. */
export interface FacetSource {
  readonly facetFields: readonly FacetField[];
  readonly recordCount: number;
  readonly blockRows: number;
  /** Most combinations of a group. */
  readonly jointCodes: number;
  /** Records from which there are tables. */
  readonly tableRecords: number;
  readonly codesOf: (field: number, from: number, to: number) => Codes;
  readonly out: SectionWriter;
  readonly turns: Turns;
}

interface Joint {
  readonly codes: Uint16Array;
  readonly members: number[];
  /** For each combination the value of each member. */
  readonly tuples: number[][];
}

export async function buildFacets(source: FacetSource): Promise<FacetGroup[]> {
  const { facetFields, out, recordCount } = source;
  const groups: FacetGroup[] = [];
  let left = facetFields.map((_, at) => at);
  while (left.length > 0) {
    const [joint, others] = await joinFields(source, left);
    left = others;
    const number = groups.length;
    out.add(`joint-${number}`, joint.codes);
    for (const [at, member] of joint.members.entries()) {
      out.add(`tuples-${number}-${member}`, Uint32Array.from(joint.tuples, (tuple) => tuple[at]));
    }
    const tables = recordCount >= source.tableRecords ? facetFields : [];
    for (const [at, field] of tables.entries()) {
      if (field.values.length * joint.tuples.length > TABLE_COUNTS) continue;
      out.add(`table-${at}-${number}`, await countTable(source, field, joint));
    }
    groups.push({ members: joint.members, codes: joint.tuples.length });
  }
  return groups;
}

async function joinFields(source: FacetSource, fields: readonly number[]): Promise<[Joint, number[]]> {
  const { recordCount, facetFields } = source;
  let joint: Joint = { codes: new Uint16Array(recordCount), members: [], tuples: [[]] };
  let spare: Uint16Array = new Uint16Array(recordCount);
  const others: number[] = [];
  for (const field of fields) {
    const tuples = await joinField(source, joint, facetFields[field], spare);
    if (tuples === undefined) {
      others.push(field);
      continue;
    }
    const codes = spare;
    spare = joint.codes;
    joint = { codes, members: [...joint.members, field], tuples };
  }
  return [joint, others];
}

/** Returns the combinations with one more field, and their codes in `into`; `undefined` when they are too many. */
async function joinField(
  { recordCount, blockRows, jointCodes, codesOf, turns }: FacetSource,
  { codes, members, tuples }: Joint,
  { index, values }: FacetField,
  into: Uint16Array,
): Promise<number[][] | undefined> {
  const known = new Map<number, number>();
  const joined: number[][] = [];
  // A field alone makes a group, however many values it has.
  const most = members.length === 0 ? 1 << 16 : jointCodes;
  for (let from = 0; from < recordCount; from += blockRows) {
    const to = Math.min(recordCount, from + blockRows);
    const own = codesOf(index, from, to);
    let lastKey = -1;
    let lastCode = 0;
    for (let row = from; row < to; row++) {
      const key = codes[row] * values.length + own[row - from];
      if (key !== lastKey) {
        let code = known.get(key);
        if (code === undefined) {
          if (joined.length === most) return undefined;
          code = joined.push([...tuples[codes[row]], own[row - from]]) - 1;
          known.set(key, code);
        }
        lastKey = key;
        lastCode = code;
      }
      into[row] = lastCode;
    }
    if (turns.over) await turns.next();
  }
  return joined;
}

async function countTable(
  { recordCount, blockRows, codesOf, turns }: FacetSource,
  { index, values }: FacetField,
  { codes, tuples }: Joint,
): Promise<Uint32Array> {
  const counts = new Uint32Array(values.length * tuples.length);
  for (let from = 0; from < recordCount; from += blockRows) {
    const to = Math.min(recordCount, from + blockRows);
    const own = codesOf(index, from, to);
    for (let row = from; row < to; row++) counts[own[row - from] * tuples.length + codes[row]]++;
    if (turns.over) await turns.next();
  }
  return counts;
}
