/**
 * Joins the exports of several batches into one valid file.
 *
 * The first export comes out as the registry sent it; of the others only what begins and ends a file goes: a CSV's and
 * a TSV's header, a FASTA's `;fields=` line, the declaration and the root's tags of XML.
 */
import { ParseError } from "../../errors.ts";
import { scanExport } from "./export_scan.ts";
import type { ExportScanOptions, ExportType } from "./scan_options.ts";
import { CsvSplitter } from "../../io/csv/csv_splitter.ts";
import { BYTE_ORDER_MARK } from "../../io/bytes/byte_order_mark.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";

/** Longest header line, or begin of an XML document, that is waited for. */
const MAX_HEAD = 1 << 20;
const LF = 10;

/**
 * Joins exports of the same kind, in order.
 *
 * @param parts The exports, each asked for when the one before is at its end.
 * @param options Naming, and callbacks for each record.
 * @returns The bytes of one valid file; those of the one export, untouched, where there is only one. Chunks are the
 * reader's to keep.
 * @throws {ParseError} If an export breaks its format, or its header or root differs from the first one's.
 * @see Not shown in the specification: batches are how a toolkit asks for more than a selection may hold (section 8).
 */
export function mergeExports(
  fileType: ExportType,
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  switch (fileType) {
    case "xml":
      return mergeXml(parts, options);
    case "fasta":
      // One scanner for the file that comes of it: its lines and ids are counted through.
      return scanExport("fasta", mergeLines(parts, fieldsHeader, options), options);
    case "csv":
    case "tsv": {
      const scanned = (async function* () {
        for await (const part of parts) yield scanExport(fileType, part, options);
      })();
      return mergeLines(scanned, fileType === "csv" ? rowHeader : lineHeader, options);
    }
  }
}

/** Joins files whose header is recognised by its lines. */
async function* mergeLines(
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
  headerOf: (bytes: Uint8Array) => number,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  let first: string | undefined;
  let last = LF;
  for await (const part of parts) {
    let head: Uint8Array | undefined = new Uint8Array(0);
    let lacksLineEnd = last !== LF;
    for await (const chunk of part) {
      let rest: Uint8Array = chunk.slice();
      if (head !== undefined) {
        head = joinBytes([head, rest]);
        const end = headerOf(head);
        if (end === -1 && head.length > MAX_HEAD) throw mismatch(options, "its first line never ends");
        if (end === -1) continue;
        rest = takeHead(head, end);
        head = undefined;
      }
      if (rest.length === 0) continue;
      yield lacksLineEnd ? joinBytes([new Uint8Array([LF]), rest]) : rest;
      last = rest[rest.length - 1];
      lacksLineEnd = false;
    }
    if (head === undefined || head.length === 0) continue;
    // A file of one line without its end: a header, or one accession.
    const end = headerOf(joinBytes([head, new Uint8Array([LF])]));
    const rest = takeHead(head, end === -1 ? head.length : Math.min(end, head.length));
    if (rest.length === 0) continue;
    yield lacksLineEnd ? joinBytes([new Uint8Array([LF]), rest]) : rest;
    last = rest[rest.length - 1];
  }

  function takeHead(head: Uint8Array, end: number): Uint8Array {
    const header = new TextDecoder().decode(head.subarray(0, end)).replace(/\r?\n$/, "");
    if (first === undefined) {
      first = header;
      return head;
    }
    // A mark of the byte order stands at the beginning of a file alone.
    if (header === first) return head.slice(Math.max(end, markEnd(head)));
    throw mismatch(options, `it begins with ${quote(header)}, the first batch with ${quote(first)}`);
  }
}

/** End of the byte order mark; 0 without one. */
function markEnd(bytes: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
}

/** End of a CSV's header row: just after its line feed; -1 while it has not come. */
function rowHeader(bytes: Uint8Array): number {
  const splitter = new CsvSplitter();
  splitter.push(bytes);
  return splitter.firstRowEnd;
}

