/** Hits of a search, however many pages they come in. */
import { parseJson, writeJson } from "../../contract/json/lossless_json.ts";
import type { SearchHit } from "../../contract/search.ts";
import { RegistryError } from "../../errors.ts";
import { createScratchFolder, type ScratchFolder } from "../../io/files/scratch_folder.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { pagedList } from "../../tables/types/paged_list.ts";

/** Hits that are held in memory: those that paging can reach, twice. */
const MOST_HELD = 20_000;
/** Hits that are written, and read, at a time. */
const BLOCK_HITS = 1000;

/** Folders of lists that nothing refers to any more are removed. */
const abandoned = new FinalizationRegistry<ScratchFolder>((folder) => folder[Symbol.dispose]());

interface Block {
  readonly offset: number;
  readonly bytes: number;
}

/** Takes hits: the first in memory, then, as JSON, in a temporary folder, where one may be made. */
export class HitStore implements Disposable {
  readonly #mostHeld: number;
  #held: SearchHit[] = [];
  #blocks: Block[] | undefined;
  #path = "";
  #folder: ScratchFolder | undefined;
  #isDenied = false;

  /** Takes how many hits are held in memory; 20,000 by default. */
  constructor({ mostHeld = MOST_HELD }: { readonly mostHeld?: number } = {}) {
    this.#mostHeld = mostHeld;
  }

  /** Adds the hits of a page. @throws {RegistryError} With code `disk` if the temporary directory has no space. */
  async add(hits: readonly SearchHit[]): Promise<void> {
    for (const hit of hits) this.#held.push(hit);
    if (this.#blocks === undefined && (this.#isDenied || this.#held.length <= this.#mostHeld)) return;
    if (this.#blocks === undefined && !await this.#open()) return;
    try {
      this.#write(this.#blocks ?? []);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new RegistryError("disk", `Cannot keep hits in the temporary directory: ${why}; free some space there`, {
        cause,
      });
    }
  }

  /** All hits, in order. Add none afterwards: the temporary folder is the list's from now on. */
  list(): readonly SearchHit[] {
    const [blocks, rest, path, folder] = [this.#blocks, this.#held, this.#path, this.#folder];
    if (blocks === undefined || folder === undefined) return rest;
    const list = pagedList<SearchHit>({
      length: blocks.length * BLOCK_HITS + rest.length,
      pageLength: BLOCK_HITS,
      read(from) {
        const block = blocks[from / BLOCK_HITS];
        return block === undefined ? rest : readBlock(path, block);
      },
    });
    // An iterator of the list refers to the blocks alone.
    abandoned.register(blocks, folder);
    this.#folder = undefined;
    return list;
  }

  /** Removes the temporary folder, unless a list has it. */
  [Symbol.dispose](): void {
    this.#folder?.[Symbol.dispose]();
  }

  async #open(): Promise<boolean> {
    try {
      this.#folder = await createScratchFolder("hits");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      this.#isDenied = true;
      return false;
    }
    this.#path = `${this.#folder.path}/hits.json`;
    this.#blocks = [];
    return true;
  }

  /** Writes the hits that fill blocks; the others are held until more come. */
  #write(blocks: Block[]): void {
    const whole = this.#held.length - this.#held.length % BLOCK_HITS;
    if (whole === 0) return;
    using file = Deno.openSync(this.#path, { append: true, create: true });
    let { offset, bytes } = blocks.at(-1) ?? { offset: 0, bytes: 0 };
    for (let from = 0; from < whole; from += BLOCK_HITS) {
      const text = new TextEncoder().encode(writeJson(this.#held.slice(from, from + BLOCK_HITS)));
      writeAll(file, text);
      offset += bytes;
      bytes = text.length;
      blocks.push({ offset, bytes });
    }
    this.#held = this.#held.slice(whole);
  }
}

function readBlock(path: string, { offset, bytes }: Block): readonly SearchHit[] {
  using file = Deno.openSync(path);
  file.seekSync(offset, Deno.SeekMode.Start);
  const text = new Uint8Array(bytes);
  for (let read = 0; read < bytes;) {
    const count = file.readSync(text.subarray(read));
    if (count === null) throw new RegistryError("disk", `Cannot read ${path}: it is shorter than what was written`);
    read += count;
  }
  const hits: unknown = parseJson(new TextDecoder().decode(text));
  return Array.isArray(hits) ? hits : [];
}
