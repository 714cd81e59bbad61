/** `seqreg init`: a folder with a script and a notebook, which holds no path of this installation. */
import { join } from "node:path";
import { messageOf, RegistryError } from "../../errors.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { KERNEL_NAME } from "../support/kernelspec.ts";
import { type Command, EXIT } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";

const CONFIGURATION = {
  tasks: {
    lab: "seqreg lab .",
    run: "seqreg run first.ts",
    seqreg: "seqreg",
  },
};

const SCRIPT = `// seqreg run first.ts
import { Registry } from "seqreg";

// Without an address this is the built-in sample: synthetic records, no network.
await using registry = await Registry.open();

const hits = await registry.search("country:Kenya", { pageSize: 5 });
console.log(\`\${hits.total} records from Kenya; complete: \${hits.ledger.complete}\`);
`;

const CELLS: readonly (readonly [type: "markdown" | "code", source: string])[] = [
  ["markdown", "# My first questions\n\nThe registry below is the built-in sample: synthetic records, no network."],
  ["code", 'import { Registry, show } from "seqreg";\n\nconst registry = await Registry.open();'],
  ["code", 'const hits = await registry.search("country:Kenya", { pageSize: 20 });\nhits'],
  ["code", "await show(await hits.frame());"],
];

const IGNORED = [".ipynb_checkpoints/", "node_modules/", "*.part"];

const command: Command = {
  name: "init",
  summary: "Create a folder with a script and a notebook that use this toolkit",
  operands: "DIR",
  operandCount: [1, 1],
  options: { ...QUIET_OPTION },
  examples: ["seqreg init my-analysis"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const [folder] = context.operands;
    await makeEmptyFolder(folder);
    const files: Readonly<Record<string, string>> = {
      "deno.json": `${JSON.stringify(CONFIGURATION, null, 2)}\n`,
      "first.ts": SCRIPT,
      "first.ipynb": `${JSON.stringify(notebook(), null, 1)}\n`,
      ".gitignore": `${IGNORED.join("\n")}\n`,
    };
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      await writeAtomic(path, content, { signal: context.signal });
      await context.stdout.write(`${path}\n`);
    }
    context.summary(`created; next: cd ${folder}, then seqreg run first.ts, or seqreg lab .`);
    return EXIT.done;
  },
};

async function makeEmptyFolder(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true });
    for await (const { name } of Deno.readDir(folder)) {
      throw new RegistryError("disk", `Cannot make a project in ${folder}: it contains ${name}; use a new folder`);
    }
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    const why = messageOf(cause);
    throw new RegistryError("disk", `Cannot make the folder ${folder}: ${why}`, { cause });
  }
}

function notebook(): unknown {
  return {
    cells: CELLS.map(([type, source], index) => ({
      cell_type: type,
      id: `cell-${index}`,
      metadata: {},
      source,
      ...type === "code" && { execution_count: null, outputs: [] },
    })),
    metadata: {
      kernelspec: { display_name: "Deno (seqreg)", language: "typescript", name: KERNEL_NAME },
      language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

export default command;
