/** The rules of the options that every analysis shares. */
import { isRecord } from "@seqreg/core/options/is_record";
import type { OptionRule, OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { readPartialDate } from "@seqreg/core/contract/values";
import { COLOURS_RULE } from "../chart/own_colours.ts";
import { RECORD_FILTER_RULE } from "../source/record_filter.ts";
import { ROLE_NAMES, type RoleFields, type RolePreferences } from "../source/roles.ts";
import type { AnalysisOptions } from "./analysis.ts";
import { PLAUSIBLE_RULES, type PlausibleRanges } from "./plausible.ts";

const names: readonly string[] = ROLE_NAMES;

/** Values by role: a role that does not exist is refused with the nearest that does. */
function byRole<Value, ByRole>(each: OptionRule<Value>, plural: string): OptionRule<ByRole> {
  const expected = `an object of ${plural} by role`;
  return {
    expected,
    isRequired: false,
    fault(value, path) {
      if (!isRecord(value)) return { path, expected, value };
      for (const [role, one] of Object.entries(value)) {
        if (!names.includes(role)) return { path: `${path}.${role}`, value: role, names };
        const fault = one === undefined ? undefined : each.fault(one, `${path}.${role}`);
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
  };
}

export const ANALYSIS_OPTIONS = {
  fields: byRole<string, RoleFields>(rule.text, "fields"),
  roles: byRole<readonly string[], RolePreferences>(rule.texts, "lists of fields"),
  plausible: rule.shape<PlausibleRanges>(PLAUSIBLE_RULES),
  filter: RECORD_FILTER_RULE,
  onePer: rule.text,
  colours: COLOURS_RULE,
  width: rule.number({ from: 200, to: 4000 }),
  table: rule.text,
  name: rule.text,
  records: rule.oneOf(["all", "unique", "representatives"]),
  snapshot: rule.like<string>(
    "the day of the data, YYYY-MM-DD",
    // It stands below figures as it is written.
    (value) => typeof value === "string" && /^\d{4}(-\d\d){0,2}$/.test(value) && readPartialDate(value) !== undefined,
  ),
  signal: rule.signal,
} satisfies OptionRules<AnalysisOptions>;

const { table: _table, records: _records, ...shared } = ANALYSIS_OPTIONS;

/** The rules of options of analyses that read several tables of a lake: they choose tables and records themselves. */
export const LAKE_ANALYSIS_OPTIONS = shared satisfies OptionRules<Omit<AnalysisOptions, "table" | "records">>;
