/** Registries that call things otherwise, asked without a naming: every operation says which line to add. */
import type { Deviation, Deviations } from "./_deviation.ts";
import { csv, id } from "./_exports.ts";
import { answer, json, type Reply } from "../faults/_server.ts";

const FIELD = "GenomeBank Accession";
const page = json({
  total: 2,
  results: [1, 2].map((number) => ({ id: `h${number}`, score: 1, source: { [FIELD]: id(number), Country: "Kenya" } })),
  facets: {},
  query: "",
});
const refuse = (loc: readonly string[], msg: string, type: string): Reply =>
  json({ detail: [{ loc, msg, type }] }, 422);
const KEY_LINE = '"registry_accessions": "genomebank_accessions"';
const FIELD_LINE = '"Registry Accession": "GenomeBank Accession"';
const INLINE = '{"registry": "genomebank", "Registry": "GenomeBank"}';
const SUITS = { search: page, sequence: json({ [id(1)]: "ACGT" }) };

const mismatch = (line: string, more: Deviation): Deviation => ({ says: [line, "--naming"], ...more });

/** Names of every kind. */
export const NAMINGS: Deviations = {
  "search": mismatch(FIELD_LINE, {
    answers: { search: page },
    cli: ["search", "x", "--format", "csv"],
    library: (registry) => registry.search("x"),
    code: 4,
    ledger: { complete: false },
  }),
  "search of all": mismatch(FIELD_LINE, {
    answers: { search: page },
    cli: ["search", "x", "--all", "--format", "csv"],
    library: (registry) => registry.searchAll("x").result(),
    code: 4,
    ledger: { complete: false },
  }),
  "definitions of all fields": mismatch(FIELD_LINE, {
    answers: { search: page },
    cli: ["definitions", "--format", "json"],
    library: (registry) => registry.definitions(),
    code: 4,
  }),
  "sequence, whose key is missing": mismatch(KEY_LINE, {
    answers: { sequence: refuse(["body", "genomebank_accessions"], "Field required", "missing") },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    requests: 1,
  }),
  "accessions, whose information is listed": mismatch(KEY_LINE, {
    answers: {
      download: refuse(
        ["body", "download", "information"],
        "Input should be 'metadata', 'genomebank_accessions' or 'sequences'",
        "enum",
      ),
    },
    cli: ["download", "x", "--information", "registry_accessions", "--type", "tsv"],
    library: (registry) => registry.accessions({ query: "x" }),
    code: 1,
    requests: 1,
  }),
  "a dataset, whose names are listed": {
    answers: {
      datasets_download: refuse(
        ["query", "filename"],
        "Input should be 'genomebankv1_unique_seqs_metadata.csv.gz' or 'genomebankv1_unique_seqs_metadata.sha256'",
        "enum",
      ),
    },
    library: async (registry) => {
      await registry.dataset("unique_seqs_metadata");
      throw new TypeError("a dataset came without its name");
    },
    code: 1,
    says: ['"registryv1_unique_seqs_metadata": "genomebankv1_unique_seqs_metadata"', "--naming"],
  },
  "datasets of a later version, whose names are listed beside the message": {
    answers: {
      datasets_download: json({
        detail: [{
          loc: ["query", "filename"],
          msg: "unknown file",
          type: "enum",
          ctx: { expected: "registryv2_unique_seqs_metadata.csv.gz, registryv2_unique_seqs_metadata.sha256" },
        }],
      }, 422),
    },
    library: async (registry) => {
      await registry.dataset("unique_seqs_metadata");
      throw new TypeError("a dataset came without its name");
    },
    code: 1,
    says: ['"registryv1_unique_seqs_metadata": "registryv2_unique_seqs_metadata"', "--naming"],
  },
  "a FASTA export": mismatch('"registry_accession": "genomebank_accession"', {
    answers: {
      download: answer(
        200,
        { "content-type": "application/x-fasta" },
        `;fields=genomebank_accession\n>${id(1)}\nACGT\n`,
      ),
    },
    cli: ["download", "x", "--information", "sequences", "--type", "fasta"],
    code: 0,
    ledger: { received: 1, complete: true },
  }),
  "a FASTA export that names the accession": mismatch('"registry_accession": "genomebank_accession"', {
    answers: {
      download: answer(
        200,
        { "content-type": "application/x-fasta" },
        `;fields=genomebank_accession\n>${id(1)}\nACGT\n`,
      ),
    },
    library: (registry) => registry.sequences({ query: "x" }),
    code: 4,
    ledger: { received: 1 },
  }),
  "a metadata export": mismatch(FIELD_LINE, {
    answers: { download: csv(`${FIELD},Country\n${id(1)},Kenya\n`) },
    cli: ["download", "x", "--information", "metadata", "--type", "csv"],
    code: 4,
  }),
  "a metadata export as XML": mismatch(FIELD_LINE, {
    answers: {
      download: answer(
        200,
        { "content-type": "application/xml" },
        `<records><record><${FIELD.replace(" ", "_")}>${id(1)}</${FIELD.replace(" ", "_")}>` +
          `<Country>Kenya</Country></record></records>`,
      ),
    },
    cli: ["download", "x", "--information", "metadata", "--type", "xml"],
    library: (registry) => registry.metadata({ query: "x" }, { fileType: "xml", fields: ["Country"] }),
    code: 4,
    ledger: { received: 1 },
  }),
  "a naming in line": {
    answers: SUITS,
    cli: ["search", "x", "--format", "csv", "--naming", INLINE],
    code: 0,
    output: `${FIELD},Country\n${id(1)},Kenya\n${id(2)},Kenya\n`,
    ledger: { received: 2, complete: true },
  },
  "no field that holds accessions": {
    answers: { search: json({ total: 1, results: [{ id: id(1), source: { Country: "Kenya" } }] }) },
    cli: ["search", "x", "--format", "csv"],
    library: (registry) => registry.search("x"),
    code: 4,
    says: ["no field has accessions"],
  },
};

/** A registry with names of its own, that lists what it has. */
export const OTHER_NAMES: Readonly<Record<string, Reply>> = {
  "/v2/search": page,
  "/v2/sequence": refuse(["body", "genomebank_accessions"], "Field required", "missing"),
  "/v2/download": answer(
    200,
    { "content-type": "application/x-fasta" },
    `;fields=genomebank_accession\n>${id(1)}\nACGT\n`,
  ),
  "/v2/datasets_download": refuse(
    ["query", "filename"],
    "Input should be 'ncbi_to_ictv_map.csv.gz', 'ncbi_to_ictv_map.sha256', 'genomebankv1_full_dataset_metadata.csv.gz'",
    "enum",
  ),
  "/v2/metadata/download": csv("name,type\n"),
};
