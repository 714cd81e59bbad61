/** Orders texts by their bytes, then by their indices: quicksort on four bytes at a time. */

/** Ranges up to this are sorted by insertion. */
const SMALL = 12;

/** Texts next to each other in one buffer. */
export interface TextBuffer {
  readonly bytes: Uint8Array;
  /** Start of each text, and the end of the last. */
  readonly starts: Uint32Array;
  readonly count: number;
}

/** Returns the indices of texts in order; equal texts keep their order. */
export function sortTexts({ bytes, starts, count }: TextBuffer): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  const cache = new Uint32Array(count);

  /** Four bytes of a text; zeros after its end. */
  const load = (text: number, depth: number): number => {
    const at = starts[text] + depth;
    const left = starts[text + 1] - at;
    if (left >= 4) return (bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]) >>> 0;
    if (left <= 0) return 0;
    return (bytes[at] << 24 | (left > 1 ? bytes[at + 1] << 16 : 0) | (left > 2 ? bytes[at + 2] << 8 : 0)) >>> 0;
  };
  const comesBefore = (a: number, b: number, depth: number): boolean => {
    const endA = starts[a + 1];
    const endB = starts[b + 1];
    let atA = starts[a] + depth;
    let atB = starts[b] + depth;
    for (; atA < endA && atB < endB; atA++, atB++) {
      if (bytes[atA] !== bytes[atB]) return bytes[atA] < bytes[atB];
    }
    return atA >= endA ? atB < endB || a < b : false;
  };
  const insert = (low: number, high: number, depth: number): void => {
    for (let at = low + 1; at < high; at++) {
      const text = order[at];
      let to = at;
      for (; to > low && comesBefore(text, order[to - 1], depth); to--) order[to] = order[to - 1];
      order[to] = text;
    }
  };
  const swap = (a: number, b: number): void => {
    const text = order[a];
    order[a] = order[b];
    order[b] = text;
    const key = cache[a];
    cache[a] = cache[b];
    cache[b] = key;
  };
  /** Texts that end before `depth` and are the same so far: the shorter first, then by their indices. */
  const settle = (low: number, high: number): void => {
    order.subarray(low, high).sort((a, b) => starts[a + 1] - starts[a] - (starts[b + 1] - starts[b]) || a - b);
  };
  /** The median of three keys drawn at random: no order in which texts come makes ranges long to divide. */
  const choosePivot = (low: number, high: number): number => {
    const draw = (): number => cache[low + Math.floor(Math.random() * (high - low))];
    const [a, b, c] = [draw(), draw(), draw()];
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
  };
  /** Sorts a range whose cache is loaded for `depth`. */
  const sort = (low: number, high: number, depth: number): void => {
    while (high - low > SMALL) {
      const pivot = choosePivot(low, high);
      let less = low;
      let more = high;
      for (let at = low; at < more;) {
        if (cache[at] < pivot) swap(at++, less++);
        else if (cache[at] > pivot) swap(at, --more);
        else at++;
      }
      sort(low, less, depth);
      sort(more, high, depth);
      // Of those that are equal here, the ones that have ended come first.
      depth += 4;
      let rest = less;
      for (let at = less; at < more; at++) {
        if (starts[order[at] + 1] - starts[order[at]] <= depth) swap(at, rest++);
      }
      settle(less, rest);
      low = rest;
      high = more;
      for (let at = low; at < high; at++) cache[at] = load(order[at], depth);
    }
    insert(low, high, depth);
  };
  for (let at = 0; at < count; at++) cache[at] = load(at, 0);
  sort(0, count, 0);
  return order;
}
