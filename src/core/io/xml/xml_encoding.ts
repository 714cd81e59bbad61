/**
 * The encoding that an XML document declares.
 *
 * @module
 */
import { TextFormError } from "../bytes/text_form_error.ts";

/** Bytes of a document that hold its declaration. */
export const DECLARATION_BYTES = 200;

/**
 * Makes the error of an XML document that is not UTF-8, which names the encoding that the document declares.
 *
 * @param head Its first bytes; {@linkcode DECLARATION_BYTES} are enough.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { notUtf8 } from "./xml_encoding.ts";
 *
 * const { message } = notUtf8(new TextEncoder().encode('<?xml version="1.0" encoding="ISO-8859-1"?>'), "the export");
 *
 * assertEquals(message, "Cannot read the export: it is encoded as ISO-8859-1, expected UTF-8");
 * ```
 */
export function notUtf8(head: Uint8Array, name: string, options?: ErrorOptions): TextFormError {
  const text = new TextDecoder("latin1").decode(head.subarray(0, DECLARATION_BYTES));
  const [, encoding] = /^<\?xml[^>]*?encoding=["']([A-Za-z][\w.-]{0,40})["']/.exec(text) ?? [];
  const isOther = encoding !== undefined && !/^utf-?8$/i.test(encoding);
  const what = isOther ? `it is encoded as ${encoding}, expected UTF-8` : "it is not valid UTF-8";
  return new TextFormError(`Cannot read ${name}: ${what}`, {}, options);
}
