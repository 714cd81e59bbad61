/**
 * What `%time`, `%sh` and `%who` do, inside the real kernel.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 *
 * @module
 */

/** Installs the commands under a name. */
export function installCommands(name: string): void {
  const api = Reflect.get(Deno, "jupyter");
  // Private to Deno, as in `notebook/kernel_internals.ts`: `tests/jupyter/kernel/kernel_test.ts` fails when it changes.
  const internal = Reflect.get(Reflect.get(Deno, Reflect.get(Deno, "internal")) ?? {}, "jupyter");
  const print = (text: string, name = "stdout"): Promise<void> => api.broadcast("stream", { name, text });

  const process = Reflect.get(globalThis, "process");
  let begun: { readonly at: number; readonly cpu: number } | undefined;
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const inWords = (timeMs: number): string =>
    timeMs < 1000 ? `${Number(timeMs.toPrecision(3))} ms` : `${(timeMs / 1000).toFixed(2)} s`;
  const start = () => {
    begun = { cpu: cpuMs(), at: performance.now() };
  };
  const stop = () => {
    if (begun === undefined) return;
    const timeMs = performance.now() - begun.at;
    const usedMs = cpuMs() - begun.cpu;
    begun = undefined;
    // As the cell prints itself, so that it stands behind what the cell printed.
    console.log(`time: ${inWords(timeMs)} (CPU ${inWords(usedMs)})`);
  };
  const clear = () => {
    begun = undefined;
  };

  const sh = async (command: string) => {
    const [shell, flag] = Deno.build.os === "windows" ? ["cmd", "/c"] : ["sh", "-c"];
    const child = new Deno.Command(shell, { args: [flag, command], stdin: "null", stdout: "piped", stderr: "piped" })
      .spawn();
    const { signal }: AbortController = Reflect.get(globalThis, Symbol.for("seqreg.stop")) ?? new AbortController();
    const end = () => {
      try {
        child.kill("SIGTERM");
      } catch {
        // It ended before.
      }
    };
    signal.addEventListener("abort", end);
    const pass = async (stream: ReadableStream<Uint8Array>, name: string) => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) await print(decoder.decode(bytes, { stream: true }), name);
    };
    await Promise.all([pass(child.stdout, "stdout"), pass(child.stderr, "stderr")]);
    const { code } = await child.status;
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
    if (code !== 0) await print(`exit code ${code}\n`, "stderr");
  };

  const who = async (names: Readonly<Record<string, () => unknown>>) => {
    const rows: string[][] = [];
    for (const [name, read] of Object.entries(names)) {
      try {
        const value = read();
        const made = typeof value === "object" && value !== null ? Object.getPrototypeOf(value)?.constructor?.name : "";
        const type = value === null ? "null" : made || typeof value;
        const size = typeof value === "object" && value !== null
          ? Reflect.get(value, "length") ?? Reflect.get(value, "size")
          : undefined;
        const isShort = typeof value !== "object" && typeof value !== "function";
        const shown = isShort ? Deno.inspect(value, { colors: false, strAbbreviateSize: 50 }) : "";
        rows.push([name, type, typeof size === "number" ? `${size} long` : shown]);
      } catch {
        // Its cell has not come so far.
      }
    }
    if (rows.length === 0) return await print("no names of your own yet\n");
    const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
    await print(
      rows.map(([name, type, shown]) =>
        `${name.padEnd(widths[0])}  ${type.padEnd(widths[1])}  ${shown.replaceAll("\n", " ")}`.trimEnd()
      ).join("\n") + "\n",
    );
  };

  // A cell's time ends where its value is reported.
  const report = internal?.broadcastResult;
  if (typeof report === "function") {
    internal.broadcastResult = async (...values: unknown[]) => {
      stop();
      return await Reflect.apply(report, internal, values);
    };
  }
  /** The error of a command that does not exist, as if the cell had made it. */
  const unknown = (message: string): SyntaxError => {
    const error = new SyntaxError(message);
    Error.captureStackTrace(error, unknown);
    return error;
  };
  const value = Object.freeze({ start, stop, clear, sh, who, unknown });
  Object.defineProperty(globalThis, name, { value });
}
