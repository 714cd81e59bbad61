/** Whether the engine of a lake computes what this process computes. */
import type { LazyDataFrame } from "nodejs-polars";
import { membersOf } from "../../../engine/frames/frame_members.ts";
import { RegistryError } from "../../../errors.ts";
import { sha256Of } from "../../../io/digest/sha256.ts";
import { digestFrame } from "../../../engine/digest/frame_digest.ts";
import { describeDifference } from "../../../engine/digest/frame_difference.ts";
import { serializedPlan } from "../../../engine/plan/read_plan.ts";
import type { Lake, LakeCheck, Recipe, RecipeNumbers } from "./lake.ts";

/** One lake on two engines. */
export interface CheckedLakes {
  readonly local: Lake;
  /** The same lake on its engine; told of each query. */
  readonly far: (onQuery: (query: LazyDataFrame) => void) => Lake;
  /** Replaces parts of a store's key, which polars writes into plans. */
  readonly conceal: (text: string) => string;
  /** Facts about both engines for provenance. */
  readonly facts: () => Promise<LakeCheck["engines"]>;
}

/** Runs a recipe on both engines and compares what they give. */
export async function checkRecipe(recipe: Recipe, { local, far, conceal, facts }: CheckedLakes): Promise<LakeCheck> {
  const plans: string[] = [];
  const here = await recipe(local);
  const lake = far((query) => plans.push(sha256Of(conceal(serializedPlan(query)))));
  const there = await recipe(lake);
  const { name } = lake.engine;
  const digest = await digestFrame(here.frame);
  const difference = digest === await digestFrame(there.frame)
    ? describeNotes(here, there, name)
    : await describeDifference({ name: "this process", frame: here.frame }, { name, frame: there.frame });
  if (difference !== undefined) {
    throw new RegistryError(
      "damaged",
      `Cannot confirm the numbers of ${recipe.name || "the recipe"} on ${name}: ${difference}; verify the lake where ` +
        "each engine reads it (seqreg lake verify), and report the difference if both are whole",
    );
  }
  const parts = [...lake.tables.values()].flatMap(({ table, files }) =>
    files.map(({ name, bytes, checks }) => ({ table, name, bytes, sha256: checks?.sha256 ?? null }))
  );
  return { digest, rows: membersOf(here.frame).height, engines: await facts(), plans, parts };
}

function describeNotes(here: RecipeNumbers, there: RecipeNumbers, name: string): string | undefined {
  const [ours, theirs] = [here.notes ?? [], there.notes ?? []];
  const at = [...ours, ...theirs].findIndex((_, index) => ours[index] !== theirs[index]);
  return at < 0
    ? undefined
    : `note ${at + 1} is ${JSON.stringify(ours[at])} here and ${JSON.stringify(theirs[at])} on ${name}`;
}
