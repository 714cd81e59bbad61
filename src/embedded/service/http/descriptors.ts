/** How many connections a server can hold with the files that its process may open. */
import { RegistryError } from "@seqreg/core/errors";

/** Files that are left for an import, which has one open for each column, the log, and connections that are refused. */
const RESERVE = 128;

/** What is left where there are few: without an import. */
const LEAST_RESERVE = 12;

/** What a server holds at once: a connection is a descriptor, and an answer may have an archive open. */
export interface HeldAtOnce {
  readonly connections: number;
  readonly answers: number;
}

/** What was counted first: it takes some 40 ms, and the limit of a process stays. */
let counted: { readonly most: number; readonly free: number } | undefined;

/**
 * Counts the files that this process can open beyond those that it has open, by opening them; once.
 *
 * @param most Number from which it does not matter how many more there are.
 * @returns `most` where the system has no such limit, or the process may not read.
 */
export function countFreeDescriptors(most: number): number {
  const path = "/dev/null";
  if (Deno.build.os === "windows" || Deno.permissions.querySync({ name: "read", path }).state !== "granted") {
    return most;
  }
  if (counted !== undefined && most <= counted.most) return Math.min(most, counted.free);
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < most) files.push(Deno.openSync(path));
  } catch {
    // The limit is reached.
  } finally {
    for (const file of files) file.close();
  }
  counted = { most, free: files.length };
  return files.length;
}

/**
 * Fits what a server holds to the files that can be opened.
 *
 * @param count Counts free descriptors, up to a number.
 * @returns The limits in force, and a warning where they are lower than the given ones.
 * @throws {RegistryError} With code `network` if there are too few to serve at all.
 */
export function fitToDescriptors(
  { connections, answers }: HeldAtOnce,
  count: (most: number) => number = countFreeDescriptors,
): HeldAtOnce & { readonly warning?: string } {
  // No process has more descriptors than a million by default; counting them all would take seconds.
  const wanted = Math.min(connections + Math.min(answers, connections) + RESERVE, 1 << 14);
  const free = count(wanted);
  if (free >= wanted) return { connections, answers };
  const room = free - Math.max(LEAST_RESERVE, Math.min(RESERVE, Math.floor(free / 4)));
  if (room < 2) {
    const least = LEAST_RESERVE + 2;
    throw new RegistryError(
      "network",
      `Cannot serve: this process can open only ${free} more files, expected at least ${least}; raise its limit ` +
        "(ulimit -n), or end what has files open",
    );
  }
  const fitted = {
    answers: Math.min(answers, Math.max(1, Math.floor(room / 3))),
    connections: Math.min(connections, room - Math.max(1, Math.floor(room / 3))),
  };
  const warning = `this process can open only ${free} more files: at most ${fitted.connections} connections and ` +
    `${fitted.answers} answers at once; a higher limit (ulimit -n) allows more`;
  return { ...fitted, warning };
}
