import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { Flags } from "../../../src/cli/arguments/flags.ts";
import type { CommandContext } from "../../../src/cli/support/command.ts";
import { withOutput } from "../../../src/cli/support/output.ts";
import { gunzipSync } from "node:zlib";
import { NEUTRAL } from "../../_cli.ts";
import { NEEDS_LINUX, needsPrograms, testNeeding, testWithPrograms } from "../../_needs.ts";
import { runInProcess } from "../../_program.ts";
import { inFolder } from "../../_files.ts";

/** What a command is given: `--output` and the interrupt; it must not touch anything else. */
function contextOf(path: string, signal: AbortSignal): CommandContext {
  const forbidden = () => {
    throw new Error("not expected to be used");
  };
  return {
    operands: [],
    given: [],
    flags: new Flags({ output: path }),
    stdout: { write: forbidden },
    stdin: forbidden,
    note: forbidden,
    onHangup: forbidden,
    summary: forbidden,
    signal,
    env: forbidden,
  };
}

Deno.test("withOutput() keeps small and large pieces in their order", () =>
  inFolder(async (folder) => {
    const path = join(folder, "result");
    const pieces = Array.from(
      { length: 3000 },
      (_, index) => `${index}:`.padEnd(index % 500 === 0 ? 200_000 : 40, "x"),
    );
    const bytes = new Uint8Array(8);
    await withOutput(contextOf(path, new AbortController().signal), async (output) => {
      for (const piece of pieces) {
        await output.write(piece);
        // Whoever writes bytes uses them again.
        new TextEncoder().encodeInto("ACGTACGT", bytes);
        await output.write(bytes);
        bytes.fill(0);
      }
    });

    assertEquals(await Deno.readTextFile(path), pieces.map((piece) => `${piece}ACGTACGT`).join(""));
  }));

Deno.test("withOutput() leaves what was there when the work is interrupted or fails", async (t) => {
  const faults: Record<string, (stop: AbortController) => void> = {
    "an interrupt": (stop) => stop.abort(new DOMException("interrupted", "AbortError")),
    "a failure": () => {
      throw new Error("the work failed");
    },
  };
  for (const [name, fail] of Object.entries(faults)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        const path = join(folder, "result");
        await Deno.writeTextFile(path, "before");
        const stop = new AbortController();
        await assertRejects(() =>
          withOutput(contextOf(path, stop.signal), async (output) => {
            await output.write("after");
            fail(stop);
          })
        );

        assertEquals(await Deno.readTextFile(path), "before");
        assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, 1);
      }));
  }
});

testNeeding(NEEDS_LINUX, "a full disk behind standard output is reported as a failure", async () => {
  const main = new URL("../../../src/cli/main.ts", import.meta.url).pathname;
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > /dev/full', "sh", Deno.execPath(), "run", "--no-check", "--allow-env", main, "--version"],
    env: NEUTRAL,
  }).output();

  assertEquals(code, 1);
  assertStringIncludes(new TextDecoder().decode(stderr), "seqreg: Cannot write to standard output: ");
});

testWithPrograms(
  ["mkfifo"],
  "withOutput() ends with the interrupt while it waits for the reader of a pipe",
  () =>
    inFolder(async (folder) => {
      const path = join(folder, "pipe");
      await new Deno.Command("mkfifo", { args: [path] }).output();
      const stop = new AbortController();
      const waiting = withOutput(contextOf(path, stop.signal), () => Promise.resolve());
      setTimeout(() => stop.abort(new DOMException("interrupted", "AbortError")), 1);
      await assertRejects(() => waiting, DOMException, "interrupted");
      (await Deno.open(path, { read: true })).close();
    }),
);

