/** HTTP as bytes on a raw socket. */

const encoder = new TextEncoder();

/** Writes bytes on a socket and reads what comes until the server closes it. */
export async function speak(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port });
  for (const part of parts) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    // The server may have answered and gone before it was told everything.
    for (let start = 0; start < bytes.length;) {
      const count = await socket.write(bytes.subarray(start)).catch(() => undefined);
      if (count === undefined) break;
      start += count;
    }
  }
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 16);
  let text = "";
  for (;;) {
    const count = await socket.read(buffer).catch(() => null);
    if (count === null) return text;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}

/** A request with a body, as bytes. */
export function posting(
  port: number,
  path: string,
  body: string | Uint8Array,
): [head: string, body: string | Uint8Array] {
  const length = typeof body === "string" ? encoder.encode(body).length : body.length;
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n`;
  return [`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`, body];
}

export function parse(answer: string): { status: number; headers: string; body: string } {
  const end = answer.indexOf("\r\n\r\n");
  return { status: Number(answer.slice(9, 12)), headers: answer.slice(0, end), body: answer.slice(end + 4) };
}
