import { Buffer } from "node:buffer";
import { deflateSync, inflateSync } from "node:zlib";
import { assert, assertEquals } from "@std/assert";
import { chart } from "../../../src/analysis/chart/chart.ts";
import { compareOutputs } from "../../../src/again/replay/compare_outputs.ts";
import type { CellOutput } from "../../../src/again/replay/notebook_file.ts";
import { tableView } from "../../../src/jupyter/notebook/table_view.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";
import { testAlone } from "../../_test_alone.ts";

const stream = (text: unknown, name = "stdout"): CellOutput => ({ output_type: "stream", name, text });
const shown = (data: unknown): CellOutput => ({ output_type: "display_data", data, metadata: {} });

async function picture(rows: readonly { readonly host: string; readonly records: number }[]): Promise<CellOutput> {
  const drawn = await chart(
    (plot) => ({ marks: [plot.barX([...rows], { x: "records", y: "host" })] }),
    { title: "Records by host", description: "Hosts.", source: { n: 42 } },
  );
  return shown(drawn[DISPLAY]());
}

Deno.test("printed text is compared as a whole, however it was split; progress is left out", () => {
  const progress = shown({ "text/html": '<div class="seqreg-data" role="status"><progress></progress> 3 of 4</div>' });
  assertEquals(compareOutputs([stream(["a\n", "b\n"])], [progress, stream("a\n"), stream("b\n")]), []);
  const [difference] = compareOutputs([stream("a\n"), stream("x", "stderr")], [stream("b\n"), stream("x", "stderr")]);
  assertEquals(difference, { what: "text", old: "a\n", new: "b\n" });
  assertEquals(compareOutputs([stream("\x1b[33m75\x1b[39m")], [stream("75")]), [], "colours do not count");
  const passing = (time: string, name: string) => [stream(`at ${time} in /tmp/${name}/a.csv, 3 records`)];
  const again = passing("2026-02-01T00:00:01.5Z", "cd-ef");
  assertEquals(compareOutputs(passing("2026-01-31T12:00:00Z", "ab12"), again), []);
  assertEquals(compareOutputs(again, [stream("at 2026-02-01T00:00:01Z in /tmp/x/a.csv, 4 records")]).length, 1);
  const error: CellOutput = { output_type: "error", ename: "TypeError", evalue: "no", traceback: ["at 1"] };
  assertEquals(compareOutputs([error], [{ ...error, traceback: ["at 2"] }]), []);
  assertEquals(compareOutputs([error], []).map(({ what, new: now }) => [what, now]), [["error", null]]);
});

Deno.test("views are compared by what a reader sees, pictures by the numbers that they draw", async () => {
  const view = (value: string) =>
    shown(tableView({ caption: "t", columns: ["accession", "Country"], rows: [["a", value], ["b", "Peru"]] }));
  const broken = shown({ "text/html": '<img src="data:image/svg+xml;base64,%%">' });
  assertEquals(compareOutputs([broken], [broken]), [], "a saved notebook may hold anything");
  const [one, again] = [view("Kenya"), view("Kenya")];
  assert(JSON.stringify(one) !== JSON.stringify(again), "a view has an id of its own");
  assertEquals(compareOutputs([one], [again]), []);
  assertEquals(compareOutputs([one], [view("Togo")]).length, 1);

  const hosts = [{ host: "Homo sapiens", records: 30 }, { host: "Sus scrofa", records: 12 }];
  const [before, now] = [await picture(hosts), await picture([hosts[0], { host: "Sus scrofa", records: 13 }])];
  assertEquals(compareOutputs([before], [await picture(hosts)]), []);
  const [difference] = compareOutputs([before], [now]);
  assertEquals(difference.what, "picture, mark 2");
  assertEquals([difference.old?.includes("12"), difference.new?.includes("13")], [true, true]);
});

Deno.test("a picture of another library is compared by positions of its shapes, not by colours", () => {
  const svg = (height: number, fill: string) =>
    shown({ "image/svg+xml": `<svg><rect fill="${fill}" x="1" height="${height}"/></svg>`, "text/plain": "x" });
  assertEquals(compareOutputs([svg(20, "red")], [svg(20.001, "blue")]), []);
  assertEquals(compareOutputs([svg(20, "red")], [svg(21, "red")]).map(({ what }) => what), ["picture, mark 1"]);
});

Deno.test("a picture within a picture is compared by its content", () => {
  const svg = (data: string, prefix = "") =>
    shown({ "image/svg+xml": `<svg><image id="${data}" ${prefix}href="data:image/png;base64,${data}" x="1"/></svg>` });
  for (const prefix of ["", "xlink:"]) {
    assertEquals(compareOutputs([svg("AAAA", prefix)], [svg("AAAA")]), []);
    assertEquals(compareOutputs([svg("AAAA", prefix)], [svg("AAAB", prefix)]).map(({ what }) => what), [
      "picture, mark 1",
    ]);
  }
  const link = (id: string) => shown({ "image/svg+xml": `<svg><use href="#${id}" x="1"/></svg>` });
  assertEquals(compareOutputs([link("a1")], [link("b2")]), [], "ids are those of a run");
});

