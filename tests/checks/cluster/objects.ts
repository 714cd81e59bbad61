/**
 * A lake in an object store, read by polars, DuckDB and Spark: one digest, and an error where an object is lost. Needs
 * a cluster that was started with a store: `deno task cluster up --s3 moto`.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { EngineLake } from "../../../src/core/engine/engine.ts";
import { digestFrame } from "../../../src/core/engine/digest/frame_digest.ts";
import { findHttpfs } from "../../../src/core/engine/local/find_httpfs.ts";
import { duckdbVersion } from "../../../src/core/engine/local/lake_sql.ts";
import { spark } from "../../../src/spark/engine/spark.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { parseObjectAddress } from "../../../src/core/io/objects/object_address.ts";
import { ObjectStore } from "../../../src/core/io/objects/object_store.ts";
import { findStoreAccess } from "../../../src/core/io/objects/store_access.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, type BuiltTable, type Lake, ObjectStoreError, openLake } from "../../../src/core/tables/mod.ts";
import { RECIPES } from "../../analysis/_recipes.ts";
import { duckdbOver } from "../../core/engine/_duckdb_engine.ts";
import { inFolder } from "../../_files.ts";
import { testNeeding } from "../../_needs.ts";
import { countLocalScans } from "./_local_scans.ts";
import { inSeconds, load, runningCluster } from "./_room.ts";

const RECORDS = 5000;
const OTHER_RECORDS = 4000;
const NAMES = ["topTaxa", "lengthDistribution", "recordsInTime, cumulative"];
const BUCKET = "seqreg-checks";
/** A store that was there before has lakes of other runs. */
const ROOT = `s3://${BUCKET}/${crypto.randomUUID()}`;

const cluster = await runningCluster();
/** Variables of the store: its own, or those that the cluster was started with. */
const env = cluster.s3Env ?? (cluster.options.s3 === undefined ? undefined : Deno.env.toObject());
const options = {
  ...cluster.options.s3 !== undefined && { endpoint: cluster.options.s3 },
  region: env?.AWS_REGION ?? "us-east-1",
  key: { accessKeyId: env?.AWS_ACCESS_KEY_ID ?? "", secretAccessKey: env?.AWS_SECRET_ACCESS_KEY ?? "" },
};

const NEEDS = {
  "a cluster with an object store (deno task cluster up --s3 moto)": env !== undefined,
  "DuckDB's extension httpfs": await findHttpfs(await duckdbVersion()) !== undefined,
};

/** Builds a lake of so many records in the store. */
async function build(
  folder: string,
  records: number,
): Promise<{ readonly address: string; readonly built: BuiltTable[] }> {
  const address = `${ROOT}/${records}`;
  await makeSample(`${folder}/${records}`, { records });
  return { address, built: await buildLake(`${folder}/${records}`, address, { store: options }) };
}

async function digestOf(lake: Lake, name: string): Promise<{ readonly digest: string; readonly seconds: number }> {
  const begun = performance.now();
  const { frame, notes } = await RECIPES[name](lake, "2026-01-31");
  const digest = `${await digestFrame(frame)} ${JSON.stringify(notes)}`;
  return { digest, seconds: (performance.now() - begun) / 1000 };
}

