/** `seqreg diff`: what changed between two versions of the data. */
import { closeLedger } from "@seqreg/core/contract/ledger";
import type { Diff } from "@seqreg/again";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { once } from "../arguments/once.ts";
import { readFieldList } from "../exports/field_list.ts";
import { asUsage, type Command, EXIT, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { TABLE_OPTIONS, tableOptions } from "../tables/table_options.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";

const FORMATS = ["table", "csv", "jsonl", "daff"] as const;

const command: Command = {
  name: "diff",
  summary: "Compare two versions of the data record by record",
  operands: "OLD NEW",
  operandCount: [2, 2],
  tables: [0, 2],
  options: {
    key: { type: "string", value: "FIELD", describe: "field that identifies a record (default: the accession)" },
    rename: {
      type: "string",
      multiple: true,
      value: "OLD=NEW",
      describe: "a field that has another name in NEW; its values are compared",
    },
    fields: { type: "string", value: "FIELD,…", describe: "compare these fields alone (default: all)" },
    "as-of": { type: "string", value: "DATE", describe: "leave out records released after DATE, in both versions" },
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "daff: for daff patch OLD (default: by the name of --output, else table)",
    },
    html: { type: "string", value: "FILE", writes: true, describe: "write a page about the changes to FILE" },
    ...TABLE_OPTIONS,
    naming: REGISTRY_OPTIONS.naming,
    ...PROGRESS_OPTION,
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o january && seqreg sample -o june --seed 2 && seqreg diff january june",
    "seqreg diff january june --as-of 2020-12-31 --html changes.html",
    "seqreg diff old.csv new.csv --key strain --format jsonl -o changes.jsonl",
  ],
  help: [{
    title: "OLD and NEW",
    lines: [
      "Lakes, archives, folders of archives, or tables (CSV, TSV, Parquet), in any combination.",
      "Exit code 5 if anything differs, 0 if nothing does, 4 if rows could not be compared.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, operands: [before, after], given: [old, now], signal } = context;
    const format = flags.format(FORMATS, "table");
    const rename = once("the new name of", flags.texts("rename").map(readRename));
    const listed = await readFieldList("--fields", flags.texts("fields"));
    const fields = listed.length === 0 ? undefined : listed;
    const page = flags.text("html");
    if (page === "-") {
      throw new UsageError("Cannot write the page to standard output: name a file, as in --html changes.html");
    }
    const asOf = flags.text("as-of");
    const key = flags.text("key");
    const { readPartialDate } = await import("@seqreg/core/contract/values");
    if (asOf !== undefined && readPartialDate(asOf) === undefined) {
      throw new UsageError(`Option --as-of expects a date such as 2026-01-31, not "${asOf}"`);
    }
    const naming = await readNaming(context);
    const finish = startProvenance("diff");
    const { diffLakes } = await import("@seqreg/again/diff/diff");
    using progress = startProgress(context);
    await using diff = await diffLakes(before, after, {
      key,
      rename,
      fields,
      asOf,
      ...tableOptions(context),
      naming,
      signal,
      onProgress: progress.onProgress,
    }).catch(asUsage);
    progress.clear();
    const named: typeof diff = { ...diff, places: [old, now] };
    await withOutput(context, async (output) => {
      for await (const text of await render(named, format)) await output.write(text);
    }).catch(asUsage);
    if (page !== undefined) {
      const { diffToHtml } = await import("@seqreg/again/diff/formats");
      await writeAtomic(page, await diffToHtml(named), { signal });
    }
    const { counts, entries, sources } = diff;
    const ledger = closeLedger({ received: counts.old + counts.new, entries });
    const code = await reportLedger(
      context,
      ledger,
      finish({
        request: { old, new: now, key, rename, fields, asOf, sources },
        bytes: sources.reduce((sum, { bytes }) => sum + bytes, 0),
      }),
    );
    return diff.differs ? EXIT.differs : code;
  },
};

export default command;

/** Reads `OLD=NEW`. */
function readRename(text: string): readonly [before: string, after: string] {
  const [before, after, ...rest] = text.split("=").map((name) => name.trim());
  if (before && after && rest.length === 0) return [before, after];
  throw new UsageError(`Option --rename expects OLD=NEW, not "${text}"`);
}

async function render(diff: Diff, format: typeof FORMATS[number]): Promise<AsyncIterable<string>> {
  switch (format) {
    case "csv":
      return (await import("@seqreg/again/diff/formats")).diffToCsv(diff);
    case "jsonl":
      return (await import("@seqreg/again/diff/formats")).diffToJsonl(diff);
    case "daff":
      return (await import("@seqreg/again/diff/formats")).diffToDaff(diff);
    case "table":
      return (await import("@seqreg/again/diff/formats")).diffToText(diff);
  }
}
