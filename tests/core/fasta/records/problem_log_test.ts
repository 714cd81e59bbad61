import { assertEquals } from "@std/assert";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { block, joined } from "../_blocks.ts";
import { bytesOf } from "../_naive.ts";
import { ProblemLog } from "../../../../src/core/fasta/records/_problem_log.ts";

Deno.test("the ledger of a FASTA file without records is complete and warns of nothing", async () => {
  const reader = readFasta(bytesOf(";fields=acc\n"));
  assertEquals(reader.ledger.warnings, [], "before anything is read");
  assertEquals(await Array.fromAsync(reader), []);
  const { complete, received, warnings, reasons } = reader.ledger;
  assertEquals({ complete, received, warnings, reasons }, { complete: true, received: 0, warnings: [], reasons: [] });
});

Deno.test("the ledger names twenty records of each problem and counts the others, however many problems are kept", async () => {
  const text = Array.from({ length: 30 }, (_, index) => `>r${index}\nA!C\n`).join("");
  for (const maxProblems of [0, 25, 100]) {
    const reader = readFasta(bytesOf(text), { maxProblems });
    assertEquals((await Array.fromAsync(reader)).length, 30);
    assertEquals(reader.problems.length, Math.min(30, maxProblems));
    const warning = reader.ledger.warnings.join();
    assertEquals([warning.includes("r19 (line 40) and 10 more"), warning.includes("r20")], [true, false], warning);
  }
});

Deno.test("the ledger of a FASTA file has a code for each kind of problem", async () => {
  const bad = [
    ...bytesOf(";fields=acc\n>\nA\n>a\nA\n>a\nA!\n>b\n;comment\n>c"),
    0xe9,
    ...bytesOf("\nA\n>d\r \nA\n>e|f\nA\n"),
  ];
  const reader = readFasta(Uint8Array.from(bad));
  await Array.fromAsync(reader);
  const log = new ProblemLog("a.fasta", 10, false);
  log.isBlind = true;
  log.isCut = true;
  log.isRead = true;

  assertEquals(reader.ledger.entries.map(({ code, level }) => `${level} ${code}`), [
    "reason value-count",
    "reason unreadable",
    "warning id-empty",
    "warning duplicates",
    "warning sequence-empty",
    "warning bases-unexpected",
    "warning header-encoding",
    "warning header-line-break",
    "warning comments-skipped",
  ]);
  assertEquals(log.ledger().entries.map(({ code }) => code), ["duplicates-uncounted", "bgzf-end-absent"]);
});

Deno.test("a header with too few or too many values is described by both numbers", async () => {
  const reader = readFasta(bytesOf(";fields=acc|Host\n>v\nA\n>v|a|b\nA\n"));
  await Array.fromAsync(reader);
  const [few, many] = reader.problems.map(({ reason }) => reason);
  assertEquals(few, "the header holds 1 values, ;fields= names 2");
  assertEquals(many, 'the header holds 3 values, ;fields= names 2; a value may hold a raw "|"');
});

Deno.test("a character that does not belong in a sequence is reported with its position, as it is or by its code", async () => {
  const reader = readFasta(Uint8Array.of(...bytesOf(">a\nA~\n>b\nC"), 0x7f, 10, 0x3e, 0x63, 10, 0x1f));
  await Array.fromAsync(reader);
  const place = { field: "sequence", kept: true };
  assertEquals(reader.problems, [
    { ...place, id: "a", line: 2, byte: 4, value: "~", reason: '"~" is not a sequence character' },
    { ...place, id: "b", line: 4, byte: 10, value: "0x7f", reason: "the byte 0x7f is not a sequence character" },
    { ...place, id: "c", line: 6, byte: 15, value: "0x1f", reason: "the byte 0x1f is not a sequence character" },
  ]);
});

Deno.test("comments are counted and named by their lines, thousands of them before the first record is reached", async () => {
  const reader = readFasta(bytesOf(`${";c\n".repeat(5000)}>a\nA\n`));
  await reader.head();
  // What waits for its rows is bounded: the others are in the log already.
  assertEquals(reader.problemCount > 4000, true);
  await Array.fromAsync(reader);
  const [warning] = reader.ledger.warnings;
  assertEquals(
    [reader.problemCount, warning.startsWith("5000 comment lines skipped: line 1, line 2")],
    [5000, true],
    warning,
  );
});

Deno.test("the ledger warns of BGZF without its end block", async () => {
  const parts = [block(bytesOf(">a\nAC")), block(bytesOf("GT\n"))];
  for (const [ends, expected] of [[[block(new Uint8Array(0))], []], [[], ["it may have been cut short"]]] as const) {
    const reader = readFasta(joined([...parts, ...ends]));
    assertEquals((await Array.fromAsync(reader)).map(({ sequence }) => sequence), ["ACGT"]);
    const { warnings } = reader.ledger;
    assertEquals(warnings.length, expected.length);
    for (const [index, words] of expected.entries()) assertEquals(warnings[index].includes(words), true);
  }
});

Deno.test("a header outside ASCII is a problem only where it is not UTF-8", async () => {
  const reader = readFasta(Uint8Array.of(...bytesOf(">é 日本\nA\n"), 0x3e, 0x62, 0xe9, 0x0a, 0x41, 0x0a));
  assertEquals((await Array.fromAsync(reader)).map(({ header }) => header), ["é 日本", "b\uFFFD"]);
  assertEquals(reader.problems.map(({ line, reason }) => [line, reason.includes("not UTF-8")]), [[3, true]]);
});
