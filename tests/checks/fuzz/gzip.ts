/** gzip: our inflate against those of node:zlib and Python, in chunks of all sizes. */
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { gunzip } from "../../../src/core/io/gzip/gunzip.ts";
import {
  difference,
  type Draw,
  type FuzzRoom,
  inChunks,
  mutate,
  type Outcome,
  outcomeOf,
  pick,
  several,
} from "./_room.ts";
import { startOracle } from "./_python.ts";

const WORDS = ["\x1f\x8b\x08", "\0\0\0\0", "\x1f\x8b", "\0"];
const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE];

type Bytes = { readonly digest: string; readonly length: number };

function summarise(bytes: Uint8Array): Bytes {
  return { digest: createHash("sha256").update(bytes).digest("hex"), length: bytes.length };
}

function makeText(draw: Draw): Uint8Array {
  const unit = Uint8Array.from(several(draw, 40, () => pick(draw, [65, 67, 71, 84, draw(256)])));
  const bytes = new Uint8Array(Math.min(60_000, unit.length * (draw(draw(20) === 0 ? 3000 : 50) + 1)));
  for (let at = 0; at < bytes.length; at++) bytes[at] = draw(9) === 0 ? draw(256) : unit[at % unit.length];
  return bytes;
}

/** Writes one member, its header with any of the optional parts. */
function makeMember(draw: Draw): Uint8Array {
  const options = { level: draw(10), strategy: pick(draw, STRATEGIES), memLevel: draw(9) + 1 };
  const member = gzipSync(makeText(draw), options);
  const flags = pick(draw, [0, 0, 4, 8, 16, 12, 28]);
  const extra = several(draw, 20, () => draw(256));
  const parts: number[] = [];
  if (flags & 4) parts.push(extra.length, 0, ...extra);
  if (flags & 8) parts.push(...several(draw, 9, () => draw(255) + 1), 0);
  if (flags & 16) parts.push(...several(draw, 9, () => draw(255) + 1), 0);
  const head = member.slice(0, 10);
  head[3] = flags;
  return Uint8Array.from([...head, ...parts, ...member.slice(10)]);
}

export default function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  return Promise.resolve({
    make(draw) {
      const members = Array.from({ length: draw(3) + 1 }, () => makeMember(draw));
      const bytes = Uint8Array.from(members.flatMap((member) => [...member])).slice(0, 100_000);
      return draw(3) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) =>
      outcomeOf(async () => {
        const hash = createHash("sha256");
        let length = 0;
        for await (const chunk of gunzip(inChunks(input))) {
          hash.update(chunk);
          length += chunk.length;
        }
        return { digest: hash.digest("hex"), length };
      }),
    async judge(input, result) {
      const ours = result as Outcome<Bytes>;
      if ("error" in ours && ours.error.name !== "GzipError") return `threw ${ours.error.stack}`;
      const theirs = await outcomeOf(() => summarise(gunzipSync(input)));
      if ("error" in theirs) return "error" in ours ? undefined : `accepted what zlib refuses: ${theirs.error.message}`;
      // zlib leaves unread what follows a member and is no member: we name it.
      if ("error" in ours) {
        return endsWithinMembers(input) ? `refused what zlib reads: ${ours.error.message}` : undefined;
      }
      if (ours.value.digest === theirs.value.digest) return undefined;
      // zlib reads no member behind zeros, as they pad a tape; Python's gzip does.
      const other = await oracle.read("gzip", input);
      const { digest, length } = ours.value;
      return "value" in other
        ? difference([digest, length], other.value)
        : `${length} bytes, zlib ${theirs.value.length}`;
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  });
}

/** Whether zlib needs the last byte: without it, it refuses. */
function endsWithinMembers(input: Uint8Array): boolean {
  try {
    gunzipSync(input.subarray(0, -1));
    return false;
  } catch {
    return true;
  }
}
