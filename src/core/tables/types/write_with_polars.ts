/** Files that polars writes. */
import { diskError } from "../../io/files/disk_error.ts";
import { systemCode } from "../../io/files/system_code.ts";

/**
 * Lets polars write a file.
 *
 * @throws {RegistryError} With code `disk` if the system refuses; any other error of polars as it is.
 */
export async function writeWithPolars(path: string, write: () => unknown): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : diskError(cause, { action: `write ${path}` });
  }
}
