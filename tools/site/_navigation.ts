/** The order of the pages. */
import { posix } from "node:path";

/** A page and its title. */
export interface Item {
  readonly text: string;
  /** Address from the site's base, without an ending. */
  readonly link: string;
}

export interface Group {
  readonly text: string;
  readonly items: readonly Item[];
}

/** The bar above every page. */
export const NAVIGATION: readonly Item[] = [
  { text: "Start", link: "/" },
  { text: "Lessons", link: "/lessons/" },
  { text: "Gallery", link: "/gallery" },
  { text: "Cookbook", link: "/cookbook/" },
  { text: "Concepts", link: "/ledger" },
  { text: "Reference", link: "/reference/" },
];

/**
 * Groups of pages: each a page, or a folder, whose pages follow in the order of their names, `index` first. A folder is
 * listed whole on its own pages, and by its first page on others.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Start": ["index", "start/", "lessons/", "gallery", "cookbook/"],
  "Concepts": [
    "ledger",
    "values",
    "dates",
    "definitions",
    "queries",
    "registries",
    "running_a_registry",
    "archives_and_lakes",
    "pack",
    "versions",
    "locks",
    "curation",
    "alike",
    "analyses",
    "tables_in_notebooks",
    "permissions",
  ],
  "Other languages and tools": ["python_and_r", "polars", "other_tools", "agents"],
  "Reference": ["command_line", "commands", "errors", "reference/", "examples", "migration"],
  "Large data": ["object_stores", "engines", "scale", "measured", "platforms"],
  "Teaching and project": ["instructor/", "project/"],
};

/** All pages by group. Pages that no group names are concepts. */
export async function groupsOf(pages: string): Promise<readonly Group[]> {
  const left = new Set(await listPages(pages));
  const groups: Group[] = [];
  for (const [text, entries] of Object.entries(GROUPS)) {
    const items: Item[] = [];
    for (const entry of entries) {
      const isFolder = entry.endsWith("/");
      const found = [...left].filter((page) => isFolder ? page.startsWith(entry) : page === entry).map(linkOf).sort();
      for (const link of found) {
        left.delete(pageOf(link));
        items.push({ text: await titleOf(posix.join(pages, `${pageOf(link)}.md`)), link });
      }
    }
    groups.push({ text, items });
  }
  const unnamed = await Promise.all(
    [...left].sort().map(async (page) => {
      return { text: await titleOf(posix.join(pages, `${page}.md`)), link: linkOf(page) };
    }),
  );
  return groups.map((group) => group.text === "Concepts" ? { ...group, items: [...group.items, ...unnamed] } : group);
}

/** Sidebars by the beginning of an address. */
export function sidebarOf(groups: readonly Group[]): Readonly<Record<string, readonly Group[]>> {
  const isInFolder = ({ link }: Item) => link.lastIndexOf("/") > 0;
  const shown = groups.map(({ text, items }) => ({
    text,
    items: items.filter((item) => !isInFolder(item) || item.link.endsWith("/")),
  }));
  const folders = new Map<string, Item[]>();
  for (const item of groups.flatMap(({ items }) => items).filter(isInFolder)) {
    const folder = item.link.slice(0, item.link.indexOf("/", 1) + 1);
    folders.set(folder, [...folders.get(folder) ?? [], item]);
  }
  return {
    ...Object.fromEntries([...folders].map(([folder, items]) => [folder, [{ text: items[0].text, items }, ...shown]])),
    "/": shown,
  };
}

/** The page of an address, without its ending. */
export function pageOf(link: string): string {
  return link.slice(1) + (link.endsWith("/") ? "index" : "");
}

function linkOf(page: string): string {
  return `/${page.replace(/(^|\/)index$/, "$1")}`;
}

async function titleOf(path: string): Promise<string> {
  const [, title] = /^# (.*)$/m.exec(await Deno.readTextFile(path)) ?? [];
  if (title === undefined) throw new Error(`${path} has no title: expected a line that begins with "# "`);
  return title.replaceAll("`", "");
}

async function listPages(folder: string, under = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(posix.join(folder, under))) {
    // Files that are served as they are.
    if (`${under}${name}` === "public") continue;
    if (isDirectory) found.push(...await listPages(folder, `${under}${name}/`));
    else if (name.endsWith(".md")) found.push(`${under}${name.slice(0, -3)}`);
  }
  return found;
}
