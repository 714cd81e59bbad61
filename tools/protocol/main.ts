/**
 * `deno task protocol`: writes `_protocol.ts`, the descriptor of Spark Connect as far as the toolkit speaks it;
 * `--check` only reports whether it is up to date.
 *
 * The descriptor is data: names, numbers and types of fields. It is taken from the compiled descriptors in Apache
 * Spark's own Python client on PyPI, and trimmed to the fields below.
 */
import { create, fromBinary, isFieldSet, toBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { createGunzip } from "node:zlib";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { extract } from "tar-stream";

/** The package, and the SHA-256 that PyPI states for it. */
const SOURCE = {
  name: "pyspark-client",
  file: "pyspark_client-4.2.0.tar.gz",
  sha256: "4008fe5e537bf0e57e7243d03abfaac089b7c87316bd07024784d8ea726f5d41",
};

const TARGET = new URL("../../src/spark/connect/_protocol.ts", import.meta.url);

/** Fields in use, by message; an empty list is a message without fields in use. */
const FIELDS: Readonly<Record<string, string>> = {
  Plan: "root command",
  UserContext: "user_id user_name",
  AnalyzePlanRequest: "session_id client_observed_server_side_session_id user_context client_type spark_version",
  "AnalyzePlanRequest.SparkVersion": "",
  AnalyzePlanResponse: "session_id server_side_session_id spark_version",
  "AnalyzePlanResponse.SparkVersion": "version",
  ExecutePlanRequest:
    "session_id client_observed_server_side_session_id user_context operation_id plan client_type request_options",
  "ExecutePlanRequest.RequestOption": "reattach_options",
  ReattachOptions: "reattachable",
  ExecutePlanResponse: "session_id server_side_session_id operation_id response_id arrow_batch sql_command_result " +
    "result_complete execution_progress observed_metrics",
  "ExecutePlanResponse.ObservedMetrics": "name values",
  "ExecutePlanResponse.SqlCommandResult": "relation",
  "ExecutePlanResponse.ArrowBatch": "row_count data start_offset",
  "ExecutePlanResponse.ResultComplete": "",
  "ExecutePlanResponse.ExecutionProgress": "stages num_inflight_tasks",
  "ExecutePlanResponse.ExecutionProgress.StageInfo": "num_tasks num_completed_tasks input_bytes_read",
  KeyValue: "key value",
  ConfigRequest: "session_id client_observed_server_side_session_id user_context operation client_type",
  "ConfigRequest.Operation": "set get_option",
  "ConfigRequest.Set": "pairs",
  "ConfigRequest.GetOption": "keys",
  ConfigResponse: "session_id server_side_session_id pairs warnings",
  InterruptRequest:
    "session_id client_observed_server_side_session_id user_context client_type interrupt_type operation_id",
  InterruptResponse: "session_id server_side_session_id interrupted_ids",
  ReattachExecuteRequest:
    "session_id client_observed_server_side_session_id user_context operation_id client_type last_response_id",
  ReleaseExecuteRequest: "session_id client_observed_server_side_session_id user_context operation_id client_type " +
    "release_all release_until",
  "ReleaseExecuteRequest.ReleaseAll": "",
  "ReleaseExecuteRequest.ReleaseUntil": "response_id",
  ReleaseExecuteResponse: "session_id server_side_session_id operation_id",
  ReleaseSessionRequest: "session_id user_context client_type",
  ReleaseSessionResponse: "session_id server_side_session_id",
  FetchErrorDetailsRequest: "session_id client_observed_server_side_session_id user_context error_id client_type",
  FetchErrorDetailsResponse: "session_id server_side_session_id root_error_idx errors",
  "FetchErrorDetailsResponse.SparkThrowable": "error_class sql_state",
  "FetchErrorDetailsResponse.Error": "error_type_hierarchy message cause_idx spark_throwable",
  Command: "write_operation create_dataframe_view sql_command",
  SqlCommand: "input",
  CreateDataFrameViewCommand: "input name is_global replace",
  WriteOperation: "input source path mode options",
  Relation: "read project sql local_relation subquery_alias with_relations collect_metrics",
  Read: "data_source",
  "Read.DataSource": "format options paths",
  SQL: "query named_arguments pos_arguments",
  WithRelations: "root references",
  LocalRelation: "data",
  SubqueryAlias: "input alias",
  Project: "input expressions",
  CollectMetrics: "input name metrics",
  Expression: "literal unresolved_attribute unresolved_function unresolved_star alias",
  "Expression.UnresolvedAttribute": "unparsed_identifier",
  "Expression.UnresolvedFunction": "function_name arguments",
  "Expression.UnresolvedStar": "",
  "Expression.Alias": "expr name",
  "Expression.Literal": "null boolean long double string date",
  DataType: "null",
  "DataType.NULL": "",
};

const ENUMS: ReadonlySet<string> = new Set([
  "InterruptRequest.InterruptType",
  "WriteOperation.SaveMode",
]);

const METHODS: ReadonlySet<string> = new Set([
  "ExecutePlan",
  "AnalyzePlan",
  "Config",
  "Interrupt",
  "ReattachExecute",
  "ReleaseExecute",
  "ReleaseSession",
  "FetchErrorDetails",
]);

/** Reads the descriptors that the package's `…_pb2.py` carry as literals of bytes. */
async function readDescriptors(bytes: Uint8Array): Promise<FileDescriptorProto[]> {
  const files: FileDescriptorProto[] = [];
  const unpack = extract();
  Readable.from([bytes]).pipe(createGunzip()).pipe(unpack);
  for await (const entry of unpack) {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of entry) chunks.push(chunk);
    if (!/\/connect\/proto\/\w+_pb2\.py$/.test(entry.header.name)) continue;
    const text = await new Blob(chunks).text();
    const literal = /AddSerializedFile\(\s*b(['"])((?:\\.|(?!\1).)*)\1\s*\)/s.exec(text)?.[2];
    if (literal === undefined) throw new Error(`no descriptor in ${entry.header.name}`);
    files.push(fromBinary(FileDescriptorProtoSchema, bytesOfLiteral(literal)));
  }
  return files;
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, "\\": 92, "'": 39, '"': 34 };

/** Bytes of a literal of Python: characters, and escapes such as `\x1a`, `\n` or `\0`. */
function bytesOfLiteral(literal: string): Uint8Array {
  const bytes: number[] = [];
  for (const [all, hex, octal, sign] of literal.matchAll(/\\x([0-9a-f]{2})|\\([0-7]{1,3})|\\(.)|[^\\]/gs)) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(sign === undefined ? all.charCodeAt(0) : ESCAPES[sign]);
  }
  return Uint8Array.from(bytes);
}

/** A message with the fields in use alone; `undefined` for one that is not in use. */
function trim(message: DescriptorProto, path: string, used: Set<string>): DescriptorProto | undefined {
  if (message.options?.mapEntry) return message;
  const nested = message.nestedType.flatMap((inner) => trim(inner, `${path}.${inner.name}`, used) ?? []);
  const names = FIELDS[path]?.split(" ").filter((name) => name !== "");
  if (names === undefined && nested.every(({ options }) => options?.mapEntry)) return undefined;
  const fields = message.field.filter(({ name }) => names?.includes(name));
  if (names !== undefined) {
    used.add(path);
    if (fields.length !== names.length) throw new Error(`${path} lacks one of: ${names.join(", ")}`);
  }
  const oneofs = [...new Set(fields.filter(isInOneof).map(({ oneofIndex }) => oneofIndex))].sort((a, b) => a - b);
  const types = new Set(fields.map(({ typeName }) => typeName));
  return {
    ...message,
    field: fields.map((field) => {
      const { jsonName: _, options: __, ...rest } = field;
      return isInOneof(field) ? { ...rest, oneofIndex: oneofs.indexOf(field.oneofIndex) } : rest;
    }) as FieldDescriptorProto[],
    oneofDecl: oneofs.map((index) => message.oneofDecl[index]),
    nestedType: nested.filter(({ name, options }) => !options?.mapEntry || types.has(`.spark.connect.${path}.${name}`)),
    enumType: message.enumType.filter((inner) => isUsed(inner, path, used)),
    reservedName: [],
    reservedRange: [],
    options: undefined,
  };
}

function isInOneof(field: FieldDescriptorProto): boolean {
  return isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex);
}

function isUsed({ name }: EnumDescriptorProto, path: string, used: Set<string>): boolean {
  const whole = `${path}.${name}`;
  if (ENUMS.has(whole)) used.add(whole);
  return ENUMS.has(whole);
}

/** The trimmed descriptors as a `FileDescriptorSet`, in the order of their imports. */
function trimAll(files: readonly FileDescriptorProto[]): Uint8Array {
  const used = new Set<string>();
  const trimmed = files.map((file) => ({
    ...file,
    messageType: file.messageType.flatMap((message) => trim(message, message.name, used) ?? []),
    enumType: [],
    extension: [],
    service: file.service.map((service) => ({
      ...service,
      method: service.method.filter(({ name }) => METHODS.has(name)).map((method) => ({
        ...method,
        options: undefined,
      })),
    })),
    options: undefined,
    sourceCodeInfo: undefined,
  })).filter(({ messageType, service }) => messageType.length + service.length > 0);
  const absent = [...Object.keys(FIELDS), ...ENUMS].filter((name) => !used.has(name));
  if (absent.length > 0) throw new Error(`the protocol has no ${absent.join(", ")}`);
  const names = new Set(trimmed.map(({ name }) => name));
  const ordered: FileDescriptorProto[] = [];
  const place = (name: string): void => {
    const file = trimmed.find((file) => file.name === name);
    if (file === undefined || ordered.some((file) => file.name === name)) return;
    const dependency = file.dependency.filter((name) => names.has(name));
    dependency.forEach(place);
    ordered.push({ ...file, dependency, publicDependency: [], weakDependency: [] });
  };
  [...names].sort().forEach(place);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: ordered }));
}

