/** Finds out what a deployment calls things, with a handful of small questions. */
import {
  InvalidRequestError,
  NoResultsError,
  RegistryClient,
  StatusError,
  UnexpectedResponseError,
} from "../../client/mod.ts";
import { checkArgument, checkOptions } from "../../options/check_options.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId } from "../../contract/datasets.ts";
import { isAccession } from "../../contract/accession.ts";
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { type Naming, namingOf, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import {
  findAccessionField,
  shortenSpellings,
  type Spellings,
  spellingsInIssues,
} from "../../contract/naming_evidence.ts";
import { aliasInFasta } from "../exports/export_naming.ts";
import { readBytes } from "../../io/bytes/byte_source.ts";

/** Records that are looked at. */
const SAMPLED = 5;

/** What was found out of a deployment's spellings. */
export interface FoundNaming {
  /** The spellings as `namingOf` and `--naming` take them; empty when the specification's own fit. */
  readonly spellings: Spellings;
  /** Every identifier of the specification that was found, by its own spelling, whether it differs or not. */
  readonly identifiers: Spellings;
  /** The naming that they make; what was not found stays as the client has it. */
  readonly naming: Naming;
  /** What each of them is based on, in words. */
  readonly evidence: readonly string[];
  /** What could not be found out, in words; empty when all was. */
  readonly unknown: readonly string[];
}

/** Options of {@linkcode findNaming}. */
export interface FindNamingOptions {
  /** Ends the questions with the signal's reason. */
  readonly signal?: AbortSignal;
}

const CLIENT = rule.instanceOf("a RegistryClient", RegistryClient);

const FIND_NAMING_OPTIONS = { signal: rule.signal } satisfies OptionRules<FindNamingOptions>;

/**
 * Finds the spellings of a deployment: the accession's field by its values, keys and file names by what the registry
 * says when they are wrong, the alias by the first line of a FASTA export.
 *
 * @param client Calls the registry; its naming is where the search begins.
 * @param options Signal.
 * @returns Spellings, and what they are based on.
 * @throws {RegistryError} If the registry cannot be reached, or its search fails.
 * @see Specification, naming note.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "../../client/mod.ts";
 * import { findNaming } from "./find_naming.ts";
 *
 * const source = { "Bank Accession": "vj000000000001" };
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: (request) => {
 *     const results = [{ id: "1", source }];
 *     const fasta = ";fields=bank_accession\n>vj000000000001\nA\n";
 *     const detail = [{ loc: ["body", "bank_accessions"], msg: "required", type: "missing" }];
 *     if (request.url.endsWith("/search")) return Promise.resolve(Response.json({ total: 1, results }));
 *     if (request.url.endsWith("/download")) return Promise.resolve(new Response(fasta));
 *     return Promise.resolve(Response.json({ detail }, { status: 422 }));
 *   },
 * });
 *
 * assertEquals((await findNaming(client)).spellings, { registry: "bank" });
 * ```
 */
export async function findNaming(client: RegistryClient, options: FindNamingOptions = {}): Promise<FoundNaming> {
  checkArgument("findNaming()", "client", client, CLIENT);
  checkOptions("findNaming()", options, FIND_NAMING_OPTIONS);
  const finder = new NamingFinder(client, options.signal);
  await finder.askField();
  await finder.askKey();
  await finder.askAlias();
  await finder.askFiles();
  return finder.result();
}

class NamingFinder {
  readonly #client: RegistryClient;
  readonly #signal: AbortSignal | undefined;
  readonly #found: Record<string, string> = {};
  readonly #evidence: string[] = [];
  readonly #unknown: string[] = [];
  #accession: string | undefined;

  constructor(client: RegistryClient, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  get #options() {
    return { signal: this.#signal };
  }

  #note(identifier: string, spelling: string, evidence: string): void {
    this.#found[identifier] = spelling;
    this.#evidence.push(`${JSON.stringify(spelling)} for ${JSON.stringify(identifier)}: ${evidence}`);
  }

  async askField(): Promise<void> {
    const { body } = await this.#client.search({ query: "", pageSize: SAMPLED }, this.#options);
    const sources = body.results.map(({ source }) => source);
    const field = findAccessionField(sources);
    if (field === undefined) {
      this.#unknown.push(
        sources.length === 0
          ? "a search for everything brings no record, so the accession's field is unknown"
          : `no field of the first ${sources.length} records holds accessions, vj and 12 digits`,
      );
      return;
    }
    const value = sources[0][field];
    if (typeof value === "string" && isAccession(value)) this.#accession = value;
    this.#note(
      SPECIFICATION_NAMING.accessionField,
      field,
      `all ${sources.length} records that were looked at have accessions there`,
    );
  }

  async askKey(): Promise<void> {
    const key = SPECIFICATION_NAMING.accessionsKey;
    if (this.#accession === undefined) return;
    const guesses = [
      this.#client.naming.accessionsKey,
      `${fieldAlias(this.#found[SPECIFICATION_NAMING.accessionField])}s`,
    ];
    for (const guess of new Set(guesses)) {
      const error = await this.#attempt(() =>
        this.#with({ accessionsKey: guess }).sequence({ accessions: [this.#accession ?? ""] }, this.#options)
      );
      if (error === undefined) return this.#note(key, guess, "a sequence request with this key is answered");
      const said = error instanceof InvalidRequestError ? spellingsInIssues(error.issues)[key] : undefined;
      if (said !== undefined) {
        return this.#note(key, said, "the registry names it when a sequence request lacks it (422)");
      }
    }
    this.#unknown.push(`the key of a sequence request: neither ${[...new Set(guesses)].join(" nor ")} is answered`);
  }

  async askAlias(): Promise<void> {
    const id = this.#accession;
    if (id === undefined) return;
    const field = this.#found[SPECIFICATION_NAMING.accessionField];
    let line = "";
    const error = await this.#attempt(async () => {
      const { body } = await this.#client.download({
        search: { query: "" },
        download: {
          scope: "selection",
          information: "sequences",
          fileType: "fasta",
          metadata: [field],
          selected_ids: [id],
        },
      }, this.#options);
      line = await firstLine(body);
    });
    const alias = aliasInFasta(line);
    if (alias !== undefined) {
      this.#note(
        SPECIFICATION_NAMING.accessionAlias,
        alias,
        "it is the first name in the ;fields= line of a FASTA export",
      );
    } else {
      this.#unknown.push(
        `the accession's alias: ${error === undefined ? aliasFault(line) : error.message}`,
      );
    }
  }

  async askFiles(): Promise<void> {
    const said = await this.#askList();
    const stems = Object.values(SPECIFICATION_NAMING.archiveStems).filter((stem) => said[stem] !== undefined);
    for (const stem of stems) this.#note(stem, said[stem], "the registry lists it when a name is wrong (422)");
    if (stems.length > 0) return;
    for (const id of ["unique_seqs_metadata", "reftax1_to_reftax2_map"] as const) await this.#guessFile(id);
  }

  /** Asks for a file that no registry has: many list those they have. */
  async #askList(): Promise<Spellings> {
    const archiveStems = { ...this.#client.naming.archiveStems, unique_seqs_metadata: "which-files-are-there" };
    const error = await this.#attempt(async () => {
      const { body } = await this.#with({ archiveStems }).dataset("which-files-are-there.sha256", this.#options);
      await body.cancel();
    });
    return error instanceof InvalidRequestError ? spellingsInIssues(error.issues, error.excerpt) : {};
  }

  async #guessFile(id: ArchiveId): Promise<void> {
    const guesses = [this.#client.naming, namingOf(shortenSpellings(this.#found))];
    const names = new Map(guesses.map((naming) => [archiveFiles(id, naming).checksum, naming]));
    for (const [checksum, naming] of names) {
      const error = await this.#attempt(async () => {
        const { body } = await this.#with(naming).dataset(checksum, this.#options);
        await body.cancel();
      });
      if (error !== undefined) continue;
      return this.#note(SPECIFICATION_NAMING.archiveStems[id], naming.archiveStems[id], "its checksum file is there");
    }
    this.#unknown.push(
      `what the archive ${id} is called: the registry lists no names and has no ${[...names.keys()].join(" or ")}`,
    );
  }

  result(): FoundNaming {
    const { naming } = this.#client;
    const found = (identifier: string, otherwise: string) => this.#found[identifier] ?? otherwise;
    const stems = SPECIFICATION_NAMING.archiveStems;
    const archiveStems = { ...naming.archiveStems };
    for (const id of ARCHIVE_IDS) {
      archiveStems[id] = found(stems[id], namingOf(shortenSpellings(this.#found)).archiveStems[id]);
    }
    return {
      spellings: shortenSpellings(this.#found),
      identifiers: this.#found,
      naming: {
        ...naming,
        accessionField: found(SPECIFICATION_NAMING.accessionField, naming.accessionField),
        accessionAlias: found(SPECIFICATION_NAMING.accessionAlias, naming.accessionAlias),
        accessionsKey: found(SPECIFICATION_NAMING.accessionsKey, naming.accessionsKey),
        archiveStems,
      },
      evidence: this.#evidence,
      unknown: this.#unknown,
    };
  }

  /** The same registry under other names. */
  #with(part: Partial<Naming>): RegistryClient {
    return this.#client.withNaming({ ...this.#client.naming, ...part });
  }

  /** What a question fails with, if that may be for its spelling. */
  async #attempt(question: () => Promise<unknown>): Promise<Error | undefined> {
    try {
      await question();
      return undefined;
    } catch (error) {
      if (error instanceof NoResultsError || error instanceof StatusError && error.status < 500) return error;
      if (error instanceof UnexpectedResponseError) return error;
      throw error;
    }
  }
}

/** Why the first line of a FASTA export shows no alias. */
function aliasFault(line: string): string {
  return line.startsWith(";fields=")
    ? `the names of ${JSON.stringify(line.slice(0, 100))} are not joined by "|"`
    : "a FASTA export has no ;fields= line";
}

async function firstLine(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of readBytes(body)) {
    text += decoder.decode(chunk.subarray(0, 65_536), { stream: true });
    if (text.includes("\n") || text.length > 65_536) break;
  }
  return text.split("\n", 1)[0].trim();
}
