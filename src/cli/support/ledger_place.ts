/** Where a ledger may be written: not over the result or the input. Loaded for `--ledger` only. */
import { dirname, join, resolve } from "node:path";
import { type Command, UsageError } from "./command.ts";
import type { Flags } from "../arguments/flags.ts";

/**
 * Rejects a `--ledger` path that is also the result or an input, in any spelling or through a link. A device or a pipe
 * may be used for both. The program's own streams are rejected.
 *
 * @throws {UsageError} If two paths are one file, or the path is not a file.
 */
export async function checkLedgerPlace(
  { operands: usage, options }: Pick<Command, "operands" | "options">,
  operands: readonly string[],
  flags: Flags,
): Promise<void> {
  const ledger = flags.text("ledger");
  if (ledger === undefined) return;
  if (ledger === "-" || /^\/dev\/(stdin|stdout|stderr|fd\/[0-9]+)$/.test(ledger)) {
    throw new UsageError(
      `Cannot write the ledger to ${ledger}: standard output is for results, and standard error cannot be opened by ` +
        "name; use a file, as in --ledger ledger.json",
    );
  }
  const others = [
    ...Object.keys(options)
      .filter((name) => name !== "ledger" && isPlace(options[name].value ?? ""))
      .map((name) => ({ path: flags.text(name), what: `--${name}` })),
    ...operands
      .map((path, index) => ({ path, what: `argument ${index + 1}` }))
      .filter((_, index) => isPlace(usageOf(usage, index))),
  ];
  const own = await placeOf(ledger);
  for (const { path, what } of others) {
    if (path === undefined || path === "-" || !isSame(own, await placeOf(path))) continue;
    throw new UsageError(
      `Cannot write the ledger to ${
        JSON.stringify(ledger)
      }: ${what} already uses this file; choose another file for --ledger`,
    );
  }
}

/** The name of the operand with that index, as in `FILE [ID…]`: the last name repeats. */
function usageOf(usage: string, index: number): string {
  const words = usage.split(" ");
  return words[Math.min(index, words.length - 1)];
}

/** Whether two paths are one file, in any spelling or through a link; a device may be used twice. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  return isSame(await placeOf(a), await placeOf(b));
}

function isPlace(value: string): boolean {
  return /\b(FILE|DIR|ARCHIVE|LAKE)\b/.test(value);
}

interface Place {
  readonly path: string;
  /** Device and inode; absent if the file does not exist or may not be read. */
  readonly identity?: string;
  readonly isDevice: boolean;
}

function isSame(a: Place, b: Place): boolean {
  if (a.isDevice || b.isDevice) return false;
  return a.path === b.path || a.identity !== undefined && a.identity === b.identity;
}

/** Maximum length of a chain of links, as on Linux. */
const MOST_LINKS = 40;

async function placeOf(given: string, links = 0): Promise<Place> {
  const path = resolve(given);
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return { path, isDevice: false };
  try {
    const { isFile, isDirectory, dev, ino } = await Deno.stat(path);
    const identity = ino === null ? undefined : `${dev}:${ino}`;
    return { path: await Deno.realPath(path), identity, isDevice: !isFile && !isDirectory };
  } catch {
    // The target of a dangling link will exist when the ledger is written.
    const target = links < MOST_LINKS ? await Deno.readLink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return await placeOf(resolve(dirname(path), target), links + 1);
    return { path: join(await realFolder(dirname(path)), path.slice(dirname(path).length)), isDevice: false };
  }
}

/** A missing file is identified by its folder. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await Deno.realPath(folder);
  } catch {
    return folder;
  }
}
