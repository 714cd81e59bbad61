/** The rules of the options that every analysis shares. */
import { isRecord, type OptionRule, type OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { ROLE_NAMES, type RoleFields } from "../source/roles.ts";
import type { AnalysisOptions } from "./analysis.ts";

const names: readonly string[] = ROLE_NAMES;

/** Fields by role: a role that does not exist is refused with the nearest that does. */
const FIELDS_RULE: OptionRule<RoleFields> = {
  expected: "an object of fields by role",
  isRequired: false,
  fault(value, path) {
    if (!isRecord(value)) return { path, expected: FIELDS_RULE.expected, value };
    for (const [role, name] of Object.entries(value)) {
      if (!names.includes(role)) return { path: `${path}.${role}`, value: role, names };
      const fault = name === undefined ? undefined : rule.text.fault(name, `${path}.${role}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
};

/** The rules of {@linkcode AnalysisOptions}. */
export const ANALYSIS_OPTIONS = {
  fields: FIELDS_RULE,
  table: rule.text,
  name: rule.text,
  records: rule.oneOf(["all", "unique", "representatives"]),
  snapshot: rule.text,
  signal: rule.signal,
} satisfies OptionRules<AnalysisOptions>;

const { table: _table, records: _records, ...shared } = ANALYSIS_OPTIONS;

/** The rules of options of analyses that read several tables of a lake: they choose tables and records themselves. */
export const LAKE_ANALYSIS_OPTIONS = shared satisfies OptionRules<Omit<AnalysisOptions, "table" | "records">>;
