/** Files open for reading, of which a process holds only some at once. */
import { closeSync, openSync } from "node:fs";
import { hasManyDescriptors } from "./free_descriptors.ts";
import { DamagedFileError } from "./damaged_file.ts";

/** Files that are open at once: enough for one step of an import. */
const FEW = 4;
/** And where the process may open many, which two registries with many fields hardly reach. */
const MANY = 64;

const open = new Set<ReadingFile>();

/** A file that is opened again when it is read after others took its place. */
export class ReadingFile implements Disposable {
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#open();
  }

  /** The descriptor, good until another file is read. */
  get descriptor(): number {
    return this.#descriptor ??= this.#openAgain();
  }

  [Symbol.dispose](): void {
    if (this.#descriptor === undefined) return;
    open.delete(this);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    const most = hasManyDescriptors() ? MANY : FEW;
    for (const oldest of open) {
      if (open.size < most) break;
      oldest[Symbol.dispose]();
    }
    const descriptor = openSync(this.#path, "r");
    open.add(this);
    return descriptor;
  }

  #openAgain(): number {
    try {
      return this.#open();
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
      throw new DamagedFileError(this.#path, "it is no longer there", { cause });
    }
  }
}
