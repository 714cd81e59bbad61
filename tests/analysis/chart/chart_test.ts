import { assert, assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import { Buffer } from "node:buffer";
import { chart, type ChartMeta, describeSource } from "../../../src/analysis/chart/chart.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";
import { inFolder } from "../../_files.ts";

const META: ChartMeta = {
  title: "Records by host",
  description: "Two hosts, most records from the first.",
  source: { n: 42, missing: 3, excluded: 1, records: "all", snapshot: "2026-01-31" },
};
const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `]]></svg><svg onload=alert(1)>`,
  "nul\0 escape\x1b[31m bell\x07 del\x7f",
  "turned\u202eround\u2066",
  "half \ud800 pair",
  "not a letter \uffff",
  "a &amp; b &#0; </title></desc>",
  "x".repeat(300),
];

function bars(names: readonly string[]) {
  const rows = names.map((name, index) => ({ name, records: index + 1 }));
  return (plot: typeof import("@observablehq/plot")) => ({ marks: [plot.barX(rows, { x: "records", y: "name" })] });
}

Deno.test("chart() surrounds the picture with title, description and source line", async () => {
  const picture = await chart(bars(["Homo sapiens", "Sus scrofa"]), {
    ...META,
    legend: [{ label: "hosts", colour: "#0072b2" }],
  });

  assertStringIncludes(picture.svg, `role="img"`);
  assertEquals(picture.svg.match(/aria-label=/g)?.length, 1, "only the whole picture has a name");
  assertStringIncludes(picture.svg, "<title>Records by host</title><desc>Two hosts");
  assertStringIncludes(picture.svg, "n = 42 records; 1 excluded; 3 without a value. All records. Data of 2026-01-31.");
  for (const text of ["Homo sapiens", "Sus scrofa", "hosts"]) assertStringIncludes(picture.svg, `>${text}</text>`);
  assertEquals(XMLValidator.validate(picture.svg), true);
});

Deno.test("chart() gives the same bytes for the same input, without ids that could clash", async () => {
  const first = await chart(bars(["a", "b"]), META);
  const second = await chart(bars(["a", "b"]), META);

  assertEquals(first.svg, second.svg);
  assertEquals(first[DISPLAY](), second[DISPLAY]());
  assertNotEquals(first.svg, (await chart(bars(["a", "c"]), META)).svg);
  assertEquals(/\sid="/.test(first.svg), false);
});

Deno.test("chart() lets no text of the data be more than text", async (t) => {
  for (const text of HOSTILE) {
    await t.step(JSON.stringify(text).slice(0, 40), async () => {
      const picture = await chart(bars([text, "plain"]), {
        ...META,
        title: text,
        subtitle: text,
        description: text,
        notes: [text],
        legend: [{ label: text, colour: text }],
        legendTitle: text,
        source: { n: 1, name: text, snapshot: text },
      });
      const html = picture[DISPLAY]()["text/html"] ?? "";

      assertEquals(XMLValidator.validate(picture.svg), true);
      // deno-lint-ignore no-control-regex
      assertEquals(/[\x00-\x08\x0b-\x1f\x7f\u202e\u2066]/.test(picture.svg + html + picture), false);
      assertEquals(picture.svg.includes("\uffff"), false);
      assertEquals(/<script>(?!\(\(\)=>)|<img (?!class="seqreg-svg")|<svg onload/.test(picture.svg + html), false);
    });
  }
});

Deno.test("chart() shows an image where scripts and inline SVG are taken away", async () => {
  const picture = await chart(bars(["a"]), META);
  const html = picture[DISPLAY]()["text/html"] ?? "";
  const image = /<img [^>]*alt="([^"]*)"[^>]*src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html);

  assertEquals(image?.[1], "Records by host. Two hosts, most records from the first.");
  assertEquals(Buffer.from(image?.[2] ?? "", "base64").toString(), picture.svg);
  assertEquals(html.includes("<svg"), false);
});

