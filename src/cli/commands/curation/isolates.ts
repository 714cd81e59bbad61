/** `seqreg isolates`: the segments of each isolate in one row. */
import { CURATION_PERMISSIONS, readFields, SOURCE_OPTIONS } from "../../curation/source_options.ts";
import { asUsage, type Command, EXIT } from "../../support/command.ts";
import { reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { startProgress } from "../../support/progress.ts";
import { tableOptions } from "../../tables/table_options.ts";
import { readNaming } from "../../support/registry.ts";

const command: Command = {
  name: "isolates",
  summary: "Group records by isolate: one row with its segments, what is missing, duplicate and conflicting",
  operands: "LAKE|TABLE",
  operandCount: [1, 1],
  tables: [0, 1],
  result: "tsv",
  options: { ...SOURCE_OPTIONS, ...OUTPUT_OPTION },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake && seqreg isolates lake -o isolates.tsv",
    "seqreg isolates records.csv --field isolate='Strain name' --field segment=Gene",
  ],
  help: [{
    title: "Columns",
    lines: [
      "species, isolate, records, segments, missing, complete, source (table or observed), duplicate (segments),",
      "conflicting (country, host, collectionDate), ambiguous (texts), accessions (segment=accession).",
    ],
  }],
  permissions: CURATION_PERMISSIONS,
  async run(context) {
    const { flags, operands: [source], signal } = context;
    const fields = readFields(flags);
    const table = flags.text("table");
    const naming = await readNaming(context);
    const finish = startProvenance("isolates");
    const { isolates } = await import("@seqreg/curation/isolates");
    using progress = startProgress(context);
    const options = { fields, table, ...tableOptions(context) };
    await using found = await isolates(source, { ...options, naming, signal, onProgress: progress.onProgress })
      .catch(asUsage);
    progress.clear();
    await withOutput(context, async (output) => {
      for await (const bytes of found.tsv()) await output.write(bytes);
    });
    context.summary(
      `isolates: ${found.isolates} isolates of ${found.grouped} records (${found.records} in all), ` +
        `${found.complete} complete, ${found.duplicate} with duplicate segments, ${found.conflicting} conflicting, ` +
        `${found.ambiguous} ambiguous`,
    );
    const code = await reportLedger(
      context,
      found.ledger,
      finish({
        request: { source: context.given[0], ...options },
        bytes: found.bytes,
      }),
    );
    return code === EXIT.done && found.isolates === 0 ? EXIT.nothing : code;
  },
};

export default command;
