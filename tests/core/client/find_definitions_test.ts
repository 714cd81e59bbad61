import { assertEquals, assertRejects } from "@std/assert";
import { findDefinitions, RegistryClient } from "../../../src/core/client/mod.ts";
import { ParseError } from "../../../src/core/errors.ts";

const FIELDS = [
  { x_name: "Sequence Length", x_field_id: "len", x_fields_type: "integer" },
  { x_name: "Country", x_field_id: "country", x_fields_type: "keyword" },
  { x_name: "Reference Record", x_field_id: "is_reference", x_fields_type: "boolean" },
];

/** A client of a registry that defines the fields asked for by public names, and the operations that it was asked. */
function startClient(answer: (rows: typeof FIELDS, accept: string) => Response) {
  const asked: string[] = [];
  const client = new RegistryClient("http://127.0.0.1:8080", {
    fetch: async (request) => {
      asked.push(new URL(request.url).pathname.split("/v2/")[1]);
      if (request.url.endsWith("/search")) {
        const source = Object.fromEntries(FIELDS.map(({ x_name }) => [x_name, null]));
        return Response.json({ total: 1, results: [{ id: "1", score: null, source }], facets: {}, query: "" });
      }
      const { fields }: { fields: string[] } = await request.json();
      return answer(FIELDS.filter(({ x_name }) => fields.includes(x_name)), request.headers.get("accept") ?? "");
    },
  });
  return { client, asked };
}

const typesOf = async (client: RegistryClient, fields: readonly string[]) =>
  (await findDefinitions(client, fields)).definitions.map(({ name, alias, type }) => [name, alias, type]);

Deno.test("findDefinitions() finds those of aliases through the public names of one record", async () => {
  const { client, asked } = startClient((rows) => Response.json(rows));
  assertEquals(await typesOf(client, ["registry_accession", "len", "is_reference"]), [
    ["Sequence Length", "len", "integer"],
    ["Reference Record", "is_reference", "boolean"],
  ]);
  assertEquals(asked, ["metadata/download", "search", "metadata/download"]);
});

Deno.test("findDefinitions() takes a name in snake case for the alias where definitions have none", async () => {
  const { client } = startClient((rows) => Response.json(rows.map(({ x_field_id: _, ...row }) => row)));
  assertEquals(await typesOf(client, ["sequence_length"]), [["Sequence Length", "sequence_length", "integer"]]);
});

Deno.test("findDefinitions() asks no more than it needs", async () => {
  const { client, asked } = startClient((rows) => Response.json(rows));
  assertEquals(await typesOf(client, ["Country", "Sequence Length"]), [
    ["Country", "country", "string"],
    ["Sequence Length", "len", "integer"],
  ]);
  assertEquals(asked, ["metadata/download"]);
});

Deno.test("findDefinitions() takes CSV, whatever separates it, where a registry has no JSON", async () => {
  const { client } = startClient((rows) =>
    new Response(
      [
        "\uFEFFx_field_id;x_name;x_fields_type",
        ...rows.map((row) => `${row.x_field_id};${row.x_name};${row.x_fields_type}`),
      ]
        .join("\r\n"),
    )
  );
  assertEquals(await typesOf(client, ["Country", "Sequence Length"]), [
    ["Country", "country", "string"],
    ["Sequence Length", "len", "integer"],
  ]);
});

Deno.test("findDefinitions() refuses what is not a list of definitions", async () => {
  const { client } = startClient(() => new Response("the service is down"));
  await assertRejects(() => findDefinitions(client, ["Country"]), ParseError, "expected JSON, or CSV");
});

Deno.test("findDefinitions() reads an object by name: without definitions, and with members called key", async () => {
  const none = startClient(() => Response.json({})).client;
  assertEquals((await findDefinitions(none, ["Country"])).recognised, {});
  const { client } = startClient(() =>
    Response.json({
      Country: { name: "Country", key: "country", type: "keyword" },
      "Sequence Length": { name: "Sequence Length", key: "sequence_length", type: "integer" },
    })
  );
  assertEquals(await typesOf(client, ["Country", "Sequence Length"]), [
    ["Country", "country", "string"],
    ["Sequence Length", "sequence_length", "integer"],
  ]);
  const labelled = startClient(() =>
    Response.json({
      Country: { name: "Where", key: "c1", type: "boolean" },
      Host: { name: "Whose", key: "h1", type: "date" },
    })
  ).client;
  assertEquals(await typesOf(labelled, ["Country", "Host"]), [["Country", "", "boolean"], ["Host", "", "date"]]);
});
