/** Requests the checksum file of an archive. */
import { type RegistryClient, RegistryError, StatusError, UnexpectedResponseError } from "../client/mod.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import type { ArchiveFiles } from "../contract/datasets.ts";
import { type ChecksumEntry, ChecksumFileError, findChecksum } from "../io/digest/checksum_file.ts";

/** Maximum bytes of a checksum file for one archive. */
export const MAX_CHECKSUM_BYTES = 65_536;

/** A checksum file as received. */
export interface RegistryChecksum extends ChecksumEntry {
  readonly fileBytes: Uint8Array<ArrayBuffer>;
  /** Mark of the registry's release; absent where the registry states none. */
  readonly release?: string;
}

/** Fetches and parses the checksum file of an archive: one request, with the client's retries. */
export async function requestChecksum(
  client: RegistryClient,
  files: ArchiveFiles,
  signal?: AbortSignal,
): Promise<RegistryChecksum> {
  const retries = client.startRetries();
  for (;;) {
    const answer = await client.dataset(files.checksum, { signal, retries }).catch((error) => {
      throw isAbsent(error) ? absentChecksum(files, client.baseUrl, error) : error;
    });
    const { url, release } = answer.receipt();
    try {
      const fileBytes = await readSmall(answer.body, files.checksum, url);
      return { ...readChecksum(fileBytes, files, url), ...release !== undefined && { release } };
    } catch (error) {
      // A broken body is requested again; other errors are final.
      await retries.pause(error, { signal });
    }
  }
}

/** Whether the registry answered that it has no such file. */
export function isAbsent(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404;
}

function absentChecksum({ archive, checksum }: ArchiveFiles, registry: string, cause: StatusError): RegistryError {
  const says = cause.detail === "" ? "" : `: ${cause.detail}`;
  const text =
    `Cannot get ${archive}: ${registry} has no ${checksum} (404${says}), and an archive without a checksum ` +
    "file is not used; check --registry and --naming, then ask the registry's operators";
  return new RegistryError("status", text, { cause });
}

/** The error of an archive that is absent although its checksum file is there. */
export function absentArchive(
  { archive, checksum }: ArchiveFiles,
  registry: string,
  cause: StatusError,
): RegistryError {
  const says = cause.detail === "" ? "" : `: ${cause.detail}`;
  const text =
    `Cannot get ${archive}: ${registry} has ${checksum}, but not the archive (404${says}); it may be in the ` +
    "making: try again later, then ask the registry's operators";
  return new RegistryError("status", text, { cause });
}

async function readSmall(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  name: string,
  url: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of body) {
    parts.push(chunk);
    length += chunk.length;
    if (length > MAX_CHECKSUM_BYTES) {
      throw new UnexpectedResponseError(
        `Cannot read ${name} from ${url}: more than ${MAX_CHECKSUM_BYTES} bytes received, expected one line; ` +
          `the content looks like ${describeBytes(parts[0])}: check --registry`,
        url,
      );
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function readChecksum(fileBytes: Uint8Array<ArrayBuffer>, files: ArchiveFiles, url: string): RegistryChecksum {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fileBytes);
    return { ...findChecksum(text, files.archive), fileBytes };
  } catch (cause) {
    if (!(cause instanceof ChecksumFileError || cause instanceof TypeError)) throw cause;
    const why = cause instanceof ChecksumFileError ? cause.message : "it is not valid UTF-8";
    throw new UnexpectedResponseError(
      `Cannot verify ${files.archive}: the registry's ${files.checksum} (${url}) is not a checksum file of it: ${why}; ` +
        `the content looks like ${
          describeBytes(fileBytes)
        }. Nothing is used unverified: check --registry and --naming, ` +
        `then report it to the registry`,
      url,
      { cause },
    );
  }
}
