/**
 * What a lake in an object store says of itself: `lake.json`, the one object with a final name.
 *
 * ```text
 * s3://BUCKET/PREFIX/lake.json                                        every table's manifest; written last
 * s3://BUCKET/PREFIX/TABLE/BUILD/part-00000-0123456789abcdef.parquet  the table; written once, never written over
 * s3://BUCKET/PREFIX/_lake/TABLE/BUILD/part-00000-….raw               texts that are not written as their type is
 * ```
 *
 * Names of parts hold the build and the beginning of their SHA-256: no two states of a lake share a name. Files appear
 * when all of a build are uploaded, so that a build that is killed leaves nothing below `TABLE`.
 */
import { isRecord } from "../../../options/is_record.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import { ParseError } from "../../../errors.ts";
import { sha256Of } from "../../../io/digest/sha256.ts";
import { checkManifest, LAKE_FILES, type LakeFile, type LakeManifest, refuseNewer } from "./lake_manifest.ts";

/** Name of the object that lists the tables. */
export const LAKE_OBJECT = "lake.json";

/** Most bytes of it that are read. */
export const MAX_LAKE_OBJECT_BYTES = 256 * 1024 * 1024;

/** A table as `lake.json` lists it. */
export interface ListedTable {
  readonly manifest: LakeManifest;
  /** Name of the build that wrote its objects. */
  readonly build: string;
  /** The store's tag of each object, by the file's name in the manifest. */
  readonly etags: Readonly<Record<string, string>>;
}

/** Key of a file's object, below the lake's prefix. In lakes of form 2, texts are next to the parts. */
export function partKey({ manifest, build }: Pick<ListedTable, "manifest" | "build">, file: LakeFile): string {
  if (manifest.lake === 3) {
    const above = file.name.endsWith(".raw") ? `${LAKE_FILES}/` : "";
    return `${above}${manifest.table}/${build}/${file.name}`;
  }
  const [, stem, ending] = /^(.*)(\.[a-z]+)$/.exec(file.name)!;
  return `${manifest.table}/${build}/${stem}-${file.checks?.sha256.slice(0, 16)}${ending}`;
}

const PART_KEY =
  /^(?:_lake\/)?[A-Za-z0-9_-]+\/([0-9]{8}T[0-9]{6}Z-[0-9a-f]{8})\/part-[0-9]{5,}-[0-9a-f]{16}\.(?:parquet|raw)$/;

/** The build to which a key below the lake's prefix belongs; `undefined` if no lake made the key. */
export function buildOfKey(key: string): string | undefined {
  return PART_KEY.exec(key)?.[1];
}

/** When the build began to which a key below the lake's prefix belongs; `undefined` if no lake made the key. */
export function buildTimeOfKey(key: string): number | undefined {
  const time = buildOfKey(key)?.replace(/^(....)(..)(..)T(..)(..)(..)Z-.*$/, "$1-$2-$3T$4:$5:$6Z");
  return time === undefined ? undefined : Date.parse(time);
}

/** Key of an object by which a store is examined. */
export function probeKey(): string {
  return `${LAKE_FILES}/probe-${crypto.randomUUID()}`;
}

/** Whether a lake made a key below its prefix, other than `lake.json`. */
export function isOwnKey(key: string): boolean {
  return buildOfKey(key) !== undefined || /^_lake\/probe-[0-9a-f-]{36}$/.test(key);
}

/** Files are objects for seconds before `lake.json` lists them. */
const STALE_OBJECT_MS = 3_600_000;

/** Whether a key below the lake's prefix may be of a build that runs, or has just ended. */
export function isUnderWay(key: string, modifiedMs: number, nowMs: number = Date.now()): boolean {
  return isOwnKey(key) && nowMs - modifiedMs <= STALE_OBJECT_MS;
}

export function formatLakeObject(tables: readonly ListedTable[]): Uint8Array<ArrayBuffer> {
  const listed = tables.map(({ manifest, build, etags }) => ({ build, etags, manifest }));
  const body = { lake: 2, objects: 1, toolkit: TOOLKIT, tables: listed };
  const text = JSON.stringify({ ...body, checksum: sha256Of(JSON.stringify(body)) }, null, 1);
  return new TextEncoder().encode(`${text}\n`);
}

/**
 * Reads `lake.json`.
 *
 * @param origin Its address, or the path of a copy, for errors.
 * @param next What to do if it is damaged.
 * @throws {ParseError} If it is not as it was written, or of a newer version.
 */
export function parseLakeObject(
  bytes: Uint8Array,
  origin: string,
  next =
    "restore it from an earlier version of the object or a copy of the lake, or remove it and build every table of " +
    "the lake again",
): ListedTable[] {
  const refuse = (why: string, cause?: unknown) =>
    new ParseError(`Cannot read ${origin}: ${why}; ${next}`, {}, { cause });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw refuse("invalid JSON", cause);
  }
  refuseNewer(value, origin, { lake: 2, objects: 1 }, next);
  if (!isRecord(value) || value.lake !== 2 || value.objects !== 1 || !Array.isArray(value.tables)) {
    throw refuse("not the list of a lake's tables");
  }
  const { checksum, ...body } = value;
  if (checksum !== sha256Of(JSON.stringify(body))) throw refuse("it is not as it was written (its SHA-256 differs)");
  return value.tables.map((table: unknown) => {
    if (!isRecord(table) || typeof table.build !== "string" || !isTexts(table.etags)) {
      throw refuse("a table is not listed as it should be");
    }
    const manifest = checkManifest(table.manifest, origin);
    const listed = { manifest, build: table.build, etags: table.etags };
    const files = [...manifest.files, ...manifest.raw];
    // A manifest leads to objects of its own table and build, nowhere else.
    if (files.some((file) => buildOfKey(partKey(listed, file)) !== listed.build)) {
      throw refuse("it names other objects");
    }
    if (files.some(({ name }) => !Object.hasOwn(listed.etags, name))) throw refuse("an object has no tag");
    return listed;
  });
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}
