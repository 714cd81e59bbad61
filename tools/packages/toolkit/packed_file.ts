/** Files of a package, before they are packed. */

/** One file of a package. */
export interface PackedFile {
  /** Path with `/` between names, relative, without `..`. */
  readonly path: string;
  /** Reads its content. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether it may be run. */
  readonly executable?: boolean;
}

/** A text as a file of a package. */
export function textFile(path: string, text: string, executable = false): PackedFile {
  return { path, executable, read: () => Promise.resolve(new TextEncoder().encode(text)) };
}

/** A file on the disk as a file of a package. */
export function diskFile(path: string, source: string): PackedFile {
  return { path, read: () => Deno.readFile(source) };
}
