/** Imports that are damaged after they were made. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { flipImports } from "../../../checks/_flips.ts";
import { makeArchives } from "../_archives.ts";
import { allValues, importsIn, ROWS } from "../_imports.ts";

Deno.test("flipped bits of an import change no answer: the archives are imported again, with a warning", async () => {
  // `tests/checks/flips.ts` flips two hundred.
  const { noticed, harmless } = await flipImports(3, 7);

  assertEquals(noticed + harmless, 3);
  assert(noticed >= 2, `${noticed} noticed, ${harmless} harmless`);
});

Deno.test("every file of an import may be damaged, when it is opened or while it is read", async (t) => {
  // The others are read whole when the import is opened.
  const readLater = ["index/index.bin", "records.rows"];
  for (const file of [...readLater, "import.json", "index/index.json", "records.blocks"]) {
    for (const isOpen of readLater.includes(file) ? [false, true] : [false]) {
      await t.step(`${file}, ${isOpen ? "while it is read" : "before it is opened"}`, async () => {
        await using world = await makeArchives(ROWS);
        const warnings: string[] = [];
        const onWarning = (warning: string) => void warnings.push(warning);
        const open = () => openStore(world.folder, { cacheFolder: world.cacheFolder, onWarning });
        const damage = async () => {
          const [name] = await importsIn(world.cacheFolder);
          const path = join(world.cacheFolder, "service", name, file);
          const bytes = await Deno.readFile(path);
          bytes[bytes.length >> 1] ^= 2;
          await Deno.writeFile(path, bytes);
        };
        await (await open())[Symbol.asyncDispose]();
        if (!isOpen) await damage();
        await using store = await open();
        if (isOpen) await damage();
        const values = await allValues(store);
        const { records, total } = await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 5 });

        assertEquals([values.length, total, records.map(({ values }) => values[1])], [3, 2, ["Kenya", "Kenya"]]);
        assert(warnings.some((warning) => warning.includes("made again from the archives")), file);
        assert(store.warnings.some((warning) => warning.includes("made again from the archives")));
      });
    }
  }
});
