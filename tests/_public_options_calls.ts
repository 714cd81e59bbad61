/** Calls of every export that takes options: what stands before the options, and what its methods belong to. */
import { AlikeIndex } from "../src/alike/index/open_index.ts";
import { assert } from "@std/assert";
import { RegistryClient, RetryBudget } from "../src/core/client/mod.ts";
import { makeSample } from "../src/embedded/sample/mod.ts";
import { openRegistry, type RenewableRegistry } from "../src/embedded/service/mod.ts";
import { tableFromHits } from "../src/core/tables/mod.ts";
import { localEngine } from "../src/core/engine/local/local_engine.ts";
import { Chart, loadPlaces, openSource } from "../src/analysis/mod.ts";
import { live } from "../src/jupyter/notebook/live/live.ts";
import { type CitedLake, type CitedTable, Registry } from "../src/core/registry/mod.ts";
import { type Callable, type DocNodes, listCallables } from "./_public_options.ts";

/** Not ours to check, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "inNotebook": "completes the options of others, whatever they are",
};

/** Where all that was read or opened before is kept: the calls themselves have no permissions. */
export interface Opened {
  readonly callables: readonly Callable[];
  readonly instances: Readonly<Record<string, object>>;
  close(): Promise<void>;
}

const accession = "vj000000000001";
const client = new RegistryClient("http://registry.test", { fetch: refuse });

function refuse(): Promise<Response> {
  return Promise.reject(new Error("nothing was to be asked"));
}

/** One argument of each type; what stands before options is fine. */
export const ARGUMENTS: Readonly<Record<string, unknown>> = {
  "AlikeIndex": {},
  "AnalysisSource": {},
  "ArchiveId | string": "full_dataset_metadata",
  "ArchiveSource": { fields: [], sequences: () => [], rows: () => [] },
  "AsyncIterable<AsyncIterable<Uint8Array>>": never(),
  "AsyncIterable<FastaBatch>": never(),
  "AsyncIterable<PlainFastaInput> | Iterable<PlainFastaInput>": never(),
  "AsyncIterable<RegistryFastaInput> | Iterable<RegistryFastaInput>": never(),
  "AsyncIterable<Uint8Array>": never(),
  "AsyncIterable<Uint8Array> | Iterable<Uint8Array>": never(),
  "ByteSource": never(),
  "DataFrame": {},
  "DefinitionsRequest": { fields: [] },
  "DownloadRequest": {
    search: { query: "x" },
    download: { scope: "max", information: "metadata", fileType: "csv" },
  },
  "EngineLake": { location: "absent", tables: [] },
  "ExportRequest": { scope: { query: "x" }, information: "metadata", fileType: "csv" },
  "ExportType": "csv",
  "Iterable<SearchHit> | AsyncIterable<SearchHit>": never(),
  "AnalysisLake": {},
  "LazyDataFrame": {},
  "LiveInput": {},
  "Ledger": {},
  "Records": { query: "x" },
  "Records | ExportRequest": { query: "x" },
  "PlacedArchive[]": [],
  "Recipe": refuse,
  "RegistryClient": client,
  "RegistryService": refuse,
  "RegistryStore": {},
  "Role": "length",
  "SearchCriteria": { query: "x" },
  "SearchTerms": "absent",
  "SearchRequest": { query: "x" },
  "SequenceRequest": { accessions: [accession] },
  "SourceColumn[]": [],
  "SqlParameters": [],
  "VerifiedArchive": { name: "registryv1_full_dataset_metadata.csv.gz", path: "absent" },
  "string": "absent",
  "string | Uint8Array": "ACGT",
  "string | URL": "http://registry.test",
  "string | string[]": "absent",
  "string[]": [],
  "unknown": new Error("a failure"),
  "string | RegistryRecords": "absent",
};

/** What fits an option that must be given, by its key. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  ani: 0.99,
  by: ["country"],
  families: 2,
  fasta: "absent.fasta",
  fields: ["accession"],
  folder: "absent",
  format: "csv",
  index: Object.create(AlikeIndex.prototype),
  metadata: "absent.csv",
  most: 1,
  onRecord: () => {},
};

/** A source that must not be read. */
function never(): AsyncIterable<never> {
  return {
    [Symbol.asyncIterator]() {
      throw new Error("nothing was to be read");
    },
  };
}

/** Lists every export that takes options, and opens what its methods belong to. */
export async function openForCalls(nodes?: DocNodes): Promise<Opened> {
  const callables = (await listCallables(nodes)).filter(({ name }) => !Object.hasOwn(LEFT_OUT, name));
  const folder = await Deno.makeTempDir();
  await makeSample(`${folder}/archives`, { records: 10 });
  const registry = await Registry.open(`${folder}/archives`, { cacheFolder: folder });
  const archive = await registry.dataset("full_dataset_sequence");
  const lake: CitedLake = await archive.lake();
  const table: CitedTable = await lake.table();
  const renewable: RenewableRegistry = await openRegistry(`${folder}/archives`, { cacheFolder: folder });
  const sequences = await registry.sequences({ ids: [accession] });
  return {
    callables,
    instances: {
      Chart: new Chart({ svg: "<svg></svg>", width: 1, height: 1 }, {
        title: "",
        subtitle: undefined,
        description: "",
        caption: "",
        notes: [],
      }),
      CitedLake: lake,
      CitedTable: table,
      DatasetResult: archive,
      Engine: localEngine,
      EngineSession: await localEngine.open({ location: "absent", tables: [] }),
      Lake: lake,
      LakeTable: table,
      LiveView: await live(await table.frame()),
      OpenSource: await openSource(await table.frame()),
      PlaceReader: await loadPlaces(),
      Registry: registry,
      RegistryClient: client,
      RegistryResult: sequences,
      RenewableRegistry: renewable,
      RetryBudget: new RetryBudget(),
      SequencesResult: sequences,
      TypedTable: await tableFromHits([]),
    },
    async close() {
      await renewable[Symbol.asyncDispose]();
      await lake[Symbol.asyncDispose]();
      await registry.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Options that must be given, with values that fit. */
export function requiredOf({ name, keys }: Callable): Record<string, unknown> {
  return Object.fromEntries(
    keys.filter(({ isRequired }) => isRequired).map((key) => {
      assert(Object.hasOwn(REQUIRED, key.name), `${name} requires ${key.name}: add what fits to REQUIRED`);
      // Of two formats the table of accessions has its own.
      return [key.name, name === "tableFromAccessions" && key.name === "format" ? "tsv" : REQUIRED[key.name]];
    }),
  );
}

/** What a call throws or rejects with; `undefined` when it does neither. */
export async function refusalOf(
  opened: Opened,
  { kind, owner, member, door, before }: Callable,
  options: unknown,
): Promise<unknown> {
  const args = [...before.map(({ type }) => ARGUMENTS[type]), options];
  try {
    const target = await targetOf(opened, kind, owner, door);
    if (kind === "constructor") Reflect.construct(target as new () => object, args);
    else if (kind === "function") await Reflect.apply(target as () => unknown, undefined, args);
    else await Reflect.apply(Reflect.get(target, member), target, args);
  } catch (error) {
    return error;
  }
}

/** The class, function or instance that is called. */
async function targetOf(
  opened: Opened,
  kind: Callable["kind"],
  owner: string,
  door: string,
): Promise<object> {
  if (kind === "method") {
    const instance = opened.instances[owner];
    assert(instance !== undefined, `no ${owner} is opened: add one to the instances`);
    return instance;
  }
  const module: Record<string, object> = await import(door);
  return module[owner];
}
