/**
 * The environment of the program: its standard streams, environment variables and interrupt.
 *
 * The process is one host. A test that runs many command lines in one process provides its own.
 */
import { allowedEnv } from "@seqreg/core/options/allowed_env";
import { Stdout } from "./output.ts";

/** Streams, environment and interrupt of one run of the program. */
export interface ProgramHost {
  /** Standard output; flushed once, before the exit code is returned. */
  readonly stdout: HostOutput;
  /** Whether standard error is a terminal, on which progress may be drawn. */
  readonly isTerminal: boolean;
  /** Ends the run with exit code 130. */
  readonly signal: AbortSignal;
  /** Calls this at SIGHUP from now on, instead of ending the run; absent where there are no signals. */
  readonly onHangup?: (act: () => void) => void;
  /** Standard input. */
  stdin(): ReadableStream<Uint8Array>;
  /** Writes to standard error; never throws. */
  writeError(text: string): void;
  /** Reads an environment variable; `undefined` if it is not set. */
  env(name: string): string | undefined;
  /** Like {@linkcode ProgramHost.env}; `undefined` also if reading it is not allowed: help needs no permission. */
  allowedEnv(name: string): string | undefined;
}

/** Standard output of a host. */
export interface HostOutput {
  /** Writes all of a text or of bytes. */
  write(content: string | Uint8Array): Promise<void>;
  /** Passes on what is buffered. */
  flush(): Promise<void>;
}

const encoder = new TextEncoder();

export function processHost(signal: AbortSignal): ProgramHost {
  return {
    stdout: new Stdout(),
    get isTerminal() {
      return Deno.stderr.isTerminal();
    },
    signal,
    stdin: () => Deno.stdin.readable,
    writeError(text) {
      try {
        Deno.stderr.writeSync(encoder.encode(text));
      } catch {
        // Standard error is closed: the message cannot be printed.
      }
    },
    env: (variable) => Deno.env.get(variable),
    allowedEnv,
  };
}
