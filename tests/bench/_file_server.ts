/**
 * Sends one file and its checksum file over loopback as fast as it can: folder, archive's name.
 *
 * Runs in a process of its own, so that what is measured does not wait for what measures.
 */
const [folder, archive] = Deno.args;
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
console.log(listener.addr.port);

for await (const connection of listener) void answer(connection).catch(() => {});

async function answer(connection: Deno.Conn): Promise<void> {
  using _ = connection;
  const request = new Uint8Array(8192);
  for (;;) {
    const count = await connection.read(request);
    if (count === null) return;
    const line = new TextDecoder().decode(request.subarray(0, count)).split("\r\n", 1)[0];
    const wanted = new URL(line.split(" ")[1], "http://127.0.0.1").searchParams.get("filename") ?? "";
    const name = wanted.endsWith(".sha256") ? wanted : archive;
    using file = await Deno.open(`${folder}/${name}`);
    const { size } = await file.stat();
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\nETag: "1"\r\n\r\n`;
    await writeAll(connection, new TextEncoder().encode(head));
    const buffer = new Uint8Array(1 << 20);
    for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
      await writeAll(connection, buffer.subarray(0, count));
    }
  }
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
}
