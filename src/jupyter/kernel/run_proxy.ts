/** The proxy as a program: it listens where the front end expects a kernel, and starts the real one. */
import { startChildKernel } from "./child_kernel.ts";
import { type Channel, CHANNELS, type KernelConnection } from "./jupyter_message.ts";
import type { KernelFolder } from "./kernel_folder.ts";
import { KernelProxy, type Listeners } from "./proxy.ts";

/**
 * Runs the proxy until the real kernel ends.
 *
 * @param front The front end's connection file, as read.
 * @param options `folder`: the folder that the real kernel is started in, the notebook's own by default; `tables`: the
 * program that reads live tables.
 * @returns The real kernel's exit code.
 */
export async function runProxy(
  front: KernelConnection,
  { folder, tables }: { readonly folder?: KernelFolder; readonly tables?: URL } = {},
): Promise<number> {
  try {
    // First of all: what listens keeps its ports, and a client that connects at once is heard when the kernel is up.
    const listeners = await listen(front);
    const child = await startChildKernel(front, folder?.path);
    const ends: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];
    for (const signal of ends) Deno.addSignalListener(signal, child.stop);
    try {
      const proxy = new KernelProxy({ key: front.key, listeners, child, firstCode: folder?.enter, tables });
      await proxy.start();
      // The kernel has read it: what is not there cannot stay behind.
      child.cleanUp();
      const status = await child.process.status;
      await proxy.end(status);
      return status.code;
    } finally {
      child.stop();
      child.cleanUp();
    }
  } finally {
    folder?.remove();
  }
}

/** Longest wait for a port that the front end chose and a passing connection of another program holds. */
const PORT_TIMEOUT_MS = 20_000;

/** Listens to the ports that the front end chose. */
async function listen({ ip, ports }: KernelConnection): Promise<Listeners> {
  const deadline = performance.now() + PORT_TIMEOUT_MS;
  const open = async (channel: Channel): Promise<Deno.TcpListener> => {
    for (;;) {
      try {
        return Deno.listen({ hostname: ip, port: ports[channel] });
      } catch (cause) {
        if (!(cause instanceof Deno.errors.AddrInUse) || performance.now() > deadline) throw cause;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const opened = await Promise.all(CHANNELS.map(async (channel) => [channel, await open(channel)] as const));
  return Object.fromEntries(opened) as Record<Channel, Deno.TcpListener>;
}
