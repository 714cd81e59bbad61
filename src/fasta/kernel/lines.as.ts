// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Lines at the speed of memory, in AssemblyScript: checks that lines are equally long, for an index, and wraps letters, for
 * a writer. How to read it: see `scan.as.ts`.
 *
 * Memory: constants | input | output. Both are as large as `layout` was told.
 */

const LF: u8 = 10;
const CR: u8 = 13;
const GREATER: u8 = 62;
const SEMICOLON: u8 = 59;

/** Sixteen times the first byte that is printable and no blank, and sixteen times how many there are. */
const FIRST_GRAPHIC: usize = memory.data<u8>([33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33], 16);
const GRAPHIC: usize = memory.data<u8>([94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94, 94], 16);

export let input: usize = 0;
export let output: usize = 0;

/** Makes room for `inputBytes` to be read from and `outputBytes` to be written to. */
export function layout(inputBytes: u32, outputBytes: u32): void {
  input = (__heap_base + 63) & ~63;
  output = (input + inputBytes + 64 + 63) & ~63;
  const needed = output + outputBytes + 64;
  const there = <usize> memory.size() << 16;
  if (needed > there && memory.grow(<i32> ((needed - there + 0xffff) >> 16)) < 0) unreachable();
}

/** Counts the bytes from `from` to `to` that are printable ASCII and no blank. */
export function countGraphic(from: usize, to: usize): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const graphic = v128.load(GRAPHIC);
  let p = from;
  let count: u32 = 0;
  for (; p + 16 <= to; p += 16) {
    count += popcnt(i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(p), first), graphic)));
  }
  for (; p < to; p++) if (<u8> (load<u8>(p) - 33) < 94) count += 1;
  return count;
}

/** Whether all bytes from `from` to `to` are printable ASCII and no blank. The last 16 may be looked at twice. */
function areGraphic(from: usize, to: usize, first: v128, graphic: v128): bool {
  if (to - from < 16) return countGraphic(from, to) === <u32> (to - from);
  let all = i8x16.lt_u(i8x16.sub(v128.load(to - 16), first), graphic);
  for (let p = from; p + 16 <= to; p += 16) {
    all = v128.and(all, i8x16.lt_u(i8x16.sub(v128.load(p), first), graphic));
  }
  return i8x16.all_true(all);
}

/**
 * Counts lines from `from` on that are just as the full lines of a sequence: `letters` letters, then a line feed, or a
 * carriage return and a line feed, `bytes` bytes in all. Stops at the first that is not, or that is not all there.
 */
export function countFullLines(from: usize, to: usize, bytes: u32, letters: u32): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const graphic = v128.load(GRAPHIC);
  let p = from;
  let count: u32 = 0;
  while (p + bytes <= to) {
    const mark = load<u8>(p);
    if (mark === GREATER || mark === SEMICOLON) break;
    if (load<u8>(p + bytes - 1) !== LF || bytes - letters === 2 && load<u8>(p + letters) !== CR) break;
    if (!areGraphic(p, p + letters, first, graphic)) break;
    p += bytes;
    count += 1;
  }
  return count;
}

/**
 * Writes `count` letters from `from` on to the output at `at`, in lines of `wrap` letters; `column` letters are on the
 * line already. A line that would begin with `>` or `;` begins with a space. The last line is not ended.
 *
 * @returns Where the output ends.
 */
export function wrapLetters(from: usize, count: u32, at: usize, column: u32, wrap: u32): usize {
  let p = from;
  const end = from + count;
  let out = at;
  let room = wrap - column;
  while (p < end) {
    if (room === 0) {
      store<u8>(out, LF);
      out += 1;
      room = wrap;
    }
    if (room === wrap) {
      const mark = load<u8>(p);
      if (mark === GREATER || mark === SEMICOLON) {
        store<u8>(out, 0x20);
        out += 1;
      }
    }
    const letters = min<usize>(room, end - p);
    // Up to 15 bytes too many are written: what comes next is written over them.
    for (let done: usize = 0; done < letters; done += 16) v128.store(out + done, v128.load(p + done));
    p += letters;
    out += letters;
    room -= <u32> letters;
  }
  return out;
}
