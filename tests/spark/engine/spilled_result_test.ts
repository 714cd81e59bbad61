/** Results beyond the limits, at a stub server that writes Parquet as Spark does. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import pl from "nodejs-polars";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { type FetchOptions, fetchResult } from "../../../src/spark/engine/spilled_result.ts";
import { spark } from "../../../src/spark/engine/spark.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { withFolder } from "../../core/datasets/_archive.ts";
import { batchAnswers } from "../connect/_batches.ts";
import { type Fields, sparkStatus, type StubOptions, StubServer } from "../connect/_stub_server.ts";
import { fetchSpilled, PARTS, ROWS, sparkError } from "./_spilled.ts";
import { inFolder } from "../../_files.ts";

async function writeParts(location: string): Promise<void> {
  await Deno.mkdir(location, { recursive: true });
  for (const [name, n] of Object.entries(PARTS)) {
    await pl.DataFrame({ n }, { schema: { n: pl.String } }).writeParquet(join(location, name));
    await Deno.writeTextFile(join(location, `.${name}.crc`), "");
  }
  await Deno.writeTextFile(join(location, "_SUCCESS"), "");
}

function pathOf(write: Fields): string {
  return decodeURI(write.saveType.value.replace("file://", ""));
}

const write = async (request: Fields) => {
  await writeParts(pathOf(request));
  return ROWS;
};

/** Fetches a result beyond the limits at a stub, with a folder that must be empty afterward unless it is looked at. */
async function fetchBeyond(
  stubOptions: StubOptions,
  options: Partial<FetchOptions> = {},
  look?: (folder: string) => Promise<void>,
) {
  const root = await Deno.makeTempDir();
  const folder = join(root, "spill [1]*");
  try {
    await Deno.mkdir(folder);
    const fetched = await fetchSpilled({ write, ...stubOptions }, { spill: `${folder}/`, ...options });
    await look?.(folder);
    if (look === undefined) assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), []);
    return fetched;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a result beyond the limits is read from where Spark wrote it, in order, and removed there", async () => {
  const { frame, thrown, warnings, operations } = await fetchBeyond({});
  assertEquals(frame?.getColumn("n").toArray(), ["a", "b", "c", "e"], String(thrown));
  assertEquals(warnings, []);
  // What is read over the connection ends there, before the write.
  assertEquals(operations.map(({ isInterrupted }) => isInterrupted), [true, false]);
});

Deno.test("a result within the limits is not written", async () => {
  const { frame, operations } = await fetchBeyond({}, { maxRows: 2 });
  assertEquals([frame?.height, operations.length], [2, 1]);
});

Deno.test("without a folder, a result beyond the limits is an error that names the option", async () => {
  const { thrown, operations } = await fetchBeyond({}, { spill: undefined });
  assertStringIncludes(sparkError(thrown).message, "option spill");
  assertEquals(operations.length, 1);
});

/** Batches beyond the limit, and a count of the statement. */
function answersWithCount(count: string) {
  return ({ plan }: Fields) => {
    const { query } = plan.opType.value.relType.value;
    return query === "SELECT count(*) AS n FROM (\nSELECT n FROM v\n)"
      ? batchAnswers([count])
      : batchAnswers(["a"], ["b"]);
  };
}

Deno.test("rows are counted by a run of its own where the count of the write does not come", async () => {
  const { frame, operations } = await fetchBeyond({
    write: (request) => write(request).then(() => "not reported"),
    answers: answersWithCount("4"),
  });
  assertEquals([frame?.height, operations.length], [4, 3]);
});

Deno.test("rows that are missing and damaged files are errors, and nothing is left", async (t) => {
  const cases: Record<string, [options: StubOptions, reason: string, says: string]> = {
    "rows": [
      { write: (request) => write(request).then(() => 1_000_005) },
      "unreadable",
      "of 1,000,005 rows that Spark wrote 4 are in it; the option spill must name a folder, or an address s3://…, that",
    ],
    "a damaged file": [
      {
        write: async (request) => {
          await writeParts(pathOf(request));
          await Deno.truncate(join(pathOf(request), "part-2-x.parquet"), 40);
          return ROWS;
        },
      },
      "unreadable",
      "part-2-x.parquet cannot be read: ",
    ],
    "rows that were counted by a run of its own": [
      { write: (request) => write(request).then(() => "not reported"), answers: answersWithCount("5") },
      "unreadable",
      "of 5 rows that Spark wrote 4 are in it",
    ],
  };
  for (const [name, [options, reason, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const error = sparkError((await fetchBeyond(options)).thrown);
      assertEquals([error.reason, error.location], [reason, undefined], error.message);
      assertStringIncludes(error.message, says);
    });
  }
});

Deno.test("a result that is too large to be read stays, and the error names it and how to read it", async () => {
  let kept = "";
  const { thrown, warnings } = await fetchBeyond({}, { maxSpillBytes: 50 }, async (folder) => {
    const [{ name }] = Deno.readDirSync(folder);
    kept = join(folder, name, "attempt-1");
    assertEquals([...Deno.readDirSync(kept)].length, 2 * Object.keys(PARTS).length + 1);
    await Promise.resolve();
  });
  const error = sparkError(thrown);
  assertEquals([error.reason, error.code, error.location, error.rows], ["too-large", "invalid-request", kept, ROWS]);
  assertStringIncludes(error.message, `its 4 rows are as Parquet in ${kept}, which is `);
  assertStringIncludes(error.message, "more than maxSpillBytes: 50; read it there with pl.scanParquet(");
  assertEquals(warnings, []);
});

