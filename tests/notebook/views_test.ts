import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { closeLedger, type Ledger } from "../../src/contract/ledger.ts";
import { DISPLAY, type MediaBundle } from "../../src/notebook/display.ts";
import { ledgerView } from "../../src/notebook/ledger_view.ts";
import { viewOf, viewOfKnown } from "../../src/notebook/show.ts";
import { tableView } from "../../src/notebook/table_view.ts";

/** Values that would do something if they reached a page or a terminal unescaped. */
const HOSTILE = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  `" onmouseover="alert(1)`,
  "' onfocus='alert(1)",
  "<a href='javascript:alert(1)'>x</a>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&lt;b&gt;",
  "`${alert(1)}`",
  "\x1b[2J\x1b]0;title\x07",
  "\u202egpj.exe",
  "\ud800 lone",
  "\u2028line",
  "\x00nul",
];

/** Elements that the views themselves write. */
const OWN_ELEMENTS = /^\/?(div|table|thead|tbody|tr|th|td|br|small|i|p|script|span|ul|li|pre|img|progress)$/;

function checkBundle(bundle: MediaBundle): void {
  const html = bundle["text/html"] ?? "";
  // Scripts hold data as JSON in which "<" is escaped; outside them only our own elements may stand.
  for (const [, name, attributes] of html.matchAll(/<([^\s>]+)([^>]*)>/g)) {
    assert(OWN_ELEMENTS.test(name), `<${name}> was created`);
    assertFalse(
      /\son\w+\s*=/.test(attributes.replace(/"[^"]*"/g, '""')),
      `an event handler was created: ${attributes}`,
    );
  }
  assertEquals([...html.matchAll(/<script/g)].length, [...html.matchAll(/<\/script/g)].length);
  // deno-lint-ignore no-control-regex
  const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  assertFalse(control.test(html), "a control character reached the page");
  assertFalse(control.test(bundle["text/plain"]), "a control character reached the terminal");
  assert(html.isWellFormed() && bundle["text/plain"].isWellFormed());
}

Deno.test("hostile values and names create nothing, in any view", async (t) => {
  for (const text of HOSTILE) {
    await t.step(JSON.stringify(text), async () => {
      checkBundle(
        tableView({
          caption: text,
          columns: [text, "b"],
          types: [text, text],
          rows: [[text, 1], [text.repeat(40), null]],
        }),
      );
      checkBundle(ledgerView(closeLedger({ received: 1, missing: [text], reasons: [text], warnings: [text] })));
      checkBundle(await viewOf([{ [text]: text }], text));
      checkBundle(await viewOf(text));
      checkBundle(await viewOf({ [text]: [text] }));
    });
  }
});

Deno.test("a table says its size, marks nulls, and keeps to what it may send", async (t) => {
  await t.step("nothing", () => {
    const view = tableView({ caption: "empty", columns: ["a"], rows: [] });
    assertStringIncludes(view["text/plain"], "empty: 0 rows × 1 column");
  });
  await t.step("no columns", () => {
    assertStringIncludes(tableView({ caption: "none", columns: [], rows: [] })["text/plain"], "0 rows × 0 columns");
  });
  await t.step("a null", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[null], [""]] });
    assertStringIncludes(view["text/html"]!, "<i>null</i>");
  });
  await t.step("numbers on the right", () => {
    const view = tableView({ caption: "x", columns: ["a", "b"], rows: [[1, "1"], [10n, "x"], [null, null]] });
    assertStringIncludes(view["text/html"]!, `<td style="text-align:right;white-space:nowrap">10</td>`);
    assertStringIncludes(view["text/html"]!, `<td style="text-align:left;white-space:nowrap">x</td>`);
    for (const align of ["right", "left"]) {
      assertStringIncludes(view["text/html"]!, `<td style="opacity:.7;text-align:${align}"><i>null</i></td>`);
    }
  });
  await t.step("a fraction has seven digits, its value is in the title", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[0.1 + 0.2], [1 / 3], [2.5], [123456789.25]] });
    assertEquals(view["text/plain"].split("\n").slice(2).map((line) => line.trim()), [
      "0.3",
      "0.3333333",
      "2.5",
      "123456800",
    ]);
    assertStringIncludes(view["text/html"]!, `title="0.30000000000000004">0.3</td>`);
    assertStringIncludes(view["text/html"]!, ">2.5</td>");
  });
  await t.step("numbers that are none", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[NaN], [Infinity], [-Infinity], [null], [-0]] });
    for (const text of ["NaN", "Infinity", "-Infinity", "null"]) assertStringIncludes(view["text/plain"], text);
  });
  await t.step("rows that nobody has counted", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[1]], total: null });
    assertStringIncludes(view["text/plain"], "x: rows not counted × 1 column; the first 1 are here");
  });
  await t.step("more rows than are sent", () => {
    const rows = Array.from({ length: 1000 }, (_, index) => [index]);
    const html = tableView({ caption: "x", columns: ["a"], rows, total: 15_000_000 })["text/html"]!;
    assertStringIncludes(html, "15,000,000 rows × 1 column; the first 1,000 are here");
    assertStringIncludes(html, "<small>only the first 1,000 of 15,000,000 rows are searched</small>");
  });
  await t.step("more rows than were counted", () => {
    const html = tableView({ caption: "x", columns: ["a"], rows: [[1]], total: null })["text/html"]!;
    assertStringIncludes(html, "<small>only the first 1 rows are searched</small>");
  });
  await t.step("long values say how far they are searched", () => {
    const html = tableView({ caption: "x", columns: ["a"], rows: [["x".repeat(3000)]] })["text/html"]!;
    assertStringIncludes(html, "<small>long values are searched in their first 2,000 characters</small>");
  });
  await t.step("cells of 300 kB", () => {
    const view = tableView({
      caption: "x",
      columns: ["a"],
      rows: Array.from({ length: 600 }, () => ["acgt".repeat(75_000)]),
    });
    assert(view["text/html"]!.length < 200_000, `${view["text/html"]!.length} letters`);
    assertStringIncludes(view["text/plain"], "600 rows");
  });
  await t.step("200 columns", () => {
    const columns = Array.from({ length: 200 }, (_, index) => `c${index}`);
    const view = tableView({ caption: "x", columns, rows: Array.from({ length: 1000 }, () => columns) });
    assert(view["text/html"]!.length < 250_000, `${view["text/html"]!.length} letters`);
    assertFalse(view["text/html"]!.includes("are searched"), "all 1,000 rows fit");
  });
});

