/** `seqreg sequence`: sequences by accession. */
import type { AccessionList, Registry } from "@seqreg/core/registry";
import type { SequenceAnswer } from "@seqreg/core/client";
import type { Ledger, Provenance } from "@seqreg/core/contract";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { checkOperandAccessions, IDS_OPTION, readIds } from "../support/records.ts";
import { checkRegistryFlags, openRegistry, readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";

const FORMATS = ["fasta", "json"] as const;

const command: Command = {
  name: "sequence",
  summary: "Get sequences by accession, as plain FASTA or JSON",
  operands: "ACCESSION…",
  operandCount: [0, Infinity],
  options: {
    ...IDS_OPTION,
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "plain FASTA (>accession), or the JSON object (default: by the name of --output, else fasta)",
    },
    ...OUTPUT_OPTION,
    ...REGISTRY_OPTIONS,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sequence vj000000000001 vj000000000002",
    "seqreg sequence --ids accessions.txt -o sequences.fasta",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-ffi"],
  async run(context) {
    const format = context.flags.format(FORMATS, "fasta");
    const { operands } = context;
    if (operands.length === 0 && context.flags.text("ids") === undefined) {
      throw new UsageError("Too few arguments: expected seqreg sequence ACCESSION… or --ids FILE");
    }
    checkOperandAccessions(operands);
    await checkRegistryFlags(context);
    const list = await readIds(context, { naming: await readNaming(context), operands });
    await using registry = await openRegistry(context);
    const { hideInLedger } = await import("@seqreg/core/registry/plan/hide_in_ledger");
    const { ledger, provenance } = await withOutput(context, async (output) => {
      const came = format === "json"
        ? await writeJson(context, registry, list, output)
        : await writeFasta(context, registry, list, output);
      return { ...came, keep: hasCome(came.ledger) };
    });
    const shown = hideInLedger(ledger, (text) => registry.client.hideCredentials(text));
    const code = await reportLedger(context, shown, provenance, "sequences");
    if (hasCome(ledger)) return code;
    context.note(`none of the ${list.accessions.length} accessions has a sequence in ${registry.description}`);
    return EXIT.nothing;
  },
};

export default command;

/** Whether anything arrived, requested or not. */
function hasCome({ received, unasked, unparsed }: Ledger): boolean {
  return received > 0 || unasked.length > 0 || unparsed > 0;
}

interface Came {
  readonly ledger: Ledger;
  readonly provenance: Provenance;
}

/**
 * The registry's own body if one request suffices and it contains nothing else; otherwise one object of the requested
 * sequences.
 */
async function writeJson(
  context: CommandContext,
  { client, place }: Registry,
  list: AccessionList,
  output: Output,
): Promise<Came> {
  const { askSequences } = await import("@seqreg/core/registry/operations/ask_sequences");
  const { noteRepeated } = await import("@seqreg/core/registry/plan/accession_list");
  const { MAX_SEQUENCE_REQUEST } = await import("@seqreg/core/registry/operations/get_sequences");
  const { readSequences } = await import("@seqreg/core/registry/operations/read_sequences");
  const { ReleaseWatch } = await import("@seqreg/core/registry/plan/release_watch");
  const { ProvenanceLog } = await import("@seqreg/core/registry/results");
  const { joinLedgers } = await import("@seqreg/core/contract/ledger");
  const log = new ProvenanceLog("sequence", place);
  const { signal } = context;
  const ledgers: Ledger[] = [];
  let written = 0;
  const watch = new ReleaseWatch();
  const asking = askSequences(client, list.accessions, { most: MAX_SEQUENCE_REQUEST, watch, signal });
  for await (const { accessions, answer, isWhole } of asking) {
    const { sequences, nulls, bytes, receipt } = answer;
    log.add(receipt);
    const batch = { accessions, repeated: [], given: accessions.length };
    const { records, ledger, isExact } = await readSequences(batch, [{ sequences, nulls }], context.signal);
    ledgers.push(ledger);
    if (isWhole && isExact) {
      await output.write(bytes);
      written = -1;
      break;
    }
    for (const { id } of records) {
      const member = `${JSON.stringify(id)}:${JSON.stringify(sequences.get(id))}`;
      await output.write(`${written++ === 0 ? "{" : ","}${member}`);
    }
  }
  if (written >= 0) await output.write(written === 0 ? "{}\n" : "}\n");
  const asked = list.accessions.length;
  return {
    ledger: joinLedgers(ledgers, { entries: [...watch.entries(), ...noteRepeated(list)] }),
    provenance: log.close(log.answers === 1 ? undefined : { accessions: asked, batches: log.answers }),
  };
}

/** A few sequences use the sequence operation, many a streamed export. */
async function writeFasta(
  context: CommandContext,
  registry: Registry,
  list: AccessionList,
  output: Output,
): Promise<Came> {
  const { readFasta, writePlainFasta } = await import("@seqreg/core/fasta");
  const { idOf } = await import("@seqreg/core/registry/exports");
  const { MAX_SEQUENCE_REQUEST } = await import("@seqreg/core/registry/operations/get_sequences");
  const { client, naming, place } = registry;
  const { signal } = context;
  if (list.accessions.length <= MAX_SEQUENCE_REQUEST) {
    const { readSequences } = await import("@seqreg/core/registry/operations/read_sequences");
    const { askSequences } = await import("@seqreg/core/registry/operations/ask_sequences");
    const { ProvenanceLog } = await import("@seqreg/core/registry/results");
    const { withinRelease } = await import("@seqreg/core/registry/plan/release_watch");
    const { extendLedger } = await import("@seqreg/core/contract/ledger");
    const { log, answers, releases } = await withinRelease(async (watch) => {
      const log = new ProvenanceLog("sequence", place);
      const answers: SequenceAnswer[] = [];
      const asking = askSequences(client, list.accessions, { most: MAX_SEQUENCE_REQUEST, watch, signal });
      for await (const { answer } of asking) {
        log.add(answer.receipt);
        answers.push(answer);
      }
      return { log, answers, releases: watch.entries() };
    });
    const { records, ledger } = await readSequences(list, answers, signal);
    const written = writePlainFasta(records.map(({ id, sequence }) => ({ header: id, sequence })));
    for await (const chunk of written) await output.write(chunk);
    const request = { accessions: list.accessions.length, batches: answers.length };
    return {
      ledger: extendLedger(ledger, releases),
      provenance: log.close(answers.length === 1 ? undefined : request),
    };
  }
  const { ExportRun } = await import("@seqreg/core/registry/exports");
  const run = new ExportRun(client, {
    scope: { list },
    information: "sequences",
    fileType: "fasta",
    metadata: [naming.accessionField],
  }, { place, operation: "sequence (FASTA export)", readableOnly: true, signal });
  const asked = new Set(list.accessions);
  const reader = readFasta(run.bytes(), { name: "the sequence export", signal });
  const records = (async function* () {
    for await (const record of reader) {
      const { kind } = await reader.head();
      const id = kind === "registry" ? record.id : idOf(record.id);
      if (asked.has(id)) yield { header: id, sequence: record.sequence };
    }
  })();
  for await (const chunk of writePlainFasta(records)) await output.write(chunk);
  return { ledger: run.ledger(), provenance: run.provenance() };
}