testNeeding(
  NEEDS,
  "a lake in an object store: one digest by polars, DuckDB and Spark; a lost object is loud",
  async (t) => {
    const store = new ObjectStore(await findStoreAccess(BUCKET, options, () => undefined));
    await store.ask({ task: "make", method: "PUT", address: { bucket: BUCKET, key: "" } }).catch((error) => {
      if (!(error instanceof ObjectStoreError && /^Bucket(Already|.*Owned)/.test(error.storeCode ?? ""))) throw error;
    });
    await inFolder(async (folder) => {
      const { address, built } = await build(folder, RECORDS);
      const other = await build(folder, OTHER_RECORDS);
      await using here = await openLake(address, { store: options });
      await using onDuckdb = await openLake(address, { store: options, engine: duckdbOver(here) });
      await using onSpark = await openLake(address, { store: options, engine: spark(cluster.url) });
      await using otherOnSpark = await openLake(other.address, { store: options, engine: spark(cluster.url) });
      for (const name of NAMES) {
        await t.step(name, async () => {
          const [one, two] = [await digestOf(here, name), await digestOf(onDuckdb, name)];
          let three = { digest: "", seconds: 0 };
          const scans = await countLocalScans(async () => void (three = await digestOf(onSpark, name)));
          console.log(
            `${name}: ${one.digest.slice(0, 12)}, polars ${inSeconds(one.seconds)}, DuckDB ${
              inSeconds(two.seconds)
            }, ` +
              `Spark ${inSeconds(three.seconds)}, ${load()}`,
          );
          assertEquals([two.digest, three.digest], [one.digest, one.digest]);
          assertEquals(scans, 0, "objects were read in this process");
          assert((await digestOf(otherOnSpark, name)).digest !== one.digest, "other data has the same digest");
        });
      }
      await t.step(
        "a result beyond the limits comes through the store, which has nothing of it in the end",
        async () => {
          const spill = `${ROOT}/results`;
          await using spilling = await openLake(address, {
            store: options,
            engine: spark(cluster.url, { spill, maxRows: 100 }),
          });
          const sql = 'SELECT * FROM lake ORDER BY "Registry Accession" DESC';
          const [whole, written] = [await onSpark.sql(sql), await spilling.sql(sql)];
          assertEquals([written.height, await digestFrame(written)], [RECORDS, await digestFrame(whole)]);
          const left: string[] = [];
          for await (const { key } of store.list(parseObjectAddress(spill))) left.push(key);
          assertEquals(left, []);
        },
      );
      const table = built.find(({ manifest }) => manifest.table === onSpark.main)!;
      const part = table.files[0];
      const key = part.slice(`s3://${BUCKET}/`.length);
      await t.step("an object of other rows is an error of Spark itself", async () => {
        const { files } = other.built.find(({ manifest }) => manifest.table === onSpark.main)!;
        const { manifest: { rows, columns } } = table;
        const location = files[0];
        // The other lake's object under what the manifest of this one states.
        const parts = [{ name: location.split("/").at(-1)!, location, rows, bytes: table.manifest.files[0].bytes }];
        const scan = () => onSpark.scan();
        const lake: EngineLake = { location: address, tables: [{ name: onSpark.main, rows, columns, parts, scan }] };
        await using session = await spark(cluster.url).open(lake);
        const error = await assertRejects(() => session.sql(`SELECT count(*) FROM ${onSpark.main}`), RegistryError);
        assert(error.message.includes(`${OTHER_RECORDS} rows instead of ${RECORDS}`), error.message);
      });
      await t.step("a lost object is an error, in an open lake and of Spark itself", async () => {
        await store.remove({ bucket: BUCKET, key });
        const lost = await assertRejects(() => RECIPES.topTaxa(onSpark), ObjectStoreError, part);
        assertEquals(lost.fault, "no-object");
        const { SparkClient } = await import("../../../src/spark/connect/client.ts");
        await using client = await SparkClient.open(cluster.url);
        const s3a = part.replace("s3:", "s3a:");
        const read = async () => {
          await client.createView("lost", [s3a]);
          await client.collect("SELECT count(*) FROM lost");
        };
        const error = await assertRejects(read, RegistryError, s3a);
        assertEquals(error.code, "damaged");
        console.log(error.message);
      });
      await t.step("no log of the cluster shows the key that this process has", async () => {
        // The settings of the cluster hold its own: the environment, which no log writes.
        for (const name of ["connect.log", "worker0.log", "worker1.log"]) {
          const text = await Deno.readTextFile(`${cluster.folder}/${name}`);
          assert(!text.includes(options.key.secretAccessKey), name);
        }
      });
    });
  },
);
