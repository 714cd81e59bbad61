/** Answers requests for the files of the built documentation. */
import { extname, join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ipynb": "application/x-ipynb+json",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** What becomes smaller by compression: a class of thirty reads the pages over one wireless network. */
const TEXT = /^text\/|json|svg/;

/** Pages hold scripts and styles of their own, and nothing of another host. */
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** Serves a folder of pages: `/` is `index.html`, `/page` is `page.html`; anything else that is absent gets 404. */
export function createSiteService(folder: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Only GET and HEAD\n", { status: 405, headers: { ...HEADERS, allow: "GET, HEAD" } });
    }
    const names = namesOf(new URL(request.url).pathname);
    const paths = names === undefined ? [] : candidatesOf(names.join("/"));
    for (const path of paths) {
      const content = await readFile(join(folder, path));
      if (content !== undefined) return answer(request, { content, path, status: 200 });
    }
    const content = await readFile(join(folder, "404.html")) ?? new TextEncoder().encode("Not found\n");
    return answer(request, { content, path: "404.html", status: 404 });
  };
}

/** The names of a path; `undefined` where one of them could lead out of the folder or to a hidden file. */
function namesOf(pathname: string): readonly string[] | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const names = decoded.slice(1).split("/");
  return names.some((name) => name.startsWith(".") || /[\\:\0]/.test(name)) ? undefined : names;
}

function candidatesOf(path: string): readonly string[] {
  if (path === "" || path.endsWith("/")) return [`${path}index.html`];
  return extname(path) === "" ? [path, `${path}.html`] : [path];
}

async function readFile(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return undefined;
    if (cause instanceof Deno.errors.IsADirectory) return undefined;
    throw new RegistryError("disk", `Cannot read the documentation's file ${path}: build the site again`, { cause });
  }
}

async function answer(
  request: Request,
  { content, path, status }: { content: Uint8Array<ArrayBuffer>; path: string; status: number },
): Promise<Response> {
  const type = MEDIA_TYPES[extname(path)] ?? "application/octet-stream";
  const isZipped = TEXT.test(type) &&
    /\bgzip\b(?!;\s*q=0(\.0*)?(,|$))/.test(request.headers.get("accept-encoding") ?? "");
  const body = isZipped ? await gzip(content) : content;
  const headers = {
    ...HEADERS,
    ...isZipped && { "content-encoding": "gzip" },
    "content-type": type,
    "content-length": String(body.length),
    vary: "accept-encoding",
  };
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

async function gzip(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([content]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
}
