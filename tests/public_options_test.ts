/**
 * Every exported function, constructor and method that takes options refuses what is not an option, before any I/O.
 *
 * The list is that of `deno doc`: a new export is in it by itself. It fails here without a check, and where its
 * arguments have a type that is not known here yet.
 */
import { assert, assertEquals } from "@std/assert";
import { RegistryClient, RetryBudget } from "../src/client/mod.ts";
import { makeSample } from "../src/sample/mod.ts";
import { openRegistry, type RenewableRegistry } from "../src/service/mod.ts";
import { tableFromHits } from "../src/tables/mod.ts";
import { Chart } from "../src/analysis/mod.ts";
import { type CitedLake, type CitedTable, Registry } from "../src/registry/mod.ts";
import { type Callable, listCallables } from "./_public_options.ts";

/** Not ours to check, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "FrameLike.writeJSON": "a method of polars",
  "inNotebook": "completes the options of others, whatever they are",
};

/** Where all that was read or opened before is kept: the calls themselves have no permissions. */
interface Opened {
  readonly callables: readonly Callable[];
  readonly instances: Readonly<Record<string, object>>;
  close(): Promise<void>;
}
let opened: Opened | undefined;

const accession = "vj000000000001";
const client = new RegistryClient("http://registry.test", { fetch: refuse });

function refuse(): Promise<Response> {
  return Promise.reject(new Error("nothing was to be asked"));
}

/** One argument of each type; what stands before options is fine. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
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
  "ExportRequest": { scope: { query: "x" }, information: "metadata", fileType: "csv" },
  "ExportType": "csv",
  "Iterable<SearchHit> | AsyncIterable<SearchHit>": never(),
  "LakeSource": {},
  "Ledger": {},
  "Records": { query: "x" },
  "PlacedArchive[]": [],
  "RegistryClient": client,
  "RegistryService": refuse,
  "RegistryStore": {},
  "Role": "length",
  "SearchCriteria": { query: "x" },
  "SearchRequest": { query: "x" },
  "SequenceRequest": { accessions: [accession] },
  "SourceColumn[]": [],
  "SqlParameters": [],
  "VerifiedArchive": { name: "registryv1_full_dataset_metadata.csv.gz", path: "absent" },
  "string": "absent",
  "string | URL": "http://registry.test",
  "string | string[]": "absent",
  "string[]": [],
  "unknown": new Error("a failure"),
};

/** What fits an option that must be given, by its key. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  fasta: "absent.fasta",
  fields: ["accession"],
  folder: "absent",
  format: "csv",
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

Deno.test("exports that take options are found, and what their methods belong to is opened", async () => {
  const callables = (await listCallables()).filter(({ name }) => !Object.hasOwn(LEFT_OUT, name));
  const folder = await Deno.makeTempDir();
  await makeSample(`${folder}/archives`, { records: 10 });
  const registry = await Registry.open(`${folder}/archives`, { cacheFolder: folder });
  const archive = await registry.dataset("full_dataset_sequence");
  const lake: CitedLake = await archive.lake();
  const table: CitedTable = await lake.table();
  const renewable: RenewableRegistry = await openRegistry(`${folder}/archives`, { cacheFolder: folder });
  const sequences = await registry.sequences({ ids: [accession] });
  opened = {
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
      Lake: lake,
      LakeTable: table,
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
  assert(callables.length > 90, `only ${callables.length} exports take options: the list reads the wrong thing`);
  const unknown = callables.flatMap(({ name, before }) =>
    before.filter(({ type }) => !Object.hasOwn(ARGUMENTS, type)).map(({ type }) =>
      `${name}: no argument of type ${type}`
    )
  );
  assertEquals(unknown, [], "add an argument of that type to ARGUMENTS");
});

/** Checks every export that takes options, without any permission. */
function testOptions(name: string, check: (callable: Callable) => Promise<void>): void {
  Deno.test(name, { permissions: "none" }, async (t) => {
    assert(opened !== undefined);
    for (const callable of opened.callables) await t.step(callable.name, () => check(callable));
  });
}

testOptions("every export that takes options refuses an unknown one before any I/O", async (callable) => {
  const required = requiredOf(callable);
  const error = await refusalOf(callable, { ...required, "no such option": 1 });
  assert(error instanceof TypeError, `no TypeError: ${error}`);
  assert(error.message.startsWith('unknown option "no such option" of '), error.message);
  for (const { name } of callable.keys) assert(error.message.includes(name), `${error.message} names no ${name}`);
});

testOptions("every option of every export is refused with a wrong type, before any I/O", async (callable) => {
  const required = requiredOf(callable);
  for (const key of callable.keys) {
    // `unknown` is any value.
    if (key.type === "unknown" || key.name === "cause") continue;
    const error = await refusalOf(callable, { ...required, [key.name]: Symbol("wrong") });
    assert(error instanceof TypeError, `${key.name}: no TypeError: ${error}`);
    assert(error.message.startsWith(`option "${key.name}" of `), error.message);
  }
  if (callable.keys.some(({ isRequired }) => isRequired)) {
    const error = await refusalOf(callable, {});
    assert(error instanceof TypeError && error.message.includes(" is missing"), `nothing is missing: ${error}`);
  }
  for (const wrong of ["text", 1, null, [], AbortSignal.abort()]) {
    const error = await refusalOf(callable, wrong);
    assert(error instanceof TypeError && error.message.includes(" must be an object, {"), `${wrong}: ${error}`);
  }
});

Deno.test("what was opened for the calls is closed", async () => {
  await opened?.close();
  opened = undefined;
});

function requiredOf({ name, keys }: Callable): Record<string, unknown> {
  return Object.fromEntries(
    keys.filter(({ isRequired }) => isRequired).map((key) => {
      assert(Object.hasOwn(REQUIRED, key.name), `${name} requires ${key.name}: add what fits to REQUIRED`);
      // Of two formats the table of accessions has its own.
      return [key.name, name === "accessionsTable" && key.name === "format" ? "tsv" : REQUIRED[key.name]];
    }),
  );
}

/** What a call throws or rejects with; `undefined` when it does neither. */
async function refusalOf({ kind, owner, member, door, before }: Callable, options: unknown): Promise<unknown> {
  const args = [...before.map(({ type }) => ARGUMENTS[type]), options];
  try {
    const target = await targetOf(kind, owner, door);
    if (kind === "constructor") Reflect.construct(target as new () => object, args);
    else if (kind === "function") await Reflect.apply(target as () => unknown, undefined, args);
    else await Reflect.apply(Reflect.get(target, member), target, args);
  } catch (error) {
    return error;
  }
}

/** The class, function or instance that is called. */
async function targetOf(kind: Callable["kind"], owner: string, door: string): Promise<object> {
  if (kind === "method") {
    const instance = opened?.instances[owner];
    assert(instance !== undefined, `no ${owner} is opened: add one to the instances`);
    return instance;
  }
  const module: Record<string, object> = await import(door);
  return module[owner];
}
