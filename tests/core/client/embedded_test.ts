/**
 * The client against the real embedded registry: in process and over a socket, under the specification's names and
 * under another deployment's.
 */
import { assert, assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InvalidRequestError, NoResultsError, RegistryClient, StatusError } from "../../../src/core/client/mod.ts";
import { readCsvRows } from "../../../src/core/io/csv/csv_rows.ts";
import { openBytes } from "../../../src/core/io/bytes/open_bytes.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { createRegistryService, openStore, serveRegistry } from "../../../src/embedded/service/mod.ts";
import { archiveFiles, datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { type Naming, namingOf, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";

const RECORDS = 120;
const OTHER_NAMING = namingOf({ registry: "genomebank", reftax1: "taxa", reftax2: "taxb" });
const UNKNOWN = "vj999999999999";

/** What a rule is checked with. */
interface World {
  readonly client: RegistryClient;
  readonly naming: Naming;
  /** Folder of the sixteen files. */
  readonly folder: string;
  /** Sequences by accession, as the archive has them. */
  readonly sequences: ReadonlyMap<string, string>;
}

async function readTable(path: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(openBytes(path))) for (const { cells } of batch) rows.push(cells);
  return rows;
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(body).text();
}

const RULES: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async "a search gives a page, its facets and its receipt"({ client, naming, sequences }) {
    const { body, bytes, receipt } = await client.search({ query: "", pageSize: 7, pageNumber: 2 });
    assertEquals([body.total, body.results.length], [RECORDS, 7]);
    for (const { source } of body.results) assert(sequences.has(String(source[naming.accessionField])));
    assertEquals(JSON.parse(new TextDecoder().decode(bytes)), body);
    assertEquals([receipt.bytes, receipt.sha256], [bytes.length, await sha256(bytes)]);
    assertEquals([receipt.operation, receipt.tries, receipt.status], ["search", 1, 200]);
  },
  async "a sort has no scores"({ client }) {
    const { body } = await client.search({ query: "", sortColumn: "sequence_length", sortOrder: "desc" });
    const lengths = body.results.map(({ source }) => Number(source["Sequence Length"]));
    assertEquals(lengths, lengths.toSorted((a, b) => b - a));
    assert(body.results.every(({ score }) => score === null));
  },
  async "a query that cannot be read says where and why"({ client }) {
    const error = await assertRejects(() => client.search({ query: 'country:"Peru' }), InvalidRequestError);
    assertEquals([error.status, error.issues.length > 0], [422, true]);
    assertStringIncludes(error.message, error.issues[0].msg.slice(0, 20));
  },
  async "sequences are those of the archive"({ client, sequences }) {
    const ids = [...sequences.keys()].slice(0, 5);
    const answer = await client.sequence({ accessions: [...ids, UNKNOWN] });
    assertEquals(answer.sequences.size, 5);
    for (const id of ids) assertEquals(answer.sequences.get(id), sequences.get(id));
  },
  async "metadata come as CSV"({ client, naming, sequences }) {
    const file = await client.download({
      search: { query: "*" },
      download: { scope: "max", information: "metadata", fileType: "csv" },
    });
    const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
    const rows: string[][] = [];
    for await (const batch of readCsvRows(openBytes(bytes))) for (const { cells } of batch) rows.push([...cells]);
    assertEquals([file.status, file.mediaType], [200, "text/csv"]);
    assertEquals([rows[0][0], rows.length - 1], [naming.accessionField, sequences.size]);
    const { sha256: digest, finished } = file.receipt();
    assertEquals(digest, await sha256(bytes));
    assertNotEquals(finished, null);
  },
  async "accessions come as TSV"({ client, naming, sequences }) {
    const ids = [...sequences.keys()].slice(3, 6);
    const file = await client.download({
      search: { query: "" },
      download: {
        scope: "selection",
        information: "registry_accessions",
        fileType: "tsv",
        keys: "alias",
        selected_ids: ids,
      },
    });
    const lines = (await readText(file.body)).trimEnd().split("\n");
    assertEquals([file.mediaType, lines[0]], ["text/tab-separated-values", naming.accessionAlias]);
    assertEquals(lines.slice(1).toSorted(), ids.toSorted());
  },
  async "sequences come as FASTA"({ client, naming, sequences }) {
    const [id] = sequences.keys();
    const file = await client.download({
      search: { query: "" },
      download: {
        scope: "selection",
        information: "sequences",
        fileType: "fasta",
        metadata: ["Country"],
        selected_ids: [id],
      },
    });
    const [fields, header, ...lines] = (await readText(file.body)).trimEnd().split("\n");
    assertEquals([file.mediaType, fields], ["application/x-fasta", `;fields=${naming.accessionAlias}|Country`]);
    assertEquals(header.startsWith(`>${id}|`), true);
    assertEquals(lines.join(""), sequences.get(id));
  },
  async "nothing that matches is an error of its own"({ client }) {
    const download = { information: "metadata", fileType: "csv" } as const;
    await assertRejects(
      () =>
        client.download({
          search: { query: "" },
          download: { ...download, scope: "selection", selected_ids: [UNKNOWN] },
        }),
      NoResultsError,
    );
    await assertRejects(
      () => client.download({ search: { query: "country:Atlantis" }, download: { ...download, scope: "max" } }),
      NoResultsError,
    );
  },
  async "a combination outside the five is refused by the registry"({ client }) {
    const error = await assertRejects(() =>
      client.download({
        search: { query: "*" },
        download: { scope: "max", information: "metadata", fileType: "tsv" },
      }), InvalidRequestError);
    assertEquals(error.status, 400);
  },
  async "definitions come in three formats"({ client, naming }) {
    const fields = [naming.accessionField, "Country", "No Such Field"];
    const types = { csv: "text/csv", json: "application/json" } as const;
    for (const format of ["csv", "json"] as const) {
      const { bytes, mediaType } = await client.definitions({ fields }, { format });
      const text = new TextDecoder().decode(bytes);
      assertEquals(mediaType, types[format]);
      assertEquals([text.includes(naming.accessionField), text.includes("No Such Field")], [true, false]);
    }
    const { bytes } = await client.definitions({ fields }, { format: "xlsx" });
    assertEquals(new TextDecoder().decode(bytes.subarray(0, 2)), "PK");
  },
  async "the sixteen files come byte for byte"({ client, naming, folder }) {
    for (const name of datasetFileNames(naming)) {
      const file = await client.dataset(name);
      const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
      assertEquals(await sha256(bytes), await sha256(`${folder}/${name}`), name);
      assertEquals([file.start, file.totalBytes], [0, bytes.length]);
    }
  },
  async "the rest of a file fits its begin"({ client, naming, folder }) {
    const { archive } = archiveFiles("full_dataset_metadata", naming);
    const first = await client.dataset(archive);
    const ifRange = first.headers.get("etag") ?? "";
    await first.body.cancel();
    const rest = await client.dataset(archive, { range: { start: 100, ifRange } });
    const whole = await Deno.readFile(`${folder}/${archive}`);
    assertEquals([rest.status, rest.start, rest.totalBytes], [206, 100, whole.length]);
    assertEquals(new Uint8Array(await new Response(rest.body).arrayBuffer()), whole.subarray(100));

    const changed = await client.dataset(archive, { range: { start: 100, ifRange: '"of another file"' } });
    assertEquals([changed.status, changed.start], [200, 0]);
    await changed.body.cancel();

    const past = { start: whole.length, ifRange };
    const error = await assertRejects(() => client.dataset(archive, { range: past }), StatusError);
    assertEquals([error.status, error.headers.get("content-range")], [416, `bytes */${whole.length}`]);
  },
  async "a reader that stops early harms nobody"({ client, naming }) {
    const { body } = await client.dataset(archiveFiles("full_dataset_sequence", naming).archive);
    for await (const chunk of body) {
      assert(chunk.length > 0);
      break;
    }
    assertEquals((await client.search({ query: "", pageSize: 1 })).body.total, RECORDS);
  },
};

