/** Each line of the threat table in SECURITY.md names the files that test it. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);

Deno.test("every threat of SECURITY.md names test files that exist and hold tests", async () => {
  const text = await Deno.readTextFile(new URL("SECURITY.md", ROOT));
  const rows = text.slice(text.indexOf("## Threats")).split("\n").filter((line) => line.startsWith("| ")).slice(2);
  assert(rows.length >= 20, `${rows.length} rows`);
  const faults: string[] = [];
  for (const row of rows) {
    const cells = row.split("|").slice(1, -1).map((cell) => cell.trim());
    const files = [...(cells[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, file]) => file);
    if (cells.length !== 3 || files.length === 0) faults.push(`no test: ${row}`);
    for (const file of files) {
      const code = await Deno.readTextFile(new URL(file, ROOT)).catch(() => "");
      const isTest =
        /\bDeno\.test\(|^\s*test[A-Z]\w*\(|Deno\.exit(?:Code)?\b|: FuzzRoom|: OpenRoom|Promise<FuzzRoom>|goal: \{/m
          .test(code);
      if (!isTest) faults.push(`${file}: absent, or no test`);
    }
  }
  assertEquals(faults, []);
});

Deno.test("SECURITY.md invents no address", async () => {
  const text = await Deno.readTextFile(new URL("SECURITY.md", ROOT));
  assertEquals(text.match(/https?:\/\/\S+|\S+@\S+/g), null);
});
