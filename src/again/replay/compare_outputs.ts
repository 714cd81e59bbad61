/** Outputs of a cell then and now: what a reader sees of them, and the numbers that pictures draw. */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { sha256Of } from "@seqreg/core/io/digest";
import { allowedEnv } from "@seqreg/core/options/allowed_env";
import { isRecord } from "@seqreg/core/options/is_record";
import { canonicalJson } from "@seqreg/core/registry/lock";
import { type CellOutput, textOfLines } from "./notebook_file.ts";
import { pictureNumbers } from "./picture_numbers.ts";
import { visibleText } from "./visible_text.ts";

/** One thing that differs between the outputs of a cell. */
export interface OutputDifference {
  /** What it is: `text`, `error`, `picture`, or a media type. */
  readonly what: string;
  /** Then; `null` if missing. */
  readonly old: string | null;
  /** Now; `null` if missing. */
  readonly new: string | null;
}

/** Characters of a value around the first difference. */
const SHOWN_CHARACTERS = 120;

/** One part of an output that is compared with its counterpart. */
interface OutputPart {
  readonly what: string;
  readonly text: string;
}

/**
 * Compares the outputs of a cell.
 *
 * Texts that are printed are joined, however they were split into messages. Of HTML the visible text is compared and
 * the pictures in it, with their alternative texts; of a picture that is not within it, the address. Times
 * (`2026-01-31T12:00:00Z`), names in the temporary directory and progress are left out: every run has its own.
 */
export function compareOutputs(before: readonly CellOutput[], now: readonly CellOutput[]): OutputDifference[] {
  const [old, fresh] = [partsOf(before), partsOf(now)];
  const differences: OutputDifference[] = [];
  for (let index = 0; index < Math.max(old.length, fresh.length); index++) {
    const [one, other] = [old.at(index), fresh.at(index)];
    if (one?.what === other?.what && one?.text === other?.text) continue;
    const isPicture = one?.what === "picture" && other?.what === "picture";
    if (isPicture) differences.push(...comparePictures(one.text, other.text));
    else if (one !== undefined && other !== undefined && one.what !== other.what) {
      differences.push({ what: one.what, old: cutAt(one.text, 0), new: null });
      differences.push({ what: other.what, old: null, new: cutAt(other.text, 0) });
    } else differences.push({ what: (one ?? other)!.what, ...around(one?.text ?? null, other?.text ?? null) });
  }
  return differences;
}

function partsOf(outputs: readonly CellOutput[]): OutputPart[] {
  const streams = new Map<string, string>();
  const shown: OutputPart[] = [];
  for (const output of outputs) {
    if (output.output_type === "stream") {
      const name = String(output.name);
      streams.set(name, `${streams.get(name) ?? ""}${textOfLines(output.text)}`);
    } else if (output.output_type === "error") {
      shown.push({ what: "error", text: `${output.ename}: ${output.evalue}` });
    } else if (isRecord(output.data)) shown.push(...partsOfBundle(output.data));
  }
  const printed = [...streams].sort(([a], [b]) => a < b ? -1 : 1).map(([, text]) => ({ what: "text", text }));
  return [...printed, ...shown].map(({ what, text }) => ({ what, text: withoutPassing(text) }));
}

/** A time of day in UTC, as provenance has it. */
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
/** Temporary directories of Linux, macOS and Windows. */
const USUAL_FOLDERS = [
  "/tmp",
  "/var/folders/[^/\\s]+/[^/\\s]+/T",
  "[A-Z]:\\\\Users\\\\[^\\\\\\s]+\\\\AppData\\\\Local\\\\Temp",
];

