/**
 * The wheels of the platforms that are not run here: built, and read. Each is for its platform alone, and pip would
 * install it there with the wheel of Deno.
 *
 * It needs Python, PyPI and npm's registry: `deno test --allow-all tests/checks/packages/platforms.ts`, all platforms
 * unless `SEQREG_PLATFORMS` names some.
 */
import { assert, assertEquals } from "@std/assert";
import { type Platform, PLATFORMS } from "../../../tools/packages/toolkit/platforms.ts";
import { fromFileUrl, inFolder } from "../../_files.ts";
import { must, ROOT } from "./_installed.ts";

const MB = 1e6;
const MAX_WHEEL_BYTES = 100 * MB;
const MAX_INSTALLED_BYTES = 350 * MB;
/** Windows has 260 characters for a path unless it is configured otherwise; a virtual environment needs some. */
const MAX_PATH_CHARACTERS = 150;
/** What Windows takes in no name, and names that it takes for devices. */
const REFUSED_BY_WINDOWS = /[<>:"|?*\\]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.[^/]*)?(\/|$)/i;

/** Native libraries: polars, DuckDB (its binding and its library), resvg. */
const LIBRARIES = 4;

interface WheelContent {
  readonly damaged: string | null;
  readonly unrecorded: readonly string[];
  readonly wrong: readonly string[];
  readonly files: Readonly<Record<string, number>>;
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly libraries: Readonly<Record<string, string>>;
}

/** For which system and processors a library is, by its header: ELF, Mach-O (for one or several) or PE. */
function madeFor(hex: string): string[] {
  const bytes = Uint8Array.fromHex(hex);
  const view = new DataView(bytes.buffer);
  const cpus: Readonly<Record<number, string>> = {
    [0x3e]: "x64", // ELF
    [0xb7]: "arm64",
    [0x0100_0007]: "x64", // Mach-O
    [0x0100_000c]: "arm64",
    [0x8664]: "x64", // PE
    [0xaa64]: "arm64",
  };
  if (view.getUint32(0) === 0x7f45_4c46) return [`linux ${cpus[view.getUint16(18, true)]}`];
  if (view.getUint32(0, true) === 0xfeed_facf) return [`darwin ${cpus[view.getUint32(4, true)]}`];
  if (view.getUint32(0) === 0xcafe_babe) {
    const count = view.getUint32(4);
    return Array.from({ length: count }, (_, index) => `darwin ${cpus[view.getUint32(8 + 20 * index)]}`);
  }
  if (view.getUint16(0) === 0x4d5a) return [`win32 ${cpus[view.getUint16(view.getUint32(0x3c, true) + 4, true)]}`];
  return ["unknown"];
}

const own = PLATFORMS.find(({ os, cpu }) =>
  os === Deno.build.os && cpu === (Deno.build.arch === "aarch64" ? "arm64" : "x64")
);
/** All but our own, or those that are named. */
const names = Deno.env.get("SEQREG_PLATFORMS")?.split(",");
for (const platform of PLATFORMS.filter(({ name }) => name !== own?.name && (names?.includes(name) ?? true))) {
  Deno.test(`the wheel for ${platform.name} is built, for that platform alone`, () => checkWheel(platform));
}

async function checkWheel({ name, os, cpu, tag }: Platform): Promise<void> {
  const { stdout } = await must([Deno.execPath(), "task", "--quiet", "wheel", "--platform", name], { cwd: ROOT });
  const path = stdout.trim();
  assert(path.endsWith(`-py3-none-${tag}.whl`), path);
  const { size } = await Deno.stat(path);
  const script = fromFileUrl(new URL("_wheel_content.py", import.meta.url));
  const content: WheelContent = JSON.parse((await must(["python3", script, path])).stdout);
  const paths = Object.keys(content.files);
  const installed = Object.values(content.files).reduce((sum, bytes) => sum + bytes, 0);
  console.log(
    `${name}: wheel ${(size / MB).toFixed(1)} MB, installed ${
      (installed / MB).toFixed(1)
    } MB, ${paths.length} files, ` +
      `longest path ${Math.max(...paths.map(({ length }) => length))} characters`,
  );
  assert(size <= MAX_WHEEL_BYTES && installed <= MAX_INSTALLED_BYTES);
  assertEquals([content.damaged, content.unrecorded, content.wrong], [null, [], []]);
  assertEquals([content.tags, content.requires], [[`py3-none-${tag}`], ["deno==2.9.6"]]);

  const libraries = Object.entries(content.libraries);
  assertEquals(
    libraries.filter(([, header]) => !madeFor(header).includes(`${os} ${cpu}`)).map(([path, header]) => [
      path,
      madeFor(header),
    ]),
    [],
  );
  assertEquals(libraries.length, LIBRARIES, libraries.map(([path]) => path).join("\n"));

  assertEquals(paths.filter((path) => REFUSED_BY_WINDOWS.test(path)), []);
  assertEquals(paths.filter(({ length }) => length > MAX_PATH_CHARACTERS), []);
  // Windows and macOS do not tell names apart by case.
  assertEquals(new Set(paths.map((path) => path.toLowerCase())).size, paths.length);

  const dist = path.slice(0, path.lastIndexOf("/"));
  await inFolder(async (target) => {
    const from = ["--no-index", "--find-links", dist, "--only-binary=:all:", "--platform", tag];
    await must(["python3", "-m", "pip", "install", "--dry-run", "--target", target, ...from, "seqreg-toolkit"]);
  });
}
