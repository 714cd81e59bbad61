/**
 * Tokens: what a value can be found by without reading it, as two hashes of 32 bits each.
 *
 * A value has a token for its whole folded text, in its field; for a list, one for each element; and one for each word,
 * the same in every field. The hashes are keyed by random numbers per import, so that values with colliding hashes
 * cannot be constructed.
 */
import { Buffer } from "node:buffer";
import { type Field, fold, wordsIn } from "@seqreg/core/query";
import { splitList } from "@seqreg/core/contract/values";

/** Numbers that the hashes of one import begin with and multiply by. */
export interface HashKey {
  readonly starts: readonly [number, number];
  readonly factors: readonly [number, number];
  /** Bits of the first hash. */
  readonly bits: number;
}

export function drawHashKey(bits: number): HashKey {
  const [a, b, c, d] = crypto.getRandomValues(new Int32Array(4));
  // Such factors spread low bits well, as those of a congruential generator do.
  return { starts: [a, b], factors: [(c & ~7) | 5, (d & ~7) | 5], bits };
}

/** Salt of words: they are the same in every field. */
const WORD_SALT = 0;

/** Assigns hashes of their own to the values of each field. */
function saltOf(field: number): number {
  return Math.imul(field + 1, 0x9e3779b1);
}

function mix(hash: number): number {
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ hash >>> 16) >>> 0;
}

/** A token's hashes, each from 0 to 2³² - 1. */
export interface TokenHashes {
  readonly first: number;
  readonly second: number;
}

/** Makes the token of a folded word. */
export function wordToken(word: string, key: HashKey): TokenHashes {
  return hashText(word, WORD_SALT, key);
}

/** Makes the token of a folded value, or of a folded element of a list, of a field. */
export function valueToken(field: number, text: string, key: HashKey): TokenHashes {
  return hashText(text, saltOf(field), key);
}

function hashText(text: string, salt: number, { starts, factors, bits }: HashKey): TokenHashes {
  let first = starts[0] ^ salt;
  let second = (starts[1] + salt) | 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, factors[0]);
    second = Math.imul((second ^ second >>> 15) + unit, factors[1]);
  }
  return { first: mix(first) >>> (32 - bits), second: mix(second) };
}

/** For each ASCII character what it folds to. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, unit) => unit >= 65 && unit <= 90 ? unit + 32 : unit);
/** For each ASCII character whether it belongs to words. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, unit) => /[a-z0-9]/i.test(String.fromCharCode(unit)) ? 1 : 0);

/** Reads the values of one field into folded bytes and tokens; what it gives is overwritten by the next. */
export class Tokeniser {
  /** Bytes of the folded value. */
  folded = new Uint8Array(1024);
  /** Number of these. */
  foldedBytes = 0;
  /** First hashes of the tokens: of the whole value, of elements of a list, and of words. */
  first = new Uint32Array(256);
  /** Second hashes. */
  second = new Uint32Array(256);
  count = 0;
  readonly #field: Field;
  readonly #key: HashKey;
  readonly #encoder = new TextEncoder();

  constructor(field: Field, key: HashKey) {
    this.#field = field;
    this.#key = key;
  }

  read(bytes: Uint8Array, from: number, to: number): void {
    this.count = 0;
    if (this.#field.type === "list" || !this.#readAscii(bytes, from, to)) this.#readAny(textOf(bytes, from, to));
  }

  /** Reads a value of ASCII characters; false when it has others. */
  #readAscii(bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from;
    if (this.folded.length < length) this.folded = new Uint8Array(length * 2);
    const { folded } = this;
    let { first, second } = this;
    const { starts, factors, bits } = this.#key;
    const [factor1, factor2] = factors;
    const shift = 32 - bits;
    const salt = saltOf(this.#field.index);
    let whole1 = starts[0] ^ salt;
    let whole2 = (starts[1] + salt) | 0;
    let word1 = starts[0];
    let word2 = starts[1];
    let inWord = 0;
    let count = 1;
    for (let at = 0; at < length; at++) {
      const byte = bytes[from + at];
      if (byte > 127) return false;
      const unit = FOLDED[byte];
      folded[at] = unit;
      whole1 = Math.imul(whole1 ^ unit, factor1);
      whole2 = Math.imul((whole2 ^ whole2 >>> 15) + unit, factor2);
      if (IN_WORD[unit] === 1) {
        word1 = Math.imul(word1 ^ unit, factor1);
        word2 = Math.imul((word2 ^ word2 >>> 15) + unit, factor2);
        inWord = 1;
      } else if (inWord === 1) {
        // Another word may follow, and one more token is always there.
        if (count + 1 >= first.length) {
          this.#grow(count * 2 + 2);
          ({ first, second } = this);
        }
        first[count] = mix(word1) >>> shift;
        second[count++] = mix(word2);
        word1 = starts[0];
        word2 = starts[1];
        inWord = 0;
      }
    }
    if (inWord === 1) {
      first[count] = mix(word1) >>> shift;
      second[count++] = mix(word2);
    }
    first[0] = mix(whole1) >>> shift;
    second[0] = mix(whole2);
    this.foldedBytes = length;
    this.count = count;
    return true;
  }

  #readAny(text: string): void {
    const { index, type } = this.#field;
    const folded = fold(text);
    if (this.folded.length < folded.length * 3) this.folded = new Uint8Array(folded.length * 6);
    this.foldedBytes = this.#encoder.encodeInto(folded, this.folded).written;
    const whole = new Set([folded]);
    if (type === "list") { for (const element of splitList(text)) whole.add(fold(element)); }
    for (const value of whole) this.#push(valueToken(index, value, this.#key));
    for (const word of wordsIn(folded)) this.#push(wordToken(word, this.#key));
  }

  #push({ first, second }: TokenHashes): void {
    if (this.count === this.first.length) this.#grow(this.count * 2);
    this.first[this.count] = first;
    this.second[this.count++] = second;
  }

  #grow(length: number): void {
    const first = new Uint32Array(length);
    const second = new Uint32Array(length);
    first.set(this.first);
    second.set(this.second);
    this.first = first;
    this.second = second;
  }
}

export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
