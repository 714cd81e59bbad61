/** `seqreg crate -o DIR NOTEBOOK|SCRIPT|LOCK`: a research object to deposit. */
import type { CrateAuthor } from "@seqreg/again";
import { outputOption } from "../../arguments/output_option.ts";
import { requireFolder } from "../../support/archive_folder.ts";
import { asUsage, type Command, EXIT, UsageError } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const command: Command = {
  name: "crate",
  summary: "Put a notebook, its lock and its results into a research object (RO-Crate)",
  operands: "NOTEBOOK|SCRIPT|LOCK",
  operandCount: [1, 1],
  options: {
    lock: { type: "string", value: "FILE", describe: "the lock (default: seqreg.lock next to the notebook)" },
    result: {
      type: "string",
      multiple: true,
      value: "FILE",
      describe: "a file that was made, or a ledger (default: see below)",
    },
    title: { type: "string", value: "TEXT", describe: "title (default: the notebook's first heading)" },
    author: { type: "string", multiple: true, value: "NAME[=ORCID]", describe: "who made it" },
    license: { type: "string", value: "ID|URL|FILE", describe: "licence, such as CC-BY-4.0" },
    date: { type: "string", value: "DATE", describe: "day of publication (default: that of the last ledger)" },
    ...outputOption("DIR", "folder of the research object: absent or empty"),
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg search country:Kenya --lock seqreg.lock --ledger found.json -o found.csv && seqreg crate seqreg.lock --result found.csv --result found.json -o crate",
    "seqreg crate study.ipynb --author 'Josiah Carberry=0000-0002-1825-0097' --license CC-BY-4.0 -o crate",
  ],
  help: [{
    title: "What is in DIR",
    lines: [
      "The notebook, script or lock; the lock of its calls; results and their ledgers in results/;",
      "CITATION.cff; the licence, if it is a file; ro-crate-metadata.json (RO-Crate 1.3, Process Run Crate 0.6).",
      "Without --result: every file next to the notebook with a FILE.provenance.json, which toCSV() and its",
      "siblings write. The answers of the registry are not in it: seqreg lock pack -o answers.tar, and --result.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"],
  async run(context) {
    const { flags, operands: [source], signal } = context;
    const folder = requireFolder(flags.text("output"), "seqreg crate -o DIR NOTEBOOK|SCRIPT|LOCK");
    const results = flags.texts("result");
    const text = (name: "lock" | "title" | "license" | "date") => {
      const value = flags.text(name);
      return value === undefined ? {} : { [name]: value };
    };
    const date = flags.text("date");
    if (date !== undefined && Number.isNaN(Date.parse(date))) {
      throw new UsageError(`Option --date expects a day such as 2026-01-31, not "${date}"`);
    }
    const { isOrcid, writeCrate } = await import("@seqreg/again/crate/crate");
    const authors = flags.texts("author").map((text) => readAuthor(text, isOrcid));
    const { files, citations, entries } = await writeCrate(source, folder, {
      ...text("lock"),
      ...text("title"),
      ...text("license"),
      ...text("date"),
      ...results.length > 0 && { results },
      authors,
      signal,
    }).catch(asUsage);
    for (const file of files) await context.stdout.write(`${folder}/${file}\n`);
    for (const { text } of entries) context.note(`warning: ${text}`);
    const signature = citations.length === 1 && citations[0].signature !== null ? `, ${citations[0].signature}` : "";
    context.summary(`crate: ${files.length} files in ${folder}${signature}`);
    return EXIT.done;
  },
};

export default command;

/** Reads `NAME` or `NAME=ORCID`. */
function readAuthor(text: string, isOrcid: (value: unknown) => boolean): CrateAuthor {
  const [name, orcid, ...rest] = text.split("=").map((part) => part.trim());
  if (!name || orcid === "" || rest.length > 0) {
    throw new UsageError(`Option --author expects NAME or NAME=ORCID, not "${text}"`);
  }
  const id = orcid?.replace(/^https?:\/\/orcid\.org\//, "");
  if (id !== undefined && !isOrcid(id)) {
    throw new UsageError(
      `Option --author: ${JSON.stringify(id)} is not an ORCID iD: expected four digits four times, as in ` +
        "0000-0002-1825-0097, the last of which checks the others",
    );
  }
  return { name, ...id !== undefined && { orcid: id } };
}
