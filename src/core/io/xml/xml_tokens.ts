/**
 * Reads XML as it comes: elements, texts and nothing else, in memory that does not grow with the document.
 *
 * Own code instead of `saxes`: `deno task bench own_code`, row "XML export to records".
 *
 * What an export may hold is read: elements, attributes, texts, CDATA, comments, processing instructions, the five
 * named references and those by number. Names are pairs of namespace and local name (Namespaces in XML 1.0). A DOCTYPE
 * is refused, since what it may define is never needed and can be dangerous.
 */
import { ParseError } from "../../errors.ts";
import { isDeclaration, type XmlName, XmlScope } from "./_xml_scope.ts";

export type { XmlName };

/** Longest tag that is kept while its end is awaited. */
const MAX_MARKUP = 1 << 20;
/** Elements within each other at most. */
const MAX_DEPTH = 1000;
/** Characters of a reference at most: `&#x10FFFF;`. */
const MAX_REFERENCE = 12;
/** Opening tags that are remembered, since they repeat from record to record. */
const MAX_TAGS = 1000;

/**
 * Attributes of an element, by name: `id` without a prefix, `{urn:x}id` with one that stands for the namespace `urn:x`.
 * Declarations of namespaces are not among them.
 */
export type XmlAttributes = ReadonlyMap<string, string>;

/** Receives the parts of a document, in order. */
export interface XmlSink {
  onOpen(name: XmlName, attributes: XmlAttributes): void;
  /** Whether the text that comes next is of use; true when absent. What is not wanted is not looked at. */
  readonly wantsText?: boolean;
  /** Whether opening tags repeat, attributes included, so that remembering them saves time; true when absent. */
  readonly tagsRepeat?: boolean;
  /** Text of the innermost element, or a part of it; references are replaced. */
  onText(text: string): void;
  onClose(name: XmlName): void;
}

interface Tag {
  readonly name: XmlName;
  readonly attributes: XmlAttributes;
  readonly isEmpty: boolean;
  /** The namespaces within the element. */
  readonly scope: XmlScope<Tag>;
}

/** Text between these is not markup; it is kept or left out. */
const SECTIONS = [
  { begin: "<!--", end: "-->", isText: false },
  { begin: "<![CDATA[", end: "]]>", isText: true },
  { begin: "<?", end: "?>", isText: false },
] as const;

/** Takes the text of one document, chunk by chunk, and checks that it is well-formed. */
export class XmlTokens {
  readonly #sink: XmlSink;
  readonly #name: string;
  readonly #open: XmlName[] = [];
  /** Namespaces of the innermost open element, and those around it with the number of elements open outside. */
  #scope: XmlScope<Tag> = new XmlScope();
  readonly #outer: { readonly scope: XmlScope<Tag>; readonly depth: number }[] = [];
  #remembered = 0;
  /** Whether the attributes of a tag neither have prefixes nor declare namespaces. */
  #isPlain = true;
  #section: typeof SECTIONS[number] | undefined;
  #text = "";
  #at = 0;
  #return = "";
  #lines = 0;
  #hasRoot = false;

  /** Takes the receiver, and the name of the document in errors. */
  constructor(sink: XmlSink, name = "the XML") {
    this.#sink = sink;
    this.#name = name;
  }

