/** `seqreg definitions`: what the public fields mean. */
import type { Registry } from "@seqreg/core/registry";
import type { DefinitionFormat } from "@seqreg/core/contract";
import { noteAskedTwice } from "../support/asked_twice.ts";
import { type Command, type CommandContext, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { checkRegistryFlags, openRegistry, REGISTRY_OPTIONS } from "../support/registry.ts";
import { withEntries } from "@seqreg/core/contract/ledger";

const FORMATS: readonly DefinitionFormat[] = ["csv", "json", "xlsx"];

const command: Command = {
  name: "definitions",
  summary: "Get definitions of public fields",
  operands: "[FIELD…]",
  operandCount: [0, Infinity],
  options: {
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "format, as the registry sends it (default: by the name of --output, else csv)",
    },
    ...OUTPUT_OPTION,
    ...REGISTRY_OPTIONS,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg definitions Country 'Sequence Length'",
    "seqreg definitions --format xlsx -o definitions.xlsx",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-ffi"],
  async run(context) {
    const format = context.flags.format(FORMATS, "csv");
    const path = context.flags.text("output");
    if (format === "xlsx" && (path === undefined || path === "-") && Deno.stdout.isTerminal()) {
      throw new UsageError("Cannot show a workbook on a terminal: use --output FILE");
    }
    if (context.operands.includes("")) throw new UsageError("Cannot get definitions: a field name is empty");
    await checkRegistryFlags(context);
    await using registry = await openRegistry(context);
    return await getDefinitions(context, registry, format);
  },
};

export default command;

async function getDefinitions(
  context: CommandContext,
  { client, place }: Registry,
  format: DefinitionFormat,
): Promise<number> {
  const { DefinitionCache } = await import("@seqreg/core/registry/definitions/definition_cache");
  const { ProvenanceLog } = await import("@seqreg/core/registry/results");
  const { tableFromDefinitions } = await import("@seqreg/core/tables/from/from_definitions");
  const { signal } = context;
  const given = context.operands.length > 0;
  const cache = new DefinitionCache(client);
  const fields = [...new Set(given ? context.operands : await cache.names(signal))];
  if (!given) {
    context.summary(`no FIELD given: the ${fields.length} fields of the registry's first record are requested`);
  }
  const answer = await client.definitions({ fields }, { format, signal });
  const log = new ProvenanceLog("definitions", place);
  log.add(answer.receipt);
  // A workbook is passed on unread: the same definitions as JSON show which were returned.
  const readable = format === "xlsx" ? await client.definitions({ fields }, { format: "json", signal }) : answer;
  const { ledger } = await tableFromDefinitions(readable.bytes, {
    format: format === "xlsx" ? "json" : format,
    asked: fields,
    name: "the definitions",
    signal,
  });
  await withOutput(context, async (output) => await output.write(answer.bytes), { isText: format !== "xlsx" });
  const entries = [...ledger.entries, ...cache.mismatches, ...noteAskedTwice(context.operands, "field")];
  return await reportLedger(context, withEntries(ledger, entries), log.close(), "definitions");
}