testNeeding(
  { ...NEEDS_LINUX, ...needsPrograms("bash", "head") },
  "standard output that is closed is a failure; /dev/null and a closed pipe are not",
  async (t) => {
    const cases: Record<string, [redirection: string, code: number]> = {
      "closed": [">&-", 1],
      "nothing": [">/dev/null", 0],
      "a pipe whose reader leaves": ["| head -c 1 >/dev/null", 0],
    };
    const { pathname } = new URL("../../../src/cli/main.ts", import.meta.url);
    for (const [name, [redirection, code]] of Object.entries(cases)) {
      await t.step(name, async () => {
        const program =
          `'${Deno.execPath()}' run --quiet --no-check --allow-ffi --allow-env --allow-read '${pathname}'`;
        const script = `set -o pipefail; printf '>a\\nACGT\\n' | ${program} fasta stats - ${redirection}`;
        const { code: ended, stderr } = await new Deno.Command("bash", { args: ["-c", script], stderr: "piped" })
          .output();
        const text = new TextDecoder().decode(stderr);
        assertEquals([ended, text.includes("complete")], [code, code === 0], text);
        if (code === 1) assertStringIncludes(text, "standard output: it is closed");
      });
    }
  },
);

testNeeding(
  { ...NEEDS_LINUX, ...needsPrograms("python3") },
  "output that Python discards is not a closed one, though it opens /dev/null for reading and writing",
  async () => {
    const { pathname } = new URL("../../../src/cli/main.ts", import.meta.url);
    const line = [
      Deno.execPath(),
      "run",
      "--quiet",
      "--no-check",
      "--allow-ffi",
      "--allow-env",
      "--allow-read",
      pathname,
    ];
    const program = "import subprocess, sys\n" +
      "print(subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)";
    const { stdout } = await new Deno.Command("python3", { args: ["-c", program, ...line, "--version"] }).output();
    assertEquals(new TextDecoder().decode(stdout), "0\n");
  },
);

Deno.test("--output NAME.gz compresses text, and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  const fasta = `${folder}/a.fasta`;
  await Deno.writeTextFile(fasta, `>a\n${"ACGT".repeat(50_000)}\n`);
  for (const command of [["fasta", "table"], ["fasta", "plain"], ["fasta", "stats"]]) {
    const plain = await runInProcess([...command, fasta]);
    const run = await runInProcess([...command, fasta, "-o", `${folder}/out.gz`]);
    assertEquals([run.code, run.stdout], [0, ""]);
    assertEquals(gunzipSync(await Deno.readFile(`${folder}/out.gz`)).toString(), plain.stdout);
  }
  assertEquals((await runInProcess(["fasta", "stats", fasta, "-o", `${folder}/OUT.TSV.GZ`])).code, 0);
  assertEquals((await Deno.readFile(`${folder}/OUT.TSV.GZ`)).slice(0, 2), new Uint8Array([0x1f, 0x8b]));
  for (const ending of ["zst", "bz2", "xz", "ZIP"]) {
    const { code, stderr } = await runInProcess(["fasta", "stats", fasta, "-o", `${folder}/out.tsv.${ending}`]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, "results are compressed with gzip alone");
  }
  const { code, stderr } = await runInProcess(["fasta", "stats", fasta, "--ledger", `${folder}/ledger.json.gz`]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--ledger writes plain text");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a command with one format writes no file whose name promises another", async (t) => {
  const tables = ["fasta stats", "fasta table", "fasta digest", "fasta composition", "isolates"];
  for (
    const name of [
      ...tables,
      "alike clusters",
      "alike check",
      "fasta plain",
      "fasta get",
      "fasta from-parquet",
      "naming",
    ]
  ) {
    await t.step(name, async () => {
      for (const file of ["a.csv", "a.parquet", "a.jsonl.gz"]) {
        const { code, stdout, stderr } = await runInProcess([...name.split(" "), "absent", "-o", file]);
        assertEquals([code, stdout], [2, ""]);
        assertMatch(stderr, /^seqreg: Cannot write \.\w+ to \S+: the result is (TSV|FASTA|JSON); name it so\n$/);
      }
    });
  }
});

Deno.test("without a command help is an error: on standard error, with exit code 2", async () => {
  for (const args of [[], ["fasta"], ["cache"], ["kernel"]]) {
    const { code, stdout, stderr } = await runInProcess(args);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "Commands:");
  }
  const asked = await runInProcess(["fasta", "--help"]);
  assertEquals([asked.code, asked.stderr], [0, ""]);
});
