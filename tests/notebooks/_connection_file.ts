/** Connection files, by which clients find a kernel. */

/** Writes a connection file for five free ports of this machine. */
export async function writeConnectionFile(): Promise<string> {
  const [shell_port, iopub_port, stdin_port, control_port, hb_port] = freePorts(5);
  const path = await Deno.makeTempFile({ suffix: ".json" });
  const ports = { shell_port, iopub_port, stdin_port, control_port, hb_port };
  const content = { transport: "tcp", ip: "127.0.0.1", signature_scheme: "hmac-sha256", kernel_name: "deno", ...ports };
  await Deno.writeTextFile(path, JSON.stringify({ ...content, key: crypto.randomUUID() }));
  return path;
}

function freePorts(count: number): number[] {
  // All are held open until all are known, so that no two are the same.
  const listeners = Array.from({ length: count }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const ports = listeners.map(({ addr }) => addr.transport === "tcp" ? addr.port : 0);
  for (const listener of listeners) listener.close();
  return ports;
}