Deno.test("a result at an address that cannot be read from here stays, and the error names it", async () => {
  const { thrown } = await fetchBeyond({ write: () => Promise.resolve(12) }, { spill: "hdfs://head/results/" });
  const error = sparkError(thrown);
  assert(/^hdfs:\/\/head\/results\/result-[0-9a-f-]{36}\/attempt-1$/.test(error.location ?? ""), error.location);
  assertEquals([error.reason, error.rows], ["too-large", 12]);
  assertStringIncludes(
    error.message,
    "which cannot be read from here: its scheme is not one that this toolkit reads; ",
  );
  assertStringIncludes(error.message, `in Spark with FROM parquet.\`${error.location}\``);
});

/** A write that fails on the engine, after it wrote. */
const FAILED = {
  answers: () => batchAnswers(["a"], ["b"]),
  change: (method: string, answer: Fields) =>
    method === "executePlan" && answer.observedMetrics !== undefined ? { ...answer, sessionId: "x" } : answer,
};

Deno.test("what a failed write left is removed, also what its last tasks write after that", async () => {
  const late = Promise.withResolvers<void>();
  const { thrown } = await fetchBeyond(
    {
      ...FAILED,
      write: async (request) => {
        await writeParts(pathOf(request));
        // The folder may be removed while the task writes into it: then its write fails, as a real one does.
        setTimeout(() => writeParts(pathOf(request)).catch(() => {}).finally(late.resolve), 150);
        return ROWS;
      },
    },
    {},
    async (folder) => {
      await late.promise;
      assertEquals([...Deno.readDirSync(folder)].length, 0);
    },
  );
  assertEquals(sparkError(thrown).reason, "invalid-answer");
});

Deno.test("what cannot be removed from here is named by a warning", async () => {
  const { thrown, warnings } = await fetchBeyond(
    { ...FAILED, write: () => Promise.resolve(12) },
    { spill: "hdfs://head/results" },
  );
  assertEquals(sparkError(thrown).reason, "invalid-answer");
  assertEquals(warnings.length, 1);
  assert(/may be left in hdfs:\/\/head\/results\/result-[0-9a-f-]{36}: .*; remove it/.test(warnings[0]), warnings[0]);
});

Deno.test("Stop ends the write on the engine, rejects with its reason and leaves nothing", async () => {
  const controller = new AbortController();
  const reason = new DOMException("Stop was pressed", "AbortError");
  const { thrown, operations } = await fetchBeyond({
    write: async (request) => {
      await writeParts(pathOf(request));
      queueMicrotask(() => controller.abort(reason));
      return await new Promise(() => {});
    },
  }, { signal: controller.signal });
  assertEquals(thrown, reason);
  assertEquals(operations.map(({ isInterrupted }) => isInterrupted), [true, true]);
});

Deno.test("a write whose session is lost runs once more, into another folder, with a warning", async () => {
  let writes = 0;
  const lost = sparkStatus("INVALID_HANDLE.SESSION_CHANGED", "gone");
  const isWrite = (request: Fields) => request.plan?.opType.value.commandType?.case === "writeOperation";
  await inFolder(async (folder) => {
    await using stub = await StubServer.start({
      answers: () => batchAnswers(["a"], ["b"]),
      write,
      refuse: (method, request) => method === "executePlan" && isWrite(request) && writes++ === 0 ? lost : undefined,
    });
    const warnings: string[] = [];
    await using client = await SparkClient.open(stub.url, { onWarning: (text) => warnings.push(text) });
    const frame = await fetchResult(client, "SELECT n FROM v", { spill: folder, maxRows: 1 });
    assertEquals([frame.height, writes, warnings.length], [4, 2, 1]);
    const locations = stub.calls.filter(({ request }) => isWrite(request))
      .map(({ request }) => pathOf(request.plan.opType.value.commandType.value).split("/").at(-1));
    assertEquals(locations, ["attempt-1", "attempt-2"]);
    assertEquals([...Deno.readDirSync(folder)].length, 0);
  });
});

Deno.test("a lake on Spark reads a large result from the folder that its engine names", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, "Registry Accession\nvj000000000001\n");
    await buildLake(`${folder}/a.csv`, `${folder}/lake`);
    const [file] = [...Deno.readDirSync(`${folder}/lake/a`)].filter(({ name }) => name.endsWith(".parquet"));
    const { size } = await Deno.stat(`${folder}/lake/a/${file.name}`);
    const found = pl.DataFrame({ name: [file.name], bytes: [size], n: [1] });
    const data = new Uint8Array(found.writeIPCStream());
    const parts = [{ responseType: { case: "arrowBatch", value: { rowCount: 1n, data, startOffset: 0n } } }];
    await using stub = await StubServer.start({
      answers: ({ plan }) =>
        JSON.stringify(plan.opType.value.relType.value.query).includes("seqreg: files")
          ? parts
          : batchAnswers(["a"], ["b"]),
      write,
    });
    const spill = `${folder}/spill`;
    await Deno.mkdir(spill);
    await using lake = await openLake(`${folder}/lake`, { engine: spark(stub.url, { spill, maxRows: 1 }) });
    assertEquals((await lake.sql("SELECT n FROM lake")).height, ROWS);
    assertEquals([...Deno.readDirSync(spill)].length, 0);
    await using small = await openLake(`${folder}/lake`, {
      engine: spark(stub.url, { spill, maxRows: 1, maxSpillBytes: 1 }),
    });
    const error = await assertRejects(() => small.sql("SELECT n FROM lake"), SparkError);
    assertEquals([error.reason, error.rows, error.location?.startsWith(spill)], ["too-large", ROWS, true]);
  });
});
