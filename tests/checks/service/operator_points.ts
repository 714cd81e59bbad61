/** What an operator relies on, each in a process of its own: descriptors, looks at the folder, logs, pauses. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connect, type Socket } from "node:net";
import { request } from "node:http";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { CLI_PERMISSIONS, cliCommand, NEUTRAL, RUN_QUIETLY, runCli, startCli } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A shell that limits the program that it becomes. */
const limited = (limits: string) => ["sh", "-c", `${limits}; exec "$@"`, "sh"];

/** Files of more than some thousand bytes are refused there. */
const FULL_DISK = limited('trap "" XFSZ; ulimit -f 8');

async function withArchives(work: (root: string, env: { SEQREG_CACHE: string }) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    await makeSample(`${root}/archives`, { records: 60 });
    await work(root, { SEQREG_CACHE: `${root}/cache` });
  });
}

async function total(url: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v2/search`, { method: "POST", headers, body: '{"query":""}' });
  return (await response.json()).total;
}

/** Status of an answer to a client of an address; 0 if it got none. */
function statusFor(url: string, localAddress: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}/v2`, { localAddress, agent: false }, (answer) => {
      answer.resume().once("close", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", () => resolve(0));
    sent.end();
  });
}

Deno.test("with 1,024 files and 1,500 idle connections of one address another is answered, and then the first", async () => {
  await withArchives(async (root, env) => {
    const { child, line: url, stderr } = await startCli(["serve", `${root}/archives`], {
      env,
      through: limited("ulimit -n 1024"),
    });
    const port = Number(new URL(url).port);
    let closed = 0;
    const idle: Socket[] = [];
    for (let count = 0; count < 1500; count++) {
      const socket = connect({ host: "127.0.0.1", port });
      socket.on("error", () => {}).once("close", () => closed++);
      idle.push(socket);
      if (count % 50 === 49) await pause(20);
    }
    while (closed < 400) await pause(50);
    const before = closed;
    for (let time = 0; time < 20; time++) assertEquals(await statusFor(url, "127.0.0.2"), 404);
    assert(closed > before, "idle connections make room");
    for (const socket of idle) socket.destroy();
    let own = 0;
    for (const end = performance.now() + 30_000; own !== 404 && performance.now() < end; await pause(100)) {
      own = await statusFor(url, "127.0.0.1");
    }
    assertEquals(own, 404);
    child.kill("SIGTERM");
    const { code } = await child.status;
    assertEquals(code, 0, await stderr);
    assertMatch(await stderr, /can open only \d+ more files: at most \d{3} connections and 256 answers/);
  });
});

Deno.test("a folder that is exchanged is taken over without an option, after two looks of 5 s", async () => {
  await withArchives(async (root, env) => {
    const { child, line: url, stderr } = await startCli(["serve", `${root}/archives`], { env });
    await makeSample(`${root}/next`, { records: 70 });
    await Deno.rename(`${root}/archives`, `${root}/before`);
    await Deno.rename(`${root}/next`, `${root}/archives`);
    const begun = performance.now();
    while (await total(url) !== 70) await pause(100);
    const seconds = (performance.now() - begun) / 1000;
    assert(seconds > 5, `${seconds} s: the first look is no proof that nobody writes`);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, await stderr);
  });
});

Deno.test("a log on a full disk loses whole lines and no answer, and says so in one line and their number", async () => {
  await withArchives(async (root, env) => {
    await runCli(["serve", `${root}/archives`, "--openapi", "-"], { env });
    const log = `${root}/log`;
    const { child, line: url, stderr } = await startCli(["serve", `${root}/archives`, "--log", log], {
      env,
      through: FULL_DISK,
    });
    for (let time = 0; time < 100; time++) assertEquals(await total(url), 60);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, await stderr);
    const written = (await Deno.readTextFile(log)).split("\n");
    assertEquals(written.pop(), "");
    for (const line of written) assertEquals(JSON.parse(line).status, 200);
    const said = (await stderr).split("\n").filter((line) => line.includes("a line of the log was lost"));
    assertEquals(said.length, 2, await stderr);
    assertStringIncludes(said[1], `(${99 - written.length} more)`);
  });
});

Deno.test("a log whose reader is gone loses lines and no answer", async () => {
  await withArchives(async (root, env) => {
    const child = cliCommand(["serve", `${root}/archives`, "--log", "-"], { env }).spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    const url = new TextDecoder().decode((await reader.read()).value).trim();
    await reader.cancel();
    for (let time = 0; time < 50; time++) assertEquals(await total(url), 60);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, await stderr);
    const lines = (await stderr).split("\n").filter((line) => line.includes("a line of the log was lost"));
    assertEquals(lines.length, 2, await stderr);
  });
});

