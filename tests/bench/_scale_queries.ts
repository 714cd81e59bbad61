/** The searches of `_service_scale.ts`: each run asks for another value, so that nothing remembered answers. */
import { formatAccession } from "../../src/core/contract/accession.ts";

export type SearchBody = Readonly<Record<string, unknown>>;

/** One line of the table. */
export interface ScaleQuery {
  /** What it does, and its share of hits. */
  readonly work: string;
  /** Goal for the median at 15 million records. */
  readonly atMostMs: number;
  /** Body of a run; runs count from 0, those of the warming-up from 1,000. */
  body(run: number, records: number): SearchBody;
}

/** A whole number that differs from run to run and depends on nothing else. */
function scattered(run: number, below: number): number {
  return Number(BigInt(run + 1) * 2_654_435_761n % BigInt(below));
}

/** Page 199, or the last one that a small registry has. */
function farPage(hits: number): number {
  return Math.max(1, Math.min(199, Math.floor(hits / 50)));
}

export const SCALE_QUERIES: readonly ScaleQuery[] = [
  {
    work: "one accession",
    atMostMs: 10,
    body: (run, records) => ({ query: `registry_accession:${formatAccession(1 + scattered(run, records))}` }),
  },
  {
    work: "50 records of an equality, one hit",
    atMostMs: 10,
    body: (run, records) => ({
      query: `source_accession:SYN${String(1 + scattered(run, records)).padStart(9, "0")}.1`,
    }),
  },
  {
    work: "50 records of an equality, 0.01 %",
    atMostMs: 10,
    body: (run) => ({ query: `country:Iceland -country:none${run}` }),
  },
  {
    work: "50 records of an equality, 1 %",
    atMostMs: 10,
    body: (run) => ({ query: `country:Kenya -country:none${run}` }),
  },
  {
    work: "50 records of an equality, 30 %",
    atMostMs: 10,
    body: (run) => ({ query: `country:Germany -country:none${run}` }),
  },
  {
    work: "three clauses, total and facets",
    atMostMs: 150,
    body: (run) => ({ query: `country:Germany genome_completeness:complete sequence_length:>=${5000 + run}` }),
  },
  {
    work: "sort by date, page 199 of 50, no filter",
    atMostMs: 50,
    body: (run, records) => ({
      query: "",
      sortColumn: "collection_date",
      sortOrder: run % 2 === 0 ? "desc" : "asc",
      pageNumber: farPage(records),
    }),
  },
  {
    work: "equality, sort, facets, page 199",
    atMostMs: 200,
    body: (run, records) => ({
      query: `country:Germany -country:none${run}`,
      sortColumn: "collection_date",
      sortOrder: "desc",
      pageNumber: farPage(records * 0.25),
    }),
  },
  { work: "facets over everything", atMostMs: 20, body: () => ({ query: "", pageSize: 1 }) },
  {
    work: "free text, two words",
    atMostMs: 50,
    body: (run, records) => ({ query: `${1 + scattered(run, records)} sequence` }),
  },
];
