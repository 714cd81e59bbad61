/** A lake in an object store on Spark, which a stub stands in for: what it is sent, and what is an error. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import { RegistryError } from "../../../src/core/errors.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { spark } from "../../../src/spark/engine/spark.ts";
import { type BuiltTable, type Lake, ObjectStoreError, openLake } from "../../../src/core/tables/mod.ts";
import { LAKE, type ObjectLakeTest, withObjectLake } from "../../core/tables/lake/objects/_object_lakes.ts";
import { frameAnswers } from "../connect/_batches.ts";
import { type Fields, sparkStatus, type Status, StubServer } from "../connect/_stub_server.ts";

const RECORDS = 24_000;

/** One file, as the stub states it. */
interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly n: number;
}

/** A lake on a stub of Spark. */
interface OnSpark extends ObjectLakeTest {
  readonly lake: Lake;
  readonly spark: StubServer;
  /** The table `a`. */
  readonly table: BuiltTable;
  /** What Spark finds of it; the files of the manifest, unless a test changes it. */
  parts: Part[];
  /** What Spark fails with. */
  refuse?: (query: string) => Status | undefined;
}

/** The text of a statement; empty for a view. */
function queryOf({ plan }: Fields): string {
  return plan?.opType.value.relType?.value.query ?? "";
}

async function withLakeOnSpark(run: (test: OnSpark) => Promise<void>): Promise<void> {
  await withObjectLake(async (objects) => {
    const [table] = await objects.build(["a", "b"]);
    const parts = table.manifest.files.map(({ bytes, rows }, index) => {
      return { name: table.files[index].split("/").at(-1)!, bytes, n: rows };
    });
    assert(parts.length > 1, "the test wants several parts");
    const state: Pick<OnSpark, "parts" | "refuse"> = { parts };
    await using server = await StubServer.start({
      answers: (request) =>
        frameAnswers(
          queryOf(request).includes('GROUP BY "seqreg: file"')
            ? pl.DataFrame(state.parts, { schema: { name: pl.String, bytes: pl.Int64, n: pl.Int64 } })
            : pl.DataFrame({ n: [RECORDS] }, { schema: { n: pl.Int64 } }),
        ),
      refuse: (method, request) => method === "executePlan" ? state.refuse?.(queryOf(request)) : undefined,
    });
    await using lake = await openLake(LAKE, { store: objects.store, engine: spark(server.url) });
    await run(Object.assign(state, { ...objects, lake, spark: server, table }));
  }, RECORDS);
}

/** Paths of each view that was made, by its name. */
function viewsOf(server: StubServer): Record<string, string[]> {
  return Object.fromEntries(
    [...server.operations.values()].flatMap(({ request }) => {
      const { commandType } = request.plan.opType.value;
      if (commandType?.case !== "createDataframeView") return [];
      const { name, input } = commandType.value;
      const files = input.relType.case === "project" ? input.relType.value.input : input;
      return [[name, [...files.relType.value.readType.value.paths]]];
    }),
  );
}

/** All that was sent, as text. */
function sentTo({ calls }: StubServer): string {
  return JSON.stringify(calls, (_, value) => {
    if (value instanceof Uint8Array) return new TextDecoder("latin1").decode(value);
    return typeof value === "bigint" ? String(value) : value;
  });
}

const count = ({ lake }: OnSpark) => lake.sql("SELECT count(*) AS n FROM a");

Deno.test("Spark gets the objects that the manifest lists, by s3a and in order, and nothing of the key", async () => {
  await withLakeOnSpark(async (test) => {
    const { lake, spark, table, store } = test;
    assertEquals((await count(test)).toRecords(), [{ n: RECORDS }]);
    const query = lake.scan("a").filter(pl.col("Whole").isNotNull()).select(pl.len().alias("n"));
    assertEquals((await lake.collect(query)).toRecords(), [{ n: RECORDS }]);
    const paths = table.files.map((file) => file.replace("s3://lakes/", "s3a://lakes/"));
    const views = viewsOf(spark);
    assertEquals(Object.keys(views).length, 5, "two of each table, and lake");
    for (const name of ["a", "seqreg: files of a", "lake"]) assertEquals(views[`\`${name}\``], paths, name);
    // A row's position is made of its file's name.
    await lake.collect(lake.scan("a").select("Whole").limit(3)).catch(() => {});
    const ordered = [...spark.operations.values()].map(({ request }) => queryOf(request)).at(-1)!;
    assert(ordered.includes(`element_at(array(0L, ${test.parts[0].n}L`), ordered);
    const sent = sentTo(spark);
    assert(sent.includes("s3a://lakes/registry/2026/a/"));
    for (const part of [...Object.values(store.key!), store.endpoint!]) assert(!sent.includes(part), part);
  });
});

