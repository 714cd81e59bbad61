/**
 * Reads which records an XML export holds, while its text goes by.
 *
 * The specification does not show the form of XML exports. So a record is recognised by its accession: an element or an
 * attribute that is called as the accession's field is, in any spelling, or `<field name="Registry Accession">`.
 *
 * @module
 */
import { ParseError } from "../errors.ts";
import { fieldAlias } from "../spec/field_alias.ts";
import { isAccession } from "../spec/accession.ts";
import { type Naming, SPECIFICATION_NAMING } from "../spec/naming.ts";

/** Longest tag, comment or declaration that is kept while its end is awaited. */
const MAX_MARKUP = 1 << 20;

/** What {@linkcode XmlRecords} takes. */
export interface XmlRecordsOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Named in errors. */
  readonly name?: string;
  /** Told of the accession of each record, in the order of the document. */
  readonly onAccession: (accession: string) => void;
}

/** Watches the text of one XML document: well-nested, one root, and which accessions it names. */
export class XmlRecords {
  readonly #spellings: ReadonlySet<string>;
  readonly #options: XmlRecordsOptions;
  readonly #open: string[] = [];
  /** Verdicts on opening tags, which repeat from record to record. */
  readonly #verdicts = new Map<string, boolean>();
  #rest = "";
  #text: string | undefined;
  #line = 1;
  #rooted = false;
  /** Elements directly below the root. */
  children = 0;

  /** Takes whom to tell, and the naming. */
  constructor(options: XmlRecordsOptions) {
    const naming = options.naming ?? SPECIFICATION_NAMING;
    this.#options = options;
    this.#spellings = new Set(
      [naming.accessionField, naming.accessionAlias, naming.accessionsKey, "accession"].map(fieldAlias),
    );
  }

  /** Takes the next text. @throws {ParseError} If tags do not nest or a second root begins. */
  push(text: string): void {
    const whole = this.#rest + text;
    let at = 0;
    for (;;) {
      const tag = whole.indexOf("<", at);
      if (tag === -1) break;
      const end = markupEnd(whole, tag);
      if (end === -1) {
        this.#takeText(whole.slice(at, tag));
        if (whole.length - tag > MAX_MARKUP) throw this.#error("a tag never ends");
        this.#rest = whole.slice(tag);
        return;
      }
      this.#takeText(whole.slice(at, tag));
      this.#takeMarkup(whole.slice(tag, end));
      at = end;
    }
    this.#rest = "";
    this.#takeText(whole.slice(at));
  }

  /** Ends the document. @throws {ParseError} If an element is still open, or there was none. */
  end(): void {
    if (this.#rest !== "") throw this.#error("it ends in the middle of a tag");
    if (this.#open.length > 0) throw this.#error(`it ends while <${this.#open.at(-1)}> is open`);
    if (!this.#rooted) throw this.#error("it has no element");
  }

  #takeText(text: string): void {
    for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) this.#line++;
    if (this.#text !== undefined && this.#text.length < 1000) this.#text += text;
    if (this.#open.length === 0 && text.trim() !== "" && text !== "\uFEFF") {
      throw this.#error("text stands outside its root");
    }
  }

  #takeMarkup(markup: string): void {
    if (markup.startsWith("<![CDATA[")) return this.#takeText(markup.slice(9, -3));
    for (let feed = markup.indexOf("\n"); feed !== -1; feed = markup.indexOf("\n", feed + 1)) this.#line++;
    if (markup.startsWith("<!") || markup.startsWith("<?")) return;
    if (markup.startsWith("</")) return this.#close(markup.slice(2, -1).trim());
    const name = /^<([^\s/>]+)/.exec(markup)?.[1];
    if (name === undefined) throw this.#error(`${JSON.stringify(markup.slice(0, 40))} is no tag`);
    if (this.#open.length === 0) {
      if (this.#rooted) throw this.#error("a second root begins");
      this.#rooted = true;
    }
    if (this.#open.length === 1) this.children++;
    // In a list without records the elements below the root hold nothing but accessions.
    this.#text = this.#isAccession(name, markup) || this.#open.length === 1 ? "" : undefined;
    if (!markup.endsWith("/>")) this.#open.push(name);
    else this.#text = undefined;
  }

  #close(name: string): void {
    const open = this.#open.pop();
    if (open !== name) throw this.#error(`</${name}> ends ${open === undefined ? "nothing" : `<${open}>`}`);
    const text = this.#text?.trim();
    this.#text = undefined;
    if (text !== undefined && isAccession(text)) this.#options.onAccession(text);
  }

  /** Whether an element's text is the accession of its record; an attribute that is one is told at once. */
  #isAccession(name: string, markup: string): boolean {
    const known = this.#verdicts.get(markup);
    if (known !== undefined) return known;
    const verdict = this.#judge(name, markup);
    if (this.#verdicts.size < 1000 && !markup.includes("vj")) this.#verdicts.set(markup, verdict);
    return verdict;
  }

  #judge(name: string, markup: string): boolean {
    const local = name.slice(name.indexOf(":") + 1);
    if (this.#spellings.has(fieldAlias(local))) return true;
    if (!markup.includes("=")) return false;
    for (const [, attribute, double, single] of markup.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      const value = double ?? single;
      if (this.#spellings.has(fieldAlias(value))) return true;
      if (this.#spellings.has(fieldAlias(attribute)) && isAccession(value)) this.#options.onAccession(value);
    }
    return false;
  }

  #error(what: string): ParseError {
    return new ParseError(`Cannot read ${this.#options.name ?? "the XML"}: ${what}`, { line: this.#line });
  }
}

/** Offset just after the markup that begins at an offset; -1 while its end has not come. */
export function markupEnd(text: string, start: number): number {
  for (const [begin, end] of [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"]]) {
    if (text.startsWith(begin, start)) {
      const at = text.indexOf(end, start + begin.length);
      return at === -1 ? -1 : at + end.length;
    }
    if (text.length - start < begin.length && begin.startsWith(text.slice(start))) return -1;
  }
  let quote = "";
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at];
    if (quote !== "") {
      if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ">") return at + 1;
  }
  return -1;
}
