/** An endpoint is added: a sixth operation, which answers with the number of records. */
import type { Scratch } from "./_scratch.ts";

/** Follows the section "How to add an endpoint". */
export async function addEndpoint(scratch: Scratch): Promise<void> {
  await scratch.replace("src/core/contract/paths.ts", '| "metadata_download";', '| "metadata_download" | "tally";');
  await scratch.replace(
    "src/core/contract/paths.ts",
    'path: "/v2/metadata/download" },',
    'path: "/v2/metadata/download" },\n  tally: { method: "POST", path: "/v2/tally" },',
  );
  await scratch.write("src/core/contract/tally.ts", SHAPES);
  await scratch.insert(
    "src/core/contract/mod.ts",
    'export { TOOLKIT, VERSION } from "./version.ts";',
    'export { checkTallyRequest, checkTallyResponse, type TallyRequest, type TallyResponse } from "./tally.ts";',
  );
  for (const entry of ["src/core/client/mod.ts", "src/core/datasets/mod.ts", "mod.ts"]) {
    await scratch.insert(
      entry,
      "export ",
      `export type { TallyRequest, TallyResponse } from "${entry === "mod.ts" ? "@seqreg/core" : ".."}/contract/tally${
        entry === "mod.ts" ? "" : ".ts"
      }";`,
    );
  }
  const client = "src/core/client/registry_client.ts";
  await scratch.insert(
    client,
    'import type { SequenceRequest } from "../contract/sequence.ts";',
    'import { checkTallyRequest, checkTallyResponse, type TallyRequest, type TallyResponse } from "../contract/tally.ts";',
  );
  await scratch.replace(client, "  definitionsBody,\n", "  checkedBody,\n  definitionsBody,\n");
  await scratch.replace(client, "  readSearchBody,\n", "  readJsonBody,\n  readSearchBody,\n");
  await scratch.replace(
    client,
    "  /**\n   * Exports records as a file stream.",
    `${METHOD}\n\n  /**\n   * Exports records as a file stream.`,
  );
  await scratch.write("src/embedded/service/operations/answer_tally.ts", ANSWER);
  const routes = "src/embedded/service/registry/_routes.ts";
  await scratch.insert(
    routes,
    "import { answerDatasetFile }",
    'import { answerTally } from "../operations/answer_tally.ts";',
  );
  await scratch.replace(
    routes,
    "  metadata_download: answerDefinitions,",
    "  metadata_download: answerDefinitions,\n  tally: answerTally,",
  );
  await scratch.replace(
    "src/embedded/service/openapi/openapi.ts",
    "    metadata_download: {\n",
    `    tally: {
      summary: "Count records",
      description: "How many records a word is in.",
      request: { type: "object", required: ["query"], properties: { query: { type: "string" } } },
      answers: {
        200: { description: "The number", content: { "application/json": { type: "object" } } },
        ...EVERYWHERE,
      },
    },
    metadata_download: {
`,
  );
  await scratch.replace(
    "src/embedded/service/openapi/openapi_examples.ts",
    '    download("metadata", "csv"),\n',
    `    { name: "tally", summary: "How many records there are", operation: "tally", body: { query: "" } },
    { name: "invalid", summary: "A query that is not a string", operation: "tally", body: { query: 1 } },
    download("metadata", "csv"),
`,
  );
  await scratch.insert("tests/_public_options_calls.ts", '  "SqlParameters": [],', '  "TallyRequest": { query: "x" },');
  for (
    const file of ["tests/core/contract/unused/unused_shapes_test.ts", "tests/embedded/service/openapi/openapi_test.ts"]
  ) {
    await scratch.replace(file, ").length, 5);", ").length, 6);");
  }
  await scratch.write("tests/embedded/service/operations/answer_tally_test.ts", TEST);
}

const SHAPES = `/**
 * \`POST /v2/tally\`: the shapes of its request and response, and their checks.
 *
 * @module
 */
import { z } from "zod";
import { string } from "./_schema.ts";
import { check, type Checked } from "./validation.ts";

/** What is counted. */
export interface TallyRequest {
  /** The query. */
  readonly query: string;
}

/** The number of records. */
export interface TallyResponse {
  /** Records that match. */
  readonly total: number;
}

const request = z.object({ query: string() });
const response = z.object({ total: z.int() });

/** Checks the body of a request. */
export function checkTallyRequest(value: unknown): Checked<TallyRequest> {
  return check(request, value);
}

/** Checks the body of an answer. */
export function checkTallyResponse(value: unknown): Checked<TallyResponse> {
  return check(response, value);
}
`;

const METHOD = `  /**
   * Counts records.
   *
   * @throws {TypeError} If the request has another shape; nothing is sent then.
   * @throws {RegistryError} One of the family in \`errors.ts\`.
   */
  async tally(request: TallyRequest, options: RequestOptions = {}): Promise<JsonAnswer<TallyResponse>> {
    checkOptions("client.tally()", options, REQUEST_OPTIONS);
    const body = checkedBody("client.tally()", "count", request, { query: true }, checkTallyRequest);
    const plan = this.#post("tally", "count", body, "application/json");
    return await this.#askJson(plan, options, (bytes, origin) => readJsonBody(bytes, checkTallyResponse, "an object with total", origin));
  }`;

const ANSWER = `/** Answers \`POST /v2/tally\`. */
import { checkTallyRequest } from "@seqreg/core/contract/tally";
import { readJsonBody } from "../http/json_body.ts";
import { jsonResponse, Refusal } from "../http/refusal.ts";
import type { ServiceContext } from "./context.ts";

/** Answers with the number of records. */
export async function answerTally(request: Request, { store, bodies }: ServiceContext): Promise<Response> {
  const checked = checkTallyRequest(await readJsonBody(request, bodies));
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { total } = await store.search({ query: checked.value.query, filter: [] }, { offset: 0, limit: 0 });
  return jsonResponse({ total });
}
`;

const TEST = `import { assertEquals } from "@std/assert";
import { Registry } from "../../../../src/core/registry/mod.ts";

Deno.test("a sixth operation is answered, and called by the client", async () => {
  await using registry = await Registry.open("zika");
  const { body } = await registry.client.tally({ query: "" });
  assertEquals(body, { total: 34 });
});
`;
