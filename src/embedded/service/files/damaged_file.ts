/** A file of an import that is not as it was written. */
import { RegistryError } from "@seqreg/core/errors";

/** Damage of an import: the archives are imported again, which heals it. */
export class DamagedFileError extends RegistryError {
  readonly path: string;

  /** Takes what is wrong with the file, in words. */
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(
      "damaged",
      `Cannot read ${path}: ${what}; it is removed, and the verified archives are imported again at the next use`,
      options,
    );
    this.path = path;
  }
}