Deno.test("chart() refuses what says nothing, before it draws", async (t) => {
  const refusals: Record<string, [meta: ChartMeta, says: string, type?: typeof RangeError]> = {
    "no title": [{ ...META, title: " " }, "meta.title"],
    "no description": [{ ...META, description: "" }, "meta.description"],
    "half a record": [{ ...META, source: { n: 0.5 } }, "meta.source.n", RangeError],
    "less than none": [{ ...META, source: { n: 1, missing: -1 } }, "meta.source.missing", RangeError],
  };
  for (const [fault, [meta, says, type = TypeError]] of Object.entries(refusals)) {
    await t.step(fault, async () => {
      await assertRejects(() => chart({ marks: [] }, meta), type, says);
    });
  }
});

Deno.test("Chart.save() writes SVG and PNG, whole or not at all", async () => {
  await inFolder(async (folder) => {
    const picture = await chart(bars(["a"]), META);
    await picture.save(`${folder}/a.svg`);
    await picture.save(`${folder}/dark.svg`, { theme: "dark" });
    await picture.save(`${folder}/a.PNG`, { scale: 1 });
    const svg = await Deno.readTextFile(`${folder}/a.svg`);
    const png = await Deno.readFile(`${folder}/a.PNG`);

    assertStringIncludes(svg, `fill="#ffffff"`);
    assertEquals(XMLValidator.validate(svg), true);
    assertStringIncludes(await Deno.readTextFile(`${folder}/dark.svg`), `fill="#111111"`);
    assertEquals([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assertEquals(new DataView(png.buffer).getUint32(16), picture.width);

    await assertRejects(
      () => picture.save(`${folder}/a.jpg`),
      TypeError,
      "expected a name that ends with .svg or .png",
    );
    await assertRejects(() => picture.save(`${folder}/b.png`, { scale: 0 }), RangeError, "0.1 to 10");
    const aborted = AbortSignal.abort(new Error("stopped"));
    await assertRejects(() => picture.save(`${folder}/c.svg`, { signal: aborted }), Error, "stopped");
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, ["a.PNG", "a.svg", "dark.svg"]);
  });
});

Deno.test("describeSource() names what is not stated", () => {
  assertEquals(
    describeSource({ n: 1 }),
    "n = 1 record. Not stated whether all or unique records. Day of the data not stated.",
  );
  assertEquals(describeSource({ n: 1, unit: "clusters" }), "n = 1 cluster. Day of the data not stated.");
});

Deno.test("importing the analyses loads no drawing library, and the friendly face and the program no analysis", async () => {
  const loaded = await loadedWith("src/analysis/mod.ts");
  assertEquals(loaded.filter((name) => name.startsWith("npm:")), []);
  assert(loaded.some((name) => name.endsWith("/src/analysis/chart/chart.ts")));
  for (const entry of ["mod.ts", "src/cli/main.ts"]) {
    assertEquals((await loadedWith(entry)).filter((name) => name.includes("/src/analysis/")), []);
  }
});

/** Modules that are loaded when a module is imported. */
async function loadedWith(entry: string): Promise<string[]> {
  const root = new URL("../../../", import.meta.url);
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry], cwd: root }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: readonly Module[] };
  const found = new Set<string>();
  const visit = (specifier: string) => {
    if (found.has(specifier)) return;
    found.add(specifier);
    for (const { code, isDynamic } of modules.find((module) => module.specifier === specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined && isDynamic !== true) visit(code.specifier);
    }
  };
  visit(new URL(entry, root).href);
  return [...found];
}

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string }; readonly isDynamic?: boolean }[];
}

Deno.test("Chart.save() writes notes as they are, a dollar sign before a quote too", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const picture = await chart(bars(["a"]), { ...META, notes: ['Costs are in "US$"'] });
    await picture.save(`${folder}/a.svg`);
    const svg = await Deno.readTextFile(`${folder}/a.svg`);
    assertEquals(XMLValidator.validate(svg), true);
    assertStringIncludes(svg, "US$&#34;");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
