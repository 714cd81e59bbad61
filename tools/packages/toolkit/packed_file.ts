/** Files of a package, before they are packed. */

export interface PackedFile {
  /** Path with `/` between names, relative, without `..`. */
  readonly path: string;
  /** Reads its content. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether it may be run. */
  readonly executable?: boolean;
}

export function textFile(path: string, text: string, executable = false): PackedFile {
  return { path, executable, read: () => Promise.resolve(new TextEncoder().encode(text)) };
}

export function diskFile(path: string, source: string): PackedFile {
  return { path, read: () => Deno.readFile(source) };
}
