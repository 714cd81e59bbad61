/** Scripts for shells: complete in content, and asked in the shells themselves where these are installed. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../../src/cli/_commands.ts";
import { bashCompletions } from "../../../src/cli/completions/bash.ts";
import { completionWords, firstWords } from "../../../src/cli/completions/completion_words.ts";
import { fishCompletions } from "../../../src/cli/completions/fish.ts";
import { zshCompletions } from "../../../src/cli/completions/zsh.ts";
import { runCli } from "../../_cli.ts";
import { testWithPrograms } from "../../_needs.ts";

const WORDS = completionWords(await Promise.all([...COMMANDS.values()].map((entry) => entry.load())));

Deno.test("completions writes the script of a shell, and refuses other names", async () => {
  const bash = await runCli(["completions", "bash"]);
  assertEquals([bash.code, bash.stdout, bash.stderr], [0, bashCompletions(WORDS), ""]);
  const wrong = await runCli(["completions", "fisch"]);
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertStringIncludes(wrong.stderr, "did you mean fish?");
});

Deno.test("every script names every command and option", async (t) => {
  for (const [shell, write] of Object.entries({ bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions })) {
    await t.step(shell, () => {
      const script = write(WORDS);
      for (const { name, options } of WORDS) {
        assertStringIncludes(script, name);
        for (const { long } of options) assertStringIncludes(script, shell === "fish" ? `-l ${long} ` : `--${long}`);
      }
    });
  }
});

/** What bash would complete at the end of a line; a blank at its end begins a new word. */
async function complete(lines: readonly string[], folder: string): Promise<string[][]> {
  // Bash splits a line at equals signs too.
  const asked = lines.map((line) => line.replaceAll("=", " = ").split(/ +/).map((word) => `'${word}'`));
  const script = [
    bashCompletions(WORDS),
    ...asked.map((words) =>
      `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _seqreg; echo "\${COMPREPLY[@]/%/;}"`
    ),
  ].join("\n");
  const { stdout, stderr } = await new Deno.Command("bash", { args: ["--norc", "-c", script], cwd: folder }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).replace(/\n$/, "").split("\n").map((line) =>
    line.split(";").map((word) => word.trim()).filter((word) => word !== "").sort()
  );
}

testWithPrograms(["bash"], "bash completes commands, options, values and paths", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/two words`);
  await Deno.writeTextFile(`${folder}/reads.fasta`, "");
  const archives = WORDS.find(({ name }) => name === "dataset")!.operandKind;
  const lines: Record<string, string[]> = {
    "seqreg ": [...firstWords(WORDS).map(({ name }) => name), "--help", "--version"].sort(),
    "seqreg sea": ["search"],
    "seqreg help do": ["docs", "doctor", "download"],
    "seqreg fasta st": ["stats"],
    "seqreg kernel ": ["--help", "install", "remove"],
    "seqreg lake v": ["verify"],
    "seqreg lake r": ["reads.fasta"],
    "seqreg lake verify ": ["two words"],
    "seqreg search --page": ["--page", "--page-size"],
    "seqreg search --format js": ["json", "jsonl"],
    "seqreg search --format=js": ["json", "jsonl"],
    "seqreg search --format=": ["csv", "json", "jsonl", "parquet", "table", "tsv"],
    "seqreg search country:Kenya --order ": ["asc", "desc"],
    "seqreg search --limit ": [],
    "seqreg search -o re": ["reads.fasta"],
    "seqreg search --out": ["--output"],
    "seqreg fasta stats re": ["reads.fasta"],
    "seqreg fasta stats --he": ["--help"],
    "seqreg mirror -o t": ["two words"],
    "seqreg completions ": ["bash", "fish", "zsh"],
    "seqreg dataset unique_seqs_m": archives.kind === "choice"
      ? archives.choices.filter((name) => name.startsWith("unique_seqs_m"))
      : [],
    "seqreg nothing ": [],
  };
  try {
    const completed = await complete(Object.keys(lines), folder);
    assertEquals(Object.fromEntries(Object.keys(lines).map((line, index) => [line, completed[index]])), lines);
    assert(completed.some((words) => words.includes("unique_seqs_metadata")));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

testWithPrograms(["fish"], "fish completes commands, options, values and paths", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/seqreg.fish`, fishCompletions(WORDS));
  const lines: Record<string, string[]> = {
    "seqreg sea": ["search"],
    "seqreg search --format js": ["json", "jsonl"],
    "seqreg fasta st": ["stats"],
    "seqreg fasta stats se": ["seqreg.fish"],
    "seqreg search --ord": ["--order"],
    "seqreg completions ": ["bash", "fish", "zsh"],
  };
  try {
    const script = Object.keys(lines).map((line) => `complete -C '${line}'; echo =`).join("; ");
    const { stdout } = await new Deno.Command("fish", {
      args: ["--no-config", "-c", `source seqreg.fish; ${script}`],
      cwd: folder,
      env: { HOME: folder },
    }).output();
    const completed = new TextDecoder().decode(stdout).split("=\n").map((answer) =>
      answer.split("\n").map((line) => line.split("\t")[0]).filter((word) => word !== "")
    );
    assertEquals(Object.fromEntries(Object.keys(lines).map((line, index) => [line, completed[index]])), lines);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (const [shell, script] of [["zsh", zshCompletions(WORDS)], ["fish", fishCompletions(WORDS)]]) {
  testWithPrograms([shell], `${shell} parses its script`, async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, script);
    const { success, stderr } = await new Deno.Command(shell, { args: ["-n", file] }).output();
    await Deno.remove(file);
    assert(success, new TextDecoder().decode(stderr));
  });
}
