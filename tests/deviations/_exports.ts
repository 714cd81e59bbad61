/** Exports that are not what was asked for. */
import { byBody, type Deviations } from "./_deviation.ts";
import { answer, json, type Reply } from "../faults/_server.ts";

/** Accession of a record by its number. */
export const id = (number: number) => `vj${String(number).padStart(12, "0")}`;

/** Exports with their media types. */
export const csv = (body: string): Reply => answer(200, { "content-type": "text/csv" }, body);
export const tsv = (body: string): Reply => answer(200, { "content-type": "text/tab-separated-values" }, body);
export const xml = (body: string): Reply => answer(200, { "content-type": "application/xml" }, body);
export const fasta = (body: string): Reply => answer(200, { "content-type": "application/x-fasta" }, body);

const METADATA = ["--information", "metadata", "--type", "csv"];
const METADATA_XML = ["--information", "metadata", "--type", "xml"];
const LIST = ["--information", "registry_accessions", "--type", "tsv"];
const LIST_XML = ["--information", "registry_accessions", "--type", "xml"];
const SEQUENCES = ["--information", "sequences", "--type", "fasta"];
const IDS = ["--ids", "-"];
const ONE = { ids: [id(1)] };
const TWO = { ids: [id(1), id(2)] };
const ROWS = `Registry Accession,Country\n${id(1)},Kenya\n${id(2)},Peru\n`;
const RECORDS = (...records: string[]) => `<?xml version="1.0"?><records>${records.join("")}</records>`;
const RECORD = (accession: string, rest = "") =>
  `<record><Registry_Accession name="Registry Accession">${accession}</Registry_Accession>${rest}</record>`;

/** Something else than the CSV that was asked for, with status 200. */
function notCsv(reply: Reply, ...says: string[]): Deviations[string] {
  return {
    answers: { download: reply },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 1,
    says,
  };
}

