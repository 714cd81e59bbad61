/**
 * The spellings of a deployment.
 *
 * The specification writes the neutral word "registry" where the service writes its own name, and `reftax1` and
 * `reftax2` for an external taxonomy. A naming maps these to the deployment's spellings. All other code is independent
 * of them.
 */
import { isRecord } from "../options/is_record.ts";
import { messageOf, ParseError } from "../errors.ts";
import type { ArchiveId } from "./archive_ids.ts";
import type { OptionRule } from "../options/option_rule.ts";
import { like } from "../options/rules.ts";

/** The spellings of one deployment. */
export interface Naming {
  /** Public field with a record's accession; `Registry Accession` in the specification. */
  readonly accessionField: string;
  /** Alias of that field, and first name in the `;fields=` line of a FASTA export; `registry_accession`. */
  readonly accessionAlias: string;
  /** Key of a sequence request, and value of `information` for accession lists; `registry_accessions`. */
  readonly accessionsKey: string;
  /** Stem of each archive's file names, such as `registryv1_full_dataset_metadata`. */
  readonly archiveStems: Readonly<Record<ArchiveId, string>>;
  /** Fields by role of analyses, in order of preference: `{ family: ["Family ICTV", "Family NCBI"] }`. */
  readonly roles?: NamingRoles;
}

/** Fields by role in order of preference; the roles are those of `seqreg/analysis`. */
export type NamingRoles = Readonly<Record<string, readonly string[]>>;

/** The map that {@linkcode namingOf} takes: strings by spelling, and `roles`. */
export type NamingSpellings = Readonly<Record<string, string | NamingRoles>>;

/** The rule of an option `naming`. */
export const NAMING_RULE: OptionRule<Naming> = like(
  'a naming, as namingOf({ registry: "genomebank" }) returns it',
  (value) =>
    isRecord(value) && [value.accessionField, value.accessionAlias, value.accessionsKey].every(isText) &&
    isRecord(value.archiveStems) && Object.values(value.archiveStems).every(isText),
);

/** The specification's own spellings. */
export const SPECIFICATION_NAMING: Naming = {
  accessionField: "Registry Accession",
  accessionAlias: "registry_accession",
  accessionsKey: "registry_accessions",
  archiveStems: {
    reftax1_to_reftax2_map: "reftax1_to_reftax2_map",
    full_dataset_sequence: "registryv1_full_dataset_sequence",
    unique_seqs_sequence: "registryv1_unique_seqs_sequence",
    votu_clusters_metadata: "registryv1_votu_clusters_metadata",
    full_dataset_metadata: "registryv1_full_dataset_metadata",
    unique_seqs_metadata: "registryv1_unique_seqs_metadata",
    votu_cluster_comparison_metrics: "registryv1_votu_cluster_comparison_metrics",
    votu_clusters_sequence: "registryv1_votu_clusters_sequence",
  },
};

/** Words of the specification that a deployment replaces by its own. */
const WORDS = ["registry", "Registry", "reftax1", "reftax2"] as const;

/**
 * Makes a naming from a map of the specification's spellings to a deployment's.
 *
 * Keys are the words `registry`, `Registry`, `reftax1` and `reftax2`, replaced in every identifier that contains them,
 * or whole identifiers (`Registry Accession`, `registry_accession`, `registry_accessions`, the stem of an archive),
 * which take precedence. `Registry` defaults to `registry` with a capital. The key `roles` is an object of the fields
 * that analyses prefer, by role: `{ "family": ["Family ICTV", "Family NCBI"] }`.
 *
 * @param spellings The map, such as the content of a `--naming` file.
 * @returns A naming; names that are not in the map keep the specification's spelling.
 * @throws {TypeError} If the map is not an object of strings, has an unknown key, or makes an archive's stem an invalid
 * file name.
 * @see Specification, naming note. The form of the map is our choice: the specification does not show it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { namingOf } from "./naming.ts";
 *
 * const naming = namingOf({ registry: "genomebank", Registry: "GenomeBank" });
 *
 * assertEquals(naming.accessionField, "GenomeBank Accession");
 * assertEquals(naming.archiveStems.full_dataset_metadata, "genomebankv1_full_dataset_metadata");
 * ```
 */
