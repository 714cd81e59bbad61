/** A table of a lake in an object store, as it is read. */
import { sha256 } from "../../../io/digest/sha256.ts";
import { below, formatObjectAddress, type ObjectAddress } from "../../../io/objects/object_address.ts";
import type { ObjectFacts, ObjectStore } from "../../../io/objects/object_store.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import type { BuiltTable } from "../build/lake_layout.ts";
import { LAKE_FILES, type LakeFile } from "../build/lake_manifest.ts";
import { type ListedTable, partKey } from "../build/object_manifest.ts";

export interface ObjectTable extends BuiltTable {
  readonly objects: TableObjects;
}

export interface TableObject {
  /** Its line in the manifest. */
  readonly file: LakeFile;
  readonly address: ObjectAddress;
  /** The store's tag of it. */
  readonly etag: string;
}

/** Requests that run at a time. */
const AT_A_TIME = 16;

/** The objects of one table, and whether they are still those that were written. */
export class TableObjects {
  readonly store: ObjectStore;
  /** Parquet files in order, then the texts that are not written as their type is. */
  readonly all: readonly TableObject[];
  /** Folder of the parts; and that of the texts, where they have another and there are any. */
  readonly folders: readonly ObjectAddress[];
  readonly #remedy: string;
  /** Tags by key, where an object was found to be whole under another than the listed one. */
  readonly #tags = new Map<string, string>();

  /** Takes the lake's address and its line in `lake.json`. */
  constructor(store: ObjectStore, lake: ObjectAddress, table: ListedTable) {
    const { manifest, build, etags } = table;
    this.store = store;
    const hasTexts = manifest.lake === 3 && manifest.raw.length > 0;
    const above = ["", ...hasTexts ? [`${LAKE_FILES}/`] : []];
    this.folders = above.map((prefix) => below(lake, `${prefix}${manifest.table}/${build}/`));
    this.#remedy = `build the lake again: seqreg lake ${manifest.source.archive} -o ${formatObjectAddress(lake)}`;
    this.all = [...manifest.files, ...manifest.raw].map((file) => ({
      file,
      address: below(lake, partKey(table, file)),
      etag: etags[file.name],
    }));
  }

  /** Addresses of the files of a kind, in order. */
  addresses(ending: "parquet" | "raw"): string[] {
    return this.all.filter(({ file }) => file.name.endsWith(`.${ending}`)).map(({ address }) =>
      formatObjectAddress(address)
    );
  }

  /**
   * Compares size and tag of every object with the manifest. Of an object under another tag, such as one that was
   * copied, every byte is read once and its SHA-256 compared.
   *
   * @throws {ObjectStoreError} With fault `no-object` if one is lost, `changed` if one is another.
   */
  async check(signal?: AbortSignal): Promise<void> {
    const facts = await this.#facts(signal);
    for (const one of this.all) {
      const found = facts.get(one.address.key);
      if (found === undefined) throw this.#lost(one);
      if (found.bytes !== one.file.bytes) throw this.#changed(one);
      if (found.etag === (this.#tags.get(one.address.key) ?? one.etag)) continue;
      if (this.#tags.has(one.address.key) || !await this.isWhole(one, found.etag, signal)) throw this.#changed(one);
      this.#tags.set(one.address.key, found.etag);
    }
  }

  /** Whether every byte of an object is as it was written. */
  async isWhole({ address, file }: TableObject, etag?: string, signal?: AbortSignal): Promise<boolean> {
    const bytes = this.store.read(address, { etag, signal });
    return await sha256(bytes, { signal }) === file.checks?.sha256;
  }

  /** Size and tag of every object, by key: of lists, or asked one by one where listing is not allowed. */
  async #facts(signal?: AbortSignal): Promise<Map<string, ObjectFacts>> {
    const facts = new Map<string, ObjectFacts>();
    try {
      for (const folder of this.folders) {
        for await (const { key, ...found } of this.store.list(folder, signal)) facts.set(key, found);
      }
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || error.fault !== "denied") throw error;
      const asked = mapAhead(ReadableStream.from(this.all), { ahead: AT_A_TIME }, async ({ address }, stop) => {
        const found = await this.store.head(address, signal ? AbortSignal.any([signal, stop]) : stop);
        return { key: address.key, found };
      });
      for await (const { key, found } of asked) if (found !== undefined) facts.set(key, found);
    }
    return facts;
  }

  #lost({ address }: TableObject): ObjectStoreError {
    const text = formatObjectAddress(address);
    const message = `Cannot read ${text}: the store no longer has it; open the lake again, or ${this.#remedy}`;
    return new ObjectStoreError(message, { fault: "no-object", address: text });
  }

  #changed({ address }: TableObject): ObjectStoreError {
    const text = formatObjectAddress(address);
    const message = `Cannot read ${text}: it is not the object that was written; ${this.#remedy}`;
    return new ObjectStoreError(message, { fault: "changed", address: text });
  }
}

/** Addresses and sizes of the Parquet objects of a table, in order. */
export function objectFiles(
  lake: ObjectAddress,
  { manifest, build }: Pick<ListedTable, "manifest" | "build">,
): { readonly address: string; readonly bytes: number }[] {
  return manifest.files.map((file) => ({
    address: formatObjectAddress(below(lake, partKey({ manifest, build }, file))),
    bytes: file.bytes,
  }));
}

export function isObjectTable(table: BuiltTable): table is ObjectTable {
  return "objects" in table;
}

/** Makes the table of a line of `lake.json`. */
export function objectTable(store: ObjectStore, lake: ObjectAddress, listed: ListedTable): ObjectTable {
  const objects = new TableObjects(store, lake, listed);
  const { manifest } = listed;
  const [folder, about] = objects.folders.map((address) => formatObjectAddress(address).replace(/\/$/, ""));
  return { manifest, folder, about: about ?? folder, files: objects.addresses("parquet"), reused: true, objects };
}
