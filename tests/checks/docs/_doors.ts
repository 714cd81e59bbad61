/** The pages of `docs/start` as a person reads them: blocks in their order, and what each prints. */

export interface DoorBlock {
  /** `sh` is typed in a shell; `ts` is a cell of a notebook, or a file where the text before it names one. */
  readonly language: "sh" | "ts";
  readonly code: string;
  /** File that the text before a block of TypeScript says to write. */
  readonly file: string | undefined;
  /** What the page says that it prints; `undefined` where it says nothing. */
  readonly output: string | undefined;
}

export const START = new URL("../../../docs/start/", import.meta.url);

const BLOCK = /^ *```(sh|ts)\n([\s\S]*?)^ *```\n(?:\n *```text\n([\s\S]*?)^ *```\n)?/gm;

/** Reads a page, `notebooks.md`, `scripts.md` or `teach.md`. */
export async function readDoor(page: string): Promise<DoorBlock[]> {
  const text = await Deno.readTextFile(new URL(page, START));
  return Array.from(text.matchAll(BLOCK), ({ 1: language, 2: code, 3: output, index }) => ({
    language: language as DoorBlock["language"],
    code: withoutMargin(code),
    file: language === "ts" ? /`(\w+\.ts)`[^`]*$/.exec(text.slice(0, index))?.[1] : undefined,
    output: output === undefined ? undefined : withoutMargin(output),
  }));
}

/** Lines without the indent of the list that they are in, and without blanks at their ends. */
export function withoutMargin(text: string): string {
  const lines = text.replace(/^(?: *\n)+/, "").trimEnd().split("\n").map((line) => line.trimEnd());
  const margin = Math.min(...lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(margin)).join("\n");
}
