/**
 * Chooses a media type by an `Accept` header.
 *
 * Own code instead of hono's `accepts`, which takes nothing of `text/csv;q=0, *`+`/*`.
 */

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * Chooses the media type that the caller likes best; of equally liked ones the first offered.
 *
 * For each offer the most specific range decides, as RFC 9110 has it: `text/csv;q=0, *`+`/*` is anything but CSV.
 * Parameters other than `q` are ignored.
 *
 * @param header The `Accept` header; `null` or empty for none.
 * @param offers Media types, the preferred one first.
 * @returns The choice, or `undefined` when the caller takes none of them.
 */
export function chooseMediaType(header: string | null, offers: readonly string[]): string | undefined {
  if (header === null || header.trim() === "") return offers[0];
  const ranges = header.split(",").map(parseRange).filter((range) => range !== undefined);
  let best: string | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

function parseRange(text: string): MediaRange | undefined {
  const [name, ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const match = /^([^/\s]+)\/([^/\s]+)$/.exec(name);
  if (match === null) return undefined;
  const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  const quality = q === undefined ? 1 : /^(?:0(?:\.[0-9]*)?|1(?:\.0*)?)$/.test(q) ? Number(q) : 0;
  return { type: match[1], subtype: match[2], quality };
}

function qualityOf(offer: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = offer.toLowerCase().split("/");
  const of = (wantedType: string, wantedSubtype: string) =>
    ranges.find((range) => range.type === wantedType && range.subtype === wantedSubtype)?.quality;
  return of(type, subtype) ?? of(type, "*") ?? of("*", "*") ?? 0;
}
