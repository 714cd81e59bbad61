/** `seqreg.lock`: what was asked of registries and what they answered, as JSON that is stable under `git diff`. */
import { basename, dirname, join } from "node:path";
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { cut, visible } from "../../io/display/html.ts";
import { isRecord } from "../../options/is_record.ts";
import { messageOf, ParseError, RegistryError } from "../../errors.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { acquireLock } from "../../io/files/lock.ts";
import { readJournal } from "./journal.ts";
import { isDigest, isLockedCall, type LockedCall, type LockedCalls } from "./locked_call.ts";
import { canonicalJson, sortKeys } from "./set_digest.ts";

export type { LockedCall, LockedCalls } from "./locked_call.ts";

const LOCK_VERSION = 1;

/** Replaced calls that are named. */
const SHOWN_CALLS = 3;

/** Writes calls as the canonical text of a lock: sorted, one value a line. */
export function lockText(calls: LockedCalls): string {
  const content = { "seqreg-lock": LOCK_VERSION, calls: Object.fromEntries(calls) };
  return `${JSON.stringify(sortKeys(content), null, 2)}\n`;
}

/**
 * Where calls are listed until they are in the lock, one a line: it is written as a whole, and a program that is killed
 * meanwhile must not lose them.
 */
export function pendingCalls(path: string): string {
  return join(dirname(path), `.${basename(path)}.calls`);
}

/**
 * Reads a lock, with the calls that a program recorded which was killed before it wrote them; `undefined` if there is
 * neither.
 *
 * @throws {ParseError} If it is damaged, or of a newer version.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 */
export async function readLock(path: string): Promise<LockedCalls | undefined> {
  const known = await readLockFile(path);
  const pending = await readPending(path);
  return pending.size === 0 ? known : new Map([...known ?? [], ...pending]);
}

async function readPending(path: string): Promise<LockedCalls> {
  const lines = await readJournal(pendingCalls(path));
  return new Map(lines.flatMap((line) => "key" in line && isDigest(line.key) ? [[line.key, line.call] as const] : []));
}

async function readLockFile(path: string): Promise<LockedCalls | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw new RegistryError("disk", `Cannot read the lock ${path}: ${messageOf(cause)}; name a file you can read`, {
      cause,
    });
  }
  return parseLock(text, path);
}

/** Reads the text of a lock. @throws {ParseError} If it is damaged, or of a newer version. */
export function parseLock(text: string, path: string): LockedCalls {
  const next = "restore it from its repository, or remove it and record again";
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const why = /^<{7} /m.test(text)
      ? "it has the marks of a merge conflict; take one of its versions (git checkout --ours or --theirs), then record " +
        "the calls of the other again"
      : `invalid JSON; ${next}`;
    throw new ParseError(`Cannot read the lock ${path}: ${why}`, {}, { cause });
  }
  const version = isRecord(value) ? value["seqreg-lock"] : undefined;
  if (typeof version === "number" && version > LOCK_VERSION) {
    throw new ParseError(
      `Cannot read the lock ${path}: its version is ${version}, expected ${LOCK_VERSION}; use a newer toolkit`,
    );
  }
  if (!isRecord(value) || version !== LOCK_VERSION || !isRecord(value.calls)) {
    throw new ParseError(`Cannot read the lock ${path}: expected a lock of this toolkit; ${next}`);
  }
  const calls = new Map<string, LockedCall>();
  for (const [key, call] of Object.entries(value.calls)) {
    if (!isDigest(key) || !isLockedCall(call)) {
      throw new ParseError(`Cannot read the lock ${path}: the call ${JSON.stringify(key)} is damaged; ${next}`);
    }
    calls.set(key, call);
  }
  return calls;
}

/**
 * Adds calls to a lock; those of other programs stay.
 *
 * @param onReplaced Receives calls that the lock held with another answer.
 */
export async function mergeIntoLock(
  path: string,
  calls: LockedCalls,
  onReplaced?: (calls: readonly LockedCall[]) => void,
): Promise<LockedCalls> {
  await using _ = await acquireLock(join(dirname(path), `.${basename(path)}.writing`));
  const known = await readLockFile(path);
  const size = await sizeOf(pendingCalls(path));
  const merged = new Map([...known ?? [], ...size === undefined ? [] : await readPending(path), ...calls]);
  const text = lockText(merged);
  if (known === undefined || text !== lockText(known)) await writeAtomic(path, text);
  const replaced = [...calls].filter(([key, call]) => isOtherAnswer(known?.get(key), call)).map(([, call]) => call);
  if (replaced.length > 0) onReplaced?.(replaced);
  // What another program adds after this stays in its memory, and comes with its next merge.
  if (size !== undefined && await sizeOf(pendingCalls(path)) === size) {
    await Deno.remove(pendingCalls(path)).catch(() => {});
  }
  return merged;
}

/** Writes calls into a lock that a killed program left next to it, as recording does, so that one file has all. */
export async function completeLock(path: string): Promise<void> {
  if (await sizeOf(pendingCalls(path)) === undefined) return;
  if (await readLock(path) !== undefined) await mergeIntoLock(path, new Map());
}

function isOtherAnswer(old: LockedCall | undefined, { operation, set, sha256 }: LockedCall): boolean {
  // The order of an export does not count; a page of a search has its total too.
  return old !== undefined && old.sha256 !== sha256 && (operation === "search" || set === null || old.set !== set);
}

/** Words for calls that replaced others of a lock. */
export function replacedText(path: string, calls: readonly LockedCall[]): string {
  const names = calls.map(({ operation, request }) => `${operation} ${cut(visible(canonicalJson(request)), 100)}`);
  const what = calls.length === 1 ? "was replaced by one that differs" : "were replaced by others that differ";
  return `${countOf(calls.length, "answer")} of ${path} ${what}: ${listSome(names, SHOWN_CALLS)}; git, or a copy of ` +
    "the lock, still has the old";
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await Deno.stat(path).then(({ size }) => size, () => undefined);
}