/** Columns, fields, records and forms that were not asked for. */
export const EXPORTS: Deviations = {
  "nothing": {
    answers: { download: csv(ROWS) },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 0,
    output: ROWS,
    ledger: { received: 2, complete: true, unasked: [] },
    rows: [{ Country: "Kenya" }, { Country: "Peru" }],
  },
  "a column that was asked for is omitted": {
    answers: { download: csv(ROWS) },
    cli: ["download", "country:Kenya", ...METADATA, "--metadata", "Registry Accession,Country,Host Age"],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fields: ["Country", "Host Age"] }),
    code: 4,
    says: ["requested columns that did not arrive: Host Age"],
    output: ROWS,
    ledger: { received: 2, complete: false },
    rows: [{ Country: "Kenya", "Host Age": null }, { Country: "Peru", "Host Age": null }],
  },
  "the column of accessions comes although others were asked for": {
    answers: { download: csv(`Registry Accession,Country\n${id(1)},Kenya\n`) },
    cli: ["download", "country:Kenya", "--information", "metadata", "--type", "csv", "--metadata", "Country"],
    code: 0,
    ledger: { received: 1, warnings: [], complete: true },
  },
  "every column but the accession's is omitted": {
    answers: { download: csv(`Registry Accession\n${id(1)}\n`) },
    cli: ["download", "country:Kenya", ...METADATA, "--metadata", "Country"],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fields: ["Country"] }),
    code: 4,
    says: ["did not arrive: Country"],
  },
  "columns come under their aliases": {
    answers: { download: csv(`registry_accession,host_age\n${id(1)},37\n`) },
    cli: ["download", "country:Kenya", ...METADATA, "--metadata", "Registry Accession,Host Age"],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fields: ["Host Age"] }),
    code: 0,
    rows: [{ "Registry Accession": id(1), "Host Age": "37" }],
  },
  "a column comes under an alias that the definitions alone tell": {
    answers: {
      download: csv(`Registry Accession,is_coding_strand\n${id(1)},true\n`),
      definitions: json([{ name: "Coding Strand", alias: "is_coding_strand", type: "string" }]),
    },
    cli: ["download", "country:Kenya", ...METADATA, "--metadata", "Registry Accession,Coding Strand"],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fields: ["Coding Strand"] }),
    code: 0,
    rows: [{ "Coding Strand": "true" }],
  },
  "an element that was asked for is omitted from XML": {
    answers: { download: xml(RECORDS(RECORD(id(1), "<Country>Kenya</Country>"))) },
    cli: ["download", "country:Kenya", ...METADATA_XML, "--metadata", "Registry Accession,Country,Host Age"],
    library: (registry) =>
      registry.metadata({ query: "country:Kenya" }, { fields: ["Country", "Host Age"], fileType: "xml" }),
    code: 4,
    says: ["did not arrive: Host Age"],
  },
  "a header field that was asked for is omitted from FASTA": {
    answers: { download: fasta(`;fields=registry_accession|country\n>${id(1)}|Kenya\nACGT\n`) },
    cli: ["download", "country:Kenya", ...SEQUENCES, "--metadata", "Country,Host Age"],
    library: (registry) => registry.sequences({ query: "country:Kenya" }, { fields: ["Country", "Host Age"] }),
    code: 4,
    says: ["requested header fields that did not arrive: Host Age"],
  },
  "FASTA comes without field names": {
    answers: { download: fasta(`>${id(1)}\nACGT\n`) },
    cli: ["download", "country:Kenya", ...SEQUENCES, "--metadata", "Country"],
    library: (registry) => registry.sequences({ query: "country:Kenya" }, { fields: ["Country"] }),
    code: 4,
    says: ["did not arrive: Country"],
  },
  "records that were not selected, in CSV": {
    answers: { download: csv(ROWS) },
    cli: ["download", ...IDS, ...METADATA],
    stdin: id(1),
    library: (registry) => registry.metadata(ONE),
    code: 4,
    says: [`1 received but not asked for: ${id(2)}`],
    output: ROWS,
    ledger: { received: 2, unasked: [id(2)], missing: [] },
    rows: [{ Country: "Kenya" }],
  },
  "records that were not selected, in XML": {
    answers: { download: xml(RECORDS(RECORD(id(1)), RECORD(id(2)))) },
    cli: ["download", ...IDS, ...METADATA_XML],
    stdin: id(1),
    library: (registry) => registry.metadata(ONE, { fileType: "xml" }),
    code: 4,
    ledger: { unasked: [id(2)] },
    rows: [{ "Registry Accession": id(1) }],
  },
  "records that were not selected, in an accession list": {
    answers: { download: tsv(`Registry Accession\n${id(3)}\n${id(1)}\n`) },
    cli: ["download", ...IDS, ...LIST],
    stdin: id(1),
    library: (registry) => registry.accessions(ONE),
    code: 4,
    output: `Registry Accession\n${id(3)}\n${id(1)}\n`,
    ledger: { unasked: [id(3)], missing: [] },
    rows: [{ "Registry Accession": id(1) }],
  },
  "records that were not selected, in an XML list": {
    answers: { download: xml(`<list><id>${id(3)}</id><id>${id(1)}</id></list>`) },
    cli: ["download", ...IDS, ...LIST_XML],
    stdin: id(1),
    library: (registry) => registry.accessions(ONE, { fileType: "xml" }),
    code: 4,
    ledger: { unasked: [id(3)], missing: [] },
  },
  "records that were not selected, in FASTA": {
    answers: { download: fasta(`;fields=registry_accession|Country\n>${id(1)}|Peru\nAC\n>${id(9)}|Mali\nGT\n`) },
    cli: ["download", ...IDS, ...SEQUENCES, "--metadata", "Country"],
    stdin: id(1),
    library: (registry) => registry.sequences(ONE, { fields: ["Country"] }),
    code: 4,
    output: `;fields=registry_accession|Country\n>${id(1)}|Peru\nAC\n>${id(9)}|Mali\nGT\n`,
    ledger: { unasked: [id(9)] },
    rows: [{ "Registry Accession": id(1), Country: "Peru" }],
  },
  "none of the records that were selected, but others": {
    answers: { download: csv(`Registry Accession\n${id(9)}\n`) },
    cli: ["download", ...IDS, ...METADATA],
    stdin: id(1),
    library: (registry) => registry.metadata(ONE),
    code: 4,
    ledger: { unasked: [id(9)], missing: [id(1)] },
    rows: [],
  },
  "a header line without rows": {
    answers: { download: csv("Registry Accession,Country\n") },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 3,
    says: ["nothing matched"],
    ledger: { received: 0, promised: 0, complete: true },
  },
  "a header line without rows for a selection": {
    answers: { download: csv("Registry Accession,Country\n") },
    cli: ["download", ...IDS, ...METADATA],
    stdin: `${id(1)}\n${id(2)}\n`,
    library: (registry) => registry.metadata(TWO),
    code: 3,
    says: ["none of the 2 accessions"],
    ledger: { received: 0, missing: [id(1), id(2)] },
  },
  "an accession list without rows": {
    answers: { download: tsv("registry_accession\n") },
    cli: ["download", ...IDS, ...LIST],
    stdin: id(1),
    library: (registry) => registry.accessions(ONE),
    code: 3,
    ledger: { missing: [id(1)] },
  },
  "XML without records": {
    answers: { download: xml("<records/>") },
    cli: ["download", "country:Kenya", ...METADATA_XML],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fileType: "xml" }),
    code: 3,
  },
  "FASTA of nothing but field names": {
    answers: { download: fasta(";fields=registry_accession|Country\n") },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 3,
  },
  "FASTA whose lines end with carriage returns alone": {
    answers: { download: fasta(`;fields=registry_accession\r>${id(1)}\rACGT\r>${id(2)}\rAC\r`) },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 1,
    says: ["carriage returns alone"],
  },
  "FASTA of no stated length that is cut in a sequence": {
    answers: {
      download: answer(
        200,
        { "content-type": "application/x-fasta", "content-length": null },
        `;fields=registry_accession\n>${id(1)}\nACGT\n>${id(2)}\nAC`,
      ),
    },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 0,
    says: ["ends without a line end, so it may have been cut"],
    ledger: { received: 2, complete: true },
  },
  "an empty body instead of CSV": notCsv(csv(""), "got an empty file"),
  "an empty body instead of FASTA": {
    answers: { download: fasta("") },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 1,
    says: ["got an empty file"],
  },
  "an outage notice": notCsv(
    csv("The registry is down for maintenance.\n"),
    "text",
    "first line: The registry is down for maintenance.",
  ),
  "an outage notice with commas, of several lines": notCsv(
    csv("We are sorry, the registry is down\nPlease, come back\n"),
    "first line: We are sorry, the registry is down",
  ),
  "JSON instead of CSV": notCsv(csv('{"detail":"busy"}'), "JSON", 'first line: {"detail":"busy"}'),
  "a PDF instead of CSV": notCsv(csv("%PDF-1.7\n..."), "a PDF document", "%PDF-1.7"),
  "a ZIP archive instead of CSV": notCsv(csv("PK\x03\x04zip"), "a ZIP archive"),
  "a web page instead of CSV": notCsv(
    answer(200, { "content-type": "text/html" }, "<!doctype html><title>Sign in</title>"),
    "an HTML page",
    "<!doctype html><title>Sign in</title>",
  ),
  "FASTA instead of CSV": notCsv(csv(`>${id(1)}\nACGT\n`), "a FASTA file", `first line: >${id(1)}`),
  "XML instead of CSV": notCsv(csv("<error>down</error>"), "XML", "<error>down</error>"),
  "CSV instead of FASTA": {
    answers: { download: fasta(ROWS) },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 1,
    says: ["expected a FASTA file, got a CSV table", "first line: Registry Accession,Country"],
  },
  "an outage notice instead of an accession list": {
    answers: { download: tsv("Down for maintenance\nuntil nine\n") },
    cli: ["download", "country:Kenya", ...LIST],
    library: (registry) => registry.accessions({ query: "country:Kenya" }),
    code: 1,
    says: ["first line: Down for maintenance"],
  },
  "an outage notice as XML": {
    answers: { download: xml("<error><message>down</message></error>") },
    cli: ["download", "country:Kenya", ...METADATA_XML],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fileType: "xml" }),
    code: 1,
    says: ["<error><message>down</message></error>"],
  },
  "a table cut off in a row": notCsv(
    csv(`${ROWS}${id(3)}`),
    "cut off in its last row",
    "first line: Registry Accession,Country",
  ),
  "a table cut off within quotes": notCsv(
    csv(`${ROWS}${id(3)},"Pe`),
    "never ends",
    "cut off",
    "first line: Registry Accession,Country",
  ),
  "XML cut off": {
    answers: { download: xml(RECORDS(RECORD(id(1))).slice(0, -12)) },
    cli: ["download", "country:Kenya", ...METADATA_XML],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fileType: "xml" }),
    code: 1,
    says: ["cut off", "first line: <?xml"],
  },
  "an accession list cut off": {
    answers: { download: tsv(`Registry Accession\n${id(1)}\nvj0000`) },
    cli: ["download", "country:Kenya", ...LIST],
    library: (registry) => registry.accessions({ query: "country:Kenya" }),
    code: 1,
    says: ["cut off"],
  },
  "status 202 instead of a file": notCsv(answer(202, {}, "queued"), "(202)", "no result"),
  "status 204 instead of a file": notCsv(answer(204, { "content-length": null }), "(204)"),
  "cells separated by semicolons": {
    answers: { download: csv(`Registry Accession;Country\n${id(1)};Kenya\n`) },
    cli: ["download", "country:Kenya", ...METADATA],
    code: 1,
    says: ["separated by semicolons"],
  },
  "cells separated by tabs": {
    answers: { download: csv(`Registry Accession\tCountry\n${id(1)}\tKenya\n`) },
    cli: ["download", "country:Kenya", ...METADATA],
    code: 1,
    says: ["separated by tabs"],
  },
  "cells separated by semicolons, in a frame": {
    answers: { download: csv(`Registry Accession;Country\n${id(1)};Kenya\n`) },
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fields: ["Country"] }),
    code: 0,
    says: ["separated by semicolons"],
    rows: [{ "Registry Accession": id(1), Country: "Kenya" }],
  },
  "a row without an accession, and a malformed one": {
    answers: { download: csv(`Registry Accession,Country\n${id(1)},Kenya\n,Peru\n../../etc/passwd,Mali\n`) },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 4,
    says: ["the record has no accession (line 3)", '"../../etc/passwd" is not an accession'],
    ledger: { unparsed: 2, received: 3 },
  },
  "a malformed accession in a list": {
    answers: { download: tsv(`Registry Accession\n${id(1)}\n5\n`) },
    cli: ["download", "country:Kenya", ...LIST],
    library: (registry) => registry.accessions({ query: "country:Kenya" }),
    code: 4,
    ledger: { unparsed: 1 },
    rows: [{ "Registry Accession": id(1) }],
  },
  "a malformed accession in XML": {
    answers: { download: xml(RECORDS(RECORD(id(1)), RECORD("5"))) },
    cli: ["download", "country:Kenya", ...METADATA_XML],
    library: (registry) => registry.metadata({ query: "country:Kenya" }, { fileType: "xml" }),
    code: 4,
    ledger: { unparsed: 1 },
  },
  "a row wider than its header": {
    answers: { download: csv(`Registry Accession,Country\n${id(1)},Kenya,Nairobi\n${id(2)},Peru\n`) },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 4,
    says: ["the row has 3 cells, the header has 2 (line 2)"],
    ledger: { unparsed: 1, received: 1 },
  },
  "a selection in batches, one of them with a record that was not selected": {
    answers: {
      download: byBody((body) => {
        const { selected_ids: ids } = Object(body.download);
        return csv(`Registry Accession\n${[...ids, ids.length < 10_000 ? id(99_999) : ids[0]].join("\n")}\n`);
      }),
    },
    cli: ["download", ...IDS, ...METADATA],
    stdin: Array.from({ length: 10_001 }, (_, index) => id(index)).join("\n"),
    code: 4,
    ledger: { unasked: [id(99_999)], missing: [], asked: 10_001, received: 10_003 },
  },
};
