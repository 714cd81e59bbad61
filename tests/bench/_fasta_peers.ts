/** Installs the programs that the FASTA measurements stand beside; what cannot be installed is named and left out. */

export interface FastaPeers {
  /** Debian's, by their names. */
  readonly has: (program: string) => boolean;
  /** A program on the needletail crate. */
  readonly needletail: string | undefined;
  /** One on the crate helicase, whose parser is made of SIMD instructions. */
  readonly helicase: string | undefined;
  /** Python with pyfastx, dnaio, polars and polars-bio. */
  readonly python: string | undefined;
  /** The program rapidgzip, of the same Python. */
  readonly rapidgzip: string | undefined;
  readonly versions: Record<string, string>;
}

const PACKAGES = ["seqkit", "samtools", "isal", "tabix"];
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  seqkit: ["version"],
  samtools: ["--version"],
  igzip: ["--version"],
  bgzip: ["--version"],
  gzip: ["--version"],
};

/** Installs the peers into a folder, or into the system where that is where they come from. */
export async function installPeers(folder: string): Promise<FastaPeers> {
  if (!await all(["seqkit", "samtools", "igzip", "bgzip"])) {
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...PACKAGES]);
  }
  const versions: Record<string, string> = {};
  for (const [program, args] of Object.entries(PROGRAMS)) {
    const said = await run(program, args);
    if (said === undefined) console.log(`not run: ${program}`);
    else versions[program] = /[0-9]+\.[0-9.]+/.exec(said)?.[0] ?? "?";
  }
  const needletail = await buildCrate("needletail", folder);
  const helicase = await buildCrate("helicase", folder);
  for (const [name, program] of Object.entries({ needletail, helicase })) {
    if (program === undefined) console.log(`not run: ${name}`);
  }
  const python = await installPython(folder);
  if (python === undefined) console.log("not run: pyfastx, dnaio, polars-bio");
  else Object.assign(versions, await versionsOf(python));
  const rapidgzip = await installRapidgzip(folder);
  if (rapidgzip === undefined) console.log("not run: rapidgzip");
  else versions.rapidgzip = /[0-9]+\.[0-9.]+/.exec(await run(rapidgzip, ["--version"]) ?? "")?.[0] ?? "?";
  return { has: (program) => program in versions, needletail, helicase, python, rapidgzip, versions };
}

/** Builds the program beside this file that one writes with a crate. */
async function buildCrate(name: "needletail" | "helicase", folder: string): Promise<string | undefined> {
  const manifest = new URL(`${name}/Cargo.toml`, import.meta.url).pathname;
  const target = `${folder}/${name}`;
  const args = ["build", "--release", "--quiet", "--manifest-path", manifest, "--target-dir", target];
  const done = await run("cargo", args, { RUSTFLAGS: "-C target-cpu=native" });
  return done === undefined ? undefined : `${target}/release/count`;
}

const PYTHON_PACKAGES = ["pyfastx", "dnaio", "polars", "polars-bio"];

async function installPython(folder: string): Promise<string | undefined> {
  const python = `${folder}/python/bin/python`;
  if (await run("python3", ["-m", "venv", `${folder}/python`]) === undefined) return undefined;
  return await run(python, ["-m", "pip", "install", "--quiet", ...PYTHON_PACKAGES]) === undefined ? undefined : python;
}

async function installRapidgzip(folder: string): Promise<string | undefined> {
  const python = `${folder}/python/bin/python`;
  const said = await run(python, ["-m", "pip", "install", "--quiet", "rapidgzip"]);
  return said === undefined ? undefined : `${folder}/python/bin/rapidgzip`;
}

async function versionsOf(python: string): Promise<Record<string, string>> {
  const script = "import importlib.metadata, sys\nfor name in sys.argv[1:]: print(importlib.metadata.version(name))";
  const said = (await run(python, ["-c", script, ...PYTHON_PACKAGES]) ?? "").split("\n");
  return Object.fromEntries(PYTHON_PACKAGES.map((name, index) => [name, said[index] ?? "?"]));
}

async function all(programs: readonly string[]): Promise<boolean> {
  return (await Promise.all(programs.map((program) => run(program, ["--version"])))).every((said) =>
    said !== undefined
  );
}

/** What a program says, or `undefined` when it cannot be run or fails. */
async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command(program, { args: [...args], env, stderr: "null" }).output();
    return success || program === "seqkit" ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
