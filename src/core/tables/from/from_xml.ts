/**
 * Metadata as XML to a table.
 *
 * The specification shows no structure for XML. A record is the outermost element whose elements hold only text; a
 * field is called what the attribute `name` of its element says, else by the definition whose name reads like the
 * element's (`Sequence_Length` for `Sequence Length`), else by the element. An element that comes twice in a record is
 * a list. Records are taken one after the other, so that no more of the document is held than of a CSV. A document in
 * which a field of a record holds elements is refused: the record's other values would be lost.
 */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { RecordStore } from "../types/record_store.ts";
import { checkTableOptions, makeTable } from "../types/typed_table.ts";
import { readXmlRecords, type XmlLeaf } from "./_xml_records.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** Options of {@linkcode tableFromXml}. */
export interface XmlTableOptions extends TableOptions {
  /** Characters of one record at most; 256 Mi by default. */
  readonly maxRecordLetters?: number;
}

const XML_TABLE_OPTIONS = {
  ...TABLE_OPTIONS,
  maxRecordLetters: rule.number({ above: 0, to: Infinity }),
} satisfies OptionRules<XmlTableOptions>;

/** Records of an XML document, whose fields are known only when all of it has been read. */
export interface XmlDocument {
  /** What the document calls its fields. */
  readonly names: readonly string[];
  /** The records, by keys of the document's own. */
  readonly store: RecordStore;
  /** Makes what names the field of a key, by definitions that were looked for by {@linkcode XmlDocument.names}. */
  namer(definitions: readonly FieldDefinition[]): (key: string) => string;
}

/**
 * Makes a table of a metadata export in XML.
 *
 * @param source Where the document is; plain, gzip or Zstandard.
 * @param options Definitions, naming, columns.
 * @returns rows = records; columns typed by the definitions.
 * @throws {ParseError} If it is not well-formed XML, or a field holds elements; {RangeError} if a record is too large,
 * or an option is invalid.
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
  checkTableOptions("tableFromXml()", options, XML_TABLE_OPTIONS);
  using store = new RecordStore({ spillCharacters: Infinity });
  const { namer } = await readXmlFields(source, store, options);
  const columns = store.columns.renamed(namer(options.definitions ?? []));
  return makeTable({ columns, hasHeader: false }, options);
}

/** Reads the records of a document before their definitions are known; its fields are named after the naming here. */
export async function readXmlFields(
  source: ByteSource,
  store: RecordStore,
  options: XmlTableOptions = {},
): Promise<XmlDocument> {
  const { naming = SPECIFICATION_NAMING } = options;
  const fields = new Map<string, XmlLeaf>();
  for await (const records of readXmlRecords(source, options)) {
    for (const leaves of records) {
      const values = new Map<string, string>();
      for (const leaf of leaves) {
        // A label and a name that are spelt alike may yet be two fields.
        const key = leaf.label === undefined ? `<${leaf.name}>` : leaf.label;
        if (!fields.has(key)) fields.set(key, leaf);
        const before = values.get(key);
        values.set(key, before === undefined ? leaf.text : `${before};${leaf.text}`);
      }
      store.add(values);
    }
    await store.settle();
  }
  const namer = (definitions: readonly FieldDefinition[]) =>
    fieldNamer([naming.accessionField, ...definitions.map(({ name }) => name)], definitions);
  return {
    names: [...new Set([...fields.values()].map(namer([])))],
    store,
    namer(definitions) {
      const nameOf = namer(definitions);
      return (key) => nameOf(fields.get(key)!);
    },
  };
}

function fieldNamer(names: readonly string[], definitions: readonly FieldDefinition[]): (leaf: XmlLeaf) => string {
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
