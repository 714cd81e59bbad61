/** Ids that differ only in how they are written: which they are, and what differs. */

/** Characters that are written for a hyphen and for an apostrophe. */
const [HYPHENS, APOSTROPHES] = [/[\u2010-\u2015\u2212]/g, /[\u2018\u2019\u02bc\u00b4`]/g];
/** White space, what is written instead of it, and characters that nobody sees. */
const BLANKS = /[\s_\p{Cf}]+/gu;

/**
 * An id without what people and programs write in different ways: case, blanks (underscores too), Unicode form,
 * apostrophes, hyphens.
 */
export function foldId(id: string): string {
  return id.normalize("NFC").replace(BLANKS, "").replace(HYPHENS, "-").replace(APOSTROPHES, "'").toLowerCase();
}

/** Names of characters that look like others or like nothing. */
const NAMES: Readonly<Record<string, string>> = {
  " ": "a space",
  "_": "an underscore",
  "\t": "a tab",
  "\u00a0": "a no-break space (U+00A0)",
  "\u200b": "a zero-width space (U+200B)",
  "\ufeff": "a byte order mark (U+FEFF)",
};

/**
 * Describes the first difference of two ids that {@linkcode foldId} makes equal, such as `a no-break space (U+00A0) in
 * the table where the FASTA has a space`.
 */
export function describeDifference(sequence: string, value: string): string {
  const [fasta, table] = [sequence, value].map((id) => [...id.normalize("NFC")]);
  let at = 0;
  while (at < fasta.length && at < table.length && fasta[at] === table[at]) at++;
  const [ours, theirs] = [fasta[at], table[at]];
  if (ours === undefined && theirs === undefined) return describeForms(sequence, value);
  if (ours !== undefined && theirs !== undefined && foldId(ours) === foldId(theirs)) {
    return `${nameOf(theirs)} in the table where the FASTA has ${nameOf(ours)}`;
  }
  // A blank of one stands before a character that both have.
  const isExtra = ours !== undefined && foldId(ours) === "";
  const extra = isExtra ? nameOf(ours) : nameOf(theirs);
  return isExtra ? `${extra} in the FASTA that the table lacks` : `${extra} in the table that the FASTA lacks`;
}

/** The same letters, of which some are one character here and two there. */
function describeForms(sequence: string, value: string): string {
  const at = [...sequence].findIndex((character, index) => character !== [...value][index]);
  const isOne = [...sequence].length < [...value].length;
  const whole = [...(isOne ? sequence : value)][at].normalize("NFC");
  const [one, several] = isOne ? ["the FASTA", "the table"] : ["the table", "the FASTA"];
  return `${JSON.stringify(whole)} is one character (${codeOf(whole)}) in ${one}, several (${
    [...whole.normalize("NFD")].map(codeOf).join(" ")
  }) in ${several}`;
}

function nameOf(character: string): string {
  const known = NAMES[character];
  if (known !== undefined) return known;
  if (foldId(character) === "") return `the character ${codeOf(character)}`;
  const quoted = JSON.stringify(character);
  return /^[!-~]$/.test(character) ? quoted : `${quoted} (${codeOf(character)})`;
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
