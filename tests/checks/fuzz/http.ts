/**
 * HTTP: whatever bytes come, a status of the documented ones or a closed connection goes, and the next client is
 * served.
 */
import { createRegistryService, openStore, serveRegistry } from "../../../src/embedded/service/mod.ts";
import { makeArchives } from "../../embedded/service/_archives.ts";
import { type FuzzRoom, mutate, type Outcome, outcomeOf, pick } from "./_room.ts";

const encoder = new TextEncoder();
const STATUSES = [200, 204, 206, 304, 400, 404, 405, 406, 408, 413, 415, 416, 421, 422, 431, 501, 503, 505];
const BODIES = [
  { path: "/v2/search", body: { query: "country:Kenya", pageSize: 2 }, status: 200 },
  { path: "/v2/search", body: { query: "(" }, status: 422 },
  { path: "/v2/search", body: { query: "", filter: [{ field: "Country", value: ["Peru", 1, true] }] }, status: 200 },
  { path: "/v2/sequence", body: { registry_accessions: ["vj000000000001"] }, status: 200 },
  { path: "/v2/metadata/download", body: { fields: ["Country"] }, status: 200 },
  {
    path: "/v2/download",
    body: { search: { query: "*" }, download: { scope: "max", information: "sequences", fileType: "fasta" } },
    status: 200,
  },
  {
    path: "/v2/download",
    body: { search: { query: "*" }, download: { scope: "max", information: "metadata", fileType: "json" } },
    status: 400,
  },
] as const;
const WORDS = [
  "\r\n",
  "\r\n\r\n",
  "transfer-encoding: chunked\r\n",
  "content-length: 5\r\n",
  "expect: 100-continue\r\n",
]
  .concat(["\0", "HTTP/1.0", "GET", ":", "{", "null", "1e999", "\ud800", "range: bytes=0-0\r\n", "accept: */*\r\n"]);

interface Answer {
  readonly text: string;
  readonly faults: readonly string[];
  readonly alive: boolean;
}

export default async function open(): Promise<FuzzRoom> {
  const world = await makeArchives({ columns: ["Country"], rows: [["Kenya"], ["Peru"], ["Kenya"]] });
  const store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  const faults: string[] = [];
  const onFault = (fault: unknown) =>
    void faults.push(fault instanceof Error ? fault.stack ?? fault.message : `${fault}`);
  const server = await serveRegistry(createRegistryService(store, { onFault }), {
    onFault,
    limits: { headersMs: 100, requestMs: 100 },
  });
  const { port, url } = server;

  /** Sends bytes and reads until the server closes, or is silent for longer than it waits for a request. */
  const exchange = async (input: Uint8Array): Promise<string> => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const decoder = new TextDecoder("latin1");
    const buffer = new Uint8Array(1 << 16);
    let text = "";
    const timer = setTimeout(() => socket.close(), 1500);
    try {
      for (let sent = 0; sent < input.length;) sent += await socket.write(input.subarray(sent));
      for (;;) {
        const count = await socket.read(buffer);
        if (count === null) break;
        text += decoder.decode(buffer.subarray(0, count));
      }
    } catch {
      // The server closed first, or the time was over.
    } finally {
      clearTimeout(timer);
    }
    return text;
  };

  return {
    make(draw) {
      const { path, body, status } = pick(draw, BODIES);
      const json = JSON.stringify(body);
      const text = draw(6) === 0
        ? `GET ${pick(draw, ["/", "/openapi.json", "/v2", "/v2/datasets_download?filename=x"])} HTTP/1.1\r\n`
        : `POST ${path} HTTP/1.1\r\nx-expected: ${status}\r\n`;
      const isPost = text.startsWith("POST");
      const head = `${text}host: 127.0.0.1:PORT\r\nconnection: close\r\n`;
      const content = `content-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
      const bytes = encoder.encode(head + (isPost ? content : "\r\n"));
      return draw(3) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) =>
      outcomeOf(async (): Promise<Answer> => {
        faults.length = 0;
        const message = new TextDecoder("latin1").decode(input).replaceAll("127.0.0.1:PORT", `127.0.0.1:${port}`);
        const text = await exchange(Uint8Array.from(message, (character) => character.charCodeAt(0)));
        const next = await fetch(`${url}/v2/sequence`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ registry_accessions: [] }),
        });
        return { text, faults: [...faults], alive: next.status === 200 && await next.text() === "{}" };
      }),
    judge(input, result) {
      const ours = result as Outcome<Answer>;
      if ("error" in ours) return Promise.resolve(`threw ${ours.error.stack}`);
      const { text, faults, alive } = ours.value;
      if (!alive) return Promise.resolve("the next client is not served");
      if (faults.length > 0) return Promise.resolve(`a fault of the registry's own: ${faults[0]}`);
      if (text === "") return Promise.resolve(undefined);
      const statuses = [...text.matchAll(/(?:^|\r\n|[}\n])HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) =>
        Number(status)
      );
      if (statuses.length === 0) return Promise.resolve(`no status: ${text.slice(0, 100)}`);
      const odd = statuses.find((status) => status !== 100 && !STATUSES.includes(status));
      if (odd !== undefined) return Promise.resolve(`status ${odd}: ${text.slice(0, 300)}`);
      const request = new TextDecoder("latin1").decode(input);
      const isWhole = BODIES.some(({ path, body, status }) => {
        const json = JSON.stringify(body);
        return request ===
          `POST ${path} HTTP/1.1\r\nx-expected: ${status}\r\nhost: 127.0.0.1:PORT\r\nconnection: close\r\n` +
            `content-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
      });
      const expected = Number(/x-expected: ([0-9]{3})/.exec(request)?.[1]);
      return Promise.resolve(
        isWhole && statuses[0] !== expected ? `status ${statuses[0]}, expected ${expected}` : undefined,
      );
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await store[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
