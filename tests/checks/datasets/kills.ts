/**
 * Kills a download at a hundred random moments: `deno run -A tests/checks/datasets/kills.ts [KILLS] [SEED]`.
 *
 * Whatever has a final name after a kill, in the cache and in the folder of `-o`, must be whole; and whoever comes
 * after the last kill must get the archive. Ends with 1 when one of these does not hold.
 */
import { cliCommand } from "../../_cli.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  filesBelow,
  finalFiles,
  NAME,
  serveWell,
  withFolder,
} from "../../core/datasets/_archive.ts";
import { type RawAnswer, startRawServer } from "../../core/datasets/_raw_server.ts";
import { randomsOf } from "../../_randoms.ts";
import { kill } from "../_kill.ts";

const [kills = 100, seed = Date.now() % 1_000_000] = Deno.args.map(Number);
const BYTES = archiveBytes(51, 400_000);
const TEXT = await checksumOf(BYTES);

const random = randomsOf(seed);

/** Sends the archive in pieces, so that there is time to be killed in. */
const slowly: RawAnswer = async (request, send) => {
  await serveWell(() => ({ bytes: BYTES, etag: '"1"', checksum: TEXT }))(request, async (content) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    for (let start = 0; start < bytes.length; start += 1 << 16) {
      await send(bytes.subarray(start, start + (1 << 16)));
      if (request.fileName !== CHECKSUM) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
};

let killed = 0;
let ended = 0;
let resumed = 0;
let faults = 0;
await using server = await startRawServer(slowly);
for (let round = 0; killed < kills; round++) {
  await withFolder(async (folder) => {
    // A few kills of one cache: what a kill leaves behind is what the next download finds.
    for (let turn = 0; turn < 4 && killed < kills; turn++) {
      const child = start(folder);
      const timer = setTimeout(() => kill(child), 40 + random() * 180);
      const { signal } = await child.output();
      clearTimeout(timer);
      signal === "SIGKILL" ? killed++ : ended++;
      await check(folder, `round ${round}, turn ${turn}`);
      if (signal === null) return;
    }
    const before = server.archives.length;
    const { success, stderr } = await start(folder).output();
    await check(folder, `round ${round}, the end`);
    if (!success || (await finalFiles(`${folder}/cache`)).length !== 1) {
      fault(`round ${round}: whoever came after got nothing: ${new TextDecoder().decode(stderr)}`);
    }
    if (server.archives.slice(before).some(({ headers }) => headers.has("range"))) resumed++;
  });
}
console.log(
  `seed ${seed}: ${killed} killed, ${ended} came to their end before, ${resumed} rounds went on with a part; ${faults} faults`,
);
if (faults > 0) Deno.exitCode = 1;

function start(folder: string): Deno.ChildProcess {
  const args = ["dataset", NAME, "--quiet", "-o", `${folder}/out`, "--registry", server.url];
  return cliCommand(args, { env: { SEQREG_CACHE: `${folder}/cache` } }).spawn();
}

async function check(folder: string, when: string): Promise<void> {
  const cached = (await finalFiles(`${folder}/cache`)).map((path) => `cache/archives/sha256/${path}`);
  const placed = (await filesBelow(`${folder}/out`)).filter((name) => !name.startsWith(".")).map((name) =>
    `out/${name}`
  );
  for (const name of [...cached, ...placed]) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    const whole = name.endsWith(".sha256") ? new TextEncoder().encode(TEXT) : BYTES;
    if (bytes.length !== whole.length || !bytes.every((byte, index) => byte === whole[index])) {
      fault(`${when}: ${name} has ${bytes.length} bytes and is not whole`);
    }
  }
}

function fault(what: string): void {
  faults++;
  console.error(what);
}
