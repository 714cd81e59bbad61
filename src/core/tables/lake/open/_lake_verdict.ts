/** Verdicts of files of a lake, in a folder or in an object store. */
import { messageOf } from "../../../errors.ts";

/** One file of a lake, held against its checksum. */
export interface LakeVerdict {
  /** Path in the lake's folder, with slashes; in an object store the table, a slash, the file. */
  readonly name: string;
  /** Whether its bytes are those that were written. */
  readonly ok: boolean;
  /** Whether it could not be read at all. */
  readonly unread: boolean;
  /** What is wrong and what to do; empty when nothing is. */
  readonly reason: string;
}

/** What is said of a file, behind its name, that was written without a checksum. */
export const OLD = "has no checksum: an older toolkit built it; build the lake again to have it verified";

/** The verdict on a Parquet file that is no part of the table in whose folder, or below whose prefix, it is. */
export function strangerVerdict(name: string, where: "folder" | "prefix"): LakeVerdict {
  const reason =
    `${name} is no part of the table: programs that read its ${where} count these rows too; move it elsewhere`;
  return { name, ok: false, unread: false, reason };
}

/** How a file is judged. */
interface Judgement {
  /** Whether its bytes are those that were written; `undefined` without a checksum. */
  readonly isWhole: () => Promise<boolean | undefined>;
  /** What is wrong where they are not, and what to do. */
  readonly damage: string;
  /** Ends the work with the signal's reason. */
  readonly signal: AbortSignal | undefined;
}

export async function judge(name: string, { isWhole, damage, signal }: Judgement): Promise<LakeVerdict> {
  try {
    const ok = await isWhole();
    const reason = ok ? "" : ok === undefined ? `${name} ${OLD}` : `${name} is damaged: ${damage}`;
    return { name, ok: ok === true, unread: false, reason };
  } catch (cause) {
    signal?.throwIfAborted();
    return { name, ok: false, unread: true, reason: `${name} cannot be read: ${messageOf(cause)}` };
  }
}
