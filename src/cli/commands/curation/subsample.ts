/** `seqreg subsample`: some records of each group, with their sequences, and what was left out. */
import type { GroupWeight } from "@seqreg/curation";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { extendLedger } from "@seqreg/core/contract/ledger";
import type { LedgerEntry } from "@seqreg/core/contract/ledger_entries";
import { once } from "../../arguments/once.ts";
import { outputOption } from "../../arguments/output_option.ts";
import { CURATION_PERMISSIONS, readFields, SOURCE_OPTIONS } from "../../curation/source_options.ts";
import { readFieldList } from "../../exports/field_list.ts";
import { requireFolder } from "../../support/archive_folder.ts";
import { asUsage, type Command, type CommandContext, EXIT, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { reportLedger, startProvenance } from "../../support/ledger.ts";
import { startProgress } from "../../support/progress.ts";
import { readIdList } from "../../support/id_list.ts";
import { tableOptions } from "../../tables/table_options.ts";
import { readNaming } from "../../support/registry.ts";

/** Greatest whole number of an option. */
const MOST = 1_000_000_000;

const command: Command = {
  name: "subsample",
  summary: "Draw records evenly over groups, such as country and month, with their sequences",
  operands: "LAKE|TABLE",
  operandCount: [1, 1],
  tables: [0, 1],
  options: {
    by: { type: "string", value: "FIELD,…", describe: "fields of the groups; year, month and isoweek of the date" },
    "per-group": { type: "string", value: "N", describe: "most records of each group" },
    total: { type: "string", value: "N", describe: "records in all, as even over the groups as these allow" },
    least: { type: "string", value: "N", describe: "fewest records of each group, for --total" },
    most: { type: "string", value: "N", describe: "most records of each group, for --total" },
    weights: { type: "string", value: "FILE", describe: "table of fields of --by and weight, for --total" },
    priority: { type: "string", value: "FIELD", describe: "the greatest number, complete, or high quality first" },
    include: { type: "string", value: "FILE", describe: "accessions that are drawn in any case, one per line" },
    exclude: { type: "string", value: "FILE", describe: "accessions that are not drawn, one per line" },
    seed: { type: "string", value: "N", describe: "which draw (default: 1)" },
    sequences: { type: "string", value: "FASTA|LAKE", describe: "write sequences.fasta of the records drawn" },
    "fasta-header": {
      type: "string",
      value: "TEMPLATE",
      describe: "headers of sequences.fasta, such as {id}|{Country}|{Collection Date} (default: {id})",
    },
    ...SOURCE_OPTIONS,
    ...outputOption("DIR", "folder of metadata.tsv, excluded.tsv, groups.tsv, draw.svg and sequences.fasta"),
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake",
    "seqreg subsample lake --by country,month --total 50 --sequences lake -o set",
    "seqreg subsample records.tsv --by country,year --per-group 5 --priority completeness -o set",
  ],
  help: [{
    title: "Groups and weights",
    lines: [
      "A missing value is a group of its own, ?; a date that does not tell the month or week is left out.",
      "FILE of --weights: a column weight, and others of --by; default in these is for all other groups.",
    ],
  }],
  permissions: CURATION_PERMISSIONS,
  async run(context) {
    const { flags, operands: [source], signal } = context;
    const folder = requireFolder(flags.text("output"), "seqreg subsample LAKE|TABLE --by FIELD,… -o DIR");
    const by = await readFieldList("--by", flags.texts("by"));
    once("the field", by.map((field) => [field, field]));
    if (by.length === 0) {
      throw new UsageError("Cannot draw without groups: name their fields, as in --by country,month");
    }
    const perGroup = flags.integer("per-group", { least: 1, most: MOST });
    const total = flags.integer("total", { least: 1, most: MOST });
    if ((perGroup === undefined) === (total === undefined)) {
      throw new UsageError("Cannot draw a sample: expected either --per-group N or --total N");
    }
    const needsTotal = ["weights", "least", "most"].find((name) => flags.text(name) !== undefined);
    if (needsTotal !== undefined && total === undefined) throw new UsageError(`Option --${needsTotal} needs --total N`);
    const least = flags.integer("least", { least: 1, most: MOST });
    const most = flags.integer("most", { least: 1, most: MOST });
    const seed = flags.integer("seed", { least: 0, most: MOST });
    const fields = readFields(flags);
    const sequences = flags.text("sequences");
    const header = flags.text("fasta-header");
    if (header !== undefined && sequences === undefined) {
      throw new UsageError("Option --fasta-header needs --sequences FASTA|LAKE");
    }
    const weights = flags.text("weights");
    const weighed = weights === undefined ? undefined : await readWeights(context, weights, by);
    const request = {
      by,
      perGroup,
      total,
      least,
      most,
      weights: weighed?.weights,
      priority: flags.text("priority"),
      include: await readAccessions(context, "include"),
      exclude: await readAccessions(context, "exclude"),
      seed,
      sequences,
      fastaHeader: header,
      table: flags.text("table"),
      ...tableOptions(context),
      fields,
    };
    const naming = await readNaming(context);
    const finish = startProvenance("subsample");
    const { subsample } = await import("@seqreg/curation/subsample");
    using progress = startProgress(context);
    await using sample = await subsample(source, { ...request, naming, signal, onProgress: progress.onProgress })
      .catch(asUsage);
    progress.clear();
    const ledger = extendLedger(await sample.save(folder), weighed?.entries ?? []);
    const groups = sample.groups.filter(({ drawn }) => drawn > 0).length;
    context.summary(
      `subsample: ${sample.drawn} of ${sample.records} records drawn from ${groups} of ${sample.groups.length} groups`,
    );
    const code = await reportLedger(
      context,
      ledger,
      finish({
        request: { source: context.given[0], ...request, folder },
        bytes: sample.bytes,
      }),
    );
    return code === EXIT.done && sample.drawn === 0 ? EXIT.nothing : code;
  },
};

export default command;

async function readAccessions(context: CommandContext, option: string): Promise<string[] | undefined> {
  const file = context.flags.text(option);
  if (file === undefined) return undefined;
  return (await readIdList(context, { option: `--${option}`, file })).map(({ id }) => id);
}

/** The weights of groups in a table, what is unusual about it, and rows of it that could not be read. */
async function readWeights(
  context: CommandContext,
  file: string,
  by: readonly string[],
): Promise<{ readonly weights: readonly GroupWeight[]; readonly entries: readonly LedgerEntry[] }> {
  const { readTable } = await import("@seqreg/core/tables/open/read_table");
  const { signal } = context;
  const { columns, rows, entries } = await readTable(sourceOf(context, file), { name: nameOf(file), signal });
  const at = columns.indexOf("weight");
  if (at === -1) throw new UsageError(`Cannot read weights of ${file}: expected a column weight, and others of --by`);
  const names = columns.map((column) => by.find((name) => fieldAlias(name) === fieldAlias(column)) ?? column);
  const weights = rows.map((row) => {
    const weight = row[at].trim() === "" ? NaN : Number(row[at]);
    if (!(weight >= 0 && weight < Infinity)) {
      throw new UsageError(`Cannot use the weight "${row[at]}" of ${file}: expected a number from 0`);
    }
    return {
      values: Object.fromEntries(names.flatMap((name, index) => index === at ? [] : [[name, row[index]]])),
      weight,
    };
  });
  return { weights, entries };
}
