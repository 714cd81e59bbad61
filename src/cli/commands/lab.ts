/** `seqreg lab`: opens JupyterLab with our kernel and our notebooks. */
import { runChild } from "../support/run_child.ts";
import { delimiter, join, resolve } from "node:path";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { isFolder, isThere } from "@seqreg/core/io/files/is_there";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { writeKernelspec } from "../support/kernelspec.ts";
import { writeExtension } from "../jupyter/lab_extension.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { TOOLKIT_ROOT } from "../support/toolkit_imports.ts";

/** Commands that start JupyterLab, tried in this order. */
const LAUNCHERS: readonly (readonly string[])[] = [
  ["jupyter", "lab"],
  ["jupyter-lab"],
  ["python3", "-m", "jupyterlab"],
  ["python", "-m", "jupyterlab"],
  ["py", "-m", "jupyterlab"],
];

/** Folder that an installed toolkit's lessons are copied to. */
const LESSONS_COPY = "seqreg-lessons";

/** The lesson that a learner begins with. */
const FIRST_LESSON = "01_first_contact.ipynb";

/** What JupyterLab opens. */
interface OpenedFolder {
  readonly folder: string;
  /** A notebook below the folder, with `/` between names. */
  readonly notebook?: string;
}

const command: Command = {
  name: "lab",
  summary: "Open JupyterLab with the kernel Deno (seqreg)",
  operands: "[DIR]",
  operandCount: [0, Infinity],
  options: {
    "no-browser": { type: "boolean", describe: "start the server and print its address without opening a browser" },
    port: { type: "string", value: "N", describe: "port of the server (default: 8888, or the next free one)" },
    ...QUIET_OPTION,
  },
  examples: ["seqreg lab", "seqreg lab my-notebooks --no-browser", "seqreg lab . -- --allow-root"],
  help: [{
    title: "What is opened:",
    lines: [
      "DIR; without it the first lesson. An installed toolkit copies the lessons into seqreg-lessons, in the working",
      "directory. Arguments behind -- are JupyterLab's own options.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-run"],
  async run(context) {
    const port = context.flags.integer("port", { least: 1, most: 65_535 });
    const [given, passedOn] = splitOperands(context.operands);
    if (given !== undefined) await checkFolder(given);
    const launcher = await findLauncher();
    const { folder, notebook } = given === undefined ? await findLessons(context) : { folder: given };
    // A separate data folder: the user's stays unchanged, and updates include their kernel.
    const dataFolder = resolve(cacheFolder(context.env), "jupyter");
    const spec = await writeKernelspec(dataFolder, context.signal);
    await writeExtension(dataFolder, context.signal);
    context.summary(`the kernel Deno (seqreg) is in ${spec}`);
    const args = [
      ...launcher.slice(1),
      folder,
      ...context.flags.has("no-browser") ? ["--no-browser"] : [],
      ...port === undefined ? [] : [`--port=${port}`],
      ...notebook === undefined ? [] : [`--LabApp.default_url=/lab/tree/${notebook}`],
      ...passedOn,
    ];
    return await runLab(context, launcher[0], args, dataFolder);
  },
};

/** Separates the folder from what is passed on to JupyterLab: options, which begin with `-`. */
function splitOperands(operands: readonly string[]): [folder: string | undefined, passedOn: readonly string[]] {
  const [folder, ...others] = operands.filter((operand) => !operand.startsWith("-"));
  if (others.length === 0) return [folder, operands.filter((operand) => operand.startsWith("-"))];
  throw new UsageError(
    `Unexpected argument ${JSON.stringify(others[0])}: expected seqreg lab [DIR]; see seqreg lab --help`,
  );
}

async function runLab(context: CommandContext, program: string, args: string[], dataFolder: string): Promise<number> {
  const paths = context.env("JUPYTER_PATH");
  const jupyter = new Deno.Command(program, {
    args,
    env: { JUPYTER_PATH: paths ? `${dataFolder}${delimiter}${paths}` : dataFolder },
  });
  const code = await runChild(jupyter, context.signal);
  if (context.signal.aborted) return EXIT.done;
  return code === 0 ? EXIT.done : EXIT.failed;
}

async function findLauncher(): Promise<readonly string[]> {
  for (const launcher of LAUNCHERS) {
    try {
      const args = [...launcher.slice(1), "--version"];
      const { success } = await new Deno.Command(launcher[0], { args, stdout: "null", stderr: "null" }).output();
      if (success) return launcher;
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    }
  }
  throw new RegistryError("disk", `Cannot open JupyterLab: it is not installed. ${howToInstall()}`);
}

function howToInstall(): string {
  // Only a wheel is in such a folder: its environment has a pip.
  if (/[/\\](site|dist)-packages[/\\]/.test(pathOfUrl(TOOLKIT_ROOT))) {
    return "Where you installed seqreg: pip install jupyterlab, then this command again";
  }
  // Works for every user, even if the system's Python accepts no packages.
  const steps = Deno.build.os === "windows"
    ? "py -m venv jupyter && jupyter\\Scripts\\pip install jupyterlab && set PATH=%CD%\\jupyter\\Scripts;%PATH%"
    : 'python3 -m venv jupyter && jupyter/bin/pip install jupyterlab && export PATH="$PWD/jupyter/bin:$PATH"';
  return `With Python: ${steps}, then this command again in the same window. In a Jupyter of your own elsewhere: ` +
    "seqreg kernel install";
}

async function checkFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  throw new RegistryError("disk", `Cannot open JupyterLab in ${folder}: the folder does not exist; create it first`);
}

/** The lessons of a checkout; of an installed toolkit the working directory, with a copy of the lessons in it. */
async function findLessons(context: CommandContext): Promise<OpenedFolder> {
  const lessons = new URL("notebooks/", TOOLKIT_ROOT);
  if (IS_INSTALLED) {
    await copyLessons(lessons, context);
    const notebook = `${LESSONS_COPY}/${FIRST_LESSON}`;
    return { folder: Deno.cwd(), ...await isThere(notebook) && { notebook } };
  }
  if (lessons.protocol === "file:" && await isThere(lessons)) {
    return { folder: pathOfUrl(lessons), notebook: FIRST_LESSON };
  }
  return { folder: Deno.cwd() };
}

/** Learners write into lessons: they get a copy of their own, which stays as it is once it exists. */
async function copyLessons(lessons: URL, context: CommandContext): Promise<void> {
  try {
    await Deno.mkdir(LESSONS_COPY);
    for await (const { name } of Deno.readDir(lessons)) {
      if (name.endsWith(".ipynb")) await Deno.copyFile(new URL(name, lessons), join(LESSONS_COPY, name));
    }
    context.summary(`the lessons are in ${LESSONS_COPY}`);
  } catch (cause) {
    if (cause instanceof Deno.errors.AlreadyExists) return;
    context.summary(`the lessons are not copied: ${messageOf(cause)}; to have them, start where you may write`);
  }
}

export default command;
