/** Texts of a workbook: those that cells share, and how characters are escaped in them. */
import { ParseError } from "../../errors.ts";
import type { XmlName, XmlSink } from "../xml/xml_tokens.ts";
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";
import { readPart } from "./_xml_part.ts";

/** Approximate memory of shared texts at most, in bytes: characters, and some for each text. */
const MAX_TEXT_BYTES = 1 << 30;
const BYTES_OF_TEXT = 32;
/** Characters of one cell at most. A spreadsheet program allows 32,767. */
export const MAX_CELL_CHARACTERS = 1 << 20;

/**
 * Reads the texts that cells share, without the phonetic hints of East Asian scripts.
 *
 * @throws {ParseError} If they are malformed, or need more than 1 GiB of memory.
 */
export async function readSharedTexts(
  archive: ZipArchive,
  entry: ZipEntry,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const sink = new SharedStrings(`${entry.name} in ${options.name}`);
  for await (const _ of readPart(archive, entry, sink, options));
  return sink.texts;
}

class SharedStrings implements XmlSink {
  readonly texts: string[] = [];
  wantsText = false;
  readonly #name: string;
  #text = "";
  #phonetic = 0;
  #bytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  onOpen({ own }: XmlName): void {
    switch (own) {
      case "si":
        this.#text = "";
        break;
      case "rPh":
        this.#phonetic++;
        break;
      case "t":
        this.wantsText = this.#phonetic === 0;
    }
  }

  onText(text: string): void {
    if (!this.wantsText) return;
    this.#text += text;
    if (this.#text.length > MAX_CELL_CHARACTERS) {
      throw new ParseError(
        `Cannot read ${this.#name}: text ${this.texts.length + 1} has more than a million characters`,
      );
    }
  }

  onClose({ own }: XmlName): void {
    switch (own) {
      case "t":
        this.wantsText = false;
        break;
      case "rPh":
        this.#phonetic--;
        break;
      case "si": {
        this.texts.push(unescapeText(this.#text));
        this.#bytes += BYTES_OF_TEXT + this.#text.length;
        if (this.#bytes <= MAX_TEXT_BYTES) return;
        throw new ParseError(
          `Cannot read ${this.#name}: its texts need more than 1 GiB of memory; save the sheet as CSV`,
        );
      }
    }
  }
}

/**
 * Replaces the characters that a workbook escapes since XML cannot hold them: `_x000D_` is a carriage return, `_x005F_`
 * an underscore.
 *
 * @see ECMA-376, part 1, 22.9.2.19 (`ST_Xstring`).
 */
export function unescapeText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toWellFormed();
}
