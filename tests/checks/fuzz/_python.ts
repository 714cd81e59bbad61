/** Asks the oracles that are written in Python; `PYTHON` names the interpreter. */
import { Buffer } from "node:buffer";
import { PYTHON } from "../../_python.ts";

const SCRIPT = new URL("./_oracle.py", import.meta.url).pathname;

/** What an oracle read, or why it refused. */
export type OracleAnswer = { readonly value: unknown } | { readonly error: string };

export interface Oracle extends AsyncDisposable {
  read(kind: "arrow" | "csv" | "gzip" | "fasta" | "index" | "xml", input: Uint8Array): Promise<OracleAnswer>;
}

export function startOracle(): Oracle {
  const child = new Deno.Command(PYTHON, { args: [SCRIPT], stdin: "piped", stdout: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const line = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf("\n");
      if (end !== -1) {
        const text = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return text;
      }
      const { done, value } = await reader.read();
      if (done) throw new Error("the oracle ended");
      rest += value;
    }
  };
  return {
    async read(kind, input) {
      const request = JSON.stringify({ kind, data: Buffer.from(input).toString("base64") });
      await writer.write(new TextEncoder().encode(`${request}\n`));
      return JSON.parse(await line());
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reader.cancel();
      await child.status;
    },
  };
}
