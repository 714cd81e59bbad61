/** Calls, one a line: those of a program that is replayed, or that are not in a lock yet. */
import { isRecord } from "../../options/is_record.ts";
import { messageOf, RegistryError } from "../../errors.ts";
import { isLockedCall, type LockedCall } from "./locked_call.ts";

/** A call that was answered, or why one was not. */
export type JournalLine = { readonly key: string; readonly call: LockedCall } | { readonly refused: string };

/** Adds a line. One write appends it, so that several registries can share a journal. */
export function appendToJournal(path: string, line: JournalLine): void {
  try {
    Deno.writeTextFileSync(path, `${JSON.stringify(line)}\n`, { append: true });
  } catch (cause) {
    throw new RegistryError(
      "disk",
      `Cannot write the list of calls ${path}: ${
        messageOf(cause)
      }; free some space, or use a folder that you can write`,
      {
        cause,
      },
    );
  }
}

/** Reads the lines of a journal; none if no call was made. */
export async function readJournal(path: string): Promise<JournalLine[]> {
  const text = await Deno.readTextFile(path).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return "";
    throw cause;
  });
  return text.split("\n").flatMap((line): JournalLine[] => {
    const value = parseWhole(line);
    if (!isRecord(value)) return [];
    if (typeof value.refused === "string") return [{ refused: value.refused }];
    return typeof value.key === "string" && isLockedCall(value.call) ? [{ key: value.key, call: value.call }] : [];
  });
}

/** Parses a line; `undefined` of the half one that a killed program leaves. */
function parseWhole(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
