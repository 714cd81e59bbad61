/** The reference: a page for each entry point, from `deno doc --json` and the declarations in the source. */
import { basename, join } from "node:path";
import { runDeno } from "../packages/toolkit/run_deno.ts";
import { readDenoConfig } from "../packages/toolkit/deno_config.ts";
import { specifierOf } from "../docs/_reference_pages.ts";
import { readSince, sinceOf } from "../docs/_since.ts";
import { rewriteLinks, writePage } from "./_copied_pages.ts";
import { declarationOf, type SourceLocation } from "./_declarations.ts";
import { fenced, proseOf } from "./_markdown.ts";
import { redirects } from "./_redirects.ts";

/** Documentation of a symbol or a member. */
interface Doc {
  readonly doc?: string;
  readonly tags?: readonly {
    readonly kind: string;
    readonly name?: string;
    readonly doc?: string;
    readonly tsType?: { readonly repr?: string };
  }[];
}

interface Member {
  readonly name: string;
  readonly jsDoc?: Doc;
  readonly accessibility?: string;
  readonly location: SourceLocation;
}

interface Declaration {
  readonly kind: string;
  readonly jsDoc?: Doc;
  readonly location: SourceLocation;
  readonly def: { readonly methods?: readonly Member[]; readonly properties?: readonly Member[] };
}

interface Symbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** Kinds of symbols, in the order of a page. */
const KINDS: Readonly<Record<string, string>> = {
  class: "Classes",
  function: "Functions",
  variable: "Constants",
  interface: "Interfaces",
  typeAlias: "Types",
};

/** Writes a page for each entry point, and the list of all symbols. */
export async function writeReference(root: string, pages: string): Promise<void> {
  const { exports } = await readDenoConfig(root);
  const permissions = await readPermissions(root);
  const since = await readSince();
  const entries = Object.entries(exports).filter(([name]) => name !== "./cli" && name !== "./spec");
  const docs = await Promise.all(entries.map(async ([name, path]) => {
    const { nodes } = JSON.parse(await runDeno(["doc", "--json", path], { cwd: root }));
    const [{ module_doc: about, symbols }] = Object.values<{ module_doc?: Doc; symbols: Symbol[] }>(nodes);
    return {
      entry: name,
      specifier: entrySpecifier(name),
      page: name === "." ? "seqreg" : basename(name),
      about,
      symbols,
    };
  }));
  // A type is linked to the page that has it; the first entry point is preferred.
  const homes = new Map<string, string>();
  for (const { page, symbols } of docs) {
    for (const { name } of symbols) if (!homes.has(name)) homes.set(name, `./${page}.md#${anchorOf(name)}`);
  }
  const list = [
    "# Reference",
    "",
    "Every entry point and what it exports, from the documentation in the source. Commands: [every command](../commands.md).",
  ];
  for (const { entry, specifier, page, about, symbols } of docs) {
    const parts = [`# ${specifier}`, textOf(about, homes)];
    const needs = permissions.get(specifier);
    if (needs !== undefined) {
      parts.push(rewriteLinks(`Permissions: ${needs}.`, "docs/permissions.md", `reference/${page}.md`));
    }
    list.push(`## [${specifier}](./${page}.md)`);
    const names: string[] = [];
    for (const [kind, title] of Object.entries(KINDS)) {
      const found = symbols.filter(({ declarations }) => declarations[0]?.kind === kind);
      if (found.length === 0) continue;
      parts.push(`## ${title}`);
      for (const symbol of found) {
        parts.push(...symbolParts(symbol, { homes, since: sinceOf(since, entry, symbol.name) }));
        names.push(`[\`${symbol.name}\`](./${page}.md#${anchorOf(symbol.name)})`);
      }
    }
    list.push(names.join(" · "));
    await writePage(pages, `reference/${page}.md`, `${parts.filter(Boolean).join("\n\n")}\n`);
  }
  await writePage(pages, "reference/index.md", `${list.join("\n\n")}\n`);
  const old = docs.map(({ page, symbols }) => ({ page, names: symbols.map(({ name }) => name) }));
  for (const [path, html] of redirects(old)) await writePage(pages, `public/${path}`, html);
}

function entrySpecifier(name: string): string {
  return specifierOf(name === "." ? name : name.slice(2));
}

/** Two symbols may differ in case alone: the anchor of each is its own name. */
function anchorOf(name: string): string {
  return `symbol-${name}`;
}

