import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cliCommand, type CliOptions, runCli, startCli } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";
import { fixtureRecords, writeFixture } from "../../core/contract/_archives.ts";
import { parse, posting } from "../../embedded/service/_socket.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";

/** A program that serves: its first line has come. */
interface Serving {
  readonly url: string;
  readonly child: Deno.ChildProcess;
  /** Ends it and gives its exit code, and what it wrote after the first line. */
  end(signal: Deno.Signal): Promise<{ code: number; stdout: string; stderr: string }>;
}

async function serve(args: readonly string[], options: CliOptions): Promise<Serving> {
  const { child, line, rest, stderr } = await startCli(["serve", ...args], options);
  return {
    url: line,
    child,
    async end(signal) {
      child.kill(signal);
      const { code } = await child.status;
      return { code, stdout: await rest, stderr: await stderr };
    },
  };
}

async function withFolders(work: (folder: string, options: CliOptions) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const cache = await Deno.makeTempDir();
  try {
    await work(folder, { env: { SEQREG_CACHE: cache }, cwd: folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(cache, { recursive: true });
  }
}

const search = async (url: string, query: string) => {
  const response = await fetch(`${url}/v2/search`, {
    method: "POST",
    body: new TextEncoder().encode(JSON.stringify({ query })),
  });
  return await response.json();
};

/** Waits until nobody takes connections any more; `task test` has a time limit. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch {
      return;
    }
  }
}

Deno.test("serve prints the base URL when it accepts, and on SIGTERM finishes what a raw socket has begun to ask", async () => {
  await withFolders(async (folder, options) => {
    await writeFixture(folder, fixtureRecords(60));
    const origin = "https://lab.example";
    const { url, end } = await serve([folder, "--log", "access.jsonl", "--cors", origin], options);
    assertMatch(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(url).port);
    const [head, body] = posting(port, "/v2/search", '{"query":"country:Kenya"}');
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const write = (text: string) => socket.write(new TextEncoder().encode(text));
    const buffer = new Uint8Array(1 << 16);
    await write(head.replace("\r\n\r\n", `\r\norigin: ${origin}\r\nexpect: 100-continue\r\n\r\n`));
    const asked = new TextDecoder().decode(buffer.subarray(0, await socket.read(buffer) ?? 0));
    assertEquals(asked, "HTTP/1.1 100 Continue\r\n\r\n");

    const ended = end("SIGTERM");
    await untilRefused(port);
    await write(String(body));
    let text = "";
    for (let count = await socket.read(buffer); count !== null; count = await socket.read(buffer)) {
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }

    const answer = parse(text);
    assertEquals([answer.status, answer.body.includes('"total":3,')], [200, true], text);
    assertMatch(answer.headers, /^access-control-allow-origin: https:\/\/lab\.example$/im);
    assertMatch(answer.headers, /^connection: close$/im);
    const { code, stdout, stderr } = await ended;
    assertEquals([code, stdout], [0, ""], stderr);
    assertStringIncludes(stderr, "serving 60 records");
    const { method, target, status, whole } = JSON.parse(await Deno.readTextFile(`${folder}/access.jsonl`));
    assertEquals([method, target, status, whole], ["POST", "/v2/search", 200, true]);
  });
});

Deno.test("serve finishes open answers on SIGINT", async () => {
  await withFolders(async (folder, options) => {
    // More than the buffers of two sockets hold.
    const long = "ACGT".repeat(250_000);
    const records = fixtureRecords(12).map((record) => ({ ...record, sequence: long }));
    await writeFixture(folder, records);
    const { url, end } = await serve([folder, "--quiet"], options);
    const body = {
      search: { query: "*" },
      download: { scope: "max", information: "sequences", fileType: "fasta", metadata: ["Country"] },
    };
    const response = await fetch(`${url}/v2/download`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const ended = end("SIGINT");
    const text = await response.text();
    assertEquals(text.split("\n").filter((line) => line === long).length, records.length);
    assertEquals(await ended, { code: 0, stdout: "", stderr: "" });
  });
});

Deno.test("serve says how many answers were cut off when a second signal ends it at once", async () => {
  await withFolders(async (folder, options) => {
    // More than the buffers of two sockets hold, so that a client that does not read keeps it under way.
    const records = fixtureRecords(12).map((record) => ({ ...record, sequence: "ACGT".repeat(250_000) }));
    await writeFixture(folder, records);
    const { url, child, end } = await serve([folder], options);
    const port = Number(new URL(url).port);
    const search = { query: "*" };
    const download = { scope: "max", information: "sequences", fileType: "fasta" };
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    for (const part of posting(port, "/v2/download", JSON.stringify({ search, download }))) {
      await socket.write(new TextEncoder().encode(String(part)));
    }
    await socket.read(new Uint8Array(1));
    child.kill("SIGTERM");
    await untilRefused(port);
    const { code, stderr } = await end("SIGTERM");
    assertEquals(code, 1, stderr);
    assertStringIncludes(stderr, "seqreg: ended; 1 answer under way cut off: ask for what is missing again\n");
  });
});

Deno.test("serve answers and ends where nobody reads the log on its standard output", async () => {
  await withFolders(async (folder, options) => {
    await writeFixture(folder, fixtureRecords(60));
    const child = cliCommand(["serve", folder, "--log", "-"], options).spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    const url = new TextDecoder().decode(value).trim();
    // The lines are more than a pipe and the reader's buffer hold.
    const target = `${url}/v2/${"x".repeat(4000)}`;
    for (let time = 0; time < 100; time++) await (await fetch(target)).body?.cancel();
    assertEquals((await search(url, "country:Kenya")).total, 3);
    child.kill("SIGTERM");
    const { code } = await child.status;
    await reader.cancel();
    assertEquals(code, 0, await stderr);
    assertStringIncludes(
      await stderr,
      "a line of the log was lost, its answer was not: standard output: they are not read",
    );
  });
});

Deno.test("serve without a folder serves the built-in sample, under a deployment's names if asked", async () => {
  await withFolders(async (folder, options) => {
    await Deno.writeTextFile(`${folder}/naming.json`, '{"registry": "genomebank"}');
    const { url, end } = await serve(["--naming", "naming.json", "--allow-host", "registry.lab"], options);
    const { total, results } = await search(url, "");
    assert(total >= 1000);
    assert("Genomebank Accession" in results[0].source);
    const other = await fetch(`${url.replace("127.0.0.1", "localhost")}/v2`);
    assertEquals([other.status, Object.keys(await other.json())], [404, ["detail"]]);
    const { code, stderr } = await end("SIGINT");
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, "synthetic");
  });
});

Deno.test("serve zika serves the real genomes, and warns if a folder has that name", async () => {
  await withFolders(async (folder, options) => {
    await Deno.mkdir(`${folder}/zika`);
    const { url, end } = await serve(["zika"], options);
    const { total, results } = await search(url, "country:Brazil");
    assert(total > 0 && results[0].source.Species === "Zika virus");
    const { code, stderr } = await end("SIGINT");
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, "serving 34 records of the built-in Zika genomes (34 records of INSDC");
    assertStringIncludes(stderr, "the folder of that name is ./zika");
  });
});

Deno.test("serve under a naming reads a folder of that deployment's files", async () => {
  await withFolders(async (folder, options) => {
    await writeFixture(folder, fixtureRecords(10), namingOf({ registry: "genomebank" }));
    await Deno.writeTextFile(`${folder}/naming.json`, '{"registry": "genomebank"}');
    const env = { ...options.env, SEQREG_NAMING: `${folder}/naming.json` };
    const { url, end } = await serve([folder], { ...options, env });
    assertEquals((await search(url, "genomebank_accession:vj000000000005")).total, 1);
    assertEquals((await end("SIGTERM")).code, 0);
    const { code, stderr } = await runInProcess(["serve", folder], options);
    assertEquals(code, 1, stderr);
  });
});

Deno.test("serve --openapi writes the description and ends", async () => {
  await withFolders(async (folder, options) => {
    await writeFixture(folder, fixtureRecords(20));
    const written = await runInProcess(["serve", folder, "--quiet", "--openapi", `${folder}/openapi.json`], options);
    assertEquals([written.code, written.stdout, written.stderr], [0, "", ""]);
    const printed = await runInProcess(["serve", folder, "--quiet", "--openapi", "-"], options);
    assertEquals(await Deno.readTextFile(`${folder}/openapi.json`), printed.stdout);
    const { url, end } = await serve([folder, "--quiet"], options);
    assertEquals(JSON.parse(printed.stdout), await (await fetch(`${url}/openapi.json`)).json());
    await end("SIGTERM");
    const refused = await runInProcess(["serve", folder, "--quiet", "--openapi", `${folder}/none/a.json`], options);
    assertEquals([refused.code, refused.stdout], [1, ""]);
  });
});

Deno.test("serve --watch switches to other archives while it answers, and reports it", async () => {
  await withFolders(async (folder, options) => {
    const archives = `${folder}/archives`;
    await Deno.mkdir(archives);
    await writeFixture(archives, fixtureRecords(20));
    const { url, end } = await serve([archives, "--watch", "0.1"], options);
    assertEquals((await search(url, "")).total, 20);
    await writeFixture(archives, fixtureRecords(30));
    let { total } = await search(url, "");
    while (total !== 30) {
      assertEquals(total, 20);
      ({ total } = await search(url, ""));
    }
    const { code, stderr } = await end("SIGTERM");
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, "now serving 30 records");
  });
});

Deno.test("serve --copies answers with archives that were overwritten in place", async () => {
  await withFolders(async (folder, options) => {
    const archives = `${folder}/archives`;
    await Deno.mkdir(archives);
    await writeFixture(archives, fixtureRecords(20));
    const name = "registryv1_full_dataset_metadata.csv.gz";
    const old = await Deno.readFile(`${archives}/${name}`);
    const { url, end } = await serve([archives, "--copies", "--watch", "0"], options);
    await Deno.truncate(`${archives}/${name}`, 10);
    const response = await fetch(`${url}/v2/datasets_download?filename=${name}`);
    assertEquals([response.status, await response.bytes()], [200, old]);
    const { code, stderr } = await end("SIGTERM");
    assertEquals(code, 0, stderr);
  });
});

Deno.test({
  name: "serve --watch 0 looks for other archives at SIGHUP alone",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await withFolders(async (folder, options) => {
      const archives = `${folder}/archives`;
      await Deno.mkdir(archives);
      await writeFixture(archives, fixtureRecords(20));
      const { url, child, end } = await serve([archives, "--watch", "0"], options);
      await writeFixture(archives, fixtureRecords(30));
      assertEquals((await search(url, "")).total, 20);
      child.kill("SIGHUP");
      while ((await search(url, "")).total !== 30);
      child.kill("SIGHUP");
      const { code, stderr } = await end("SIGTERM");
      assertEquals(code, 0, stderr);
      assertStringIncludes(stderr, "now serving 30 records");
    });
  },
});

Deno.test({
  name: "serve goes on at a SIGHUP that comes before it serves, with a folder and without",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await withFolders(async (folder, options) => {
      await Deno.mkdir(`${folder}/archives`);
      await writeFixture(`${folder}/archives`, fixtureRecords(20));
      const fifo = `${folder}/naming.json`;
      await new Deno.Command("mkfifo", { args: [fifo] }).output();
      // The pipe is opened when the program reads its naming: then it gets the signal, and what it waits for.
      const signalled = `(exec 3> "${fifo}"; kill -HUP $$; echo '{}' >&3) & exec "$0" "$@"`;
      for (const place of [["archives"], []]) {
        const through = { ...options, through: ["sh", "-c", signalled] };
        const { url, child, end } = await serve([...place, "--naming", fifo], through);
        assertEquals((await search(url, "")).total > 0, true);
        child.kill("SIGHUP");
        assertEquals((await search(url, "")).total > 0, true);
        const { code, stderr } = await end("SIGTERM");
        assertEquals(code, 0, stderr);
      }
    });
  },
});

Deno.test("serve says in one line what is wrong", async (t) => {
  await withFolders(async (folder, options) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const used = String(listener.addr.port);
    const good = `${folder}/good`;
    await Deno.mkdir(good);
    await writeFixture(good, fixtureRecords(10));
    await Deno.writeTextFile(`${folder}/file`, "");
    await Deno.mkdir(`${folder}/empty`);
    const faults: Record<string, [args: string[], code: number, says: RegExp]> = {
      "a port that is none": [["--port", "65536"], 2, /--port "65536": expected a whole number from 0 to 65535/],
      "a host that is none": [["--allow-host", "http://x"], 2, /Cannot allow the host "http:\/\/x"/],
      "an origin that is none": [["--cors", "lab.example"], 2, /Cannot allow the origin "lab\.example"/],
      "an address that is none": [["--host", "a b"], 2, /Cannot serve on "a b"/],
      "seconds that are none": [
        [good, "--watch", "often"],
        2,
        /--watch "often": expected 0, or seconds from 0\.1 to 86400/,
      ],
      "memory that is none": [[good, "--memory", "0"], 2, /--memory "0": expected a whole number from 2 to 1048576/],
      "nothing to watch": [["--watch", "1"], 2, /Cannot use --watch without a folder/],
      "nothing to copy": [["--copies"], 2, /Cannot use --copies without a folder/],
      "copies of what never changes": [["zika", "--copies"], 2, /the built-in zika never changes/],
      "what never changes": [["zika", "--watch", "1"], 2, /the built-in zika never changes/],
      "two folders": [["a", "b"], 2, /Unexpected argument "b"/],
      "a naming file that is absent": [["--naming", "none.json"], 2, /Cannot read the naming file none\.json/],
      "a folder that is absent": [[`${folder}/none`], 1, /none/],
      "a file": [[`${folder}/file`], 1, /file/],
      "a folder without archives": [[`${folder}/empty`], 1, /empty/],
      "a port in use": [[good, "--port", used], 1, /the port is in use; choose another/],
      "an address of another machine": [[good, "--host", "192.0.2.1"], 1, /this machine has no such address/],
      "a log that cannot be written": [[good, "--log", `${folder}/none/x`], 1, /Cannot write the log \S+none\/x/],
    };
    for (const [name, [args, expected, says]] of Object.entries(faults)) {
      await t.step(name, async () => {
        // The tests themselves may listen on loopback alone.
        const run = args.includes("--host") ? runCli : runInProcess;
        const { code, stdout, stderr } = await run(["serve", "--quiet", ...args], options);
        assertEquals([code, stdout], [expected, ""], stderr);
        assertMatch(stderr, says);
        assertEquals(stderr.trimEnd().split("\n").length, 1, stderr);
      });
    }
  });
});
