/** A server whose process may open 64 files, and more connections than that. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "../../../_files.ts";

const MODULE = fromFileUrl(new URL("_serve_hello.ts", import.meta.url));

Deno.test({
  name: "with 64 files a server says what it holds, and accepts again after more connections",
  ignore: Deno.build.os !== "linux",
}, async () => {
  const run = `ulimit -n 64; exec "$0" run --quiet --no-check --no-prompt --allow-read --allow-env --allow-net "$1"`;
  await using server = new Deno.Command("sh", { args: ["-c", run, Deno.execPath(), MODULE], stdout: "piped" }).spawn();
  const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("warning")) said += (await lines.read()).value ?? "";
  assertStringIncludes(said, "more files: at most ");
  const url = said.split("\n")[0];
  const port = Number(new URL(url).port);
  const idle = await Promise.all(Array.from({ length: 200 }, () => Deno.connect({ port })));
  for (const connection of idle) connection.close();
  let answer = "";
  for (const end = performance.now() + 30_000; answer === "" && performance.now() < end;) {
    answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).then((response) => response.text(), () => "");
  }
  assertEquals(answer, "hello");
  server.kill();
  await lines.cancel();
  assert(!(await server.status).success);
});
