/** `seqreg sample`: a synthetic archive set from a seed. */
import { join } from "node:path";
import { closeLedger } from "@seqreg/core/contract/ledger";
import { requireFolder } from "../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { outputOption } from "../arguments/output_option.ts";

const command: Command = {
  name: "sample",
  summary: "Create a synthetic archive set, the sixteen files of a registry, from a seed",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...outputOption("DIR", "folder to write to: new, empty or an archive set"),
    records: { type: "string", value: "N", describe: "number of records (default: 5000)" },
    seed: {
      type: "string",
      value: "N",
      describe: "the same seed and number of records give the same bytes (default: 1)",
    },
    families: {
      type: "string",
      value: "N",
      describe: "write N families of related genomes instead, with the identity of each record, for the commands alike",
    },
    naming: REGISTRY_OPTIONS.naming,
    ...LEDGER_OPTION,
    ...PROGRESS_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample",
    "seqreg sample -o sample --records 12000 --seed 7",
    "seqreg sample -o families --families 200",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const { flags } = context;
    const folder = requireFolder(flags.text("output"), "seqreg sample -o DIR");
    const { MAX_SAMPLE_RECORDS, MAX_SAMPLE_SEED, SAMPLE_RECORDS, SAMPLE_SEED } = await import(
      "@seqreg/embedded/sample/make_sample"
    );
    const records = flags.integer("records", { least: 1, most: MAX_SAMPLE_RECORDS }) ?? SAMPLE_RECORDS;
    const seed = flags.integer("seed", { least: 0, most: MAX_SAMPLE_SEED }) ?? SAMPLE_SEED;
    const families = flags.integer("families", { least: 1, most: 99_999 });
    const finish = startProvenance("sample");
    const { files, asked, received, request } = families === undefined
      ? await writeArchives(context, folder, { records, seed })
      : await writeFamilies(context, folder, { families, seed });
    for (const name of files) await context.stdout.write(`${name}\n`);
    const bytes = await totalBytes(folder, files);
    const ledger = closeLedger({ asked, received });
    return await reportLedger(context, ledger, finish({ request: { folder, ...request }, bytes }), "synthetic records");
  },
};

export default command;

async function writeArchives(
  context: CommandContext,
  folder: string,
  request: { readonly records: number; readonly seed: number },
) {
  const naming = await readNaming(context);
  const { makeSample } = await import("@seqreg/embedded/sample/make_sample");
  using progress = startProgress(context);
  const options = { ...request, naming, signal: context.signal, onProgress: progress.onProgress };
  const { files, manifest } = await makeSample(folder, options);
  return { files, asked: request.records, received: manifest.records, request };
}

/** Writes families of genomes instead of archives. */
async function writeFamilies(
  context: CommandContext,
  folder: string,
  request: { readonly families: number; readonly seed: number },
) {
  for (const name of ["records", "naming"]) {
    if (context.flags.text(name) === undefined) continue;
    throw new UsageError(
      `--${name} is of archives, and --families writes a FASTA and a table instead: give one of them`,
    );
  }
  const { makeFamilies } = await import("@seqreg/embedded/sample/make_families");
  const { files, records } = await makeFamilies(folder, { ...request, signal: context.signal });
  return { files, asked: records, received: records, request };
}

async function totalBytes(folder: string, names: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const name of names) bytes += (await Deno.stat(join(folder, name))).size;
  return bytes;
}