Deno.test("strips of sequences are compared by their pixels, however these were compressed", () => {
  const view = (sequence: string) =>
    tableView({ caption: "t", columns: ["accession", "sequence"], rows: [["a", sequence], ["b", "ACGT".repeat(50)]] });
  const sequence = "ACGT".repeat(50);
  const html = String(view(sequence)["text/html"]);
  const [, base64] = /src="data:image\/png;base64,([^"]*)"/.exec(html)!;
  const png = Buffer.from(base64, "base64");
  const start = png.indexOf("IDAT");
  const pixels = inflateSync(png.subarray(start + 4));
  const packed = deflateSync(pixels, { level: 0 });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(packed.length);
  const end = start + 4 + png.readUInt32BE(start - 4);
  const other = Buffer.concat([png.subarray(0, start - 4), length, Buffer.from("IDAT"), packed, png.subarray(end)]);
  const again = html.replace(base64, other.toString("base64"));
  assert(again !== html);
  const compare = (before: unknown, now: unknown) =>
    compareOutputs([shown({ "text/html": before })], [shown({ "text/html": now })]).map(({ what }) => what);
  assertEquals(compare(html, again), []);
  const changed = Buffer.from(pixels);
  changed[1]++;
  const redrawn = Buffer.concat([png.subarray(0, start + 4), deflateSync(changed), png.subarray(end)]);
  redrawn.writeUInt32BE(deflateSync(changed).length, start - 4);
  assertEquals(compare(html, html.replace(base64, redrawn.toString("base64"))), ["pictures of pixels"]);
  const gif = (data: string) => `<img alt="x" src="data:image/gif;base64,${data}">`;
  assertEquals([compare(gif("R0lG"), gif("R0lG")), compare(gif("R0lG"), gif("R0lH"))], [[], ["pictures of pixels"]]);
});

Deno.test("alternative texts and addresses of pictures in HTML are compared, those of a chart once", async () => {
  const compare = (before: string, now: string) =>
    compareOutputs([shown({ "text/html": before })], [shown({ "text/html": now })])
      .map(({ what, old, new: fresh }) => [what, old, fresh]);
  const drawing = Buffer.from('<svg><rect x="1"/></svg>').toString("base64");
  for (const source of ["figure.png", "data:image/gif;base64,R0lG", `data:image/svg+xml;base64,${drawing}`]) {
    const image = (alternative: string) => `<img class='a' src='${source}' alt="${alternative}">`;
    assertEquals(compare(image("30 &lt; 31"), image("30 &lt; 31")), []);
    const [[what, old, now], ...more] = compare(image("30 &lt; 31"), image("30 &lt; 32"));
    assertEquals([what, old?.split(" fig")[0], now?.split(" fig")[0], more], ["text", "30 < 31", "30 < 32", []]);
  }
  assertEquals(compare('<img src="a.png">', '<img src="b.png">'), [["text", "a.png", "b.png"]]);
  const drawn = (description: string) =>
    chart((plot) => ({ marks: [plot.barX([{ x: 1 }], { x: "x" })] }), { title: "t", description, source: { n: 1 } });
  const [one, other] = [await drawn("One host."), await drawn("Two hosts.")].map((picture) =>
    shown(picture[DISPLAY]())
  );
  assertEquals(compareOutputs([one], [other]).map(({ what }) => what), ["picture, text"]);
});

const TMPDIR_ONLY = {
  name: "names in the temporary directory that TMPDIR names are left out too",
  ignore: Deno.build.os === "windows",
};

testAlone(import.meta.url, TMPDIR_ONLY, () => {
  Deno.env.delete("TMPDIR");
  const printed = (folder: string, name: string) => [stream(`wrote ${folder}/${name}/a.csv`)];
  for (const folder of ["/scratch/user (1)", "/tmp/user"]) {
    assertEquals(compareOutputs(printed(folder, "ab12"), printed(folder, "cd34")).length, 1, "without TMPDIR");
    Deno.env.set("TMPDIR", `${folder}/`);
    assertEquals(compareOutputs(printed(folder, "ab12"), printed(folder, "cd34")), [], folder);
    assertEquals(compareOutputs(printed(folder, "ab12"), [stream(`wrote ${folder}/cd34/b.csv`)]).length, 1);
    assertEquals(compareOutputs(printed("/tmp", "ab12"), printed(folder, "cd34")), [], "saved on another machine");
    Deno.env.delete("TMPDIR");
  }
});
