/** `seqreg mirror -o DIR`: a registry's archives in a folder that can stand in for it. */
import { requireFolder } from "../support/archive_folder.ts";
import { ARCHIVE_OPTIONS, ARCHIVE_PERMISSIONS } from "../support/archive_command.ts";
import { type Command, EXIT } from "../support/command.ts";
import { reportLedger } from "../support/ledger.ts";
import { startProgress } from "../support/progress.ts";
import { checkRegistryFlags, openRegistry } from "../support/registry.ts";
import { outputOption } from "../arguments/output_option.ts";

const command: Command = {
  name: "mirror",
  summary: "Mirror a registry into a folder: its sixteen files, verified, and its field definitions",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...outputOption("DIR", "folder of the mirror; only what changed is fetched", "into"),
    ...ARCHIVE_OPTIONS,
  },
  examples: ["seqreg mirror -o registry", "seqreg serve registry"],
  help: [{
    title: "With a running seqreg serve:",
    lines: [
      "Mirror into a new folder, then switch the link that is served: all files change at one moment.",
      "  cp -al archives/. releases/2026-12 && seqreg mirror -o releases/2026-12",
      "  ln -s releases/2026-12 next && mv -T next archives",
    ],
  }],
  permissions: ARCHIVE_PERMISSIONS,
  async run(context) {
    const folder = requireFolder(context.flags.text("output"), "seqreg mirror -o DIR");
    await checkRegistryFlags(context);
    await using registry = await openRegistry(context);
    const { mirror } = await import("@seqreg/core/datasets");
    using progress = startProgress(context);
    const { onProgress } = progress;
    const { signal } = context;
    const result = await mirror(registry.client, folder, {
      registry: registry.place,
      onProgress,
      signal,
    });
    progress.clear();
    for (const { archive, checksum } of result.archives) await context.stdout.write(`${archive}\n${checksum}\n`);
    for (const { error } of result.failures) context.note(error.message);
    const { archives, failures } = result;
    const fetched = archives.filter(({ changed }) => changed).length;
    const unchanged = archives.length - fetched;
    const parts = [
      `${fetched} of ${archives.length + failures.length} archives were fetched`,
      `${unchanged} unchanged`,
    ];
    if (failures.length > 0) parts.push(`${failures.length} failed`);
    context.summary(`mirror: ${parts.join(", ")}`);
    const code = await reportLedger(context, result.ledger, result.provenance, "archives");
    return result.failures.length > 0 ? EXIT.failed : code;
  },
};

export default command;
