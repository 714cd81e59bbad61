/** What a download does when the world goes wrong: one row, one case. */
import { gzipSync } from "node:zlib";
import type { FetchArchiveOptions } from "../../../src/core/datasets/mod.ts";
import { CHECKSUM, NAME, sendWhole, serveWell, withFolder } from "./_archive.ts";
import { head, type RawAnswer, startRawServer } from "./_raw_server.ts";

import {
  archiveAnswers,
  BYTES,
  encoder,
  ETAG,
  expectOutcome,
  HALF,
  OTHER,
  OTHER_TEXT,
  type Outcome,
  short,
  TEXT,
  well,
  wellWithoutTag,
} from "./_download_faults.ts";

interface Row extends Outcome {
  readonly answer: () => RawAnswer;
  readonly options?: FetchArchiveOptions;
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
    says: "restarted",
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
    says: "restarted",
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
    says: "without a checksum file",
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
