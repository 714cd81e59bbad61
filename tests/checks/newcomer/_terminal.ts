/** A newcomer's terminal: lines run in bash as they are typed, in an empty home, one after the other. */
import { assertEquals } from "@std/assert";

/** What a line printed, and how it ended. */
export interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that a line started and that runs until it is ended. */
export interface Running extends AsyncDisposable {
  /** Waits until it has printed a text, to either stream. */
  untilPrinted(text: RegExp): Promise<RegExpExecArray>;
  /** Presses Ctrl-C and waits for its end. */
  interrupt(): Promise<Typed>;
}

/** Generous: the machine may be loaded. Nothing waits for it to pass. */
const TIMEOUT_MS = 120_000;

/** Working directory and variables are kept from line to line, as a shell keeps them. */
export class Terminal {
  readonly #state: string;
  readonly #env: Readonly<Record<string, string>>;

  /**
   * Opens one.
   *
   * @param folder Where it starts.
   * @param env All variables that it begins with.
   * @param state Path of a file in which it keeps what later lines need.
   */
  constructor(folder: string, env: Readonly<Record<string, string>>, state: string) {
    this.#env = env;
    this.#state = state;
    Deno.writeTextFileSync(state, `cd ${quote(folder)}\n`);
  }

  /** Types a line, whose end must be this exit code. */
  async type(line: string, code = 0): Promise<Typed> {
    const keep = `code=$?; { export -p; printf 'cd %q\\n' "$PWD"; } > ${quote(this.#state)}; exit $code`;
    const output = await this.#bash(`. ${quote(this.#state)}\n${line}\n${keep}`).output();
    const decoder = new TextDecoder();
    const typed = {
      code: output.code,
      stdout: decoder.decode(output.stdout),
      stderr: decoder.decode(output.stderr),
    };
    assertEquals(typed.code, code, `$ ${line}\n${typed.stdout}${typed.stderr}`);
    return typed;
  }

  /** Types a line whose program stays in the foreground. */
  start(line: string): Running {
    const child = this.#bash(`. ${quote(this.#state)}\nexec ${line}`).spawn();
    const printed = { stdout: "", stderr: "" };
    let told = Promise.withResolvers<void>();
    const read = async (name: "stdout" | "stderr") => {
      for await (const text of child[name].pipeThrough(new TextDecoderStream())) {
        printed[name] += text;
        told.resolve();
        told = Promise.withResolvers();
      }
    };
    const ended = Promise.all([read("stdout"), read("stderr"), child.status]).then(([, , { code }]) => code);
    const all = () => printed.stdout + printed.stderr;
    const end = async () => {
      try {
        child.kill("SIGINT");
      } catch {
        // It ended before.
      }
      return { code: await ended, ...printed };
    };
    return {
      async untilPrinted(text) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<"late">((resolve) => timer = setTimeout(() => resolve("late"), TIMEOUT_MS));
        try {
          for (;;) {
            const found = text.exec(all());
            if (found !== null) return found;
            const next = await Promise.race([told.promise, ended, late]);
            if (typeof next === "number" || next === "late") {
              const last = text.exec(all());
              if (last !== null) return last;
              throw new Error(`$ ${line}\n${next === "late" ? "waits" : `ended with ${next}`}\n${all()}`);
            }
          }
        } finally {
          clearTimeout(timer);
        }
      },
      interrupt: end,
      [Symbol.asyncDispose]: async () => void await end(),
    };
  }

  #bash(script: string): Deno.Command {
    return new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-c", script],
      env: { ...this.#env },
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Commands of a page's blocks of shell, one a line, without what a comment says of them. */
export function shellCommands(markdown: string): string[] {
  return [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block.replaceAll("\\\n", "").split("\n").map((line) => line.replace(/ +#.*$/, "").trim()).filter((line) =>
      line !== ""
    )
  );
}

/** What an output says is next, as it can be typed: `created; next: cd a, then seqreg run b.ts, or seqreg lab .` */
export function nextCommands(output: string): string[] {
  const said = /\bnext: (.*)$/m.exec(output)?.[1] ?? "";
  return said.split(/, (?:then|or) /).filter((command) => command !== "");
}
