/** Reads the records of an XML export, while its bytes go by. */
import { firstLineOf } from "../../io/bytes/describe_bytes.ts";
import { xmlDecoder } from "../../io/xml/xml_encoding.ts";
import { LEFT_OUT_TAIL, noteLeftOut } from "../../io/xml/left_out.ts";
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { isAccessionColumn } from "./export_fields.ts";
import { invalidAccession } from "../plan/invalid_log.ts";
import { ExportMismatchError, type ExportScanOptions } from "./scan_options.ts";
import { XmlWatch } from "./xml_records.ts";

/** Bytes that wait until a record, or a field that was asked for, shows what the document is. */
const MAX_HELD = 1 << 16;

/** Names of a root that holds an error: without elements it is no empty export. */
const ERROR_ROOT = /error|exception|^fault$/i;

/** Passes an XML document on and reports its records. @throws {ParseError} As `scanExport` does. */
export async function* scanXml(
  chunks: AsyncIterable<Uint8Array>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  const { name = "the export", naming, fields, isList = false, onRecord, onInvalid, onFields, onEntry } = options;
  const decode = xmlDecoder(name);
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let named = 0;
  let invalid = 0;
  const records = new XmlWatch({
    naming,
    name,
    isList,
    onAccession: (accession) => {
      named++;
      onRecord(accession);
    },
    onInvalid: (text) => {
      invalid++;
      onInvalid?.(invalidAccession(text));
    },
  });
  let head: Uint8Array | undefined;
  let tail = "";
  for await (const chunk of chunks) {
    head ??= chunk.slice(0, 512);
    const text = decode(chunk);
    tail = (tail + text.slice(-LEFT_OUT_TAIL)).slice(-LEFT_OUT_TAIL);
    records.push(text);
    if (fields !== undefined && named === 0 && heldBytes + chunk.length < MAX_HELD) {
      held.push(chunk.slice());
      heldBytes += chunk.length;
      continue;
    }
    yield* held.splice(0);
    yield chunk;
  }
  records.push(decode());
  records.end();
  const entry = noteLeftOut(tail);
  if (entry !== undefined) onEntry?.(entry);
  const isAccessionName = (field: string) => isAccessionColumn(field, naming);
  const has = (field: string) => isAccessionName(field) ? named + invalid > 0 : records.aliases.has(fieldAlias(field));
  const own = fields?.filter(has) ?? [];
  const isEmpty = records.children === 0 && !records.rootHasText && !ERROR_ROOT.test(records.root);
  const isKnown = fields === undefined || isEmpty || named > 0 || own.length > 0 || records.namesAccession;
  if (!isKnown && !(await hasAliases(options, records))) {
    throw new ExportMismatchError(
      `Cannot read ${name}: expected ${isList ? "an accession list" : "metadata"} as XML, got XML that names neither ` +
        `accessions nor a field that was asked for, first line: ${firstLineOf(head ?? new Uint8Array(0))}; check the ` +
        "base URL and the naming, or try again later",
      { line: 1 },
    );
  }
  onFields?.([...records.aliases]);
  // Where nothing is called as the accession is, the elements below the root are the records.
  if (named + invalid === 0) { for (let index = 0; index < records.children; index++) onRecord(undefined); }
  yield* held;
}

/** Whether a field that was asked for has come under an alias that does not follow from its name. */
async function hasAliases({ fields = [], findAliases }: ExportScanOptions, { aliases }: XmlWatch): Promise<boolean> {
  if (fields.length === 0 || findAliases === undefined) return false;
  const found = await findAliases();
  return fields.some((field) => aliases.has(found.get(field) ?? field));
}
