/** `seqreg alike context QUERY --index DIR`: the nearest records, thinned fairly, for an alignment and a tree. */
import { outputOption } from "../../arguments/output_option.ts";
import { readFieldList } from "../../exports/field_list.ts";
import { requireFolder } from "../../support/archive_folder.ts";
import { asUsage, type Command, EXIT, readGiven, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { checkRegistryFlags, openRegistry, refuseRequestOptions, REGISTRY_OPTIONS } from "../../support/registry.ts";

const command: Command = {
  name: "alike context",
  summary: "Make a context set: the nearest records to queries, spread fairly, with metadata, for a tree",
  operands: "QUERY.fasta",
  operandCount: [1, 1],
  options: {
    index: { type: "string", value: "DIR", describe: "folder that seqreg alike index wrote" },
    from: { type: "string", value: "LAKE", describe: "lake with the records of the index" },
    nearest: { type: "string", short: "n", value: "N", describe: "maximum records of the set (default: 50)" },
    spread: { type: "string", value: "FIELD,…", describe: "fields of the groups; year, month and isoweek of the date" },
    "fasta-header": {
      type: "string",
      value: "TEMPLATE",
      describe: "names of the sequences, such as '{accession}|{Country}' (default: the accession)",
    },
    seed: { type: "string", value: "N", describe: "which draw (default: 1)" },
    ...outputOption("DIR", "output folder, new or empty"),
    ...REGISTRY_OPTIONS,
    registry: { type: "string", value: "URL|DIR|zika", describe: "registry with the records of the index" },
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg alike context mine.fasta --index index --from lake -n 50 --spread country,month -o set",
    "seqreg alike context mine.fasta --index index --registry zika --fasta-header '{accession}|{Country}' -o set",
  ],
  help: [{
    title: "Output",
    lines: [
      "sequences.fasta: the queries, then the records, the nearest first; names have A-Z, a-z, digits and _ . | / - only.",
      "metadata.tsv: the same records; name, accession, date as augur reads it, the fields of the source, and why each",
      "is in the set: rank, identity and aligned fraction, group. context.json: also what was near and left out, and why.",
      "Without --spread the nearest N records are taken. With it a quarter of them are the nearest, and the others are",
      "drawn of the nearest 4 N, as evenly over the groups as these allow. The same input produces the same bytes.",
      "Exit code 4 if a query has no near record, or a near record is missing in the source; 3 if no query has one.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, signal, operands: [file] } = context;
    const usage = "seqreg alike context QUERY --index DIR --from LAKE|--registry URL -o DIR";
    const folder = requireFolder(flags.text("output"), usage);
    const n = flags.integer("nearest", { least: 1, most: 10_000 });
    const seed = flags.integer("seed", { least: 0, most: 1_000_000_000 });
    const [indexFolder, lake, header] = [flags.text("index"), flags.text("from"), flags.text("fasta-header")];
    if (indexFolder === undefined || indexFolder === "") {
      throw new UsageError(`Cannot search without an index: expected ${usage}`);
    }
    if ((lake === undefined) === (flags.text("registry") === undefined)) {
      throw new UsageError(`Cannot choose the source of records: name exactly one; expected ${usage}`);
    }
    if (lake !== undefined) refuseRequestOptions(context, REGISTRY_OPTIONS, { needed: "--registry" });
    const spread = await readFieldList("--spread", flags.texts("spread"));
    await checkRegistryFlags(context);
    const { parseHeaderTemplate } = await import("@seqreg/core/fasta/write/header_template");
    if (header !== undefined) readGiven(() => parseHeaderTemplate(header));
    const { openAlikeIndex } = await import("@seqreg/alike/index/open_index");
    const { context: makeSet } = await import("@seqreg/alike/context/context");
    using index = await openAlikeIndex(indexFolder);
    await using registry = lake === undefined ? await openRegistry(context) : undefined;
    const set = await makeSet(sourceOf(context, file), registry ?? lake!, {
      index,
      spread,
      name: nameOf(file),
      signal,
      nearest: n,
      seed,
      header,
    }).catch(asUsage);
    await set.save(folder);
    await context.stdout.write(`${folder}\n`);
    const count = (isQuery: boolean) => set.records.filter((record) => record.isQuery === isQuery).length;
    const absent = set.leftOut.filter(({ reason }) => reason === "not-in-source" || reason === "no-sequence").length;
    for (const { query, note } of set.withoutHit) context.note(`${query}: ${note}`);
    if (absent > 0) context.note(`${absent} near records have no sequence or metadata in the source: see context.json`);
    context.summary(
      `alike context: ${count(true)} queries, ${count(false)} records, ${set.leftOut.length} near ones left out`,
    );
    if (set.withoutHit.length === count(true)) return EXIT.nothing;
    return absent > 0 || set.withoutHit.length > 0 ? EXIT.incomplete : EXIT.done;
  },
};

export default command;
