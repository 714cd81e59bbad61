/** Synthetic FASTA for the measurements: the same bytes on every machine, no genome of anything. */

const LENGTHS = [1500, 2300, 11_000, 30_000];
const LINE = 70;

/** Writes a FASTA of wrapped lines; with `fields`, one of the registry. */
export async function writeSyntheticFasta(
  path: string,
  records: number,
  options: { readonly fields?: boolean } = {},
): Promise<void> {
  const random = seeded(1);
  const pool = Uint8Array.from({ length: 4_000_000 }, () => "ACGT".charCodeAt(random() >>> 30));
  const encoder = new TextEncoder();
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const buffer = new Uint8Array(1 << 20);
  let used = 0;
  const flush = () => {
    for (let at = 0; at < used;) at += file.writeSync(buffer.subarray(at, used));
    used = 0;
  };
  const text = (line: string) => {
    used += encoder.encodeInto(line, buffer.subarray(used)).written;
  };
  if (options.fields) text(";fields=registry_accession|Sequence Name|Country|Sequence Length\n");
  for (let record = 1; record <= records; record++) {
    const length = LENGTHS[random() >>> 30];
    if (used + length * 2 > buffer.length) flush();
    text(`>vj${String(record).padStart(12, "0")}|Virus isolate ${record}|Germany|${length}\n`);
    const start = random() % (pool.length - length);
    for (let at = 0; at < length; at += LINE) {
      const line = pool.subarray(start + at, start + Math.min(at + LINE, length));
      buffer.set(line, used);
      used += line.length;
      buffer[used++] = 10;
    }
  }
  flush();
}

/** A generator of 32-bit numbers (xorshift), so that two runs see the same data. */
export function seeded(seed: number): () => number {
  let state = seed * 0x9e3779b9 >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>>= 0;
  };
}
