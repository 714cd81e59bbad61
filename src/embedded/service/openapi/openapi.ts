/**
 * This registry's description in OpenAPI 3.1: the five operations, with its own fields, limits and examples.
 *
 * Made with zod's own `toJSONSchema` of the schemas that check requests. `@hono/zod-openapi` would put its own reading
 * of bodies before ours, which tells where a text stops being JSON and bounds its depth, and could not know the fields
 * of the archives that are served.
 */
import { DEFINITION_MEDIA_TYPES } from "@seqreg/core/contract/enumerations";
import type { JsonSchema } from "@seqreg/core/contract";
import { ENDPOINTS, type Operation } from "@seqreg/core/contract/paths";
import { RELEASE_HEADER } from "@seqreg/core/contract/answers/release_mark";
import { TOOLKIT } from "@seqreg/core/contract/version";
import type { ServiceContext } from "../operations/context.ts";
import { DOWNLOAD_TYPES, type Example } from "./openapi_examples.ts";
import { describeSchemas, schemaRef } from "./_openapi_schemas.ts";

/** A description as it is served. */
export interface OpenApiDocument {
  readonly [key: string]: unknown;
}

/** Version of the interface. Source: Specification 9. */
const INTERFACE_VERSION = "2.0.2";

/** Answers of an operation: what each status means, and what its body is. */
type OperationAnswers = Readonly<Record<number, Answer>>;

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, JsonSchema>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function describeRegistry(context: ServiceContext, examples: readonly Example[]): OpenApiDocument {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, part] of Object.entries(describeOperations(context))) {
    const { method, path } = ENDPOINTS[name as Operation];
    const { answers, request, ...words } = part;
    const shown = examples.filter(({ operation }) => operation === name);
    paths[path] = {
      [method.toLowerCase()]: {
        operationId: name,
        ...words,
        ...request !== undefined && {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: request,
                examples: named(shown.filter(({ status }) => status === 200), ({ body }) => body),
              },
            },
          },
        },
        responses: describeAnswers(request === undefined ? answers : { ...answers, 413: TOO_LARGE }, shown),
      },
    };
  }
  const { store, naming } = context;
  return {
    openapi: "3.1.0",
    info: {
      title: "Sequence Registry",
      version: INTERFACE_VERSION,
      summary: `An embedded registry of ${store.recordCount} records with ${store.fields.length} fields`,
      description: `Served by ${TOOLKIT} over a folder of archives. There are five operations and nothing else under ` +
        "/v2; all are public and read-only. Request fields that are not described are ignored. A dataset file also " +
        `answers HEAD. Accessions are called "${naming.accessionField}" in data. Every answer has the header ` +
        `${RELEASE_HEADER}: answers with the same mark are of the same archives and definitions.`,
    },
    servers: [{ url: "/" }],
    security: [],
    paths,
    components: { schemas: describeSchemas(context) },
  };
}

interface OperationPart {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly JsonSchema[];
  readonly request?: JsonSchema;
  readonly answers: OperationAnswers;
}

