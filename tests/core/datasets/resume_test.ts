/** Downloads that break off and go on: leftover parts, random cuts, random bit flips. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { fetchArchive } from "../../../src/core/datasets/mod.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { randomsOf } from "../../_randoms.ts";
import { PROGRESS_BYTES } from "../../../src/core/client/retry_budget.ts";
import { DEFAULT_RETRY } from "../../../src/core/client/retry_policy.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  finalFiles,
  ID,
  impatientClient,
  sendWhole,
  serveWell,
  withFolder,
} from "./_archive.ts";
import { head, type RawAnswer, startRawServer } from "./_raw_server.ts";

import {
  BYTES,
  encoder,
  ETAG,
  expectOutcome,
  HALF,
  leavePart,
  type Outcome,
  partials,
  short,
  well,
} from "./_download_faults.ts";

/** Random cuts, and flipped bits; `deno task checks resume` makes more. */
const CUTS = Number(Deno.env.get("SEQREG_CUTS") ?? 40);
const FLIPS = 5 * CUTS;

Deno.test("an aborted download leaves a part, and the next one resumes it", async () => {
  let slow = true;
  const server = await startRawServer(async (request, send) => {
    if (request.fileName === CHECKSUM || !slow) return await well(request, send);
    slow = false;
    await short(HALF)(request, send);
    await new Promise<void>(() => {});
  });
  await using _ = server;
  await withFolder(async (cache) => {
    const part = await leavePart(server, cache, HALF);
    assertEquals(await Deno.readFile(part), BYTES.subarray(0, HALF));
    const archive = await fetchArchive(impatientClient(server.url), ID, { cache });
    assertEquals(await Deno.readFile(archive.path), BYTES);
    assertEquals(server.archives[1].headers.get("range"), `bytes=${HALF}-`);
    assertEquals(server.archives[1].headers.get("if-range"), ETAG);
    assertEquals(archive.ledger.warnings, []);
    assertEquals(await partials(cache), []);
  });
});

/** What is done to a part of HALF bytes before the next attempt, and what must come of it. */
const LEFTOVERS: Readonly<Record<string, Outcome & { readonly spoil: (part: string) => Promise<void> }>> = {
  "a part with a flipped bit": {
    spoil: async (part) => {
      const bytes = await Deno.readFile(part);
      bytes[100] ^= 1;
      await Deno.writeFile(part, bytes);
    },
    gives: "the archive",
    says: "both were fetched again",
    requests: 2,
  },
  "a part larger than the file": {
    spoil: (part) => Deno.writeFile(part, new Uint8Array(BYTES.length + 1)),
    gives: "the archive",
    requests: 1,
  },
  "a part larger than the file, whose size was not said: 416": {
    spoil: async (part) => {
      await Deno.writeFile(part, new Uint8Array(BYTES.length + 1));
      await editFacts(part, { totalBytes: null });
    },
    gives: "the archive",
    says: "partial file does not match",
    requests: 2,
  },
  "a complete part": {
    spoil: (part) => Deno.writeFile(part, BYTES),
    gives: "the archive",
    requests: 0,
  },
  "a complete part, whose size was not said: 416": {
    spoil: async (part) => {
      await Deno.writeFile(part, BYTES);
      await editFacts(part, { totalBytes: null });
    },
    gives: "the archive",
    requests: 1,
  },
  "an empty part": { spoil: (part) => Deno.truncate(part, 0), gives: "the archive", requests: 1 },
  "a part of what the registry served before": {
    spoil: (part) => editFacts(part, { expected: "0".repeat(64) }),
    gives: "the archive",
    requests: 1,
  },
};

async function editFacts(part: string, change: Readonly<Record<string, unknown>>): Promise<void> {
  const path = `${part}.json`;
  await Deno.writeTextFile(path, JSON.stringify({ ...JSON.parse(await Deno.readTextFile(path)), ...change }));
}

Deno.test("fetchArchive() makes the best of a leftover part, and no more", async (t) => {
  for (const [leftover, row] of Object.entries(LEFTOVERS)) {
    await t.step(leftover, async () => {
      let breaks = true;
      const answer: RawAnswer = async (request, send) => {
        if (request.fileName === CHECKSUM || !breaks) return await well(request, send);
        breaks = false;
        await short(HALF)(request, send);
        await new Promise<void>(() => {});
      };
      await using server = await startRawServer(answer);
      await withFolder(async (cache) => {
        await row.spoil(await leavePart(server, cache, HALF));
        await expectOutcome(server, cache, { ...row, requests: row.requests + 1 });
      });
    });
  }
});

