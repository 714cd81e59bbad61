/** A real JupyterLab, started as a user starts it, and a real browser in front of it. */
import { type Browser, chromium, type Page } from "playwright-core";
import { type Needs, needsPrograms, testNeeding } from "../_needs.ts";
import { freePorts } from "../_free_ports.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const START_TIMEOUT_MS = 60_000;
const THEME_TIMEOUT_MS = 30_000;

/** How long nothing may be seen of a theme that is being loaded. */
const CALM_MS = 250;

/** JupyterLab's splash screen is not there, nor fading. */
const NO_SPLASH = `document.querySelector("#jupyterlab-splash") === null`;

/** Flags that keep Chromium to this machine. */
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium; `CHROMIUM` names another than the usual one. */
const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

export const NEEDS_BROWSER: Needs = needsPrograms(CHROMIUM);
export const NEEDS_JUPYTER: Needs = needsPrograms("jupyter");

/** A test in a real JupyterLab, seen by a real browser. */
export function testInLab(name: string, run: (t: Deno.TestContext) => Promise<void>): void {
  testNeeding({ ...NEEDS_BROWSER, ...NEEDS_JUPYTER }, name, run);
}

export function testInBrowser(name: string, run: (t: Deno.TestContext) => Promise<void>): void {
  testNeeding(NEEDS_BROWSER, name, run);
}

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    // Pictures show what people see.
    ignoreDefaultArgs: ["--hide-scrollbars"],
    args: CHROMIUM_FLAGS,
  });
}

