/** Files of an import: written once from front to back, then read at any place. */
import { RegistryError } from "../../errors.ts";

/** Writes a file from front to back. */
export interface FileWriter extends Disposable {
  /** Bytes that were written. */
  readonly bytes: number;
  /** Appends. */
  write(bytes: Uint8Array): void;
  /** Makes what was written lasting. */
  sync(): Promise<void>;
}

/** Reads a file at any place. */
export interface FileReader extends Disposable {
  /** Size in bytes. */
  readonly bytes: number;
  /**
   * Fills a buffer with what stands at an offset.
   *
   * @throws {RegistryError} With code `damaged` if the file ends before.
   */
  read(into: Uint8Array, offset: number): void;
}

/** Makes a file. */
export function createFileWriter(path: string): FileWriter {
  const file = Deno.openSync(path, { write: true, createNew: true });
  let bytes = 0;
  let closed = false;
  return {
    get bytes() {
      return bytes;
    },
    write(chunk) {
      writeAll(file, chunk);
      bytes += chunk.length;
    },
    sync: () => file.syncData(),
    [Symbol.dispose]() {
      if (!closed) file.close();
      closed = true;
    },
  };
}

/** Opens a file that is only read. */
export function openFileReader(path: string): FileReader {
  const file = Deno.openSync(path, { read: true });
  let closed = false;
  return {
    bytes: file.statSync().size,
    read: (into, offset) => readAll(file, into, offset, path),
    [Symbol.dispose]() {
      if (!closed) file.close();
      closed = true;
    },
  };
}

/** Writes all of a chunk where the file stands. */
export function writeAll(file: Deno.FsFile, chunk: Uint8Array): void {
  for (let start = 0; start < chunk.length;) start += file.writeSync(chunk.subarray(start));
}

/** Fills a buffer from an offset of a file. */
export function readAll(file: Deno.FsFile, into: Uint8Array, offset: number, path: string): void {
  file.seekSync(offset, Deno.SeekMode.Start);
  for (let start = 0; start < into.length;) {
    const count = file.readSync(start === 0 ? into : into.subarray(start));
    if (count === null) {
      throw new RegistryError(
        "damaged",
        `Cannot read ${path}: it ends before byte ${
          offset + into.length
        }; remove its folder and open the archives again`,
      );
    }
    start += count;
  }
}

/** Says that a file is not as it was written. */
export function malformed(path: string): RegistryError {
  return new RegistryError(
    "damaged",
    `Cannot read ${path}: it is malformed; remove the folder it is in, and open the archives again`,
  );
}

/** Views the bytes of a typed array. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
