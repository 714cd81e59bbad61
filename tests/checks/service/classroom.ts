/**
 * A class on one server: the requests of lessons, recorded while a kernel runs them, are made by thirty learners, who
 * begin within six seconds and make no pause. Nobody waits longer than two seconds on two cores, every answer is the
 * recorded one, memory is bounded. Run by `deno task checks classroom`.
 */
import { crowding } from "../_crowding.ts";
import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { NEEDS_LINUX, testNeeding } from "../../_needs.ts";
import { Kernel } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";
import { inFolder } from "../../_files.ts";
import { serve } from "./_served.ts";

const NOTEBOOKS = new URL("../../../notebooks/", import.meta.url);
const LESSONS = ["01_first_contact.ipynb", "03_metadata_as_a_typed_frame.ipynb", "06_sequences.ipynb"];
const LEARNERS = 30;
/** Time between the beginnings of two learners; the requests of one are made without a pause. */
const APART_MS = 200;
const MOST = { waitMs: 2000, megabytes: 600 };
const CELL_TIMEOUT_MS = 60_000;

/** One request of a lesson, and what was answered. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly type: string | null;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly digest: string;
}

/** Makes a request and reads its answer to the end. */
async function ask(origin: string, { method, path, type, body }: Omit<Call, "status" | "digest">) {
  const response = await fetch(origin + path, {
    method,
    headers: { "accept-encoding": "identity", ...type !== null && { "content-type": type } },
    ...body.length > 0 && { body },
    redirect: "manual",
    signal: AbortSignal.timeout(CELL_TIMEOUT_MS),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

/** Runs lessons in a kernel over a registry, and returns the requests that they made. */
async function record(origin: string, cache: string): Promise<Call[]> {
  const calls: Call[] = [];
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const asked = {
      method: request.method,
      path: pathname + search,
      type: request.headers.get("content-type"),
      body: new Uint8Array(await request.arrayBuffer()),
    };
    const { response, bytes, digest } = await ask(origin, asked);
    calls.push({ ...asked, status: response.status, digest });
    return new Response(request.method === "HEAD" ? null : bytes, {
      status: response.status,
      headers: response.headers,
    });
  });
  for (const lesson of LESSONS) {
    const env = { SEQREG_CACHE: cache, SEQREG_URL: `http://127.0.0.1:${proxy.addr.port}` };
    await using kernel = await Kernel.start({ folder: NOTEBOOKS, env });
    for (const { type, source } of await readCells(new URL(lesson, NOTEBOOKS))) {
      if (type === "code") await kernel.run(source, CELL_TIMEOUT_MS);
    }
  }
  return calls;
}

testNeeding(NEEDS_LINUX, "thirty learners on one server: no one waits longer than two seconds", async () => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/archives`, { records: 5000, seed: 1 });
    const served = await serve(`${folder}/archives`, `${folder}/cache`);
    const origin = `http://127.0.0.1:${served.port}`;
    const calls = await record(origin, `${folder}/kernel`);
    assert(calls.length >= 10, `${calls.length} calls were recorded`);
    const waits: { readonly ms: number; readonly path: string }[] = [];
    let megabytes = 0;
    const timer = setInterval(() => megabytes = Math.max(megabytes, served.state()?.megabytes ?? 0), 50);
    const begun = performance.now();
    await Promise.all(Array.from({ length: LEARNERS }, async (_, learner) => {
      await delay(learner * APART_MS);
      for (const call of calls) {
        const from = performance.now();
        const { response, digest } = await ask(origin, call);
        waits.push({ ms: performance.now() - from, path: call.path });
        assertEquals([response.status, digest], [call.status, call.digest], call.path);
      }
    })).finally(() => clearInterval(timer));
    const seconds = (performance.now() - begun) / 1000;
    waits.sort((a, b) => a.ms - b.ms);
    const [middle, last] = [waits[waits.length >> 1], waits[waits.length - 1]];
    console.log(
      `${LEARNERS} learners × ${calls.length} calls in ${seconds.toFixed(1)} s: median ${middle.ms.toFixed(0)} ms, ` +
        `longest ${last.ms.toFixed(0)} ms (${last.path}), ${megabytes.toFixed(0)} MB`,
    );
    assertEquals(await served.end(), true);
    assert(last.ms <= MOST.waitMs * crowding(), `a learner waited ${last.ms.toFixed(0)} ms for ${last.path}`);
    assert(megabytes > 0 && megabytes <= MOST.megabytes, `${megabytes} MB`);
  });
});
