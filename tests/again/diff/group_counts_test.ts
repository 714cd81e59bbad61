import { assertEquals } from "@std/assert";
import { withDiff } from "./_versions.ts";

Deno.test("groups of differing records are in the order of their values, those without one last", async () => {
  const header = ["id", "Country", "Collection Date"];
  const before = [header, ["a", "Aruba", "2001"], ["b", "", "1999"]];
  const after = [header, ["c", "Zambia", "2010"], ["d", "Mali", ""]];
  await withDiff(before, after, {}, ({ tables: [{ countries, years }] }) => {
    assertEquals(countries, [
      { value: "Aruba", added: 0, removed: 1, changed: 0 },
      { value: "Mali", added: 1, removed: 0, changed: 0 },
      { value: "Zambia", added: 1, removed: 0, changed: 0 },
      { value: null, added: 0, removed: 1, changed: 0 },
    ]);
    assertEquals(years.map(({ value }) => value), ["1999", "2001", "2010", null]);
  });
});

Deno.test("NA is Namibia among codes of countries, and no country among names", async () => {
  const rows = (countries: readonly string[]) => [
    ["id", "Country"],
    ...countries.map((country, index) => [`r${index}`, country]),
  ];
  for (const [others, value] of [[["KE", "ZA", "PE"], "NA"], [["Kenya", "Peru", "Mali"], null]] as const) {
    await withDiff(rows(others), rows([...others, "NA", ""]), {}, ({ tables: [{ countries }] }) => {
      const added = (value: string | null, added: number) => ({ value, added, removed: 0, changed: 0 });
      assertEquals(countries, value === null ? [added(null, 2)] : [added(value, 1), added(null, 1)]);
    });
  }
});
