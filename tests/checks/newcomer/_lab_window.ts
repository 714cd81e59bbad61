/** JupyterLab as `seqreg lab` opens it: the address that a browser is started with, in a real browser. */
import type { Browser } from "playwright-core";
import { LabPage } from "../../browser/_lab.ts";
import type { Terminal } from "./_terminal.ts";

const TIMEOUT_MS = 120_000;

/** Sets up a home for JupyterLab: a browser that notes what it is to open, and what tests and containers need. */
export async function prepareHome(home: string): Promise<Readonly<Record<string, string>>> {
  const browser = `${home}/browser`;
  await Deno.writeTextFile(browser, `#!/bin/sh\nprintf 'open %s\\n' "$1" >&2\n`, { mode: 0o755 });
  const settings = `${home}/.jupyter`;
  await Deno.mkdir(`${settings}/labconfig`, { recursive: true });
  await Deno.writeTextFile(
    `${settings}/jupyter_server_config.json`,
    JSON.stringify({ LabApp: { expose_app_in_browser: true }, ServerApp: { allow_root: true } }),
  );
  // News would be asked for over the network.
  await Deno.writeTextFile(
    `${settings}/labconfig/page_config.json`,
    JSON.stringify({ disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true } }),
  );
  return { BROWSER: `${browser} %s` };
}

/** Types a line that opens JupyterLab, does some work in its page, and ends it by Ctrl-C. */
export async function inLab(
  terminal: Terminal,
  browser: Browser,
  line: string,
  work: (lab: LabPage) => Promise<void>,
): Promise<void> {
  await using lab = terminal.start(line);
  const [, address] = await lab.untilPrinted(/^open (\S+)$/m);
  await using page = new LabPage(await browser.newPage({ viewport: { width: 1280, height: 1000 } }));
  await page.page.goto(address);
  await page.page.waitForFunction("globalThis.jupyterapp?.shell?.currentWidget", null, { timeout: TIMEOUT_MS });
  await work(page);
}

/** Waits until the notebook in front is read and its kernel is there; returns the kernel's name as it is shown. */
export async function untilKernel({ page }: LabPage): Promise<string> {
  const current = "globalThis.jupyterapp.shell.currentWidget";
  await page.waitForFunction(
    `${current}?.context?.isReady && ${current}.sessionContext?.session?.kernel`,
    null,
    { timeout: TIMEOUT_MS },
  );
  return await page.evaluate<string>(`${current}.sessionContext.ready.then(() =>
    ${current}.sessionContext.kernelDisplayName)`);
}

/** Waits until a file is in front whose path ends so. */
export async function untilInFront({ page }: LabPage, path: string): Promise<void> {
  const wanted = `globalThis.jupyterapp.shell.currentWidget?.context?.path?.endsWith(${JSON.stringify(path)})`;
  await page.waitForFunction(wanted, null, { timeout: TIMEOUT_MS });
}
