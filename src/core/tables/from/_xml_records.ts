/** Records of an XML document with any element names, one after the other, without holding the document. */
import { isAccession } from "../../contract/accession.ts";
import { xmlDecoder } from "../../io/xml/xml_encoding.ts";
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { sourceName } from "../../io/bytes/open_bytes.ts";
import { type XmlAttributes, type XmlName, type XmlSink, XmlTokens } from "../../io/xml/xml_tokens.ts";
import { openExpected } from "./_peek.ts";

/**
 * An element without elements in it: its name, with a prefix if it is not of the root's namespace, what its `name`
 * attribute says, its text.
 */
export interface XmlLeaf {
  readonly name: string;
  readonly label: string | undefined;
  readonly text: string;
}

export interface ReadXmlOptions {
  readonly name?: string;
  /** Characters of one record at most. */
  readonly maxRecordLetters?: number;
  readonly signal?: AbortSignal;
}

/** Largest record that is read by default. */
const MAX_RECORD_CHARACTERS = 256 * 1024 * 1024;

const NOT_XML = ["an HTML page", "JSON", "UTF-16 text", "a CSV table", "a table separated by tabs", "binary data"];

/** Characters of a text that may be an accession among blanks. */
const MAX_BLANKS = 1000;

/** Attributes that say what an element stands for. */
const LABELS = ["name", "field", "key"];

/**
 * Reads records: the outermost elements all of whose elements hold only text.
 *
 * @returns Batches of records, each the leaves of one.
 * @throws {ParseError} If the document is not well-formed XML, declares a DOCTYPE, or has elements within a field.
 */
export async function* readXmlRecords(source: ByteSource, options: ReadXmlOptions): AsyncGenerator<XmlLeaf[][]> {
  const name = options.name ?? sourceName(source);
  const finder = new RecordFinder(name, options.maxRecordLetters ?? MAX_RECORD_CHARACTERS);
  yield* feed(source, finder, { ...options, name }, () => finder.records.splice(0));
}

/** Reads the text of every element, but the root, without elements in it. */
export async function* readXmlLeaves(source: ByteSource, options: ReadXmlOptions): AsyncGenerator<string[]> {
  const name = options.name ?? sourceName(source);
  const finder = new LeafFinder(name, options.maxRecordLetters ?? MAX_RECORD_CHARACTERS);
  yield* feed(source, finder, { ...options, name }, () => finder.texts.splice(0));
}

async function* feed<Found>(
  source: ByteSource,
  sink: XmlSink,
  { name, signal }: ReadXmlOptions & { readonly name: string },
  take: () => Found[],
): AsyncGenerator<Found[]> {
  const decode = xmlDecoder(name);
  const tokens = new XmlTokens(sink, name);
  let isBlank = true;
  for await (const chunk of openExpected(source, { name, signal, expected: "an XML export", refuse: NOT_XML })) {
    const text = decode(chunk);
    isBlank &&= text.trim() === "";
    tokens.push(text);
    yield take();
  }
  const text = decode();
  if (isBlank && text === "") {
    throw new ParseError(`Cannot read ${name}: it is empty, expected an XML export`, { line: 1 });
  }
  tokens.push(text);
  tokens.end();
  yield take();
}

/** An element that has not ended. */
interface OpenElement {
  readonly name: string;
  readonly label: string | undefined;
  /** Its elements, as long as all of them are leaves. */
  leaves: XmlLeaf[] | undefined;
  hasElements: boolean;
  /** Whether it has values that no record holds, since other elements of it hold elements. */
  isPassedOver: boolean;
  text: string;
}

/**
 * Keeps what may turn out to be a record: the leaves of open elements that hold nothing else. The records of an export
 * that only passes by are counted by another (`registry/exports/xml_records.ts`).
 */
class RecordFinder implements XmlSink {
  readonly records: XmlLeaf[][] = [];
  readonly #open: OpenElement[] = [];
  readonly #name: string;
  readonly #maxCharacters: number;
  #characters = 0;
  /** Names of elements that were passed over, each with its depth. */
  readonly #passedOver = new Set<string>();

