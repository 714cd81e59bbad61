/** The tables of codes on `docs/ledger.md`. */
import { LEDGER_CODES, type LedgerLevel } from "../../src/core/contract/ledger_codes.ts";

/** A table of the codes of one level, in alphabetical order. */
export function codeTable(level: LedgerLevel): string {
  const codes = Object.entries(LEDGER_CODES).filter(([, info]) => info.level === level);
  const rows = codes.toSorted(([a], [b]) => a < b ? -1 : 1).map(([code, { meaning, advice }]) =>
    `| \`${code}\` | ${meaning} | ${advice} |`
  );
  return ["| code | meaning | what to do |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The page with its tables, one after each marker `<!-- reason codes -->` and `<!-- warning codes -->`. */
export function withCodeTables(page: string): string {
  return page.replace(
    /(<!-- (reason|warning) codes -->\n).*?(<!-- \/\2 codes -->)/gs,
    (_, begin: string, level: string, end: string) =>
      `${begin}\n${codeTable(level === "reason" ? "reason" : "warning")}\n\n${end}`,
  );
}
