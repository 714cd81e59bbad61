/** Whether a closed terminal may end the program. */

const SIGHUP = 1;
/** Handlers that `signal` takes and returns: the usual action, and none. */
const DEFAULT = 0n;
const IGNORE = 1n;

const LIBRARIES: Partial<Record<typeof Deno.build.os, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};
const SYMBOLS = { signal: { parameters: ["i32", "usize"], result: "usize" } } as const;

/**
 * Whether the program is to end, and to remove what it began, when its terminal closes (SIGHUP). A listener would also
 * undo `nohup`, which starts programs with that signal ignored. Only the C library can tell: where it cannot be called
 * nothing listens, and the signal does what it did before.
 *
 * Call it before anything listens to the signal.
 */
export function endsOnHangup(): boolean {
  const path = LIBRARIES[Deno.build.os];
  if (path === undefined || Deno.permissions.querySync({ name: "ffi", path }).state !== "granted") return false;
  let library: Deno.DynamicLibrary<typeof SYMBOLS>;
  try {
    library = Deno.dlopen(path, SYMBOLS);
  } catch {
    // Another C library.
    return false;
  }
  try {
    const before = BigInt(library.symbols.signal(SIGHUP, IGNORE));
    library.symbols.signal(SIGHUP, before === IGNORE ? IGNORE : DEFAULT);
    return before === DEFAULT;
  } finally {
    library.close();
  }
}

/** What a hangup does: it ends the program, unless a command replaces that. */
export class Hangup {
  #act: () => void;
  #isHeard = false;
  readonly #hear = () => this.#act();

  constructor(end: () => void) {
    this.#act = end;
  }

  listen(): void {
    if (this.#isHeard || Deno.build.os === "windows") return;
    this.#isHeard = true;
    Deno.addSignalListener("SIGHUP", this.#hear);
  }

  /** Replaces what it does, also where it was ignored before. A terminal that closes still ends the program. */
  means(act: () => void): void {
    const end = this.#act;
    const hadTerminal = Deno.stdin.isTerminal();
    this.#act = () => hadTerminal && !Deno.stdin.isTerminal() ? end() : act();
    this.listen();
  }

  close(): void {
    if (this.#isHeard) Deno.removeSignalListener("SIGHUP", this.#hear);
    this.#isHeard = false;
  }
}
