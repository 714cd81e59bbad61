/** `seqreg bundle`: everything that the toolkit needs in one archive, for a room without a network. */
import { basename, dirname, join, sep } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { buildSite } from "../documentation/site_folder.ts";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { createAtomicFile } from "@seqreg/core/io/files/atomic_file";
import { makeTempFolder } from "@seqreg/core/io/files/temp_path";
import { isFile, isFolder } from "@seqreg/core/io/files/is_there";
import { TOOLKIT, VERSION } from "@seqreg/core/contract/version";
import { findPackages, isModule, pruneConfiguration, readPackageGraph } from "../bundle/bundle_packages.ts";
import { bundleReadme, startScripts } from "../bundle/bundle_texts.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { formatBytes, QUIET_OPTION } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { type TarEntry, writeTar } from "../bundle/tar.ts";
import { outputOption } from "../arguments/output_option.ts";
import { TOOLKIT_ROOT } from "../support/toolkit_imports.ts";

/** Parts of the checkout that a bundle contains; tests and benchmarks need more packages and programs. */
const TOOLKIT_PARTS = [
  "README.md",
  "docs/commands.md",
  "docs/polars.md",
  "site",
  "mod.ts",
  "types",
  "src",
  "notebooks",
  "examples",
];

const command: Command = {
  name: "bundle",
  summary: "Pack Deno, the toolkit, its packages and the sample into one archive, for use without a network",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...outputOption("FILE", "archive to write, such as seqreg.tar.gz"),
    ...PROGRESS_OPTION,
    ...QUIET_OPTION,
  },
  examples: ["seqreg bundle -o seqreg.tar.gz", "tar xzf seqreg.tar.gz && seqreg-*/seqreg demo"],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-run"],
  async run(context) {
    const path = context.flags.text("output");
    if (path === undefined || path === "" || path === "-") {
      throw new UsageError("Cannot bundle without a file to write: seqreg bundle -o FILE, such as -o seqreg.tar.gz");
    }
    const root = toolkitFolder();
    const { signal } = context;
    await using file = await createAtomicFile(path, { signal });
    const entries = await collectEntries(context, root);
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    using progress = startProgress(context);
    const tar = async function* () {
      let done = 0;
      for await (const chunk of writeTar(entries)) {
        done += chunk.length;
        progress.onProgress({ task: "packing", done: Math.min(done, total), total, unit: "bytes" });
        yield chunk;
      }
    };
    const packed = ReadableStream.from(tar()).pipeThrough(new CompressionStream("gzip"), { signal });
    for await (const chunk of packed) await file.write(chunk);
    signal.throwIfAborted();
    await file.commit();
    progress.clear();
    await context.stdout.write(`${path}\n`);
    context.summary(
      `bundle: ${entries.length} files, ${formatBytes(total)}, packed ${formatBytes(file.bytes)}, for ${platform()}; ` +
        `next: unpack it and run seqreg demo in the new folder`,
    );
    return EXIT.done;
  },
};

export default command;

function toolkitFolder(): string {
  if (TOOLKIT_ROOT.protocol === "file:") return pathOfUrl(TOOLKIT_ROOT).replace(/[/\\]$/, "");
  throw new RegistryError(
    "disk",
    `Cannot bundle a toolkit that was loaded from ${TOOLKIT_ROOT.origin}: run it in a checkout`,
  );
}

function platform(): string {
  return `${Deno.build.os}-${Deno.build.arch}`;
}

