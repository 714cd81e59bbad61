/** Errors of the runtime's own, in the program's words. */
import { ParseError, RegistryError } from "@seqreg/core/errors";

/** Messages of the engine by what they mean; `tests/cli/process/runtime_error_test.ts` causes each of them. */
const MEANINGS: readonly (readonly [message: RegExp, meaning: string])[] = [
  [/^Maximum call stack size exceeded/, "a value is nested too deep for this program; leave it out, or flatten it"],
  [
    /^Invalid (string|array|typed array|array buffer) length|^Cannot create a (string|Buffer) longer|exceeds? maximum length|^(Set|Map) maximum size exceeded|^(Array )?buffer allocation failed|^offset is out of bounds|out of memory/i,
    "a single value, or a list of them, is larger than this program can hold; select less, or a shorter part of it",
  ],
  [
    /^Cannot (read|set) propert|^Cannot (destructure|convert undefined)|^Cannot mix BigInt| is not (a function|iterable|a constructor|defined)|^Reduce of empty|before initialization$/,
    "the program did not expect what it met there, which is a fault of seqreg: run it again with SEQREG_DEBUG=1 and " +
    "report what it prints",
  ],
];

/**
 * Words an error that the runtime threw, with the command and its inputs: files, addresses, queries; `undefined` for
 * any other error, which has words of its own.
 */
export function describeRuntimeError(
  error: unknown,
  { command, inputs }: { readonly command: string; readonly inputs: readonly string[] },
): string | undefined {
  if (!(error instanceof Error) || error instanceof RegistryError || error instanceof ParseError) return undefined;
  const meaning = MEANINGS.find(([message]) => message.test(error.message))?.[1];
  if (meaning === undefined) return undefined;
  const shown = inputs.slice(0, 3).map((input) => input.length > 100 ? `${input.slice(0, 100)}…` : input);
  const more = inputs.length > shown.length ? " …" : "";
  const of = shown.length === 0 ? "" : ` of ${shown.join(", ")}${more}`;
  return `Cannot finish ${command}${of}: ${meaning}`;
}
