/** The metadata of a crate: RO-Crate 1.3 with the actions of Process Run Crate 0.6. */
import { countOf } from "@seqreg/core/contract/count_of";
import type { LockedCalls } from "@seqreg/core/registry/lock";
import { plainOperation } from "@seqreg/core/registry/results";
import {
  type CrateAuthor,
  describeCalls,
  describeOperation,
  fileEntity,
  Graph,
  instantOf,
  lockEntity,
  personEntity,
  refer,
  type Reference,
  registryEntity,
  softwareEntity,
} from "./_crate_entities.ts";
import type { CrateFile, CrateResult } from "./_crate_files.ts";
import type { CrateSource } from "./_crate_source.ts";

const CRATE = "https://w3id.org/ro/crate/1.3";
const PROFILE = "https://w3id.org/ro/wfrun/process/0.6";

/** The licence of a crate: a file in it, or an address. */
export type CrateLicense = { readonly file: CrateFile } | { readonly url: string; readonly name: string };

/** Text of the metadata if no licence was named. */
const NO_LICENSE = "No licence was given: ask the authors before you use the data again.";

/** Everything that the metadata is written from. */
export interface CrateContent {
  readonly source: CrateSource;
  readonly sourceFile: CrateFile;
  readonly lock?: { readonly file: CrateFile; readonly calls: LockedCalls };
  readonly results: readonly CrateResult[];
  readonly citation?: CrateFile;
  /** Sentences that cite the data; empty without any. */
  readonly credit: string;
  readonly license?: CrateLicense;
  readonly authors: readonly CrateAuthor[];
  readonly title: string;
  /** Day on which the crate counts as published: `2026-01-31`. */
  readonly date: string;
  /** Name and version of the toolkit that writes the crate. */
  readonly toolkit: string;
}

/** Entities that others refer to. */
interface Shared {
  readonly graph: Graph;
  readonly people: readonly Reference[];
  /** References by the address or path in a lock or a ledger. */
  readonly registries: ReadonlyMap<string, Reference>;
}

/** Writes `ro-crate-metadata.json`: the same text for the same content. */
export function crateMetadata(content: CrateContent): string {
  const { source, lock, results, citation, license, authors } = content;
  const graph = new Graph();
  const shared: Shared = {
    graph,
    people: authors.map((author, index) => graph.add(personEntity(author, index + 1))),
    registries: new Map(
      addressesOf(content).map((address, index) => [address, graph.add(registryEntity(address, index + 1))]),
    ),
  };
  const locks = lock === undefined ? [] : [graph.add(lockEntity(lock.file, lock.calls))];
  const software = programsOf(content).map((program) => graph.add(softwareEntity(program)));
  const main = source.kind === "lock" ? locks[0] : addCode(graph, content, software);
  const retrieved = results.map((result, index) => addResult(shared, result, index + 1));
  const outcomes = [...locks, ...retrieved.flatMap(({ files }) => files)];
  const run = addRun(shared, content, { instrument: source.kind === "lock" ? software : [main], outcomes });
  const about = [
    ...citation === undefined ? [] : [graph.add(fileEntity(citation, "Citation of the data"))],
    ...license !== undefined && "file" in license ? [graph.add(fileEntity(license.file, "Licence of the crate"))] : [],
  ];
  graph.add({ "@id": PROFILE, "@type": ["CreativeWork", "Profile"], name: "Process Run Crate", version: "0.6" });
  const root = {
    "@id": "./",
    "@type": "Dataset",
    name: content.title,
    description: describeContent(content),
    datePublished: content.date,
    license: licenseOf(graph, license),
    ...shared.people.length > 0 && { author: refer(shared.people) },
    conformsTo: { "@id": PROFILE },
    mainEntity: main,
    hasPart: refer([main, ...outcomes, ...about]),
    mentions: refer([run, ...retrieved.flatMap(({ action }) => action ?? [])]),
    ...content.credit !== "" && { creditText: content.credit },
  };
  const descriptor = {
    "@id": "ro-crate-metadata.json",
    "@type": "CreativeWork",
    conformsTo: { "@id": CRATE },
    about: { "@id": "./" },
  };
  const entities = [descriptor, root, ...graph.entities];
  return `${JSON.stringify({ "@context": `${CRATE}/context`, "@graph": entities }, null, 2)}\n`;
}

function describeContent({ source, sourceFile, lock, results }: CrateContent): string {
  const calls = lock === undefined ? "no lock of its calls" : `its lock: ${describeCalls(lock.calls)}`;
  const about = source.kind === "lock"
    ? `Calls of a sequence registry: ${describeCalls(lock!.calls)}`
    : `${kindOf(source)} ${sourceFile.path} with ${calls}`;
  return results.length === 0 ? about : `${about}; ${countOf(results.length, "result")}`;
}

