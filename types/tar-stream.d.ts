/** Types of what the toolkit uses of tar-stream, which ships none. */

declare module "tar-stream" {
  import type { Buffer } from "node:buffer";
  import type { Readable, Writable } from "node:stream";

  export interface Headers {
    readonly name: string;
    readonly size: number;
    readonly mode: number;
    readonly mtime: Date;
  }
  export interface Pack extends Readable {
    entry(headers: Headers, callback: (error?: Error | null) => void): Writable;
    finalize(): void;
    [Symbol.asyncIterator](): NodeJS.AsyncIterator<Buffer>;
  }
  export function pack(): Pack;
  export interface Entry extends AsyncIterable<Uint8Array<ArrayBuffer>> {
    readonly header: Headers;
  }
  export interface Extract extends Writable {
    [Symbol.asyncIterator](): AsyncIterator<Entry>;
  }
  export function extract(): Extract;
}
