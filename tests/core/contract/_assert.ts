/** What answers of the registry must look like, whatever they are about. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkValidationBody } from "../../../src/core/contract/validation.ts";

/** Checks a 422: its body is exactly section 2.8, points at the place and says what was expected. */
export async function assertInvalid(
  response: Response,
  loc: readonly (string | number)[],
  says: string,
): Promise<void> {
  const body = await response.json();
  assertEquals(response.status, 422, JSON.stringify(body));
  assertEquals(response.headers.get("content-type"), "application/json");
  const checked = checkValidationBody(body);
  assert(checked.ok, JSON.stringify(body));
  assertEquals(Object.keys(body), ["detail"]);
  for (const issue of checked.value.detail) assertEquals(Object.keys(issue).sort(), ["loc", "msg", "type"]);
  const found = checked.value.detail.find((issue) => JSON.stringify(issue.loc) === JSON.stringify(loc));
  assert(found !== undefined, `no issue at ${JSON.stringify(loc)} in ${JSON.stringify(body)}`);
  assertStringIncludes(found.msg, says);
}

/** Checks an error with the body `{"detail": "…"}`. */
export async function assertDetail(response: Response, status: number, says: string): Promise<void> {
  const body = await response.json();
  assertEquals(response.status, status, JSON.stringify(body));
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(Object.keys(body), ["detail"]);
  assertStringIncludes(body.detail, says);
}

/** Checks status and media type, and gives the body. */
export async function assertText(response: Response, mediaType: string): Promise<string> {
  const text = await response.text();
  assertEquals(response.status, 200, text.slice(0, 500));
  assertEquals(response.headers.get("content-type"), mediaType);
  assertEquals(response.headers.get("access-control-allow-origin"), null);
  assertEquals(response.headers.get("content-encoding"), null);
  return text;
}
