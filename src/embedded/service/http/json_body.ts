/** Reads the JSON body of a request within the limits. */
import { joinBytes } from "@seqreg/core/io/bytes";
import type { BodyBudget } from "./body_budget.ts";
import { findJsonFault } from "./_json_fault.ts";
import { invalid, Refusal } from "./refusal.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "../store/limits.ts";

/**
 * Reads a JSON body. Of duplicate keys the last wins; `__proto__` is a key like any other.
 *
 * @throws {Refusal} 413 for a body over the limit; 503 when the bodies under way hold all that they may together; 422
 * for another content type, an encoded body, bytes that are not UTF-8, nesting beyond the limit, and malformed JSON.
 */
export async function readJsonBody(request: Request, budget: BodyBudget): Promise<unknown> {
  checkHeaders(request.headers);
  const bytes = await readBytes(request, budget);
  if (bytes.length === 0) throw invalid(["body"], "expected a JSON object, got an empty body", "json_invalid");
  checkDepth(bytes);
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    const fault = findJsonFault(text);
    const where = fault === undefined
      ? "somewhere"
      : `at line ${fault.line}, column ${fault.column} (character ${fault.offset}): expected ${fault.expected}`;
    throw invalid(["body"], `malformed JSON ${where}`, "json_invalid");
  }
}

/** Without a content type the body is taken for JSON; form data, which `curl -d` claims by itself, is not. */
function checkHeaders(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !/^application\/(?:json|[a-z0-9.-]+\+json)\s*(?:;|$)/i.test(type.trim())) {
    throw invalid(
      ["header", "content-type"],
      `expected application/json, got ${JSON.stringify(type.slice(0, 100))}; send the header ` +
        '"content-type: application/json"',
      "content_type",
    );
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw invalid(["header", "content-encoding"], "expected a body without a content encoding", "content_encoding");
  }
}

async function readBytes(request: Request, budget: BodyBudget): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) throw tooLarge();
    if (!budget.take(request, chunk.length)) {
      throw new Refusal(503, "Busy: the large bodies under way leave no room for this one; try again", {
        "retry-after": "1",
      });
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function tooLarge(): Refusal {
  return new Refusal(413, `The body is too large: at most ${MAX_BODY_BYTES} bytes (8 MiB); send fewer values`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const back = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    const byte = bytes.findIndex((value, index) => value !== back[index]);
    const what = byte === -1 ? "the bytes end in the middle of a character" : `the bytes from byte ${byte} on are not`;
    throw invalid(["body"], `expected UTF-8: ${what}`, "json_invalid");
  }
}

const QUOTE = 0x22, BACKSLASH = 0x5c, OPEN_ARRAY = 0x5b, CLOSE_ARRAY = 0x5d, OPEN_OBJECT = 0x7b, CLOSE_OBJECT = 0x7d;

/** Counts brackets outside strings, before anything recursive sees the text. */
function checkDepth(bytes: Uint8Array): void {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (quoted) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_JSON_DEPTH) {
        throw invalid(["body"], `nested too deeply at byte ${at}: at most ${MAX_JSON_DEPTH} levels`, "json_invalid");
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
}
