/** Makes errors of what a store answers. */
import { formatObjectAddress, type ObjectAddress } from "./object_address.ts";
import { type ObjectFault, ObjectStoreError } from "./object_store_error.ts";
import type { StoreAccess } from "./store_access.ts";
import { readXmlAnswer, type XmlFields } from "./_xml_answers.ts";

/** What was asked of a store, for errors. */
export interface Asked {
  /** What is to be done, such as `read`; the address follows. */
  readonly task: string;
  /** The object, or the bucket. */
  readonly address: ObjectAddress;
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Body; empty for HEAD. */
  readonly text: string;
}

interface Reason {
  readonly fault: ObjectFault;
  readonly why: string;
}

const TRANSIENT_STATUSES = [429, 500, 502, 503, 504];

/** Codes of answers that a later attempt may not get. */
const TRANSIENT = new Set([
  "SlowDown",
  "InternalError",
  "ServiceUnavailable",
  "RequestTimeout",
  "ThrottlingException",
  "Throttling",
]);

export function answerError(asked: Asked, refusal: StoreAnswer, access: StoreAccess): ObjectStoreError {
  const address = formatObjectAddress(asked.address);
  const fields = errorFields(refusal.text);
  const storeCode = fields.get("Code");
  const { fault, why } = reasonOf(asked, refusal, fields, access);
  const message = access.conceal(`Cannot ${asked.task} ${address}: ${why}`);
  return new ObjectStoreError(message, { fault, address, status: refusal.status, ...storeCode && { storeCode } });
}

/** Fields of an `<Error>`; none if the text is something else. */
function errorFields(text: string): XmlFields {
  try {
    const { root, fields } = readXmlAnswer(text);
    return root === "Error" ? fields : new Map();
  } catch {
    return new Map();
  }
}

function reasonOf(asked: Asked, { status, headers }: StoreAnswer, fields: XmlFields, access: StoreAccess): Reason {
  const { bucket, key } = asked.address;
  const code = fields.get("Code");
  const region = headers.get("x-amz-bucket-region") ?? fields.get("Region");
  if (status === 301 || status === 307 || (region && region !== access.region && [400, 403].includes(status))) {
    const where = region
      ? `the bucket is in the region ${region}, not ${access.region}: set AWS_REGION=${region}`
      : `the store redirects to ${fields.get("Endpoint") ?? "another host"}: set AWS_REGION or AWS_ENDPOINT_URL`;
    return { fault: "other-region", why: where };
  }
  switch (code) {
    case "NoSuchBucket":
      return { fault: "no-bucket", why: `there is no bucket ${bucket} at ${access.endpoint ?? "AWS"}; check its name` };
    case "NoSuchUpload":
      return { fault: "conflict", why: "another process has ended this upload; run it again" };
    case "SignatureDoesNotMatch":
      return {
        fault: "wrong-key",
        why: `the secret key of ${access.origin} is not that of its access key; check both`,
      };
    case "InvalidAccessKeyId":
    case "InvalidToken":
    case "ExpiredToken":
    case "TokenRefreshRequired":
      return { fault: "wrong-key", why: `the store does not accept the key of ${access.origin} (${code}); renew it` };
    case "RequestTimeTooSkewed":
    case "RequestExpired":
      return { fault: "wrong-clock", why: `${describeClock(headers)}; set the clock, such as by NTP` };
    case "PreconditionFailed":
    case "ConditionalRequestConflict":
      return { fault: "conflict", why: "another process has written it meanwhile; run it again" };
    case "XAmzContentSHA256Mismatch":
    case "BadDigest":
      return { fault: "refused", why: `its bytes changed on the way (${code}); run it again` };
  }
  if (status === 403 || status === 401) return { fault: "denied", why: describeDenied(asked, code, access) };
  if (status === 404 && key !== "") return { fault: "no-object", why: "it does not exist; check the address" };
  if (status === 404) return { fault: "no-bucket", why: "the bucket does not exist; check its name" };
  if (status === 412 || status === 409) {
    return { fault: "conflict", why: "another process has written it meanwhile; run it again" };
  }
  const said = [code, fields.get("Message")].filter((text) => text).join(": ").slice(0, 300);
  const what = `the store answered ${status}${said === "" ? "" : ` (${said})`}`;
  return TRANSIENT_STATUSES.includes(status) || code !== undefined && TRANSIENT.has(code)
    ? { fault: "busy", why: `${what}; try again later` }
    : { fault: "refused", why: `${what}; check the endpoint` };
}

function describeDenied({ task }: Asked, code: string | undefined, { origin }: StoreAccess): string {
  const said = code === undefined ? "" : ` (${code})`;
  return origin === "anonymous"
    ? `the store does not let everyone ${task} it${said}; unset AWS_NO_SIGN_REQUEST and set credentials`
    : `the key of ${origin} may not ${task} it${said}; check the key and its rights`;
}

/** How far this machine's clock is off, by the answer's date. */
function describeClock(headers: Headers): string {
  const theirs = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return "the clock of this machine differs from the store's";
  const minutes = Math.round((Date.now() - theirs) / 60_000);
  return `the clock of this machine is ${Math.abs(minutes)} minutes ${minutes < 0 ? "behind" : "ahead of"} the store's`;
}
