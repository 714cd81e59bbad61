/** `seqreg docs`: the documentation as web pages. */
import { type Command, type CommandContext, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { findSite } from "../../documentation/site_folder.ts";
import { createSiteService } from "../../documentation/site_service.ts";

const command: Command = {
  name: "docs",
  summary: "Show the documentation in a browser: guide, lessons, cookbook and reference, without a network",
  operands: "",
  operandCount: [0, 0],
  options: {
    port: { type: "string", value: "N", describe: "port to listen on; 0 picks a free one (default: 0)" },
    "no-browser": { type: "boolean", describe: "print the address without opening a browser" },
    ...QUIET_OPTION,
  },
  examples: ["seqreg docs", "seqreg docs --no-browser --port 8080"],
  permissions: ["--allow-read", "--allow-net=127.0.0.1", "--allow-env", "--allow-run"],
  async run(context) {
    const { flags, signal } = context;
    const port = flags.integer("port", { least: 0, most: 65_535 }) ?? 0;
    const folder = await findSite({
      signal,
      onBuild: () => context.summary("builds the documentation, once; that takes a minute or two"),
    });
    const { serveRegistry } = await import("@seqreg/embedded/service");
    const onFault = (fault: unknown) => context.note(`a page failed: ${fault}`);
    const server = await serveRegistry(createSiteService(folder), { port, signal, onFault });
    await context.stdout.write(`${server.url}/\n`);
    await context.stdout.flush?.();
    if (!flags.has("no-browser")) openBrowser(`${server.url}/`, context);
    context.summary("serving the documentation; Ctrl-C ends it");
    await server.finished;
    context.summary("ended");
    return EXIT.done;
  },
};

export default command;

/** Opens the address in the user's browser, where there is a screen and a program that does so. */
function openBrowser(url: string, context: CommandContext): void {
  const programs: Readonly<Record<string, readonly string[]>> = {
    darwin: ["open", url],
    windows: ["rundll32", "url.dll,FileProtocolHandler", url],
  };
  const hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => context.env(name));
  const [program, ...args] = programs[Deno.build.os] ?? (hasScreen ? ["xdg-open", url] : []);
  if (program === undefined) return;
  try {
    const child = new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
    child.unref();
  } catch {
    context.summary(`open ${url} in a browser: ${program} is not there`);
  }
}
