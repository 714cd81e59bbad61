/** Object stores that start with a cluster, on loopback and with keys of their own. */
import { join } from "node:path";
import { waitForLine } from "./_log.ts";
import { startProgram } from "./_processes.ts";
import { installVersitygw } from "./_versitygw.ts";
import { freePorts } from "../../_free_ports.ts";

const READY_MS = 60_000;
const REGION = "us-east-1";

export interface Gateway {
  readonly endpoint: string;
  /** Variables with its address and keys, as every program of S3 reads them. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a store is started with. */
interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a store listens on, and whom it lets in. */
interface Place {
  readonly host: string;
  readonly port: string;
  /** An empty folder. */
  readonly root: string;
  readonly access: string;
  readonly secret: string;
}

const PROGRAMS: Readonly<Record<string, (place: Place, say: (line: string) => void) => Promise<Program>>> = {
  /** A gateway in front of a folder; it verifies signatures. */
  versitygw: async ({ host, port, root, access, secret }, say) => ({
    command: [await installVersitygw(say), "--port", `${host}:${port}`, "posix", root],
    env: { ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret },
  }),
  /** A program on the path (`pip install 'moto[server]'`); it keeps objects in memory and takes any key. */
  moto: ({ host, port }) => Promise.resolve({ command: ["moto_server", "-H", host, "-p", port], env: {} }),
};

/** Whether a store has such a name. */
export function isGateway(name: string): boolean {
  return Object.hasOwn(PROGRAMS, name);
}

export async function startGateway(name: string, folder: string, say: (line: string) => void): Promise<Gateway> {
  const [root, log] = [join(folder, "s3"), join(folder, `${name}.log`)];
  await Deno.mkdir(root, { recursive: true });
  const endpoint = `http://127.0.0.1:${freePorts(1)[0]}`;
  const { hostname: host, port } = new URL(endpoint);
  const [access, secret] = [crypto.randomUUID(), crypto.randomUUID()];
  const { command, env } = await PROGRAMS[name]({ host, port, root, access, secret }, say);
  const { ended } = startProgram({ command, env: { ...env, PYTHONUNBUFFERED: "1" }, log, folder });
  await waitForLine(log, /listening|Listening|http:\/\//, { timeoutMs: READY_MS, ended });
  return {
    endpoint,
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
    },
  };
}
