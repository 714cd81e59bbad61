/** Packages are what the lock file says: one that was changed on its way, or at its source, is refused. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { type TarEntry, writeTar } from "../../../../src/cli/bundle/tar.ts";

const LOCK: { version: string; npm: Record<string, { integrity?: string }> } = JSON.parse(
  await Deno.readTextFile(new URL("../../../../deno.lock", import.meta.url)),
);

Deno.test("every package of the lock file has its SHA-512", () => {
  const unpinned = Object.entries(LOCK.npm).filter(([, { integrity = "" }]) =>
    !/^sha512-[\w+/]{86}==$/.test(integrity)
  );
  assertEquals(unpinned.map(([id]) => id), []);
  assert("deno-std@1.4.0" in LOCK.npm);
});

/** A package of npm with one module. */
async function packageOf(name: string, version: string, module: string): Promise<Uint8Array<ArrayBuffer>> {
  const texts = { "package/package.json": JSON.stringify({ name, version, type: "module" }), "package/mod.js": module };
  const entries: TarEntry[] = Object.entries(texts).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return {
      path,
      bytes: bytes.length,
      executable: false,
      open: () =>
        (async function* () {
          yield bytes;
        })(),
    };
  });
  const packed = ReadableStream.from(writeTar(entries)).pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Runs a module that imports the standard library's package from a registry on loopback, into an empty cache. */
async function runWith(packed: Uint8Array<ArrayBuffer>, integrity: string): Promise<{ code: number; said: string }> {
  const own = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const folder = await Deno.makeTempDir();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    if (url.endsWith(".tgz")) return new Response(packed);
    const dist = { tarball: `${new URL(url).origin}/deno-std-1.4.0.tgz`, integrity: own };
    const versions = { "1.4.0": { name: "deno-std", version: "1.4.0", dist } };
    return Response.json({ name: "deno-std", "dist-tags": { latest: "1.4.0" }, versions });
  });
  try {
    const npm = { "deno-std@1.4.0": { integrity } };
    const lock = { version: LOCK.version, specifiers: { "npm:deno-std@1.4.0": "1.4.0" }, npm };
    await Deno.writeTextFile(`${folder}/deno.lock`, JSON.stringify(lock));
    await Deno.writeTextFile(`${folder}/a.ts`, 'import "npm:deno-std@1.4.0/mod.js";');
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", "--frozen", "--no-check", `--lock=${folder}/deno.lock`, `${folder}/a.ts`],
      env: { DENO_DIR: `${folder}/cache`, NPM_CONFIG_REGISTRY: `http://127.0.0.1:${server.addr.port}`, NO_COLOR: "1" },
      signal: AbortSignal.timeout(60_000),
    }).output();
    return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a package with another SHA-512 than the lock file's is refused", async () => {
  const packed = await packageOf("deno-std", "1.4.0", 'console.log("ran what came");');
  const own = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const { said } = await runWith(packed, own);
  assertStringIncludes(said, "ran what came");

  const refused = await runWith(packed, LOCK.npm["deno-std@1.4.0"].integrity!);
  assert(refused.code !== 0);
  assertStringIncludes(refused.said, "checksum did not match");
  assert(!refused.said.includes("ran what came"), refused.said);
});
