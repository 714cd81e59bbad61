/** `seqreg curate`: records kept or left out, each with its reasons. */
import type { CurationRules } from "@seqreg/curation";
import { checkOptions } from "@seqreg/core/options/check_options";
import { requireFolder } from "../../support/archive_folder.ts";
import { asUsage, type Command, EXIT, UsageError } from "../../support/command.ts";
import { reportLedger, startProvenance } from "../../support/ledger.ts";
import { startProgress } from "../../support/progress.ts";
import { tableOptions } from "../../tables/table_options.ts";
import { readNaming } from "../../support/registry.ts";
import { CURATION_PERMISSIONS, readFields, readTextOption, SOURCE_OPTIONS } from "../../curation/source_options.ts";
import { outputOption } from "../../arguments/output_option.ts";

const command: Command = {
  name: "curate",
  summary: "Keep the records that no rule leaves out, and list the others with their reasons",
  operands: "LAKE|TABLE",
  operandCount: [1, 1],
  tables: [0, 1],
  options: {
    rules: { type: "string", value: "FILE", describe: "JSON with rules of your own and limits; see below" },
    without: { type: "string", value: "RULE,…", describe: "rules that are not applied" },
    ...SOURCE_OPTIONS,
    ...outputOption("DIR", "folder of kept.tsv, excluded.tsv, rules.tsv and duplicates.tsv"),
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake && seqreg curate lake -o curated",
    "seqreg curate records.csv --without environmental,short -o curated",
    "seqreg curate records.tsv --rules rules.json --field host='Host name' -o curated",
  ],
  help: [{
    title: "Rules",
    lines: [
      "patent, laboratory, synthetic, environmental, replaced, withdrawn (words in fields),",
      "implausible, ambiguous, short, missing-field (values), duplicate (the sequence of a record that is kept).",
    ],
  }, {
    title: "FILE of --rules",
    lines: [
      '{"require": ["Country"], "mostAmbiguous": 0.05, "leastLength": 0.5, "without": ["short"],',
      ' "plausible": {"length": [1, 5000000], "date": ["1900", "2026"]},',
      ' "add": [{"name": "swine", "matches": [{"fields": ["host"], "words": ["sus scrofa", "swine"]}]}]}',
    ],
  }],
  permissions: CURATION_PERMISSIONS,
  async run(context) {
    const { flags, operands: [source], signal } = context;
    const folder = requireFolder(flags.text("output"), "seqreg curate LAKE|TABLE -o DIR");
    const fields = readFields(flags);
    const file = flags.text("rules");
    const rules: CurationRules = file === undefined ? {} : await readRules(file);
    const named = flags.text("without")?.split(",").map((name) => name.trim()).filter((name) => name !== "");
    const without = [...rules.without ?? [], ...named ?? []];
    const naming = await readNaming(context);
    const finish = startProvenance("curate");
    const { curate } = await import("@seqreg/curation/curate");
    using progress = startProgress(context);
    const table = flags.text("table");
    await using curation = await curate(source, {
      ...rules,
      without,
      fields,
      table,
      ...tableOptions(context),
      naming,
      signal,
      onProgress: progress.onProgress,
    }).catch(asUsage);
    progress.clear();
    await curation.save(folder);
    context.summary(
      `curate: ${curation.kept} of ${curation.records} records kept, ${curation.excluded} left out` +
        curation.rules.filter(({ first }) => first > 0).map(({ rule, first }) => `, ${first} ${rule}`).join(""),
    );
    const code = await reportLedger(
      context,
      curation.ledger,
      finish({
        request: { source: context.given[0], ...rules, without, fields, folder },
        bytes: curation.bytes,
      }),
    );
    return code === EXIT.done && curation.kept === 0 ? EXIT.nothing : code;
  },
};

export default command;

async function readRules(file: string): Promise<CurationRules> {
  const text = await readTextOption(file);
  let rules: unknown;
  try {
    rules = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  if (typeof rules !== "object" || rules === null || Array.isArray(rules)) {
    throw new UsageError(`Cannot read the rules in ${file}: expected a JSON object, such as {"require": ["Country"]}`);
  }
  const { CURATION_RULES } = await import("@seqreg/curation/curation_rules");
  const read: CurationRules = rules;
  try {
    // What the command line has options for, such as fields, would replace it without a word.
    checkOptions(`the rules in ${file}`, read, CURATION_RULES);
  } catch (cause) {
    return asUsage(cause);
  }
  return read;
}
