/** Names under which makers of tables were known before. */
import { tableFromAccessions } from "./from_accessions.ts";
import { tableFromArchive } from "./from_archive.ts";
import { tableFromDefinitions } from "./from_definitions.ts";
import { tableFromFasta } from "./from_fasta.ts";

/** @deprecated Write {@linkcode tableFromAccessions}. */
export const accessionsTable: typeof tableFromAccessions = tableFromAccessions;

/** @deprecated Write {@linkcode tableFromArchive}. */
export const archiveTable: typeof tableFromArchive = tableFromArchive;

/** @deprecated Write {@linkcode tableFromDefinitions}. */
export const definitionsTable: typeof tableFromDefinitions = tableFromDefinitions;

/** @deprecated Write {@linkcode tableFromFasta}. */
export const fastaTable: typeof tableFromFasta = tableFromFasta;
