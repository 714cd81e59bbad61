/** Changes of records in a temporary file: written once, read as often as they are asked for. */
import { readLines } from "@seqreg/core/io/bytes";
import { writeAll } from "@seqreg/core/io/files";
import { temporaryError } from "@seqreg/core/io/files/temp_path";
import type { RecordChange } from "./record_change.ts";

/** Characters that are gathered before they are written. */
const GATHERED = 1 << 16;

/** A file of changes, one JSON object a line. */
export class RecordFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    Deno.writeTextFileSync(path, "");
  }

  /** Appends changes, and calls back with each. @throws {RegistryError} With code `disk` if they cannot be written. */
  async append(changes: AsyncIterable<RecordChange>, onRecord: (change: RecordChange) => void): Promise<void> {
    using file = await Deno.open(this.#path, { append: true });
    const encoder = new TextEncoder();
    let [lines, gathered] = [[] as string[], 0];
    const flush = () => {
      try {
        writeAll(file, encoder.encode(lines.join("")));
      } catch (cause) {
        throw temporaryError(cause);
      }
      [lines, gathered] = [[], 0];
    };
    for await (const change of changes) {
      onRecord(change);
      const line = `${JSON.stringify(change)}\n`;
      lines.push(line);
      gathered += line.length;
      if (gathered >= GATHERED) flush();
    }
    flush();
  }

  /** Reads them in their order. */
  async *read(signal?: AbortSignal): AsyncGenerator<RecordChange> {
    for await (const line of readLines(this.#path, { signal })) yield JSON.parse(line);
  }
}
