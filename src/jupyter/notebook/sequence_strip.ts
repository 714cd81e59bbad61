/**
 * A sequence as a coloured strip: the share of G and C along it, in a width that does not grow with its length.
 *
 * Colour is never the only carrier: the strip's description says bases and share, and a table has both as columns. The
 * scale is one that colour-blind readers see as a range of brightness.
 */
import { crc32, deflateSync } from "node:zlib";
import { Buffer } from "node:buffer";

/** Parts that a strip has at most. */
const MOST_PARTS = 48;
/** Shares of G and C that get the darkest and the brightest colour: most genomes lie between. */
const LOWEST = 0.2;
const HIGHEST = 0.7;

/** Marks of the levels, darkest first. */
const LEVELS = "0123456789a";
/** Mark of a part without any A, C, G, T or U. */
const UNKNOWN = ".";

/** Colours of the levels, then of what is unknown, in six hexadecimal digits. */
export const STRIP_COLOURS: readonly string[] = [
  "440154",
  "482576",
  "414487",
  "35608d",
  "2a788e",
  "21908d",
  "22a884",
  "43bf71",
  "7ad151",
  "bbdf27",
  "fde725",
  "999999",
];

/** Marks of {@linkcode STRIP_COLOURS}, in their order. */
export const STRIP_MARKS: string = LEVELS + UNKNOWN;

/** What the colours mean, in words. */
export const STRIP_LEGEND =
  "sequence: the share of G and C along it, from dark (20 % or less) to bright (70 % or more); grey: other bases";

/** A sequence as it is shown. */
export interface SequenceStrip {
  /** One mark for each part, from the begin: its level, or a dot where the part has no A, C, G, T or U. */
  readonly marks: string;
  /** What the strip shows, in words. */
  readonly description: string;
}

/**
 * Summarizes a sequence in at most 48 parts.
 *
 * @param sequence Its bases, either case.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { sequenceStrip } from "./sequence_strip.ts";
 *
 * assertEquals(sequenceStrip("GCAN"), { marks: "aa0.", description: "4 bases, GC 66.7 %" });
 * ```
 */
export function sequenceStrip(sequence: string): SequenceStrip {
  const parts = Math.min(MOST_PARTS, sequence.length);
  const marks: string[] = [];
  let allStrong = 0;
  let allWeak = 0;
  for (let part = 0; part < parts; part++) {
    const end = Math.floor(((part + 1) * sequence.length) / parts);
    let strong = 0;
    let weak = 0;
    for (let at = Math.floor((part * sequence.length) / parts); at < end; at++) {
      // Bit 5 is what tells the cases apart.
      const base = sequence.charCodeAt(at) & 0xffdf;
      if (base === 71 || base === 67) strong++;
      else if (base === 65 || base === 84 || base === 85) weak++;
    }
    allStrong += strong;
    allWeak += weak;
    marks.push(strong + weak === 0 ? UNKNOWN : levelOf(strong / (strong + weak)));
  }
  const bases = `${sequence.length.toLocaleString("en")} ${sequence.length === 1 ? "base" : "bases"}`;
  const known = allStrong + allWeak;
  return {
    marks: marks.join(""),
    description: known === 0 ? bases : `${bases}, GC ${((100 * allStrong) / known).toFixed(1)} %`,
  };
}

function levelOf(share: number): string {
  const within = Math.min(1, Math.max(0, (share - LOWEST) / (HIGHEST - LOWEST)));
  return LEVELS[Math.round(within * (LEVELS.length - 1))];
}

/**
 * Draws a strip as the address of a picture, one pixel for each part: seen also where scripts and styles are taken
 * away.
 */
export function stripPicture(marks: string): string {
  const palette = Uint8Array.fromHex(STRIP_COLOURS.join(""));
  const head = new Uint8Array(13);
  new DataView(head.buffer).setUint32(0, Math.max(1, marks.length));
  new DataView(head.buffer).setUint32(4, 1);
  // Eight bits a pixel, colours by their index in the palette.
  head.set([8, 3], 8);
  const line = Uint8Array.from([0, ...Array.from(marks || UNKNOWN, (mark) => STRIP_MARKS.indexOf(mark))]);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", head),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(line)),
    chunk("IEND", new Uint8Array(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
