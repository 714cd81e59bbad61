/** Every global in turn as the name of a cell's own: printing, `await`, `%time`, help and Stop go on. */
import { checkHiddenNames } from "../../jupyter/kernel/inside/_hidden_names.ts";

// A cell prints by `console`, and Deno's own kernel reports values by `Deno`: a cell that takes them goes without.
// Strict code, as all cells are, cannot declare `eval`.
const OWN = ["console", "Deno", "eval"];
const names = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .filter(([name, { configurable }]) => configurable && !OWN.includes(name) && /^[A-Za-z_$][\w$]*$/.test(name))
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
