/** The Java that Spark needs. */
import { join } from "node:path";

/** Spark 4 runs on Java 17 and later. */
const OLDEST = 17;
const NEXT = "need openjdk-17-jre-headless (apt-get install openjdk-17-jre-headless), or JAVA_HOME of Java 17 or later";

/** Folder of a Java that Spark runs on. @throws {Error} If Java is missing: the message includes what to install. */
export async function findJava(): Promise<string> {
  const home = Deno.env.get("JAVA_HOME");
  const program = home ? join(home, "bin", "java") : "java";
  const text = await settingsOf(program);
  const found = /^\s*java\.home = (.+)$/m.exec(text)?.[1];
  const version = Number(/^\s*java\.specification\.version = (\d+)/m.exec(text)?.[1] ?? 0);
  if (found === undefined) throw new Error(`Cannot start a cluster: ${program} does not run; ${NEXT}`);
  if (version < OLDEST) throw new Error(`Cannot start a cluster: ${found} is Java ${version}; ${NEXT}`);
  return found;
}

async function settingsOf(program: string): Promise<string> {
  try {
    const { stderr } = await new Deno.Command(program, { args: ["-XshowSettings:properties", "-version"] }).output();
    return new TextDecoder().decode(stderr);
  } catch {
    return "";
  }
}