/** The columns that a table sends to its script. */
function sentColumns(bundle: MediaBundle): unknown[][] {
  const [, type, text] = /<script type="([^"]*)">([^<]*)<\/script>/.exec(bundle["text/html"]!)!;
  return JSON.parse(type === "application/json" ? text : gunzipSync(Buffer.from(text, "base64")).toString());
}

Deno.test("a table sends as many rows as fit in 200 kB compressed, and at least 1,000", async (t) => {
  const bytesOf = (view: MediaBundle) =>
    /<script type="text\/plain">([^<]*)</.exec(view["text/html"]!)![1].length * 3 / 4;
  const random = Array.from({ length: 60_000 }, (_, index) => createHash("md5").update(String(index)).digest("hex"));
  await t.step("5,000 rows are all there", () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [`vj${String(index).padStart(12, "0")}`, index % 75, null]);
    const view = tableView({ caption: "x", columns: ["a", "b", "c"], rows });
    assertEquals(sentColumns(view), [0, 1, 2].map((column) => rows.map((row) => row[column])));
    assertFalse(view["text/html"]!.includes("are searched"));
  });
  await t.step("of what hardly compresses, the first", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: random.map((text) => [text]) });
    const [column] = sentColumns(view);
    assertEquals(column, random.slice(0, column.length));
    assert(bytesOf(view) <= 200_000 && bytesOf(view) > 180_000, `${bytesOf(view)} bytes`);
    assertStringIncludes(
      view["text/html"]!,
      `<small>only the first ${column.length.toLocaleString("en")} of 60,000 rows are searched</small>`,
    );
  });
  await t.step("of wide rows 1,000, with less of each value", () => {
    const rows = Array.from(
      { length: 1500 },
      (_, row) => Array.from({ length: 30 }, (_, n) => random[row * 30 + n].repeat(5)),
    );
    const columns = rows[0].map((_, index) => `c${index}`);
    const view = tableView({ caption: "x", columns, rows });
    assertEquals(sentColumns(view)[0].length, 1000);
    assertStringIncludes(
      view["text/html"]!,
      "only the first 1,000 of 1,500 rows are searched; long values are searched in",
    );
  });
});

