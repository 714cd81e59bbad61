/** The encoding of XML documents. */
import { TextFormError } from "../bytes/text_form_error.ts";

/** Bytes of a document that hold its declaration. */
const DECLARATION_BYTES = 200;

/**
 * Makes a decoder of a document in UTF-8, which takes its chunks in order, and nothing at the end.
 *
 * @param name Named in the error of a document that is not UTF-8, with the encoding that the document declares.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { xmlDecoder } from "./xml_encoding.ts";
 *
 * const decode = xmlDecoder("the export");
 * decode(new TextEncoder().encode('<?xml version="1.0" encoding="ISO-8859-1"?>'));
 *
 * assertThrows(() => decode(Uint8Array.of(0xe9, 0x3c)), Error, "it is encoded as ISO-8859-1, expected UTF-8");
 * ```
 */
export function xmlDecoder(name: string): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let head = new Uint8Array(0);
  return (chunk) => {
    if (head.length === 0 && chunk !== undefined) head = chunk.slice(0, DECLARATION_BYTES);
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw notUtf8(head, name, { cause });
    }
  };
}

function notUtf8(head: Uint8Array, name: string, options: ErrorOptions): TextFormError {
  const text = new TextDecoder("latin1").decode(head);
  const [, encoding] = /^<\?xml[^>]*?encoding=["']([A-Za-z][\w.-]{0,40})["']/.exec(text) ?? [];
  const isOther = encoding !== undefined && !/^utf-?8$/i.test(encoding);
  const what = isOther ? `it is encoded as ${encoding}, expected UTF-8` : "it is not valid UTF-8";
  return new TextFormError(`Cannot read ${name}: ${what}`, {}, options);
}
