import { assert, assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { ARCHIVE_IDS, archiveFiles, datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { assertDetail, assertInvalid } from "./_assert.ts";
import { testWithPrograms } from "../../_needs.ts";
import { type Face, onBothFaces, openFixture } from "./_registry.ts";
import { serveRegistry } from "../../../src/embedded/service/mod.ts";

const ARCHIVE = "registryv1_full_dataset_metadata.csv.gz";
const pathOf = (filename: string) => `/v2/datasets_download?filename=${encodeURIComponent(filename)}`;
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

Deno.test("GET /v2/datasets_download gives the sixteen files, whole", async (t) => {
  const rules = datasetFileNames().map((name) =>
    [name, async ({ call, folder }: Face) => {
      const response = await call(pathOf(name));
      const bytes = await bytesOf(response);
      const expected = await Deno.readFile(`${folder}/${name}`);
      assertEquals(response.status, 200);
      assertEquals(bytes, expected);
      assertEquals(response.headers.get("content-length"), `${expected.length}`);
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("etag"), `"${await sha256(expected)}"`);
      assertEquals(response.headers.get("accept-ranges"), "bytes");
      const isArchive = name.endsWith(".gz");
      assertEquals(
        response.headers.get("content-type"),
        isArchive ? "application/gzip" : "text/plain; charset=utf-8",
      );
    }] as const
  );
  await onBothFaces(t, Object.fromEntries(rules), { count: 20 });
});

Deno.test("GET /v2/datasets_download refuses every other name", async (t) => {
  const stem = "registryv1_full_dataset_metadata";
  const names = [
    "",
    "definitions.json",
    stem,
    `${stem}.csv`,
    `${stem}.CSV.GZ`,
    ` ${stem}.csv.gz`,
    `${stem}.csv.gz `,
    `${stem}.csv.gz\u0000`,
    `./${stem}.csv.gz`,
    `../${stem}.csv.gz`,
    `..\\${stem}.csv.gz`,
    `/${stem}.csv.gz`,
    `%2e%2e/${stem}.csv.gz`,
    "../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "__proto__",
    "constructor",
    `${stem}.sha256.csv.gz`,
    "a".repeat(5000),
  ];
  const rules = names.map((name) =>
    [JSON.stringify(name.slice(0, 60)), async ({ call }: Face) => {
      await assertInvalid(await call(pathOf(name)), ["query", "filename"], "expected one of");
    }] as const
  );
  await onBothFaces(t, {
    ...Object.fromEntries(rules),
    "no name": async ({ call }) => {
      await assertInvalid(await call("/v2/datasets_download"), ["query", "filename"], "got none");
    },
    "another parameter": async ({ call }) => {
      await assertInvalid(await call(`/v2/datasets_download?file=${ARCHIVE}`), ["query", "filename"], "got none");
    },
    "two names": async ({ call }) => {
      const response = await call(`${pathOf(ARCHIVE)}&filename=${ARCHIVE}`);
      await assertInvalid(response, ["query", "filename"], "got 2");
    },
  }, { count: 10 });
});

Deno.test("a part of a dataset file can be asked for", async (t) => {
  const get = async ({ call, folder }: Face, headers: Record<string, string>) => {
    const response = await call(pathOf(ARCHIVE), { headers });
    return { response, whole: await Deno.readFile(`${folder}/${ARCHIVE}`) };
  };
  const parts: Record<string, (size: number) => [start: number, end: number]> = {
    "bytes=0-0": () => [0, 1],
    "bytes=10-19": () => [10, 20],
    "bytes=10-": (size) => [10, size],
    "bytes=-5": (size) => [size - 5, size],
    "bytes=-99999999": (size) => [0, size],
    "bytes=10-99999999": (size) => [10, size],
  };
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const [range, part] of Object.entries(parts)) {
    rules[`${range} → 206`] = async (face) => {
      const { response, whole } = await get(face, { range });
      const [start, end] = part(whole.length);
      assertEquals(await bytesOf(response), whole.subarray(start, end));
      assertEquals(response.status, 206);
      assertEquals(response.headers.get("content-range"), `bytes ${start}-${end - 1}/${whole.length}`);
      assertEquals(response.headers.get("content-length"), `${end - start}`);
    };
  }
  for (const range of ["bytes=99999999-", "bytes=-0"]) {
    rules[`${range} → 416`] = async (face) => {
      const { response, whole } = await get(face, { range });
      await assertDetail(response, 416, "outside the file");
      assertEquals(response.headers.get("content-range"), `bytes */${whole.length}`);
    };
  }
  for (const range of ["bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes 0-1"]) {
    rules[`${range} → 200`] = async (face) => {
      const { response, whole } = await get(face, { range });
      assertEquals([response.status, (await bytesOf(response)).length], [200, whole.length]);
    };
  }
  await onBothFaces(t, {
    ...rules,
    "If-Range of this version → 206": async (face) => {
      const etag = `"${await sha256(`${face.folder}/${ARCHIVE}`)}"`;
      const { response } = await get(face, { range: "bytes=0-9", "if-range": etag });
      assertEquals([response.status, (await bytesOf(response)).length], [206, 10]);
    },
    "If-Range of another version, weak, or a date → 200": async (face) => {
      const etag = `"${await sha256(`${face.folder}/${ARCHIVE}`)}"`;
      for (const ifRange of ['"other"', `W/${etag}`, "Sat, 21 Nov 2026 08:00:00 GMT"]) {
        const { response, whole } = await get(face, { range: "bytes=0-9", "if-range": ifRange });
        assertEquals([response.status, (await bytesOf(response)).length], [200, whole.length]);
      }
    },
    "If-None-Match of this version → 304": async (face) => {
      const etag = `"${await sha256(`${face.folder}/${ARCHIVE}`)}"`;
      const { response } = await get(face, { "if-none-match": `"other", ${etag}` });
      assertEquals([response.status, await response.text()], [304, ""]);
      assertEquals((await get(face, { "if-none-match": `W/${etag}` })).response.status, 304);
    },
    "If-Match of this version → the part": async (face) => {
      const etag = `"${await sha256(`${face.folder}/${ARCHIVE}`)}"`;
      for (const ifMatch of [etag, `"other", ${etag}`, "*"]) {
        const { response } = await get(face, { range: "bytes=0-9", "if-match": ifMatch });
        assertEquals([response.status, (await bytesOf(response)).length], [206, 10]);
      }
    },
    "If-Match of another version, or weak → 412": async (face) => {
      const etag = `"${await sha256(`${face.folder}/${ARCHIVE}`)}"`;
      for (const ifMatch of ['"other"', `W/${etag}`]) {
        const others: Record<string, string>[] = [{}, { range: "bytes=0-9" }, { "if-none-match": etag }];
        for (const more of others) {
          const { response } = await get(face, { "if-match": ifMatch, ...more });
          await assertDetail(response, 412, "another version");
        }
      }
    },
    "HEAD gives the headers alone": async ({ call, folder }) => {
      const response = await call(pathOf(ARCHIVE), { method: "HEAD", headers: { range: "bytes=0-9" } });
      const { size } = await Deno.stat(`${folder}/${ARCHIVE}`);
      assertEquals([response.status, await response.text()], [200, ""]);
      assertEquals(response.headers.get("content-length"), `${size}`);
    },
  }, { count: 100 });
});