Deno.test("a ledger is green when complete and says why when not", () => {
  const good = ledgerView(closeLedger({ asked: 3, promised: 3, received: 3 }));
  const bad = ledgerView(
    closeLedger({ asked: 3, received: 2, missing: ["vj000000000003"], unparsed: 1, warnings: ["odd"] }),
  );

  assertStringIncludes(good["text/html"]!, "#2e7d32");
  assertStringIncludes(bad["text/html"]!, "#c62828");
  assertEquals(bad["text/plain"].split("\n"), [
    "Incomplete: asked for 3, received 2, missing 1 (vj000000000003), unreadable 1",
    "  ✗ 1 of 3 asked for did not come: vj000000000003",
    "  ✗ 1 row could not be read",
    "  ! odd",
  ]);
});

Deno.test("a ledger of an older toolkit, without unasked records, is shown", () => {
  const { unasked: _, ...older } = closeLedger({ asked: 2, received: 2 });

  assertEquals(ledgerView(older as Ledger)["text/plain"], "Complete: asked for 2, received 2");
});

Deno.test("a ledger tells a whole page from a whole result", () => {
  const words = (counts: Parameters<typeof closeLedger>[0]) => ledgerView(closeLedger(counts))["text/plain"];

  assertEquals(words({ promised: 75, received: 10 }), "Complete page: 75 match, this page holds 10");
  assertEquals(words({ promised: 75, received: 75 }), "Complete: 75 match, received 75");
  assertEquals(
    words({ promised: 75, received: 70, reasons: ["the rest did not come"] }).split("\n")[0],
    "Incomplete: 75 match, received 70",
  );
});

Deno.test("a page says which records it holds, and a search without a match is not green", async (t) => {
  const provenance = (request: unknown) => ({
    operation: "search",
    registry: "http://registry.test",
    request,
    bytes: 0,
    sha256: null,
    started: "2026-01-31T10:00:00.000Z",
    finished: "2026-01-31T10:00:01.000Z",
    toolkit: "seqreg",
  });
  const rows: Record<string, [counts: Parameters<typeof closeLedger>[0], request: unknown, words: string]> = {
    "the first": [
      { promised: 112, received: 20 },
      { query: "a", pageSize: 20 },
      "Complete page: records 1 to 20 of 112: page 1",
    ],
    "the last": [
      { promised: 112, received: 12 },
      { query: "a", pageSize: 20, pageNumber: 6 },
      "Complete page: records 101 to 112 of 112: page 6",
    ],
    "sizes by default": [
      { promised: 112, received: 50 },
      { query: "a" },
      "Complete page: records 1 to 50 of 112: page 1",
    ],
    "beyond the last": [
      { promised: 112, received: 0 },
      { query: "a", pageSize: 20, pageNumber: 9 },
      "Complete page: no records on page 9: 112 match, on 6 pages of 20",
    ],
    "one that lacks some": [
      { promised: 112, received: 18, reasons: ["two are not there"] },
      { query: "a", pageSize: 20 },
      "Incomplete: records 1 to 18 of 112: page 1",
    ],
    "all of them": [{ promised: 20, received: 20 }, { query: "a", pageSize: 20 }, "Complete: 20 match, received 20"],
    "several requests that lack some": [
      { promised: 112, received: 18, reasons: ["a page broke"] },
      { query: "a", pageSize: 20, pages: 2 },
      "Incomplete: 112 match, received 18",
    ],
    "none": [{ promised: 0, received: 0 }, { query: "a" }, "No records match"],
  };
  for (const [name, [counts, request, words]] of Object.entries(rows)) {
    await t.step(name, () => {
      const view = ledgerView(closeLedger(counts), provenance(request));
      assertEquals(view["text/plain"].split("\n")[0], words);
      assertEquals(view["text/html"]!.includes("✓"), words.startsWith("Complete"));
      assertEquals(view["text/html"]!.includes("#2e7d32"), words.startsWith("Complete"));
    });
  }
});

