/** `seqreg init`: a folder with a script and a notebook, which holds no path of this installation. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { diskError } from "@seqreg/core/io/files";
import { makeFolder } from "@seqreg/core/io/files/make_folder";
import { LOCK_NAME } from "@seqreg/core/registry/lock/lock_name";
import { KERNEL_NAME, LANGUAGE_INFO } from "../support/kernelspec.ts";
import { type Command, EXIT } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";

function configuration(isLocked: boolean): unknown {
  return {
    tasks: {
      lab: "seqreg lab .",
      ...isLocked && { replay: "seqreg replay first.ts" },
      run: "seqreg run first.ts",
      seqreg: "seqreg",
    },
  };
}

/** Names the lock where a registry is opened. */
function locked(code: string): string {
  return code.replace("Registry.open()", `Registry.open(undefined, { lock: "${LOCK_NAME}" })`);
}

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
  options: {
    lock: { type: "boolean", describe: `record every call in ${LOCK_NAME}, for seqreg replay (default: off)` },
    ...QUIET_OPTION,
  },
  examples: ["seqreg init my-analysis", "seqreg init my-analysis --lock"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const [folder] = context.operands;
    const isLocked = context.flags.has("lock");
    await makeEmptyFolder(folder);
    const files: Readonly<Record<string, string>> = {
      "deno.json": `${JSON.stringify(configuration(isLocked), null, 2)}\n`,
      "first.ts": isLocked ? locked(SCRIPT) : SCRIPT,
      "first.ipynb": `${JSON.stringify(notebook(isLocked), null, 1)}\n`,
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
  await makeFolder(folder);
  try {
    for await (const { name } of Deno.readDir(folder)) {
      throw new RegistryError("disk", `Cannot make a project in ${folder}: it contains ${name}; use a new folder`);
    }
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    throw diskError(cause, { action: `make the folder ${folder}` });
  }
}

function notebook(isLocked: boolean): unknown {
  return {
    cells: CELLS.map(([type, source], index) => ({
      cell_type: type,
      id: `cell-${index}`,
      metadata: {},
      source: isLocked ? locked(source) : source,
      ...type === "code" && { execution_count: null, outputs: [] },
    })),
    metadata: {
      kernelspec: { display_name: "Deno (seqreg)", language: "typescript", name: KERNEL_NAME },
      language_info: LANGUAGE_INFO,
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

export default command;
