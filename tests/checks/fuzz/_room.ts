/** What a fuzzer of one room is made of. */
import { type Draw, drawFrom } from "../../_randoms.ts";

export type { Draw };
export { drawFrom };

/** A fuzzer: makes inputs from a seed, and judges what our code makes of them. */
export interface FuzzRoom extends AsyncDisposable {
  /** Makes an input of at most 100 kB. */
  make(draw: Draw): Uint8Array<ArrayBuffer>;
  /** Lets our code read an input; only this is timed. */
  run(input: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** Compares what our code returned with an independent oracle; describes the fault, if there is one. */
  judge(input: Uint8Array<ArrayBuffer>, result: unknown): Promise<string | undefined>;
}

export type OpenRoom = () => Promise<FuzzRoom>;

const encoder = new TextEncoder();

export function pick<T>(draw: Draw, items: readonly T[]): T {
  return items[draw(items.length)];
}

/** Repeats a maker at random. */
export function several<T>(draw: Draw, most: number, make: () => T): T[] {
  return Array.from({ length: draw(most + 1) }, make);
}

/** Changes an input at some random places: flips, drops, repeats, inserts. */
export function mutate(draw: Draw, input: Uint8Array, words: readonly string[]): Uint8Array<ArrayBuffer> {
  let bytes = [...input];
  for (let change = draw(4) + 1; change > 0; change--) {
    const at = draw(bytes.length + 1);
    const some = draw(8) + 1;
    switch (draw(6)) {
      case 0:
        if (at < bytes.length) bytes[at] ^= 1 << draw(8);
        break;
      case 1:
        bytes.splice(at, some);
        break;
      case 2:
        bytes.splice(at, 0, ...bytes.slice(at, at + some));
        break;
      case 3:
        bytes = bytes.slice(0, at);
        break;
      case 4:
        bytes.splice(at, 0, draw(256));
        break;
      default:
        bytes.splice(at, 0, ...encoder.encode(pick(draw, words)));
    }
  }
  return Uint8Array.from(bytes);
}

/** Yields an input in chunks of different sizes, which depend on it alone. */
export async function* inChunks(input: Uint8Array): AsyncGenerator<Uint8Array> {
  const draw = drawFrom(input.length);
  for (let at = 0; at < input.length;) {
    const size = pick(draw, [1, 2, 7, 64, 1000, 65_536]);
    yield input.slice(at, at += size);
  }
}

/** What a reader did: its value, or the error that it threw. */
export type Outcome<T> = { readonly value: T } | { readonly error: Error };

/** Runs a reader to its value or error. */
export async function outcomeOf<T>(read: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Describes how two values differ as JSON; `undefined` when they do not. */
export function difference(ours: unknown, theirs: unknown): string | undefined {
  const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at++;
  const near = (text: string) => text.slice(Math.max(0, at - 60), at + 100);
  return `differs at character ${at} of its JSON: ours ${near(left)}, the oracle's ${near(right)}`;
}
