/**
 * Names of genome segments: which of them mean the same segment, of which viruses, with their sources.
 *
 * A virus that no row of {@linkcode SEGMENT_TABLE} names has the segments that its records name: these are *observed*,
 * and differently written names are one segment only where the difference is one of writing (`seg 1`, `Segment 01`,
 * `RNA1`, `1`).
 */
import { isMissing, trimWhiteSpace } from "@seqreg/core/contract/values";
import { findValueWords } from "@seqreg/core/contract/values/value_words";

/** A segment, and all names that mean it. */
export interface SegmentNames {
  /** Its name in results. */
  readonly segment: string;
  /** Other names, such as those of its gene and proteins. */
  readonly synonyms: readonly string[];
}

/** The segments of some viruses. */
export interface SegmentTable {
  /** Words of the species, genus or family by which these viruses are known, in lower case. */
  readonly taxa: readonly string[];
  /** The whole genome, in order. */
  readonly segments: readonly SegmentNames[];
  /** Names that mean different segments in different publications: records with them are of no segment. */
  readonly ambiguous?: readonly string[];
  /** Publications that define the names. */
  readonly source: string;
}

const names = (segment: string, ...synonyms: string[]): SegmentNames => ({ segment, synonyms });

const THREE = [
  names("L", "large", "polymerase"),
  names("M", "medium", "glycoprotein", "GPC"),
  names("S", "small", "nucleocapsid"),
];

/** Names of segments that have a source. */
export const SEGMENT_TABLE: readonly SegmentTable[] = [
  {
    taxa: ["influenza a virus", "alphainfluenzavirus"],
    segments: [
      names("1", "PB2"),
      names("2", "PB1", "PB1-F2"),
      names("3", "PA", "PA-X"),
      names("4", "HA"),
      names("5", "NP"),
      names("6", "NA"),
      names("7", "M", "MP", "M1", "M2"),
      names("8", "NS", "NS1", "NS2", "NEP"),
    ],
    source: "ICTV Report, Orthomyxoviridae; ViralZone, Alphainfluenzavirus",
  },
  {
    // PB2 is segment 1 for GISAID and many papers, and segment 2 in the reference records.
    taxa: ["influenza b virus", "betainfluenzavirus"],
    segments: [
      names("PB2"),
      names("PB1"),
      names("3", "PA"),
      names("4", "HA"),
      names("5", "NP"),
      names("6", "NA", "NB"),
      names("7", "M", "MP", "M1", "BM2"),
      names("8", "NS", "NS1", "NS2", "NEP"),
    ],
    ambiguous: ["1", "2"],
    source: "ICTV Report, Orthomyxoviridae; ViralZone, Betainfluenzavirus",
  },
  {
    taxa: ["influenza c virus", "influenza d virus", "gammainfluenzavirus", "deltainfluenzavirus"],
    segments: [
      names("1", "PB2"),
      names("2", "PB1"),
      names("3", "P3"),
      names("4", "HEF", "HE"),
      names("5", "NP"),
      names("6", "M", "CM2", "DM2", "P42"),
      names("7", "NS", "NS1", "NS2", "NEP"),
    ],
    source: "ICTV Report, Orthomyxoviridae; ViralZone, Gammainfluenzavirus and Deltainfluenzavirus",
  },
  {
    taxa: ["orthohantavirus", "orthonairovirus", "orthobunyavirus", "orthotospovirus", "phlebovirus", "bandavirus"],
    segments: THREE,
    source: "ICTV Report, Hantaviridae, Nairoviridae, Peribunyaviridae, Tospoviridae and Phenuiviridae",
  },
  {
    taxa: ["mammarenavirus"],
    segments: [names("L", "large"), names("S", "small")],
    source: "ICTV Report, Arenaviridae",
  },
];

/** A segment's name as it is understood. */
export interface ReadSegment {
  /** The segment; absent if the text names none, or several. */
  readonly segment?: string;
  /** Whether the text cannot be assigned to one segment. */
  readonly isAmbiguous: boolean;
}

export interface SpeciesSegments {
  /** All segments, in order; empty if no record names one. */
  readonly segments: readonly string[];
  /** The source of the names, or `observed`. */
  readonly source: string;
  /** What each text means. */
  readonly texts: ReadonlyMap<string, ReadSegment>;
}

/** The `source` of segments that are not in the table. */
export const OBSERVED = "observed";

/**
 * Finds the segments of a species, and what each text in its records means.
 *
 * @param texts Texts of the field of segments, with the number of records that have each.
 */
export function readSegments(taxa: readonly string[], texts: ReadonlyMap<string, number>): SpeciesSegments {
  const table = tableOf(taxa);
  if (table !== undefined) {
    const known = new Map(
      table.segments.flatMap(({ segment, synonyms }) => [segment, ...synonyms].map((name) => [keyOf(name), segment])),
    );
    return {
      segments: table.segments.map(({ segment }) => segment),
      source: table.source,
      texts: new Map([...readAll(texts, (text) => readKnown(text, known)), ...readLoneNeuraminidase(texts, known)]),
    };
  }
  const known = observedNames(texts);
  return {
    segments: [...new Set(known.values())].sort(byNumber),
    source: OBSERVED,
    texts: readAll(texts, (text) => readObserved(text, known)),
  };
}

