/** What a lock makes of a call that a client is about to send. */
import type { InterceptedCall } from "../../client/intercept.ts";
import { isRecord } from "../../options/is_record.ts";
import { callKey } from "./locked_call.ts";

/** Status codes that refuse the caller, or refuse for now: they depend on no data. */
const PASSING = new Set([401, 403, 407, 408, 421, 423, 425, 429]);

/** Whether a status is a refusal that a lock records as the answer. */
export function isRecordedRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status);
}

/** Whether an archive is requested, whose bytes no lock keeps. */
export function isArchive({ operation, request }: InterceptedCall): boolean {
  return operation === "datasets_download" &&
    !(isRecord(request) && typeof request.filename === "string" && request.filename.endsWith(".sha256"));
}

export function requestOf({ body, request }: InterceptedCall): unknown {
  return body === null ? request : JSON.parse(body);
}

/** The name of a call in a lock. */
export function keyOf(
  { operation, accept, isAgain }: InterceptedCall,
  request: unknown,
  { registry }: { readonly registry: string },
): string {
  return callKey({ accept, isAgain, operation, registry, request });
}
