/** What is said of answers that are not what was asked for: the cause, once, and what to do. */
import { byBody, type Deviation, type Deviations } from "./_deviation.ts";
import { csv, fasta, id, xml } from "./_exports.ts";
import { answer, json } from "../faults/_server.ts";

const FIELD = "Registry Accession";
const hits = (count: number, more: (at: number) => Record<string, unknown>) =>
  json({ total: count, results: Array.from({ length: count }, (_, at) => ({ id: `h${at}`, score: 1, ...more(at) })) });
const METADATA = ["download", "country:Kenya", "--information", "metadata", "--type", "csv"];
const METADATA_XML = ["download", "country:Kenya", "--information", "metadata", "--type", "xml"];
const SEQUENCES = ["download", "country:Kenya", "--information", "sequences", "--type", "fasta"];

const searched = (search: Deviation["answers"]["search"], rest: Omit<Deviation, "answers">): Deviation => ({
  answers: { ...search && { search } },
  cli: ["search", "country:Kenya", "--format", "csv"],
  library: (registry) => registry.search("country:Kenya"),
  ...rest,
});

const partial = { total: 1, results: [{ id: "h", score: 1, source: { [FIELD]: id(1) } }], facets: {}, query: "" };

/** A file that is passed on as it came, and that no frame can be made of. */
const passedOn = (name: string, body: string | Uint8Array, cli: readonly string[], ...says: string[]): Deviations => {
  const isCsv = cli.includes("csv");
  const reply = answer(200, { "content-type": isCsv ? "text/csv" : "application/xml" }, body);
  return {
    [`${name}, as a file`]: {
      answers: { download: reply },
      cli,
      code: 4,
      says,
      ...typeof body === "string" && { output: body },
      ledger: { complete: false },
    },
    [`${name}, as a frame`]: {
      answers: { download: reply },
      library: (registry) => registry.metadata({ query: "country:Kenya" }, { fileType: isCsv ? "csv" : "xml" }),
      code: 1,
    },
  };
};

