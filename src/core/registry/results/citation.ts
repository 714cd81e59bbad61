/** A citation in every form that reference managers, journals and repositories read. */
import { DISPLAY, type Displayable, type MediaBundle } from "../../io/display/display.ts";
import { DATA_CLASS, escapeHtml, visible } from "../../io/display/html.ts";

/** A citation of data. Printed or shown, it is the sentence and, below it, the BibTeX. */
export interface Citation extends Displayable {
  /**
   * One or more sentences for a methods section: what, from where, when, how many, how complete, with what. Where a
   * digest is known they end in the {@linkcode Citation.signature}.
   */
  readonly sentence: string;
  /** Two BibTeX entries: the data as it was retrieved, and the toolkit. Values are escaped for LaTeX. */
  readonly bibtex: string;
  /** The same two as CSL-JSON, which Zotero, Pandoc and most reference managers read. */
  readonly cslJson: string;
  /** The data as a `CITATION.cff` of version 1.2.0. */
  readonly cff: string;
  /** Key of the data's entry. */
  readonly key: string;
  /**
   * What signs the citation, `hash://sha256/…`: the SHA-256 of the bytes that are cited; `null` without a digest.
   *
   * @see Elliott, Poelen and Fortes, Signing data citations enables data verification and citation persistence,
   * Scientific Data 10 (2023), doi 10.1038/s41597-023-02230-y.
   */
  readonly signature: string | null;
  /** The sentence, an empty line and the BibTeX. */
  toString(): string;
}

/** What a citation is made of. */
export interface CitedData {
  readonly sentence: string;
  readonly key: string;
  readonly title: string;
  /** Where it was published, in words. */
  readonly place?: string;
  readonly url?: string;
  /** Day it was retrieved or made: `2026-01-31`. */
  readonly day?: string;
  readonly note: string;
  /** SHA-256 of what is cited, 64 hexadecimal digits. */
  readonly sha256: string | null;
  /** Name and version, such as `seqreg 0.3.0`. */
  readonly toolkit: string;
}

/** What stands for authors whom a registry does not name. */
const UNKNOWN_AUTHORS = "Contributors to the sequence registry";

export function writeCitation(data: CitedData): Citation {
  return new CitationText(data);
}

class CitationText implements Citation {
  readonly sentence: string;
  readonly bibtex: string;
  readonly cslJson: string;
  readonly cff: string;
  readonly key: string;
  readonly signature: string | null;

  constructor(data: CitedData) {
    this.sentence = data.sentence;
    this.key = data.key;
    this.signature = signatureOf(data.sha256);
    this.bibtex = bibtexOf(data);
    this.cslJson = cslJsonOf(data);
    this.cff = cffOf(data);
  }

  toString(): string {
    return `${this.sentence}\n\n${this.bibtex}`;
  }

  [DISPLAY](): MediaBundle {
    // A digest is longer than a narrow cell.
    const html = `<p style="overflow-wrap:anywhere">${escapeHtml(this.sentence)}</p>` +
      `<pre style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(this.bibtex)}</pre>`;
    return { "text/plain": visible(this.toString()), "text/html": `<div class="${DATA_CLASS}">${html}</div>` };
  }

  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}

/** Writes a digest as a content address: `hash://sha256/…`. */
export function signatureOf(sha256: string): string;
export function signatureOf(sha256: string | null): string | null;
export function signatureOf(sha256: string | null): string | null {
  return sha256 === null ? null : `hash://sha256/${sha256.toLowerCase()}`;
}

function softwareOf({ toolkit, day }: CitedData) {
  const [name, version = ""] = toolkit.split(" ");
  return {
    key: `${name}-${version}`.replace(/[^A-Za-z0-9.-]+/g, "-"),
    title: `${name}: complete or explained access to a sequence registry`,
    version,
    ...day !== undefined && { year: day.slice(0, 4) },
  };
}

function bibtexOf(data: CitedData): string {
  const { key, title, place, url, day, note, sha256 } = data;
  const { key: softwareKey, ...software } = softwareOf(data);
  return [
    entry("misc", key, {
      title,
      ...place !== undefined && { howpublished: place },
      ...url !== undefined && { url },
      ...day !== undefined && { year: day.slice(0, 4), urldate: day },
      note: sha256 === null ? note : `${note}; ${signatureOf(sha256)}`,
    }),
    entry("software", softwareKey, software),
  ].join("\n\n");
}

function cslJsonOf(data: CitedData): string {
  const { key, title, place, url, day, note, sha256 } = data;
  const software = softwareOf(data);
  const date = (text: string) => ({ "date-parts": [text.split("-").map(Number)] });
  const items = [
    {
      id: key,
      type: "dataset",
      title,
      ...place !== undefined && { source: place },
      ...url !== undefined && { URL: url },
      ...day !== undefined && { issued: date(day.slice(0, 4)), accessed: date(day) },
      note: sha256 === null ? note : `${note}; ${signatureOf(sha256)}`,
    },
    {
      id: software.key,
      type: "software",
      title: software.title,
      version: software.version,
      ...software.year !== undefined && { issued: date(software.year) },
    },
  ];
  return JSON.stringify(items, null, 2);
}

/** Writes YAML whose values are JSON, which YAML 1.2 includes: nothing in a value can end it. */
function cffOf({ sentence, title, url, day, sha256 }: CitedData): string {
  const text = (value: string) => JSON.stringify(value);
  return [
    `cff-version: 1.2.0`,
    `message: ${text("If you use these data, please cite them as below.")}`,
    `type: dataset`,
    `title: ${text(title)}`,
    `authors:`,
    `  - name: ${text(UNKNOWN_AUTHORS)}`,
    `abstract: ${text(sentence)}`,
    ...url === undefined ? [] : [`url: ${text(url)}`],
    ...day === undefined ? [] : [`date-released: ${text(day)}`],
    ...sha256 === null ? [] : [
      `identifiers:`,
      `  - type: other`,
      `    value: ${text(signatureOf(sha256))}`,
      `    description: ${text("SHA-256 of the bytes that are cited")}`,
    ],
    "",
  ].join("\n");
}

function entry(type: string, key: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) =>
    `  ${name} = {${name === "url" ? escapeUrl(value) : escapeLatex(value)}},`
  );
  return [`@${type}{${key},`, ...lines, "}"].join("\n");
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
};

/** LaTeX reads ten characters as commands, and BibTeX counts braces: each stands as itself. */
function escapeLatex(text: string): string {
  return text.replace(/[\\{}$&#_%~^<>]/g, (character) => LATEX[character] ?? `\\${character}`)
    // BibTeX counts even escaped braces.
    .replaceAll("\\{", "\\textbraceleft{}").replaceAll("\\}", "\\textbraceright{}");
}

/** A `url` field is verbatim: only what would end it is written otherwise. */
function escapeUrl(text: string): string {
  return new URL(text).href.replace(/[{}\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
