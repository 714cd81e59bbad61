/** A registry on loopback whose archives are replaced between two of its answers. */
import { openRegistry } from "../../../../src/embedded/service/registry/open_registry.ts";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { type ArchiveContent, makeArchives, writeArchives } from "../../../embedded/service/_archives.ts";

/** Records of a release: all of one country, so that each tells its release. */
export function release(country: string, count: number, more: Partial<ArchiveContent> = {}): ArchiveContent {
  return { columns: ["Country"], rows: Array.from({ length: count }, () => [country]), ...more };
}

/** A registry under way. */
export interface ReplacedRegistry extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly cacheFolder: string;
  /** Paths of the requests so far. */
  readonly asked: readonly string[];
  /** Replaces the archives before the answer to a request: its number among those from now on, from 1. */
  replaceBefore(number: number, content: ArchiveContent): void;
}

/** Serves a release; with `unmarked` behind a proxy that removes the mark of the release. */
export async function serveReplaced(
  content: ArchiveContent,
  { unmarked = false }: { readonly unmarked?: boolean } = {},
): Promise<ReplacedRegistry> {
  const world = await makeArchives(content);
  const registry = await openRegistry(world.folder, { cacheFolder: world.cacheFolder });
  const asked: string[] = [];
  const replacements: { readonly at: number; readonly content: ArchiveContent }[] = [];
  // One at a time, so that "before an answer" is one moment.
  let turn: Promise<unknown> = Promise.resolve();
  const answer = async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    const [next] = replacements;
    if (next !== undefined && asked.length >= next.at) {
      replacements.shift();
      const { content } = next;
      await writeArchives(world.folder, content);
      await registry.renew();
    }
    return await registry.service(request);
  };
  const server = await serveRegistry((request) => {
    const answering = turn.then(() => answer(request));
    turn = answering.catch(() => {});
    return answering;
  });
  const proxy = unmarked ? startProxy(server.url) : undefined;
  return {
    url: proxy === undefined ? server.url : `http://127.0.0.1:${proxy.addr.port}`,
    folder: world.folder,
    cacheFolder: world.cacheFolder,
    asked,
    replaceBefore: (number, content) => void replacements.push({ at: asked.length + number, content }),
    async [Symbol.asyncDispose]() {
      await proxy?.shutdown();
      await server.shutdown();
      await registry[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

function startProxy(upstream: string): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, body } = request;
    const headers = { "content-type": "application/json", accept: request.headers.get("accept") ?? "*/*" };
    const answer = await fetch(`${upstream}${pathname}${search}`, { method, headers, body });
    const marked = new Headers(answer.headers);
    marked.delete("registry-release");
    marked.delete("content-encoding");
    marked.delete("content-length");
    return new Response(answer.body, { status: answer.status, headers: marked });
  });
}
