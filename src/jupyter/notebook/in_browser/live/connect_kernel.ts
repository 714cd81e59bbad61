/**
 * The views of a kernel in JupyterLab's page: outputs that hold one are made live. Runs in the browser; see
 * `../cells.ts`.
 */
import type { PageElement } from "../page.ts";
import { type LiveAnswer, type LiveChannel, openChannel } from "./channel.ts";
import { startLive } from "./start_live.ts";
import type { PageFacts } from "./live_page.ts";

/** A comm of JupyterLab's, as far as it is used. */
export interface LabComm {
  send(message: LiveAnswer): unknown;
  onMsg: (message: { readonly content: { readonly data: LiveAnswer } }) => void;
  onClose: () => void;
}

export interface LabSignal<T> {
  connect(slot: (sender: unknown, value: T) => void): void;
}

export interface LabKernel {
  readonly statusChanged: LabSignal<string>;
  readonly disposed: LabSignal<unknown>;
  registerCommTarget(
    target: string,
    open: (comm: LabComm, message: { readonly content: { readonly data: LiveAnswer } }) => void,
  ): void;
  requestCommInfo(content: { readonly target_name: string }): Promise<{ readonly content: LiveAnswer }>;
  hasComm(id: string): boolean;
  createComm(target: string, id: string): LabComm;
}

export interface LabSession {
  readonly ready: Promise<unknown>;
  readonly session: { readonly kernel: LabKernel | null } | null;
  readonly kernelChanged: LabSignal<{ readonly newValue: LabKernel | null }>;
}

export interface LabWindow {
  readonly document: { readonly body: PageElement; querySelectorAll(selector: string): Iterable<PageElement> };
  readonly MutationObserver: new (hear: () => void) => {
    observe(element: PageElement, options: { readonly childList: boolean; readonly subtree: boolean }): void;
    disconnect(): void;
  };
  _JUPYTERLAB?: Record<string, unknown>;
}

/** Makes the outputs of a view live, wherever they stand in the page and whenever they come. */
export function showView(window: LabWindow, comm: LabComm, told: LiveAnswer): LiveChannel {
  const id = String(told.view).replace(/[^A-Za-z0-9-]/g, "");
  const facts: PageFacts = Object(told.facts);
  let state: LiveAnswer = Object(told.state);
  const channel = openChannel((message) => {
    if (message.op === "state") state = Object(message.state);
    comm.send(message);
  });
  const look = () => {
    for (const root of window.document.querySelectorAll(`[data-view="${id}"][data-seqreg-live="saved"]`)) {
      startLive(root, facts, state, channel);
    }
  };
  // Outputs come and go as one scrolls, and another view of the notebook may show them once more.
  const observer = new window.MutationObserver(look);
  observer.observe(window.document.body, { childList: true, subtree: true });
  channel.onState((said) => state = said);
  channel.onEnd(() => observer.disconnect());
  comm.onMsg = ({ content }) => channel.hear(content.data);
  comm.onClose = () => channel.end("this table is no longer live: run the cell again");
  look();
  return channel;
}

/** Hears of the views of a kernel; of one that is found running, asks for them. */
export function connectKernel(window: LabWindow, kernel: LabKernel): void {
  const target = "seqreg.live";
  const channels: LiveChannel[] = [];
  kernel.registerCommTarget(target, (comm, { content }) => void channels.push(showView(window, comm, content.data)));
  const end = () => {
    for (const channel of channels.splice(0)) {
      channel.end("the kernel has ended or was restarted: run the cell again");
    }
  };
  kernel.statusChanged.connect((_, status) => {
    if (/restarting|dead|terminating/.test(status)) end();
  });
  kernel.disposed.connect(end);
  kernel.requestCommInfo({ target_name: target }).then(({ content }) => {
    for (const id of Object.keys(Object(content.comms))) {
      if (kernel.hasComm(id)) continue;
      const comm = kernel.createComm(target, id);
      comm.onMsg = ({ content }) => {
        // Answers to other pages come here too.
        if (content.data.view === id) channels.push(showView(window, comm, content.data));
      };
      comm.send({ op: "hello" });
    }
  }, () => {});
}

/** Offers the extension to JupyterLab, which takes a script that has `init` and `get` for one. */
export function offerExtension(window: LabWindow): void {
  const connected = new WeakSet<LabKernel>();
  const connect = (kernel: LabKernel | null | undefined) => {
    if (kernel === null || kernel === undefined || connected.has(kernel)) return;
    connected.add(kernel);
    connectKernel(window, kernel);
  };
  const plugin = {
    id: "seqreg-live:plugin",
    description: "Tables of any number of rows, live under a cell.",
    autoStart: true,
    activate: (
      app: {
        readonly docRegistry: {
          addWidgetExtension(
            name: string,
            extension: { createNew(panel: unknown, context: { readonly sessionContext: LabSession }): void },
          ): void;
        };
      },
    ) =>
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (_, { sessionContext }) => {
          sessionContext.kernelChanged.connect((_, { newValue }) => connect(newValue));
          sessionContext.ready.then(() => connect(sessionContext.session?.kernel));
        },
      }),
  };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["seqreg-live"] = {
    init: () => {},
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
}
