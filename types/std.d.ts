/**
 * Types of what the toolkit uses of the Deno standard library.
 *
 * The library comes from an npm repackaging (see README, "The standard library") that ships no types. When the four
 * lines of `deno.json` point at JSR again, delete this file.
 */

declare module "@std/assert" {
  // deno-lint-ignore no-explicit-any
  type Constructor<T> = abstract new (...args: any[]) => T;
  export class AssertionError extends Error {}
  export function assert(expression: unknown, message?: string): asserts expression;
  export function assertFalse(expression: unknown, message?: string): asserts expression is false | null | undefined;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
  export function assertAlmostEquals(actual: number, expected: number, tolerance?: number, message?: string): void;
  export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T>;
  export function assertGreater<T>(actual: T, expected: T, message?: string): void;
  export function assertGreaterOrEqual<T>(actual: T, expected: T, message?: string): void;
  export function assertLess<T>(actual: T, expected: T, message?: string): void;
  export function assertLessOrEqual<T>(actual: T, expected: T, message?: string): void;
  export function assertInstanceOf<T>(actual: unknown, type: Constructor<T>, message?: string): asserts actual is T;
  export function assertMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertArrayIncludes<T>(actual: ArrayLike<T>, expected: ArrayLike<T>, message?: string): void;
  export function assertObjectMatch(
    actual: Record<PropertyKey, unknown>,
    expected: Record<PropertyKey, unknown>,
    message?: string,
  ): void;
  export function assertThrows(fn: () => unknown, message?: string): unknown;
  export function assertThrows<E extends Error>(
    fn: () => unknown,
    type: Constructor<E>,
    includes?: string,
    message?: string,
  ): E;
  export function assertRejects(fn: () => PromiseLike<unknown>, message?: string): Promise<unknown>;
  export function assertRejects<E extends Error>(
    fn: () => PromiseLike<unknown>,
    type: Constructor<E>,
    includes?: string,
    message?: string,
  ): Promise<E>;
  export function fail(message?: string): never;
  export function unreachable(message?: string): never;
}

declare module "@std/crypto" {
  export function timingSafeEqual(
    a: ArrayBufferView | ArrayBufferLike | DataView,
    b: ArrayBufferView | ArrayBufferLike | DataView,
  ): boolean;
}

declare module "@std/csv" {
  export interface CsvParseStreamOptions {
    readonly separator?: string;
    readonly comment?: string;
    readonly trimLeadingSpace?: boolean;
    readonly lazyQuotes?: boolean;
    readonly fieldsPerRecord?: number;
  }
  export class CsvParseStream extends TransformStream<string, string[]> {
    constructor(options?: CsvParseStreamOptions);
  }
  export function parse(input: string, options?: CsvParseStreamOptions): string[][];
  export function stringify(
    data: readonly (readonly unknown[])[],
    options?: { readonly separator?: string; readonly headers?: boolean; readonly bom?: boolean },
  ): string;
}

declare module "@std/streams" {
  export class TextLineStream extends TransformStream<string, string> {
    constructor(options?: { readonly allowCR?: boolean });
  }
  export class LimitedBytesTransformStream extends TransformStream<Uint8Array, Uint8Array> {
    constructor(size: number, options?: { readonly error?: boolean });
  }
  export function toText(stream: ReadableStream<string | Uint8Array>): Promise<string>;
  export function toBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array>;
}
