import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NetworkError, RegistryClient } from "../../../../src/core/client/mod.ts";
import { checkAccessions } from "../../../../src/core/registry/plan/accession_list.ts";
import { ExportRun } from "../../../../src/core/registry/exports/export_run.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";

const HEAD = "Registry Accession,Country\n";
const id = (number: number) => `vj${String(number).padStart(12, "0")}`;
const ROWS = Array.from({ length: 400 }, (_, at) => `${id(at + 1)},Kenya\n`);
const WHOLE = HEAD + ROWS.join("");

/** A body that breaks after so many bytes; whole without a number. Its chunks have another size than other bodies'. */
function body(text: string, size: number, breaksAfter = Infinity): Response {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= breaksAfter) return controller.error(new TypeError("connection reset"));
      const end = Math.min(at + size, breaksAfter, text.length);
      if (at < end) controller.enqueue(new TextEncoder().encode(text.slice(at, end)));
      else controller.close();
      at = end;
    },
  });
  return new Response(stream, { headers: { "content-type": "text/csv" } });
}

function runOf(answers: readonly (() => Response)[], ids?: readonly string[]) {
  let asked = 0;
  const retry = { tries: 4, budgetMs: 10_000 };
  const waits: number[] = [];
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]()),
    retry,
    onRetry: ({ tries }) => void waits.push(tries),
    random: () => 0,
  });
  const scope = ids === undefined ? { query: "country:Kenya" } : { list: checkAccessions(ids) };
  const run = new ExportRun(client, { scope, information: "metadata", fileType: "csv" });
  return {
    run,
    text: async () => await new Response(ReadableStream.from(run.bytes())).text(),
    asked: () => asked,
    waits,
  };
}

Deno.test("an export whose connection breaks is requested again, and continues where it broke", async (t) => {
  const breaks: Record<string, readonly (() => Response)[]> = {
    "once": [() => body(WHOLE, 700, 5000), () => body(WHOLE, 333)],
    "in the middle of a chunk of the next answer": [() => body(WHOLE, 611, 1222), () => body(WHOLE, 9000)],
    "earlier the second time": [() => body(WHOLE, 700, 5000), () => body(WHOLE, 100, 900), () => body(WHOLE, 4096)],
    "later the second time": [() => body(WHOLE, 700, 5000), () => body(WHOLE, 999, 7000), () => body(WHOLE, 4096)],
    "behind its last byte": [() => body(WHOLE, 700, WHOLE.length), () => body(WHOLE, 4096)],
    "by a status that may pass": [
      () => body(WHOLE, 700, 5000),
      () => new Response("", { status: 503 }),
      () => body(WHOLE, 700),
    ],
  };
  for (const [name, answers] of Object.entries(breaks)) {
    await t.step(name, async () => {
      const { run, text, asked, waits } = runOf(answers);
      assertEquals(await text(), WHOLE);
      const { received, unique, complete, reasons } = run.ledger();
      assertEquals({ received, unique, complete, reasons }, {
        received: ROWS.length,
        unique: ROWS.length,
        complete: true,
        reasons: [],
      });
      const { bytes, sha256 } = run.provenance();
      assertEquals([bytes, sha256], [WHOLE.length, sha256Of(WHOLE)]);
      assertEquals([asked(), waits.length], [answers.length, answers.length - 1]);
    });
  }
});

Deno.test("a batch that breaks is continued, and the others are not requested again", async () => {
  const ids = Array.from({ length: 10_400 }, (_, at) => id(at + 1));
  const csv = (part: readonly string[]) => HEAD + part.map((each) => `${each},Kenya\n`).join("");
  const [first, second] = [csv(ids.slice(0, 10_000)), csv(ids.slice(10_000))];
  const { run, text, asked } = runOf([
    () => body(first, 8192),
    () => body(second, 700, 2100),
    () => body(second, 700),
  ], ids);
  assertEquals(await text(), csv(ids));
  const { received, missing, duplicate, complete } = run.ledger();
  assertEquals({ received, missing, duplicate, complete }, {
    received: ids.length,
    missing: [],
    duplicate: 0,
    complete: true,
  });
  assertEquals(asked(), 3);
});

Deno.test("an export that cannot be continued is an error", async (t) => {
  const other = WHOLE.replace("Kenya", "Malta");
  const broken = () => body(WHOLE, 700, 5000);
  const table: Record<string, [answers: readonly (() => Response)[], says: string, requests: number]> = {
    "other bytes": [[broken, () => body(other, 700)], "broke after 5000 bytes, and the same request brought other", 2],
    "fewer bytes": [[broken, () => body(WHOLE.slice(0, 3000), 700)], "brought other bytes", 2],
    "no attempt is left": [[broken], "broke after 5000 bytes; try again", 4],
    "nothing matches any more": [[broken, () => new Response("{}", { status: 404 })], "broke after 5000 bytes", 2],
  };
  for (const [name, [answers, says, requests]] of Object.entries(table)) {
    await t.step(name, async () => {
      const { text, asked } = runOf(answers);
      assertStringIncludes((await assertRejects(text, NetworkError)).message, says);
      assertEquals(asked(), requests);
    });
  }
});
