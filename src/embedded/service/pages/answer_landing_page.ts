/**
 * Answers `GET /`: the page with a policy that allows nothing but what is in it, one style and one script by their
 * digests, and requests to its own address.
 */
import { sha256Of } from "@seqreg/core/io/digest";
import { dirname, join } from "node:path";
import { type LandingFacts, type Origin, renderLandingPage } from "./_landing_page.ts";
import { LANDING_SCRIPT } from "./_landing_script.ts";
import { LANDING_STYLE } from "./_landing_style.ts";
import { COMMON_HEADERS } from "../http/refusal.ts";
import type { RegistryStore } from "../store/store.ts";

/** Answers with the page; it shows the address that it was called by. */
export async function answerLandingPage(request: Request, facts: LandingFacts): Promise<Response> {
  const page = await renderLandingPage(facts, baseOf(request));
  const bytes = new TextEncoder().encode(page);
  return new Response(bytes, {
    headers: {
      ...COMMON_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-length": String(bytes.length),
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      vary: "host",
    },
  });
}

const POLICY = [
  "default-src 'none'",
  `style-src '${digestOf(LANDING_STYLE)}'`,
  `script-src '${digestOf(LANDING_SCRIPT)}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function digestOf(text: string): string {
  return `sha256-${sha256Of(text, "base64")}`;
}

/** The server has checked the Host header; without a server the header is absent. */
function baseOf(request: Request): string {
  const host = request.headers.get("host");
  return host !== null && /^[a-z0-9.:[\]_-]+$/i.test(host) ? `http://${host}` : new URL(request.url).origin;
}

/** Largest manifest that is looked at. */
const MAX_MANIFEST_BYTES = 1 << 20;

/**
 * Finds what the `manifest.json` of the archives, or the definitions of their fields, state about the origin of the
 * data of a store; `undefined` if they state nothing.
 */
export async function findOrigin({ files, fields }: RegistryStore): Promise<Origin | undefined> {
  const [file] = files.values();
  const manifest = file === undefined ? undefined : await readManifest(join(dirname(file.path), "manifest.json"));
  if (typeof manifest === "object" && manifest !== null && "synthetic" in manifest) {
    const notice = "notice" in manifest && typeof manifest.notice === "string" ? manifest.notice.slice(0, 500) : "";
    if (manifest.synthetic === true) {
      return { isSynthetic: true, notice: notice || "The manifest of the archives says so." };
    }
    if (manifest.synthetic === false && notice !== "") return { isSynthetic: false, notice };
  }
  return fields.some(({ description }) => /\bsynthetic\b/i.test(description))
    ? { isSynthetic: true, notice: "The definitions of the fields say so." }
    : undefined;
}

async function readManifest(path: string): Promise<unknown> {
  try {
    const { size } = await Deno.stat(path);
    return size > MAX_MANIFEST_BYTES ? undefined : JSON.parse(await Deno.readTextFile(path));
  } catch {
    // The page says what is known: a manifest that is absent or unreadable says nothing.
    return undefined;
  }
}