/** A running JupyterLab over one folder. */
export class LabServer implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #folder: string;
  readonly #base: string;
  readonly #token: string;

  private constructor(process: Deno.ChildProcess, folder: string, base: string, token: string) {
    this.#process = process;
    this.#folder = folder;
    this.#base = base;
    this.#token = token;
  }

  /** Starts JupyterLab by `seqreg lab`, with its kernels on one core where that is asked for. */
  static async start(notebooks: string, options: { readonly core?: number } = {}): Promise<LabServer> {
    const folder = await Deno.makeTempDir();
    const token = crypto.randomUUID();
    // A browser test reads the document through the application object, and may run as root.
    await Deno.writeTextFile(
      `${folder}/jupyter_server_config.json`,
      JSON.stringify({
        LabApp: { expose_app_in_browser: true },
        JupyterNotebookApp: { expose_app_in_browser: true },
        ServerApp: { allow_root: true },
      }),
    );
    // News would be asked for over the network, and the question about them would stand on the pictures.
    await Deno.mkdir(`${folder}/labconfig`);
    await Deno.writeTextFile(
      `${folder}/labconfig/page_config.json`,
      JSON.stringify({ disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true } }),
    );
    const port = freePorts(1)[0];
    const pinned = options.core === undefined ? [] : ["taskset", "-c", String(options.core)];
    const lab = ["run", "--allow-all", MAIN, "lab", notebooks, "--no-browser", "--port", String(port)];
    const [program, ...args] = [...pinned, Deno.execPath(), ...lab];
    const process = new Deno.Command(program, {
      args,
      env: {
        JUPYTER_CONFIG_DIR: folder,
        JUPYTER_TOKEN: token,
        JUPYTER_DATA_DIR: `${folder}/data`,
        SEQREG_CACHE: `${folder}/cache`,
        SEQREG_URL: "",
      },
      stdout: "null",
      stderr: "null",
    }).spawn();
    const server = new LabServer(process, folder, `http://127.0.0.1:${port}`, token);
    try {
      await server.#untilReady();
    } catch (cause) {
      await server[Symbol.asyncDispose]();
      throw cause;
    }
    return server;
  }

  /** Opens a notebook and waits until its kernel is there. */
  async open(browser: Browser, notebook: string, options: OpenOptions = {}): Promise<LabPage> {
    const { width = 1280, height = 1600, dark = false, room = "JupyterLab" } = options;
    const page = await browser.newPage({ viewport: { width, height } });
    const path = room === "Notebook 7" ? "notebooks" : `lab/workspaces/t${crypto.randomUUID()}/tree`;
    await page.goto(`${this.#base}/${path}/${notebook}?token=${this.#token}`);
    const current = "globalThis.jupyterapp?.shell?.currentWidget";
    await page.waitForFunction(`${current}?.content?.model && ${current}.context.isReady`, null, {
      timeout: START_TIMEOUT_MS,
    });
    await page.evaluate(`(async () => {
      const widget = jupyterapp.shell.currentWidget;
      await widget.context.ready;
      await widget.sessionContext.ready;
      if (!widget.sessionContext.session?.kernel) throw new Error("the notebook has no kernel");
      await jupyterapp.commands.execute("application:toggle-left-area").catch(() => {});
    })()`);
    const opened = new LabPage(page);
    await opened.turn({ width, height, dark });
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGTERM");
    } catch {
      // It ended before.
    }
    await this.#process.status;
    await Deno.remove(this.#folder, { recursive: true });
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    let ended = false;
    this.#process.status.then(() => ended = true);
    for (;;) {
      try {
        const response = await fetch(`${this.#base}/api/status?token=${this.#token}`);
        await response.body?.cancel();
        if (response.ok) return;
      } catch {
        // Not listening yet.
      }
      if (ended || Date.now() > deadline) throw new Error("JupyterLab did not start; is it installed?");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** What shows notebooks; one server has both, and a file that both show has one kernel. */
export type RoomName = "JupyterLab" | "Notebook 7";

/** How a notebook is looked at. */
export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly room?: RoomName;
}

/** One cell as the notebook's document holds it: also when it is scrolled out of view. */
export interface LabCell {
  readonly text: string;
  readonly errors: readonly string[];
  readonly html: string;
  /** The same in words: what a terminal, a log or a screen reader gets. */
  readonly plain: string;
}

/** One notebook in a browser. */
export class LabPage implements AsyncDisposable {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Runs a command of JupyterLab's, such as `kernelmenu:interrupt`. */
  async command(id: string): Promise<void> {
    await this.page.evaluate(`jupyterapp.commands.execute(${JSON.stringify(id)}).then(() => undefined)`);
  }

  /** Presses Run All and waits until every cell is done. */
  async runAll(timeoutMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Run All did not end within ${timeoutMs} ms`)), timeoutMs);
    });
    const running = this.command("notebook:run-all-cells");
    running.catch(() => {});
    try {
      await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Shows the same outputs at another width, in another theme.
   *
   * A theme is loaded after the command for it has ended, behind a splash screen, and once more where its setting is
   * saved for the first time: it is there when nothing of this was seen for a while.
   */
  async turn({ width, dark, height }: Required<Omit<OpenOptions, "room">>): Promise<void> {
    await this.page.setViewportSize({ width, height });
    const theme = `JupyterLab ${dark ? "Dark" : "Light"}`;
    await this.page.evaluate(`delete globalThis.calmSince;
      jupyterapp.commands.execute("apputils:change-theme", { theme: "${theme}" }).then(() => undefined)`);
    await this.page.waitForFunction(
      `(() => {
        const isCalm = document.body.dataset.jpThemeName === "${theme}" && ${NO_SPLASH};
        globalThis.calmSince = isCalm ? globalThis.calmSince ?? performance.now() : undefined;
        return isCalm && performance.now() - globalThis.calmSince > ${CALM_MS};
      })()`,
      null,
      { timeout: THEME_TIMEOUT_MS },
    );
  }

  /** Takes a picture of the page, which the splash screen never covers. */
  async picture(path: string): Promise<void> {
    await this.page.waitForFunction(NO_SPLASH, null, { timeout: THEME_TIMEOUT_MS });
    await this.page.evaluate("document.fonts.ready.then(() => undefined)");
    await this.page.screenshot({ path });
    if (!await this.page.evaluate<boolean>(NO_SPLASH)) throw new Error(`the splash screen covers ${path}`);
  }

  async cells(): Promise<LabCell[]> {
    return await this.page.evaluate<LabCell[]>(`(() => {
      const { cells } = jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON();
      const joined = (value) => [value ?? ""].flat().join("");
      return cells.filter((cell) => cell.cell_type === "code").map(({ outputs }) => ({
        text: outputs.filter((o) => o.output_type === "stream").map((o) => joined(o.text)).join(""),
        errors: outputs.filter((o) => o.output_type === "error").map((o) => o.ename + ": " + o.evalue),
        html: outputs.filter((o) => o.data?.["text/html"]).map((o) => joined(o.data["text/html"])).join(""),
        plain: outputs.filter((o) => o.data?.["text/plain"]).map((o) => joined(o.data["text/plain"])).join("\\n"),
      }));
    })()`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.evaluate("jupyterapp.shell.currentWidget?.sessionContext?.shutdown?.()").catch(() => {});
    await this.page.close();
  }
}

const OWN_KERNELSPEC = { display_name: "Deno (seqreg)", language: "typescript", name: "deno-seqreg" };

/** Writes a notebook of code cells, for our own kernel by default. */
export async function writeNotebook(
  path: string,
  cells: readonly string[],
  kernelspec = OWN_KERNELSPEC,
): Promise<void> {
  const notebook = {
    cells: cells.map((source, index) => ({
      cell_type: "code",
      id: `cell-${index}`,
      metadata: {},
      source,
      execution_count: null,
      outputs: [],
    })),
    metadata: { kernelspec },
    nbformat: 4,
    nbformat_minor: 5,
  };
  await Deno.writeTextFile(path, JSON.stringify(notebook));
}
