/** Entities of a crate, as RO-Crate 1.3 describes them. */
import { countOf } from "@seqreg/core/contract/count_of";
import { describeRequest, plainOperation, signatureOf } from "@seqreg/core/registry/results";
import type { LockedCalls } from "@seqreg/core/registry/lock";
import { visible } from "@seqreg/core/io/display";
import type { CrateFile } from "./_crate_files.ts";
import type { LedgerFile } from "./_ledger_file.ts";

/** An entity: its properties under its identifier. */
export type Entity = Readonly<Record<string, unknown>> & Reference;

/** A reference to an entity. */
export interface Reference {
  readonly "@id": string;
}

/** A person who made the crate. */
export interface CrateAuthor {
  /** Name as it is written. */
  readonly name: string;
  /** ORCID iD, such as `0000-0002-1825-0097`. */
  readonly orcid?: string;
}

/** Entities, each once, in the order in which they were added. */
export class Graph {
  readonly #entities = new Map<string, Entity>();

  add(entity: Entity): Reference {
    if (!this.#entities.has(entity["@id"])) this.#entities.set(entity["@id"], entity);
    return { "@id": entity["@id"] };
  }

  get entities(): readonly Entity[] {
    return [...this.#entities.values()];
  }
}

/** References as JSON-LD is written compactly: a single one without a list. */
export function refer(references: readonly Reference[]): Reference | readonly Reference[] {
  const distinct = [...new Map(references.map((reference) => [reference["@id"], reference])).values()];
  return distinct.length === 1 ? distinct[0] : distinct;
}

export function fileEntity({ path, bytes, sha256, mediaType }: CrateFile, description: string): Entity {
  return {
    // A path becomes a relative reference of a URI.
    "@id": path.split("/").map(encodeURIComponent).join("/"),
    "@type": "File",
    name: visible(path),
    description,
    contentSize: String(bytes),
    ...mediaType !== undefined && { encodingFormat: mediaType },
    sha256,
  };
}

/** A lock, with the content address that its citation ends in. */
export function lockEntity(file: CrateFile, calls: LockedCalls): Entity {
  return { ...fileEntity(file, `Lock: ${describeCalls(calls)}`), identifier: signatureOf(file.sha256) };
}

/** Package and page of the programs that the toolkit is made of. */
const PROGRAMS: ReadonlyMap<string, { readonly package: string; readonly url?: string }> = new Map([
  ["seqreg", { package: "npm/seqreg" }],
  ["deno", { package: "github/denoland/deno", url: "https://deno.com/" }],
  ["polars", { package: "npm/nodejs-polars", url: "https://pola.rs/" }],
]);

/** A program, from a text such as `seqreg 0.3.0`; its identifier is a package URL. */
export function softwareEntity(nameAndVersion: string): Entity {
  const [name, version = ""] = nameAndVersion.split(" ");
  const known = PROGRAMS.get(name);
  const id = `pkg:${known?.package ?? `generic/${encodeURIComponent(name)}`}@${encodeURIComponent(version)}`;
  return {
    "@id": id,
    "@type": "SoftwareApplication",
    name: visible(name),
    version: visible(version),
    url: known?.url ?? id,
  };
}

/** An instant as the shapes of Process Run Crate expect it: with an offset instead of `Z`. */
export function instantOf(text: string): string {
  return new Date(text).toISOString().replace("Z", "+00:00");
}

/** A registry on the web by its address; another by its name alone, since its path means nothing elsewhere. */
export function registryEntity(address: string, number: number): Entity {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const name = address.split(/[\\/]/).findLast((part) => part !== "") ?? address;
    return { "@id": `#registry-${number}`, "@type": "CreativeWork", name: `Sequence registry: ${visible(name)}` };
  }
  [url.username, url.password] = ["", ""];
  return { "@id": url.href, "@type": "CreativeWork", name: `Sequence registry at ${url.href}`, url: url.href };
}

export function personEntity({ name, orcid }: CrateAuthor, number: number): Entity {
  return { "@id": orcid === undefined ? `#author-${number}` : `https://orcid.org/${orcid}`, "@type": "Person", name };
}

export function describeCalls(calls: LockedCalls): string {
  const records = [...calls.values()].reduce((sum, { records }) => sum + (records ?? 0), 0);
  return `${countOf(calls.size, "call")}, ${countOf(records, "record")}`;
}

/** What a ledger is about, in words. */
export function describeOperation({ operation, request }: Pick<LedgerFile, "operation" | "request">): string {
  const words = describeRequest(request);
  return visible(`${plainOperation(operation)}${words === "" ? "" : `, ${words}`}`);
}
