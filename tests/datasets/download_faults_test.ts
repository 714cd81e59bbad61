/** What a download does when the world goes wrong: one row, one case. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { fetchArchive, type FetchArchiveOptions, type VerifiedArchive } from "../../src/datasets/mod.ts";
import { RegistryError, type RegistryErrorCode } from "../../src/errors.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  finalFiles,
  ID,
  impatientClient,
  NAME,
  sendWhole,
  serveWell,
  withFolder,
} from "./_archive.ts";
import { head, type RawAnswer, type RawServer, startRawServer } from "./_raw_server.ts";

const BYTES = archiveBytes(1);
const OTHER = archiveBytes(2);
const TEXT = await checksumOf(BYTES);
const OTHER_TEXT = await checksumOf(OTHER);
const HALF = BYTES.length >> 1;
const ETAG = '"one"';
const encoder = new TextEncoder();

/** What must have happened in the end. */
interface Outcome {
  /** The file came whole, or the error that came instead. */
  readonly gives: "the archive" | RegistryErrorCode;
  /** Words of the error, or of a warning. */
  readonly says?: string;
  /** Requests of the archive. */
  readonly requests: number;
}

interface Row extends Outcome {
  readonly answer: () => RawAnswer;
  readonly options?: FetchArchiveOptions;
}

/** Answers the checksum file well, and the n-th request of the archive by the n-th answer, the last one again. */
function archiveAnswers(...answers: RawAnswer[]): () => RawAnswer {
  return () => {
    let times = 0;
    return async (request, send) => {
      if (request.fileName === CHECKSUM) return await sendWhole(send, encoder.encode(TEXT));
      await answers[Math.min(times++, answers.length - 1)](request, send);
    };
  };
}

const well = serveWell(() => ({ bytes: BYTES, etag: ETAG, checksum: TEXT }));
const wellWithoutTag = serveWell(() => ({ bytes: BYTES, checksum: TEXT }));

/** Announces the whole and breaks off after some bytes. */
function short(bytes: number, fields: Readonly<Record<string, string>> = { ETag: ETAG }): RawAnswer {
  return async (_, send) => {
    await send(head("200 OK", { "Content-Length": BYTES.length, ...fields }));
    await send(BYTES.subarray(0, bytes));
  };
}

async function chunked(send: (bytes: Uint8Array | string) => Promise<void>, bytes: Uint8Array, end: string) {
  await send(head("200 OK", { "Transfer-Encoding": "chunked", ETag: ETAG }));
  await send(`${bytes.length.toString(16)}\r\n`);
  await send(bytes);
  await send(end);
}

