/**
 * Metadata as XML to a table.
 *
 * The specification shows no structure for XML. A record is the outermost element whose elements hold only text; a field
 * is called what the attribute `name` of its element says, else by the definition whose name reads like the element's
 * (`Sequence_Length` for `Sequence Length`), else by the element. An element that comes twice in a record is a list.
 *
 * @module
 */
import type { ByteSource } from "../io/byte_source.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import { SPECIFICATION_NAMING } from "../spec/naming.ts";
import { TextColumns } from "./_columns.ts";
import { checkTableOptions, makeTable } from "./_typed_table.ts";
import { findRecords, readXml, type XmlElement } from "./_xml_records.ts";
import type { TableOptions, TypedTable } from "./table.ts";

/** Options of {@linkcode tableFromXml}. */
export interface XmlTableOptions extends TableOptions {
  /** Bytes of the document at most, since it is held whole; 256 MiB by default. */
  readonly maxBytes?: number;
}

/**
 * Makes a table of a metadata export in XML.
 *
 * @param source Where the document is; plain or gzip.
 * @param options Definitions, naming, columns.
 * @returns rows = records; columns typed by the definitions.
 * @throws {ParseError} If it is no well-formed XML; {RangeError} if it is too large, or an option cannot be followed.
 * @see Specification 4.2, `application/xml`. Its structure is not shown: see this module.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromXml } from "./from_xml.ts";
 *
 * const xml = "<records><record><Country>Kenya</Country><Host/></record></records>";
 * const table = await tableFromXml(new TextEncoder().encode(xml));
 *
 * assertEquals(table.texts("Country"), ["Kenya"]);
 * ```
 */
export async function tableFromXml(source: ByteSource, options: XmlTableOptions = {}): Promise<TypedTable> {
  checkTableOptions(options);
  const { naming = SPECIFICATION_NAMING, definitions = [] } = options;
  const root = await readXml(source, options);
  const nameOf = fieldNamer([naming.accessionField, ...definitions.map(({ name }) => name)], definitions);
  const columns = new TextColumns();
  for (const record of findRecords(root)) {
    const values = new Map<string, string>();
    for (const element of record.children) {
      const field = nameOf(element);
      const before = values.get(field);
      values.set(field, before === undefined ? element.text : `${before};${element.text}`);
    }
    columns.addRecord(values);
  }
  return makeTable({ columns, hasHeader: false }, options);
}

function fieldNamer(
  names: readonly string[],
  definitions: readonly FieldDefinition[],
): (element: XmlElement) => string {
  const known = new Set(names);
  const byElement = new Map<string, string>();
  for (const { alias, name } of definitions) byElement.set(alias, name);
  for (const name of names) byElement.set(elementName(name), name);
  return ({ label, name }) => label ?? (known.has(name) ? name : byElement.get(name) ?? name);
}

/** How a field's name is usually bent into an element's. */
function elementName(field: string): string {
  const name = field.replace(/[^A-Za-z0-9._-]/gu, "_");
  return /^(?:[^A-Za-z_]|xml)/i.test(name) ? `_${name}` : name;
}
