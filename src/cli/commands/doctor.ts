/** `seqreg doctor`: what is there, what is missing, and what to do about it. */
import { isOffline } from "@seqreg/core/options/is_offline";
import { messageOf } from "@seqreg/core/errors";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import { VERSION } from "@seqreg/core/contract/version";
import { examineEngine, findSparkSupport } from "../doctor/engine_findings.ts";
import { findObjectSupport } from "../doctor/object_findings.ts";
import { findCache, type Finding } from "../support/cache_finding.ts";
import { type Command, type CommandContext, EXIT } from "../support/command.ts";
import { ENGINE_OPTION, type EngineAddress, readEngineAddress } from "../support/engine.ts";
import type { SeenAnswer } from "@seqreg/core/registry/operations/examine_registry";
import { QUIET_OPTION } from "../support/ledger.ts";
import { openRegistry, refuseRequestOptions, REGISTRY_OPTIONS } from "../support/registry.ts";
import { findKernel } from "../support/kernel_finding.ts";
import { findExtension } from "../jupyter/lab_extension.ts";

const PERMISSIONS: readonly (readonly [Deno.PermissionName, neededFor: string])[] = [
  ["read", "reading archives and sequences"],
  ["write", "writing files and the cache"],
  ["net", "a live registry, and serving one"],
  ["env", "settings such as SEQREG_URL"],
  ["sys", "polars and DuckDB"],
  ["ffi", "polars and DuckDB"],
  ["run", "opening JupyterLab"],
];

/** It examines a registry as it is now, which no lock can answer for. */
const { lock: _, offline: __, ...EXAMINED_OPTIONS } = REGISTRY_OPTIONS;

const command: Command = {
  name: "doctor",
  summary: "Report what is installed, where the cache is, and how to fix what is missing",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...EXAMINED_OPTIONS,
    registry: { type: "string", value: "URL|DIR|zika", describe: "registry to examine (default: none)" },
    engine: { ...ENGINE_OPTION.engine, describe: "Spark Connect server to examine, sc://HOST:PORT (default: none)" },
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg doctor",
    "seqreg doctor --registry https://registry.example",
    "seqreg doctor --engine 'sc://head.example:15002/;use_ssl=true'",
  ],
  permissions: [
    "--allow-read",
    "--allow-write (to try the cache)",
    "--allow-env",
    "--allow-ffi",
    "--allow-sys",
    "--allow-net (with --registry or --engine)",
  ],
  async run(context) {
    const examines = context.flags.isGiven("registry");
    if (!examines) refuseRequestOptions(context, EXAMINED_OPTIONS, { needed: "--registry" });
    const engine = await readEngineAddress(context);
    const code = engine === undefined ? EXIT.done : await examineSpark(context, engine);
    if (examines) return Math.max(code, await examine(context));
    if (engine !== undefined) return code;
    const findings: Finding[] = [
      { subject: "seqreg", state: VERSION },
      { subject: "deno", state: `${Deno.version.deno}, ${Deno.build.target}` },
      await packageFinding("polars", async () => {
        const { default: pl } = await import("nodejs-polars");
        return pl.DataFrame({ a: [1] }).height === 1;
      }),
      await packageFinding("DuckDB", async () => {
        const { duckdbVersion } = await import("@seqreg/core/engine/local/lake_sql");
        return await duckdbVersion() !== "";
      }),
      ...await findSparkSupport(context.env),
      ...await findObjectSupport(context.env),
      await findCache(context.env, context.signal),
      await findKernel(context),
      await findExtension(context),
      ...await permissionFindings(),
      await registryFinding(context),
    ];
    await writeFindings(context, findings);
    return findings.some(({ isProblem }) => isProblem) ? EXIT.incomplete : EXIT.done;
  },
};

async function writeFindings({ stdout }: Pick<CommandContext, "stdout">, findings: readonly Finding[]): Promise<void> {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  for (const { subject, state, advice } of findings) {
    const line = `${subject.padEnd(width)}  ${state}${advice === undefined ? "" : `; ${advice}`}`;
    await stdout.write(`${terminalText(line)}\n`);
  }
}

/** `doctor --engine URL`: what is there for Spark, and how a server answers. */
async function examineSpark({ stdout, env, signal }: CommandContext, engine: EngineAddress): Promise<number> {
  const findings = await findSparkSupport(env);
  let failure: unknown;
  try {
    findings.push(...await examineEngine({ ...engine, signal }));
  } catch (thrown) {
    failure = thrown;
  }
  await writeFindings({ stdout }, findings);
  if (failure !== undefined) throw failure;
  return findings.some(({ advice }) => advice !== undefined) ? EXIT.incomplete : EXIT.done;
}

/** `doctor --registry URL`: what a registry supports, and which features of the toolkit will not work with it. */
async function examine(context: CommandContext): Promise<number> {
  const { examineRegistry } = await import("@seqreg/core/registry/operations/examine_registry");
  const seen: SeenAnswer[] = [];
  await using registry = await openRegistry(context, {
    lock: "",
    fetch: async (request) => {
      const started = performance.now();
      const response = await fetch(request);
      const { status, headers } = response;
      seen.push({ path: new URL(request.url).pathname, status, headers, ms: performance.now() - started });
      return response;
    },
  });
  const findings = await examineRegistry(registry.client, { seen, signal: context.signal });
  await writeFindings(context, findings);
  return findings.some(({ isProblem }) => isProblem) ? EXIT.incomplete : EXIT.done;
}

async function packageFinding(subject: string, works: () => Promise<boolean>): Promise<Finding> {
  try {
    if (await works()) return { subject, state: "works" };
    return { subject, state: "loads but does not work", advice: "report this together with the lines above" };
  } catch (cause) {
    const why = messageOf(cause).split("\n", 1)[0];
    return {
      subject,
      state: `does not load (${why})`,
      advice: "check --allow-ffi, and that this platform is supported",
    };
  }
}

async function permissionFindings(): Promise<Finding[]> {
  if (IS_INSTALLED) return [{ subject: "permissions", state: "each command is started with those that it needs" }];
  const missing: string[] = [];
  for (const [name, neededFor] of PERMISSIONS) {
    const { state } = await Deno.permissions.query({ name } as Deno.PermissionDescriptor);
    if (state !== "granted") missing.push(`--allow-${name} (${neededFor})`);
  }
  if (missing.length === 0) return [{ subject: "permissions", state: "all that the commands need" }];
  return missing.map((permission) => ({ subject: "permissions", state: `without ${permission}` }));
}

/** The registry of commands without `--registry`; credentials in an address are not shown. */
async function registryFinding({ env }: CommandContext): Promise<Finding> {
  const subject = "registry";
  const url = env("SEQREG_URL");
  const { resolveTarget } = await import("@seqreg/core/registry/connect");
  try {
    resolveTarget(url);
  } catch (cause) {
    return { subject, state: `SEQREG_URL cannot be used (${messageOf(cause)})`, isProblem: true };
  }
  const offline = isOffline(env("SEQREG_OFFLINE")) ? "; SEQREG_OFFLINE forbids the network" : "";
  return { subject, state: (url ? `SEQREG_URL=${url}` : "the built-in sample (SEQREG_URL is not set)") + offline };
}

export default command;