function readAll(texts: ReadonlyMap<string, number>, read: (text: string) => ReadSegment): Map<string, ReadSegment> {
  const isValue = valueTest(texts);
  return new Map([...texts.keys()].map((text) => [text, isValue(text) ? read(text) : { isAmbiguous: false }]));
}

/** Returns which texts of a species are values, not words for missing. */
function valueTest(texts: ReadonlyMap<string, number>): (text: string) => boolean {
  const words = findValueWords("segment", texts.keys());
  return (text) => !isMissing(text) || words.has(trimWhiteSpace(text));
}

/** `NA` without the company that tells whether it is the gene or a word for missing: ambiguous. */
function readLoneNeuraminidase(
  texts: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, string>,
): [text: string, read: ReadSegment][] {
  if (!known.has("NA") || findValueWords("segment", texts.keys()).has("NA")) return [];
  return [...texts.keys()].filter((text) => trimWhiteSpace(text) === "NA").map((text) => [text, { isAmbiguous: true }]);
}

function tableOf(taxa: readonly string[]): SegmentTable | undefined {
  const words = taxa.map((name) => ` ${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `);
  return SEGMENT_TABLE.find((table) => table.taxa.some((taxon) => words.some((name) => name.includes(` ${taxon} `))));
}

/** A text that has one name, or several of the same segment: `4 (HA)`. */
function readKnown(text: string, known: ReadonlyMap<string, string>): ReadSegment {
  const whole = known.get(keyOf(text));
  if (whole !== undefined) return { segment: whole, isAmbiguous: false };
  const parts = partsOf(text);
  const found = new Set(parts.map((part) => known.get(keyOf(part))));
  const [segment] = found;
  return found.size === 1 && segment !== undefined ? { segment, isAmbiguous: false } : { isAmbiguous: true };
}

/** A text that joins several observed names means none of them; "genome" means no segment. */
function readObserved(text: string, known: ReadonlyMap<string, string>): ReadSegment {
  const segment = known.get(keyOf(text));
  if (segment !== undefined) return { segment, isAmbiguous: false };
  return { isAmbiguous: known.size > 0 || !isUnsegmented(text) };
}

/** The observed names by their key, each as most records write it. */
function observedNames(texts: ReadonlyMap<string, number>): Map<string, string> {
  const keys = new Set<string>();
  const names = new Map<string, string>();
  const isValue = valueTest(texts);
  const mostFirst = [...texts].filter(([text]) => isValue(text) && !isUnsegmented(text))
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  for (const [text] of mostFirst) keys.add(keyOf(text));
  for (const [text] of mostFirst) {
    const key = keyOf(text);
    const parts = partsOf(text);
    const isJoined = parts.length > 1 && parts.every((part) => keyOf(part) !== key && keys.has(keyOf(part)));
    if (key !== "" && !isJoined && !names.has(key)) names.set(key, plainName(text));
  }
  return names;
}

function partsOf(text: string): string[] {
  return text.replace(WORD, " ").split(/[\s()[\],;:/+&|]+|\band\b/iu).filter((part) => part !== "");
}

/** What Nextstrain and others write for a genome of one piece, where no record of the species names a segment. */
const UNSEGMENTED =
  /^(?:(?:complete|full|whole|entire)[\s_-]*)?genome$|^(?:non|not|un)[\s_-]*segmented$|^monopartite$/iu;

function isUnsegmented(text: string): boolean {
  return UNSEGMENTED.test(trimWhiteSpace(text));
}

/** White space, hyphens and underscores that a word leaves around a name: `S_segment`. */
const EDGES = /^[\p{White_Space}_-]+|[\p{White_Space}_-]+$/gu;

/** Words that only announce a segment, also between underscores: `segment_4`. */
const WORD = /(?<![\p{L}\p{N}])(?:genom(?:e|ic)|segment|seg)(?![\p{L}\p{N}])[\s.:#_-]*/giu;
/** `RNA1`, `DNA-A`: the kind of nucleic acid before a number or one of `A-Z`. */
const KIND = /^(?:[RD]NA)[\s_-]*(?=(?:[0-9]+|[A-Z])$)/iu;

function plainName(text: string): string {
  const name = text.replace(WORD, "").replace(EDGES, "").replace(/^(?:seg(?:ment)?)(?=[0-9])/iu, "");
  return /^0+[0-9]+$/.test(name) ? String(BigInt(name)) : name;
}

/** What differently written names share: without such words, spaces, hyphens, leading zeros, in capitals. */
function keyOf(text: string): string {
  return plainName(text).replace(KIND, "").replace(/[\s_-]+/gu, "").normalize("NFC").toUpperCase().replace(
    /^0+(?=[0-9]+$)/,
    "",
  );
}

function byNumber(a: string, b: string): number {
  const [n, m] = [a, b].map((name) => /^[0-9]{1,9}$/.test(keyOf(name)) ? Number(keyOf(name)) : Infinity);
  return n === m ? (a < b ? -1 : 1) : n - m;
}
