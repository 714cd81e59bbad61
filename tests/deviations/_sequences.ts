/** Answers of /v2/sequence, and FASTA, that are not what was asked for. */
import { byBody, type Deviation, type Deviations } from "./_deviation.ts";
import { answer, json, raw } from "../faults/_server.ts";
import { fasta, id } from "./_exports.ts";

const IDS = ["--ids", "-"];
const SEQUENCES = ["--information", "sequences", "--type", "fasta"];
const FIELDS = ";fields=registry_accession|Country\n";

/** A FASTA that download passes on and that makes a frame. */
function fastaOf(body: string, rest: Omit<Deviation, "answers" | "cli" | "library">): Deviation {
  return {
    answers: { download: fasta(body) },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }, { fields: ["Country"] }),
    ...rest.code === 0 && { output: body },
    ...rest,
  };
}

export const SEQUENCES_TABLE: Deviations = {
  "nothing": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(2)]: "GG" }) },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 0,
    output: `>${id(1)}\nACGT\n>${id(2)}\nGG\n`,
  },
  "an error message in place of a sequence": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(2)]: "Not found" }) },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 4,
    says: [`1 could not be read, since the text is no nucleotide sequence: ${id(2)} ("Not found")`],
    output: `>${id(1)}\nACGT\n`,
    ledger: { received: 1, unparsed: 1, missing: [], complete: false },
    rows: [{ "Registry Accession": id(1) }],
  },
  "an error message in place of a sequence, as JSON": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(2)]: "Not found" }) },
    cli: ["sequence", id(1), id(2), "--format", "json"],
    code: 4,
    output: `{"${id(1)}":"ACGT"}\n`,
    ledger: { received: 1, unparsed: 1 },
  },
  "letters that are no nucleotide codes": {
    answers: { sequence: json({ [id(1)]: "ACGTJACGTZZACGT" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 0,
    says: [`1 sequence with letters that are no nucleotide codes: ${id(1)} (J, Z)`],
    output: `>${id(1)}\nACGTJACGTZZACGT\n`,
    ledger: { received: 1, complete: true },
  },
  "accessions that were not asked for": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(9)]: "GG" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 4,
    says: [`not asked for: ${id(9)}`],
    output: `>${id(1)}\nACGT\n`,
    ledger: { unasked: [id(9)], received: 1, missing: [] },
    rows: [{ "Registry Accession": id(1) }],
  },
  "accessions that were not asked for, as JSON": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(9)]: "GG" }) },
    cli: ["sequence", id(1), "--format", "json"],
    code: 4,
    output: `{"${id(1)}":"ACGT"}\n`,
    ledger: { unasked: [id(9)] },
  },
  "only accessions that were not asked for": {
    answers: { sequence: json({ [id(9)]: "GG" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 4,
    output: "",
    ledger: { unasked: [id(9)], missing: [id(1)], received: 0 },
    rows: [],
  },
  "accessions that were not asked for, in the FASTA of many": {
    answers: {
      download: byBody((body) => {
        const ids: unknown = Object(body.download).selected_ids;
        const records = Array.isArray(ids) ? [...ids, id(999)] : [];
        return fasta(`;fields=registry_accession\n${records.map((id) => `>${id}\nAC\n`).join("")}`);
      }),
    },
    cli: ["sequence", ...IDS],
    stdin: Array.from({ length: 101 }, (_, index) => id(index)).join("\n"),
    library: (registry) => registry.sequences({ ids: Array.from({ length: 101 }, (_, index) => id(index)) }),
    code: 4,
    output: Array.from({ length: 101 }, (_, index) => `>${id(index)}\nAC\n`).join(""),
    ledger: { unasked: [id(999)], missing: [], received: 102 },
  },
  "null for some sequences": {
    answers: { sequence: json({ [id(1)]: "ACGT", [id(2)]: null }) },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 4,
    says: [`missing: ${id(2)}`],
    output: `>${id(1)}\nACGT\n`,
    ledger: { missing: [id(2)], received: 1 },
  },
  "null for every sequence": {
    answers: { sequence: json({ [id(1)]: null }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 3,
    ledger: { missing: [id(1)] },
  },
  "no sequence at all": {
    answers: { sequence: json({}) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 3,
    ledger: { missing: [id(1)] },
  },
  "a malformed accession": {
    answers: { sequence: json({ [id(1)]: "ACGT", "../../etc/passwd": "GG" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 4,
    says: ['"../../etc/passwd"'],
    output: `>${id(1)}\nACGT\n`,
    ledger: { unparsed: 1, unasked: [] },
  },
  "an empty sequence": {
    answers: { sequence: json({ [id(1)]: "" }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 0,
    says: ["1 record without a sequence"],
    ledger: { received: 1, complete: true },
  },
  "NUL and ESC in a sequence": {
    answers: { sequence: json({ [id(1)]: "AC\0GT", [id(2)]: "AC\x1b[2JGT" }) },
    cli: ["sequence", id(1), id(2)],
    library: (registry) => registry.sequences({ ids: [id(1), id(2)] }),
    code: 0,
    says: ["2 records with an unexpected character"],
  },
  "a record within a sequence": {
    answers: { sequence: json({ [id(1)]: `AC\n>${id(2)}\nGG` }) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 4,
    says: [`begins with ">": ${id(1)}`],
    output: "",
    ledger: { unparsed: 1, received: 0 },
  },
  "a list instead of an object": {
    answers: { sequence: json(["ACGT"]) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ["got other JSON"],
  },
  "a web page": {
    answers: { sequence: answer(200, { "content-type": "text/html" }, "<!doctype html><h1>Down</h1>") },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ["an HTML page", "first line: <!doctype html><h1>Down</h1>"],
  },
  "an outage notice": {
    answers: { sequence: answer(200, { "content-type": "text/plain" }, "Down until nine") },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ["text", "first line: Down until nine"],
  },
  "an empty body": {
    answers: { sequence: answer(200) },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ["an empty file"],
  },
  "status 204": {
    answers: { sequence: raw("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n") },
    cli: ["sequence", id(1)],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    code: 1,
    says: ["(204)"],
  },
  "FASTA with an empty sequence": fastaOf(`${FIELDS}>${id(1)}|Mali\n>${id(2)}|Peru\nAC\n`, {
    code: 0,
    says: [`1 record without a sequence: ${id(1)} (line 2)`],
  }),
  "FASTA with NUL and ESC in sequences": fastaOf(`${FIELDS}>${id(1)}|Mali\nA\0C\n>${id(2)}|Peru\nA\x1bC\n`, {
    code: 0,
    says: ["2 records with an unexpected character"],
  }),
  "FASTA whose headers have too many values": fastaOf(`${FIELDS}>${id(1)}|Mali|x\nAC\n>${id(2)}|Peru\nAC\n`, {
    code: 4,
    says: [`1 record left out, because the number of values differs from ;fields=: ${id(1)} (line 2)`],
    ledger: { unparsed: 1, received: 1 },
    rows: [{ "Registry Accession": id(2) }],
  }),
  "FASTA with an equal line of field names in its middle": fastaOf(
    `${FIELDS}>${id(1)}|Mali\nAC\n${FIELDS}>${id(2)}|Peru\nAC\n`,
    { code: 0, ledger: { received: 2 } },
  ),
  "FASTA with other field names in its middle": fastaOf(
    `${FIELDS}>${id(1)}|Mali\nAC\n;fields=registry_accession\n>${id(2)}\nAC\n`,
    { code: 1, says: ["in the middle"] },
  ),
  "FASTA with a header cut at its end": fastaOf(`${FIELDS}>${id(1)}|Mali\nAC\n>vj0000`, {
    code: 4,
    says: ["1 record left out, because the number of values differs"],
    ledger: { unparsed: 1 },
  }),
  "FASTA with a record cut before its sequence": fastaOf(`${FIELDS}>${id(1)}|Mali\nAC\n>${id(2)}|Peru\n`, {
    code: 0,
    says: ["1 record without a sequence"],
  }),
  "FASTA with a malformed accession": fastaOf(`${FIELDS}>${id(1)}|Mali\nAC\n>5|Peru\nAC\n`, {
    code: 4,
    says: ['"5" is not an accession'],
    ledger: { unparsed: 1, received: 2 },
  }),
  "FASTA with a comment and a record that comes twice": fastaOf(
    `${FIELDS}; made today\n>${id(1)}|Mali\nAC\n>${id(1)}|Mali\nAC\n`,
    { code: 0, says: ["1 comment line skipped", "1 record with an id that came before"], ledger: { duplicate: 1 } },
  ),
  "FASTA with an error message as its last line": fastaOf(
    `${FIELDS}>${id(1)}|Mali\nAC\n>${id(2)}|Peru\nACGTACGTACGTACGTACGT\nInternal Server Error\n`,
    {
      code: 4,
      says: [`1 record could not be read: "Internal Server Error" in ${id(2)} is no nucleotide sequence (line 6)`],
      ledger: { received: 1, unparsed: 1, missing: [], complete: false },
      rows: [{ "Registry Accession": id(1) }],
    },
  ),
  "FASTA with HTML after its last record": fastaOf(`${FIELDS}>${id(1)}|Mali\nACGT\n<html><body>AC</body></html>`, {
    code: 4,
    says: [`"<html><body>AC</body></html>" in ${id(1)} is no nucleotide sequence (line 4)`],
    ledger: { received: 0, unparsed: 1 },
    rows: [],
  }),
  "FASTA with JSON after its last record": fastaOf(`${FIELDS}>${id(1)}|Mali\nACGT\n{"a":"AC"}\n`, {
    code: 4,
    says: ["is no nucleotide sequence (line 4)"],
    ledger: { received: 0, unparsed: 1 },
  }),
  "FASTA with protein": fastaOf(`${FIELDS}>${id(1)}|Mali\nMKVLAAGIVGLCLLACTQ\n>${id(2)}|Peru\nACGTN\n`, {
    code: 4,
    says: [`"MKVLAAGIVGLCLLACTQ" in ${id(1)} is no nucleotide sequence (line 3)`],
    ledger: { received: 1, unparsed: 1 },
    rows: [{ "Registry Accession": id(2) }],
  }),
  "FASTA with letters that are no nucleotide codes": fastaOf(`${FIELDS}>${id(1)}|Mali\nACGTJACGTZZACGT\n`, {
    code: 0,
    says: [`1 sequence with letters that are no nucleotide codes: ${id(1)} (J, Z)`],
    ledger: { received: 1, complete: true },
  }),
  "an error message among the sequences of many": {
    answers: {
      download: byBody((body) => {
        const ids: unknown = Object(body.download).selected_ids;
        const records = Array.isArray(ids) ? ids.map((id, at) => `>${id}\n${at === 50 ? "Not found" : "ACGT"}\n`) : [];
        return fasta(`;fields=registry_accession\n${records.join("")}`);
      }),
    },
    cli: ["sequence", ...IDS],
    stdin: Array.from({ length: 101 }, (_, index) => id(index)).join("\n"),
    library: (registry) => registry.sequences({ ids: Array.from({ length: 101 }, (_, index) => id(index)) }),
    code: 4,
    says: [`"Not found" in ${id(50)} is no nucleotide sequence`],
    output: Array.from({ length: 101 }, (_, index) => index === 50 ? "" : `>${id(index)}\nACGT\n`).join(""),
    ledger: { unparsed: 1, missing: [], received: 100 },
  },
  "an error message among sequences with headers of their own": {
    answers: {
      download: fasta(`${FIELDS}>${id(1)}|Mali\nACGT\nBad Gateway\n>${id(2)}|Peru\nGGGG\n`),
      search: json({
        total: 1,
        results: [{ id: "1", score: 1, source: { "Registry Accession": id(1), Country: "Mali" } }],
      }),
    },
    cli: ["download", "x", ...SEQUENCES, "--fasta-header", "{registry_accession}/{Country}"],
    code: 4,
    says: [`"Bad Gateway" in ${id(1)}`],
    output: `>${id(2)}/Peru\nGGGG\n`,
    ledger: { unparsed: 1, received: 1 },
  },
  "FASTA whose line of field names never ends": {
    answers: { download: fasta(`;fields=registry_accession|${"x".repeat(3 << 20)}`) },
    cli: ["download", "country:Kenya", ...SEQUENCES],
    library: (registry) => registry.sequences({ query: "country:Kenya" }),
    code: 1,
    says: ["a header is longer than 1048576 bytes"],
  },
};