  constructor(name: string, maxCharacters: number) {
    this.#name = name;
    this.#maxCharacters = maxCharacters;
  }

  onOpen({ own, written }: XmlName, attributes: XmlAttributes): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) {
      parent.hasElements = true;
      this.#drop(parent.text.length);
      parent.text = "";
    }
    const label = LABELS.find((label) => attributes.has(label));
    this.#open.push({
      name: own || written,
      label: label && attributes.get(label),
      leaves: [],
      hasElements: false,
      isPassedOver: false,
      text: "",
    });
  }

  onText(text: string): void {
    const element = this.#open[this.#open.length - 1];
    // Text between elements is white space, or a remark on them.
    if (element.hasElements) return;
    this.#characters += text.length;
    checkCharacters(this.#characters, this.#maxCharacters, this.#name);
    element.text += text;
  }

  onClose(): void {
    const { name, label, leaves, hasElements, text } = this.#open.pop()!;
    const parent = this.#open.at(-1);
    if (!hasElements) {
      if (parent?.leaves !== undefined) {
        // Blanks around an accession are no part of it, as where lines are broken to be read.
        const value = text.length < MAX_BLANKS && isAccession(text.trim()) ? text.trim() : text;
        this.#drop(text.length - value.length);
        return void parent.leaves.push({ name, label, text: value });
      }
      this.#drop(text.length);
      if (parent !== undefined) this.#passOver(parent, [{ name, label, text }]);
      return;
    }
    if (leaves !== undefined) {
      this.#drop(characterCount(leaves));
      if (parent !== undefined || !leaves.every(isBare) || new Set(leaves.map(({ name }) => name)).size > 1) {
        this.records.push(leaves);
      }
    }
    if (parent?.leaves === undefined) return;
    this.#drop(characterCount(parent.leaves));
    this.#passOver(parent, parent.leaves);
    parent.leaves = undefined;
  }

  /**
   * Values next to elements that hold elements are in no record. The total of a wrapper around all records is such a
   * value; where each of several elements has one, or one is an accession, records would lose their values.
   */
  #passOver(parent: OpenElement, leaves: readonly XmlLeaf[]): void {
    const values = leaves.filter(({ text }) => text.trim() !== "");
    const key = `${this.#open.length} ${parent.name}`;
    const isRepeated = values.length > 0 && !parent.isPassedOver && this.#passedOver.has(key);
    if (isRepeated || values.some(({ text }) => isAccession(text.trim()))) {
      throw new ParseError(
        `Cannot read ${this.#name}: <${parent.name}> has the value <${values[0].name}> next to elements that hold ` +
          "elements, as a record or as a page of records: the value would be in no record; request CSV",
      );
    }
    if (values.length === 0) return;
    parent.isPassedOver = true;
    this.#passedOver.add(key);
  }

  #drop(characters: number): void {
    this.#characters -= characters;
  }
}

/** Returns texts as soon as they are whole. */
class LeafFinder implements XmlSink {
  readonly texts: string[] = [];
  readonly #name: string;
  readonly #maxCharacters: number;
  #depth = 0;
  #text: string | undefined;

  constructor(name: string, maxCharacters: number) {
    this.#name = name;
    this.#maxCharacters = maxCharacters;
  }

  onOpen(): void {
    this.#depth++;
    this.#text = "";
  }

  onText(text: string): void {
    if (this.#text === undefined) return;
    this.#text += text;
    checkCharacters(this.#text.length, this.#maxCharacters, this.#name);
  }

  onClose(): void {
    this.#depth--;
    if (this.#text !== undefined && this.#depth > 0) this.texts.push(this.#text);
    this.#text = undefined;
  }
}

function checkCharacters(characters: number, most: number, name: string): void {
  if (characters > most) {
    throw new RangeError(
      `Cannot read ${name}: more than ${most} characters of XML without the end of a record; ask for CSV`,
    );
  }
}

function characterCount(leaves: readonly XmlLeaf[]): number {
  return leaves.reduce((sum, { text }) => sum + text.length, 0);
}

/** Nothing but a name: as a child of the root, a record without a field. */
function isBare({ text, label }: XmlLeaf): boolean {
  return text.trim() === "" && label === undefined;
}
