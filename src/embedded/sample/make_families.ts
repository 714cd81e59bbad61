/** Writes families of related genomes, and what is known of them. */
import { join } from "node:path";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { createWholeFolder, onDisk } from "@seqreg/core/io/files/whole_folder";
import { Yielder } from "@seqreg/core/io/tasks";
import { FAMILY_OPTIONS, type FamilyMember, familyMembers, type FamilyOptions } from "./families.ts";

/** Options of {@linkcode makeFamilies}. */
export interface MakeFamiliesOptions extends FamilyOptions {
  /** Ends the work; no files remain. */
  readonly signal?: AbortSignal;
}

const MAKE_FAMILIES_OPTIONS = {
  ...FAMILY_OPTIONS,
  signal: rule.signal,
} satisfies OptionRules<MakeFamiliesOptions>;

/** What was written. */
export interface MadeFamilies {
  /** Names of the files: the sequences, and the table of what is known of them. */
  readonly files: readonly ["families.fasta", "families.tsv"];
  /** Number of records. */
  readonly records: number;
  /** Bases of all records. */
  readonly bases: number;
}

const FILES = ["families.fasta", "families.tsv"] as const;
const COLUMNS = ["id", "family", "kinds", "identity", "start", "end", "own_bases", "appended", "length"];
/** Characters that are written at a time. */
const CHUNK = 1 << 20;

/**
 * Writes families of genomes, as {@linkcode familyMembers} makes them: `families.fasta`, and `families.tsv` with a row
 * for each record: family, kinds, identity to the ancestor, the stretch of the ancestor (`start` from 0, `end`
 * excluded), bases of its own family, the ancestor whose beginning was appended to a chimera, and length. The same
 * options give the same bytes.
 *
 * @param folder The folder; it must be absent or empty.
 * @param options Number of families, members of each, seed, lowest identity, signal.
 * @throws {RangeError} If an option is out of its range.
 * @throws {RegistryError} With code `disk` if the folder holds something already, or cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeFamilies } from "./make_families.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const { files, records } = await makeFamilies(`${folder}/families`, { families: 3, members: 4 });
 * const table = await Deno.readTextFile(`${folder}/families/families.tsv`);
 *
 * assertEquals(files, ["families.fasta", "families.tsv"]);
 * assertEquals(table.trimEnd().split("\n").length, records + 1);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function makeFamilies(folder: string, options: MakeFamiliesOptions): Promise<MadeFamilies> {
  checkOptions("makeFamilies()", options, MAKE_FAMILIES_OPTIONS);
  const { signal, ...family } = options;
  await using whole = await createWholeFolder(folder);
  const rows = [COLUMNS.join("\t")];
  let bases = 0;
  const decoder = new TextDecoder();
  const fasta = async function* () {
    const yielder = new Yielder();
    let text = "";
    for (const member of familyMembers(family)) {
      await yielder.yieldWhenDue(signal);
      rows.push(tableRow(member));
      bases += member.sequence.length;
      text += `>${member.id}\n${decoder.decode(member.sequence).replace(/.{80}(?!$)/g, "$&\n")}\n`;
      if (text.length < CHUNK) continue;
      yield new TextEncoder().encode(text);
      text = "";
    }
    yield new TextEncoder().encode(text);
  };
  await writeAtomic(join(whole.path, FILES[0]), fasta(), { signal });
  await writeAtomic(join(whole.path, FILES[1]), `${rows.join("\n")}\n`, { signal });
  await onDisk(folder, () => whole.rename());
  return { files: FILES, records: rows.length - 1, bases };
}

function tableRow(member: FamilyMember): string {
  const { id, family, kinds, identity, start, end, ownBases, appended, sequence } = member;
  const numbers = [identity.toFixed(6), start, end, ownBases].map(String);
  return tsvRow([id, String(family), kinds.join(","), ...numbers, appended ?? "", String(sequence.length)]);
}
