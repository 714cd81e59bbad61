/** A lake's engine is checked against this process. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import { lengthDistribution, topTaxa } from "../../../../../src/analysis/mod.ts";
import type { Engine } from "../../../../../src/core/engine/engine.ts";
import { RegistryError } from "../../../../../src/core/errors.ts";
import { makeSample } from "../../../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../../../src/core/tables/mod.ts";
import { duckdbEngine } from "../../../engine/_duckdb_engine.ts";
import { startSha256 } from "../../../../../src/core/io/digest/sha256.ts";
import { startStubThread } from "../../../io/objects/_stub_thread.ts";
import { inFolder, writeGzip } from "../../_lake_files.ts";
import { metadataText } from "../objects/_object_lakes.ts";

Deno.test("lake.check() proves that an engine gives the same numbers, or shows where they differ", async (t) => {
  await inFolder(async (folder) => {
    for (const seed of [1, 2]) {
      await makeSample(`${folder}/archives-${seed}`, { records: 60, seed });
      await buildLake(`${folder}/archives-${seed}`, `${folder}/lake-${seed}`);
    }
    await t.step("the same", async () => {
      await using lake = await openLake(`${folder}/lake-1`, { engine: duckdbEngine });
      const check = await lake.check((lake) => topTaxa(lake, { by: "host" }));
      assertEquals(check.digest, (await lake.check((lake) => topTaxa(lake, { by: "host" }))).digest);
      assert(/^[0-9a-f]{64}$/.test(check.digest) && check.rows > 0);
      assertEquals(check.engines.map(({ engine }) => engine), ["local", "duckdb"]);
      assert(check.plans.length > 0 && check.plans.every((plan) => /^[0-9a-f]{64}$/.test(plan)));
      const { files } = lake.tables.get("full_dataset_metadata")!;
      assertEquals(check.parts.find(({ table }) => table === "full_dataset_metadata"), {
        table: "full_dataset_metadata",
        name: files[0].name,
        bytes: files[0].bytes,
        sha256: files[0].checks!.sha256,
      });
    });
    await t.step("other data on the engine", async () => {
      await using other = await openLake(`${folder}/lake-2`);
      const engine: Engine = {
        ...duckdbEngine,
        async open(lake) {
          const session = await duckdbEngine.open(lake);
          const ofOther = () => lengths(other.scan().select("Sequence Length"));
          const lengths = (rows: ReturnType<typeof other.scan>) =>
            rows.select(pl.col("Sequence Length").alias("length")).groupBy(["length"])
              .agg(pl.len().alias("seqreg_count")).collect();
          return { ...session, collect: (query) => asked++ === 0 ? ofOther() : session.collect(query) };
        },
      };
      let asked = 0;
      await using lake = await openLake(`${folder}/lake-1`, { engine });
      const error = await assertRejects(() => lake.check(lengthDistribution), RegistryError);
      assert(error.message.startsWith("Cannot confirm the numbers of lengthDistribution on duckdb: "), error.message);
      assert(/ of which [0-9]+ differ; row [0-9]+: /.test(error.message), error.message);
    });
    await t.step("no other engine", async () => {
      await using lake = await openLake(`${folder}/lake-1`);
      await assertRejects(() => lake.check(topTaxa), TypeError, "the lake has no engine but this process");
    });
  });
});

Deno.test("digests of plans over objects do not depend on the store's key", async () => {
  await using stub = await startStubThread();
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, metadataText(20));
    await buildLake(`${folder}/a.csv.gz`, "s3://lakes/keys", { store: stub.options });
    const engine: Engine = {
      name: "again",
      isLocal: false,
      open: () =>
        Promise.resolve({
          collect: (query) => Promise.resolve(query.collectSync()),
          sql: () => Promise.reject(new TypeError("not asked")),
          facts: () => Promise.resolve({ engine: "again", version: "", settings: {} }),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
    };
    await using lake = await openLake("s3://lakes/keys", { store: stub.options, engine });
    const { accessKeyId, secretAccessKey } = stub.options.key;
    const query = lake.scan().select(pl.len().alias("n"));
    const plan = query.serialize("json").toString();
    assert(plan.includes(secretAccessKey), "polars needs the key");
    const { plans } = await lake.check(async (lake) => ({ frame: await lake.collect(query) }));
    const hash = startSha256();
    hash.update(new TextEncoder().encode(plan.replaceAll(secretAccessKey, "…").replaceAll(accessKeyId, "…")));
    assertEquals(plans, [hash.digest()]);
  });
});