/** End of a TSV's header; 0 when the list has none and begins with an accession. */
function lineHeader(bytes: Uint8Array): number {
  const end = bytes.indexOf(LF) + 1;
  if (end === 0) return -1;
  return /^vj[0-9]{12}[\t\r\n]/.test(new TextDecoder().decode(bytes.subarray(0, Math.min(end, 64)))) ? 0 : end;
}

/** End of the `;fields=` line; 0 when the FASTA has none. */
function fieldsHeader(bytes: Uint8Array): number {
  const begin = ";fields=";
  if (bytes[0] === BYTE_ORDER_MARK[0] && bytes.length < BYTE_ORDER_MARK.length) return -1;
  const head = new TextDecoder().decode(bytes.subarray(0, begin.length));
  if (!begin.startsWith(head)) return 0;
  const end = bytes.indexOf(LF) + 1;
  return end === 0 ? -1 : end;
}

async function* mergeXml(
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  let root: string | undefined;
  let end: string | undefined;
  // An empty first document: as it came, should no other follow, and as a begin, should one.
  let alone: { whole: string; readonly opening: string } | undefined;
  const encoder = new TextEncoder();
  for await (const part of parts) {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let head: string | undefined = "";
    let held = "";
    let isEmpty = false;
    for await (const chunk of scanExport("xml", part, options)) {
      let text = decoder.decode(chunk, { stream: true });
      if (head !== undefined) {
        head += text;
        const begin = findRoot(head);
        if (begin === undefined) {
          if (head.length > MAX_HEAD) throw mismatch(options, "its root element does not begin");
          continue;
        }
        if (root !== undefined && begin.name !== root) {
          throw mismatch(options, `its root is <${begin.name}>, that of the first batch <${root}>`);
        }
        isEmpty = begin.isEmpty;
        text = head.slice(begin.end);
        if (root === undefined && isEmpty) {
          alone = { whole: head.slice(0, begin.end), opening: `${head.slice(0, begin.end).replace(/\s*\/>$/, "")}>` };
        } else if (root === undefined) text = head;
        else if (alone !== undefined) {
          yield encoder.encode(alone.opening);
          alone = undefined;
        }
        root ??= begin.name;
        head = undefined;
      }
      if (alone !== undefined) {
        alone.whole += text;
        continue;
      }
      held += text;
      // The last end tag is the root's: it waits for what may follow.
      const tail = isEmpty ? held.length : held.lastIndexOf("</");
      const safe = tail === -1 ? Math.max(0, held.length - 1) : tail;
      if (safe > 0) yield encoder.encode(held.slice(0, safe));
      held = held.slice(safe);
    }
    if (head !== undefined) throw mismatch(options, "it has no root element");
    if (alone === undefined) end ??= isEmpty ? `</${root}>\n` : held;
  }
  if (alone !== undefined) yield encoder.encode(alone.whole);
  if (end !== undefined) yield encoder.encode(end);
}

/** Finds the root's opening tag after declarations and comments; nothing while its end has not come. */
function findRoot(text: string): { name: string; end: number; isEmpty: boolean } | undefined {
  for (let at = 0;;) {
    const tag = text.indexOf("<", at);
    const end = tag === -1 ? -1 : markupEnd(text, tag);
    if (end === -1) return undefined;
    const name = /^<([^\s/>!?]+)/.exec(text.slice(tag, end))?.[1];
    if (name !== undefined) return { name, end, isEmpty: text[end - 2] === "/" };
    at = end;
  }
}

/** Offset just after the markup that begins at an offset; -1 while its end has not come. */
function markupEnd(text: string, start: number): number {
  for (const [begin, end] of [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"]]) {
    if (text.startsWith(begin, start)) {
      const at = text.indexOf(end, start + begin.length);
      return at === -1 ? -1 : at + end.length;
    }
    if (text.length - start < begin.length && begin.startsWith(text.slice(start))) return -1;
  }
  let quote = "";
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return -1;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function mismatch(options: ExportScanOptions, what: string): ParseError {
  return new ParseError(
    `Cannot join the batches of ${options.name ?? "the export"}: ${what}; ask for the batches one by one`,
  );
}
