/** Numbers and labels of charts: the same on every machine, independent of its language. */
import { cut, visible } from "@seqreg/core/io/display";

/** Longest label of a category in a chart, in characters; the frame holds the whole of it. */
const LABEL_LETTERS = 34;

/** Writes a count with commas between thousands. */
export function count(value: number): string {
  return String(value).replace(/\B(?=([0-9]{3})+$)/g, ",");
}

/** Nouns whose singular is not the plural without its `s`. */
const SINGULARS: Readonly<Record<string, string>> = {
  species: "species",
  genera: "genus",
  families: "family",
  countries: "country",
  taxa: "taxon",
};

/** Writes a count and what is counted, given in the plural: `1 record`, `2 records`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? SINGULARS[noun] ?? noun.replace(/s$/, "") : noun}`;
}

/** Verbs whose third person is not the plural with an `s`. */
const THIRD_PERSONS: Readonly<Record<string, string>> = { have: "has", are: "is", were: "was" };

/** The form of a verb, given in the plural, that goes with a count: `does(1, "have")` is `has`. */
export function does(value: number, verb: string): string {
  return value === 1 ? THIRD_PERSONS[verb] ?? `${verb}s` : verb;
}

/** Writes a share as a percentage with one decimal; what is there is never written as none, nor a part as all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = part / whole * 100;
  if (part > 0 && share < 0.1) return "< 0.1 %";
  if (part < whole && share >= 99.95) return "> 99.9 %";
  return `${share.toFixed(1)} %`;
}

/** Writes a number with at most so many decimals, without zeros at the end. */
export function decimal(value: number, places: number): string {
  const text = value.toFixed(places);
  return places === 0 ? text : text.replace(/\.?0+$/, "");
}

/** Writes a number with commas between thousands and at most so many decimals. */
export function amount(value: number, places: number): string {
  const [whole, fraction] = decimal(value, places).split(".");
  // The whole of -0.5 is -0.
  const sign = fraction !== undefined && whole === "-0" ? "-" : "";
  return sign + count(Number(whole)) + (fraction === undefined ? "" : `.${fraction}`);
}

/** Makes a value of the data into the label of a category: one line, bounded, nothing hidden in it. */
export function label(value: unknown): string {
  return cut(oneLine(value), LABEL_LETTERS) || "(blank)";
}

/**
 * Labels for values, each its own: long names that differ only at their ends keep the ends, and where two are the same
 * all the same, the later ones are numbered.
 */
export function labels(values: readonly unknown[]): string[] {
  const short = values.map(label);
  const shared = new Set(short.filter((text, index) => short.indexOf(text) !== index));
  const texts = values.map((value, index) => shared.has(short[index]) ? cutInside(oneLine(value)) : short[index]);
  const own = new Set(texts);
  const seen = new Map<string, number>();
  return texts.map((text) => {
    let times = seen.get(text) ?? 0;
    do times++; while (times > 1 && own.has(`${text} (${times})`));
    seen.set(text, times);
    return times === 1 ? text : `${text} (${times})`;
  });
}

function oneLine(value: unknown): string {
  return visible(String(value)).replace(/\s+/g, " ").trim();
}

/** Takes characters out of the middle of a long text. */
function cutInside(text: string): string {
  const characters = [...text];
  if (characters.length <= LABEL_LETTERS) return text || "(blank)";
  const kept = Math.floor((LABEL_LETTERS - 1) / 2);
  return `${characters.slice(0, kept).join("").trimEnd()}…${characters.slice(-kept).join("").trimStart()}`;
}

/** Breaks a text into lines that are at most so wide; a wider word is broken too. */
export function wrap(text: string, most: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of visible(text).split(/\s+/).flatMap((word) => breakWord(word, most, widthOf))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > most) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}

function breakWord(word: string, most: number, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= most) return [word];
  const parts: string[] = [""];
  for (const character of word) {
    const last = parts.length - 1;
    if (parts[last] !== "" && widthOf(parts[last] + character) > most) parts.push(character);
    else parts[last] += character;
  }
  return parts;
}
