/** The errors of damaged Zstandard data. */
import { ParseError } from "../../errors.ts";

/** Zstandard data is damaged, cut short, or none at all. {@linkcode ParseError.byte} is near where. */
export class ZstdError extends ParseError {
  override readonly name = "ZstdError";
}

/** Zstandard data ends too soon. */
export class CutZstdError extends ZstdError {}

/** The error of data that ends too soon. */
export function cutZstd(name: string, byte: number): CutZstdError {
  return new CutZstdError(
    `Cannot decompress ${name}: it ends after ${byte} bytes, in the middle of a Zstandard frame; fetch it again`,
    { byte },
  );
}

/** The error of data that is wrong. */
export function damagedZstd(name: string, byte: number, what: string, cause?: unknown): ZstdError {
  return new ZstdError(
    `Cannot decompress ${name}: damaged or not Zstandard, ${what}; fetch it again`,
    { byte },
    { cause },
  );
}

/** The error of a frame that needs more memory than a decompressor should allocate for a file of unknown origin. */
export function wideZstd(name: string, byte: number, cause: unknown): ZstdError {
  return new ZstdError(
    `Cannot decompress ${name}: it was compressed with a window of more than 128 MiB; compress it again with zstd ` +
      "--long=27 or less",
    { byte },
    { cause },
  );
}