Deno.test("a process that was stopped for 20 s answers what came before and meanwhile", async () => {
  await withArchives(async (root, env) => {
    const { child, line: url, stderr } = await startCli(["serve", `${root}/archives`], { env });
    const port = Number(new URL(url).port);
    const text = `GET /v2 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`;
    const begin = async (part: string) => {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await socket.write(new TextEncoder().encode(part));
      return socket;
    };
    const half = text.slice(0, 20);
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(half)));
    await pause(200);
    child.kill("SIGSTOP");
    const meanwhile = await Promise.all(Array.from({ length: 20 }, () => begin(text)));
    await pause(20_000);
    child.kill("SIGCONT");
    for (const socket of begun) await socket.write(new TextEncoder().encode(text.slice(20)));
    for (const socket of [...begun, ...meanwhile]) {
      assertStringIncludes(await new Response(socket.readable).text(), "HTTP/1.1 404");
    }
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, await stderr);
  });
});

Deno.test("an import for which the disk has no room says so, and leaves nothing of it", async () => {
  await withArchives(async (root, env) => {
    const { code, stdout, stderr } = await runCli(["serve", `${root}/archives`], {
      env,
      through: FULL_DISK,
    });
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /^seqreg: Cannot write [^\n]+\n$/);
    const left = [...Deno.readDirSync(`${env.SEQREG_CACHE}/service`)].map(({ name }) => name);
    assertEquals(left, []);
  });
});

Deno.test("a server that cannot listen again says so, and ends with an exit code", async () => {
  await withArchives(async (root, env) => {
    const module = new URL("_serve_deaf.ts", import.meta.url).pathname;
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...RUN_QUIETLY, ...CLI_PERMISSIONS, module, "serve", `${root}/archives`],
      env: { ...NEUTRAL, ...env },
    }).output();
    const said = new TextDecoder().decode(stderr);
    assertEquals(code, 1, said);
    assertMatch(
      said,
      /\nseqreg: Cannot serve on 127\.0\.0\.1:\d+: the port is in use; choose another, or 0 for a free one\n$/,
    );
  });
});

Deno.test("requests of one kind that fail are one line and their number", async () => {
  await withArchives(async (root, env) => {
    const { child, line: url, stderr } = await startCli(["serve", `${root}/archives`, "--watch", "0"], { env });
    const [name] = [...Deno.readDirSync(`${root}/archives`)].map(({ name }) => name).filter((name) =>
      name.endsWith("full_dataset_metadata.csv.gz")
    );
    const { size } = await Deno.stat(`${root}/archives/${name}`);
    await Deno.writeFile(`${root}/archives/${name}`, new Uint8Array(size));
    for (let time = 0; time < 30; time++) {
      const answer = await fetch(`${url}/v2/datasets_download?filename=${name}`).catch(() => undefined);
      await answer?.body?.cancel().catch(() => {});
      assert(answer?.status !== 200);
    }
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0, await stderr);
    const lines = (await stderr).split("\n").filter((line) => line.includes("an answer failed"));
    assertEquals(lines.length, 2, await stderr);
    assertStringIncludes(lines[1], "it was overwritten after it was imported; replace archives by renaming (29 more)");
  });
});

Deno.test("a second server of one folder says that it waits for the first, and which that is", async () => {
  await inFolder(async (root) => {
    await makeSample(`${root}/archives`, { records: 5000 });
    const spawn = () => cliCommand(["serve", `${root}/archives`], { env: { SEQREG_CACHE: `${root}/cache` } }).spawn();
    const first = spawn();
    const importing = () => [...Deno.readDirSync(`${root}/cache/service`)].some(({ name }) => name.endsWith(".lock"));
    for (;; await pause(5)) {
      try {
        if (importing()) break;
      } catch {
        // The cache is not there yet.
      }
    }
    first.kill("SIGSTOP");
    const second = spawn();
    const stderr = second.stderr.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.includes(`waiting for process ${first.pid}, which imports ${root}/archives`)) {
      const { value, done } = await stderr.read();
      assert(!done, said);
      said += value;
    }
    first.kill("SIGCONT");
    for (const server of [first, second]) {
      const stdout = server.stdout.getReader();
      assertEquals(await total(new TextDecoder().decode((await stdout.read()).value).trim()), 5000);
      server.kill("SIGTERM");
      await stdout.cancel();
    }
    await Promise.all([first.status, second.status, first.stderr.cancel(), stderr.cancel()]);
  });
});
