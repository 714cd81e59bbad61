/** What the drawing library warns of, in words that help, once. */

/** Draws, and returns the warnings in place of printing them. */
export function withWarnings<Drawn>(
  draw: () => Drawn,
): { readonly drawn: Drawn; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const { warn } = console;
  // The library writes to the console alone, while it draws; nothing else runs meanwhile.
  console.warn = (...parts: readonly unknown[]) => void warnings.push(parts.map(String).join(" "));
  try {
    return { drawn: draw(), warnings };
  } finally {
    console.warn = warn;
  }
}

const STRINGS = /associated with the (\w+) scale are strings that appear to be (dates|numbers)/;
const DATES = /associated with the (\w+) scale are dates/;

/** Describes what a warning means for a picture. */
export function explainWarning(warning: string): string {
  const [, scale, kind] = STRINGS.exec(warning) ?? [];
  if (kind === "dates") {
    return `The ${scale} axis has dates as texts, side by side and not in time: give dates, such as ` +
      `${scale}: (row) => new Date(row.date)`;
  }
  if (kind === "numbers") {
    return `The ${scale} axis has numbers as texts, side by side and not on a scale: give numbers, such as ` +
      `${scale}: (row) => Number(row.value)`;
  }
  const [, ordinal] = DATES.exec(warning) ?? [];
  if (ordinal !== undefined) {
    return `The ${ordinal} axis has dates side by side, not in time: draw rectY with an interval, such as "month", ` +
      `in place of a bar, or say ${ordinal}: { interval: "month" } among the options`;
  }
  return warning.replace(/^Warning: /, "").replace(/^./, (letter) => letter.toUpperCase()).replace(/\.$/, "");
}