const ROWS: Readonly<Record<string, Row>> = {
  "short Content-Length, strong ETag: goes on": {
    answer: archiveAnswers(short(HALF), well),
    gives: "the archive",
    requests: 2,
  },
  "short Content-Length for ever": { answer: archiveAnswers(short(0)), gives: "network", says: "broke", requests: 4 },
  "truncated chunked": {
    answer: archiveAnswers((_, send) => chunked(send, BYTES.subarray(0, HALF), "\r\n"), well),
    gives: "the archive",
    requests: 2,
  },
  "close-delimited and whole": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("200 OK", {}));
      await send(BYTES);
    }),
    gives: "the archive",
    requests: 1,
  },
  "close-delimited and cut short": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("200 OK", {}));
      await send(BYTES.subarray(0, HALF));
    }),
    gives: "checksum",
    says: "were removed",
    requests: 2,
  },
  "over-long chunked": {
    answer: archiveAnswers((_, send) => chunked(send, new Uint8Array([...BYTES, 0]), "\r\n0\r\n\r\n")),
    gives: "checksum",
    says: "expected SHA-256",
    requests: 2,
  },
  "over-long Content-Length": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("200 OK", { "Content-Length": BYTES.length + 5, ETag: ETAG }));
      await send(BYTES);
      await send("extra");
    }),
    gives: "checksum",
    says: "fetched once",
    requests: 2,
  },
  "unasked 206": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("206 Partial Content", {
        "Content-Length": HALF,
        "Content-Range": `bytes 0-${HALF - 1}/${BYTES.length}`,
      }));
      await send(BYTES.subarray(0, HALF));
    }),
    gives: "unexpected-response",
    says: "206",
    requests: 1,
  },
  "206 from a wrong start: begins again": {
    answer: archiveAnswers(short(HALF), async (_, send) => {
      await send(head("206 Partial Content", {
        "Content-Length": BYTES.length - 10,
        "Content-Range": `bytes 10-${BYTES.length - 1}/${BYTES.length}`,
        ETag: ETAG,
      }));
      await send(BYTES.subarray(10));
    }, well),
    gives: "the archive",
    says: "began again",
    requests: 3,
  },
  "206 that says a right start and sends other bytes": {
    answer: archiveAnswers(short(HALF), async (_, send) => {
      await send(head("206 Partial Content", {
        "Content-Length": BYTES.length - HALF,
        "Content-Range": `bytes ${HALF}-${BYTES.length - 1}/${BYTES.length}`,
        ETag: ETAG,
      }));
      await send(BYTES.subarray(0, BYTES.length - HALF));
    }, well),
    gives: "the archive",
    says: "both were fetched again",
    requests: 3,
  },
  "no ETag: begins again and says so": {
    answer: archiveAnswers(short(HALF, {}), wellWithoutTag),
    gives: "the archive",
    says: "no strong ETag",
    requests: 2,
  },
  "weak ETag: begins again and says so": {
    answer: archiveAnswers(short(HALF, { ETag: 'W/"one"' }), wellWithoutTag),
    gives: "the archive",
    says: "no strong ETag",
    requests: 2,
  },
  "malformed ETag: begins again and says so": {
    answer: archiveAnswers(short(HALF, { ETag: "one" }), wellWithoutTag),
    gives: "the archive",
    says: "no strong ETag",
    requests: 2,
  },
  "an ETag that changes mid-way, If-Range obeyed": {
    answer: archiveAnswers(short(HALF), serveWell(() => ({ bytes: BYTES, etag: '"two"', checksum: TEXT }))),
    gives: "the archive",
    says: "whole file instead of the rest",
    requests: 2,
  },
  "an ETag that changes mid-way, If-Range ignored": {
    answer: archiveAnswers(short(HALF), async (_, send) => {
      await send(head("206 Partial Content", {
        "Content-Length": BYTES.length - HALF,
        "Content-Range": `bytes ${HALF}-${BYTES.length - 1}/${BYTES.length}`,
        ETag: '"two"',
      }));
      await send(OTHER.subarray(0, BYTES.length - HALF));
    }, well),
    gives: "the archive",
    says: "began again",
    requests: 3,
  },
  "another size mid-way": {
    answer: archiveAnswers(short(HALF), async (_, send) => {
      await send(head("206 Partial Content", {
        "Content-Length": BYTES.length - HALF + 1,
        "Content-Range": `bytes ${HALF}-${BYTES.length}/${BYTES.length + 1}`,
        ETag: ETAG,
      }));
      await send(new Uint8Array([...BYTES.subarray(HALF), 0]));
    }, well),
    gives: "the archive",
    says: "changed on the registry",
    requests: 3,
  },
  "HTML with 200": {
    answer: archiveAnswers((_, send) => sendWhole(send, encoder.encode("<!doctype html><title>Sign in</title>"))),
    gives: "unexpected-response",
    says: "an HTML page",
    requests: 1,
  },
  "HTML with 200 for the checksum file": {
    answer: () => (_, send) => sendWhole(send, encoder.encode("<!doctype html><title>Sign in</title>")),
    gives: "unexpected-response",
    says: "an HTML page",
    requests: 0,
  },
  "Content-Encoding: gzip on the archive's own bytes": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("200 OK", { "Content-Length": BYTES.length, "Content-Encoding": "gzip" }));
      await send(BYTES);
    }),
    gives: "the archive",
    requests: 1,
  },
  "Content-Encoding: gzip around the archive": {
    answer: archiveAnswers(async (_, send) => {
      const coded = new Uint8Array(gzipSync(BYTES));
      await send(head("200 OK", { "Content-Length": coded.length, "Content-Encoding": "gzip" }));
      await send(coded);
    }),
    gives: "checksum",
    says: "Content-Encoding",
    requests: 2,
  },
  "checksum 404": {
    answer: () => (_, send) => send(head("404 Not Found", { "Content-Length": 0 })),
    gives: "status",
    says: "without its checksum file",
    requests: 0,
  },
  "archive 404": {
    answer: archiveAnswers((_, send) => send(head("404 Not Found", { "Content-Length": 0 }))),
    gives: "status",
    says: "404",
    requests: 1,
  },
  "a checksum file of another archive": {
    answer: () => (_, send) => sendWhole(send, encoder.encode(TEXT.replace("unique_seqs", "full_dataset"))),
    gives: "unexpected-response",
    says: "expected",
    requests: 0,
  },
  "a checksum file that points elsewhere": {
    answer: () => (_, send) => sendWhole(send, encoder.encode(TEXT.replace(NAME, `../${NAME}`))),
    gives: "unexpected-response",
    says: "expected",
    requests: 0,
  },
  "a checksum file without end": {
    answer: () => async (_, send) => {
      await send(head("200 OK", {}));
      for (;;) await send("# more and more\n".repeat(1000));
    },
    gives: "unexpected-response",
    says: "more than 65536 bytes",
    requests: 0,
  },
  "a checksum file that breaks off once": {
    answer: () => {
      let times = 0;
      return async (request, send) => {
        if (request.fileName !== CHECKSUM) return await sendWhole(send, BYTES);
        await send(head("200 OK", { "Content-Length": TEXT.length }));
        await send(times++ === 0 ? TEXT.slice(0, 20) : TEXT);
      };
    },
    gives: "the archive",
    requests: 1,
  },
  "archive updated between the two requests": {
    answer: () => {
      let asked = false;
      return async (request, send) => {
        if (request.fileName === CHECKSUM) {
          return await sendWhole(send, encoder.encode(asked ? TEXT : OTHER_TEXT));
        }
        asked = true;
        await sendWhole(send, BYTES, ETAG);
      };
    },
    gives: "the archive",
    says: "replaced it meanwhile",
    requests: 1,
  },
  "checksum file updated before the archive": {
    answer: archiveAnswers((_, send) => sendWhole(send, OTHER, '"old"'), well),
    gives: "the archive",
    says: "both were fetched again",
    requests: 2,
  },
  "archive that never fits, with the same ETag: read once": {
    answer: archiveAnswers((_, send) => sendWhole(send, OTHER, ETAG)),
    gives: "checksum",
    says: "fetched once",
    requests: 2,
  },
  "archive that never fits, without an ETag: read twice": {
    answer: archiveAnswers((_, send) => sendWhole(send, OTHER)),
    gives: "checksum",
    says: "fetched twice",
    requests: 2,
  },
  "500 once, then well": {
    answer: archiveAnswers((_, send) => send(head("500 Internal Server Error", { "Content-Length": 0 })), well),
    gives: "the archive",
    requests: 2,
  },
  "a drip that never ends": {
    answer: archiveAnswers(async (_, send) => {
      await send(head("200 OK", {}));
      await send(BYTES.subarray(0, 600));
      for (;;) {
        await send(BYTES.subarray(0, 1));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }),
    options: { pace: { bytes: 1 << 20, windowMs: 20 } },
    gives: "timeout",
    says: "fewer than",
    requests: 4,
  },
  "too little space": {
    answer: archiveAnswers(well),
    options: { freeBytes: () => Promise.resolve(BYTES.length - 1) },
    gives: "disk",
    says: `only ${BYTES.length - 1} are free`,
    requests: 1,
  },
  "space unknown": {
    answer: archiveAnswers(well),
    options: { freeBytes: () => Promise.resolve(undefined) },
    gives: "the archive",
    requests: 1,
  },
};