Deno.test("600 sequences of 20,000 bases are strips, and less than 150 kB", () => {
  const rows = Array.from({ length: 600 }, (_, row) => {
    const sequence = Array.from({ length: 2000 }, (_, at) => ((row + at) % 7 < 3 ? "GCGCGCATAT" : "ATATGCATNN")).join(
      "",
    );
    return [`vj${String(row).padStart(12, "0")}`, sequence.length, 0.42, sequence];
  });
  const started = performance.now();
  const view = tableView({ caption: "sequences", columns: ["Registry Accession", "length", "gc", "sequence"], rows });

  assert(performance.now() - started < 5000);
  assert(view["text/html"]!.length < 150_000, `${view["text/html"]!.length} letters`);
  assertStringIncludes(view["text/html"]!, `alt="20,000 bases, GC `);
  assertEquals(view["text/html"]!.match(/<img src="data:image\/png;base64,/g)?.length, 20);
  assertStringIncludes(view["text/html"]!, "the share of G and C along it");
  checkBundle(view);
});

Deno.test("a column named sequence that holds no sequences stays text", () => {
  const view = tableView({ caption: "x", columns: ["sequence"], rows: [["<b>not letters only, but long enough</b>"]] });

  assertFalse(view["text/html"]!.includes("<img"));
  checkBundle(view);
});

Deno.test("lists that the toolkit gives show themselves as tables, other lists as they are", async () => {
  const problem = { row: 3, field: "Host Age", value: "37 years", reason: "no integer", kept: true };
  const definition = { name: "Country", alias: "country", type: "string", description: "", unit: "", example: "Peru" };
  const hit = { id: "1", score: null, source: { Country: "Peru" } };

  assertStringIncludes((await viewOfKnown([problem]))!["text/plain"], "problems: 1 row × 5 columns");
  assertStringIncludes((await viewOfKnown([definition]))!["text/plain"], "definitions: 1 row × 6 columns");
  assertStringIncludes((await viewOfKnown([hit]))!["text/plain"], "hits: 1 row × 3 columns");
  for (const other of [[{ a: 1 }], [], [1], "text", null, undefined, 3n, { complete: true }]) {
    assertEquals(await viewOfKnown(other), undefined);
  }
});

Deno.test("only the first 1,000 rows of a lazy frame are computed, and nobody counts the rest", async () => {
  const { default: pl } = await import("nodejs-polars");
  const numbers = pl.DataFrame({ n: Array.from({ length: 2000 }, (_, index) => index) });

  assertStringIncludes(
    (await viewOf(numbers.lazy()))["text/plain"],
    "lazy frame: rows not counted × 1 column; the first 1,000 are here",
  );
  assertStringIncludes((await viewOf(numbers.head(3).lazy(), "few"))["text/plain"], "few: 3 rows × 1 column");
});

Deno.test("a value's own display wins", async () => {
  const value = { [DISPLAY]: () => ({ "text/plain": "mine" }) };

  assertEquals(await viewOf(value), { "text/plain": "mine" });
});

Deno.test("a polars frame is shown with its types, big integers exact", async () => {
  const { default: pl } = await import("nodejs-polars");
  const frame = pl.DataFrame([
    pl.Series("name", ["a", null]),
    pl.Series("count", ["1152921504606846976", "7"]).cast(pl.Int64),
    pl.Series("day", [new Date("1874-12-08T00:00:00Z"), null]),
    pl.Series("parts", [["x", "y"], []]),
    pl.DataFrame({ a: [1, 2], b: ["<b>", "y"] }).toStruct("pair"),
  ]);
  const view = await viewOf(frame, "counts");

  for (
    const text of [
      "counts: 2 rows × 5 columns",
      "1152921504606846976",
      "1874-12-08",
      "List(String)",
      "Struct",
      '["x","y"]',
    ]
  ) {
    assertStringIncludes(view["text/plain"], text);
  }
  checkBundle(view);
});

Deno.test("a column of days shows days, one of instants the time too", async () => {
  const { default: pl } = await import("nodejs-polars");
  const frame = pl.DataFrame([pl.Series("at", [new Date("2013-12-08T10:30:00Z")])]);
  const view = await viewOf(frame.withColumns(pl.col("at").cast(pl.Date).alias("day")));

  assertStringIncludes(view["text/plain"], "2013-12-08T10:30:00.000Z");
  assertMatch(view["text/plain"], /2013-12-08\s*$/m);
});

Deno.test("a frame without rows or without columns still says what it is", async () => {
  const { default: pl } = await import("nodejs-polars");

  assertStringIncludes((await viewOf(pl.DataFrame({ a: [1] }).head(0)))["text/plain"], "frame: 0 rows × 1 column");
  assertStringIncludes((await viewOf(pl.DataFrame({})))["text/plain"], "frame: 0 rows × 0 columns");
});

Deno.test("a frame of nested columns is shown, though polars gives no rows of it", async () => {
  const { default: pl } = await import("nodejs-polars");
  const view = await viewOf(pl.DataFrame({ big: [2n ** 60n], part: [{ a: 1, b: ["<b>"] }] }));

  assertStringIncludes(view["text/plain"], "1152921504606846976");
  assertStringIncludes(view["text/plain"], '{"a":1,"b":["<b>"]}');
  checkBundle(view);
});
