import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createRegistryService, openStore } from "../../../../src/embedded/service/mod.ts";
import { MAX_PAGE_SIZE } from "../../../../src/embedded/service/store/limits.ts";
import { datasetFileNames } from "../../../../src/core/contract/datasets.ts";
import {
  DOWNLOAD_MEDIA_TYPES,
  FILE_TYPES,
  INFORMATION,
  KEYS,
  SCOPES,
} from "../../../../src/core/contract/enumerations.ts";
import { namingOf, SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { ENDPOINTS } from "../../../../src/core/contract/paths.ts";
import { fixtureDefinitions, writeFixture } from "../../../core/contract/_archives.ts";
import { openFixture, type RegistryUnderTest } from "../../../core/contract/_registry.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

async function describe({ service }: Pick<RegistryUnderTest, "service">): Promise<Json> {
  const response = await service(new Request("http://embedded/openapi.json"));
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
  return await response.json();
}

/** Gives every object below a value, with the path to it. */
function* objectsOf(value: Json, path = ""): Generator<[path: string, object: Json]> {
  if (typeof value !== "object" || value === null) return;
  yield [path, value];
  for (const [key, entry] of Object.entries(value)) yield* objectsOf(entry, `${path}/${key}`);
}

Deno.test("the description has the five operations, their enumerations and nothing else", async () => {
  await using registry = await openFixture(20);
  const { openapi, info, paths, components: { schemas } } = await describe(registry);
  const { properties: download } = schemas.DownloadRequest.properties.download;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const { parameters: [filename] } = paths["/v2/datasets_download"].get;
  const names = fixtureDefinitions().map(({ name }) => name);

  assertEquals([openapi, info.version], ["3.1.0", "2.0.2"]);
  assertEquals(operations.sort(), Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`).sort());
  assertEquals(filename.schema.enum, datasetFileNames());
  assertEquals(download.scope.enum, SCOPES);
  assertEquals(download.information.enum, INFORMATION);
  assertEquals(download.fileType.enum, FILE_TYPES);
  assertEquals(download.keys.anyOf[0].enum, KEYS);
  assertEquals(schemas.SearchRequest.properties.sortOrder.enum, ["asc", "desc"]);
  assertEquals(schemas.SearchRequest.properties.pageSize, {
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: 50,
    description: "Results per page",
  });
  const accession = { type: "string", pattern: "^vj[0-9]{12}$" };
  assertEquals(schemas.SequenceRequest.properties.registry_accessions.items, accession);
  assertEquals(download.selected_ids.items, accession);
  assertEquals(schemas.SearchRequest.properties.filter.items.required, ["field", "value"]);
  assertEquals(schemas.DefinitionsRequest.properties.fields.items, { type: "string" });
  assertEquals(schemas.FieldName.enum, names);
  assertEquals(schemas.FilterValue.anyOf[1].minItems, 1);
  assertEquals(schemas.Record.required, names);
  assertEquals(schemas.ValidationError.properties.detail.items.required, ["loc", "msg", "type"]);
  const types = new Set(Object.values(DOWNLOAD_MEDIA_TYPES).flatMap((types) => Object.values(types)));
  assertEquals(Object.keys(paths["/v2/download"].post.responses[200].content).sort(), [...types].sort());
});

Deno.test("every reference of the description points at something", async () => {
  await using registry = await openFixture(20);
  const document = await describe(registry);
  const used = new Set<string>();
  for (const [path, object] of objectsOf(document)) {
    if (typeof object.$ref !== "string") continue;
    assert(object.$ref.startsWith("#/"), path);
    const target = object.$ref.slice(2).split("/").reduce((at: Json, key: string) => at?.[key], document);
    assert(target !== undefined, `${path} points at ${object.$ref}, which there is not`);
    used.add(object.$ref.split("/").at(-1));
  }
  assertEquals([...used].sort(), Object.keys(document.components.schemas).sort());
});

Deno.test("the examples are what the registry answers", async (t) => {
  await using registry = await openFixture(60);
  const { paths } = await describe(registry);
  const examplesOf = (content: Json): [string, Json][] => Object.entries(content?.examples ?? {});
  let answers = 0;
  for (const [path, { post }] of Object.entries<Json>(paths)) {
    if (post === undefined) continue;
    const requests = examplesOf(post.requestBody.content["application/json"]);
    assert(requests.length >= 1, path);
    for (const [name, { value }] of requests) {
      await t.step(`${path} ${name}`, async () => {
        for (const [type, content] of Object.entries(post.responses[200].content)) {
          const shown = examplesOf(content).find(([answer]) => answer === name);
          if (shown === undefined) continue;
          answers++;
          const response = await registry.service(
            new Request(`http://embedded${path}`, {
              method: "POST",
              headers: { accept: type, "content-type": "application/json" },
              body: JSON.stringify(value),
            }),
          );
          assertEquals([response.status, response.headers.get("content-type")], [200, type]);
          assertEquals(type === "application/json" ? await response.json() : await response.text(), shown[1].value);
        }
      });
    }
  }
  assert(answers >= 9, `${answers} examples have an answer`);
  for (const [path, methods] of Object.entries<Json>(paths)) {
    const [{ responses }] = Object.values<Json>(methods);
    assertEquals(examplesOf(responses[422].content["application/json"]).length, 1, path);
  }
  const { responses: { 400: refused, 404: nothing } } = paths["/v2/download"].post;
  for (const { content } of [refused, nothing]) {
    const [[_, { value }]] = examplesOf(content["application/json"]);
    assertEquals(Object.keys(value), ["detail"]);
  }
});

Deno.test("the description speaks a deployment's own names", async () => {
  const naming = namingOf({ registry: "genomebank", reftax1: "taxa" });
  await using registry = await openFixture(20, naming);
  const document = await describe(registry);
  const text = JSON.stringify(document);
  for (
    const spelling of [naming.accessionField, naming.accessionAlias, naming.accessionsKey, ...datasetFileNames(naming)]
  ) {
    assertStringIncludes(text, spelling);
  }
  const { archiveStems, accessionField, accessionAlias, accessionsKey } = SPECIFICATION_NAMING;
  for (const spelling of [accessionField, accessionAlias, accessionsKey, ...Object.values(archiveStems)]) {
    assert(!text.includes(spelling), `it still says ${spelling}`);
  }
});

Deno.test("a registry without records has a description", async () => {
  const folder = await Deno.makeTempDir();
  await writeFixture(folder, []);
  {
    await using store = await openStore(folder, { cacheFolder: folder });
    const { paths } = await describe({ service: createRegistryService(store) });
    assertEquals(Object.keys(paths).length, 5);
  }
  await Deno.remove(folder, { recursive: true });
});
