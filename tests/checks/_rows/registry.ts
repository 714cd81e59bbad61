/** Checks of the embedded registry. */
import type { Check } from "../_runner/check.ts";
import { RUN } from "./_shared.ts";

export const REGISTRY: readonly Check[] = [
  {
    name: "classroom",
    shows: "thirty learners make the recorded requests of lessons: nobody waits longer than 2 s, memory at most 600 MB",
    files: ["tests/checks/service/classroom.ts"],
    calls: ["src/embedded/", "src/core/client/", "src/core/registry/"],
    minutes: 0.5,
    alone: true,
  },
  {
    name: "slow-readers",
    shows:
      "150 slow readers and 1,100 slow senders of one address: another is served, memory is bounded and comes back",
    files: ["tests/checks/service/slow_readers.ts"],
    calls: ["src/embedded/service/"],
    commands: [
      [...RUN, "tests/checks/service/slow_readers.ts", "--seconds", "15", "--readers", "150", "--records", "10000"],
    ],
    minutes: 0.5,
    alone: true,
  },
  {
    name: "load",
    shows: "64 clients, some cut off, some hostile: no wrong answer, nothing left (`deno task soak`: 30 minutes)",
    files: ["tests/checks/service/load.ts"],
    calls: ["src/embedded/service/"],
    commands: [[...RUN, "tests/checks/service/load.ts", "--requests", "10000", "--seed", "SEED"]],
    minutes: 1,
    alone: true,
    seed: true,
  },
  {
    name: "operator",
    shows:
      "archives are exchanged, mirrored, overwritten, cut off and taken away under 200 connections: no wrong answer, " +
      "no mixture, no 503 but for what is overwritten, and none with --copies; a flood of large pages in 512 MB; " +
      "limits of descriptors, logs on a full disk, a stopped process",
    files: ["tests/checks/service/operator.ts", "tests/checks/service/operator_points.ts"],
    calls: ["src/embedded/service/", "src/cli/commands/serve.ts", "src/core/datasets/"],
    programs: ["python3"],
    commands: [
      ["test", "--allow-all", "--no-check", "tests/checks/service/operator_points.ts"],
      [...RUN, "tests/checks/service/operator.ts", "--seed", "SEED"],
    ],
    minutes: 5,
    alone: true,
    seed: true,
  },
  {
    name: "kills-import",
    shows: "twenty kills leave the old import or the new one",
    files: ["tests/checks/service/kills.ts"],
    calls: ["src/embedded/service/"],
    commands: [[...RUN, "tests/checks/service/kills.ts", "20", "SEED"]],
    minutes: 1,
    seed: true,
  },
  {
    name: "searches",
    shows: "1,000 searches of the registry's index under each set of bounds, compared with a plain reading and DuckDB",
    files: ["tests/embedded/service/index/index_test.ts"],
    calls: ["src/embedded/service/index/", "src/core/query/"],
    commands: [["test", "--allow-all", "--no-check", "tests/embedded/service/index"]],
    env: { SEQREG_SEARCHES: "1000" },
    minutes: 0.5,
    seed: true,
  },
  {
    name: "schemathesis",
    shows: "the embedded registry compared with its own description",
    files: ["tests/checks/schemathesis/operations.ts"],
    calls: ["src/embedded/service/", "src/core/contract/"],
    programs: ["venv"],
    packages: ["schemathesis"],
    onPath: true,
    env: { SCHEMATHESIS_CASES: "1000" },
    minutes: 5,
  },
];
