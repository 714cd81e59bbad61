/** What the beginning of an export shows of a deployment's spellings. */
import { isAccession } from "../../contract/accession.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { describeMisfit, type Spellings } from "../../contract/naming_evidence.ts";
import { ParseError } from "../../errors.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { readBytes } from "../../io/bytes/byte_source.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import type { Separator } from "../../io/csv/separator.ts";
import type { ExportType } from "./scan_options.ts";

/** Bytes of an export that are looked at. */
const HEAD_BYTES = 65_536;

/** The first bytes of an export, gathered while it goes by. */
export class ExportHead {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Takes the next chunk, which its owner may use again. */
  add(chunk: Uint8Array): void {
    if (this.#bytes >= HEAD_BYTES) return;
    this.#chunks.push(chunk.slice(0, HEAD_BYTES - this.#bytes));
    this.#bytes += chunk.length;
  }

  /** Says which line a naming lacks, as far as the export shows; `undefined` when it fits. */
  async findMismatch(fileType: ExportType, separator: Separator, naming: Naming): Promise<string | undefined> {
    return describeMisfit(await spellingsInExport(fileType, joinBytes(this.#chunks), separator), naming);
  }
}

/**
 * Finds how an export spells the accession: the first name in the `;fields=` line of a FASTA, the column of a table
 * whose first value is an accession.
 */
async function spellingsInExport(
  fileType: ExportType,
  head: Uint8Array,
  separator: Separator,
): Promise<Spellings> {
  if (fileType === "fasta") {
    const [, alias] = /^;fields=([^|\r\n]+)/.exec(new TextDecoder().decode(head)) ?? [];
    return alias === undefined ? {} : { [SPECIFICATION_NAMING.accessionAlias]: alias };
  }
  if (fileType === "xml") return {};
  const [names = [], values = []] = await firstRows(head, fileType === "tsv" ? "\t" : separator);
  const name = names[values.findIndex((value) => isAccession(value))] ?? "";
  if (name === "" || isAccession(name)) return {};
  return { [/[A-Z ]/.test(name) ? SPECIFICATION_NAMING.accessionField : SPECIFICATION_NAMING.accessionAlias]: name };
}

async function firstRows(head: Uint8Array, separator: Separator): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  try {
    for await (const batch of readCsvRows(readBytes(head), { separator, quotes: separator !== "\t" })) {
      for (const { cells } of batch) rows.push(cells);
    }
  } catch (error) {
    // The head may end within a cell.
    if (!(error instanceof ParseError)) throw error;
  }
  return rows.slice(0, 2);
}
