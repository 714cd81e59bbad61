/** The query grammar: a text is read or refused with its place; what it means obeys logic, and the index agrees. */
import { CriteriaError } from "../../../src/core/query/criteria_error.ts";
import type { RegistryStore } from "../../../src/embedded/service/store/store.ts";
import { openStore } from "../../../src/embedded/service/registry/open_store.ts";
import { lookupFields } from "../../../src/core/query/fields.ts";
import { evaluateQuery } from "../../../src/core/query/query_evaluate.ts";
import { parseQuery } from "../../../src/core/query/query_parser.ts";
import { definitionsOf, makeArchives } from "../../embedded/service/_archives.ts";
import { GRAMMAR, GRAMMAR_RECORDS, GRAMMAR_TYPES } from "../../embedded/service/_grammar.ts";
import { difference, type FuzzRoom, mutate, type Outcome, outcomeOf, pick } from "./_room.ts";

const encoder = new TextEncoder();
const COLUMNS = Object.keys(GRAMMAR_TYPES);
const LOOKUP = lookupFields(definitionsOf({ columns: COLUMNS, rows: [], types: GRAMMAR_TYPES }));
const QUERIES = Object.keys(GRAMMAR);
const JOINTS = [" ", " OR ", " AND ", " -", " NOT ", " ("];
const WORDS = ["(", ")", '"', "\\", ":", "*", "?", "[", " TO ", "}", ">=", "-", "NOT ", "|", "'", "😀", "\0", "\ud800"];

/** Numbers of the records that a query finds, read plainly; and as the store finds them. */
interface Found {
  readonly plain: readonly number[];
  readonly opposite: readonly number[] | undefined;
  readonly wrapped: readonly number[] | undefined;
  readonly stored: readonly number[];
}

function findPlainly(query: string): number[] {
  const node = parseQuery(query, LOOKUP);
  return GRAMMAR_RECORDS.flatMap((values, at) => evaluateQuery(node, values) ? [at] : []);
}

/** Reads a longer query, which may be beyond the limits that the query itself keeps to. */
function findOrNot(query: string): number[] | undefined {
  try {
    return findPlainly(query);
  } catch (error) {
    if (error instanceof CriteriaError) return undefined;
    throw error;
  }
}

export default async function open(): Promise<FuzzRoom> {
  const rows = GRAMMAR_RECORDS.map(([, ...values]) => values);
  const world = await makeArchives({ columns: COLUMNS, rows, types: GRAMMAR_TYPES });
  const store: RegistryStore = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  return {
    make(draw) {
      const parts = Array.from({ length: draw(4) + 1 }, () => pick(draw, QUERIES));
      const query = parts.reduce((left, right) => `${left}${pick(draw, JOINTS)}${right}`);
      const repeated = draw(30) === 0 ? query.repeat(draw(500)) : query;
      const bytes = encoder.encode(repeated).slice(0, 100_000);
      return draw(3) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) => {
      const query = new TextDecoder().decode(input);
      return outcomeOf(async (): Promise<Found> => {
        const plain = findPlainly(query);
        const { records } = await store.search({ query, filter: [] }, { offset: 0, limit: 10 });
        const stored = records.map(({ accession }) => GRAMMAR_RECORDS.findIndex(([name]) => name === accession));
        const isEmpty = query.trim() === "";
        return {
          plain,
          opposite: isEmpty ? undefined : findOrNot(`NOT (${query})`),
          wrapped: isEmpty ? undefined : findOrNot(`(${query}) AND (${query})`),
          stored: stored.sort((a, b) => a - b),
        };
      });
    },
    judge(_input, result) {
      const ours = result as Outcome<Found>;
      if ("error" in ours) {
        return Promise.resolve(ours.error instanceof CriteriaError ? undefined : `threw ${ours.error.stack}`);
      }
      const { plain, opposite, wrapped, stored } = ours.value;
      const others = GRAMMAR_RECORDS.map((_, at) => at).filter((at) => !plain.includes(at));
      return Promise.resolve(
        difference(stored, plain) ??
          (opposite === undefined ? undefined : difference(opposite, others)) ??
          (wrapped === undefined ? undefined : difference(wrapped, plain)),
      );
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
