/** An S3 gateway in front of a folder, versitygw, from Go's module proxy; by hand, since its build takes minutes. */
import { join } from "node:path";
import { cacheFolder } from "./_install.ts";
import { waitForLine } from "./_log.ts";
import { startProgram } from "./_processes.ts";

const MODULE = "github.com/versity/versitygw/cmd/versitygw";
/** Go compares what it downloads with its own log of checksums (`sum.golang.org`). */
const VERSION = "v1.8.0";
const READY_MS = 60_000;

/** A running gateway. */
export interface Gateway {
  /** Its address. */
  readonly endpoint: string;
  /** Variables with its address and keys, as every program of S3 reads them. */
  readonly env: Readonly<Record<string, string>>;
}

/** Builds the gateway unless it is in the cache. @returns Its path. @throws {Error} If Go is absent or fails. */
export async function installGateway(say: (line: string) => void): Promise<string> {
  const folder = join(cacheFolder(), `versitygw-${VERSION}`);
  const program = join(folder, "versitygw");
  if (await Deno.stat(program).then(() => true, () => false)) return program;
  const staging = `${folder}.part`;
  await Deno.mkdir(staging, { recursive: true });
  say(`building versitygw ${VERSION}`);
  const { success } = await runGo(["install", `${MODULE}@${VERSION}`], staging);
  if (!success) throw new Error(`go install ${MODULE}@${VERSION} failed`);
  for (const name of ["go", "build"]) await Deno.remove(join(staging, name), { recursive: true });
  await Deno.rename(staging, folder);
  return program;
}

async function runGo(args: readonly string[], staging: string): Promise<Deno.CommandStatus> {
  try {
    const env = {
      GOBIN: staging,
      GOPATH: join(staging, "go"),
      GOCACHE: join(staging, "build"),
      GOFLAGS: "-modcacherw",
      CGO_ENABLED: "0",
    };
    return await new Deno.Command("go", { args: [...args], env, cwd: staging }).spawn().status;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) throw new Error("Cannot build versitygw: need golang-go", { cause });
    throw cause;
  }
}

/** Starts the gateway on a folder of the cluster, with keys of its own. */
export async function startGateway(folder: string, say: (line: string) => void): Promise<Gateway> {
  const program = await installGateway(say);
  const [root, log] = [join(folder, "s3"), join(folder, "versitygw.log")];
  await Deno.mkdir(root, { recursive: true });
  const endpoint = `http://127.0.0.1:${freePort()}`;
  const [access, secret] = [crypto.randomUUID(), crypto.randomUUID()];
  const { ended } = startProgram({
    command: [program, "--port", new URL(endpoint).host, "posix", root],
    env: { ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret },
    log,
    folder,
  });
  await waitForLine(log, /listening|Listening|http:\/\//, { timeoutMs: READY_MS, ended });
  const env = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: access,
    AWS_SECRET_ACCESS_KEY: secret,
  };
  return { endpoint, env };
}

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
