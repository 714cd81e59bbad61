/** `seqreg sequence`: sequences by accession. */
import type { AccessionList } from "../../registry/plan/accession_list.ts";
import type { Ledger, Provenance } from "../../contract/ledger.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { checkOperandAccessions, IDS_OPTION, readIds } from "../support/records.ts";
import { checkRegistryFlags, type OpenClient, openClient, readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";

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
      describe: "plain FASTA (>accession), or the JSON object; fasta",
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
    const format = context.flags.choice("format", FORMATS, "fasta");
    const { operands } = context;
    if (operands.length === 0 && context.flags.text("ids") === undefined) {
      throw new UsageError("Too few arguments: expected seqreg sequence ACCESSION… or --ids FILE");
    }
    checkOperandAccessions(operands);
    await checkRegistryFlags(context);
    const list = await readIds(context, { naming: await readNaming(context), operands });
    await using registry = await openClient(context);
    const { ledger, provenance } = await withOutput(context, async (output) => {
      const came = format === "json"
        ? await writeJson(context, registry, list, output)
        : await writeFasta(context, registry, list, output);
      return { ...came, keep: came.ledger.received > 0 };
    });
    const code = await reportLedger(context, ledger, provenance, "sequences");
    if (ledger.received > 0) return code;
    context.note(`none of the ${list.accessions.length} accessions has a sequence in ${registry.describe}`);
    return EXIT.nothing;
  },
};

export default command;

interface Came {
  readonly ledger: Ledger;
  readonly provenance: Provenance;
}

/** The registry's own body where one request does; else one object of all. */
async function writeJson(
  context: CommandContext,
  { client, place }: OpenClient,
  list: AccessionList,
  output: Output,
): Promise<Came> {
  const { splitBatches, warnRepeated } = await import("../../registry/plan/accession_list.ts");
  const { MAX_SEQUENCE_REQUEST } = await import("../../registry/operations/get_sequences.ts");
  const { ProvenanceLog } = await import("../../registry/results/provenance_log.ts");
  const { closeLedger } = await import("../../contract/ledger.ts");
  const log = new ProvenanceLog("sequence", place);
  const batches = splitBatches(list.accessions, MAX_SEQUENCE_REQUEST);
  const missing: string[] = [];
  let received = 0;
  if (batches.length > 1) await output.write("{");
  for (const accessions of batches) {
    const { sequences, bytes, receipt } = await client.sequence({ accessions }, { signal: context.signal });
    log.add(receipt);
    missing.push(...accessions.filter((accession) => !sequences.has(accession)));
    if (batches.length === 1) {
      received = sequences.size;
      await output.write(bytes);
      continue;
    }
    for (const [accession, sequence] of sequences) {
      await output.write(`${received === 0 ? "" : ","}${JSON.stringify(accession)}:${JSON.stringify(sequence)}`);
      received++;
    }
  }
  if (batches.length > 1) await output.write("}\n");
  const asked = list.accessions.length;
  return {
    ledger: closeLedger({ asked, received, missing, warnings: warnRepeated(list) }),
    provenance: log.close(batches.length === 1 ? undefined : { accessions: asked, batches: batches.length }),
  };
}

/** Few come by the sequence operation, many by an export that is written as it comes. */
async function writeFasta(
  context: CommandContext,
  registry: OpenClient,
  list: AccessionList,
  output: Output,
): Promise<Came> {
  const { readFasta, writePlainFasta } = await import("../../fasta/mod.ts");
  const { MAX_SEQUENCE_REQUEST } = await import("../../registry/operations/get_sequences.ts");
  const { client, naming, place } = registry;
  if (list.accessions.length <= MAX_SEQUENCE_REQUEST) {
    const { warnRepeated } = await import("../../registry/plan/accession_list.ts");
    const { provenanceOf } = await import("../../client/mod.ts");
    const { closeLedger } = await import("../../contract/ledger.ts");
    const { sequences, receipt } = await client.sequence({ accessions: list.accessions }, { signal: context.signal });
    const found = list.accessions.filter((accession) => sequences.has(accession));
    const records = found.map((header) => ({ header, sequence: sequences.get(header)! }));
    for await (const chunk of writePlainFasta(records)) await output.write(chunk);
    return {
      ledger: closeLedger({
        asked: list.accessions.length,
        received: found.length,
        missing: list.accessions.filter((accession) => !sequences.has(accession)),
        warnings: warnRepeated(list),
      }),
      provenance: { ...provenanceOf(receipt, "sequence"), registry: place },
    };
  }
  const { ExportRun } = await import("../../registry/exports/export_run.ts");
  const run = new ExportRun(client, {
    scope: { list },
    information: "sequences",
    fileType: "fasta",
    metadata: [naming.accessionField],
  }, { operation: "sequence (FASTA export)", place, signal: context.signal });
  const reader = readFasta(run.bytes(), { name: "the sequence export", signal: context.signal });
  const records = (async function* () {
    for await (const { id, sequence } of reader) yield { header: id, sequence };
  })();
  for await (const chunk of writePlainFasta(records)) await output.write(chunk);
  const { reasons, warnings } = reader.ledger;
  return { ledger: run.ledger({ reasons, warnings }), provenance: run.provenance() };
}
