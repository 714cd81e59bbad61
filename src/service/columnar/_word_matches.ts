/** Rows that have words in a row in some value, and how often. */
import { wordsIn, wordsOf } from "../_fold.ts";
import { isWildcard, type PatternPart } from "../query_ast.ts";
import { countWords } from "../query_evaluate.ts";
import type { Condition } from "./_condition.ts";
import { Dictionary, longestLiteral, valueIdsOf } from "./_dictionary.ts";
import { type FindContext, valuesOfRows } from "./_find_context.ts";
import { codesCondition, joinAll, joinAny, listRows } from "./_join_conditions.ts";
import { RowBits } from "./_row_bits.ts";
import { foldedText, scanTexts } from "./_scan_texts.ts";
import { findToken, type Hits, ListedHits } from "./_token_reader.ts";
import { wordToken } from "./_tokens.ts";

/** Words in a row, each a pattern. */
export type Words = readonly (readonly PatternPart[])[];

/** Rows that have words. */
export interface WordMatch {
  /** The rows. */
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

/** Finds values of fields with few: those that may have the words are read. */
async function matchDictionaries({ files, turns }: FindContext, words: Words): Promise<ValueHits[]> {
  const plain = plainWords(words);
  const candidates = plain.length === 0 ? undefined : commonIds(
    plain.map((word) => valueIdsOf(files, wordToken(word, files.manifest.hashKey).first)),
  );
  const found: ValueHits[] = [];
  for (const [field, column] of files.manifest.columns.entries()) {
    if (column.kind !== "few") continue;
    const dictionary = new Dictionary(files, field);
    let hits: Uint32Array | undefined;
    const check = (code: number) => {
      const count = countWords(words, wordsOf(dictionary.value(code)));
      if (count > 0) (hits ??= new Uint32Array(dictionary.size))[code] = count;
    };
    if (candidates === undefined) {
      for (let code = 0; code < dictionary.size; code++) {
        check(code);
        if ((code & 255) === 0 && turns.over) await turns.next();
      }
    } else {
      for (const id of candidates) {
        if (id >= column.firstValue && id < column.firstValue + column.values) check(id - column.firstValue);
        if (turns.over) await turns.next();
      }
    }
    if (hits !== undefined) found.push({ field, hits });
  }
  return found;
}

function commonIds(lists: readonly (readonly number[])[]): readonly number[] {
  const [rarest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return rarest.filter((id) => sets.every((set) => set.has(id)));
}

/** Words without wildcards, each once. */
function plainWords(words: Words): string[] {
  return [...new Set(words.flatMap((parts) => parts.some(isWildcard) ? [] : [parts.join("")]))];
}

/** Finds rows in fields with many values; `undefined` when there is no such field. */
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
  const literal = words.map(longestLiteral).reduce(
    (longest, part) => part.length > longest.length ? part : longest,
    "",
  );
  for (const field of fields) {
    await scanTexts(context, field, {
      literal,
      among: conditions.length === 0 ? undefined : among,
      read(row, text) {
        const hits = countWords(words, wordsIn(foldedText(context, field, text)));
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
  for await (const [row, values] of valuesOfRows(context, candidates)) {
    let count = 0;
    for (const field of fields) count += countWords(words, wordsOf(values[field]));
    if (count === 0) continue;
    rows.push(row);
    hits.push(count);
  }
  return new ListedHits(Uint32Array.from(rows), Uint32Array.from(hits), context.files.blockRows);
}
