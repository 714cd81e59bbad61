/** Values that a repeatable option gives to names. */
import { UsageError } from "./option_specs.ts";

/**
 * Collects values by their names.
 *
 * @param what What a name is of, for the error, such as `the option`.
 * @throws {UsageError} If a name is given twice: one of its values would have no effect.
 */
export function once<T>(what: string, pairs: readonly (readonly [name: string, value: T])[]): Record<string, T> {
  const values = new Map<string, T>();
  for (const [name, value] of pairs) {
    if (values.has(name)) {
      throw new UsageError(`Cannot take ${what} ${JSON.stringify(name)} twice: leave one of them out`);
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