export function namingOf(spellings: NamingSpellings): Naming {
  if (typeof spellings !== "object" || spellings === null || Array.isArray(spellings)) {
    throw new TypeError("Cannot read a naming: expected an object that maps the specification's spellings to others");
  }
  const identifiers = [
    SPECIFICATION_NAMING.accessionField,
    SPECIFICATION_NAMING.accessionAlias,
    SPECIFICATION_NAMING.accessionsKey,
    ...Object.values(SPECIFICATION_NAMING.archiveStems),
  ];
  const known = new Set<string>([...WORDS, ...identifiers]);
  const texts: Record<string, string> = {};
  const { roles, ...others } = spellings;
  for (const [key, value] of Object.entries(others)) {
    if (!known.has(key)) {
      throw new TypeError(
        `Cannot read a naming: unknown key ${JSON.stringify(key)}, expected one of ${[...known, "roles"].join(", ")}`,
      );
    }
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`Cannot read a naming: ${JSON.stringify(key)} must map to a text that is not empty`);
    }
    texts[key] = value;
  }
  const words = new Map<string, string>();
  for (const word of WORDS) if (Object.hasOwn(texts, word)) words.set(word, texts[word]);
  const small = words.get("registry");
  if (small !== undefined && !words.has("Registry")) words.set("Registry", small[0].toUpperCase() + small.slice(1));

  const spell = (identifier: string): string => {
    if (Object.hasOwn(texts, identifier)) return texts[identifier];
    return identifier.replace(/registry|Registry|reftax1|reftax2/g, (word) => words.get(word) ?? word);
  };
  const archiveStems = Object.fromEntries(
    Object.entries(SPECIFICATION_NAMING.archiveStems).map(([id, stem]) => [id, spellStem(spell(stem))]),
  ) as Record<ArchiveId, string>;
  if (new Set(Object.values(archiveStems)).size !== Object.keys(archiveStems).length) {
    throw new TypeError("Cannot read a naming: two archives would have the same name");
  }
  return {
    accessionField: spell(SPECIFICATION_NAMING.accessionField),
    accessionAlias: spell(SPECIFICATION_NAMING.accessionAlias),
    accessionsKey: spell(SPECIFICATION_NAMING.accessionsKey),
    archiveStems,
    ...roles !== undefined && { roles: readRoles(roles) },
  };
}

/** Fields by role, as in a naming file. */
function readRoles(roles: unknown): NamingRoles {
  if (isRecord(roles)) {
    const read = Object.entries(roles).map(([role, fields]) => {
      if (Array.isArray(fields) && fields.every(isText)) return [role, fields.map(String)] as const;
      throw new TypeError(
        `Cannot read a naming: "roles" must map ${JSON.stringify(role)} to a list of names of fields`,
      );
    });
    return Object.fromEntries(read);
  }
  throw new TypeError(
    'Cannot read a naming: "roles" must be an object of lists of fields, such as { "family": ["Family ICTV"] }',
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function spellStem(stem: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(stem)) return stem;
  throw new TypeError(
    `Cannot read a naming: ${JSON.stringify(stem)} is not a plain file name; use only A-Z, a-z, 0-9, ".", "_" and "-"`,
  );
}

/**
 * Reads the text of a `--naming` file: a JSON object as {@linkcode namingOf} takes it.
 *
 * @param text Content of the file.
 * @param fileName File name for errors.
 * @throws {ParseError} If it is not such an object.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseNaming } from "./naming.ts";
 *
 * assertEquals(parseNaming('{"registry": "genomebank"}').accessionAlias, "genomebank_accession");
 * ```
 */
export function parseNaming(text: string, fileName = "the naming file"): Naming {
  try {
    return namingOf(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch (cause) {
    const why = messageOf(cause);
    throw new ParseError(`Cannot read ${fileName}: ${why}`, {}, { cause });
  }
}
