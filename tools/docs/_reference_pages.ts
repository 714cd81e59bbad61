/** What `deno doc --html` writes, made into what a user would type: import lines, examples, a start page. */
import { QUESTIONS } from "./_questions.ts";

/** Modules that hold an exported symbol, `.` for `seqreg` itself, in the order in which they are preferred. */
export type Doors = ReadonlyMap<string, readonly string[]>;

/** Modules as the reference's folders name them, and as users import them. */
export function specifierOf(module: string): string {
  if (module === ".") return "seqreg";
  // One file, which is exported under both names.
  return `seqreg/${module === "spec" ? "contract" : module}`;
}

/**
 * Rewrites the imports of one page: the usage line of the symbol, and relative imports of examples.
 *
 * @param html The page, in which quotation marks are `&quot;`.
 * @param module Module that the page belongs to.
 * @param doors Modules by symbol.
 */
export function rewriteImports(html: string, module: string, doors: Doors): string {
  return html
    .replace(
      /(\bfrom )&quot;(\.|[a-z]+)&quot;(?=;)/g,
      (whole, from, name) =>
        name === "." || [...doors.values()].some((modules) => modules.includes(name))
          ? `${from}&quot;${specifierOf(name)}&quot;`
          : whole,
    )
    .replace(
      /^(.*?)import (type )?\{([^}]*)\} from &quot;\.{1,2}\/[^&]*&quot;;/gm,
      (whole, before, type = "", names) => {
        const byModule = new Map<string, string[]>();
        for (const written of names.split(",").map((name: string) => name.trim()).filter(Boolean)) {
          const found = doors.get(written.replace(/^type /, "").split(" ")[0]) ?? [];
          const chosen = found.includes(module) ? module : found[0];
          if (chosen === undefined) return whole;
          byModule.set(chosen, [...byModule.get(chosen) ?? [], written]);
        }
        return before +
          [...byModule].map(([from, own]) =>
            `import ${type}{ ${own.join(", ")} } from &quot;${specifierOf(from)}&quot;;`
          ).join("\n");
      },
    );
}

/** Path of a symbol's page: `Registry.search` is a method, `fasta:readFasta` belongs to another module. */
export function symbolPath(symbol: string, isPage: (path: string) => boolean): string {
  const [module, name] = symbol.includes(":") ? symbol.split(":") : ["", symbol];
  const folder = module === "" ? "~" : `${module}/~`;
  const [owner, member] = name.split(".");
  const paths = [name, `${owner}.prototype.${member}`].map((each) => `${folder}/${each}.html`);
  const found = paths.find(isPage);
  if (found === undefined) throw new Error(`The reference has no page of ${symbol}: expected ${paths[0]}`);
  return found;
}

/**
 * Writes the start page: the questions, each with a line of code, a command and the pages that say more.
 *
 * @param index The start page as Deno wrote it, whose head and navigation stay.
 * @param modules Modules with a page of their own.
 * @param isPage Whether a path is a page of the reference.
 */
export function startPage(index: string, modules: readonly string[], isPage: (path: string) => boolean): string {
  const head = index.slice(0, index.indexOf("<body>"));
  const sections = QUESTIONS.map(({ question, code, command, symbols }) =>
    `<section>
<h2>${escape(question)}</h2>
<pre class="highlight"><code class="language-ts">${escape(code)}</code></pre>
${command === undefined ? "" : `<pre><code>${escape(command)}</code></pre>\n`}<p>${
      symbols.map((symbol) => link(symbolPath(symbol, isPage), symbol.replace(/^.*:/, ""))).join(" · ")
    }</p>
</section>`
  );
  return `${head}<body>
<div class="ddoc markdown" style="max-width: 60rem; margin: 2rem auto; padding: 0 1rem">
<h1>seqreg</h1>
<p>The questions that come first. All of it: ${
    [
      link("modules.html", "modules"),
      link("all_symbols.html", "every symbol"),
      ...modules.map((module) => link(`${module}/index.html`, specifierOf(module))),
    ].join(" · ")
  }. Every command and option: <code>docs/commands.md</code>.</p>
<p>Each TypeScript block begins with <code>import { Registry } from "seqreg";</code> and, but for the first,
<code>await using registry = await Registry.open();</code>.</p>
${sections.join("\n")}
</div>
</body>
</html>
`;
}

function link(path: string, text: string): string {
  return `<a href="${path}">${escape(text)}</a>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