Deno.test("objects whose rows or bytes differ on Spark are an error with what was expected", async () => {
  await withLakeOnSpark(async (test) => {
    const [first, ...others] = test.parts;
    const faults: Readonly<Record<string, Part[]>> = {
      [
        `${
          RECORDS - first.n
        } rows instead of ${RECORDS}, ${first.name} is missing, which has ${first.n} rows in ${first.bytes}`
      ]: others,
      [`${first.name} has ${first.bytes - 1} bytes instead of ${first.bytes}`]: [
        { ...first, bytes: first.bytes - 1 },
        ...others,
      ],
      [`${RECORDS + 1} rows instead of ${RECORDS}, ${first.name} has ${first.n + 1} rows instead of ${first.n}`]: [
        { ...first, n: first.n + 1 },
        ...others,
      ],
    };
    for (const [words, parts] of Object.entries(faults)) {
      test.parts = parts;
      const error = await assertRejects(() => count(test), RegistryError, words);
      assertEquals(error.code, "damaged");
    }
    test.parts = [first, ...others];
    assertEquals((await count(test)).height, 1);
  });
});

Deno.test("an object that is lost or changed after the lake was opened is an error, whatever Spark says", async (t) => {
  await withLakeOnSpark(async (test) => {
    const { stub, table, lake } = test;
    await count(test);
    const key = table.files[0].slice("s3://lakes/".length);
    const { bytes } = stub.objects.get(key)!;
    const flipped = bytes.slice();
    flipped[bytes.length >> 1] ^= 1;
    const notFound = sparkStatus("FAILED_READ_FILE.FILE_NOT_EXIST", `no file s3a://lakes/${key}`);
    const faults: [name: string, fault: string, make: () => unknown, refuse?: () => Status][] = [
      ["lost, and Spark fails", "no-object", () => stub.objects.delete(key), () => notFound],
      ["lost, and Spark notices nothing", "no-object", () => stub.objects.delete(key)],
      ["changed, and Spark notices nothing", "changed", () => stub.store(key, flipped)],
    ];
    for (const [name, fault, make, refuse] of faults) {
      await t.step(name, async () => {
        make();
        test.refuse = refuse;
        for (const ask of [() => count(test), () => lake.collect(lake.scan("a").select(pl.len().alias("n")))]) {
          const error = await assertRejects(ask, ObjectStoreError);
          assertEquals([error.fault, error.address], [fault, table.files[0]]);
        }
        test.refuse = undefined;
        stub.store(key, bytes);
      });
    }
    await t.step("no object is at fault", async () => {
      test.refuse = () => sparkStatus("DIVIDE_BY_ZERO", "Division by zero");
      await assertRejects(() => count(test), SparkError, "Division by zero");
    });
  });
});

Deno.test("a cluster without s3a is an error that names hadoop-aws; no error shows the key", async () => {
  await withLakeOnSpark(async (test) => {
    const { accessKeyId, secretAccessKey } = test.stub.key;
    const missing = "java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found";
    test.refuse = () => sparkStatus("X", `java.lang.RuntimeException: ${missing}`);
    const error = await assertRejects(() => count(test), SparkError, "since it lacks s3a");
    assertEquals([error.reason, error.code], ["no-s3a", "object-store"]);
    for (const words of ["put hadoop-aws", "docs/object_stores.md"]) assert(error.message.includes(words));
    test.refuse = () => sparkStatus("X", `the key ${accessKeyId} (${secretAccessKey}) was refused`);
    const refused = await assertRejects(() => count(test), SparkError, "the key … (…) was refused");
    const shown = Deno.inspect([refused, test.lake], { depth: 9, showHidden: true });
    assert(!shown.includes(accessKeyId) && !shown.includes(secretAccessKey), shown);
  });
});

Deno.test("a caller that is stopped does not end what another waits for: the opening, the comparison of files", async (t) => {
  const moments = { "the session is opened": "", "the files are compared": 'GROUP BY "seqreg: file"' };
  for (const [name, words] of Object.entries(moments)) {
    await t.step(name, async () => {
      await withLakeOnSpark(async (test) => {
        const stop = new AbortController();
        test.refuse = (query) => {
          if (words === "" ? query === "" : query.includes(words)) stop.abort(new Error("stopped"));
          return undefined;
        };
        const sql = "SELECT count(*) AS n FROM a";
        const stopped = assertRejects(() => test.lake.sql(sql, [], { signal: stop.signal }), Error, "stopped");
        assertEquals((await count(test)).toRecords(), [{ n: RECORDS }]);
        await stopped;
      });
    });
  }
});
