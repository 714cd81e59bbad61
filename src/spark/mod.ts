/**
 * Engines: who computes. A lake is read in this process by default; `openLake(folder, { engine: spark("sc://…") })` has
 * Spark compute the same numbers.
 *
 * @module
 */
export type {
  ColumnDtype,
  Engine,
  EngineAbilities,
  EngineColumn,
  EngineFacts,
  EngineLake,
  EnginePart,
  EngineQueryOptions,
  EngineSession,
  EngineTable,
  SqlParameter,
  SqlParameters,
} from "@seqreg/core/engine/engine";
export { localEngine } from "@seqreg/core/engine/local/local_engine";
export { digestFrame } from "@seqreg/core/engine/digest/frame_digest";
export { spark, type SparkEngineOptions } from "./engine/spark.ts";
export type { SparkOptions, SparkProgress } from "./connect/options.ts";
export type { StoreAccess, StoreKey } from "@seqreg/core/io/objects";
export { RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
export { SparkError, type SparkErrorDetails, type SparkReason } from "./connect/spark_error.ts";
