/** The option of every command that shows progress. */

export const PROGRESS_MODES = ["auto", "json", "none"] as const;

export const PROGRESS_OPTION = {
  progress: {
    type: "string",
    value: PROGRESS_MODES.join("|"),
    describe: "auto draws on a terminal, json writes one object per line to standard error, also with --quiet " +
      "(default: auto)",
  },
} as const;
