/** Answers `POST /v2/metadata/download`. */
import { DEFINITION_MEDIA_TYPES, type DefinitionFormat } from "@seqreg/core/contract/enumerations";
import { checkDefinitionsRequest } from "@seqreg/core/contract/validation";
import type { ServiceContext } from "./context.ts";
import { readJsonBody } from "../http/json_body.ts";
import { COMMON_HEADERS, invalid, Refusal } from "../http/refusal.ts";
import { chooseMediaType } from "../http/accept.ts";
import { writeDefinitions } from "./export_definitions.ts";

const FORMATS: readonly DefinitionFormat[] = ["csv", "json", "xlsx"];
const MEDIA_TYPES = FORMATS.map((format) => DEFINITION_MEDIA_TYPES[format]);

/**
 * Answers with the definitions of the named fields, in the order of the names, each once. Unknown names are left out;
 * no names give no definitions. An `Accept` header that none of the three formats meets is a 422.
 */
export async function answerDefinitions(request: Request, { store, bodies }: ServiceContext): Promise<Response> {
  const mediaType = chooseMediaType(request.headers.get("accept"), MEDIA_TYPES);
  if (mediaType === undefined) {
    throw invalid(["header", "accept"], `expected one of ${MEDIA_TYPES.join(", ")}`, "not_acceptable");
  }
  const checked = checkDefinitionsRequest(await readJsonBody(request, bodies));
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const known = new Map(store.fields.map((definition) => [definition.name, definition]));
  const definitions = [...new Set(checked.value.fields)].map((name) => known.get(name))
    .filter((definition) => definition !== undefined);
  const format = FORMATS[MEDIA_TYPES.indexOf(mediaType)];
  const bytes = await writeDefinitions(definitions, format);
  return new Response(bytes, {
    headers: {
      ...COMMON_HEADERS,
      "content-type": mediaType,
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename="definitions.${format}"`,
      vary: "accept",
    },
  });
}
