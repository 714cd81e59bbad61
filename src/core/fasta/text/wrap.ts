/** The length of lines that writers take. */
import type { OptionRule } from "../../options/option_rule.ts";
import { wholeNumber } from "../../options/rules.ts";

export const WRAP: OptionRule<number> = wholeNumber({ from: 0, to: 1_000_000_000 });