for (const [name, naming] of Object.entries({ "its own": SPECIFICATION_NAMING, "another": OTHER_NAMING })) {
  Deno.test(`the client speaks with the embedded registry under ${name} naming`, async (t) => {
    const root = await Deno.makeTempDir();
    const folder = `${root}/archives`;
    await makeSample(folder, { records: RECORDS, naming });
    const { archive } = archiveFiles("full_dataset_sequence", naming);
    const sequences = new Map((await readTable(`${folder}/${archive}`)).slice(1).map(([id, text]) => [id, text]));
    assertEquals(sequences.size, RECORDS);
    const store = await openStore(folder, { naming, cacheFolder: `${root}/cache` });
    const service = createRegistryService(store, { naming });
    const server = await serveRegistry(service);
    const faces = {
      "in process": new RegistryClient("http://embedded", { naming, fetch: service }),
      "over a socket": new RegistryClient(server.url, { naming }),
    };
    try {
      for (const [face, client] of Object.entries(faces)) {
        for (const [rule, check] of Object.entries(RULES)) {
          await t.step(`${face}: ${rule}`, () => check({ client, naming, folder, sequences }));
        }
      }
      if (naming !== SPECIFICATION_NAMING) {
        await t.step("a client with the wrong names is told so, and gets nothing", async () => {
          const client = new RegistryClient(server.url);
          const [id] = sequences.keys();
          await assertRejects(() => client.sequence({ accessions: [id] }), InvalidRequestError, naming.accessionsKey);
          const file = archiveFiles("full_dataset_metadata").archive;
          await assertRejects(() => client.dataset(file), InvalidRequestError);
        });
      }
    } finally {
      await server.shutdown();
      await store[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
    }
  });
}
