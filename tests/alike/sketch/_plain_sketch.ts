/** Sketches in plain TypeScript, base by base: the oracle of the module. */

const MASK = 2n ** 64n - 1n;
const PAIRS: Readonly<Record<string, string>> = { A: "T", C: "G", G: "C", T: "A" };

/** The k-mers of A, C, G and T alone: each as it stands, and as its reverse complement. */
export function* kmersOf(sequence: string, k: number): Generator<readonly [forward: string, backward: string]> {
  const bases = sequence.toUpperCase();
  for (let start = 0; start + k <= bases.length; start++) {
    const forward = bases.slice(start, start + k);
    if (/^[ACGT]+$/.test(forward)) yield [forward, Array.from(forward, (base) => PAIRS[base]).reverse().join("")];
  }
}

/** Distinct hashes of at most `most`, ascending, as sourmash has them. */
export function plainExchange(sequence: string, { k, most }: { readonly k: number; readonly most: bigint }): bigint[] {
  const hashes = new Set<bigint>();
  for (const [forward, backward] of kmersOf(sequence, k)) {
    const hash = murmur(new TextEncoder().encode(forward < backward ? forward : backward));
    if (hash !== 0n && hash <= most) hashes.add(hash);
  }
  return [...hashes].sort((a, b) => a < b ? -1 : 1);
}

/** The lower half of MurmurHash3 x64-128 with the seed 42, as its reference implementation describes it. */
function murmur(bytes: Uint8Array): bigint {
  const word = (start: number) => {
    let value = 0n;
    for (let i = 7; i >= 0; i--) value = value << 8n | BigInt(bytes[start + i] ?? 0);
    return value;
  };
  const first = (k: bigint) => times(rotate(times(k, 0x87c37b91114253d5n), 31n), 0x4cf5ad432745937fn);
  const second = (k: bigint) => times(rotate(times(k, 0x4cf5ad432745937fn), 33n), 0x87c37b91114253d5n);
  let [h1, h2] = [42n, 42n];
  let start = 0;
  for (; start + 16 <= bytes.length; start += 16) {
    h1 = (times(rotate(h1 ^ first(word(start)), 27n) + h2, 5n) + 0x52dce729n) & MASK;
    h2 = (times(rotate(h2 ^ second(word(start + 8)), 31n) + h1, 5n) + 0x38495ab5n) & MASK;
  }
  h2 ^= second(word(start + 8));
  h1 ^= first(word(start));
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  return (mix(h1) + mix(h2)) & MASK;
}

/** The final mix of MurmurHash3. */
export function mix(h: bigint): bigint {
  h = times(h ^ h >> 33n, 0xff51afd7ed558ccdn);
  h = times(h ^ h >> 33n, 0xc4ceb9fe1a85ec53n);
  return h ^ h >> 33n;
}

function times(a: bigint, b: bigint): bigint {
  return (a & MASK) * b & MASK;
}

function rotate(value: bigint, bits: bigint): bigint {
  return (value << bits | value >> 64n - bits) & MASK;
}
