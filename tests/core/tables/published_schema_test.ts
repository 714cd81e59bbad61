/** The published field definitions of a deployment, through definitions, frames and lakes. */
import { assertEquals } from "@std/assert";
import { SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { buildLake, openLake, tableFromCsv, tableFromDefinitions } from "../../../src/core/tables/mod.ts";
import { testWithRealData } from "../../_needs.ts";
import { assertFramesEqual, bytesOf } from "./_frames.ts";
import { accession, inFolder, writeGzip } from "./_lake_files.ts";

const DTYPES = { string: "String", integer: "Int64", float: "Float64", boolean: "Bool", date: "String" } as const;
/** Values of each type; the last is of none. */
const VALUES = {
  string: ["free text", "007", "N/A"],
  integer: ["29903", "9007199254740993", "long"],
  float: ["12.5", "1e-3", "12.0x"],
  boolean: ["true", "No", "maybe"],
  date: ["2013-12-XX", "2013", "someday"],
} as const;

for (const version of ["1.0", "1.1"]) {
  testWithRealData(
    `the published schema ${version} types frames and lakes, under public names and aliases`,
    async (real) => {
      const file = new URL(`schema/definitions_v${version}.json`, real);
      const { definitions } = await tableFromDefinitions(file, { format: "json" });
      const id = definitions.find(({ name }) => name.endsWith("DB Accession"))!;
      const naming = { ...SPECIFICATION_NAMING, accessionField: id.name, accessionAlias: id.alias };
      const typeOf = ({ type }: typeof definitions[number]) => type === "list" ? "string" : type;
      const rows = [0, 1, 2].map((row) =>
        definitions.map((definition) => definition === id ? accession(row + 1) : VALUES[typeOf(definition)][row])
      );
      const csvOf = (header: readonly string[]) => [header, ...rows].map((row) => `${csvRow(row)}\n`).join("");
      const expected = definitions.map((definition) => [definition.name, DTYPES[typeOf(definition)]]).sort();
      const named = await tableFromCsv(bytesOf(csvOf(definitions.map(({ name }) => name))), { definitions, naming });
      assertEquals(named.columns.map(({ name, dtype }) => [name, dtype]).sort(), expected);
      const aliases = csvOf(definitions.map(({ alias }) => alias));
      const aliased = await tableFromCsv(bytesOf(aliases), { definitions, naming });
      assertFramesEqual(await aliased.frame(), await named.frame());
      await inFolder(async (folder) => {
        await writeGzip(`${folder}/a.csv.gz`, aliases);
        await Deno.copyFile(file, `${folder}/definitions.json`);
        const [{ manifest }] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { naming });
        assertEquals([manifest.inferred, manifest.idField], [false, id.name]);
        await using lake = await openLake(`${folder}/lake`);
        const table = await lake.table({ columns: named.columns.map(({ name }) => name) });
        assertFramesEqual(await table.frame(), await named.frame());
        assertFramesEqual(await table.rawFrame(), await named.rawFrame());
      });
    },
  );
}
