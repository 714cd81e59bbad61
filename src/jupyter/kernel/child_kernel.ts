/** The real kernel, `deno jupyter`, on ports of its own. */
import { type Channel, CHANNELS, type KernelConnection } from "./jupyter_message.ts";
import { Link } from "./zmtp.ts";

/** How long the real kernel may take to listen. */
const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 25;

/** A running `deno jupyter`. */
export interface ChildKernel {
  readonly process: Pick<Deno.ChildProcess, "kill" | "pid" | "status">;
  /** Connects to one of its channels, waiting until it listens. */
  dial(channel: Channel): Promise<Link>;
  /** Milliseconds that it has computed; infinite where this system does not tell. */
  cpuMs(): number;
  /** Asks it to end; does nothing when it has. */
  stop(): void;
  /** Removes what was written for it. */
  cleanUp(): void;
}

/** Times that a start is tried: another program may take a port between our look and the kernel's. */
const START_TRIES = 10;

/**
 * Starts the real kernel on free ports, with the front end's own key, so that messages need no new signature.
 *
 * @param front What the front end wrote for the proxy.
 * @param folder Working directory that it is started in; the proxy's by default.
 */
export async function startChildKernel(front: KernelConnection, folder?: string): Promise<ChildKernel> {
  for (let tries = 1;; tries++) {
    const child = await spawnKernel(front, folder);
    const ended = child.process.status.then(() => true);
    const listens = child.dial("hb_port").then((link) => {
      link.close();
      return false;
    });
    listens.catch(() => {});
    try {
      if (!await Promise.race([ended, listens]) || tries === START_TRIES) return child;
    } catch (cause) {
      child.stop();
      child.cleanUp();
      throw cause;
    }
    child.cleanUp();
  }
}

async function spawnKernel(front: KernelConnection, cwd?: string): Promise<ChildKernel> {
  const ip = innerAddress(front.ip);
  const ports = freePorts(ip);
  const file = await Deno.makeTempFile({ prefix: "seqreg-kernel-", suffix: ".json" });
  await Deno.chmod(file, 0o600).catch(() => {});
  await Deno.writeTextFile(file, JSON.stringify({ ...front.file, ip, ...ports }));
  // Without a warning in the terminal of JupyterLab that `deno jupyter` is unstable.
  const args = ["jupyter", "--quiet", "--kernel", "--conn", file];
  const process = new Deno.Command(Deno.execPath(), { args, cwd, stdin: "null" }).spawn();
  const ended = new AbortController();
  process.status.then(() => ended.abort());
  return {
    process,
    dial: (channel) => dial(ip, ports[channel], ended.signal),
    cpuMs: () => readCpuMs(process.pid),
    stop: () => {
      try {
        process.kill("SIGTERM");
      } catch {
        // It ended before.
      }
    },
    cleanUp: () => {
      try {
        Deno.removeSync(file);
      } catch {
        // Removed before.
      }
    },
  };
}

/** Linux counts in hundredths of a second, behind the name of the program, which may hold brackets itself. */
function readCpuMs(pid: number): number {
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Infinity;
  }
}

/**
 * Address of the real kernel: on Linux one of 127/8 that is this process's own, so that no other program takes one of
 * its ports between our look and the kernel's. Elsewhere only the front end's own address is sure to be there.
 */
function innerAddress(frontIp: string): string {
  if (Deno.build.os !== "linux" || !frontIp.startsWith("127.")) return frontIp;
  const pid = Deno.pid;
  // Process ids have at most 22 bits; the second byte keeps clear of 127.0, where everybody else is.
  const own = `127.${64 + (pid >> 16 & 63)}.${pid >> 8 & 255}.${pid & 255}`;
  try {
    Deno.listen({ hostname: own, port: 0 }).close();
    return own;
  } catch {
    // Some containers have 127.0.0.1 alone.
    return frontIp;
  }
}

function freePorts(hostname: string): Record<Channel, number> {
  // All are held open until all are known, so that no two are the same.
  const probes = CHANNELS.map(() => Deno.listen({ hostname, port: 0 }));
  const ports = probes.map(({ addr }) => addr.transport === "tcp" ? addr.port : 0);
  for (const probe of probes) probe.close();
  return Object.fromEntries(CHANNELS.map((channel, index) => [channel, ports[index]])) as Record<Channel, number>;
}

/** Connects when something listens; gives up when the kernel has ended. */
async function dial(hostname: string, port: number, ended: AbortSignal): Promise<Link> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return new Link(await Deno.connect({ hostname, port }));
    } catch (cause) {
      if (ended.aborted) throw new Error("the Deno kernel has ended", { cause });
      if (performance.now() > deadline) {
        throw new Error("the Deno kernel did not start; run `deno jupyter --kernel` by hand to see why", { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
