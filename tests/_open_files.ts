/** Which files this process has open. */

/**
 * Lists the open files in a folder and below, as Linux knows them. A program looks: Deno shows `/proc` only to what may
 * do everything.
 */
export async function openFilesIn(folder: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("find", {
    args: [`/proc/${Deno.pid}/fd`, "-lname", `${await Deno.realPath(folder)}/*`, "-printf", "%l\n"],
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").sort();
}
