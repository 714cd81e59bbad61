/** Checks on a real Spark cluster. */
import type { Check } from "../_runner/check.ts";
import { RUN } from "./_shared.ts";

const SPARK = {
  programs: ["curl", "java", "spark", "venv"],
  packages: ["moto", "httpfs"],
  onPath: true,
  // They start the same cluster.
  inTurn: "spark",
  after: cluster("down"),
} as const satisfies Partial<Check>;

/** A command of `deno task cluster`. */
function cluster(...args: readonly string[]): string[] {
  return [...RUN, "tests/checks/cluster/main.ts", ...args];
}

export const CLUSTER: readonly Check[] = [
  {
    name: "protocol",
    shows: "the descriptor of Spark Connect is that of Spark's own",
    files: [],
    calls: ["tools/protocol/", "src/spark/connect/"],
    commands: [["task", "protocol", "--check"]],
    minutes: 0.5,
  },
  {
    name: "cluster",
    shows: "every analysis, SQL of `docs/engines.md`, a lake in an object store and 200 generated frames on real Spark",
    files: ["engines_page", "recipes", "objects", "generated"].map((name) => `tests/checks/cluster/${name}.ts`),
    calls: ["src/spark/", "src/analysis/recipes/", "src/core/engine/", "tests/checks/cluster/", "docs/engines.md"],
    ...SPARK,
    commands: [cluster("up", "--s3", "moto"), cluster("test"), cluster("generated")],
    minutes: 8,
    seed: true,
  },
  {
    name: "cluster-faults",
    shows: "kills, stops, damages, fills and overloads what is part of a query on real Spark",
    files: ["data", "client", "spill", "processes"].map((name) => `tests/checks/cluster/faults_${name}.ts`),
    calls: ["src/spark/", "tests/checks/cluster/"],
    ...SPARK,
    commands: [cluster("up", "--s3", "moto"), cluster("faults")],
    minutes: 11,
    seed: true,
  },
];
