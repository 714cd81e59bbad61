/** Values with characters that XML cannot hold: the ledger of an XML export says that they are gone. */
import { assertEquals } from "@std/assert";
import { connect } from "../../../src/core/registry/connect.ts";
import { ExportRun } from "../../../src/core/registry/exports/export_run.ts";
import { makeArchives } from "../../embedded/service/_archives.ts";

Deno.test("an XML export that lacks NUL warns; a CSV has it and is silent", async () => {
  await using world = await makeArchives({ columns: ["Country"], rows: [["Ke\0nya"], ["Pe\x01ru\0"], ["Chad"]] });
  const options = { cacheFolder: world.cacheFolder };
  await using connection = await connect(world.folder, options);
  const request = (fileType: "csv" | "xml") => ({
    search: { query: "*", filter: [] },
    download: { scope: "max", information: "metadata", fileType } as const,
  });
  const { body } = await connection.client.download(request("xml"));
  const text = await new Response(body).text();
  assertEquals(text.endsWith("<!-- seqreg-left-out 3 -->\n</records>\n"), true, text.slice(-200));

  const ledgerOf = async (fileType: "csv" | "xml") => {
    const scope = { query: "*" };
    const run = new ExportRun(connection.client, { scope, information: "metadata", fileType });
    for await (const _ of run.bytes());
    const { complete, warnings } = run.ledger();
    return [complete, warnings];
  };
  assertEquals(await ledgerOf("csv"), [true, []]);
  assertEquals(await ledgerOf("xml"), [
    true,
    ["the XML lacks 3 characters of its values, such as NUL, which XML 1.0 cannot hold; a CSV has them"],
  ]);
});
