/** What the real kernel runs before the first cell; `interrupt.ts` adds what Stop needs. */
import { COMMANDS_NAME, LOOK_NAME } from "./code/cell_commands.ts";
import { KEEP_NAME } from "./code/kept_values.ts";
import { installCommands } from "./inside/commands.ts";
import { installFailures, STACK_FRAMES, TOOLKIT_NAME } from "./inside/failures.ts";
import { installKeptValues } from "./inside/kept_values.ts";
import { installLooking } from "./inside/looking.ts";
import { inOwnScope } from "./inside/own_scope.ts";
import { installPrinting } from "./inside/printing.ts";
import { LOOK_TYPE } from "./looks.ts";
import { INSTALL_MARKER, PRINTED_NAME, THROWN_NAME } from "./output_order.ts";

/** A kernel whose proxy was killed ends too. */
const END_WITH_PROXY = `{
  const { ppid, exit, unrefTimer } = Deno;
  unrefTimer(setInterval(() => { if (Deno.ppid !== ppid) exit(1); }, 2000));
}`;

/** What the order of output needs. */
export const FIRST_CODE: string = inOwnScope(`${INSTALL_MARKER}\n${END_WITH_PROXY}`);

export const TOOLS_CODE: string = inOwnScope(`
  (${installPrinting})("${PRINTED_NAME}");
  (${installFailures})(${STACK_FRAMES}, "${THROWN_NAME}", "${KEEP_NAME}", "${TOOLKIT_NAME}");
  (${installKeptValues})("${KEEP_NAME}");
  (${installLooking})("${LOOK_TYPE}", "${LOOK_NAME}");
  (${installCommands})("${COMMANDS_NAME}");`);
