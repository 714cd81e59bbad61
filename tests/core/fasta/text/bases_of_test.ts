import { assertEquals, assertThrows } from "@std/assert";
import { alignGenomes, exchangeSketch } from "../../../../src/alike/mod.ts";
import { basesOf } from "../../../../src/core/fasta/text/bases_of.ts";
import { sequenceDigests } from "../../../../src/core/fasta/mod.ts";

Deno.test("bases are text or bytes, and a whole record or a list is refused instead of having none", async (t) => {
  assertEquals(basesOf("f()", "sequence", "AC"), basesOf("f()", "sequence", new Uint8Array([65, 67])));
  const functions: Record<string, [name: string, run: (sequence: never) => unknown]> = {
    "sequenceDigests()": ["sequence", sequenceDigests],
    "exchangeSketch()": ["sequence", exchangeSketch],
    "alignGenomes()": ["record", (sequence) => alignGenomes("ACGT", sequence)],
  };
  for (const [caller, [name, run]] of Object.entries(functions)) {
    await t.step(caller, () => {
      for (const value of [{ id: "a", sequence: "AC" }, ["AC"], new ArrayBuffer(2), 5, null, undefined]) {
        assertThrows(() => run(value as never), TypeError, `argument "${name}" of ${caller}`);
      }
    });
  }
});

Deno.test("line ends and other white space among bases count nowhere", () => {
  const genome = Array.from({ length: 4000 }, (_, i) => "ACGT"[i * i * i % 2003 % 4]).join("");
  const lines = genome.replace(/.{60}/g, "$&\r\n").replace(/^..../, "\t$& \v\f");
  const { ani, aligned, alignedFraction } = alignGenomes(lines, genome);
  assertEquals([ani, aligned, alignedFraction], [1, 4000, 1]);
  assertEquals(exchangeSketch(lines), exchangeSketch(genome));
  assertEquals(sequenceDigests(lines), sequenceDigests(genome));
  assertEquals(sequenceDigests(new TextEncoder().encode(lines)), sequenceDigests(genome.toLowerCase()));
});
