/** The table of `tests/checks/README.md`, which is written from `checks.ts`. */
import { ROOT } from "../../_files.ts";
import { CHECKS } from "../checks.ts";
import { needsOf } from "./report.ts";

const PAGE = `${ROOT}tests/checks/README.md`;
const BEGIN = "<!-- Written by deno task checks --write-page from checks.ts. -->\n";
const END = "<!-- End of what is written. -->\n";

/** The page as it is, and as it should be. */
export async function renderPage(): Promise<{ readonly path: string; readonly is: string; readonly should: string }> {
  const is = await Deno.readTextFile(PAGE);
  const [begin, end] = [is.indexOf(BEGIN), is.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE}: expected the lines ${BEGIN.trim()} and ${END.trim()}`);
  const rows = CHECKS.map((check) => {
    const minutes = `${check.minutes}${check.alone ? ", alone" : check.inTurn ? `, ${check.inTurn}` : ""}`;
    const files = check.files.map((file) => `\`${file.replace(/^tests\/checks\//, "")}\``).join(", ");
    const cells = [
      `\`${check.name}\``,
      check.shows,
      files,
      needsOf(check).join(", "),
      minutes,
      check.seed ? "yes" : "",
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  });
  const head = "| check | what it shows | files | needs | minutes | seed |\n| --- | --- | --- | --- | --- | --- |\n";
  const should = await formatted(`${is.slice(0, begin)}${BEGIN}\n${head}${rows.join("")}\n${is.slice(end)}`);
  return { path: PAGE, is, should };
}

/** Text as `deno fmt` has it. */
async function formatted(text: string): Promise<string> {
  const args = ["fmt", "--quiet", "--config", `${ROOT}deno.json`, "--ext", "md", "-"];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await output;
  if (!success) throw new Error("deno fmt failed");
  return new TextDecoder().decode(stdout);
}
