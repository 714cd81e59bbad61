/** Bytes that a hostile client sends on a socket. */
import type { Draw } from "../../_randoms.ts";
import { wildcardQuery } from "../../bench/_service_load.ts";

const encoder = new TextEncoder();

export function requestBytes(port: number, method: string, path: string, body = "", more = ""): string {
  const content = body === ""
    ? ""
    : `content-type: application/json\r\ncontent-length: ${encoder.encode(body).length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${content}${more}\r\n${body}`;
}

/** Makes one hostile message; the client leaves after it, mostly without reading. */
export function hostileBytes(port: number, draw: Draw): Uint8Array {
  const search = (body: unknown) => requestBytes(port, "POST", "/v2/search", JSON.stringify(body));
  const messages = [
    () => search({ query: `country:*${draw(1000)}*`, pageSize: 1 }).repeat(300),
    () => search({ query: wildcardQuery(draw(1000)), pageSize: 10_000 }).repeat(2),
    () => `GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n`,
    () => `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    () => `POST /v2/search HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 100\r\n\r\n{"que`,
    () => requestBytes(port, "POST", "/v2/search", "[".repeat(5000)),
    () => requestBytes(port, "POST", "/v2/search", `{"query": "${"(".repeat(50)}"}`),
    () => requestBytes(port, "POST", "/v2/download", JSON.stringify({ search: {}, download: { scope: "all" } })),
    () => `POST /v2/search HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    () => requestBytes(port, "GET", "/v2/datasets_download?filename=..%2f..%2fetc%2fpasswd"),
    () => requestBytes(port, "POST", "/v2/search", `{"query":"","filter":[${"1,".repeat(100_000)}1]}`),
  ];
  return encoder.encode(messages[draw(messages.length)]());
}