Deno.test("fetchArchive() gives the archive or an error, whatever a registry does", async (t) => {
  for (const [fault, row] of Object.entries(ROWS)) {
    await t.step(fault, async () => {
      await using server = await startRawServer(row.answer());
      await withFolder((cache) => expectOutcome(server, cache, row, row.options));
    });
  }
});

async function expectOutcome(server: RawServer, cache: string, outcome: Outcome, options: FetchArchiveOptions = {}) {
  const result = await attempt(server, cache, options);
  if (result instanceof RegistryError) {
    assertEquals([outcome.gives, result.message], [result.code, result.message]);
    if (outcome.says !== undefined) assertStringIncludes(result.message, outcome.says);
    assertEquals(await finalFiles(cache), [], "nothing has a final name");
  } else {
    assertEquals(outcome.gives, "the archive");
    assertEquals(await Deno.readFile(result.path), BYTES);
    const warnings = result.ledger.warnings.join("\n");
    if (outcome.says === undefined) assertEquals(warnings, "");
    else assertStringIncludes(warnings, outcome.says);
    assertEquals(await partials(cache), []);
  }
  assertEquals(server.archives.length, outcome.requests);
}

async function attempt(
  server: RawServer,
  cache: string,
  options: FetchArchiveOptions = {},
): Promise<VerifiedArchive | RegistryError> {
  try {
    return await fetchArchive(impatientClient(server.url), ID, { cache, ...options });
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
}

async function partials(cache: string): Promise<string[]> {
  const names = [];
  for await (const entry of Deno.readDir(`${cache}/archives/partial`)) names.push(entry.name);
  return names;
}

/** Breaks a download off after `bytes`, for good, so that a part is left. */
async function leavePart(server: RawServer, cache: string, bytes: number): Promise<string> {
  const stop = new AbortController();
  let caught: unknown;
  await fetchArchive(impatientClient(server.url), ID, {
    cache,
    signal: stop.signal,
    onProgress: ({ done }) => done >= bytes ? stop.abort(new Error("enough")) : undefined,
  }).catch((error) => caught = error);
  assert(caught instanceof Error);
  assertEquals(caught.message, "enough");
  assertEquals(await finalFiles(cache), []);
  const [part] = (await partials(cache)).filter((name) => name.endsWith(".part"));
  assert(part !== undefined, "the part is kept");
  return `${cache}/archives/partial/${part}`;
}

Deno.test("an aborted download leaves a part, and the next one goes on with it", async () => {
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
    says: "no begin of the registry's file",
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

Deno.test("200 random cut points give 200 identical files", async () => {
  const bytes = archiveBytes(3, 500);
  const checksum = await checksumOf(bytes);
  const random = randomNumbers(7);
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
    for (let round = 0; round < 200; round++) {
      const at = 1 + Math.floor(random() * (bytes.length - 1));
      cut = at;
      cuts.push(at);
      const cache = `${folder}/${round}`;
      const archive = await fetchArchive(impatientClient(server.url), ID, { cache });
      assertEquals(await Deno.readFile(archive.path), bytes, `cut after ${at} bytes`);
    }
  });
  assert(new Set(cuts).size > 100);
  // A break in the first 512 bytes is the client's to mend: it asks for the whole again.
  const resumed = cuts.filter((at) => at >= 512).length;
  assertEquals(server.archives.filter(({ headers }) => headers.has("range")).length, resumed);
});

Deno.test("a reset at a random byte costs a request, never a byte", async () => {
  const bytes = archiveBytes(5, 20_000);
  const checksum = await checksumOf(bytes);
  const random = randomNumbers(9);
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

Deno.test("1,000 random bit flips are refused 1,000 times", async () => {
  const bytes = archiveBytes(4, 200);
  const checksum = await checksumOf(bytes);
  const random = randomNumbers(8);
  let damaged = bytes;
  const fetch = (request: Request) => {
    const name = new URL(request.url).searchParams.get("filename");
    return Promise.resolve(new Response(name === CHECKSUM ? checksum : damaged));
  };
  const client = impatientClient("http://127.0.0.1:8080", { fetch });
  await withFolder(async (cache) => {
    let refused = 0;
    for (let round = 0; round < 1000; round++) {
      damaged = bytes.slice();
      damaged[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
      await fetchArchive(client, ID, { cache }).catch((error) => {
        assert(error instanceof RegistryError && error.code === "checksum");
        refused++;
      });
    }
    assertEquals(refused, 1000);
    assertEquals(await finalFiles(cache), []);
  });
});

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
