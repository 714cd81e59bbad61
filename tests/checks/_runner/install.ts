/** Installs what checks need: packages of Debian, packages of Python, Spark. Each once. */
import { join } from "node:path";
import type { Check } from "./check.ts";
import { type Package, PACKAGES, type Program, PROGRAMS, type Source } from "./needs.ts";

/** The variables of the environment that a check runs with. */
export interface Environment {
  envOf(check: Check): Readonly<Record<string, string>>;
}

/** What was installed, and what cannot be had. */
export interface Installation extends Environment {
  /** Why a check cannot run; `undefined` if it can. */
  lackOf(check: Check): string | undefined;
}

/** Version of a requirement such as `moto[server]==5.2.5`, as Python's metadata has it. */
const INSTALLED = `import importlib.metadata as m, sys
for line in sys.argv[1:]:
    name, version = line.split("==")
    try:
        if m.version(name.split("[")[0]) == version: print(line)
    except m.PackageNotFoundError: pass`;

/** Where to install, and where to report. */
export interface InstallOptions {
  readonly root: string;
  readonly out: string;
  readonly say: (line: string) => void;
}

/** Why a need cannot be met, by its name. */
type Lacks = Map<Program | Package, string>;

/** Installs what the checks need; prints what it installs, and what cannot be had. */
export async function install(checks: readonly Check[], options: InstallOptions): Promise<Installation> {
  const programs = [...new Set(checks.flatMap(({ programs = [] }) => programs))];
  const packages = [...new Set(checks.flatMap(({ packages = [] }) => packages))];
  const bin = join(options.root, ".ci/out/venv/bin");
  const lacks: Lacks = new Map();
  await installPrograms(programs.filter((program) => program !== "spark"), lacks, options);
  if (packages.length > 0) await installPackages(packages, bin, lacks, options);
  if (programs.includes("spark") && !lacks.has("java")) await installSpark(lacks, options);
  for (const lack of lacks.values()) options.say(lack);

  const chromium = pathOf("chromium");
  return {
    lackOf: ({ programs = [], packages = [] }) =>
      [...programs, ...packages].map((need) => lacks.get(need)).find((lack) => lack !== undefined),
    envOf: ({ programs = [], packages = [], onPath = false }) => ({
      NO_COLOR: "1",
      ...packages.length > 0 && { PYTHON: join(bin, "python") },
      ...onPath && { PATH: `${bin}:${Deno.env.get("PATH")}` },
      ...programs.includes("chromium") && chromium && { CHROMIUM: chromium },
    }),
  };
}

async function installPrograms(
  programs: readonly (keyof typeof PROGRAMS)[],
  lacks: Lacks,
  { out, say }: InstallOptions,
): Promise<void> {
  const absent = programs.filter((program) => !isInstalled(program));
  if (absent.length === 0) return;
  const names = [...new Set(absent.map((program) => PROGRAMS[program].debian))];
  say(`installing of Debian: ${names.join(", ")}`);
  const log = join(out, "install_debian.log");
  // Another installation may be under way.
  const apt = (...args: readonly string[]) => succeeds(["apt-get", "-o", "DPkg::Lock::Timeout=120", ...args], log);
  await apt("update", "-q");
  if (!await apt("install", "-y", "-q", ...names)) {
    // One that is missing does not keep the others away.
    for (const name of names) await apt("install", "-y", "-q", name);
  }
  for (const program of absent.filter((program) => !isInstalled(program))) {
    lacks.set(program, `${program} cannot be had: apt-get install ${PROGRAMS[program].debian} fails, see ${log}`);
  }
}

async function installPackages(
  packages: readonly Package[],
  bin: string,
  lacks: Lacks,
  { out, say }: InstallOptions,
): Promise<void> {
  const [python, log] = [join(bin, "python"), join(out, "install_python.log")];
  const wanted = packages.map((name) => PACKAGES[name]);
  const pip = (...requirements: readonly string[]) =>
    succeeds(
      [python, "-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check", ...requirements],
      log,
    );
  await succeeds(["python3", "-m", "venv", join(bin, "..")], log);
  const found = await outputOf([python, "-c", INSTALLED, ...wanted]);
  const missing = wanted.filter((requirement) => !found.includes(requirement));
  if (missing.length === 0) return;
  say(`installing of PyPI: ${missing.join(", ")}`);
  if (await pip(...wanted)) return;
  for (const name of packages) {
    const isFound = found.includes(PACKAGES[name]) || await pip(PACKAGES[name]);
    if (!isFound) lacks.set(name, `${PACKAGES[name]} cannot be had: pip install fails, see ${log}`);
  }
}

async function installSpark(lacks: Lacks, { root, out, say }: InstallOptions): Promise<void> {
  say("installing Spark, unless it is in the cache");
  const log = join(out, "install_spark.log");
  const args = ["task", "--config", join(root, "deno.json"), "cluster", "install"];
  if (await succeeds([Deno.execPath(), ...args], log)) return;
  lacks.set("spark", `Spark cannot be had: deno task cluster install fails, see ${log}`);
}

function isInstalled(program: keyof typeof PROGRAMS): boolean {
  const source: Source = PROGRAMS[program];
  if (source.probe === undefined) return pathOf(program) !== undefined;
  const [command, ...args] = source.probe;
  if (pathOf(command) === undefined) return false;
  return new Deno.Command(command, { args, stdout: "null", stderr: "null" }).outputSync().success;
}

/** Path of a program, by the folders of `PATH`. */
function pathOf(program: string): string | undefined {
  return (Deno.env.get("PATH") ?? "").split(":").filter((folder) => folder !== "")
    .map((folder) => join(folder, program)).find((path) => {
      try {
        return Deno.statSync(path).isFile;
      } catch {
        return false;
      }
    });
}

/** Runs a command with its output in a log; `false` if it fails, or is absent. */
async function succeeds(command: readonly string[], log: string): Promise<boolean> {
  const args = ["-c", 'exec "$@" >>"$0" 2>&1', log, ...command];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  return (await new Deno.Command("sh", { args, env, stdin: "null" }).output()).success;
}

async function outputOf([command, ...args]: readonly string[]): Promise<string[]> {
  try {
    const { stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
    return new TextDecoder().decode(stdout).split("\n");
  } catch {
    return [];
  }
}
