/** Spellings of a deployment, derived from its answers, so that a wrong naming can be corrected. */
import { isAccession } from "./accession.ts";
import { ARCHIVE_IDS } from "./archive_ids.ts";
import { type Naming, namingOf, SPECIFICATION_NAMING } from "./naming.ts";
import type { ValidationIssue } from "./validation_body.ts";

/** Spellings of a deployment by those of the specification, as `namingOf` takes them. */
export type Spellings = Readonly<Record<string, string>>;

const FIELD = SPECIFICATION_NAMING.accessionField;
const ALIAS = SPECIFICATION_NAMING.accessionAlias;
const KEY = SPECIFICATION_NAMING.accessionsKey;
const STEMS = Object.values(SPECIFICATION_NAMING.archiveStems);

/** A word that archives may begin with: `registry` stands for them, too. */
const FILE_WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Identifiers, and their part after the deployment's own word. */
const TAILS: readonly (readonly [identifier: string, tail: string])[] = [
  [FIELD, " Accession"],
  [ALIAS, "_accession"],
  [KEY, "_accessions"],
  ...STEMS.filter((stem) => stem.startsWith("registry")).map((stem) => [stem, stem.slice("registry".length)] as const),
];

/**
 * Finds the field that holds accessions, by its values: every record has an accession there.
 *
 * @returns The field; of several, the one whose name ends like the specification's; `undefined` if no field fits.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findAccessionField } from "./naming_evidence.ts";
 *
 * assertEquals(findAccessionField([{ Country: "Kenya", "Bank Accession": "vj000000000001" }]), "Bank Accession");
 * ```
 */
export function findAccessionField(records: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const [first, ...rest] = records;
  if (first === undefined) return undefined;
  const holds = (value: unknown) => typeof value === "string" && isAccession(value);
  const fields = Object.keys(first).filter((field) => [first, ...rest].every((record) => holds(record[field])));
  return fields.find((field) => /[ _]accession$/i.test(field)) ?? fields[0];
}

/**
 * Finds spellings in a status 422: required keys, allowed values and file names.
 *
 * @param text Its body, which may list the file names with them.
 */
export function spellingsInIssues(issues: readonly ValidationIssue[], text = ""): Spellings {
  const found: Record<string, string> = {};
  for (const [word] of text.matchAll(FILE_NAME)) Object.assign(found, stemSpelling(word));
  for (const { loc, msg } of issues) {
    const key = String(loc.at(-1) ?? "");
    if (/^\w+_accessions$/.test(key)) found[KEY] = key;
    for (const [word] of msg.matchAll(/[A-Za-z0-9][A-Za-z0-9._-]*/g)) {
      if (/^\w+_accessions$/.test(word) && loc.includes("information")) found[KEY] = word;
      Object.assign(found, stemSpelling(word));
    }
  }
  return found;
}

const FILE_NAME = /[A-Za-z0-9][A-Za-z0-9._-]*\.(?:csv\.gz|sha256)\b/g;

/** Spelling of an archive's stem in a file name of the deployment. */
function stemSpelling(fileName: string): Spellings {
  const stem = /^(.+?)\.(?:csv\.gz|sha256)\.?$/.exec(fileName)?.[1];
  if (stem === undefined) return {};
  // The number of the version may differ too: what follows it tells which archive it is.
  const known = STEMS.find((own) => own.startsWith("registry") && stem.endsWith(own.slice(own.indexOf("_"))));
  if (known !== undefined) return { [known]: stem };
  return /^[A-Za-z0-9]+_to_[A-Za-z0-9]+_map$/.test(stem)
    ? { [SPECIFICATION_NAMING.archiveStems[ARCHIVE_IDS[0]]]: stem }
    : {};
}

/** Keeps the spellings that a naming does not have yet. */
export function otherThan(found: Spellings, naming: Naming): Spellings {
  const own: Readonly<Record<string, string>> = {
    [FIELD]: naming.accessionField,
    [ALIAS]: naming.accessionAlias,
    [KEY]: naming.accessionsKey,
    ...Object.fromEntries(ARCHIVE_IDS.map((id) => [SPECIFICATION_NAMING.archiveStems[id], naming.archiveStems[id]])),
  };
  return Object.fromEntries(Object.entries(found).filter(([key, value]) => own[key] !== value));
}

/**
 * Writes spellings as briefly as `namingOf` understands them: words if they explain the identifiers, otherwise
 * identifiers.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { shortenSpellings } from "./naming_evidence.ts";
 *
 * assertEquals(
 *   shortenSpellings({ "Registry Accession": "GenomeBank Accession", registry_accession: "genomebank_accession" }),
 *   { registry: "genomebank", Registry: "GenomeBank" },
 * );
 * ```
 */
export function shortenSpellings(found: Spellings): Spellings {
  const words: Record<string, string> = {};
  for (const [identifier, tail] of TAILS) {
    const spelling = found[identifier];
    if (spelling === undefined || !spelling.endsWith(tail) || spelling.length === tail.length) continue;
    const word = spelling.slice(0, -tail.length);
    if (identifier === FIELD) words.Registry ??= word;
    else if (FILE_WORD.test(word)) words.registry ??= word;
  }
  const map = /^([A-Za-z0-9]+)_to_([A-Za-z0-9]+)_map$/.exec(found.reftax1_to_reftax2_map ?? "");
  if (map !== null && map[1] !== "reftax1") [words.reftax1, words.reftax2] = [map[1], map[2]];
  if (words.registry === "registry") delete words.registry;
  if (words.Registry === "Registry") delete words.Registry;
  const capital = words.registry === undefined ? undefined : words.registry[0].toUpperCase() + words.registry.slice(1);
  if (capital !== undefined && words.Registry === capital) delete words.Registry;
  return { ...words, ...otherThan(found, namingOf(words)) };
}

/** Returns the line to add to a naming; `undefined` if the spellings are already in it. */
export function describeMismatch(found: Spellings, naming: Naming): string | undefined {
  const all = otherThan(found, naming);
  const other = Object.keys(all).length > 2 ? shortenSpellings(all) : all;
  const entries = Object.entries(other);
  if (entries.length === 0) return undefined;
  const shown = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(", ");
  return `the naming does not fit: add ${shown} to it (${namingArgument(other)}; seqreg naming finds all)`;
}

/** Writes spellings as an argument of a command line; an apostrophe, which would end it, as JSON may have it. */
export function namingArgument(spellings: Spellings): string {
  return `--naming '${JSON.stringify(spellings).replaceAll("'", "\\u0027")}'`;
}

/**
 * Reports that records have no accession under the naming's field, and which field has them; `undefined` if it fits.
 */
export function describeFieldMismatch(
  records: readonly Readonly<Record<string, unknown>>[],
  naming: Naming,
): string | undefined {
  if (records.length === 0 || records.some((record) => Object.hasOwn(record, naming.accessionField))) return undefined;
  if (records.every((record) => Object.keys(record).length === 0)) {
    return 'the hits have no "source" with the fields of their records: report it to the registry';
  }
  const field = findAccessionField(records);
  const without = `no record has the field ${JSON.stringify(naming.accessionField)}`;
  return field === undefined
    ? `${without}, and no field has accessions: check --registry and --naming`
    : `${without}; ${JSON.stringify(field)} has accessions: ${describeMismatch({ [FIELD]: field }, naming)}`;
}