  /** Takes the next text. @throws {ParseError} If the document is not well-formed up to here. */
  push(text: string): void {
    this.#text += this.#joinLines(text);
    while (this.#section === undefined ? this.#takeToken() : this.#takeSection());
    this.#lines += countLines(this.#text, this.#at);
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
    if (this.#text.length > MAX_MARKUP) throw this.#error(`a tag does not end within ${MAX_MARKUP} characters`);
  }

  /** Ends the document. @throws {ParseError} If it is not whole. */
  end(): void {
    if (this.#return !== "") {
      this.#return = "";
      this.push("\n");
    }
    if (this.#section !== undefined || this.#text.startsWith("<")) throw this.#error("it ends in the middle of a tag");
    if (this.#text !== "") this.#giveText(this.#text);
    if (this.#open.length > 0) throw this.#error(`it ends while <${this.#open.at(-1)?.written}> is open`);
    if (!this.#hasRoot) throw this.#error("it has no element");
  }

  /** Line ends of every kind are one line feed, as XML has it. */
  #joinLines(text: string): string {
    const whole = this.#return + text;
    this.#return = whole.endsWith("\r") ? "\r" : "";
    const taken = this.#return === "" ? whole : whole.slice(0, -1);
    return taken.includes("\r") ? taken.replace(/\r\n?/g, "\n") : taken;
  }

  /** Takes text up to markup, or one piece of markup; `false` when more has to come first. */
  #takeToken(): boolean {
    const mark = this.#text.indexOf("<", this.#at);
    if (mark !== this.#at) {
      const end = mark === -1 ? referenceStart(this.#text, this.#at) : mark;
      if (end === this.#at) return false;
      this.#giveText(this.#text.slice(this.#at, end));
      this.#at = end;
      return mark !== -1;
    }
    const next = this.#text.charCodeAt(mark + 1);
    // At the end of the text it is not a number.
    if (next === EXCLAMATION || next === QUESTION || Number.isNaN(next)) {
      const section = SECTIONS.find(({ begin }) => this.#text.startsWith(begin, mark));
      if (section !== undefined) {
        this.#section = section;
        this.#at += section.begin.length;
        return true;
      }
      const rest = this.#text.slice(mark, mark + SECTIONS[1].begin.length);
      if (SECTIONS.some(({ begin }) => begin.length > rest.length && begin.startsWith(rest))) return false;
    }
    const end = tagEnd(this.#text, mark);
    if (end === -1) return false;
    this.#takeTag(this.#text.slice(mark, end));
    this.#at = end;
    return true;
  }

  /** Goes on in a comment, a CDATA section or a processing instruction. */
  #takeSection(): boolean {
    const { end, isText } = this.#section!;
    const close = this.#text.indexOf(end, this.#at);
    const stop = close === -1 ? Math.max(this.#at, this.#text.length - end.length + 1) : close;
    if (isText && stop > this.#at) this.#give(this.#text.slice(this.#at, stop));
    this.#at = close === -1 ? stop : close + end.length;
    if (close === -1) return false;
    this.#section = undefined;
    return true;
  }

  #giveText(text: string): void {
    if (this.#open.length > 0 && this.#sink.wantsText === false) return;
    this.#give(text.includes("&") ? this.#replaceReferences(text) : text);
  }

  #give(text: string): void {
    if (this.#open.length > 0) this.#sink.onText(text);
    else if (text.trim() !== "") throw this.#error("text stands outside its root");
  }

  #takeTag(markup: string): void {
    if (markup.startsWith("</")) {
      const name = markup.slice(2, -1).trimEnd();
      const open = this.#open.pop();
      if (open?.written !== name) {
        throw this.#error(`</${name}> ends ${open === undefined ? "nothing" : `<${open.written}>`}`);
      }
      if (this.#outer.at(-1)?.depth === this.#open.length) this.#scope = this.#outer.pop()!.scope;
      return this.#sink.onClose(open);
    }
    if (markup.charCodeAt(1) === EXCLAMATION && /^<!DOCTYPE/i.test(markup)) {
      throw this.#error("it declares a DOCTYPE, which could define entities and is refused");
    }
    const { name, attributes, isEmpty, scope } = this.#readTag(markup);
    if (this.#open.length === 0 && this.#hasRoot) throw this.#error("a second root begins");
    if (this.#open.length >= MAX_DEPTH) throw this.#error(`more than ${MAX_DEPTH} elements are within each other`);
    this.#hasRoot = true;
    this.#sink.onOpen(name, attributes);
    if (isEmpty) return this.#sink.onClose(name);
    if (scope !== this.#scope) {
      this.#outer.push({ scope: this.#scope, depth: this.#open.length });
      this.#scope = scope;
    }
    this.#open.push(name);
  }

  #readTag(markup: string): Tag {
    const repeats = this.#sink.tagsRepeat !== false;
    const known = repeats ? this.#scope.tags.get(markup) : undefined;
    if (known !== undefined) return known;
    const written = tagName(markup);
    if (written === undefined) throw this.#error(`${quote(markup)} is no tag`);
    const isEmpty = markup.charCodeAt(markup.length - 2) === SLASH;
    this.#isPlain = true;
    const found = this.#readAttributes(markup, written.length + 1, markup.length - (isEmpty ? 2 : 1));
    const scope = this.#isPlain ? this.#scope : this.#scope.within(found);
    const attributes = this.#isPlain ? found : this.#resolve(found, scope, markup);
    const tag = { name: scope.nameOf(written), attributes, isEmpty, scope };
    if (repeats && this.#remembered < MAX_TAGS && markup.length < 1000) {
      this.#scope.tags.set(markup, tag);
      this.#remembered++;
    }
    return tag;
  }

  /** Names attributes by their namespaces, and leaves out declarations. */
  #resolve(attributes: XmlAttributes, scope: XmlScope<Tag>, markup: string): XmlAttributes {
    const resolved = new Map<string, string>();
    for (const [written, value] of attributes) {
      if (isDeclaration(written)) continue;
      const name = scope.attributeName(written);
      if (resolved.has(name)) throw this.#error(`${quote(markup)} has the attribute ${name} twice`);
      resolved.set(name, value);
    }
    return resolved;
  }

  /** Reads the attributes between two offsets of a tag. */
  #readAttributes(markup: string, begin: number, end: number): XmlAttributes {
    if (begin === end) return NO_ATTRIBUTES;
    const attributes = new Map<string, string>();
    for (let at = begin;;) {
      const start = skipBlanks(markup, at);
      if (start >= end) return attributes;
      let nameEnd = start;
      while (nameEnd < end && !endsAttributeName(markup.charCodeAt(nameEnd))) nameEnd++;
      const equals = skipBlanks(markup, nameEnd);
      const open = skipBlanks(markup, equals + 1);
      const mark = markup[open];
      const close = mark === '"' || mark === "'" ? markup.indexOf(mark, open + 1) : -1;
      const isValid = start > at && nameEnd > start && markup.charCodeAt(equals) === EQUALS && close !== -1 &&
        close < end;
      const value = markup.slice(open + 1, close);
      if (!isValid || value.includes("<")) throw this.#error(`${quote(markup)} is no tag`);
      const name = markup.slice(start, nameEnd);
      if (nameEnd - start > 1 && (name.includes(":") || name === "xmlns")) this.#isPlain = false;
      if (attributes.has(name)) throw this.#error(`${quote(markup)} has the attribute ${name} twice`);
      attributes.set(name, value.includes("&") ? this.#replaceReferences(value) : value);
      at = close + 1;
    }
  }

  #replaceReferences(text: string): string {
    return text.replace(/&([^;&]{1,10};)?/g, (reference, name: string | undefined) => {
      const character = name === undefined ? undefined : NAMED[name.slice(0, -1)] ?? characterOf(name);
      if (character === undefined) throw this.#error(`${quote(reference)} is no reference of XML`);
      return character;
    });
  }

  #error(what: string): ParseError {
    const line = 1 + this.#lines + countLines(this.#text, this.#at);
    return new ParseError(`Cannot read ${this.#name}: ${what}`, { line });
  }
}

const NAMED: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
});

/** The character of a reference by number, `#65;` or `#x41;`. */
function characterOf(name: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(name) ?? [];
  const code = hexadecimal !== undefined ? parseInt(hexadecimal, 16) : decimal !== undefined ? Number(decimal) : 0;
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** Where a reference begins whose end has not come; else the end of the text. */
function referenceStart(text: string, from: number): number {
  const start = text.lastIndexOf("&");
  const isOpen = start >= from && text.length - start < MAX_REFERENCE && !text.includes(";", start);
  return isOpen ? start : text.length;
}

/** Offset just after the tag that begins at an offset; -1 while its end has not come. */
function tagEnd(text: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === GREATER) return at + 1;
    else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
  }
  return -1;
}

/** The name of an element at the beginning of its tag. */
function tagName(markup: string): string | undefined {
  // Most names are of ASCII letters alone and end at a blank, `/` or `>`.
  let end = 1;
  while (isAsciiLetter(markup.charCodeAt(end))) end++;
  const next = markup.charCodeAt(end);
  if (end > 1 && (next === SPACE || next === GREATER || next === SLASH)) return markup.slice(1, end);
  return /^<([\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7-]*)/u.exec(markup)?.[1];
}

function isAsciiLetter(code: number): boolean {
  return code >= 97 && code <= 122 || code >= 65 && code <= 90;
}

/** Whether a character cannot be part of an attribute's name: a blank, `=`, a quote, `/`, `<` or `>`. */
function endsAttributeName(code: number): boolean {
  return code === EQUALS || isBlank(code) || code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === SLASH ||
    code === LESS || code === GREATER;
}

/** Offset of the first character from `at` on that is not white space. */
function skipBlanks(text: string, at: number): number {
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** White space as XML 1.0 defines it; carriage returns have become line feeds. */
function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB;
}

const NO_ATTRIBUTES: XmlAttributes = new Map();

const [TAB, LINE_FEED, SPACE, EXCLAMATION, DOUBLE_QUOTE, SINGLE_QUOTE] = [9, 10, 32, 33, 34, 39];
const [SLASH, LESS, EQUALS, GREATER, QUESTION] = [47, 60, 61, 62, 63];

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let feed = text.indexOf("\n"); feed !== -1 && feed < end; feed = text.indexOf("\n", feed + 1)) lines++;
  return lines;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
