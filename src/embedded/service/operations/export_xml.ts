/**
 * Metadata and accession lists as XML.
 *
 * ```xml
 * <?xml version="1.0" encoding="UTF-8"?>
 * <records>
 *   <record><Registry_Accession name="Registry Accession">vj000000000001</Registry_Accession><Country/></record>
 * </records>
 * ```
 *
 * One `record` each, in it one element for each field, present though empty. The element is called by the field; where
 * XML does not allow a character of that name, `_` stands for it and the attribute `name` has the exact name.
 * Characters that XML 1.0 cannot hold are left out of values, and a comment at the end says how many. The specification
 * shows no structure: all this is our choice.
 */
import { leftOutNotice } from "@seqreg/core/io/xml/left_out";
import type { ExportColumn } from "./export_csv.ts";
import { spend } from "./_batches.ts";
import type { StoredRecord } from "../store/store.ts";

/**
 * Writes metadata as XML.
 *
 * @param batches Records; each batch is emptied when it is written.
 * @param columns Fields in the order of the export.
 * @returns The head, one text per batch, the end.
 * @see Specification 4.2, `application/xml`.
 */
export async function* metadataXml(
  batches: AsyncIterable<StoredRecord[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<string> {
  const elements = columns.map(({ name, index }) => ({ ...elementOf(name), index }));
  let leftOut = 0;
  yield HEAD;
  for await (const records of batches) {
    yield spend(records, ({ values }) =>
      recordOf(elements.map(({ open, name, index }) => {
        leftOut += countUnfit(values[index]);
        return writeElement(open, name, values[index]);
      })));
  }
  yield leftOutNotice(leftOut) + END;
}

/**
 * Writes an accession list as XML: records with one element each.
 *
 * @param batches Records; each batch is emptied when it is written.
 * @see Specification 4.2, `application/xml`.
 */
export async function* accessionsXml(
  batches: AsyncIterable<StoredRecord[]>,
  field: string,
): AsyncGenerator<string> {
  const { open, name } = elementOf(field);
  yield HEAD;
  for await (const records of batches) {
    yield spend(records, ({ accession }) => recordOf([writeElement(open, name, accession)]));
  }
  yield END;
}

/**
 * Makes a field's name an element's name.
 *
 * @returns The name with `_` for every character except A-Z, a-z, 0-9, `.`, `-` and `_`; with one more `_` first if XML
 * does not let a name begin with that character.
 */
export function xmlName(field: string): string {
  const name = field.replace(/[^A-Za-z0-9._-]/gu, "_");
  return /^(?:[^A-Za-z_]|xml)/i.test(name) || name === "" ? `_${name}` : name;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n';
const END = "</records>\n";

function elementOf(field: string): { open: string; name: string } {
  const name = xmlName(field);
  return { name, open: name === field ? name : `${name} name="${escapeXml(field)}"` };
}

function writeElement(open: string, name: string, value: string): string {
  return value === "" ? `<${open}/>` : `<${open}>${escapeXml(value)}</${name}>`;
}

function recordOf(elements: readonly string[]): string {
  return `  <record>${elements.join("")}</record>\n`;
}

/** What XML 1.0 cannot hold: most control characters and two noncharacters. */
// deno-lint-ignore no-control-regex
const UNFIT = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
// deno-lint-ignore no-control-regex
const SPECIAL = /[\x00-\x1f&<>"\ufffe\uffff]/;

/** Characters of a text that {@linkcode escapeXml} leaves out. */
function countUnfit(text: string): number {
  return SPECIAL.test(text) ? text.match(UNFIT)?.length ?? 0 : 0;
}

/** Line ends and tabs become references, since a reader would otherwise alter them. */
function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(UNFIT, "").replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character]);
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
