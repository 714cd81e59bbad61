/** Which field plays a role, under which names and types. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import {
  clusterSizes,
  findRole,
  gcByMolecule,
  qualityTiers,
  recordsInTime,
  releaseLag,
  type Role,
  segmentsPerIsolate,
  type SourceColumn,
  topTaxa,
} from "../../../src/analysis/mod.ts";
import { namingOf, parseNaming } from "../../../src/core/contract/mod.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { ROLE_NAMES } from "../../../src/analysis/source/roles.ts";
import { testWithRealData } from "../../_needs.ts";
import { inFolder } from "../../_files.ts";

function textColumns(...names: string[]): SourceColumn[] {
  return names.map((name) => ({ name, field: name, type: "string", dtype: "String" }));
}

Deno.test("roles are found under names that carry a source's word before or behind", async (t) => {
  const cases: [columns: string[], role: Role, field: string | undefined][] = [
    [["Family NCBI"], "family", "Family NCBI"],
    [["NCBI Family", "ICTV Family"], "family", "ICTV Family"],
    [["Family NCBI", "Family ICTV"], "family", "Family ICTV"],
    [["Family ICTV", "Family"], "family", "Family"],
    [["Organism Name", "Species ICTV"], "species", "Species ICTV"],
    [["Segment Name"], "segment", "Segment Name"],
    [["Cluster Representative", "Cluster Reference"], "cluster", "Cluster Reference"],
    [["Quality CheckV"], "quality", "Quality CheckV"],
    [["Host Country"], "country", undefined],
    [["Subfamily ICTV"], "family", undefined],
    [["Host Accession"], "accession", undefined],
  ];
  for (const [columns, role, field] of cases) {
    await t.step(`${role} of ${columns.join(", ")}`, () => {
      assertEquals(findRole(textColumns(...columns), role)?.field, field);
    });
  }
});

Deno.test("a naming sets which field is preferred, and the source line names it", async (t) => {
  const frame = pl.DataFrame({ "Family ICTV": ["a", "a"], "Family NCBI": ["b", "c"] });
  const naming = parseNaming('{ "registry": "genomebank", "roles": { "family": ["Family", "Family NCBI"] } }');
  const columns = frame.columns.map((name) => ({ name, field: name, type: "string", dtype: "String" }) as const);
  const table = { columns, frame: () => Promise.resolve(frame), naming };

  await t.step("by default", async () => {
    const { chart } = await topTaxa(frame, { by: "family" });
    assertStringIncludes(chart?.caption ?? "", "Field: Family ICTV.");
  });
  await t.step("by the naming of the source", async () => {
    const { chart, frame: numbers } = await topTaxa(table, { by: "family" });
    assertStringIncludes(chart?.caption ?? "", "Field: Family NCBI.");
    assertEquals(numbers.height, 2);
  });
  await t.step("by an option, which wins", async () => {
    const { chart } = await topTaxa(table, { by: "family", roles: { family: ["Family ICTV"] } });
    assertStringIncludes(chart?.caption ?? "", "Field: Family ICTV.");
  });
  await t.step("a role that does not exist is named", async () => {
    const wrong = { ...table, naming: namingOf({ roles: { famly: ["Family NCBI"] } }) };
    await assertRejects(() => topTaxa(wrong), TypeError, 'unknown role "famly"; did you mean "family"?');
  });
  for (const roles of ['"Family"', '{ "family": "Family" }', '{ "family": [1] }']) {
    await t.step(`roles ${roles} are refused`, () => {
      let message = "";
      try {
        parseNaming(`{ "roles": ${roles} }`);
      } catch (error) {
        message = String(error);
      }
      assertStringIncludes(message, '"roles" must');
    });
  }
});

Deno.test("results and lakes of a registry have the preferences of its naming", async () => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/archives`, { records: 40 });
    const naming = namingOf({ roles: { host: ["Host Common Name"] } });
    await using registry = await Registry.open(`${folder}/archives`, { cacheFolder: folder, naming });
    await using lake = await registry.lake({ archives: ["full_dataset_metadata"] });
    const archive = await registry.dataset("full_dataset_metadata");
    for (const source of [await registry.metadata({ query: "country:*" }), await archive.read(), lake]) {
      const { chart } = await topTaxa(source, { by: "host" });
      assertStringIncludes(chart?.caption ?? "", "Field: Host Common Name.");
    }
  });
});

Deno.test("whole numbers play the roles of texts and dates", async (t) => {
  const kinds = { "Int64": pl.Int64, "Float64": pl.Float64 } as const;
  for (const [kind, type] of Object.entries(kinds)) {
    const column = (name: string, values: (number | null)[]) => pl.Series(name, values, type);
    await t.step(`segments 1 to 8 as ${kind}`, async () => {
      const source = pl.DataFrame([
        pl.Series("Isolate", ["i", "i", "k", "k"], pl.String),
        pl.Series("Species", ["a", "a", "a", "a"], pl.String),
        column("Segment", [1, 8, 1, null]),
      ]);
      assertEquals((await segmentsPerIsolate(source)).frame.toRecords(), [
        { segments: 1, set: "incomplete", isolates: 1 },
        { segments: 2, set: "complete", isolates: 1 },
      ]);
    });
    await t.step(`clusters as ${kind}`, async () => {
      const { frame } = await clusterSizes(pl.DataFrame([column("Cluster", [7, 7, 12, null])]));
      assertEquals(frame.getColumn("size").toArray(), [2, 1]);
    });
    await t.step(`names of numbers as ${kind} have no decimals`, async () => {
      const { frame } = await topTaxa(pl.DataFrame([column("Species", [11_320, 11_320, 2])]));
      assertEquals(frame.getColumn("taxon").toArray(), ["11320", "2"]);
    });
    await t.step(`years as ${kind}`, async () => {
      const source = pl.DataFrame([column("Collection Date", [2013, 2013, 2014, null, 20])]);
      const { frame, chart } = await recordsInTime(source);
      assertEquals(frame.toRecords(), [
        { period: "2013", precision: "year", records: 2 },
        { period: "2014", precision: "year", records: 1 },
      ]);
      assertStringIncludes(chart?.caption ?? "", "n = 3 records; 1 excluded; 1 without a value");
    });
  }
  await t.step("a column of fractions does not", async () => {
    const { notes, chart } = await clusterSizes(pl.DataFrame({ Cluster: [1.5, 2] }));
    assertEquals(chart, undefined);
    assertStringIncludes(notes[0], "lacks a field for the cluster");
  });
  await t.step("a text wins over a number", async () => {
    const { chart } = await topTaxa(pl.DataFrame({ Species: [1, 2], "Organism Name": ["a", "b"] }));
    assertStringIncludes(chart?.caption ?? "", "Field: Organism Name.");
  });
});

Deno.test("qualityTiers() takes a declared quality where ambiguous bases are not known", async () => {
  const source = pl.DataFrame([
    pl.Series("Genome Completeness", ["complete", "complete", "partial", "complete"], pl.String),
    pl.Series("Sequence Length", [100, 100, 100, 100], pl.Int64),
    pl.Series("Ambiguous Bases", [null, null, null, null], pl.Int64),
    pl.Series("Quality CheckV", ["Low-quality", "High-quality", "Low-quality", "?"], pl.String),
  ]);
  for (const frame of [source, source.drop("Ambiguous Bases")]) {
    const { frame: numbers, chart, notes } = await qualityTiers(frame);
    assertEquals(numbers.toRecords(), [
      { completeness: "complete", ambiguous: null, records: 1, quality: "High-quality" },
      { completeness: "complete", ambiguous: null, records: 1, quality: "Low-quality" },
      { completeness: "partial", ambiguous: null, records: 1, quality: "Low-quality" },
    ]);
    assertStringIncludes(chart?.caption ?? "", "Fields: Genome Completeness, Quality CheckV.");
    assert(notes.some((note) => note.includes("Ambiguous bases are unknown")), notes.join("\n"));
  }
});

Deno.test("what is plausible can be changed", async (t) => {
  const lengths = pl.DataFrame({
    Species: ["a", "a"],
    "Release Date": ["1850-01-01", "2013-01-01"],
    "Collection Date": ["1849-12-01", "2012-12-01"],
  });
  await t.step("dates", async () => {
    const { frame } = await releaseLag(lengths, { plausible: { date: ["1800", "1900"] } });
    assertEquals(frame.getColumn("records").toArray(), [1]);
  });
  await t.step("GC content, as a unit that the caller knows", async () => {
    const source = pl.DataFrame({ "Molecule Type": ["x", "x"], GC: [0.5, 45] });
    const { frame } = await gcByMolecule(source, { atLeast: 1, unit: "percent", plausible: { gc: [20, 80] } });
    assertEquals(frame.toRecords().map(({ records, median }) => [Number(records), median]), [[1, 45]]);
  });
  await t.step("ranges the wrong way round are refused", async () => {
    for (const plausible of [{ length: [5, 1] }, { date: ["2014", "2013"] }, { gc: [80, 20] }] as const) {
      await assertRejects(() => topTaxa(lengths, { plausible }), RangeError, "plausible.");
    }
  });
  await t.step("a result's own day ends the dates", async () => {
    const columns = lengths.columns.map((name) => ({ name, field: name, type: "string", dtype: "String" }) as const);
    const provenance = { finished: "2012-12-31T10:00:00.000Z" };
    const { notes } = await recordsInTime({ columns, frame: () => Promise.resolve(lengths), provenance }, {
      date: "release",
    });
    assert(
      notes.some((note) => note.includes("after the day on which the data came, 2012-12-31 in")),
      notes.join("\n"),
    );
  });
});

/** Roles that the published schemas have a field for, and which. */
const PUBLISHED: Readonly<Record<string, Partial<Record<Role, string>>>> = {
  "1.0": { family: "ICTV Family", genus: "ICTV Genus", species: "ICTV Species", gc: "GC Content", isolate: "Isolate" },
  "1.1": {
    family: "Family ICTV",
    genus: "Genus ICTV",
    species: "Species ICTV",
    gc: "GC Content BV-BRC",
    quality: "Quality CheckV",
    isolate: "Isolate",
  },
};
const IN_BOTH: Partial<Record<Role, string>> = {
  length: "Sequence Length",
  molecule: "Molecule Type",
  completeness: "Genome Completeness",
  host: "Host Species",
  collectionDate: "Collection Date",
  releaseDate: "Release Date",
  country: "Country",
  submitterCountry: "Submitter Country",
  segment: "Segment Name",
  cluster: "Cluster Reference",
  dataSource: "Sequence Source",
};

