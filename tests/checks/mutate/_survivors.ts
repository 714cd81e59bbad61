/** The list of mutations that no test can tell from the source, each with its reason. */

/** A mutation by what it does, wherever its file and its line stand. */
export interface Survivor {
  /** Name of the file without its folder. */
  readonly file: string;
  readonly original: string;
  readonly mutated: string;
}

export interface ListedSurvivor extends Survivor {
  readonly reason: string;
}

export function survivorKey({ file, original, mutated }: Survivor): string {
  return `${file}\n${original}\n${mutated}`;
}

/** Writes a survivor as the list holds it. */
export function formatSurvivor({ file, original, mutated }: Survivor, reason: string): string {
  return `${file}\n- ${original}\n+ ${mutated}\n${reason}`;
}

/** Reads the entries of the list: in its blocks of code, separated by blank lines. */
export function parseSurvivors(markdown: string): ListedSurvivor[] {
  const blocks = [...markdown.matchAll(/^```diff\n([^]*?)^```$/gm)].flatMap(([, code]) => code.trim().split(/\n\n+/));
  return blocks.filter((block) => block !== "").map((block) => {
    const [file, original = "", mutated = "", ...reason] = block.split("\n");
    if (!original.startsWith("- ") || !mutated.startsWith("+") || reason.join("").trim() === "") {
      throw new SyntaxError(`Cannot read an entry of the survivors, expected file, - line, + line, reason: ${block}`);
    }
    return { file, original: original.slice(2), mutated: mutated.slice(1).trim(), reason: reason.join(" ") };
  });
}
