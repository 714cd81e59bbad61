/** Distinguishes a closed standard output from /dev/null. */

/** Device of /dev/null on Linux. */
const NULL_DEVICE = 1 << 8 | 3;
/** `fcntl` command that returns the access mode of a file, and the value for reading and writing. */
const F_GETFL = 3;
const O_ACCMODE = 3;
const O_RDWR = 2;
/** Programs that only pass a command line on; npm does so through a shell. */
const LAUNCHER = /^(?:deno|node|seqreg|npm\b.*)$/;
const SHELL = /^(?:ba|da|z|k|mk|a|tc|c|fi)?sh$|^busybox$/;
/** Processes that are looked at, upwards. */
const MAX_ANCESTORS = 8;

const C_LIBRARY = "libc.so.6";
const SYMBOLS = {
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

type Library = Deno.DynamicLibrary<typeof SYMBOLS>;

/**
 * Whether standard output was closed when the program started. The runtime then opens /dev/null for reading and writing
 * instead. A shell opens /dev/null for writing only, but Python and Node.js open it as the runtime does where output is
 * discarded: so output counts as closed only if a shell started the program. Only the C library can tell these apart:
 * without the permission for foreign functions, or elsewhere than on Linux, nothing is known.
 */
export async function isOutputClosed(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.stdout.isTerminal()) return false;
  if (Deno.permissions.querySync({ name: "ffi", path: C_LIBRARY }).state !== "granted") return false;
  let library: Library;
  try {
    library = Deno.dlopen(C_LIBRARY, SYMBOLS);
  } catch {
    // Another C library.
    return false;
  }
  try {
    if ((library.symbols.fcntl(1, F_GETFL) & O_ACCMODE) !== O_RDWR) return false;
    const { fstatSync } = await import("node:fs");
    const info = fstatSync(1);
    return info.isCharacterDevice() && info.rdev === NULL_DEVICE && isStartedByShell(library);
  } finally {
    library.close();
  }
}

function isStartedByShell(library: Library): boolean {
  const names = ancestors(library);
  const caller = names.find((name, at) =>
    !LAUNCHER.test(name) && !(SHELL.test(name) && names[at + 1]?.startsWith("npm"))
  );
  return caller !== undefined && SHELL.test(caller);
}

/** Names of the processes above this one, the nearest first. */
function ancestors(library: Library): string[] {
  const names: string[] = [];
  for (let pid = Deno.ppid; names.length < MAX_ANCESTORS && pid > 1;) {
    // `PID (NAME) STATE PPID …`: the name may hold parentheses.
    const [, name, parent] = /\((.*)\) \S+ (\d+) /s.exec(readStat(pid, library)) ?? [];
    if (name === undefined) break;
    names.push(name);
    pid = Number(parent);
  }
  return names;
}

/** Reads `/proc/PID/stat`, which Deno itself opens only with all permissions. */
function readStat(pid: number, { symbols }: Library): string {
  const file = symbols.open(new TextEncoder().encode(`/proc/${pid}/stat\0`), 0);
  if (file < 0) return "";
  const bytes = new Uint8Array(512);
  const count = Number(symbols.read(file, bytes, BigInt(bytes.length)));
  symbols.close(file);
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, count)));
}
