import { assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { familyMembers, makeFamilies } from "../../../src/embedded/sample/mod.ts";
import { readFasta } from "../../../src/core/fasta/mod.ts";
import { inFolder } from "../../_files.ts";

Deno.test("makeFamilies() writes the records and what is known of them, or nothing", async () => {
  await inFolder(async (folder) => {
    const options = { families: 4, members: 5, seed: 3 };
    const { records, bases } = await makeFamilies(`${folder}/set`, options);
    const members = [...familyMembers(options)];
    const written = await Array.fromAsync(
      readFasta(`${folder}/set/families.fasta`),
      ({ id, sequence }) => [id, sequence],
    );
    assertEquals(written, members.map(({ id, sequence }) => [id, new TextDecoder().decode(sequence)]));
    assertEquals([records, bases], [members.length, members.reduce((sum, { sequence }) => sum + sequence.length, 0)]);
    const [header, first] = (await Deno.readTextFile(`${folder}/set/families.tsv`)).split("\n");
    assertEquals(header, "id\tfamily\tkinds\tidentity\tstart\tend\town_bases\tappended\tlength");
    assertEquals(first.startsWith("f00001m01\t1\tancestor\t1.000000\t0\t"), true);
    await assertRejects(() => makeFamilies(`${folder}/set`, options), RegistryError, "holds files already");
    const signal = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => makeFamilies(`${folder}/other`, { ...options, signal }), Error, "enough");
    assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["set"]);
  });
});
