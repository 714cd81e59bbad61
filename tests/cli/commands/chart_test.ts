import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import command from "../../../src/cli/commands/chart.ts";
import { buildLake } from "../../../src/core/tables/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { runInFolder } from "../../_program.ts";
import { withFolder } from "../../core/datasets/_archive.ts";

const ROWS = Array.from(
  { length: 40 },
  (_, row) => `vj${String(row).padStart(12, "0")},${row % 3 ? "Kenya" : "Peru"},${900 + row}`,
);
const CSV = `Registry Accession,Country,Sequence Length\n${ROWS.join("\n")}\n`;

/** A table with a row that is too short and one that is too long. */
const RAGGED = `Registry Accession,Country,Sequence Length
vj000000000001,Kenya,100
vj000000000002,Peru
vj000000000003,Peru,7,8
vj000000000004,Peru,9
`;

Deno.test("chart draws an analysis of a lake or a table, or writes its numbers", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, CSV);
    await Deno.writeFile(`${folder}/b.csv.gz`, gzipSync(CSV));
    await buildLake(`${folder}/b.csv.gz`, `${folder}/lake`);
    await Deno.writeTextFile(`${folder}/ragged.csv`, RAGGED);
    const cases: Readonly<Record<string, readonly [args: string[], code: number, stdout: RegExp, stderr: RegExp]>> = {
      "SVG": [["worldMap", "./lake"], 0, /^<svg[^]*<\/svg>\n$/, /Counts are of records/],
      "numbers of a table, by its name in words": [
        ["world-map", "./a.csv", "--format", "csv", "-q"],
        0,
        /^code,place,records,names,drawn\nKEN,Kenya,26,Kenya,shape\nPER,Peru,14,/,
        /^$/,
      ],
      "rows that cannot be read": [
        ["topTaxa", "./ragged.csv", "--by", "country", "-q"],
        4,
        /n = 2 records; 2 rows could not be read/,
        /^seqreg: incomplete: 2 rows of ragged\.csv could not be read: line 3 \(the row has 2 cells, the header has 3\), line /,
      ],
      "options": [
        ["lengthDistribution", "./lake", "--option", "binsPerDecade=1", "--format", "json", "-q"],
        0,
        /"records":/,
        /^$/,
      ],
      "a file": [["topTaxa", "./lake", "--by", "country", "-o", "./out.svg", "-q"], 0, /^$/, /^$/],
      "nothing to show": [["clusterSizes", "./lake"], 3, /^$/, /There is nothing to show/],
      "an unknown option": [["topTaxa", "./lake", "--option", "topp=3"], 2, /^$/, /did you mean "top"/],
      "an unknown analysis": [["topTaxas", "./lake"], 2, /^$/, /did you mean topTaxa\?/],
      "no analysis at all": [["foo", "./lake"], 2, /^$/, /Unknown analysis "foo"; see seqreg chart --help/],
      "an unknown format": [["topTaxa", "./lake", "-o", "./out.pdf"], 2, /^$/, /Cannot tell the format of out\.pdf/],
      "a PNG on standard output": [["topTaxa", "./lake", "--format", "png"], 2, /^$/, /Cannot print a PNG/],
      "an option twice, by two names": [
        ["recordsInTime", "./lake", "--by", "year", "--option", "by=month"],
        2,
        /^$/,
        /Cannot take the option "by" twice: leave one of them out/,
      ],
      "two fields for a role": [
        ["topTaxa", "./lake", "--field", "host=A", "--field", "host=B"],
        2,
        /^$/,
        /Cannot take the field for "host" twice/,
      ],
      "a range the wrong way round": [
        ["topTaxa", "./lake", "--option", 'plausible={"length":[10,1]}'],
        2,
        /^$/,
        /the least first, not \[10, 1\]/,
      ],
      "an invalid address": [["topTaxa", "./lake", "--engine", "http://head"], 2, /^$/, /sc:/],
      "a file for an engine": [
        ["topTaxa", "./a.csv", "--engine", "sc://127.0.0.1:1"],
        2,
        /^$/,
        /engine reads only lakes; build one by seqreg lake a\.csv -o LAKE and name LAKE instead/,
      ],
      "an invalid address of a lake": [["topTaxa", "s3://b"], 2, /^$/, /s3:/],
      "a lake that is absent": [["topTaxa", "./nowhere"], 1, /^$/, /Cannot read nowhere: it does not exist/],
    };
    const results = await Promise.all(
      Object.values(cases).map(([args]) => runInFolder(folder, ["chart", ...args])),
    );
    for (const [at, [name, [, code, stdout, stderr]]] of Object.entries(cases).entries()) {
      const result = results[at];
      assertEquals(result.code, code, `${name}: ${result.stderr}`);
      assert(stdout.test(result.stdout), `${name}: ${result.stdout.slice(0, 200)}`);
      assert(stderr.test(result.stderr), `${name}: ${result.stderr}`);
    }
    assertStringIncludes(await Deno.readTextFile(`${folder}/out.svg`), "</svg>");
  });
});

Deno.test("chart knows every analysis", () => {
  const names = Object.keys({ ...RECIPES, ...LAKE_RECIPES }).map((name) => name.split(/[ ,]/)[0]);
  assertEquals([...command.operandValues ?? []].sort(), [...new Set(names)].sort());
});
