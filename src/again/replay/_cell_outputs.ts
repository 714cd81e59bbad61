/** Outputs of cells, gathered from a kernel's messages as front ends do. */
import { isRecord } from "@seqreg/core/options/is_record";
import type { JupyterMessage } from "@seqreg/jupyter/kernel/jupyter_message";
import type { CellOutput } from "./notebook_file.ts";

/** Where a display is shown: outputs of a cell, and its index among them. */
interface ShownDisplay {
  readonly outputs: CellOutput[];
  readonly index: number;
}

/** The displays of a notebook that can be updated, by their `display_id`. */
export type Displays = Map<unknown, ShownDisplay[]>;

/** Outputs of one cell while they come. */
export class CellOutputs {
  readonly outputs: CellOutput[] = [];
  readonly #displays: Displays;
  /** Whether the next output replaces all before it. */
  #isCleared = false;

  /** @param displays Those of the whole notebook: a cell may update what an earlier one shows. */
  constructor(displays: Displays) {
    this.#displays = displays;
  }

  add({ type, content }: JupyterMessage): void {
    if (type === "clear_output" && content.wait === true) this.#isCleared = true;
    else if (type === "clear_output" || this.#isCleared && OUTPUT_TYPES.has(type)) this.#clear();
    const { data = {}, metadata = {} } = content;
    const id = isRecord(content.transient) ? content.transient.display_id : undefined;
    const last = this.outputs.at(-1);
    if (type === "stream") {
      const { name, text } = content;
      if (last?.output_type !== "stream" || last.name !== name) this.outputs.push({ output_type: type, name, text });
      else this.outputs[this.outputs.length - 1] = { ...last, text: `${last.text}${text}` };
    } else if (type === "display_data" || type === "execute_result") {
      this.#update(id, { data, metadata });
      if (id !== undefined) this.#displaysOf(id).push({ outputs: this.outputs, index: this.outputs.length });
      const result = type === "execute_result" ? { execution_count: null } : {};
      this.outputs.push({ output_type: type, data, metadata, ...result });
    } else if (type === "update_display_data") {
      this.#update(id, { data, metadata });
    } else if (type === "error") {
      const { ename, evalue, traceback } = content;
      this.outputs.push({ output_type: type, ename, evalue, traceback });
    }
  }

  #update(id: unknown, shown: CellOutput): void {
    for (const { outputs, index } of this.#displays.get(id) ?? []) outputs[index] = { ...outputs[index], ...shown };
  }

  #displaysOf(id: unknown): ShownDisplay[] {
    const displays = this.#displays.get(id) ?? [];
    this.#displays.set(id, displays);
    return displays;
  }

  #clear(): void {
    for (const [id, displays] of this.#displays) {
      this.#displays.set(id, displays.filter(({ outputs }) => outputs !== this.outputs));
    }
    this.outputs.length = 0;
    this.#isCleared = false;
  }
}

const OUTPUT_TYPES: ReadonlySet<string> = new Set(["stream", "display_data", "execute_result", "error"]);
