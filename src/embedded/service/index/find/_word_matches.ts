/** Rows that have words in a row in some value, and how often. */
import { fold, isWildcard, type PatternPart, wordsIn, wordsOf } from "@seqreg/core/query";
import type { Condition } from "./_condition.ts";
import { Dictionary, longestLiteral, valueIdsOf } from "./_dictionary.ts";
import { type FindContext, valuesOfRows } from "./find_context.ts";
import type { IndexFiles } from "./index_files.ts";
import { codesCondition, joinAll, joinAny, listRows } from "./_join_conditions.ts";
import { patternTest } from "./_pattern.ts";
import { RowBits } from "./_row_bits.ts";
import { foldedText, scanTexts } from "./_scan_texts.ts";
import { findToken, type Hits, ListedHits } from "./_token_reader.ts";
import { wordToken } from "../format/tokens.ts";

/** Words in a row, each a pattern. */
export type Words = readonly (readonly PatternPart[])[];

export interface WordMatch {
  readonly condition: Condition;
  /** Adds how often each of the positions in a block has them. */
  add(block: number, positions: Uint16Array, count: number, scores: Uint32Array): void;
}

/** Finds the rows that have words in a row. */
export async function matchWords(context: FindContext, words: Words): Promise<WordMatch> {
  const { files } = context;
  const few = await matchDictionaries(context, words);
  const many = await matchTexts(context, words);
  const conditions = few.map(({ field, hits }) => codesCondition(files, field, Uint8Array.from(hits, isHit)));
  return {
    condition: joinAny(files, many === undefined ? conditions : [...conditions, many.condition]),
    add(block, positions, count, scores) {
      for (const { field, hits } of few) {
        const codes = files.codes(field, block);
        for (let at = 0; at < count; at++) scores[at] += hits[codes[positions[at]]];
      }
      many?.add(block, positions, count, scores);
    },
  };
}

function isHit(hits: number): number {
  return hits > 0 ? 1 : 0;
}

/** Hits of the values of a field, by code. */
interface ValueHits {
  readonly field: number;
  readonly hits: Uint32Array;
}

/** Finds values of fields with few: for one word by its token, for others those that may have them are read. */
async function matchDictionaries(context: FindContext, words: Words): Promise<ValueHits[]> {
  const { files } = context;
  const plain = plainWords(words);
  if (plain.length === 0) return await readDictionaries(context, words, undefined);
  const lists = plain.map((word) => valueIdsOf(files, wordToken(word, files.manifest.hashKey)))
    .sort((a, b) => a.length - b.length);
  const ids = lists.slice(1).reduce(commonIds, lists[0]);
  // As with rows: what few have is looked at, of what many have the hashes are trusted.
  const isSure = words.length === 1 && ids.length > files.manifest.bounds.verifiedRows;
  return isSure ? countIds(files, ids) : await readDictionaries(context, words, new Set(ids));
}

function commonIds(a: Uint32Array, b: Uint32Array): Uint32Array {
  const set = new Set(b);
  return a.filter((id) => set.has(id));
}

/** Counts how often the ids of each field's values are there. */
function countIds(files: IndexFiles, ids: Uint32Array): ValueHits[] {
  const byField = new Map<number, Uint32Array>();
  const { columns } = files.manifest;
  let field = -1;
  let first = 0;
  let end = 0;
  let hits = new Uint32Array(0);
  // Ids come in order, and those of a field stand together.
  for (const id of ids) {
    while (id >= end) {
      const column = columns[++field];
      if (column.kind !== "few") continue;
      first = column.firstValue;
      end = first + column.values;
      hits = new Uint32Array(0);
    }
    if (hits.length === 0) byField.set(field, hits = new Uint32Array(end - first));
    hits[id - first]++;
  }
  return [...byField].map(([field, hits]) => ({ field, hits }));
}

