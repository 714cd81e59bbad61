/** `seqreg chart RECIPE LAKE|FILE`: an analysis as a picture, or as its numbers. */
import { join } from "node:path";
import { once } from "../arguments/once.ts";
import { didYouMean } from "../arguments/suggestion.ts";
import type { Analysis } from "@seqreg/analysis";
import type { Lake } from "@seqreg/core/tables";
import { asUsage, type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { ENGINE_OPTION, LAKE_PERMISSIONS, readEngine } from "../support/engine.ts";
import { openLakeOrTable } from "../tables/open_lake.ts";
import { TABLE_OPTIONS } from "../tables/table_options.ts";
import { QUIET_OPTION, reportEntries } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { membersOf } from "@seqreg/core/engine/frames";

const FORMATS = ["svg", "png", "csv", "tsv", "json"] as const;
type Format = typeof FORMATS[number];

/** The analyses, as `seqreg/analysis` names them. */
const RECIPES = [
  "clusterQuality",
  "clusterSizes",
  "compareLengths",
  "compareSets",
  "completenessBySource",
  "fieldCompleteness",
  "gcAgreement",
  "gcByMolecule",
  "hostRange",
  "lengthByFamily",
  "lengthDistribution",
  "qualityTiers",
  "rarefaction",
  "recordsInTime",
  "releaseLag",
  "schemaCard",
  "segmentsPerIsolate",
  "stratifiedSample",
  "submissionFlow",
  "taxonomyAgreement",
  "topTaxa",
  "worldMap",
] as const;

type Options = Record<string, unknown>;

const command: Command = {
  name: "chart",
  summary: "Draw an analysis of a lake or a table, or write its numbers",
  operands: "RECIPE LAKE|FILE",
  operandValues: RECIPES,
  operandCount: [2, 2],
  tables: [1, 2],
  options: {
    by: { type: "string", value: "ROLE", describe: "what is counted or grouped by, such as host" },
    table: { type: "string", value: "NAME", describe: "table of the lake (default: its main one)" },
    field: {
      type: "string",
      multiple: true,
      value: "ROLE=NAME",
      describe: "field that plays a role, such as length='Number of bases'",
    },
    snapshot: { type: "string", value: "DAY", describe: "day of the data, YYYY-MM-DD" },
    option: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      describe: "another option of the analysis, such as top=10; lists and objects as JSON",
    },
    ...TABLE_OPTIONS,
    ...ENGINE_OPTION,
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "csv, tsv and json are the numbers (default: of FILE)",
    },
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake",
    "seqreg chart worldMap lake -o map.svg",
    "seqreg chart topTaxa lake --by host --option top=10 -o hosts.png",
    "seqreg chart lengthByFamily lake --format csv",
    "seqreg chart recordsInTime samples.xlsx -o years.svg",
  ],
  help: [{ title: "Analyses", lines: lines(RECIPES) }],
  permissions: LAKE_PERMISSIONS,
  async run(context) {
    const { operands: [name, source], signal } = context;
    const recipe = RECIPES.find((one) => one.toLowerCase() === name.replaceAll("-", "").toLowerCase());
    if (recipe === undefined) {
      const advice = didYouMean(name, RECIPES, { help: "seqreg chart --help" });
      throw new UsageError(`Unknown analysis ${JSON.stringify(name)}${advice}`);
    }
    const format = readFormat(context);
    const options: Options = { ...readOptions(context), signal };
    const engine = await readEngine(context);
    await using opened = await openLakeOrTable(context, source, engine);
    const analysis = await analyse(recipe, opened.lake, options);
    if (analysis.chart !== undefined) context.summary(`chart ${recipe}: ${analysis.chart.caption}`);
    for (const note of analysis.notes) context.summary(note);
    const end = reportEntries(context, opened.entries);
    const nothing = end === EXIT.done ? EXIT.nothing : end;
    if (analysis.chart === undefined && (format === "svg" || format === "png")) return nothing;
    await write(context, analysis, format);
    return membersOf(analysis.frame).height === 0 ? nothing : end;
  },
};

export default command;

function lines(names: readonly string[]): string[] {
  const rows: string[] = [];
  for (let from = 0; from < names.length; from += 4) rows.push(names.slice(from, from + 4).join(", "));
  return rows;
}

/** The format that is asked for, else that of the file's name. */
function readFormat({ flags }: CommandContext): Format {
  const output = flags.text("output");
  const ending = output === undefined ? undefined : /\.(\w+?)(?:\.gz)?$/.exec(output.toLowerCase())?.[1];
  const named = FORMATS.find((format) => format === ending);
  const format = flags.choice("format", FORMATS, named ?? "svg");
  if (format === "png" && (output === undefined || output === "-" || /\.gz$/i.test(output))) {
    throw new UsageError("Cannot print a PNG, nor compress one: use --output FILE.png");
  }
  if (output !== undefined && output !== "-" && named === undefined && flags.text("format") === undefined) {
    throw new UsageError(
      `Cannot tell the format of ${output}: end its name with .${FORMATS.join(", .")}, or use --format`,
    );
  }
  return format;
}

/** Options of the analysis, which checks them itself. */
function readOptions({ flags }: CommandContext): Options {
  const fields = once("the field for", flags.texts("field").map((text) => pair("field", text)));
  const named = ["by", "table", "snapshot"].flatMap((name): [string, unknown][] => {
    const value = flags.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  return once<unknown>("the option", [
    ...named,
    ...Object.keys(fields).length > 0 ? [["fields", fields] as const] : [],
    ...flags.texts("option").map((text) => pair("option", text)).map(([name, value]) =>
      [name, valueOf(value)] as const
    ),
  ]);
}

function pair(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`Cannot use --${option} ${JSON.stringify(text)}: expected NAME=VALUE`);
}

/** Numbers, true, false, lists and objects are JSON; anything else is text. */
function valueOf(text: string): unknown {
  if (!/^(?:-?[0-9]|true$|false$|\[|\{)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function analyse(name: typeof RECIPES[number], lake: Lake, options: Options): Promise<Analysis> {
  const analysis = await import("@seqreg/analysis");
  try {
    // Each analysis checks its own options: what is wrong is named before anything is read.
    return await Reflect.apply(analysis[name], undefined, [lake, options]);
  } catch (cause) {
    return asUsage(cause);
  }
}

async function write(context: CommandContext, { chart, frame }: Analysis, format: Format): Promise<void> {
  if (format === "json") {
    const rows = membersOf(frame).toRecords().map((row) => JSON.stringify(row)).join(",\n ");
    return await withOutput(context, (output) => output.write(`[${rows}]\n`));
  }
  const { createScratchFolder } = await import("@seqreg/core/io/files/scratch_folder");
  using folder = await createScratchFolder("chart");
  const path = join(folder.path, `result.${format}`);
  if (format === "png" || format === "svg") await chart?.save(path, { signal: context.signal });
  else {
    const { writeFrame } = await import("@seqreg/core/tables/types/write_frame");
    await writeFrame(frame, path, { format, signal: context.signal });
  }
  const bytes = await Deno.readFile(path);
  await withOutput(context, (output) => output.write(bytes), { isText: format !== "png" });
}