/** Text in Latin-1: each character is a byte. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const RECORD = `<record><Registry_Accession>${id(1)}</Registry_Accession><Country>Kenya</Country></record>`;

/** Answers of every kind. */
export const WORDS: Deviations = {
  "a search that took too long": searched(json({ ...partial, timed_out: true }), {
    code: 4,
    says: ["the registry states that its answer is partial: it took too long (timed_out)"],
    ledger: { received: 1, promised: 1, complete: false },
  }),
  "a search of which parts failed, of all": searched(json({ ...partial, _shards: { total: 5, failed: 2 } }), {
    cli: ["search", "country:Kenya", "--all", "--format", "csv"],
    library: (registry) => registry.searchAll("country:Kenya").result(),
    code: 4,
    says: ["the registry states that its answer is partial: 2 parts of its data failed (_shards.failed)"],
    ledger: { received: 1, promised: 1, complete: false },
  }),
  "a search that says that it is whole": searched(json({ ...partial, timed_out: false, _shards: { failed: 0 } }), {
    code: 0,
    ledger: { received: 1, complete: true },
  }),
  "a total without records": searched(json({ total: 25, results: [], facets: {}, query: "" }), {
    code: 4,
    says: ["the page holds 0 records, 25 were to be expected"],
    ledger: { received: 0, promised: 25, complete: false },
  }),
  "a total without records, of all": searched(json({ total: 25, results: [], facets: {}, query: "" }), {
    cli: ["search", "country:Kenya", "--all", "--format", "csv"],
    library: (registry) => registry.searchAll("country:Kenya").result(),
    code: 4,
    says: ["25 records match and 0 distinct ones came; search again later, then report it to the registry"],
    ledger: { received: 0, promised: 25, complete: false },
  }),
  ...passedOn(
    "XML in Latin-1",
    latin1(`<?xml version="1.0" encoding="ISO-8859-1"?><r>${RECORD}<a>\xe9</a></r>`),
    [
      ...METADATA_XML,
    ],
    "it is encoded as ISO-8859-1, expected UTF-8",
    "asking again does not help",
  ),
  ...passedOn(
    "XML with a DOCTYPE",
    `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x "y">]><r>${RECORD}</r>`,
    METADATA_XML,
    "it declares a DOCTYPE",
  ),
  ...passedOn(
    "CSV with carriage returns alone",
    `${FIELD},Country\r${id(1)},Kenya\r${id(2)},Peru\r`,
    METADATA,
    "its lines end with carriage returns alone",
  ),
  ...passedOn(
    "CSV in Latin-1",
    latin1(`${FIELD},Country\n${id(1)},C\xf4te d'Ivoire\n`),
    METADATA,
    "perhaps Windows-1252 (Latin-1)",
    "asking again does not help",
  ),
  ...passedOn("CSV without a header", `${id(1)},Kenya\n${id(2)},Peru\n`, METADATA, "it has no header"),
  ...passedOn(
    "CSV with two columns of one name",
    `${FIELD},Country,Country\n${id(1)},Kenya,Peru\n`,
    METADATA,
    'two columns are called "Country"',
  ),
  ...passedOn(
    "CSV with a nameless column",
    `,${FIELD},Country\n0,${id(1)},Kenya\n`,
    METADATA,
    "column 1 has no name",
  ),
  "an array in an accession cell": searched(hits(1, () => ({ source: { [FIELD]: [id(1)], Country: "Kenya" } })), {
    code: 4,
    says: ["the accession is an array, not one text"],
  }),
  "an object in an accession cell": searched(hits(1, () => ({ source: { [FIELD]: { id: id(1) } } })), {
    code: 4,
    says: ["the accession is an object, not one text"],
  }),
  "hits without source": searched(hits(2, (at) => ({ [FIELD]: id(at) })), {
    code: 4,
    says: ['the hits have no "source"'],
  }),
  "status 200 with errors": searched(json({ errors: [{ message: "the index is rebuilding" }] }), {
    code: 1,
    says: ['got a message: "the index is rebuilding"'],
  }),
  "status 200 with no hits and an error": searched(
    json({ total: 0, results: [], facets: {}, query: "x", error: { message: "the index is rebuilding" } }),
    { code: 1, says: ['got a message: "the index is rebuilding"'] },
  ),
  "status 200 with no hits and no error": searched(
    json({ total: 0, results: [], facets: {}, query: "x", error: null, errors: [], message: "no hits" }),
    { code: 3 },
  ),
  "status 200 with a message": searched(json({ message: "back at nine" }), { code: 1, says: ["back at nine"] }),
  "status 200 with a message for sequences": {
    answers: { sequence: json({ message: "back at nine" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ['got a message: "back at nine"'],
  },
  "404 with words of its own for an export": {
    answers: { download: json({ detail: "the shard is offline" }, 404), search: hits(1, () => ({ source: {} })) },
    cli: METADATA,
    code: 3,
    says: ["the registry answered 404: the shard is offline"],
  },
  "403 in XML": searched(
    answer(403, {}, "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"),
    { code: 1, says: ["denies access (403 Forbidden): AccessDenied: Request has expired"] },
  ),
  "FASTA without a line of field names": {
    answers: { download: fasta(Array.from({ length: 25 }, (_, at) => `>${id(at)}|Kenya\nACGT\n`).join("")) },
    cli: [...SEQUENCES, "--metadata", FIELD],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 0,
    says: ["the export has no ;fields= line"],
    ledger: { received: 25, unparsed: 0, complete: true },
    rows: Array.from({ length: 25 }, (_, at) => ({ [FIELD]: id(at) })),
  },
  "FASTA whose field names are joined by commas": {
    answers: { download: fasta(`;fields=registry_accession,Country\n>${id(1)},Kenya\nACGT\n`) },
    cli: SEQUENCES,
    library: (registry) => registry.sequences({ query: "country:Kenya" }, { fields: ["Country"] }),
    code: 4,
    says: ['the names of ";fields=registry_accession,Country" are not joined by "|"'],
  },
  "one unknown accession refuses the request": {
    answers: {
      sequence: byBody(({ registry_accessions: ids }) =>
        Array.isArray(ids) && ids.includes(id(2))
          ? json({ detail: `unknown accession ${id(2)}` }, 404)
          : json({ [id(1)]: "ACGT" })
      ),
    },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 4,
    output: `>${id(1)}\nACGT\n`,
    ledger: { received: 1, missing: [id(2)] },
    requests: 2,
  },
  "one unknown accession, which the refusal does not name": {
    answers: { sequence: json({ detail: "unknown accession" }, 404) },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 1,
    says: ["unknown accession", "one of the 2 accessions may be unknown: ask for the others alone"],
    requests: 1,
  },
  "the same fault in every hit": searched(hits(20, () => ({ source: 7 })), {
    code: 1,
    says: ["results.0: expected an object with an object source, likewise 19 more of 20"],
  }),
  "the same malformed accession in every hit": searched(hits(20, () => ({ source: { [FIELD]: "x" } })), {
    code: 4,
    says: [
      '20 records without a valid accession: "x" is not an accession: expected vj followed by 12 digits (20 times)',
    ],
  }),
  "malformed accessions in a table": {
    answers: { download: csv(`${FIELD}\n${[1, 2, 3].map((at) => `x${at}\n`).join("")}`) },
    cli: METADATA,
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 4,
    says: [
      '"x1" is not an accession: expected vj followed by 12 digits (line 2), likewise "x2" (line 3), "x3" (line 4)',
    ],
  },
  "the same fault in a refusal": searched(
    json({
      detail: Array.from({ length: 20 }, (_, at) => ({ loc: ["body", "filter", at], msg: "unknown field", type: "x" })),
    }, 422),
    { code: 1, says: ["body.filter.0: unknown field, likewise 19 more"] },
  ),
  "a hit 100,000 levels deep": searched(
    answer(200, {}, `{"total":1,"results":[{"id":"1","source":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`),
    { code: 1, says: ["lists and objects are within each other more than 500 times"] },
  ),
  "definitions 100,000 levels deep": {
    answers: { definitions: answer(200, {}, `[{"name":"Country","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}]`) },
    cli: ["definitions", "Country", "--format", "json"],
    library: (registry) => registry.definitions(["Country"]),
    code: 1,
    says: ["lists and objects are within each other more than 500 times"],
  },
  "XML with a tag of 2 MB": {
    answers: { download: xml(`<r>${RECORD}<x a="${"a".repeat(2 << 20)}"/></r>`) },
    cli: METADATA_XML,
    code: 4,
    says: ["a tag does not end within 1048576 characters"],
  },
  "FASTA with a header of 2 MB": {
    answers: { download: fasta(`;fields=registry_accession|Note\n>${id(1)}|${"a".repeat(2 << 20)}\nACGT\n`) },
    cli: SEQUENCES,
    library: (registry) => registry.sequences({ query: "country:Kenya" }, { fields: ["Note"] }),
    code: 1,
    says: ["a header is longer than 1048576 bytes; longer headers are read by readFasta() with maxHeaderBytes"],
  },
  "XML with a message": {
    answers: { download: xml("<error><message>down</message></error>") },
    cli: METADATA_XML,
    code: 1,
    says: ["<error><message>down</message></error>"],
  },
};
