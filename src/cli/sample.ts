/** `seqreg sample`: a synthetic archive set from a seed. */
import { requireFolder } from "./_archive_folder.ts";
import { type Command, EXIT } from "./_command.ts";
import { QUIET_OPTION } from "./_ledger.ts";
import { startProgress } from "./_progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "./_registry.ts";

const command: Command = {
  name: "sample",
  summary: "Make a synthetic archive set, the sixteen files of a registry, from a seed",
  operands: "",
  operandCount: [0, 0],
  options: {
    output: {
      type: "string",
      short: "o",
      value: "DIR",
      describe: "folder to write into: new, empty or an archive set",
    },
    records: { type: "string", value: "N", describe: "number of records; 5000" },
    seed: { type: "string", value: "N", describe: "same seed and number of records, same bytes; 1" },
    naming: REGISTRY_OPTIONS.naming,
    ...QUIET_OPTION,
  },
  examples: ["seqreg sample -o sample", "seqreg sample -o sample --records 12000 --seed 7"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const { flags } = context;
    const folder = requireFolder(flags.text("output"), "seqreg sample -o DIR");
    const { makeSample, MAX_SAMPLE_RECORDS, MAX_SAMPLE_SEED, SAMPLE_RECORDS, SAMPLE_SEED } = await import(
      "../sample/make_sample.ts"
    );
    const records = flags.integer("records", { least: 1, most: MAX_SAMPLE_RECORDS }) ?? SAMPLE_RECORDS;
    const seed = flags.integer("seed", { least: 0, most: MAX_SAMPLE_SEED }) ?? SAMPLE_SEED;
    const naming = await readNaming(context);
    using progress = startProgress(context);
    const { onProgress } = progress;
    const { files, manifest } = await makeSample(folder, { records, seed, naming, signal: context.signal, onProgress });
    for (const name of files) await context.stdout.write(`${name}\n`);
    context.summary(
      `sample: ${manifest.records} synthetic records of ${manifest.species} invented species in ${folder}, seed ${seed}`,
    );
    return EXIT.done;
  },
};

export default command;
