/** Folders that are made with an error that says what to do. */
import { diskError } from "./disk_error.ts";
import { refuseAddress } from "./refuse_address.ts";

/**
 * Makes a folder and those above it, unless they exist.
 *
 * @param next What the error suggests to do next; what the reason suggests by default.
 * @throws {RegistryError} With code `disk` if it cannot be made.
 * @throws {TypeError} If it is an address.
 */
export async function makeFolder(folder: string, next?: string): Promise<void> {
  refuseAddress(folder);
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (cause) {
    throw diskError(cause, { action: `make the folder ${folder}`, next });
  }
}