Deno.test("a dataset file that was overwritten is not sent, and the answer says nothing of the disk", async () => {
  await using registry = await openFixture(10);
  const { service, folder, faults } = registry;
  await Deno.writeTextFile(`${folder}/${ARCHIVE}`, "something else");

  const response = await service(new Request(`http://embedded${pathOf(ARCHIVE)}`));

  const text = await response.text();
  assertEquals([response.status, response.headers.get("retry-after")], [503, "60"], text);
  assertEquals(Object.keys(JSON.parse(text)), ["detail"]);
  assert(!text.includes(folder) && !text.includes("bytes"), text);
  assertEquals(faults.length, 1);
});

Deno.test("a reader who goes away while a piece of a dataset file is read is not a fault", async () => {
  await using registry = await openFixture(10);
  const { service, folder, faults } = registry;
  for (let steps = 0; steps < 5; steps++) {
    const response = await service(new Request(`http://embedded${pathOf(ARCHIVE)}`));
    const reader = response.body!.getReader();
    const read = reader.read();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    await reader.cancel();
    await read;
    // The piece comes from a thread of its own, and later than the end of the answer.
    await Deno.readFile(`${folder}/${ARCHIVE}`);
  }
  assertEquals(faults, []);
});

Deno.test("a dataset file that shrinks while it is sent breaks the answer off", async () => {
  await using registry = await openFixture(10);
  const { service, folder, faults } = registry;
  const response = await service(new Request(`http://embedded${pathOf(ARCHIVE)}`));
  await Deno.truncate(`${folder}/${ARCHIVE}`, 100);

  await assertRejects(() => response.arrayBuffer(), RegistryError, "it was overwritten");
  assertEquals(faults.length, 1);
});

const CURL = ["curl", "sha256sum"];

testWithPrograms(CURL, "curl and sha256sum --check take the eight archives, and curl resumes one", async () => {
  await using registry = await openFixture(300);
  const server = await serveRegistry(registry.service);
  const folder = await Deno.makeTempDir();
  const run = async (command: string, args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(command, { args, cwd: folder }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  };
  const fetchFile = async (name: string, ...more: string[]) => {
    const { code, stderr } = await run("curl", ["-sS", "--fail", ...more, "-o", name, `${server.url}${pathOf(name)}`]);
    assertEquals(code, 0, stderr);
  };
  try {
    for (const id of ARCHIVE_IDS) {
      const { archive, checksum } = archiveFiles(id);
      await fetchFile(archive);
      await fetchFile(checksum);
      assertEquals(await run("sha256sum", ["--check", checksum]), { code: 0, stdout: `${archive}: OK\n`, stderr: "" });
    }
    const whole = await Deno.readFile(`${folder}/${ARCHIVE}`);
    await Deno.writeFile(`${folder}/${ARCHIVE}`, whole.subarray(0, 100));
    await fetchFile(ARCHIVE, "--continue-at", "-");
    assertEquals(await Deno.readFile(`${folder}/${ARCHIVE}`), whole);
    const body = '{"search":{"query":"*"},"download":{"scope":"max","information":"metadata","fileType":"csv"}}';
    const args = ["-sS", "-w", "%{http_code} %{content_type}", "-o", "all.csv", "-H", "content-type: application/json"];
    const { stdout } = await run("curl", [...args, "-d", body, `${server.url}/v2/download`]);
    assertEquals(stdout, "200 text/csv");
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});
