/** The ledgers of what is read part by part: nothing that was not read to its end is complete. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Ledger } from "../../../src/core/contract/ledger.ts";
import { readFasta } from "../../../src/core/fasta/mod.ts";
import { Registry } from "../../../src/core/registry/registry.ts";
import { fastaFrames } from "../../../src/core/tables/from/from_fasta.ts";

const FASTA = new TextEncoder().encode(">a\nACGT\n>b\nAC\n>c\nA\n");
const FORM = { information: "sequences", fileType: "fasta" } as const;

const brief = ({ complete, received, missing, promised, entries }: Ledger) => [
  complete,
  received,
  missing,
  promised,
  entries.filter(({ level }) => level === "reason").map(({ code, text }) => `${code}: ${text}`),
];
const unfinished = (read: number, promised: number | null = null) => [
  false,
  read,
  [],
  promised,
  [`unfinished: not read to its end: ${read} record${read === 1 ? "" : "s"} so far`],
];
const finished = (read: number, promised: number | null = null) => [true, read, [], promised, []];

async function takeOne(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts) break;
}

Deno.test("a search whose pages are not read to their end is unfinished", async () => {
  await using registry = await Registry.open("zika");
  const find = () => registry.searchAll("*", { pageSize: 5 });
  const unread = find();
  assertEquals(brief(unread.ledger()), unfinished(0));
  const { total } = await unread.plan();
  assertEquals(brief(unread.ledger()), unfinished(0, total));

  const typed = find();
  await takeOne(typed);
  assertEquals(brief(typed.ledger()), unfinished(5, total));

  const pages = find();
  await takeOne(pages.pages());
  assertEquals(brief(pages.ledger()), unfinished(5, total));

  const whole = find();
  for await (const _ of whole.pages());
  assertEquals(brief(whole.ledger()), unfinished(total, total));
  for await (const _ of whole.rest());
  assertEquals(brief(whole.ledger()), finished(total, total));
});

Deno.test("an export is unfinished before it is read, and when it is stopped or aborted", async () => {
  await using registry = await Registry.open("zika");
  const { accessions } = await registry.accessions({ query: "*" });
  for (const selection of [{ query: "*" }, { ids: accessions }]) {
    const stop = new AbortController();
    const run = await registry.download(selection, { ...FORM, signal: stop.signal });
    assertEquals(brief(run.ledger()), unfinished(0));
    await assertRejects(
      async () => {
        for await (const _ of run.bytes()) stop.abort(new Error("stopped"));
      },
      Error,
      "stopped",
    );
    assertEquals(brief(run.ledger()), unfinished(run.ledger().received));

    const broken = await registry.download(selection, FORM);
    await takeOne(broken.bytes());
    assertEquals(brief(broken.ledger()), unfinished(broken.ledger().received));

    const whole = await registry.download(selection, FORM);
    for await (const _ of whole.bytes());
    assertEquals(brief(whole.ledger()), finished(accessions.length));
  }
});

Deno.test("records and frames of a FASTA are unfinished before they are read to their end", async () => {
  const records = readFasta(FASTA);
  assertEquals(brief(records.ledger), unfinished(0));
  await takeOne(records);
  assertEquals(records.ledger.complete, false);
  const all = readFasta(FASTA);
  for await (const _ of all);
  assertEquals(brief(all.ledger), finished(3));

  const stop = new AbortController();
  const frames = fastaFrames(FASTA, { batchBytes: 1, signal: stop.signal });
  assertEquals(brief(frames.ledger), unfinished(0));
  await assertRejects(async () => {
    for await (using _ of frames) stop.abort(new Error("stopped"));
  }, Error);
  assertEquals(brief(frames.ledger), unfinished(1));
  const read = fastaFrames(FASTA, { batchBytes: 1 });
  for await (using _ of read);
  assertEquals(brief(read.ledger), finished(3));
});
