/** A live table of a lake in an object store that takes its time: moto, which others wrote, behind a proxy. */
import type { Browser } from "playwright-core";
import { findHttpfs } from "../../src/core/engine/local/find_httpfs.ts";
import { duckdbVersion } from "../../src/core/engine/local/lake_sql.ts";
import { buildLake } from "../../src/core/tables/mod.ts";
import { LabServer, writeNotebook } from "../browser/_lab.ts";
import { needsModules } from "../_python.ts";
import { BUCKET, startMoto } from "../checks/objects/_moto.ts";
import { calm, filterBy, firstCell, jumpWithin, sortBy, timed } from "./_live_gestures.ts";
import type { Row } from "./_report.ts";

/** Time that each request takes in addition to that of the store. */
const DELAY_MS = 20;
/** Jumps that are measured. */
const JUMPS = 10;

export const HAS_STORE: boolean = Object.values(needsModules("moto")).every(Boolean) &&
  await findHttpfs(await duckdbVersion()) !== undefined;

/** Measures a lake of one Parquet file; no goal is set. */
export async function measureStore(browser: Browser, parquet: string, rows: number): Promise<Row[]> {
  await using moto = await startMoto();
  await using slow = serveSlowly(moto.options.endpoint);
  const folder = await Deno.makeTempDir();
  const settings = { ...moto.env, AWS_ENDPOINT_URL: moto.options.endpoint };
  const before = Object.keys(settings).map((name) => [name, Deno.env.get(name)] as const);
  try {
    for (const [name, value] of Object.entries(settings)) Deno.env.set(name, value);
    const lake = `s3://${BUCKET}/live`;
    await buildLake(parquet, lake);
    Deno.env.set("AWS_ENDPOINT_URL", `http://127.0.0.1:${slow.addr.port}`);
    await writeNotebook(`${folder}/store.ipynb`, [
      `import { live } from "seqreg/notebook"; import { openLake } from "seqreg/tables";` +
      ` const lake = await openLake(${JSON.stringify(lake)});`,
      "await live(lake)",
    ]);
    await using server = await LabServer.start(folder);
    await using lab = await server.open(browser, "store.ipynb", { height: 1000 });
    const measured: Row[] = [];
    const put = (work: string, ours: readonly number[]) =>
      measured.push({ work: `store of ${DELAY_MS} ms a request: ${work}`, ours, unit: "ms" });
    put("from the cell to rows", [await firstCell(lab)]);
    await calm(lab);
    const jumps: number[] = [];
    for (let jump = 0; jump < JUMPS; jump++) jumps.push(await timed(lab, jumpWithin(rows)));
    put("jump", jumps);
    put("first sort by a number", [await timed(lab, sortBy("Sequence Length"))]);
    await calm(lab);
    put("filter on numbers, sorted", [await timed(lab, filterBy("Sequence Length", ">20000"))]);
    return measured;
  } finally {
    for (const [name, value] of before) value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
    await Deno.remove(folder, { recursive: true });
  }
}

/** Passes requests on, each a while later. */
function serveSlowly(endpoint: string): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    const { pathname, search } = new URL(request.url);
    return await fetch(`${endpoint}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      body: request.body,
    });
  });
}