function symbolParts(
  { name, declarations }: Symbol,
  { homes, since }: { readonly homes: ReadonlyMap<string, string>; readonly since: string },
): string[] {
  const [first] = declarations;
  const written = declarations.map(({ location }) => declarationOf(location)).filter((code) => code !== "");
  const parts = [
    `### ${name} {#${anchorOf(name)}}`,
    ...written.map((code) => fenced("ts", code)),
    [`Since ${since}.`, typesIn(written.join("\n"), { homes, besides: name })].filter(Boolean).join(" "),
    textOf(first.jsDoc, homes),
  ];
  if (first.kind !== "class") return parts;
  for (const member of [...first.def.properties ?? [], ...first.def.methods ?? []]) {
    if (member.accessibility === "private" || member.jsDoc === undefined) continue;
    const code = declarationOf(member.location);
    parts.push(`#### ${name}.${member.name.replace(/[[\]]/g, "")}`, fenced("ts", code));
    parts.push(typesIn(code, { homes, besides: name }), textOf(member.jsDoc, homes));
  }
  return parts;
}

/** Links to the types that a declaration names, which a block of code cannot have. */
function typesIn(
  code: string,
  { homes, besides }: { readonly homes: ReadonlyMap<string, string>; readonly besides: string },
): string {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|"[^"\n]*"/gm, "");
  const names = new Set(Array.from(bare.matchAll(/\b[A-Z]\w*\b/g), ([name]) => name));
  const links = [...names].filter((name) => name !== besides && homes.has(name))
    .map((name) => `[\`${name}\`](${homes.get(name)})`);
  return links.length === 0 ? "" : `Types: ${links.join(", ")}.`;
}

/** Documentation as Markdown: text, parameters, what is returned and thrown, examples. */
function textOf(doc: Doc | undefined, homes: ReadonlyMap<string, string>): string {
  if (doc === undefined) return "";
  const linked = (text = "") =>
    proseOf(text.trim()).replace(
      /\{@link(?:code)? ([^}\s|]+)(?:[ |]([^}]*))?\}/g,
      (_, target: string, label?: string) => {
        const home = homes.get(target.split(".")[0]);
        const shown = label?.trim() || `\`${target}\``;
        if (/^https?:/.test(target)) return `[${label?.trim() || target}](${target})`;
        return home === undefined ? shown : `[${shown}](${home})`;
      },
    );
  const tags = doc.tags ?? [];
  const of = (kind: string) => tags.filter((tag) => tag.kind === kind);
  const flat = (text?: string) => linked(text).replace(/\s*\n\s*/g, " ");
  return [
    linked(doc.doc),
    of("param").filter(({ doc }) => doc).map(({ name, doc }) => `- \`${name}\`: ${flat(doc)}`).join("\n"),
    of("return").map(({ doc }) => `**Returns:** ${flat(doc)}`).join("\n\n"),
    of("throws").map(({ tsType, doc }) => `**Throws** ${thrown(tsType?.repr)}${flat(doc)}`).join("\n\n"),
    ...of("example").map(({ doc = "" }) => {
      const title = doc.slice(0, doc.indexOf("```")).trim();
      return `**Example${title === "" ? "" : `: ${title}`}**\n\n${
        publicImports(doc.slice(doc.indexOf("```")).trim(), homes)
      }`;
    }),
  ].filter((text) => text !== "").join("\n\n");
}

/** The class of an error, with what to do about it. */
function thrown(name = ""): string {
  if (name === "") return "";
  return `${/^(RegistryError|ParseError|AbortError)$/.test(name) ? `[\`${name}\`](../errors.md)` : `\`${name}\``}: `;
}

/** Examples import from the files next to them; readers import from entry points. */
function publicImports(code: string, homes: ReadonlyMap<string, string>): string {
  return code.replace(/^import (type )?\{([^}]*)\} from "\.{1,2}\/[^"]*";/gm, (_, type = "", names: string) => {
    const byPage = new Map<string, string[]>();
    for (const name of names.split(",").map((name) => name.trim()).filter(Boolean)) {
      const page = /\/([a-z]+)\.md/.exec(homes.get(name.replace(/^type /, "").split(" ")[0]) ?? "")?.[1] ?? "seqreg";
      byPage.set(page, [...byPage.get(page) ?? [], name]);
    }
    return [...byPage].map(([page, own]) =>
      `import ${type}{ ${own.join(", ")} } from "${page === "seqreg" ? page : `seqreg/${page}`}";`
    ).join("\n");
  });
}

/** The table of permissions, by entry point. */
async function readPermissions(root: string): Promise<ReadonlyMap<string, string>> {
  const text = await Deno.readTextFile(join(root, "docs/permissions.md"));
  return new Map(
    Array.from(text.matchAll(/^\| `(seqreg[a-z/]*)`[^|]*\| (.*?) *\|$/gm), ([, entry, needs]) => [entry, needs]),
  );
}
