/** What a record of 500 MB on one line costs in memory. Run by `deno task checks giant`; needs /proc. */
import { assert, assertEquals } from "@std/assert";
import { cliCommand } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

const RECORD_BYTES = 500_000_000;
/** Twice the record, for what writes it as one value; a small part of it for what reads some bases. */
const MOST_KB = { parquet: 1_000_000, get: 150_000 } as const;

/** Bases in no order: they compress to a quarter. */
function bases(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = "ACGT".charCodeAt(state >>> 30);
  }
  return bytes;
}

async function writeGiant(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  const piece = bases(RECORD_BYTES / 500);
  await file.write(new TextEncoder().encode(">giant of one line\n"));
  for (let count = 0; count < 500; count++) {
    for (let at = 0; at < piece.length;) at += await file.write(piece.subarray(at));
  }
  await file.write(Uint8Array.of(10));
}

/** Runs a command; its output, and the most memory that it had, in kB. */
async function measure(args: readonly string[]): Promise<{ readonly stdout: string; readonly peak: number }> {
  const child = cliCommand(args, {}, true).spawn();
  let peak = 0;
  const watch = setInterval(() => {
    try {
      const [, now] = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${child.pid}/status`)) ?? [];
      peak = Math.max(peak, Number(now ?? 0));
    } catch {
      // It has ended.
    }
  }, 5);
  const { code, stdout, stderr } = await child.output();
  clearInterval(watch);
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return { stdout: new TextDecoder().decode(stdout), peak };
}

Deno.test("a record of 500 MB becomes Parquet in twice its memory, and 11 of its bases cost none of it", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/giant.fasta`;
    await writeGiant(path);
    const parquet = await measure(["fasta", "to-parquet", path, "-o", `${folder}/parquet`]);
    assert(parquet.peak > RECORD_BYTES / 1024 && parquet.peak <= MOST_KB.parquet, `to-parquet: ${parquet.peak} kB`);
    for (const flags of [["--no-index"], [], []]) {
      const { stdout, peak } = await measure(["fasta", "get", path, "giant:499,999,990-500,000,009", ...flags]);
      assertEquals(stdout.split("\n")[0], ">giant:499999990-500000000 of one line");
      assertEquals(stdout.split("\n")[1].length, 11);
      assert(peak <= MOST_KB.get, `get: ${peak} kB`);
    }
  });
});
