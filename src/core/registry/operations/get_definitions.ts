/** Field definitions of a `Registry`. */
import { provenanceOf } from "../../client/mod.ts";
import { extendLedger, listSome } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { tableFromDefinitions } from "../../tables/from/from_definitions.ts";
import type { RegistryContext } from "./context.ts";
import { RegistryResult, type ResultParts } from "../results/result.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";

/** Options of `Registry.definitions`. */
export interface DefinitionsOptions {
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const DEFINITIONS_OPTIONS = { signal: rule.signal } satisfies OptionRules<DefinitionsOptions>;

/** Definitions that came from a registry: one row each, in the registry's own columns, all of them text. */
export class DefinitionsResult extends RegistryResult {
  /** What was understood of them: names, aliases, types, units. */
  readonly definitions: readonly FieldDefinition[];
  /** Names asked for that match no field. */
  readonly unknown: readonly string[];

  /** Results are made by a `Registry`. */
  constructor(parts: ResultParts & { readonly understood: readonly FieldDefinition[] }) {
    super(parts);
    this.definitions = parts.understood;
    this.unknown = parts.ledger.missing;
  }
}

export async function getDefinitions(
  { client, place, definitions }: RegistryContext,
  names: readonly string[] | undefined,
  { signal }: DefinitionsOptions,
): Promise<DefinitionsResult> {
  if (names !== undefined && (!Array.isArray(names) || names.some((name) => typeof name !== "string"))) {
    throw new TypeError("Cannot get definitions: expected a list of public field names");
  }
  const asked = [...new Set(names ?? await definitions.names(signal))];
  const answer = await client.definitions({ fields: asked }, { format: "json", signal });
  const table = await tableFromDefinitions(answer.bytes, {
    format: "json",
    asked,
    name: "the definitions",
    signal,
  });
  if (table.recognised.name !== undefined) definitions.remember(table.definitions);
  const repeated = names === undefined ? [] : names.filter((name, index) => names.indexOf(name) !== index);
  const ledger = extendLedger(table.ledger, [
    ...names === undefined ? definitions.mismatches : [],
    ...repeated.length === 0 ? [] : [
      noteEntry("requested-twice", `requested more than once: ${listSome([...new Set(repeated)], 20)}`, {
        ids: [...new Set(repeated)],
      }),
    ],
  ]);
  return new DefinitionsResult({
    table,
    ledger,
    provenance: { ...provenanceOf(answer.receipt, "definitions"), registry: place },
    understood: table.definitions,
  });
}
