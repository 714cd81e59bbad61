/** Exports that are not what was asked for. */
import type { Deviations } from "./_deviation.ts";
import { answer, type Reply } from "../faults/_server.ts";

/** Accession of a record by its number. */
export const id = (number: number) => `vj${String(number).padStart(12, "0")}`;

/** An export with its media type. */
export const csv = (body: string): Reply => answer(200, { "content-type": "text/csv" }, body);

const METADATA = ["--information", "metadata", "--type", "csv"];

/** Exports of metadata, accessions and sequences. */
export const EXPORTS: Deviations = {
  "the plain case": {
    answers: { download: csv(`Registry Accession,Country\n${id(1)},Kenya\n`) },
    cli: ["download", "country:Kenya", ...METADATA],
    library: (registry) => registry.metadata({ query: "country:Kenya" }),
    code: 0,
    output: `Registry Accession,Country\n${id(1)},Kenya\n`,
    ledger: { received: 1, complete: true },
    rows: [{ Country: "Kenya" }],
  },
};
