/** How many connections a server can hold with the files that its process may open. */
import { RegistryError } from "@seqreg/core/errors";
import { countFreeDescriptors, hasManyDescriptors } from "../files/free_descriptors.ts";

/**
 * Files that are left for an import, the log, and connections that are refused; an import next to what is served has
 * its archives open, a thread, and the files of both registries.
 */
const RESERVE = 128;
/** What an import takes where a process may open few: without a thread, and with files of registries opened in turn. */
const FEW_RESERVE = 16;
/** And what is open of a registry then. */
const STORE_FILES = 13;
/** Connections below which it is no server. */
const LEAST_CONNECTIONS = 2;

/** What a server holds at once: a connection is a descriptor, and an answer opens none. */
export interface HeldAtOnce {
  readonly connections: number;
  readonly answers: number;
}

/**
 * Fits what a server holds to the files that can be opened.
 *
 * @param hasMany Whether an import may open many.
 * @param count Counts free descriptors, up to a number.
 * @returns The limits in force, and a warning where they are lower than the given ones.
 * @throws {RegistryError} With code `network` if there are too few to serve at all.
 */
export function fitToDescriptors(
  { connections, answers }: HeldAtOnce,
  hasMany: boolean = hasManyDescriptors(),
  count: (most: number) => number = countFreeDescriptors,
): HeldAtOnce & { readonly warning?: string } {
  const reserve = hasMany ? RESERVE : FEW_RESERVE;
  // No process has more descriptors than a million by default; counting them all would take seconds.
  const wanted = Math.min(connections + reserve, 1 << 14);
  const free = count(wanted);
  if (free >= wanted) return { connections, answers };
  const room = free - reserve;
  if (room < LEAST_CONNECTIONS) throw tooFew(free, reserve + LEAST_CONNECTIONS);
  const fitted = { connections: room, answers: Math.min(answers, room) };
  const warning = `this process can open only ${free} more files: at most ${fitted.connections} connections and ` +
    `${fitted.answers} answers at once; a higher limit (ulimit -n) allows more`;
  return { ...fitted, warning };
}

/**
 * Checks, before archives are opened, that a process can open enough files to import and serve them.
 *
 * @throws {RegistryError} With code `network` if it cannot.
 */
export function checkDescriptors(count: (most: number) => number = countFreeDescriptors): void {
  const least = STORE_FILES + FEW_RESERVE + LEAST_CONNECTIONS;
  const free = count(least);
  if (free < least) throw tooFew(free, least);
}

function tooFew(free: number, least: number): RegistryError {
  return new RegistryError(
    "network",
    `Cannot serve: this process can open only ${free} more files, expected at least ${least}; raise its limit ` +
      "(ulimit -n), or end what has files open",
  );
}
