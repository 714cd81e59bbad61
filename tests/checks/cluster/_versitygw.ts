/** An S3 gateway in front of a folder, versitygw, from Go's module proxy; by hand, since its build takes minutes. */
import { join } from "node:path";
import { cacheFolder } from "./_install.ts";

const MODULE = "github.com/versity/versitygw/cmd/versitygw";
/** Go compares what it downloads with its own log of checksums (`sum.golang.org`). */
const VERSION = "v1.8.0";

/** Builds the gateway unless it is in the cache. @returns Its path. @throws {Error} If Go is absent or fails. */
export async function installVersitygw(say: (line: string) => void): Promise<string> {
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
