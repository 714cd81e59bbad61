/** Dates with `XX` for unknown parts, as the documentation of augur describes them. */

/** Writes a date with `XX` for the month or day that it lacks; empty if it is not an ISO date. */
export function augurDate(text: string): string {
  const [, year, month = "XX", day = "XX"] = /^(\d{4})(?:-(\d{2}|XX))?(?:-(\d{2}|XX))?$/i.exec(text.trim()) ?? [];
  return year === undefined ? "" : `${year}-${month.toUpperCase()}-${month === "XX" ? "XX" : day.toUpperCase()}`;
}
