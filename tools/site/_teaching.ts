/** Instructor's pages that are made of the notebooks: objectives and key points, exercises and answers. */
import { posix } from "node:path";
import { listFiles } from "../packages/toolkit/source_files.ts";
import { readCells } from "../../tests/notebooks/_notebook.ts";
import { pageOf, rewriteLinks, writePage } from "./_copied_pages.ts";

export async function writeTeaching(root: string, pages: string): Promise<void> {
  const objectives = ["# Objectives and key points", "Of each lesson, as its notebook has them."];
  const exercises = [
    "# Exercises and answers",
    "Answers are hidden in the notebooks, too, until a learner opens them.",
  ];
  for (const path of (await listFiles(root, "notebooks")).filter((path) => path.endsWith(".ipynb"))) {
    const cells = await readCells(new URL(`file://${posix.join(root, path)}`));
    const text = cells.filter(({ type }) => type === "markdown").map(({ source }) => source).join("\n\n");
    const title = `## [${/^# (.*)$/m.exec(text)?.[1]}](../${pageOf(path)})`;
    const part = (pattern: RegExp) => pattern.exec(text)?.[1].trim() ?? "";
    const minutes = part(/^About ([0-9]+) minutes/m);
    objectives.push(
      title,
      `**Question:** ${part(/^\*\*Question:\*\*([^?]+\?)/m)} About ${minutes} minutes.`,
      `Learners can`,
      part(/^You will learn to\n\n([\s\S]*?)\n\n(?!- )/m),
      "Key points:",
      part(/^## Key points\n\n([\s\S]*?)(?=\n## |(?![\s\S]))/m),
    );
    const found = Array.from(text.matchAll(/^#{2,3} (Exercise \d+.*)\n([\s\S]*?<\/details>)/gm));
    exercises.push(title, ...found.flatMap(([, name, body]) => [`### ${name}`, body.trim()]));
  }
  for (const [name, parts] of [["objectives", objectives], ["exercises", exercises]] as const) {
    const page = `instructor/${name}.md`;
    await writePage(pages, page, rewriteLinks(`${parts.join("\n\n")}\n`, "notebooks/README.md", page));
  }
}
