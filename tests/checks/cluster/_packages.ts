/** What a cluster is made of: versions and digests of what is downloaded. */
import jars from "./s3a_jars.json" with { type: "json" };

/** A file of a package index. */
export interface Download {
  /** Its name, without a folder. */
  readonly name: string;
  /** SHA-256 that its bytes must have, in hexadecimal digits. */
  readonly sha256: string;
}

/** The version of Spark. */
export const SPARK_VERSION = "4.3.0";

/**
 * Spark as PyPI distributes it: the archive of `pyspark`, whose `deps/` holds the programs and their jars.
 *
 * The server is Java alone: the packages of Python that `pyspark[connect]` adds (grpcio, pandas, pyarrow) are those of
 * Python's client, and stay out.
 */
export const SPARK_ARCHIVE: Download = {
  name: `pyspark-${SPARK_VERSION}.tar.gz`,
  sha256: "e8c517948eff7088a7aa07449aa8eafa4a15a8d50319de2525a6fd26622476c6",
};

/** A jar of Maven Central. */
export interface Jar extends Download {
  /** Its address within the repository. */
  readonly path: string;
}

/**
 * Hadoop's s3a filesystem with the modules of Amazon's SDK that it loads, written by `s3a_jars.ts` from `s3a_pom.xml`.
 *
 * Amazon's whole bundle has netty, slf4j and commons jars of its own, which end Spark at its start, and is 600 MB.
 */
export const S3A_JARS: readonly Jar[] = jars;