async function collectEntries({ signal }: CommandContext, root: string): Promise<TarEntry[]> {
  const { ensureSample, ensureZika } = await import("@seqreg/embedded/sample");
  const os = Deno.build.os;
  const installed = IS_INSTALLED;
  const about = { toolkit: TOOLKIT, deno: Deno.version.deno, platform: platform(), os, installed };
  const cache = await makeTempFolder();
  try {
    const sets = [
      await ensureSample({ cacheFolder: cache, signal }),
      await ensureZika({ cacheFolder: cache, signal }),
    ];
    const entries = [
      textEntry("README.txt", bundleReadme(about)),
      ...Object.entries(startScripts(os, { installed })).map(([name, text]) => textEntry(name, text, true)),
      await fileEntry(`bin/${os === "windows" ? "deno.exe" : "deno"}`, Deno.execPath(), true),
      ...installed ? await installedEntries(root) : await checkoutEntries(root, signal),
    ];
    for (const set of sets) {
      const path = `cache${set.slice(cache.length).replaceAll(sep, "/")}`;
      // The folder entry precedes the archives.
      entries.push(...await hold(await folderEntries(path, set)));
    }
    const top = `seqreg-${VERSION}-${platform()}`;
    return entries.map((entry) => ({ ...entry, path: `${top}/${entry.path}` }));
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

/** The folder of an installed toolkit, which a wheel fills with the packages too. */
async function installedEntries(root: string): Promise<TarEntry[]> {
  if (!await isFolder(join(root, "node_modules"))) {
    throw new RegistryError(
      "disk",
      `Cannot bundle the toolkit in ${root}: its packages are elsewhere, as npm installs them; install the wheel with ` +
        "pip, or run this in a checkout",
    );
  }
  return await folderEntries("toolkit", root);
}

/** The toolkit of a checkout, and its packages of Deno's cache. */
async function checkoutEntries(root: string, signal: AbortSignal): Promise<TarEntry[]> {
  await buildSite(root, signal);
  const configText = await Deno.readTextFile(join(root, "deno.json"));
  const toolkit: TarEntry[] = [];
  for (const part of TOOLKIT_PARTS) {
    toolkit.push(...await hold(await folderEntries(`toolkit/${part}`, join(root, part))));
  }
  // Each module is listed: some are imported by computed names.
  const modules = toolkit.map(({ path }) => path.slice("toolkit/".length)).filter(isModule);
  const packages = await findPackages(await readPackageGraph(root, modules, signal));
  const { config, lock } = pruneConfiguration(configText, await Deno.readTextFile(join(root, "deno.lock")), packages);
  const listed = new Map<string, string>();
  const entries = [textEntry("toolkit/deno.json", config), textEntry("toolkit/deno.lock", lock), ...toolkit];
  for (const { id, folder } of packages) {
    const at = id.indexOf("@", 1);
    const name = id.slice(0, at);
    // Deno caches packages by origin: the folder above a package's own, which is above its versions.
    const origin = basename([...name.split("/"), "version"].reduce((path) => dirname(path), folder));
    const place = `deno_dir/npm/${origin}/${name}`;
    entries.push(...await folderEntries(`${place}/${id.slice(at + 1).split("_")[0]}`, folder));
    // Without the registry's metadata of a package, Deno would request it again and wait.
    const said = join(folder, "..", "registry.json");
    if (await isFile(said)) listed.set(`${place}/registry.json`, said);
  }
  for (const [path, said] of listed) entries.push(await fileEntry(path, said));
  return entries;
}

function textEntry(path: string, text: string, executable = false): TarEntry {
  const bytes = new TextEncoder().encode(text);
  return { path, bytes: bytes.length, executable, open: () => ReadableStream.from([bytes]) };
}

async function fileEntry(path: string, file: string, executable = false): Promise<TarEntry> {
  const { size } = await Deno.stat(file);
  const open = async function* () {
    yield* (await Deno.open(file)).readable;
  };
  return { path, bytes: size, executable, open };
}

/** Reads small files now; later changes do not matter. */
async function hold(entries: readonly TarEntry[]): Promise<TarEntry[]> {
  const held: TarEntry[] = [];
  for (const entry of entries) {
    const chunks = await Array.fromAsync(entry.open());
    held.push({
      ...entry,
      bytes: chunks.reduce((sum, { length }) => sum + length, 0),
      open: () => ReadableStream.from(chunks),
    });
  }
  return held;
}

/** Every file of a folder, or the one file, sorted by name, without names that begin with a dot. */
async function folderEntries(path: string, folder: string): Promise<TarEntry[]> {
  if (await isFile(folder)) return [await fileEntry(path, folder)];
  const entries: TarEntry[] = [];
  const names = await Array.fromAsync(Deno.readDir(folder));
  for (const { name, isDirectory, isFile } of names.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (name.startsWith(".")) continue;
    if (isDirectory) entries.push(...await folderEntries(`${path}/${name}`, join(folder, name)));
    else if (isFile) entries.push(await fileEntry(`${path}/${name}`, join(folder, name)));
  }
  return entries;
}
