/** Every global in turn as the name of a cell's own: printing, `await`, `%time`, help and Stop go on. */
import { checkHiddenNames } from "../../jupyter/kernel/inside/_hidden_names.ts";

// A cell prints by `console`: the one that it has taken the name of is its own.
const names = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .filter(([name, { configurable }]) => configurable && name !== "console" && /^[A-Za-z_$][\w$]*$/.test(name))
  .map(([name]) => name);
const failures: string[] = [];
for (const name of names) {
  try {
    await checkHiddenNames([name]);
  } catch (error) {
    failures.push(`${name}: ${error}`);
  }
}
if (failures.length > 0) throw new Error(failures.join("\n"));
console.log(`${names.length} globals: each may be the name of a cell's own`);
