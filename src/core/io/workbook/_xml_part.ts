/** Reads the XML files of a workbook, its parts. */
import { ParseError } from "../../errors.ts";
import { Yielder } from "../tasks/yield_to_event_loop.ts";
import { type XmlAttributes, type XmlSink, XmlTokens } from "../xml/xml_tokens.ts";
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";

/** Bytes that become text at a time: few enough for the memory of short-lived values, where texts are freed soonest. */
const PIECE_BYTES = 1 << 15;
/** Uncompressed bytes of a part that is held: lists of sheets, styles and relationships. */
const MAX_HELD_BYTES = 64 << 20;

/** Namespaces of references between parts: of the transitional and of the strict edition. */
const RELATIONSHIPS = [
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  "http://purl.oclc.org/ooxml/officeDocument/relationships",
];

/** Returns the relationship that an element refers to, `r:id`. */
export function relationshipId(attributes: XmlAttributes): string | undefined {
  const name = RELATIONSHIPS.map((uri) => `{${uri}}id`).find((name) => attributes.has(name));
  return name && attributes.get(name);
}

/** Returns whether an attribute of type xsd:boolean is true. */
export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/**
 * Reads a part in pieces; each piece has been passed to the sink when it is yielded.
 *
 * @throws {ParseError} If the part is damaged or not well-formed.
 */
export async function* readPart(
  archive: ZipArchive,
  entry: ZipEntry,
  sink: XmlSink,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal },
): AsyncGenerator<void> {
  const partName = `${entry.name} in ${name}`;
  const tokens = new XmlTokens(sink, partName);
  let decoder: TextDecoder | undefined;
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "";
    } catch (cause) {
      throw new ParseError(`Cannot read ${partName}: it is not valid ${decoder?.encoding}`, {}, { cause });
    }
  };
  const yielder = new Yielder();
  for await (const chunk of archive.read(entry, signal)) {
    await yielder.yieldWhenDue(signal);
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      tokens.push(decode(chunk.subarray(at, at + PIECE_BYTES)));
      yield;
    }
  }
  tokens.push(decode());
  tokens.end();
  yield;
}

/** Reads a small part to its end. @throws {ParseError} If it is damaged, not well-formed, or beyond 64 MiB. */
export async function readWholePart(
  archive: ZipArchive,
  entry: ZipEntry,
  sink: XmlSink,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<void> {
  if (entry.size > MAX_HELD_BYTES) {
    throw new ParseError(
      `Cannot read ${entry.name} in ${options.name}: it has more than 64 MiB; save the sheet as CSV`,
    );
  }
  for await (const _ of readPart(archive, entry, sink, options));
}

/** Parts are UTF-8, or UTF-16 with a byte order mark or, as `<` shows, without one. */
function encodingOf(head: Uint8Array): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe || first === LESS && second === 0) return "utf-16le";
  return first === 0xfe && second === 0xff || first === 0 && second === LESS ? "utf-16be" : "utf-8";
}

const LESS = 60;
