/**
 * What `%time`, `%sh` and `%who` do, inside the real kernel.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
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
  const end = (value: unknown): unknown => {
    stop();
    return value;
  };
  const clear = () => {
    begun = undefined;
  };

  /** Processes with the one that started each. */
  const processes = async (): Promise<readonly (readonly [id: number, parent: number])[]> => {
    if (Deno.build.os !== "linux") {
      const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,ppid="] }).output();
      return new TextDecoder().decode(stdout).trim().split("\n").map((line) => {
        const [id, parent] = line.trim().split(/\s+/, 2).map(Number);
        return [id, parent] as const;
      });
    }
    // `ps` is not in every container.
    return [...Deno.readDirSync("/proc")].filter(({ name }) => /^[0-9]+$/.test(name)).flatMap(({ name }) => {
      try {
        const stat = Deno.readTextFileSync(`/proc/${name}/stat`);
        // The name of the program stands in parentheses, and may hold some.
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 2)[1])] as const];
      } catch {
        return [];
      }
    });
  };
  const send = (id: number, how: "SIGTERM" | "SIGKILL") => {
    try {
      Deno.kill(id, how);
    } catch {
      // It ended before.
    }
  };
  /** Ends a shell and all that it started; the shell first, so that it does not begin its next command. */
  const endAll = async (shell: number) => {
    if (Deno.build.os === "windows") {
      await new Deno.Command("taskkill", { args: ["/T", "/F", "/PID", String(shell)], stdout: "null", stderr: "null" })
        .output();
      return;
    }
    const all = new Set([shell]);
    const known = await processes().catch(() => []);
    for (const started of all) for (const [id, parent] of known) if (parent === started) all.add(id);
    for (const id of all) send(id, "SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (const [id] of await processes().catch(() => [])) if (all.has(id)) send(id, "SIGKILL");
  };

  const sh = async (command: string) => {
    const isWindows = Deno.build.os === "windows";
    const { signal }: AbortController = Reflect.get(globalThis, Symbol.for("seqreg.stop")) ?? new AbortController();
    signal.throwIfAborted();
    // What a command leaves in the background keeps its pipes open: a mark in each is the end of its own output.
    const mark = isWindows ? "" : `\x01${crypto.randomUUID()}`;
    const marked = 'sh -c "$1"; code=$?; printf %s "$2"; printf %s "$2" >&2; exit $code';
    const [shell, ...args] = isWindows ? ["cmd", "/c", command] : ["sh", "-c", marked, "sh", command, mark];
    const child = new Deno.Command(shell, { args, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
    let end = () => {};
    const stopped = new Promise<void>((resolve) => end = resolve);
    const stopAll = () => {
      endAll(child.pid).catch(() => {});
      end();
    };
    signal.addEventListener("abort", stopAll, { once: true });
    const pass = async (stream: ReadableStream<Uint8Array>, name: string, atMark: () => void) => {
      const decoder = new TextDecoder();
      let awaited = mark;
      let held = "";
      // After Stop the rest is read and dropped.
      const printAll = async (text: string) => {
        if (text !== "" && !signal.aborted) await print(text, name);
      };
      for await (const bytes of stream) {
        held += decoder.decode(bytes, { stream: true });
        const at = awaited === "" ? -1 : held.indexOf(awaited);
        if (at >= 0) {
          await printAll(held.slice(0, at));
          held = held.slice(at + awaited.length);
          awaited = "";
          atMark();
        }
        const begun = awaited === "" ? -1 : held.lastIndexOf(awaited[0]);
        const kept = begun >= 0 && awaited.startsWith(held.slice(begun)) ? held.slice(begun) : "";
        await printAll(held.slice(0, held.length - kept.length));
        held = kept;
      }
      await printAll(held);
      atMark();
    };
    const own = (["stdout", "stderr"] as const).map((name) =>
      new Promise<void>((resolve, reject) => {
        pass(child[name], name, resolve).catch(reject);
      })
    );
    const ended = Promise.all([Promise.all(own), child.status]).then(([, { code }]) => code);
    const code = await Promise.race([ended, stopped]);
    signal.removeEventListener("abort", stopAll);
    signal.throwIfAborted();
    if (code !== 0) await print(`exit code ${code}\n`, "stderr");
  };

  const who = async (names: Readonly<Record<string, () => unknown>>) => {
    const rows: string[][] = [];
    for (const [name, read] of Object.entries(names)) {
      try {
        const value = read();
        const made: unknown = typeof value === "object" && value !== null
          ? Object.getPrototypeOf(value)?.constructor?.name
          : "";
        // A class may have a static member `name` that is not a string.
        const type = value === null ? "null" : typeof made === "string" && made !== "" ? made : typeof value;
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
  const value = Object.freeze({ start, stop, end, clear, sh, who, unknown });
  Object.defineProperty(globalThis, name, { value });
}
