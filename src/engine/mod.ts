/**
 * Engines: who computes. A lake is read in this process by default; `openLake(folder, { engine: spark("sc://…") })` has
 * Spark compute the same numbers.
 *
 * @module
 */
export type {
  ColumnDtype,
  Engine,
  EngineColumn,
  EngineFacts,
  EngineLake,
  EnginePart,
  EngineQueryOptions,
  EngineSession,
  EngineTable,
  SqlParameter,
  SqlParameters,
} from "./engine.ts";
export { localEngine } from "./local/local_engine.ts";
export { digestFrame } from "./digest/frame_digest.ts";
export { spark, type SparkEngineOptions } from "./spark_engine/spark.ts";
export type { SparkOptions, SparkProgress } from "./spark/options.ts";
