/** Imports the friendly face without a permission. */
import { Registry } from "../../../mod.ts";

console.log(typeof Registry.open);
