/**
 * Writes tar archives in the POSIX format ("ustar", with a "pax" header for long names).
 *
 * Deno has no tar writer, and the program `tar` is not on every machine. Equal files give equal bytes: every entry has
 * the same owner and time.
 */

/** One file of an archive. */
export interface TarEntry {
  /** Path with `/` between names, relative, without `..`. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Opens the content when it is written. */
  open(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Whether it is executable. */
  readonly executable?: boolean;
}

const BLOCK = 512;
/** Greatest size that the header's eleven octal digits hold. */
const MAX_BYTES = 8 ** 11 - 1;
/** The first second of 2000: some programs complain of earlier times. */
const MODIFIED = 946_684_800;

const encoder = new TextEncoder();

/**
 * Writes a tar archive.
 *
 * @param entries The files, in their order.
 * @throws {RangeError} If a path could leave the target folder, or a file is larger than 8 GiB.
 * @throws {Error} If the size of a file differs from its entry.
 */
export async function* writeTar(
  entries: AsyncIterable<TarEntry> | Iterable<TarEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const entry of entries) {
    const { path, bytes } = entry;
    if (path.startsWith("/") || path.includes("\\") || path.split("/").some((part) => ["", ".", ".."].includes(part))) {
      throw new RangeError(`Cannot pack ${JSON.stringify(path)}: expected a relative path with / between names`);
    }
    if (bytes > MAX_BYTES) throw new RangeError(`Cannot pack ${path}: ${bytes} bytes are more than ${MAX_BYTES}`);
    const place = splitPath(path);
    if (place === undefined) {
      const record = paxRecord("path", path);
      yield header({ name: "@long-name", prefix: "" }, record.length, { type: "x", mode: 0o644 });
      yield padded(record);
    }
    const short = place ?? { name: path.slice(-40).replace(/[^ -~]/g, "_"), prefix: "" };
    yield header(short, bytes, { type: "0", mode: entry.executable ? 0o755 : 0o644 });
    let written = 0;
    for await (const chunk of entry.open()) {
      written += chunk.length;
      if (written > bytes) break;
      yield chunk;
    }
    if (written !== bytes) {
      throw new Error(
        `Cannot pack ${path}: expected ${bytes} bytes, got ${written}; it was changed meanwhile, try again`,
      );
    }
    const rest = (BLOCK - bytes % BLOCK) % BLOCK;
    if (rest > 0) yield new Uint8Array(rest);
  }
  yield new Uint8Array(2 * BLOCK);
}

/** Splits a path into a name of 100 bytes and a prefix of 155; `undefined` if that is impossible. */
function splitPath(path: string): { name: string; prefix: string } | undefined {
  if (/[^ -~]/.test(path)) return undefined;
  if (path.length <= 100) return { name: path, prefix: "" };
  for (let slash = path.indexOf("/"); slash !== -1 && slash <= 155; slash = path.indexOf("/", slash + 1)) {
    if (path.length - slash - 1 <= 100) return { name: path.slice(slash + 1), prefix: path.slice(0, slash) };
  }
  return undefined;
}

function header(
  { name, prefix }: { readonly name: string; readonly prefix: string },
  bytes: number,
  { type, mode }: { readonly type: string; readonly mode: number },
): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const text = (value: string, start: number) => block.set(encoder.encode(value), start);
  const octal = (value: number, start: number, digits: number) => text(value.toString(8).padStart(digits, "0"), start);
  text(name, 0);
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(MODIFIED, 136, 11);
  text("        ", 148);
  text(type, 156);
  text("ustar\x0000", 257);
  text(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  text(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts itself. */
function paxRecord(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = encoder.encode(` ${key}=${value}\n`);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  const record = new Uint8Array(length);
  record.set(encoder.encode(String(length)));
  record.set(rest, length - rest.length);
  return record;
}

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  block.set(bytes);
  return block;
}
