/** Connection files, by which clients find a kernel. */
import { freePorts } from "../_free_ports.ts";

/** Writes a connection file for five free ports of this machine. */
export async function writeConnectionFile(): Promise<string> {
  const [shell_port, iopub_port, stdin_port, control_port, hb_port] = freePorts(5);
  const path = await Deno.makeTempFile({ suffix: ".json" });
  const ports = { shell_port, iopub_port, stdin_port, control_port, hb_port };
  const content = { transport: "tcp", ip: "127.0.0.1", signature_scheme: "hmac-sha256", kernel_name: "deno", ...ports };
  await Deno.writeTextFile(path, JSON.stringify({ ...content, key: crypto.randomUUID() }));
  return path;
}