function kindOf({ kind }: CrateSource): string {
  return kind === "notebook" ? "Notebook" : "Script";
}

/** The notebook or the script. */
function addCode(graph: Graph, { source, sourceFile }: CrateContent, software: readonly Reference[]): Reference {
  const { language } = source;
  const page = language && LANGUAGE_PAGES[language.name];
  return graph.add({
    ...fileEntity(sourceFile, kindOf(source)),
    "@type": ["File", "SoftwareSourceCode"],
    name: source.title,
    // Its versions differ in their content alone.
    version: sourceFile.sha256.slice(0, 12),
    ...language !== undefined && page !== undefined && {
      programmingLanguage: graph.add({
        "@id": `#${language.name}-${encodeURIComponent(language.version)}`,
        "@type": "ComputerLanguage",
        ...language,
        url: page,
      }),
    },
    softwareRequirements: refer(software),
  });
}

/** Pages of languages: an entity without one is not valid. */
const LANGUAGE_PAGES: Readonly<Record<string, string>> = {
  typescript: "https://www.typescriptlang.org/",
  javascript: "https://tc39.es/",
  python: "https://www.python.org/",
  R: "https://www.r-project.org/",
};

/** What made everything from the answers of registries. */
function addRun(
  { graph, people, registries }: Shared,
  { source, sourceFile, lock, results }: CrateContent,
  { instrument, outcomes }: { readonly instrument: readonly Reference[]; readonly outcomes: readonly Reference[] },
): Reference {
  const ledgers = results.flatMap(({ ledger }) => ledger ?? []);
  const sorted = (times: readonly string[]) => [...times].sort();
  return graph.add({
    "@id": "#run",
    "@type": "CreateAction",
    name: source.kind === "lock" ? "Calls of a sequence registry" : `Run of ${sourceFile.path}`,
    description: lock === undefined ? "The calls were not recorded in a lock" : describeCalls(lock.calls),
    ...ledgers.length > 0 && {
      startTime: sorted(ledgers.map(({ started }) => instantOf(started)))[0],
      endTime: sorted(ledgers.map(({ finished }) => instantOf(finished))).at(-1),
    },
    instrument: refer(instrument),
    ...registries.size > 0 && { object: refer([...registries.values()]) },
    ...people.length > 0 && { agent: refer(people) },
    result: refer(outcomes),
  });
}

/** Adds a result, its ledger, and the action that the ledger is about. */
function addResult(
  { graph, people, registries }: Shared,
  { file, ledgerFile, ledger }: CrateResult,
  number: number,
): { readonly files: readonly Reference[]; readonly action?: Reference } {
  const files = [
    ...file === undefined ? [] : [
      graph.add(fileEntity(file, ledger === undefined ? "Result" : `Result of ${describeOperation(ledger)}`)),
    ],
    ...ledgerFile === undefined ? [] : [
      graph.add(fileEntity(ledgerFile, file === undefined ? "Ledger" : `Ledger of ${file.path}`)),
    ],
  ];
  if (ledger === undefined) return { files };
  const { operation, toolkit, registry, received, complete, started, finished } = ledger;
  const object = registry === null ? undefined : registries.get(registry);
  const action = graph.add({
    "@id": `#result-${number}`,
    "@type": "CreateAction",
    name: plainOperation(operation),
    description: `${describeOperation(ledger)}: ${countOf(received, "record")} received, ${
      complete ? "complete" : "incomplete"
    }`,
    startTime: instantOf(started),
    endTime: instantOf(finished),
    instrument: graph.add(softwareEntity(toolkit)),
    ...object !== undefined && { object },
    ...people.length > 0 && { agent: refer(people) },
    result: refer(files),
  });
  return { files, action };
}

/** What recorded the lock and wrote the ledgers, such as `deno 2.9.6`. */
function programsOf({ lock, results, toolkit }: CrateContent): string[] {
  const recorded = [...lock?.calls.values() ?? []].flatMap(({ versions }) =>
    Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  );
  const written = results.flatMap(({ ledger }) => ledger?.toolkit ?? []);
  const all = new Set([...recorded, ...written]);
  return all.size === 0 ? [toolkit] : [...all].sort();
}

function addressesOf({ lock, results }: CrateContent): string[] {
  const addresses = [
    ...[...lock?.calls.values() ?? []].map(({ registry }) => registry),
    ...results.flatMap(({ ledger }) => ledger?.registry ?? []),
  ];
  return [...new Set(addresses)].sort();
}

function licenseOf(graph: Graph, license: CrateLicense | undefined): Reference | string {
  if (license === undefined) return NO_LICENSE;
  if ("file" in license) return graph.add(fileEntity(license.file, "Licence of the crate"));
  const { url, name } = license;
  return graph.add({ "@id": url, "@type": "CreativeWork", name, description: `Licence of the crate: ${name}`, url });
}
