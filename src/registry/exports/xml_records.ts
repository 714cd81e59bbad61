/**
 * Reads which records an XML export holds, while its text goes by.
 *
 * The specification does not show the form of XML exports. So a record is recognised by its accession: an element or an
 * attribute that is called as the accession's field is, in any spelling, or `<field name="Registry Accession">`.
 *
 * @module
 */
import { fieldAlias } from "../../contract/field_alias.ts";
import { type XmlAttributes, type XmlSink, XmlTokens } from "../../io/xml/xml_tokens.ts";
import { isAccession } from "../../contract/accession.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";

/** Letters of a text that may be an accession. */
const MOST_LETTERS = 1000;

/** What {@linkcode XmlRecords} takes. */
export interface XmlRecordsOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Named in errors. */
  readonly name?: string;
  /** Told of the accession of each record, in the order of the document. */
  readonly onAccession: (accession: string) => void;
}

/** Watches the text of one XML document: well-formed, and which accessions it names. */
export class XmlRecords implements XmlSink {
  readonly #spellings: ReadonlySet<string>;
  readonly #onAccession: (accession: string) => void;
  readonly #tokens: XmlTokens;
  /** Verdicts on names, which repeat from record to record, as do attributes. */
  readonly #names = new Map<string, boolean>();
  readonly #attributes = new WeakMap<XmlAttributes, boolean>();
  #depth = 0;
  #text: string | undefined;
  /** Elements directly below the root. */
  children = 0;

  /** Takes whom to tell, and the naming. */
  constructor({ naming = SPECIFICATION_NAMING, name, onAccession }: XmlRecordsOptions) {
    this.#onAccession = onAccession;
    this.#tokens = new XmlTokens(this, name);
    this.#spellings = new Set(
      [naming.accessionField, naming.accessionAlias, naming.accessionsKey, "accession"].map(fieldAlias),
    );
  }

  /** Takes the next text. @throws {ParseError} If the document is not well-formed up to here. */
  push(text: string): void {
    this.#tokens.push(text);
  }

  /** Ends the document. @throws {ParseError} If it is not whole. */
  end(): void {
    this.#tokens.end();
  }

  /** An element begins. */
  onOpen(name: string, attributes: XmlAttributes): void {
    if (this.#depth === 1) this.children++;
    // In a list without records the elements below the root hold nothing but accessions.
    const mayBe = this.#isCalledSo(name) || this.#saysSo(attributes) || this.#depth === 1;
    this.#text = mayBe ? "" : undefined;
    this.#depth++;
  }

  /** Whether the innermost element may hold an accession. */
  get wantsText(): boolean {
    return this.#text !== undefined && this.#text.length < MOST_LETTERS;
  }

  /** Text of the innermost element. */
  onText(text: string): void {
    if (this.wantsText) this.#text += text;
  }

  /** The innermost element ends. */
  onClose(): void {
    this.#depth--;
    const text = this.#text?.trim();
    this.#text = undefined;
    if (text !== undefined && isAccession(text)) this.#onAccession(text);
  }

  #isCalledSo(name: string): boolean {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const verdict = this.#spellings.has(fieldAlias(name.slice(name.indexOf(":") + 1)));
    if (this.#names.size < 1000) this.#names.set(name, verdict);
    return verdict;
  }

  /** Whether attributes call an element as the accession is; one that is an accession is told at once. */
  #saysSo(attributes: XmlAttributes): boolean {
    if (attributes.size === 0) return false;
    const known = this.#attributes.get(attributes);
    if (known !== undefined) return known;
    let isTold = false;
    for (const [attribute, value] of attributes) {
      if (this.#spellings.has(fieldAlias(value))) return this.#note(attributes, true);
      if (this.#spellings.has(fieldAlias(attribute)) && isAccession(value)) {
        this.#onAccession(value);
        isTold = true;
      }
    }
    return isTold ? false : this.#note(attributes, false);
  }

  #note(attributes: XmlAttributes, verdict: boolean): boolean {
    this.#attributes.set(attributes, verdict);
    return verdict;
  }
}