/** Reads values, all or some, and counts how often they have the words. */
async function readDictionaries(
  { files, turns }: FindContext,
  words: Words,
  ids: ReadonlySet<number> | undefined,
): Promise<ValueHits[]> {
  const literal = longestOf(words);
  const count = countingOf(words);
  const found: ValueHits[] = [];
  for (const [field, column] of files.manifest.columns.entries()) {
    if (column.kind !== "few") continue;
    const dictionary = new Dictionary(files, field);
    const { firstValue, values } = column;
    let hits: Uint32Array | undefined;
    const read = (code: number, folded: string): void => {
      const times = folded.includes(literal) ? count(wordsIn(folded)) : 0;
      if (times > 0) (hits ??= new Uint32Array(values))[code] = times;
    };
    if (ids === undefined) {
      for (const [code, folded] of (await dictionary.folded()).entries()) {
        read(code, folded);
        if ((code & 255) === 0 && turns.over) await turns.next();
      }
    } else {
      for (const id of ids) {
        if (id < firstValue || id >= firstValue + values) continue;
        read(id - firstValue, fold(dictionary.value(id - firstValue)));
        if (turns.over) await turns.next();
      }
    }
    if (hits !== undefined) found.push({ field, hits });
  }
  return found;
}

/** Returns the longest part that every value with the words has. */
function longestOf(words: Words): string {
  return words.map(longestLiteral).reduce((longest, part) => part.length > longest.length ? part : longest, "");
}

/** Returns a function that counts how often words are in a row; occurrences do not overlap. */
function countingOf(words: Words): (text: readonly string[]) => number {
  const tests = words.map(patternTest);
  return (text) => {
    let count = 0;
    for (let at = 0; at + tests.length <= text.length;) {
      let fits = true;
      for (let next = 0; fits && next < tests.length; next++) fits = tests[next](text[at + next]);
      if (fits) count++;
      at += fits ? tests.length : 1;
    }
    return count;
  };
}

/** Words without wildcards, each once. */
function plainWords(words: Words): string[] {
  return [...new Set(words.flatMap((parts) => parts.some(isWildcard) ? [] : [parts.join("")]))];
}

/** Finds rows in fields with many values; `undefined` for an unknown field. */
async function matchTexts(context: FindContext, words: Words): Promise<Hits | undefined> {
  const { files } = context;
  const fields = files.manifest.columns.flatMap(({ kind }, field) => kind === "many" ? [field] : []);
  if (fields.length === 0) return undefined;
  const plain = plainWords(words);
  const found = plain.map((word) => findToken(files, wordToken(word, files.manifest.hashKey)));
  const candidates = found.flatMap((token) => token.kind === "candidates" ? [token.rows] : [])
    .sort((a, b) => a.length - b.length).at(0);
  if (candidates !== undefined) return await verifyRows(context, fields, words, candidates);
  const conditions = found.flatMap((token) => token.kind === "rows" ? [token.hits] : []);
  if (words.length === 1 && conditions.length === 1) return conditions[0];
  const among = joinAll(files, conditions.map(({ condition }) => condition));
  const listed = listRows(files, among);
  if (listed !== undefined) return await verifyRows(context, fields, words, listed.rows);
  const bits = new RowBits(files);
  const literal = longestOf(words);
  const count = countingOf(words);
  for (const field of fields) {
    await scanTexts(context, field, {
      literal,
      among: conditions.length === 0 ? undefined : among,
      read(row, text) {
        const hits = count(wordsIn(foldedText(context, field, text)));
        if (hits > 0) bits.add(row, hits);
      },
    });
  }
  return bits.hits();
}

/** Counts hits in the values of rows that may have them. */
async function verifyRows(
  context: FindContext,
  fields: readonly number[],
  words: Words,
  candidates: Uint32Array,
): Promise<Hits> {
  const rows: number[] = [];
  const hits: number[] = [];
  const countOf = countingOf(words);
  for await (const [row, values] of valuesOfRows(context, candidates)) {
    let count = 0;
    for (const field of fields) count += countOf(wordsOf(values[field]));
    if (count === 0) continue;
    rows.push(row);
    hits.push(count);
  }
  return new ListedHits(Uint32Array.from(rows), Uint32Array.from(hits), context.files.blockRows);
}