Deno.test(`${CUTS} random cut points result in ${CUTS} identical files`, async () => {
  const bytes = archiveBytes(3, 500);
  const checksum = await checksumOf(bytes);
  const random = randomsOf(7);
  const cuts: number[] = [];
  let cut: number | undefined;
  const server = await startRawServer(async (request, send) => {
    if (request.fileName === CHECKSUM) return await sendWhole(send, encoder.encode(checksum));
    if (cut === undefined) return await serveWell(() => ({ bytes, etag: ETAG, checksum }))(request, send);
    await send(head("200 OK", { "Content-Length": bytes.length, ETag: ETAG }));
    await send(bytes.subarray(0, cut));
    cut = undefined;
  });
  await using _ = server;
  await withFolder(async (folder) => {
    for (let round = 0; round < CUTS; round++) {
      const at = 1 + Math.floor(random() * (bytes.length - 1));
      cut = at;
      cuts.push(at);
      const cache = `${folder}/${round}`;
      const archive = await fetchArchive(impatientClient(server.url), ID, { cache });
      assertEquals(await Deno.readFile(archive.path), bytes, `cut after ${at} bytes`);
    }
  });
  assert(new Set(cuts).size > CUTS / 2);
  // A break in the first 512 bytes is the client's to mend: it asks for the whole again.
  const resumed = cuts.filter((at) => at >= 512).length;
  assertEquals(server.archives.filter(({ headers }) => headers.has("range")).length, resumed);
});

Deno.test("a reset at a random byte costs a request, never a byte", async () => {
  const bytes = archiveBytes(5, 20_000);
  const checksum = await checksumOf(bytes);
  const random = randomsOf(9);
  let resets = false;
  const server = await startRawServer(async (request, send) => {
    const good = serveWell(() => ({ bytes, etag: ETAG, checksum }));
    if (!resets || request.fileName === CHECKSUM) return await good(request, send);
    resets = false;
    await send(head("200 OK", { "Content-Length": bytes.length, ETag: ETAG }));
    await send(bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1))));
    request.reset();
  });
  await using _ = server;
  await withFolder(async (folder) => {
    for (let round = 0; round < 20; round++) {
      resets = true;
      const archive = await fetchArchive(impatientClient(server.url), ID, { cache: `${folder}/${round}` });
      assertEquals(await Deno.readFile(archive.path), bytes);
    }
  });
  assertEquals(server.archives.length, 40);
});

Deno.test(`${FLIPS} random bit flips are refused ${FLIPS} times`, async () => {
  const bytes = archiveBytes(4, 200);
  const checksum = await checksumOf(bytes);
  const random = randomsOf(8);
  let damaged = bytes;
  const fetch = (request: Request) => {
    const name = new URL(request.url).searchParams.get("filename");
    return Promise.resolve(new Response(name === CHECKSUM ? checksum : damaged));
  };
  const client = impatientClient("http://127.0.0.1:8080", { fetch });
  await withFolder(async (cache) => {
    let refused = 0;
    for (let round = 0; round < FLIPS; round++) {
      damaged = bytes.slice();
      damaged[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
      await fetchArchive(client, ID, { cache }).catch((error) => {
        assert(error instanceof RegistryError && error.code === "checksum");
        refused++;
      });
    }
    assertEquals(refused, FLIPS);
    assertEquals(await finalFiles(cache), []);
  });
});

Deno.test("a download that always breaks ends: bytes that are received again are no progress", async () => {
  // More than what resets attempts, so that counting bytes again would never end.
  const large = new Uint8Array(3 << 20).map((_, index) => (index * 2654435761) >>> 13);
  const most = PROGRESS_BYTES + 4096;
  const breaksAlways: RawAnswer = async (request, send) => {
    if (request.fileName === CHECKSUM) return await sendWhole(send, encoder.encode(await checksumOf(large)));
    await send(head("200 OK", { "Content-Length": large.length }));
    await send(large.subarray(0, most));
  };
  await using server = await startRawServer(breaksAlways);
  await withFolder(async (cache) => {
    const error = await assertRejects(() => fetchArchive(impatientClient(server.url), ID, { cache }), RegistryError);

    assertEquals(error.code, "network");
    // What the first attempt received beyond anything before resets the count before it fails itself.
    assertEquals(server.archives.length, DEFAULT_RETRY.tries);
    assertEquals(await finalFiles(cache), []);
  });
});