for (const [version, own] of Object.entries(PUBLISHED)) {
  testWithRealData(
    `roles are found in the published schema ${version}, by public names and by aliases`,
    async (real) => {
      const definitions: unknown = JSON.parse(
        await Deno.readTextFile(new URL(`schema/definitions_v${version}.json`, real)),
      );
      assert(Array.isArray(definitions));
      const types = {
        keyword: "string",
        text: "string",
        integer: "integer",
        float: "float",
        boolean: "boolean",
      } as const;
      const read = (definition: object, key: string) => String(Reflect.get(definition, `vjdbv${version}_${key}`));
      const isType = (type: string): type is keyof typeof types => Object.hasOwn(types, type);
      const columnsOf = (key: string): SourceColumn[] =>
        definitions.map((definition) => {
          const [name, declared] = [read(definition, key), read(definition, "fields_type")];
          return { name, field: name, type: isType(declared) ? types[declared] : "date", dtype: "String" };
        });
      const expected: Partial<Record<Role, string>> = { ...IN_BOTH, ...own };
      for (const role of ROLE_NAMES.filter((role) => expected[role] !== undefined)) {
        const field = expected[role];
        assertEquals(findRole(columnsOf("name"), role)?.field, field, role);
        const byAlias = findRole(columnsOf("field_id"), role);
        const alias = definitions.find((definition) => read(definition, "name") === field);
        assertEquals(byAlias?.field, read(alias, "field_id"), role);
      }
    },
  );
}