/** Names in temporary directories: that of this process, and the usual ones. */
function temporaryNames(): RegExp {
  const folder = allowedEnv(Deno.build.os === "windows" ? "TEMP" : "TMPDIR")?.replace(/[/\\]+$/, "");
  // It may lie in a usual one.
  const folders = [...folder ? [folder.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")] : [], ...USUAL_FOLDERS];
  return new RegExp(`(?:${folders.join("|")})[/\\\\][\\w.-]+`, "g");
}

/** Colours of a terminal, in which a kernel shows values. */
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[\d;]*m/g;

/** Takes out what every run has of its own, and colours. */
function withoutPassing(text: string): string {
  return text.replace(COLOURS, "").replace(TIME, "(time)").replace(temporaryNames(), "(temporary)");
}

function partsOfBundle(data: Readonly<Record<string, unknown>>): OutputPart[] {
  const html = data["text/html"];
  if (html !== undefined) return partsOfHtml(textOfLines(html));
  const svg = data["image/svg+xml"];
  if (svg !== undefined) return [{ what: "picture", text: textOfLines(svg) }];
  const others = Object.entries(data).filter(([type]) => type !== "text/plain").sort(([a], [b]) => a < b ? -1 : 1);
  if (others.length > 0) {
    return others.map(([what, value]) => ({
      what,
      text: typeof value === "string" || Array.isArray(value) ? textOfLines(value) : canonicalJson(value),
    }));
  }
  return [{ what: "text", text: textOfLines(data["text/plain"]) }];
}

const PICTURE = /<img\b[^>]*>|<svg\b[\s\S]*?<\/svg>/gi;

/** How `createProgress` shows work in progress. */
const PROGRESS = /^<div\b[^>]*\brole="status"><progress\b/;

function partsOfHtml(html: string): OutputPart[] {
  if (PROGRESS.test(html)) return [];
  const pictures: OutputPart[] = [];
  const pixels: string[] = [];
  const text = visibleText(html.replace(PICTURE, (tag) => {
    if (/^<svg/i.test(tag)) {
      pictures.push({ what: "picture", text: tag });
      return " ";
    }
    const [alternative, source] = [attributeOf(tag, "alt"), attributeOf(tag, "src")];
    const [, type, base64] = /^data:image\/([a-z+.-]+);base64,(.*)$/s.exec(source) ?? [];
    if (type === undefined) return ` ${alternative} ${source} `;
    if (type !== "svg+xml") {
      pixels.push(pixelsOf(base64));
      return ` ${alternative} `;
    }
    // Invalid characters of Base64 are ignored without an error.
    const svg = Buffer.from(base64, "base64").toString();
    pictures.push({ what: "picture", text: svg });
    // Texts of the picture itself are compared with its marks.
    return /<(?:title|desc|text)\b/.test(svg) ? " " : ` ${alternative} `;
  }));
  return [
    ...text === "" ? [] : [{ what: "text", text }],
    ...pixels.length === 0
      ? []
      : [{ what: "pictures of pixels", text: `${pixels.length}, ${sha256Of(pixels.join())}` }],
    ...pictures,
  ];
}

function attributeOf(tag: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(tag) ?? [];
  return double ?? single ?? "";
}

/** Bytes of the pixels of a picture at most; those of a larger one are compared as they are compressed. */
const MOST_PIXELS = 1 << 28;

/** A digest of what a PNG shows, however a processor compressed it; of the bytes of any other picture. */
function pixelsOf(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const parts: Buffer[] = [];
  const packed: Buffer[] = [];
  // A chunk is its length, its type, its data and a checksum.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (type === "IDAT") packed.push(data);
    else if (["IHDR", "PLTE", "tRNS"].includes(type)) parts.push(data);
  }
  try {
    const pixels = inflateSync(Buffer.concat(packed), { maxOutputLength: MOST_PIXELS });
    return sha256Of(Buffer.concat([...parts, pixels]));
  } catch {
    return sha256Of(bytes);
  }
}

function comparePictures(before: string, now: string): OutputDifference[] {
  const [old, fresh] = [pictureNumbers(before), pictureNumbers(now)];
  const differences: OutputDifference[] = [];
  for (const what of ["marks", "texts"] as const) {
    const [one, other] = [old[what], fresh[what]];
    const index = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index)
      .find((index) => one[index] !== other[index]);
    if (index === undefined) continue;
    differences.push({
      what: what === "texts" ? "picture, text" : `picture, mark ${index + 1}`,
      ...around(one[index] ?? null, other[index] ?? null),
    });
  }
  return differences;
}

/** Both texts around their first difference. */
function around(before: string | null, now: string | null): Omit<OutputDifference, "what"> {
  const [old, fresh] = [before ?? "", now ?? ""];
  let at = 0;
  while (at < old.length && at < fresh.length && old[at] === fresh[at]) at++;
  return { old: before === null ? null : cutAt(old, at), new: now === null ? null : cutAt(fresh, at) };
}

function cutAt(text: string, at: number): string {
  const from = Math.max(0, at - SHOWN_CHARACTERS / 4);
  const cut = text.slice(from, from + SHOWN_CHARACTERS).toWellFormed();
  return `${from > 0 ? "…" : ""}${cut}${from + SHOWN_CHARACTERS < text.length ? "…" : ""}`;
}