function describeOperations({ store }: ServiceContext): Readonly<Record<Operation, OperationPart>> {
  const file = { etag: "SHA-256 of the file, in quotes", "accept-ranges": "bytes" };
  const attachment = { "content-disposition": "Name of the file" };
  return {
    datasets_download: {
      summary: "Download a dataset file",
      description: "One of eight archives (gzip-compressed CSV) or its checksum file, whole or in part. A checksum " +
        "file is what `sha256sum --check` reads.",
      parameters: [
        {
          name: "filename",
          in: "query",
          required: true,
          description: "Name of the archive, or of its checksum file",
          schema: { type: "string", enum: [...store.files.keys()] },
          example: [...store.files.keys()][0],
        },
        header("Range", "One range of bytes, such as `bytes=0-99`; anything else is ignored"),
        header("If-Range", "An `etag`: the range is of that file, or else the whole file is sent"),
        header("If-None-Match", "An `etag`: the answer is 304 when the file is still that one"),
        header("If-Match", "An `etag`: the answer is 412 when the file is another one by now"),
      ],
      answers: {
        200: {
          description: "The file",
          content: { "application/gzip": {}, "text/plain": { type: "string" } },
          headers: { ...file, ...attachment, "content-length": "Bytes of the file" },
        },
        206: {
          description: "The part of the file",
          content: { "application/gzip": {}, "text/plain": { type: "string" } },
          headers: { ...file, ...attachment, "content-range": "Which part it is" },
        },
        304: { description: "The file is the one that was named", headers: file },
        412: detail("The file is another one than `If-Match` names"),
        416: {
          ...detail("The range lies outside the file"),
          headers: { "content-range": "Bytes of the file, such as `bytes */1234`" },
        },
        ...EVERYWHERE,
      },
    },
    search: {
      summary: "Search records",
      description: "One page of the records that match, their number and their facets.",
      request: schemaRef("SearchRequest"),
      answers: {
        200: { description: "The page", content: { "application/json": schemaRef("SearchResponse") } },
        ...EVERYWHERE,
      },
    },
    download: {
      summary: "Export records as a file",
      description: "Every record that matches, or the records that are named, as metadata (CSV, XML), a list of " +
        "accessions (TSV, XML) or sequences (FASTA). The export streams and has no record limit.",
      request: schemaRef("DownloadRequest"),
      answers: {
        200: {
          description: "The file",
          content: Object.fromEntries(DOWNLOAD_TYPES.map((type) => [type, { type: "string" }])),
          headers: attachment,
        },
        ...EVERYWHERE,
        400: detail(
          "An unsupported combination of information and file type, an unknown field, neither query " +
            "nor filter for the scope `max`, or a request that breaks the rules of HTTP",
        ),
        404: detail("No record matches, or none of the selected accessions is there"),
      },
    },
    sequence: {
      summary: "Get sequences as JSON",
      description: "The sequences of the named records. Unknown accessions are left out.",
      request: schemaRef("SequenceRequest"),
      answers: {
        200: { description: "The sequences", content: { "application/json": schemaRef("SequenceResponse") } },
        ...EVERYWHERE,
      },
    },
    metadata_download: {
      summary: "Export definitions of public fields",
      description: `As CSV, JSON or XLSX, chosen by the Accept header; ${DEFINITION_MEDIA_TYPES.csv} without one.`,
      request: schemaRef("DefinitionsRequest"),
      answers: {
        200: {
          description: "The definitions, in the order of the names",
          content: {
            [DEFINITION_MEDIA_TYPES.csv]: { type: "string" },
            [DEFINITION_MEDIA_TYPES.json]: { type: "array", items: schemaRef("Definition") },
            [DEFINITION_MEDIA_TYPES.xlsx]: {},
          },
          headers: attachment,
        },
        ...EVERYWHERE,
      },
    },
  };
}

function header(name: string, description: string): JsonSchema {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

function detail(description: string): Answer {
  return { description, content: { "application/json": schemaRef("Detail") } };
}

const TOO_LARGE = detail("The body is larger than 8 MiB");

/** What every operation may answer. */
const EVERYWHERE: OperationAnswers = {
  400: detail("The request breaks the rules of HTTP"),
  408: detail("The request did not come in time"),
  421: detail("The request is for another host"),
  422: {
    description: "The request breaks its schema, or its query cannot be followed",
    content: { "application/json": schemaRef("ValidationError") },
  },
  431: detail("The request's headers are too large or too many"),
  500: detail("The registry failed, such as by a fault of its disk"),
  503: {
    ...detail(
      "The registry has as much under way as it holds, the query waited too long for others, or the file was replaced " +
        "and is not imported yet",
    ),
    headers: { "retry-after": "Seconds after which to try again" },
  },
};

function describeAnswers(answers: OperationAnswers, examples: readonly Example[]): JsonSchema {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, content, headers }]) => {
      const here = examples.filter((example) => String(example.status) === status && example.answer !== undefined);
      return [status, {
        description,
        ...headers !== undefined && {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, words]) => [name, { description: words, schema: { type: "string" } }]),
          ),
        },
        ...content !== undefined && {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => {
              const shown = named(here.filter(({ mediaType }) => mediaType === type), ({ answer }) => answer);
              return [type, { schema, ...shown !== undefined && { examples: shown } }];
            }),
          ),
        },
      }];
    }),
  );
}

function named(examples: readonly Example[], valueOf: (example: Example) => unknown): JsonSchema | undefined {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: valueOf(example) }]),
  );
}
