/** Definitions of fields, asked of a registry once each. */
import type { RegistryClient } from "../../client/mod.ts";
import { findDefinitions, publicNames } from "../../client/find_definitions.ts";
import { StatusError } from "../../client/errors.ts";
import { ParseError, RegistryError } from "../../errors.ts";
import { knownValues, SAMPLE_SIZE } from "../plan/known_values.ts";
import { tellValues } from "../../io/tasks/tell_values.ts";
import { tellFields } from "../../io/display/tell_fields.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { asWarnings, type LedgerEntry, noteEntry, uniqueEntries } from "../../contract/ledger_entries.ts";

export interface KnownDefinitions {
  /** Definitions of the fields that have one, in the order asked. */
  readonly definitions: readonly FieldDefinition[];
  /** Why fields are taken as text: warnings. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Requests definitions when they are first needed, and caches them, including their absence; that the registry failed
 * only for a while.
 */
export class DefinitionCache {
  readonly #client: RegistryClient;
  readonly #known = new Map<string, FieldDefinition | undefined>();
  /** Why a field is treated as text, by field: the entries of one archive do not concern another. */
  readonly #entries = new Map<string, readonly LedgerEntry[]>();
  /** Fields that were asked for while the registry failed, and when, in ms. */
  readonly #failed = new Map<string, number>();
  readonly #askAgainMs: number;
  readonly #mismatches = new Map<string, LedgerEntry>();
  #names: readonly string[] | undefined;

  /** Takes how long a failure of the registry is remembered, in ms. */
  constructor(client: RegistryClient, askAgainMs = 60_000) {
    this.#client = client;
    this.#askAgainMs = askAgainMs;
    // The kernel of a notebook asks when it completes a value.
    tellValues("registry", async () => knownValues((await client.search({ query: "", pageSize: SAMPLE_SIZE })).body));
  }

  /**
   * Finds the definitions of fields. A registry that gives none, or whose definitions cannot be read, is no failure:
   * then the fields are text, and the warnings say why.
   *
   * @throws The signal's reason, and a {@linkcode RegistryError} when the registry cannot be reached at all.
   */
  async find(fields: readonly string[], signal?: AbortSignal): Promise<KnownDefinitions> {
    const unknown = [...new Set(fields)].filter((field) => !this.#known.has(field) || this.#mayComeNow(field));
    if (unknown.length > 0) await this.#ask(unknown, signal);
    const definitions = fields.map((field) => this.#known.get(field)).filter((found) => found !== undefined);
    const entries = fields.flatMap((field) => this.#entries.get(field) ?? []);
    return { definitions, entries: uniqueEntries(entries) };
  }

  /** Why the naming does not fit, as far as the fields were listed; empty when it does. */
  get mismatches(): readonly LedgerEntry[] {
    return [...this.#mismatches.values()];
  }

  /** Remembers definitions that came otherwise. */
  remember(definitions: readonly FieldDefinition[]): void {
    for (const definition of definitions) {
      const { name } = definition;
      this.#known.set(name, definition);
      const entries = this.#entries.get(name) ?? [];
      this.#entries.set(name, entries.filter(({ code }) => code !== "definitions-unavailable"));
    }
    tellFields(definitions);
  }

  /**
   * Lists the registry's public field names, from one record: the specification shows no list of them.
   *
   * @returns The names; only the accession's where the registry shows no record.
   */
  async names(signal?: AbortSignal): Promise<readonly string[]> {
    // A request under way is not shared: it ends with the signal of its first caller.
    return this.#names ??= await publicNames(this.#client, signal, (text) => {
      this.#mismatches.set(text, noteEntry("naming-mismatch", text));
    });
  }

  #mayComeNow(field: string): boolean {
    const failed = this.#failed.get(field);
    return failed !== undefined && performance.now() - failed >= this.#askAgainMs;
  }

  async #ask(fields: readonly string[], signal?: AbortSignal): Promise<void> {
    let definitions: readonly FieldDefinition[] = [];
    let entries: readonly LedgerEntry[];
    for (const field of fields) this.#failed.delete(field);
    try {
      const found = await findDefinitions(this.#client, fields, { signal });
      entries = asWarnings(found.entries);
      if (found.recognised?.name !== undefined) definitions = found.definitions;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const text = `every field is taken as text, since the definitions are unavailable: ${error.message}`;
      entries = asWarnings([noteEntry("definitions-unavailable", text)]);
      if (error instanceof StatusError && error.status >= 500) {
        for (const field of fields) this.#failed.set(field, performance.now());
      }
    }
    // Another call may have got the definitions of some of them meanwhile.
    for (const field of fields.filter((field) => this.#known.get(field) === undefined)) {
      this.#known.set(field, undefined);
      this.#entries.set(field, entries);
    }
    this.remember(definitions);
    // An archive's columns may be aliases.
    for (const definition of definitions) {
      if (fields.includes(definition.alias)) this.#known.set(definition.alias, definition);
    }
  }
}

/** The registry answered, though not with definitions: data without types is better than no data. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof ParseError) return true;
  return error instanceof RegistryError && ["status", "invalid-request", "unexpected-response"].includes(error.code);
}
