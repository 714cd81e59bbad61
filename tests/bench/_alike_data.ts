/** Data of the benches of `seqreg/alike`: families of genomes in a FASTA, and the peers' programs. */
import { createAtomicFile } from "../../src/core/io/files/atomic_file.ts";
import { type FamilyMember, familyMembers, type MemberKind } from "../../src/embedded/sample/mod.ts";

export interface FamilyFileOptions {
  readonly records: number;
  readonly seed: number;
  /** Greatest members of a family (default: 10). */
  readonly members?: number;
  /** Sequences are cut into records of so many bases (default: not cut). */
  readonly cut?: number;
  /** Members of this kind are left out. */
  readonly without?: MemberKind;
}

const CHUNK = 1 << 20;

/** Yields members of families until there are enough. */
export function* memberRecords({ records, seed, members = 10, without }: FamilyFileOptions): Generator<FamilyMember> {
  let count = 0;
  // Seeds follow each other where the families of one are used up.
  for (let next = seed;; next++) {
    for (const member of familyMembers({ families: 99_999, members, seed: next })) {
      if (without !== undefined && member.kinds.includes(without)) continue;
      if (count === records) return;
      count += 1;
      yield member;
    }
  }
}

/** Writes a FASTA of families, without line breaks in sequences; returns its bases. */
export async function writeFamilyFile(path: string, options: FamilyFileOptions): Promise<number> {
  const { records, cut = Infinity } = options;
  const encoder = new TextEncoder();
  await using file = await createAtomicFile(path);
  let parts: Uint8Array[] = [];
  let [size, bases, count] = [0, 0, 0];
  const flush = async () => {
    await file.write(await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes());
    [parts, size] = [[], 0];
  };
  for (const { id, sequence } of memberRecords(options)) {
    if (count >= records) break;
    for (let from = 0; from < sequence.length && count < records; from += cut) {
      const part = sequence.subarray(from, Math.min(sequence.length, from + cut));
      parts.push(
        encoder.encode(`>${cut === Infinity && records < 99_999 ? id : `r${count}`}\n`),
        part.slice(),
        encoder.encode("\n"),
      );
      size += part.length;
      bases += part.length;
      count += 1;
    }
    if (size > CHUNK) await flush();
  }
  await flush();
  await file.commit();
  return bases;
}

/** Versions of the peers that are there; what is absent is named. */
export async function peerVersions(
  programs: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const [program, args] of Object.entries(programs)) {
    try {
      const { stdout, stderr } = await new Deno.Command(program, { args: [...args], stdout: "piped", stderr: "piped" })
        .output();
      const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      versions[program] = /[0-9]+(\.[0-9]+)+/.exec(text)?.[0] ?? text.trim().slice(0, 20);
    } catch {
      console.log(`not run: ${program}, which is not installed`);
    }
  }
  return versions;
}
