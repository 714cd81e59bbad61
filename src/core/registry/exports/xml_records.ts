/**
 * Reads which records an XML export holds, while its text goes by.
 *
 * The specification does not show the form of XML exports. So a record is recognised by its accession: an element or an
 * attribute that is called as the accession's field is, in any spelling, or `<field name="Registry Accession">`.
 *
 * The table of an export has a finder of its own (`tables/from/_xml_records.ts`), which knows records by their form and
 * keeps what is in one until it ends. This one keeps one text at a time, since an export that only passes by is of any
 * size. A test puts both before the same documents.
 */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { type XmlAttributes, type XmlName, type XmlSink, XmlTokens } from "../../io/xml/xml_tokens.ts";
import { isAccession } from "../../contract/accession.ts";
import type { Naming } from "../../contract/naming.ts";
import { accessionAliases } from "./export_fields.ts";

/** Characters of a text that may be an accession. */
const MAX_TEXT = 1000;

export interface XmlRecordsOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Named in errors. */
  readonly name?: string;
  /** Whether every element without elements holds an accession, as in an accession list. */
  readonly isList?: boolean;
  /** Called for the accession of each record, in the order of the document. */
  readonly onAccession: (accession: string) => void;
  /** Called for each invalid accession, which may be an empty text. */
  readonly onInvalid?: (text: string) => void;
}

/**
 * What the name of an element, or its attributes, say of its text: `similar` is the accession of a record that has no
 * other, as where a naming does not fit.
 */
type NameVerdict = "accession" | "maybe" | "similar" | "other";

/** Watches the text of one XML document: well-formed, and which accessions it names. */
export class XmlWatch implements XmlSink {
  readonly #spellings: ReadonlySet<string>;
  readonly #options: XmlRecordsOptions;
  readonly #tokens: XmlTokens;
  /** Verdicts on names, which repeat from record to record, as do attributes. */
  readonly #names = new Map<string, NameVerdict>();
  readonly #attributes = new WeakMap<XmlAttributes, NameVerdict>();
  /** What elements and their attributes are called, as aliases; as many as are remembered. */
  readonly aliases: Set<string> = new Set();
  #depth = 0;
  #text: string | undefined;
  #verdict: NameVerdict = "other";
  /** An accession of an element that is called similarly, and the depth of the element around it. */
  #similar: { readonly text: string; readonly depth: number } | undefined;
  /** Depth of the element whose accession has been reported. */
  #reported = -1;
  /** What the root is called. */
  root = "";
  /** Elements directly below the root. */
  children = 0;
  /** Whether the root holds text of its own, as a notice may. */
  rootHasText = false;
  /** Whether an element is called as the accession's field is. */
  namesAccession = false;

  /** Takes callbacks and the naming. */
  constructor(options: XmlRecordsOptions) {
    this.#options = options;
    this.#tokens = new XmlTokens(this, options.name);
    this.#spellings = accessionAliases(options.naming);
  }

  /** Takes the next text. @throws {ParseError} If the document is not well-formed up to here. */
  push(text: string): void {
    this.#tokens.push(text);
  }

  /** Ends the document. @throws {ParseError} If it is not whole. */
  end(): void {
    this.#tokens.end();
  }

  onOpen(name: XmlName, attributes: XmlAttributes): void {
    if (this.#depth === 0) this.root = name.own || name.written;
    if (this.#depth === 1) this.children++;
    const called = this.#verdictOf(name.own || name.written);
    const labelled = this.#verdictOfAttributes(attributes);
    // In a list without records the elements below the root hold nothing but accessions.
    this.#verdict = called === "accession" || labelled === "accession"
      ? "accession"
      : called === "maybe" || this.#depth === 1 || this.#options.isList
      ? "maybe"
      : called === "similar" || labelled === "similar"
      ? "similar"
      : "other";
    this.#text = this.#verdict === "other" && this.#depth > 0 ? undefined : "";
    this.#depth++;
  }

  /** Whether the innermost element may hold an accession. */
  get wantsText(): boolean {
    return this.#text !== undefined && this.#text.length < MAX_TEXT;
  }

  /** Text of the innermost element. */
  onText(text: string): void {
    if (this.#depth === 1 && text.trim() !== "") this.rootHasText = true;
    if (this.wantsText) this.#text += text;
  }

  onClose(): void {
    this.#depth--;
    const text = this.#text?.trim();
    this.#text = undefined;
    if (this.#depth < Math.max(this.#similar?.depth ?? 0, this.#reported)) this.#endRecord();
    if (text === undefined || this.#depth === 0) return;
    this.namesAccession ||= this.#verdict === "accession";
    if (isAccession(text) && this.#verdict === "similar") this.#similar ??= { text, depth: this.#depth };
    else if (isAccession(text)) {
      this.#reported = this.#depth;
      this.#options.onAccession(text);
    } else if (this.#verdict === "accession" || this.#options.isList && text !== "") this.#options.onInvalid?.(text);
  }

  #endRecord(): void {
    if (this.#similar !== undefined && this.#reported !== this.#similar.depth) {
      this.#options.onAccession(this.#similar.text);
    }
    this.#similar = undefined;
    this.#reported = -1;
  }

  #verdictOf(name: string): NameVerdict {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const alias = fieldAlias(name);
    // "accession" may be that of another database as well.
    const verdict = this.#spellings.has(alias) ? "accession" : alias === "accession" ? "maybe" : similarity(alias);
    if (this.#names.size < 1000) {
      this.#names.set(name, verdict);
      this.aliases.add(alias);
    }
    return verdict;
  }

  /** Whether attributes call an element as the accession is; one that is an accession is reported at once. */
  #verdictOfAttributes(attributes: XmlAttributes): NameVerdict {
    if (attributes.size === 0) return "other";
    const known = this.#attributes.get(attributes);
    if (known !== undefined) return known;
    let isReported = false;
    let verdict: NameVerdict = "other";
    for (const [attribute, value] of attributes) {
      const label = fieldAlias(value);
      if (this.aliases.size < 2000) this.aliases.add(label).add(fieldAlias(attribute));
      if (this.#spellings.has(label)) verdict = "accession";
      else if (this.#isCalledSo(fieldAlias(attribute)) && isAccession(value)) {
        this.#options.onAccession(value);
        isReported = true;
      } else if (verdict === "other") verdict = similarity(label);
    }
    if (!isReported) this.#attributes.set(attributes, verdict);
    return verdict;
  }

  #isCalledSo(alias: string): boolean {
    return alias === "accession" || this.#spellings.has(alias);
  }
}

function similarity(alias: string): NameVerdict {
  return alias.endsWith("_accession") ? "similar" : "other";
}
