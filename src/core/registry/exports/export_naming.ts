/** What the beginning of an export shows of a deployment's spellings. */
import { isAccession } from "../../contract/accession.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { describeMismatch, type Spellings } from "../../contract/naming_evidence.ts";
import { ParseError } from "../../errors.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { readBytes } from "../../io/bytes/byte_source.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import type { Separator } from "../../io/csv/separator.ts";
import { type XmlAttributes, type XmlName, type XmlSink, XmlTokens } from "../../io/xml/xml_tokens.ts";
import { isAccessionColumn } from "./export_fields.ts";
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

  /** Describes which line a naming lacks, as far as the export shows; `undefined` when it fits. */
  async findMismatch(
    fileType: ExportType,
    { separator, naming, isList }: {
      readonly separator: Separator;
      readonly naming: Naming;
      /** Whether the export is a list of accessions, whose elements in XML are called anything. */
      readonly isList: boolean;
    },
  ): Promise<string | undefined> {
    const head = joinBytes(this.#chunks);
    if (fileType !== "xml") return describeMismatch(await spellingsInExport(fileType, head, separator), naming);
    return isList ? undefined : describeMismatch(spellingsInXml(head, naming), naming);
  }
}

/**
 * Finds how an export spells the accession: the first name in the `;fields=` line of a FASTA, the column of a table
 * whose first value is an accession.
 */
async function spellingsInExport(
  fileType: Exclude<ExportType, "xml">,
  head: Uint8Array,
  separator: Separator,
): Promise<Spellings> {
  if (fileType === "fasta") {
    const alias = aliasInFasta(new TextDecoder().decode(head));
    return alias === undefined ? {} : { [SPECIFICATION_NAMING.accessionAlias]: alias };
  }
  const [names = [], values = []] = await firstRows(head, fileType === "tsv" ? "\t" : separator);
  const name = names[values.findIndex((value) => isAccession(value))] ?? "";
  return name === "" || isAccession(name) ? {} : spellingOf(name);
}

/** The first name of a `;fields=` line; `undefined` without one, or where the names are joined by something else. */
export function aliasInFasta(text: string): string | undefined {
  const [, alias] = /^;fields=([^|\r\n]+)/.exec(text) ?? [];
  return alias === undefined || /[,;\t]/.test(alias) ? undefined : alias.trim();
}

/** The spelling that a name shows: of the public field where it has capitals or spaces, else of its alias. */
function spellingOf(name: string): Spellings {
  return { [/[A-Z ]/.test(name) ? SPECIFICATION_NAMING.accessionField : SPECIFICATION_NAMING.accessionAlias]: name };
}

/** Finds how an XML export calls the elements that hold accessions, where the naming knows none of them. */
function spellingsInXml(head: Uint8Array, naming: Naming): Spellings {
  const finder = new AccessionElements();
  const tokens = new XmlTokens(finder, "the export");
  try {
    tokens.push(new TextDecoder().decode(head));
  } catch (error) {
    // What came before a fault was read.
    if (!(error instanceof ParseError)) throw error;
  }
  const names = [...finder.names];
  if (names.length === 0 || names.some((name) => isAccessionColumn(name, naming))) return {};
  return spellingOf(names.find((name) => /[ _]accession$/i.test(name)) ?? names[0]);
}

/** Attributes that say which field an element stands for. */
const LABELS = ["name", "field", "key"];

/** Names or labels of the elements whose text is an accession: not which records there are, but what it is called. */
class AccessionElements implements XmlSink {
  readonly names = new Set<string>();
  #name = "";
  #text = "";

  onOpen({ own, written }: XmlName, attributes: XmlAttributes): void {
    const name = own || written;
    const label = LABELS.map((label) => attributes.get(label)).find((label) => label !== undefined);
    // An element is called as its field is, with `_` for what no name of an element may hold.
    this.#name = label ?? (/[A-Z]/.test(name) ? name.replaceAll("_", " ") : name);
    this.#text = "";
  }

  onText(text: string): void {
    this.#text += text;
  }

  onClose(): void {
    if (isAccession(this.#text.trim())) this.names.add(this.#name);
    this.#text = "";
  }
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
