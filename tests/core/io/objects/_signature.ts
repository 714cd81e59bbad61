/** Verifies requests as a store does: Signature Version 4, written from its description, not with the library. */
import { createHash, createHmac } from "node:crypto";

/** A key that a store knows. */
export interface KnownKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const SKEW_MS = 15 * 60_000;

/**
 * The code of the error that a store answers, `undefined` if the signature is right.
 *
 * @see AWS Signature Version 4 for S3, "Authenticating requests: using the Authorization header".
 */
export function signatureFault(
  request: Request,
  body: Uint8Array,
  { key, region, nowMs }: { readonly key: KnownKey; readonly region: string; readonly nowMs: number },
): string | undefined {
  const { headers, method } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([0-9]{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
      .exec(headers.get("authorization") ?? "");
  if (match === null) return "AccessDenied";
  const [, id, day, signedRegion, names, signature] = match;
  if (id !== key.accessKeyId) return "InvalidAccessKeyId";
  if (signedRegion !== region) return "AuthorizationHeaderMalformed";
  if ((headers.get("x-amz-security-token") ?? undefined) !== key.sessionToken) return "InvalidToken";
  const date = headers.get("x-amz-date") ?? "";
  const sentMs = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!date.startsWith(day) || Number.isNaN(sentMs)) return "AccessDenied";
  if (Math.abs(nowMs - sentMs) > SKEW_MS) return "RequestTimeTooSkewed";
  const stated = headers.get("x-amz-content-sha256") ?? "";
  if (stated !== "UNSIGNED-PAYLOAD" && stated !== digest(body)) return "XAmzContentSHA256Mismatch";
  // What changes the answer must be signed.
  const signed = names.split(";");
  const unsigned = [...headers.keys()].find((name) => name.startsWith("x-amz-") && !signed.includes(name));
  if (unsigned !== undefined || !signed.includes("host")) return "AccessDenied";
  const url = new URL(request.url);
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort().join("&");
  const canonical = [
    method,
    decodeURIComponent(url.pathname).split("/").map(encode).join("/"),
    query,
    ...signed.map((name) =>
      `${name}:${(name === "host" ? headers.get("host") ?? url.host : headers.get(name) ?? "").trim()}`
    ),
    "",
    names,
    stated,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, digest(canonical)].join("\n");
  const signingKey = [day, region, "s3", "aws4_request"].reduce<string | Uint8Array>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${key.secretAccessKey}`,
  );
  const expected = createHmac("sha256", signingKey).update(toSign).digest("hex");
  return expected === signature ? undefined : "SignatureDoesNotMatch";
}

function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
