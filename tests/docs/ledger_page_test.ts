/** Holds the codes on `docs/ledger.md` to the table of codes. */
import { assert, assertEquals } from "@std/assert";
import { withCodeTables } from "../../tools/docs/_ledger_page.ts";
import { LEDGER_CODES } from "../../src/core/contract/ledger_codes.ts";

const page = await Deno.readTextFile(new URL("../../docs/ledger.md", import.meta.url));

Deno.test("docs/ledger.md lists the codes as they are: deno task commands writes it", () => {
  // The formatter pads the columns.
  const unpadded = (markdown: string) => markdown.replace(/-{3,}/g, "---").replace(/ +/g, " ").replace(/\n+/g, "\n");

  assertEquals(unpadded(page), unpadded(withCodeTables(page)));
  for (const code of Object.keys(LEDGER_CODES)) assert(page.includes(`| \`${code}\` `), code);
});
