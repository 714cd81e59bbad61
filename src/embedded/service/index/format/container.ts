/** Many arrays in one file: each has a name and begins at a multiple of eight bytes. */
import type { FileWriter } from "../../files/file_writer.ts";

/** Offsets of arrays in the file, in bytes. */
export type Sections = Record<string, { readonly position: number; readonly bytes: number }>;

/** Appends arrays to a file and notes where. */
export class SectionWriter {
  /** The arrays so far. */
  readonly sections: Sections = {};
  readonly #file: FileWriter;

  constructor(file: FileWriter) {
    this.#file = file;
  }

  add(name: string, view: ArrayBufferView): void {
    this.begin(name);
    this.#file.append(view);
    this.end(name);
  }

  /** Begins an array that is appended in parts. */
  begin(name: string): void {
    this.#file.align();
    this.sections[name] = { position: this.#file.position, bytes: 0 };
  }

  append(view: ArrayBufferView): void {
    this.#file.append(view);
  }

  end(name: string): void {
    const { position } = this.sections[name];
    this.sections[name] = { position, bytes: this.#file.position - position };
  }
}
