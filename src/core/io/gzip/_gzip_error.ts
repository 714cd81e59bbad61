/** The errors of damaged gzip data. */
import { ParseError } from "../../errors.ts";

/** Gzip data is damaged, cut short, or no gzip at all. {@linkcode ParseError.byte} is near where. */
export class GzipError extends ParseError {
  /** Name of the class. */
  override readonly name = "GzipError";
}

/** Gzip data ends too soon. */
export class CutGzipError extends GzipError {}

/** The error of data that ends too soon. */
export function cutGzip(name: string, byte: number): CutGzipError {
  return new CutGzipError(
    `Cannot decompress ${name}: it ends after ${byte} bytes, in the middle of a gzip member; fetch it again`,
    { byte },
  );
}

/** The error of data that is wrong. */
export function damagedGzip(name: string, byte: number, what: string): GzipError {
  return new GzipError(`Cannot decompress ${name}: damaged or not gzip, ${what}; fetch it again`, { byte });
}
