/** Records in an XML document, whatever its elements are called. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { ParseError } from "../errors.ts";
import { sourceName } from "../io/open_bytes.ts";
import type { ByteSource } from "../io/byte_source.ts";
import { openExpected } from "./_peek.ts";

/** An element: its name, what its `name` attribute says, its elements, its text. */
export interface XmlElement {
  readonly name: string;
  readonly label: string | undefined;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Options of {@linkcode readXml}. */
export interface ReadXmlOptions {
  readonly name?: string;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Largest document that is read by default: an XML document is held whole. */
const MAX_XML_BYTES = 256 * 1024 * 1024;

const NOT_XML = ["an HTML page", "JSON", "UTF-16 text", "a CSV table", "a table separated by tabs", "binary data"];

/** Attributes that say what an element stands for. */
const LABELS = ["@name", "@field", "@key"];

/** Reads a document and returns its root. @throws {ParseError} If it is no well-formed XML or declares a DOCTYPE. */
export async function readXml(source: ByteSource, options: ReadXmlOptions): Promise<XmlElement> {
  const name = options.name ?? sourceName(source);
  const text = await readBounded(source, name, options);
  if (/<!DOCTYPE/i.test(text)) {
    throw new ParseError(`Cannot read ${name}: it declares a DOCTYPE, which an export never does`);
  }
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new ParseError(`Cannot read ${name}: ${valid.err.msg}`, { line: valid.err.line });
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
  });
  const nodes: unknown = parser.parse(text);
  const roots = Array.isArray(nodes) ? nodes.map(elementOf).filter((element) => element !== undefined) : [];
  if (roots.length !== 1) throw new ParseError(`Cannot read ${name}: expected one root element, found ${roots.length}`);
  return roots[0];
}

/** Finds records: the outermost elements all of whose elements hold only text. */
export function findRecords(root: XmlElement): XmlElement[] {
  return root.children.every(isBare) && new Set(root.children.map(({ name }) => name)).size <= 1 ? [] : recordsIn(root);
}

/** Nothing but a name: as a child of the root, a record without a field. */
function isBare({ children, text, label }: XmlElement): boolean {
  return children.length === 0 && text.trim() === "" && label === undefined;
}

function recordsIn(element: XmlElement): XmlElement[] {
  if (element.children.length === 0) return [];
  return element.children.every(({ children }) => children.length === 0)
    ? [element]
    : element.children.flatMap(recordsIn);
}

/** Every text of an element without elements in it. */
export function leafTexts(element: XmlElement): string[] {
  return element.children.length === 0 ? [element.text] : element.children.flatMap(leafTexts);
}

async function readBounded(source: ByteSource, name: string, options: ReadXmlOptions): Promise<string> {
  const { maxBytes = MAX_XML_BYTES, signal } = options;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of openExpected(source, { name, signal, expected: "an XML export", refuse: NOT_XML })) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new RangeError(
          `Cannot read ${name}: more than ${maxBytes} bytes of XML, which is held whole; ask for CSV, which streams`,
        );
      }
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    parts.push(decoder.decode());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ParseError(`Cannot read ${name}: it is not UTF-8 text`, {}, { cause });
  }
  const text = parts.join("");
  if (text.trim() === "") throw new ParseError(`Cannot read ${name}: it is empty, expected an XML export`, { line: 1 });
  return text;
}

/** A node of the parser's ordered form is an object with one key for the element, and `:@` for its attributes. */
function elementOf(node: unknown): XmlElement | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const entry = Object.entries(node).find(([key]) => key !== ":@");
  if (entry === undefined || entry[0] === "#text" || !Array.isArray(entry[1])) return undefined;
  const attributes: unknown = ":@" in node ? node[":@"] : undefined;
  return {
    name: entry[0],
    label: labelOf(attributes),
    children: entry[1].map(elementOf).filter((child) => child !== undefined),
    text: entry[1].map(textOf).join(""),
  };
}

function labelOf(attributes: unknown): string | undefined {
  if (typeof attributes !== "object" || attributes === null) return undefined;
  const found = Object.entries(attributes).find(([key]) => LABELS.includes(key));
  return typeof found?.[1] === "string" ? found[1] : undefined;
}

function textOf(node: unknown): string {
  return typeof node === "object" && node !== null && "#text" in node ? String(node["#text"]) : "";
}