/** Fetches the package from PyPI, or reads the file that is named, and checks its digest. */
async function readPackage(path: string | undefined): Promise<Uint8Array> {
  if (path !== undefined) return await Deno.readFile(path);
  const index = await (await fetch(`https://pypi.org/simple/${SOURCE.name}/`)).text();
  const link = [...index.matchAll(/href="([^"#]+)/g)].map(([, href]) => href).find((href) =>
    href.endsWith(SOURCE.file)
  );
  if (link === undefined) throw new Error(`PyPI does not list ${SOURCE.file}`);
  const bytes = await (await fetch(new URL(link, "https://pypi.org/simple/"))).bytes();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== SOURCE.sha256) throw new Error(`${SOURCE.file} has the SHA-256 ${sha256}, expected ${SOURCE.sha256}`);
  return bytes;
}

function moduleText(descriptor: Uint8Array): string {
  const lines = descriptor.toBase64().match(/.{1,110}/g) ?? [];
  return [
    "/**",
    " * The descriptor of the protocol Spark Connect, trimmed to what the toolkit speaks: written by `deno task protocol`;",
    " * do not edit.",
    " *",
    ` * Source: the \`.proto\` files of Apache Spark, as compiled in ${SOURCE.file} on PyPI`,
    ` * (SHA-256 ${SOURCE.sha256}).`,
    " * Copyright the Apache Software Foundation, licensed under the Apache License 2.0:",
    " * https://www.apache.org/licenses/LICENSE-2.0",
    " */",
    "",
    `/** A \`google.protobuf.FileDescriptorSet\`, ${descriptor.length} bytes, in Base64. */`,
    "// deno-fmt-ignore",
    "export const PROTOCOL_BASE64 = [",
    ...lines.map((line) => `  "${line}",`),
    '].join("");',
    "",
  ].join("\n");
}

if (import.meta.main) {
  const path = Deno.args.find((arg) => arg !== "--check");
  const text = moduleText(trimAll(await readDescriptors(await readPackage(path))));
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(TARGET, text);
  else if (text !== await Deno.readTextFile(TARGET)) {
    console.error("src/spark/connect/_protocol.ts is out of date: run deno task protocol");
    Deno.exit(1);
  }
}
